//! The public batch API: chooses the backend and hands queries to it.

mod builder;
mod clock;
mod index;
mod options;

pub use builder::{BackendKind, Builder, Info};
pub(crate) use clock::Clock;
pub use index::Index;
pub use options::Options;

use std::borrow::Cow;
use std::sync::Arc;

use crate::cpu::{self, Pool, Prepared, brute};
use crate::shape::Plane;
use crate::{Bodies, Error, Overlaps, Relation, Result, Side};

/// Answers queries about sets of bodies, exactly, with the best backend there is.
///
/// Every query has a plain form that blocks and returns a new result, a form with [`Options`] (`_with`) where there are any,
/// one that reuses the caller's memory (`_into`), and an `async` one (`_async`).
/// The CPU backend does its work when an `async` query is first polled.
///
/// ```
/// use tangency::glam::Quat;
/// use tangency::{Bodies, Engine, shape::Obb};
///
/// let engine = Engine::new()?;
/// let mut bodies = Bodies::new();
/// bodies.push(Obb::new([0.0, 0.0, 0.0], [1.0; 3], Quat::IDENTITY)?)?;
/// bodies.push(Obb::new([1.5, 0.0, 0.0], [1.0; 3], Quat::from_rotation_y(0.5))?)?;
/// assert_eq!(engine.overlaps(&bodies)?.pairs().collect::<Vec<_>>(), [(0, 1)]);
/// # Ok::<(), tangency::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Engine {
    shared: Arc<Shared>,
}

#[derive(Debug)]
struct Shared {
    pool: Pool,
    info: Info,
    backend: Backend,
    /// Whether the CPU does what the GPU has no room for.
    #[cfg(feature = "gpu")]
    fall_back: bool,
}

#[derive(Debug)]
enum Backend {
    Cpu,
    Brute,
    #[cfg(feature = "gpu")]
    Gpu(Box<crate::gpu::Gpu>),
}

/// So few bodies the CPU has done before a GPU would have begun, most of all one whose kernels are not compiled yet.
#[cfg(feature = "gpu")]
const FEW: usize = 4096;

/// What became of a query that a GPU may have answered.
#[cfg(feature = "gpu")]
impl Shared {
    /// Whether the query is answered; if not, the CPU has to do it.
    fn answered(&self, result: Result<()>) -> Result<bool> {
        match result {
            Ok(()) => Ok(true),
            Err(Error::DeviceMemory { .. } | Error::Incomplete { .. }) if self.fall_back => Ok(false),
            Err(error) => Err(error),
        }
    }
}

impl Engine {
    /// The best engine for this machine. It never fails for want of a GPU.
    ///
    /// ```
    /// # use tangency::{BackendKind, Bodies, Engine};
    /// let engine = Engine::new()?;
    /// assert_ne!(engine.info().backend, BackendKind::Auto); // it has been chosen
    /// assert!(engine.overlaps(&Bodies::new())?.is_empty());
    /// # Ok::<(), tangency::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Threads`](Error::Threads) when the operating system refuses threads.
    pub fn new() -> Result<Self> {
        Self::builder().build()
    }

    /// An engine made to order.
    ///
    /// ```
    /// # use tangency::{BackendKind, Engine};
    /// let engine = Engine::builder().backend(BackendKind::Cpu).build()?;
    /// assert_eq!(engine.info().backend, BackendKind::Cpu);
    /// # Ok::<(), tangency::Error>(())
    /// ```
    pub fn builder() -> Builder {
        Builder::default()
    }

    /// What this engine runs on, and why.
    ///
    /// ```
    /// # use tangency::{BackendKind, Engine};
    /// let engine = Engine::builder().backend(BackendKind::Cpu).build()?;
    /// assert_eq!(engine.info().why, "asked for");
    /// # Ok::<(), tangency::Error>(())
    /// ```
    pub fn info(&self) -> &Info {
        &self.shared.info
    }

    /// How many kernels have been compiled for this engine's GPU so far, and how many there are. A query compiles those that it needs
    /// when it is first asked, about half of them; on some drivers that takes longer than the query. Both are 0 without a GPU.
    ///
    /// ```
    /// # use tangency::{BackendKind, Engine};
    /// let engine = Engine::builder().backend(BackendKind::Cpu).build()?;
    /// assert_eq!(engine.kernels_compiled(), (0, 0));
    /// # Ok::<(), tangency::Error>(())
    /// ```
    #[cfg_attr(not(feature = "gpu"), expect(clippy::unused_self, reason = "there is no GPU"))]
    pub fn kernels_compiled(&self) -> (usize, usize) {
        #[cfg(feature = "gpu")]
        return self.gpu().map_or((0, 0), crate::gpu::Gpu::kernels);
        #[cfg(not(feature = "gpu"))]
        (0, 0)
    }

    fn pool(&self) -> &Pool {
        &self.shared.pool
    }

    fn is_brute(&self) -> bool {
        matches!(self.shared.backend, Backend::Brute)
    }

    /// The GPU, if this engine has one.
    #[cfg(feature = "gpu")]
    fn gpu(&self) -> Option<&crate::gpu::Gpu> {
        match &self.shared.backend {
            Backend::Gpu(gpu) => Some(gpu),
            _ => None,
        }
    }

    /// The GPU for a query about so many bodies or pairs, unless it is left to the CPU.
    #[cfg(feature = "gpu")]
    pub(crate) fn gpu_for(&self, count: usize) -> Option<&crate::gpu::Gpu> {
        self.gpu().filter(|_| !self.shared.fall_back || count > FEW)
    }

    /// All pairs of bodies that touch or overlap: exact, each once, sorted.
    ///
    /// ```
    /// # use tangency::{Bodies, Engine, shape::Aabb};
    /// let mut bodies = Bodies::new();
    /// for x in [0.0, 1.0, 2.5] {
    ///     bodies.push(Aabb::new([x, 0.0, 0.0], [x + 1.0, 1.0, 1.0])?)?;
    /// }
    /// assert_eq!(Engine::new()?.overlaps(&bodies)?.as_slice(), [[0, 1]]); // they touch
    /// # Ok::<(), tangency::Error>(())
    /// ```
    ///
    /// # Errors
    /// None on the CPU.
    pub fn overlaps(&self, bodies: &Bodies) -> Result<Overlaps> {
        self.overlaps_with(bodies, &Options::new())
    }

    /// As [`overlaps`](Self::overlaps), with options.
    ///
    /// ```
    /// # use tangency::{Bodies, Engine, Options, shape::Aabb};
    /// let mut bodies = Bodies::new();
    /// bodies.push(Aabb::new([0.0; 3], [1.0; 3])?)?;
    /// bodies.push(Aabb::new([1.0, 0.0, 0.0], [2.0, 1.0, 1.0])?)?; // stacked: touching, no clash
    /// let clashes = Engine::new()?.overlaps_with(&bodies, &Options::new().overlapping_only(true))?;
    /// assert!(clashes.is_empty());
    /// # Ok::<(), tangency::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`overlaps`](Self::overlaps).
    pub fn overlaps_with(&self, bodies: &Bodies, options: &Options) -> Result<Overlaps> {
        let mut out = Overlaps::new();
        self.overlaps_into(bodies, options, &mut out)?;
        Ok(out)
    }

    /// As [`overlaps_with`](Self::overlaps_with), into the caller's result.
    ///
    /// ```
    /// # use tangency::{Bodies, Engine, Options, Overlaps, shape::Sphere};
    /// let (engine, mut bodies, mut hits) = (Engine::new()?, Bodies::new(), Overlaps::new());
    /// for step in 0..3 {
    ///     bodies.push(Sphere::new([step as f32, 0.0, 0.0], 0.5)?)?;
    ///     engine.overlaps_into(&bodies, &Options::new(), &mut hits)?;
    ///     assert_eq!(hits.len(), step);
    /// }
    /// # Ok::<(), tangency::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`overlaps`](Self::overlaps).
    pub fn overlaps_into(&self, bodies: &Bodies, options: &Options, out: &mut Overlaps) -> Result<()> {
        #[cfg(feature = "gpu")]
        if let Some(gpu) = self.gpu_for(bodies.len()) {
            let query = gpu.overlaps(self.pool(), (None, bodies), options, out, true);
            if self.shared.answered(pollster::block_on(query))? {
                return Ok(());
            }
        }
        let mut clock = Clock::start();
        if self.is_brute() {
            brute::overlaps(bodies, options, out);
            clock.lap("pairs");
        } else {
            let prepared = Prepared::new(self.pool(), Cow::Borrowed(bodies), &mut clock);
            let hits = prepared.overlaps(self.pool(), options, &mut clock);
            drop(prepared);
            hits.write(self.pool(), out, &mut clock);
        }
        out.stats.stages = clock.laps();
        Ok(())
    }

    /// As [`overlaps_with`](Self::overlaps_with), without blocking where the backend can.
    ///
    /// ```
    /// # use tangency::{Bodies, Engine, Options, shape::Sphere};
    /// let mut bodies = Bodies::new();
    /// bodies.extend([Sphere::new([0.0; 3], 1.0)?; 2])?;
    /// let engine = Engine::new()?;
    /// let hits = pollster::block_on(engine.overlaps_async(&bodies, &Options::new()))?;
    /// assert_eq!(hits, engine.overlaps(&bodies)?);
    /// # Ok::<(), tangency::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`overlaps`](Self::overlaps).
    #[cfg_attr(not(feature = "gpu"), expect(clippy::unused_async, reason = "the CPU has nothing to wait for"))]
    pub async fn overlaps_async(&self, bodies: &Bodies, options: &Options) -> Result<Overlaps> {
        #[cfg(feature = "gpu")]
        if let Some(gpu) = self.gpu_for(bodies.len()) {
            let mut out = Overlaps::new();
            let result = gpu.overlaps(self.pool(), (None, bodies), options, &mut out, false).await;
            if self.shared.answered(result)? {
                return Ok(out);
            }
        }
        self.overlaps_with(bodies, options)
    }

    /// All pairs of a body of `a` and a body of `b` that touch or overlap, sorted by the id in `a`, then by that in `b`.
    ///
    /// Traits count as within one set; excluded pairs belong to one set and do not.
    ///
    /// ```
    /// # use tangency::{Bodies, Engine, shape::{Aabb, Sphere}};
    /// let (mut robot, mut room) = (Bodies::new(), Bodies::new());
    /// robot.push(Sphere::new([0.0, 1.0, 0.0], 0.5)?)?;
    /// room.push(Aabb::new([-5.0, -1.0, -5.0], [5.0, 0.0, 5.0])?)?;
    /// room.push(Aabb::new([0.25, 0.0, -1.0], [1.0, 2.0, 1.0])?)?;
    /// let hits = Engine::new()?.overlaps_between(&robot, &room)?;
    /// assert_eq!(hits.pairs().collect::<Vec<_>>(), [(0, 1)]);
    /// # Ok::<(), tangency::Error>(())
    /// ```
    ///
    /// # Errors
    /// None on the CPU.
    pub fn overlaps_between(&self, a: &Bodies, b: &Bodies) -> Result<Overlaps> {
        self.overlaps_between_with(a, b, &Options::new())
    }

    /// As [`overlaps_between`](Self::overlaps_between), with options.
    ///
    /// ```
    /// # use tangency::{Bodies, Engine, Options, shape::Sphere};
    /// let (mut a, mut b) = (Bodies::new(), Bodies::new());
    /// a.push(Sphere::new([0.0; 3], 1.0)?)?;
    /// b.extend([Sphere::new([2.0, 0.0, 0.0], 1.0)?, Sphere::new([1.0, 0.0, 0.0], 1.0)?])?;
    /// let clashes = Engine::new()?.overlaps_between_with(&a, &b, &Options::new().overlapping_only(true))?;
    /// assert_eq!(clashes.as_slice(), [[0, 1]]);
    /// # Ok::<(), tangency::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`overlaps_between`](Self::overlaps_between).
    pub fn overlaps_between_with(&self, a: &Bodies, b: &Bodies, options: &Options) -> Result<Overlaps> {
        let mut out = Overlaps::new();
        self.overlaps_between_into(a, b, options, &mut out)?;
        Ok(out)
    }

    /// As [`overlaps_between_with`](Self::overlaps_between_with), into the caller's result.
    ///
    /// ```
    /// # use tangency::{Bodies, Engine, Options, Overlaps, shape::Sphere};
    /// let (mut a, mut b, mut hits) = (Bodies::new(), Bodies::new(), Overlaps::new());
    /// a.push(Sphere::new([0.0; 3], 1.0)?)?;
    /// b.push(Sphere::new([2.0, 0.0, 0.0], 1.0)?)?;
    /// Engine::new()?.overlaps_between_into(&a, &b, &Options::new(), &mut hits)?;
    /// assert_eq!(hits.as_slice(), [[0, 0]]);
    /// # Ok::<(), tangency::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`overlaps_between`](Self::overlaps_between).
    pub fn overlaps_between_into(&self, a: &Bodies, b: &Bodies, options: &Options, out: &mut Overlaps) -> Result<()> {
        #[cfg(feature = "gpu")]
        if let Some(gpu) = self.gpu_for(a.len() + b.len()) {
            let query = gpu.overlaps(self.pool(), (Some(a), b), options, out, true);
            if self.shared.answered(pollster::block_on(query))? {
                return Ok(());
            }
        }
        let mut clock = Clock::start();
        if self.is_brute() {
            brute::overlaps_between(a, b, options, out);
            clock.lap("pairs");
        } else {
            let prepared = Prepared::new(self.pool(), Cow::Borrowed(b), &mut clock);
            let hits = prepared.overlaps_from(self.pool(), a, options, &mut clock);
            drop(prepared);
            hits.write(self.pool(), out, &mut clock);
        }
        out.stats.stages = clock.laps();
        Ok(())
    }

    /// As [`overlaps_between_with`](Self::overlaps_between_with), without blocking where the backend can.
    ///
    /// ```
    /// # use tangency::{Bodies, Engine, Options, shape::Sphere};
    /// let (mut a, mut b) = (Bodies::new(), Bodies::new());
    /// a.push(Sphere::new([0.0; 3], 1.0)?)?;
    /// b.push(Sphere::new([2.0, 0.0, 0.0], 1.0)?)?;
    /// let engine = Engine::new()?;
    /// let hits = pollster::block_on(engine.overlaps_between_async(&a, &b, &Options::new()))?;
    /// assert_eq!(hits.as_slice(), [[0, 0]]);
    /// # Ok::<(), tangency::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`overlaps_between`](Self::overlaps_between).
    #[cfg_attr(not(feature = "gpu"), expect(clippy::unused_async, reason = "the CPU has nothing to wait for"))]
    pub async fn overlaps_between_async(&self, a: &Bodies, b: &Bodies, options: &Options) -> Result<Overlaps> {
        #[cfg(feature = "gpu")]
        if let Some(gpu) = self.gpu_for(a.len() + b.len()) {
            let mut out = Overlaps::new();
            let result = gpu.overlaps(self.pool(), (Some(a), b), options, &mut out, false).await;
            if self.shared.answered(result)? {
                return Ok(out);
            }
        }
        self.overlaps_between_with(a, b, options)
    }

    /// The exact relation of each of these pairs, in the same order, whatever the traits of the bodies.
    ///
    /// ```
    /// # use tangency::{Bodies, Engine, Relation, shape::Sphere};
    /// let mut bodies = Bodies::new();
    /// for x in [0.0, 2.0, 9.0] {
    ///     bodies.push(Sphere::new([x, 0.0, 0.0], 1.0)?)?;
    /// }
    /// let relations = Engine::new()?.test_pairs(&bodies, &[[0, 1], [2, 0]])?;
    /// assert_eq!(relations, [Relation::Touching, Relation::Separate]);
    /// # Ok::<(), tangency::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`NoSuchBody`](Error::NoSuchBody).
    pub fn test_pairs(&self, bodies: &Bodies, pairs: &[[u32; 2]]) -> Result<Vec<Relation>> {
        let mut out = Vec::new();
        self.test_pairs_into(bodies, pairs, &mut out)?;
        Ok(out)
    }

    /// As [`test_pairs`](Self::test_pairs), into the caller's result.
    ///
    /// ```
    /// # use tangency::{Bodies, Engine, Error, Relation, shape::Sphere};
    /// let (mut bodies, mut out) = (Bodies::new(), Vec::new());
    /// bodies.extend([Sphere::new([0.0; 3], 1.0)?, Sphere::new([2.0, 0.0, 0.0], 1.0)?])?;
    /// let engine = Engine::new()?;
    /// engine.test_pairs_into(&bodies, &[[0, 1], [0, 0]], &mut out)?;
    /// assert_eq!(out, [Relation::Touching, Relation::Overlapping]);
    /// let unknown = engine.test_pairs_into(&bodies, &[[0, 2]], &mut out);
    /// assert_eq!(unknown, Err(Error::NoSuchBody { index: 2, len: 2 }));
    /// # Ok::<(), tangency::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`test_pairs`](Self::test_pairs).
    pub fn test_pairs_into(&self, bodies: &Bodies, pairs: &[[u32; 2]], out: &mut Vec<Relation>) -> Result<()> {
        check_pairs(bodies, pairs)?;
        #[cfg(feature = "gpu")]
        if let Some(gpu) = self.gpu_for(pairs.len()) {
            let query = gpu.test_pairs(self.pool(), bodies, pairs, out, true);
            if self.shared.answered(pollster::block_on(query))? {
                return Ok(());
            }
        }
        cpu::test_pairs(self.pool(), bodies, pairs, out);
        Ok(())
    }

    /// As [`test_pairs`](Self::test_pairs), without blocking where the backend can.
    ///
    /// ```
    /// # use tangency::{Bodies, Engine, Relation, shape::Sphere};
    /// let mut bodies = Bodies::new();
    /// bodies.extend([Sphere::new([0.0; 3], 1.0)?, Sphere::new([2.0, 0.0, 0.0], 1.0)?])?;
    /// let engine = Engine::new()?;
    /// let relations = pollster::block_on(engine.test_pairs_async(&bodies, &[[0, 1]]))?;
    /// assert_eq!(relations, [Relation::Touching]);
    /// # Ok::<(), tangency::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`test_pairs`](Self::test_pairs).
    #[cfg_attr(not(feature = "gpu"), expect(clippy::unused_async, reason = "the CPU has nothing to wait for"))]
    pub async fn test_pairs_async(&self, bodies: &Bodies, pairs: &[[u32; 2]]) -> Result<Vec<Relation>> {
        check_pairs(bodies, pairs)?;
        #[cfg(feature = "gpu")]
        if let Some(gpu) = self.gpu_for(pairs.len()) {
            let mut out = Vec::new();
            let result = gpu.test_pairs(self.pool(), bodies, pairs, &mut out, false).await;
            if self.shared.answered(result)? {
                return Ok(out);
            }
        }
        self.test_pairs(bodies, pairs)
    }

    /// Where each body lies to the region that the half-spaces of `planes` have in common, such as a view frustum:
    /// [`Outside`](Side::Outside) of one of them, [`Inside`](Side::Inside) of all, or [`Crossing`](Side::Crossing).
    ///
    /// Against each half-space the answer is exact. A body near an edge of the region can cross two planes beyond the edge;
    /// it counts as crossing. Disabled bodies are outside. With no planes everything is inside.
    ///
    /// ```
    /// # use tangency::{Bodies, Engine, Side, shape::{Plane, Sphere}};
    /// let mut bodies = Bodies::new();
    /// for x in [0.0, 1.0, 5.0] {
    ///     bodies.push(Sphere::new([x, 0.0, 0.0], 0.5)?)?;
    /// }
    /// let slab = [Plane::new([1.0, 0.0, 0.0], 1.0)?, Plane::new([-1.0, 0.0, 0.0], 1.0)?]; // −1 ≤ x ≤ 1
    /// assert_eq!(Engine::new()?.cull(&bodies, &slab)?, [Side::Inside, Side::Crossing, Side::Outside]);
    /// # Ok::<(), tangency::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`InvalidPlane`](Error::InvalidPlane).
    pub fn cull(&self, bodies: &Bodies, planes: &[Plane]) -> Result<Vec<Side>> {
        let mut out = Vec::new();
        self.cull_into(bodies, planes, &mut out)?;
        Ok(out)
    }

    /// As [`cull`](Self::cull), into the caller's result.
    ///
    /// ```
    /// # use tangency::{Bodies, Engine, Side, shape::{Plane, Sphere}};
    /// let (mut bodies, mut sides) = (Bodies::new(), Vec::new());
    /// bodies.push(Sphere::new([0.0, 1.0, 0.0], 1.0)?)?;
    /// Engine::new()?.cull_into(&bodies, &[Plane::new([0.0, 1.0, 0.0], 0.0)?], &mut sides)?;
    /// assert_eq!(sides, [Side::Crossing]); // it touches
    /// # Ok::<(), tangency::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`cull`](Self::cull).
    pub fn cull_into(&self, bodies: &Bodies, planes: &[Plane], out: &mut Vec<Side>) -> Result<()> {
        check_planes(planes)?;
        #[cfg(feature = "gpu")]
        if let Some(gpu) = self.gpu_for(bodies.len()) {
            let query = gpu.cull(self.pool(), bodies, planes, out, true);
            if self.shared.answered(pollster::block_on(query))? {
                return Ok(());
            }
        }
        cpu::cull(self.pool(), bodies, planes, out);
        Ok(())
    }

    /// As [`cull`](Self::cull), without blocking where the backend can.
    ///
    /// ```
    /// # use tangency::{Bodies, Engine, Side, shape::{Plane, Sphere}};
    /// let mut bodies = Bodies::new();
    /// bodies.push(Sphere::new([0.0, 1.0, 0.0], 1.0)?)?;
    /// let (engine, ground) = (Engine::new()?, Plane::new([0.0, 1.0, 0.0], 0.0)?);
    /// assert_eq!(pollster::block_on(engine.cull_async(&bodies, &[ground]))?, [Side::Crossing]);
    /// # Ok::<(), tangency::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`cull`](Self::cull).
    #[cfg_attr(not(feature = "gpu"), expect(clippy::unused_async, reason = "the CPU has nothing to wait for"))]
    pub async fn cull_async(&self, bodies: &Bodies, planes: &[Plane]) -> Result<Vec<Side>> {
        check_planes(planes)?;
        #[cfg(feature = "gpu")]
        if let Some(gpu) = self.gpu_for(bodies.len()) {
            let mut out = Vec::new();
            let result = gpu.cull(self.pool(), bodies, planes, &mut out, false).await;
            if self.shared.answered(result)? {
                return Ok(out);
            }
        }
        self.cull(bodies, planes)
    }

    /// The pairs whose bounds meet and that their traits allow: every hit is among them, and others are too.
    ///
    /// For those who have a narrow phase of their own. How many others there are may differ between backends.
    ///
    /// ```
    /// # use tangency::{Bodies, Engine, shape::Sphere};
    /// let mut bodies = Bodies::new();
    /// bodies.push(Sphere::new([0.0, 0.0, 0.0], 1.0)?)?;
    /// bodies.push(Sphere::new([1.9, 1.9, 0.0], 1.0)?)?; // apart, but not by their boxes
    /// let engine = Engine::new()?;
    /// assert_eq!(engine.candidates(&bodies)?, [[0, 1]]);
    /// assert!(engine.overlaps(&bodies)?.is_empty());
    /// # Ok::<(), tangency::Error>(())
    /// ```
    ///
    /// # Errors
    /// None on the CPU.
    pub fn candidates(&self, bodies: &Bodies) -> Result<Vec<[u32; 2]>> {
        let mut out = Vec::new();
        self.candidates_into(bodies, &mut out)?;
        Ok(out)
    }

    /// As [`candidates`](Self::candidates), into the caller's result.
    ///
    /// ```
    /// # use tangency::{Bodies, Engine, shape::Sphere};
    /// let (mut bodies, mut pairs) = (Bodies::new(), Vec::new());
    /// bodies.extend([Sphere::new([0.0; 3], 1.0)?, Sphere::new([1.9, 1.9, 0.0], 1.0)?])?;
    /// Engine::new()?.candidates_into(&bodies, &mut pairs)?;
    /// assert_eq!(pairs, [[0, 1]]);
    /// # Ok::<(), tangency::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`candidates`](Self::candidates).
    pub fn candidates_into(&self, bodies: &Bodies, out: &mut Vec<[u32; 2]>) -> Result<()> {
        let mut found = Overlaps { pairs: std::mem::take(out), ..Overlaps::new() };
        #[cfg(feature = "gpu")]
        if let Some(gpu) = self.gpu_for(bodies.len()) {
            let query = gpu.candidates(self.pool(), bodies, &mut found, true);
            if self.shared.answered(pollster::block_on(query))? {
                *out = found.pairs;
                return Ok(());
            }
        }
        if self.is_brute() {
            brute::candidates(bodies, &mut found);
        } else {
            let mut clock = Clock::start();
            let prepared = Prepared::new(self.pool(), Cow::Borrowed(bodies), &mut clock);
            let hits = prepared.candidates(self.pool(), &mut clock);
            drop(prepared);
            hits.write(self.pool(), &mut found, &mut clock);
        }
        *out = found.pairs;
        Ok(())
    }

    /// As [`candidates`](Self::candidates), without blocking where the backend can.
    ///
    /// ```
    /// # use tangency::{Bodies, Engine, shape::Sphere};
    /// let mut bodies = Bodies::new();
    /// bodies.extend([Sphere::new([0.0; 3], 1.0)?, Sphere::new([1.9, 1.9, 0.0], 1.0)?])?;
    /// assert_eq!(pollster::block_on(Engine::new()?.candidates_async(&bodies))?, [[0, 1]]);
    /// # Ok::<(), tangency::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`candidates`](Self::candidates).
    #[cfg_attr(not(feature = "gpu"), expect(clippy::unused_async, reason = "the CPU has nothing to wait for"))]
    pub async fn candidates_async(&self, bodies: &Bodies) -> Result<Vec<[u32; 2]>> {
        #[cfg(feature = "gpu")]
        if let Some(gpu) = self.gpu_for(bodies.len()) {
            let mut found = Overlaps::new();
            let result = gpu.candidates(self.pool(), bodies, &mut found, false).await;
            if self.shared.answered(result)? {
                return Ok(found.pairs);
            }
        }
        self.candidates(bodies)
    }

    /// How long [`overlaps`](Self::overlaps) takes on the GPU alone, for benchmarks: the bodies are on the device, and the answer stays
    /// there. Up to the candidates, or with `rows` up to the sorted hits. `None` for other backends.
    ///
    /// ```
    /// use tangency::{BackendKind, Engine, scenes::Scene};
    ///
    /// let bodies = Scene::Uniform.build(100, 1)?;
    /// let engine = Engine::builder().backend(BackendKind::Cpu).build()?;
    /// assert!(engine.measure(&bodies, true, 3)?.is_none());
    /// # Ok::<(), tangency::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`overlaps`](Self::overlaps).
    #[doc(hidden)]
    #[cfg(feature = "gpu")]
    pub fn measure(&self, bodies: &Bodies, rows: bool, runs: usize) -> Result<Option<crate::gpu::Measured>> {
        self.gpu().map(|gpu| gpu.measure(self.pool(), bodies, rows, runs)).transpose()
    }

    /// Prepares a set of bodies once, for many queries. The index is a snapshot: later changes do not reach it.
    ///
    /// ```
    /// # use tangency::{Bodies, Engine, shape::{Aabb, Sphere}};
    /// let mut room = Bodies::new();
    /// room.push(Aabb::new([-5.0, -1.0, -5.0], [5.0, 0.0, 5.0])?)?;
    /// let index = Engine::new()?.index(&room)?;
    /// for height in [2.0, 0.25] {
    ///     let mut robot = Bodies::new();
    ///     robot.push(Sphere::new([0.0, height, 0.0], 0.5)?)?;
    ///     assert_eq!(index.overlaps_between(&robot)?.len(), usize::from(height < 0.5));
    /// }
    /// # Ok::<(), tangency::Error>(())
    /// ```
    ///
    /// # Errors
    /// None on the CPU.
    pub fn index(&self, bodies: &Bodies) -> Result<Index> {
        Index::new(self.clone(), bodies)
    }
}

fn check_pairs(bodies: &Bodies, pairs: &[[u32; 2]]) -> Result<()> {
    let len = bodies.len();
    match pairs.iter().flatten().find(|index| **index as usize >= len) {
        Some(&index) => Err(Error::NoSuchBody { index, len }),
        None => Ok(()),
    }
}

fn check_planes(planes: &[Plane]) -> Result<()> {
    for (index, plane) in planes.iter().enumerate() {
        plane.validate().map_err(|reason| Error::InvalidPlane { index, reason: Box::new(reason) })?;
    }
    Ok(())
}

#[cfg(all(test, feature = "gpu"))]
mod tests {
    use super::*;

    /// A GPU that was chosen automatically gives way to the CPU when it is short of memory or does not do its work; one that was asked
    /// for does not.
    #[test]
    fn the_cpu_answers_for_a_gpu_that_fails() {
        let engine = Engine::builder().backend(BackendKind::Cpu).build().expect("the CPU");
        let shared = |fall_back| Shared {
            pool: Pool::new(Some(1)).expect("a thread"),
            info: engine.info().clone(),
            backend: Backend::Cpu,
            fall_back,
        };
        let failures = [
            Error::Incomplete { stage: "pairs", found: 1, due: 2 },
            Error::DeviceMemory { what: "candidates", needed: 9, limit: 8 },
        ];
        for error in failures {
            assert_eq!(shared(true).answered(Err(error.clone())), Ok(false));
            assert_eq!(shared(false).answered(Err(error.clone())), Err(error));
        }
        assert_eq!(shared(true).answered(Ok(())), Ok(true));
        let lost = Error::Device { reason: "lost".to_owned() };
        assert_eq!(shared(true).answered(Err(lost.clone())), Err(lost));
    }
}
