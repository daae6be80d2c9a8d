//! The public batch API: one method for each question.

mod builder;
mod info;

pub use builder::Builder;
pub use info::{BackendKind, Info};

use std::sync::Arc;

use crate::batch::{
    Backends, CandidatesQuery, ClearancesQuery, ClosestQuery, ContactsQuery, CullQuery, Index, Nearest, OverlapsQuery,
    RaysQuery, RelationsQuery, Request, Set, SweepQuery,
};
#[cfg(not(target_family = "wasm"))]
use crate::crew::{self, Outcome};
#[cfg(feature = "gpu")]
use crate::gpu::{Failures, Renewable};
use crate::query::Motion;
use crate::shape::{Plane, Ray};
use crate::{Bodies, Points, Result};

/// Answers queries about sets of bodies, exactly, with the best backend there is.
///
/// Each query is a method that returns a [`Request`], which is then run or awaited. A set is given as `&Bodies`, or as `&Index`
/// if it is asked about often. An engine is cheap to clone, and may be used from many threads at once.
///
/// ```
/// use tangency::glam::Quat;
/// use tangency::{Bodies, Engine, shape::Obb};
///
/// let engine = Engine::new()?;
/// let mut bodies = Bodies::new();
/// bodies.push(Obb::new([0.0, 0.0, 0.0], [1.0; 3], Quat::IDENTITY)?)?;
/// bodies.push(Obb::new([1.5, 0.0, 0.0], [1.0; 3], Quat::from_rotation_y(0.5))?)?;
/// assert_eq!(engine.overlaps(&bodies).run()?.pairs().collect::<Vec<_>>(), [(0, 1)]);
/// # Ok::<(), tangency::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Engine {
    backends: Arc<Backends>,
    info: Arc<Info>,
}

impl Engine {
    /// The best engine for this machine. It never fails for want of a GPU.
    ///
    /// ```
    /// # use tangency::{BackendKind, Bodies, Engine};
    /// let engine = Engine::new()?;
    /// assert_ne!(engine.info().backend, BackendKind::Auto); // it has been chosen
    /// assert!(engine.overlaps(&Bodies::new()).run()?.is_empty());
    /// # Ok::<(), tangency::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Threads`](crate::Error::Threads) when the operating system refuses threads.
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
    pub fn info(&self) -> Info {
        let info = (*self.info).clone();
        #[cfg(feature = "gpu")]
        if let Some(renewable) = self.backends.gpu() {
            let equal_bits = renewable.current().and_then(|gpu| gpu.equal_bits());
            let Failures { count: failures, last: last_failure } = renewable.failures();
            return Info { equal_bits, failures, last_failure, ..info };
        }
        info
    }

    /// How many kernels have been compiled for this engine's GPU so far, and how many there are. A query compiles those that it needs
    /// when it is first asked, about half of them; on some drivers that takes longer than the query. [`warm_up`](Self::warm_up)
    /// compiles all. Both are 0 without a GPU.
    ///
    /// ```
    /// # use tangency::{BackendKind, Engine};
    /// let engine = Engine::builder().backend(BackendKind::Cpu).build()?;
    /// assert_eq!(engine.kernels_compiled(), (0, 0));
    /// # Ok::<(), tangency::Error>(())
    /// ```
    #[cfg_attr(not(feature = "gpu"), allow(clippy::unused_self, reason = "there is no GPU"))]
    pub fn kernels_compiled(&self) -> (usize, usize) {
        #[cfg(feature = "gpu")]
        return self.backends.gpu().and_then(Renewable::current).map_or((0, 0), |gpu| gpu.kernels());
        #[cfg(not(feature = "gpu"))]
        (0, 0)
    }

    /// Does now what the first query on a GPU would wait for: the kernels of all queries are compiled, in the variants that this
    /// device uses, and each is run once on nothing, because some drivers compile no earlier. So the first query takes no longer
    /// than later ones of its kind, apart from the memory on the device, which is allocated when it is known how many bodies there are.
    ///
    /// The threads of the CPU run as soon as there is an engine: without a GPU there is nothing to do, nor a second time.
    ///
    /// ```
    /// use tangency::{Engine, scenes::Scene};
    ///
    /// let engine = Engine::new()?;
    /// engine.warm_up()?;
    /// let (compiled, all) = engine.kernels_compiled();
    /// assert_eq!(compiled, all); // both are 0 without a GPU
    /// assert!(engine.verify(&Scene::Mixed.build(300, 1)?)?.is_ok());
    /// # Ok::<(), tangency::Error>(())
    /// ```
    ///
    /// # Errors
    /// Of a GPU that was asked for: [`Device`](crate::Error::Device) if the driver rejects a kernel or the device is lost,
    /// [`DeviceMemory`](crate::Error::DeviceMemory) if there is no room for a few kilobytes.
    pub fn warm_up(&self) -> Result<()> {
        #[cfg(all(feature = "gpu", not(target_family = "wasm")))]
        return self.backends.warm_up_in_time();
        #[cfg(not(all(feature = "gpu", not(target_family = "wasm"))))]
        pollster::block_on(self.backends.warm_up())
    }

    /// [`warm_up`](Self::warm_up) without blocking: the work is done on a thread of the engine's, and goes on if the future is dropped.
    /// In a browser this is the only way.
    ///
    /// ```
    /// # use tangency::{BackendKind, Engine};
    /// let engine = Engine::builder().backend(BackendKind::Cpu).build()?;
    /// pollster::block_on(engine.warm_up_async())?;
    /// # Ok::<(), tangency::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`warm_up`](Self::warm_up).
    pub async fn warm_up_async(&self) -> Result<()> {
        #[cfg(not(target_family = "wasm"))]
        {
            let engine = self.clone();
            Outcome::of(move || engine.warm_up(), crew::spawn).await
        }
        #[cfg(target_family = "wasm")]
        self.backends.warm_up().await
    }

    /// All pairs of bodies that touch or overlap: exact, each once, sorted.
    ///
    /// [`against`](Request::against) asks for the pairs of two sets instead, and [`overlapping_only`](Request::overlapping_only)
    /// leaves out pairs that merely touch.
    ///
    /// ```
    /// # use tangency::{Bodies, Engine, shape::Aabb};
    /// let mut bodies = Bodies::new();
    /// for x in [0.0, 1.0, 2.5] {
    ///     bodies.push(Aabb::new([x, 0.0, 0.0], [x + 1.0, 1.0, 1.0])?)?;
    /// }
    /// assert_eq!(Engine::new()?.overlaps(&bodies).run()?.to_vec(), [[0, 1]]); // they touch
    /// # Ok::<(), tangency::Error>(())
    /// ```
    pub fn overlaps<'a>(&self, set: impl Into<Set<'a>>) -> Request<'a, OverlapsQuery> {
        Request::new(&self.backends, OverlapsQuery::new(set.into()))
    }

    /// Which bodies contain these points? Decided exactly.
    ///
    /// It is [`overlaps`](Self::overlaps) of bodies without size [against](Request::against) the set: a row for each point, with the bodies that
    /// contain it, [`Overlapping`](crate::Relation::Overlapping) inside and [`Touching`](crate::Relation::Touching) on the surface. With
    /// [`margin`](Request::margin) these are the bodies that are at most so far from the point.
    ///
    /// ```
    /// # use tangency::{Bodies, Engine, Points, Relation, shape::{Aabb, Sphere}};
    /// let mut bodies = Bodies::new();
    /// bodies.push(Aabb::new([0.0; 3], [1.0; 3])?)?;
    /// bodies.push(Sphere::new([1.0; 3], 1.0)?)?;
    /// let points = Points::of([[1.0, 0.5, 0.5], [1.5, 1.5, 1.5], [9.0, 9.0, 9.0]])?;
    /// let engine = Engine::new()?;
    /// let found = engine.containing(&bodies, &points).run()?;
    /// assert_eq!(
    ///     found.iter().collect::<Vec<_>>(), // point, body
    ///     [(0, 0, Relation::Touching), (0, 1, Relation::Overlapping), (1, 1, Relation::Overlapping)]
    /// );
    /// let near = engine.containing(&bodies, &points).margin(13.0).run()?;
    /// assert_eq!(near.row(2).len(), 1); // the sphere; the box is a little further away
    /// # Ok::<(), tangency::Error>(())
    /// ```
    pub fn containing<'a>(&self, set: impl Into<Set<'a>>, points: &'a Points) -> Request<'a, OverlapsQuery> {
        self.overlaps(points.bodies()).against(set)
    }

    /// Which bodies are nearest to points, how far are they away, and where? One body of each point, or the nearest few with
    /// [`count`](Request::count); those that are at most so far away with [`within`](Request::within).
    ///
    /// Which bodies these are and their order is exact, by the distance of the true shapes, then by id. Points look only at bodies that their traits
    /// allow. Distances and positions have the same bits on the CPU and on every adapter.
    ///
    /// ```
    /// # use tangency::{Bodies, Engine, Points, shape::{Aabb, Sphere}};
    /// let mut bodies = Bodies::new();
    /// bodies.push(Aabb::new([2.0, 0.0, 0.0], [3.0, 1.0, 1.0])?)?;
    /// bodies.push(Sphere::new([0.0, 9.0, 0.0], 4.0)?)?;
    /// let points = Points::of([[0.0; 3], [0.0, 4.0, 0.0]])?;
    /// let found = Engine::new()?.closest(&bodies, &points).run()?;
    /// assert_eq!(found.iter().map(|(_, near)| near.body).collect::<Vec<_>>(), [0, 1]);
    /// # Ok::<(), tangency::Error>(())
    /// ```
    pub fn closest<'a>(&self, set: impl Into<Set<'a>>, points: &'a Points) -> Request<'a, ClosestQuery> {
        Request::new(&self.backends, ClosestQuery::new(set.into(), points))
    }

    /// How do the bodies of a set meet that touch or overlap? Normal, depth and up to four points of each pair, with the same bits on
    /// the CPU and on every adapter.
    ///
    /// Whether two bodies meet is exact, as in [`overlaps`](Self::overlaps). Depths and points are right to 4·10⁻⁶ of the sum of the two
    /// largest half extents (or radii), and a unit in the last place of the largest coordinate; docs/contacts.md says how they are computed.
    ///
    /// ```
    /// # use tangency::{Bodies, Engine, shape::{Aabb, Sphere}};
    /// let mut bodies = Bodies::new();
    /// bodies.push(Aabb::new([-9.0, -1.0, -9.0], [9.0, 0.0, 9.0])?)?;
    /// bodies.push(Sphere::new([0.0, 0.875, 0.0], 1.0)?)?;
    /// let contacts = Engine::new()?.contacts(&bodies).run()?;
    /// let manifold = contacts.manifolds()[0];
    /// assert_eq!((manifold.normal().to_array(), manifold.depth()), ([0.0, 1.0, 0.0], 0.125));
    /// # Ok::<(), tangency::Error>(())
    /// ```
    pub fn contacts<'a>(&self, set: impl Into<Set<'a>>) -> Request<'a, ContactsQuery> {
        Request::new(&self.backends, ContactsQuery::new(set.into()))
    }

    /// How far apart are the bodies of a set that are at most so far apart, and where are they nearest? Distance and nearest points of each
    /// pair, with the same bits on the CPU and on every adapter.
    ///
    /// Which pairs these are is exact: those of [`overlaps`](Self::overlaps) with this [`margin`](Request::margin), also pairs that meet, whose
    /// distance is 0. Distances are never more than the true ones, so that what is free is free; docs/distances.md says how they are computed.
    /// A distance that is negative or not finite is an error when the request is run.
    ///
    /// ```
    /// # use tangency::{Bodies, Engine, shape::{Aabb, Sphere}};
    /// let mut bodies = Bodies::new();
    /// bodies.push(Aabb::new([-9.0, -1.0, -9.0], [9.0, 0.0, 9.0])?)?;
    /// bodies.push(Sphere::new([2.0, 1.25, 0.0], 1.0)?)?;
    /// bodies.push(Sphere::new([5.0, 4.0, 0.0], 1.0)?)?;
    /// let clearances = Engine::new()?.clearances(&bodies, 0.5).run()?;
    /// let (a, b, found) = clearances.iter().next().expect("one pair is that near");
    /// assert_eq!((a, b), (0, 1));
    /// assert!(found.on_a().distance([2.0, 0.0, 0.0].into()) < 1e-6 && found.on_b().distance([2.0, 0.25, 0.0].into()) < 1e-6);
    /// assert!(found.distance() <= 0.25 && found.distance() > 0.249_999_9);
    /// # Ok::<(), tangency::Error>(())
    /// ```
    pub fn clearances<'a>(&self, set: impl Into<Set<'a>>, distance: f32) -> Request<'a, ClearancesQuery> {
        Request::new(&self.backends, ClearancesQuery::new(set.into(), distance))
    }

    /// Which moving bodies meet during a step, and when? Each id has a [`Motion`], from time 0 to time 1: it goes on evenly and may turn, about
    /// its centre or another point.
    ///
    /// No contact is missed, however thin or fast the bodies are: before the [time](crate::SweepHit::from) of a hit, and during the whole step for
    /// pairs that are not there, a plane between the bodies is proof that they do not touch. Reported are also pairs that pass
    /// each other within a tolerance: 10⁻⁴ of the sum of their half extents and radii (of a hull, of the largest sum of a corner's coordinates in its own frame), 10⁻⁶ (4 + angle) of how far a turning body reaches
    /// from the point that it turns about, and 10⁻¹¹ of the way. Pairs, times and normals have the same bits on the CPU and on every adapter.
    ///
    /// ```
    /// # use tangency::{Bodies, Engine, query::Motion, shape::{Aabb, Sphere}};
    /// let mut bodies = Bodies::new();
    /// bodies.push(Sphere::new([0.0; 3], 0.01)?)?;
    /// bodies.push(Aabb::new([10.0, -1.0, -1.0], [10.0001, 1.0, 1.0])?)?; // paper
    /// let motions = [Motion::translation([1e4, 0.0, 0.0])?, Motion::REST];
    /// let hits = Engine::new()?.sweep(&bodies, &motions).run()?;
    /// let (a, b, hit) = hits.iter().next().expect("it does not pass");
    /// assert_eq!((a, b), (0, 1));
    /// assert!(hit.from() <= 9.99e-4 && hit.from() > 9.989e-4);
    /// # Ok::<(), tangency::Error>(())
    /// ```
    ///
    /// A list that has not one motion for each [id](Bodies::id_bound) is an error when the request is run,
    /// [`WrongCount`](crate::Error::WrongCount).
    pub fn sweep<'a>(&self, set: impl Into<Set<'a>>, motions: &'a [Motion]) -> Request<'a, SweepQuery<'a>> {
        Request::new(&self.backends, SweepQuery::new(set.into(), motions))
    }

    /// The pairs whose bounds meet and that their traits allow: every hit is among them, and others are too.
    ///
    /// For those who have a narrow phase of their own. How many others there are may differ between backends.
    /// [`against`](Request::against) asks for the pairs of two sets instead.
    ///
    /// ```
    /// # use tangency::{Bodies, Engine, shape::Sphere};
    /// let mut bodies = Bodies::new();
    /// bodies.push(Sphere::new([0.0, 0.0, 0.0], 1.0)?)?;
    /// bodies.push(Sphere::new([1.9, 1.9, 0.0], 1.0)?)?; // apart, but not by their boxes
    /// let engine = Engine::new()?;
    /// assert_eq!(engine.candidates(&bodies).run()?.to_vec(), [[0, 1]]);
    /// assert!(engine.overlaps(&bodies).run()?.is_empty());
    /// # Ok::<(), tangency::Error>(())
    /// ```
    pub fn candidates<'a>(&self, set: impl Into<Set<'a>>) -> Request<'a, CandidatesQuery> {
        Request::new(&self.backends, CandidatesQuery::new(set.into()))
    }

    /// The exact relation of each of these pairs, in the same order, whatever the traits of the bodies.
    ///
    /// ```
    /// # use tangency::{Bodies, Engine, Error, Relation, shape::Sphere};
    /// let mut bodies = Bodies::new();
    /// for x in [0.0, 2.0, 9.0] {
    ///     bodies.push(Sphere::new([x, 0.0, 0.0], 1.0)?)?;
    /// }
    /// let engine = Engine::new()?;
    /// let relations = engine.relations(&bodies, &[[0, 1], [2, 0], [1, 1]]).run()?;
    /// assert_eq!(relations, [Relation::Touching, Relation::Separate, Relation::Overlapping]);
    /// let unknown = engine.relations(&bodies, &[[0, 3]]).run(); // an error that names the body
    /// assert_eq!(unknown, Err(Error::NoSuchBody { index: 3, len: 3 }));
    /// # Ok::<(), tangency::Error>(())
    /// ```
    pub fn relations<'a>(&self, set: impl Into<Set<'a>>, pairs: &'a [[u32; 2]]) -> Request<'a, RelationsQuery<'a>> {
        Request::new(&self.backends, RelationsQuery::new(set.into(), pairs))
    }

    /// Where each body lies to the region that the half-spaces of `planes` have in common, such as a view frustum:
    /// [`Outside`](crate::Side::Outside) of one of them, [`Inside`](crate::Side::Inside) of all, or
    /// [`Crossing`](crate::Side::Crossing).
    ///
    /// Against each half-space the answer is exact. A body near an edge of the region can cross two planes beyond the edge;
    /// it counts as crossing. Disabled bodies are outside. With no planes everything is inside. A plane that is not valid is an
    /// error: [`InvalidPlane`](crate::Error::InvalidPlane).
    ///
    /// ```
    /// # use tangency::{Bodies, Engine, Side, shape::{Plane, Sphere}};
    /// let mut bodies = Bodies::new();
    /// for x in [0.0, 1.0, 5.0] {
    ///     bodies.push(Sphere::new([x, 0.0, 0.0], 0.5)?)?;
    /// }
    /// let slab = [Plane::new([1.0, 0.0, 0.0], 1.0)?, Plane::new([-1.0, 0.0, 0.0], 1.0)?]; // −1 ≤ x ≤ 1
    /// assert_eq!(Engine::new()?.cull(&bodies, &slab).run()?, [Side::Inside, Side::Crossing, Side::Outside]);
    /// # Ok::<(), tangency::Error>(())
    /// ```
    pub fn cull<'a>(&self, set: impl Into<Set<'a>>, planes: &'a [Plane]) -> Request<'a, CullQuery<'a>> {
        Request::new(&self.backends, CullQuery::new(set.into(), planes))
    }

    /// What do rays meet? The nearest hit of each ray, or, with [`any`](Request::any), whether it has one, or, with
    /// [`all`](Request::all), all of them.
    ///
    /// Rays are half-lines, or segments with [`until`](Request::until); their numbers are taken as exact, and relative to the origin of
    /// the set. Bodies are solid, and touching is a hit: whether a ray meets a body is exact. The nearest is the least time, and of equal
    /// times the lowest id. Times have the same bits on the CPU and on every adapter; docs/rays.md says how exact they are. Traits of rays
    /// ([`with_traits`](Request::with_traits)) say which bodies they may meet.
    ///
    /// ```
    /// # use tangency::{Bodies, Engine, shape::{Aabb, Ray, Sphere}};
    /// let mut bodies = Bodies::new();
    /// let wall = bodies.push(Aabb::new([4.0, -9.0, -9.0], [5.0, 9.0, 9.0])?)?;
    /// let ball = bodies.push(Sphere::new([2.0, 0.0, 0.0], 0.5)?)?;
    /// let rays = [
    ///     Ray::new([0.0; 3], [1.0, 0.0, 0.0])?,
    ///     Ray::new([0.0; 3], [1.0, 2.0, 0.0])?,
    ///     Ray::new([0.0; 3], [-1.0, 0.0, 0.0])?,
    ///     Ray::new([2.0, 0.25, 0.0], [1.0, 0.0, 0.0])?, // starts in the ball
    /// ];
    /// let hits = Engine::new()?.cast_rays(&bodies, &rays).run()?;
    /// let found: Vec<_> = hits.iter().map(|hit| hit.map(|hit| (hit.body, hit.time))).collect();
    /// assert_eq!(found, [Some((ball, 1.5)), Some((wall, 4.0)), None, Some((ball, 0.0))]);
    /// # Ok::<(), tangency::Error>(())
    /// ```
    pub fn cast_rays<'a>(&self, set: impl Into<Set<'a>>, rays: &'a [Ray]) -> Request<'a, RaysQuery<'a, Nearest>> {
        Request::new(&self.backends, RaysQuery::new(set.into(), rays))
    }

    /// Prepares a copy of a set of bodies once, for many queries. Later changes reach it by [`refresh`](Index::refresh).
    ///
    /// ```
    /// # use tangency::{Bodies, Engine, shape::{Aabb, Sphere}};
    /// let engine = Engine::new()?;
    /// let mut room = Bodies::new();
    /// room.push(Aabb::new([-5.0, -1.0, -5.0], [5.0, 0.0, 5.0])?)?;
    /// let index = engine.index(&room)?;
    /// for height in [2.0, 0.25] {
    ///     let mut robot = Bodies::new();
    ///     robot.push(Sphere::new([0.0, height, 0.0], 0.5)?)?;
    ///     assert_eq!(engine.overlaps(&robot).against(&index).run()?.len(), usize::from(height < 0.5));
    /// }
    /// # Ok::<(), tangency::Error>(())
    /// ```
    ///
    /// # Errors
    /// None so far; there may be some when copies count against a budget of memory.
    pub fn index(&self, bodies: &Bodies) -> Result<Index> {
        Ok(Index::new(bodies))
    }

    /// How long [`overlaps`](Self::overlaps) takes on the GPU alone, for benchmarks: the bodies are on the device, and the answer stays
    /// there. `None` for other backends.
    ///
    /// ```
    /// use tangency::{BackendKind, Engine, Until, scenes::Scene};
    ///
    /// let bodies = Scene::Uniform.build(100, 1)?;
    /// let engine = Engine::builder().backend(BackendKind::Cpu).build()?;
    /// assert!(engine.measure(&bodies, Until::Pairs, 3)?.is_none());
    /// # Ok::<(), tangency::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`Request::run`].
    #[doc(hidden)]
    #[cfg(feature = "gpu")]
    pub fn measure(
        &self,
        bodies: &Bodies,
        until: crate::gpu::Until,
        runs: usize,
    ) -> Result<Option<crate::gpu::Measured>> {
        let Some(renewable) = self.backends.gpu() else { return Ok(None) };
        let measures = crate::gpu::Measures { bodies, until, moving: None };
        pollster::block_on(renewable.device())?.measure(&self.backends.pool, &measures, runs).map(Some)
    }

    /// How long [`sweep`](Self::sweep) takes on the GPU alone, as [`measure`](Self::measure) says of others.
    ///
    /// ```
    /// use tangency::{BackendKind, Bodies, Engine};
    ///
    /// let engine = Engine::builder().backend(BackendKind::Cpu).build()?;
    /// assert!(engine.measure_sweep(&Bodies::new(), &[], 3)?.is_none());
    /// # Ok::<(), tangency::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`Request::run`].
    #[doc(hidden)]
    #[cfg(feature = "gpu")]
    pub fn measure_sweep(
        &self,
        bodies: &Bodies,
        motions: &[Motion],
        runs: usize,
    ) -> Result<Option<crate::gpu::Measured>> {
        let Some(renewable) = self.backends.gpu() else { return Ok(None) };
        let device = pollster::block_on(renewable.device())?;
        SweepQuery::new(bodies.into(), motions).measure(&device, &self.backends.pool, runs).map(Some)
    }
}
