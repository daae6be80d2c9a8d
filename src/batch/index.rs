//! Sets that are prepared once for many queries.

use std::sync::{Arc, OnceLock};

use super::set::SharedSet;
use crate::clock::Clock;
use crate::cpu::{Bounds, Sorted};
use crate::manifold::Frame;
use crate::parallel::Pool;
use crate::{Bodies, Result};

/// A copy of a set of bodies that is prepared once, by the first query, and serves many: [`Engine::index`](crate::Engine::index).
///
/// Every query takes `&Index` where it takes `&Bodies`. Later changes of the bodies reach the index when it is
/// [refreshed](Self::refresh).
///
/// ```
/// use tangency::{Bodies, Engine, shape::Sphere};
///
/// let engine = Engine::new()?;
/// let mut bodies = Bodies::new();
/// bodies.extend([Sphere::new([0.0; 3], 1.0)?; 2])?;
/// let mut index = engine.index(&bodies)?;
/// bodies.push(Sphere::new([1.0, 0.0, 0.0], 1.0)?)?;
/// assert_eq!(engine.overlaps(&index).run()?.len(), 1); // as it was
/// index.refresh(&bodies)?;
/// assert_eq!(engine.overlaps(&index).run()?.len(), 3);
/// # Ok::<(), tangency::Error>(())
/// ```
#[derive(Debug)]
pub struct Index {
    bodies: Bodies,
    prepared: Arc<Prepared>,
}

/// What was prepared of the bodies of an index, as far as a query has needed it.
#[derive(Default)]
pub(crate) struct Prepared {
    /// With the bounds of shapes, and with those that margins make larger.
    cpu: [OnceLock<Sorted>; 2],
    /// The bodies as contacts see them.
    frames: OnceLock<Vec<Frame>>,
    #[cfg(feature = "gpu")]
    pub(super) gpu: crate::gpu::Reserved,
}

impl std::fmt::Debug for Prepared {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Prepared")
            .field("on_cpu", &self.cpu.iter().any(|sorted| sorted.get().is_some()))
            .finish_non_exhaustive()
    }
}

impl Prepared {
    /// The bodies, which must be those of the index, sorted for the CPU.
    pub(super) fn on_cpu(&self, pool: &Pool, bodies: &Bodies, bounds: Bounds, clock: &mut Clock) -> &Sorted {
        let kept = &self.cpu[usize::from(bounds == Bounds::WithMargins && bodies.margins().is_some())];
        if let Some(sorted) = kept.get() {
            return sorted;
        }
        // Not while others wait for it: sorting takes all threads, which may all be waiting, or take up another query that waits for this
        // one. Several queries that come first may each sort; the first to be done is kept.
        let sorted = Sorted::new(pool, bodies, bounds, clock);
        kept.get_or_init(|| sorted)
    }
}

impl Prepared {
    /// The bodies, which must be those of the index, as contacts see them.
    pub(super) fn frames(&self, make: impl FnOnce() -> Vec<Frame>) -> &[Frame] {
        if let Some(frames) = self.frames.get() {
            return frames;
        }
        // As above, not while others wait for it.
        let frames = make();
        self.frames.get_or_init(|| frames)
    }
}

impl Index {
    pub(crate) fn new(bodies: &Bodies) -> Self {
        Self { bodies: bodies.copied(), prepared: Arc::default() }
    }

    pub(super) fn shared(&self) -> SharedSet {
        SharedSet { bodies: self.bodies.clone(), prepared: Some(Arc::clone(&self.prepared)) }
    }

    /// The bodies, sorted for the CPU.
    pub(super) fn sorted(&self, bounds: Bounds) -> &Sorted {
        let pool = Pool::shared();
        self.prepared.on_cpu(&pool, &self.bodies, bounds, &mut Clock::start())
    }

    /// The bodies as they were when the index was made or last refreshed.
    ///
    /// ```
    /// # use tangency::{Bodies, Engine, shape::Sphere};
    /// let mut bodies = Bodies::new();
    /// bodies.push(Sphere::new([0.0; 3], 1.0)?)?;
    /// assert_eq!(Engine::new()?.index(&bodies)?.bodies().shape(0)?, bodies.shape(0)?);
    /// # Ok::<(), tangency::Error>(())
    /// ```
    pub fn bodies(&self) -> &Bodies {
        &self.bodies
    }

    /// Takes over what has changed: afterwards the index is of `bodies` as they are now.
    ///
    /// Of the set that the index was made of, only what changed since is copied, and only that is sent to a GPU again. Any other set
    /// may be given too, and is copied as a whole.
    ///
    /// ```
    /// # use tangency::{Bodies, Engine, shape::Sphere};
    /// let (engine, mut bodies) = (Engine::new()?, Bodies::new());
    /// bodies.extend([Sphere::new([0.0; 3], 1.0)?, Sphere::new([5.0, 0.0, 0.0], 1.0)?])?;
    /// let mut index = engine.index(&bodies)?;
    /// for (x, hits) in [(4.0, 0), (2.0, 1), (9.0, 0)] {
    ///     bodies.set_shape(1, Sphere::new([x, 0.0, 0.0], 1.0)?)?;
    ///     index.refresh(&bodies)?;
    ///     assert_eq!(engine.overlaps(&index).run()?.len(), hits);
    /// }
    /// # Ok::<(), tangency::Error>(())
    /// ```
    ///
    /// # Errors
    /// None so far; there may be some when copies count against a budget of memory.
    pub fn refresh(&mut self, bodies: &Bodies) -> Result<()> {
        self.bodies.follow(bodies);
        match Arc::get_mut(&mut self.prepared) {
            // What is on the device is brought up to date by the next query.
            Some(prepared) => {
                prepared.cpu = Default::default();
                prepared.frames = OnceLock::new();
            }
            // A query is under way with what was prepared.
            None => self.prepared = Arc::default(),
        }
        Ok(())
    }
}
