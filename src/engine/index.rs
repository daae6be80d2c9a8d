use std::borrow::Cow;

use super::{Clock, Engine, Options};
use crate::cpu::Prepared;
use crate::shape::Plane;
use crate::{Bodies, Overlaps, Relation, Result, Side};

/// A snapshot of a set of bodies, prepared for many queries: [`Engine::index`].
///
/// ```
/// use tangency::{Bodies, Engine, shape::Sphere};
///
/// let mut bodies = Bodies::new();
/// bodies.extend([Sphere::new([0.0; 3], 1.0)?; 2])?;
/// let index = Engine::new()?.index(&bodies)?;
/// bodies.clear();
/// assert_eq!(index.overlaps()?.as_slice(), [[0, 1]]); // as it was
/// # Ok::<(), tangency::Error>(())
/// ```
pub struct Index {
    engine: Engine,
    snapshot: Snapshot,
}

enum Snapshot {
    /// With nothing prepared.
    Plain(Bodies),
    Cpu(Prepared<'static>),
    #[cfg(feature = "gpu")]
    Gpu(Bodies, Box<crate::gpu::GpuIndex>),
}

impl std::fmt::Debug for Index {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Index")
            .field("bodies", &self.bodies().len())
            .field("engine", self.engine.info())
            .finish_non_exhaustive()
    }
}

impl Index {
    #[expect(clippy::unnecessary_wraps, reason = "a GPU may prepare the set at once some day, and run out of memory")]
    pub(super) fn new(engine: Engine, bodies: &Bodies) -> Result<Self> {
        #[cfg(feature = "gpu")]
        if let Some(gpu) = engine.gpu_for(bodies.len()) {
            let snapshot = Snapshot::Gpu(bodies.clone(), Box::new(gpu.index()));
            return Ok(Self { engine, snapshot });
        }
        let snapshot = if engine.is_brute() {
            Snapshot::Plain(bodies.clone())
        } else {
            Snapshot::Cpu(Prepared::new(engine.pool(), Cow::Owned(bodies.clone()), &mut Clock::start()))
        };
        Ok(Self { engine, snapshot })
    }

    /// The bodies of the snapshot.
    ///
    /// ```
    /// # use tangency::{Bodies, Engine, shape::Sphere};
    /// let mut bodies = Bodies::new();
    /// bodies.push(Sphere::new([0.0; 3], 1.0)?)?;
    /// assert_eq!(Engine::new()?.index(&bodies)?.bodies().shape(0)?, bodies.shape(0)?);
    /// # Ok::<(), tangency::Error>(())
    /// ```
    pub fn bodies(&self) -> &Bodies {
        match &self.snapshot {
            Snapshot::Plain(bodies) => bodies,
            Snapshot::Cpu(prepared) => prepared.bodies(),
            #[cfg(feature = "gpu")]
            Snapshot::Gpu(bodies, _) => bodies,
        }
    }

    /// Asks the GPU, if there is one; whether it answered.
    #[cfg(feature = "gpu")]
    fn ask_gpu(&self, asking: Option<&Bodies>, options: &Options, out: &mut Overlaps) -> Result<bool> {
        match (&self.snapshot, self.engine.gpu()) {
            (Snapshot::Gpu(bodies, index), Some(gpu)) => {
                let query = index.overlaps(gpu, self.engine.pool(), (asking, bodies), options, out, true);
                self.engine.shared.answered(pollster::block_on(query))
            }
            _ => Ok(false),
        }
    }

    /// As [`Engine::overlaps`] for the bodies of the snapshot.
    ///
    /// ```
    /// # use tangency::{Bodies, Engine, shape::Sphere};
    /// let mut bodies = Bodies::new();
    /// bodies.extend([Sphere::new([0.0; 3], 1.0)?, Sphere::new([2.0, 0.0, 0.0], 1.0)?])?;
    /// let engine = Engine::new()?;
    /// assert_eq!(engine.index(&bodies)?.overlaps()?, engine.overlaps(&bodies)?);
    /// # Ok::<(), tangency::Error>(())
    /// ```
    ///
    /// # Errors
    /// As there.
    pub fn overlaps(&self) -> Result<Overlaps> {
        let mut out = Overlaps::new();
        self.overlaps_into(&Options::new(), &mut out)?;
        Ok(out)
    }

    /// As [`Engine::overlaps_into`] for the bodies of the snapshot.
    ///
    /// ```
    /// # use tangency::{Bodies, Engine, Options, Overlaps, shape::Sphere};
    /// let mut bodies = Bodies::new();
    /// bodies.extend([Sphere::new([0.0; 3], 1.0)?, Sphere::new([2.0, 0.0, 0.0], 1.0)?])?;
    /// let (index, mut hits) = (Engine::new()?.index(&bodies)?, Overlaps::new());
    /// for (clashes_only, found) in [(false, 1), (true, 0)] {
    ///     index.overlaps_into(&Options::new().overlapping_only(clashes_only), &mut hits)?;
    ///     assert_eq!(hits.len(), found);
    /// }
    /// # Ok::<(), tangency::Error>(())
    /// ```
    ///
    /// # Errors
    /// As there.
    pub fn overlaps_into(&self, options: &Options, out: &mut Overlaps) -> Result<()> {
        #[cfg(feature = "gpu")]
        if self.ask_gpu(None, options, out)? {
            return Ok(());
        }
        let Snapshot::Cpu(prepared) = &self.snapshot else {
            return self.engine.overlaps_into(self.bodies(), options, out);
        };
        let mut clock = Clock::start();
        prepared.overlaps(self.engine.pool(), options, &mut clock).write(self.engine.pool(), out, &mut clock);
        out.stats.stages = clock.laps();
        Ok(())
    }

    /// As [`Engine::overlaps_between`], of the bodies of `a` with those of the snapshot.
    ///
    /// ```
    /// # use tangency::{Bodies, Engine, shape::Sphere};
    /// let (mut room, mut robot) = (Bodies::new(), Bodies::new());
    /// room.extend([Sphere::new([9.0; 3], 1.0)?, Sphere::new([0.0; 3], 1.0)?])?;
    /// robot.push(Sphere::new([1.0, 0.0, 0.0], 1.0)?)?;
    /// assert_eq!(Engine::new()?.index(&room)?.overlaps_between(&robot)?.as_slice(), [[0, 1]]);
    /// # Ok::<(), tangency::Error>(())
    /// ```
    ///
    /// # Errors
    /// As there.
    pub fn overlaps_between(&self, a: &Bodies) -> Result<Overlaps> {
        let mut out = Overlaps::new();
        self.overlaps_between_into(a, &Options::new(), &mut out)?;
        Ok(out)
    }

    /// As [`Engine::overlaps_between_into`], of the bodies of `a` with those of the snapshot.
    ///
    /// ```
    /// # use tangency::{Bodies, Engine, Options, Overlaps, shape::Sphere};
    /// let (mut room, mut robot, mut hits) = (Bodies::new(), Bodies::new(), Overlaps::new());
    /// room.push(Sphere::new([0.0; 3], 1.0)?)?;
    /// robot.push(Sphere::new([2.0, 0.0, 0.0], 1.0)?)?;
    /// Engine::new()?.index(&room)?.overlaps_between_into(&robot, &Options::new(), &mut hits)?;
    /// assert_eq!(hits.as_slice(), [[0, 0]]);
    /// # Ok::<(), tangency::Error>(())
    /// ```
    ///
    /// # Errors
    /// As there.
    pub fn overlaps_between_into(&self, a: &Bodies, options: &Options, out: &mut Overlaps) -> Result<()> {
        #[cfg(feature = "gpu")]
        if self.ask_gpu(Some(a), options, out)? {
            return Ok(());
        }
        let Snapshot::Cpu(prepared) = &self.snapshot else {
            return self.engine.overlaps_between_into(a, self.bodies(), options, out);
        };
        let mut clock = Clock::start();
        let hits = prepared.overlaps_from(self.engine.pool(), a, options, &mut clock);
        hits.write(self.engine.pool(), out, &mut clock);
        out.stats.stages = clock.laps();
        Ok(())
    }

    /// As [`Engine::test_pairs`] for the bodies of the snapshot.
    ///
    /// ```
    /// # use tangency::{Bodies, Engine, Relation, shape::Sphere};
    /// let mut bodies = Bodies::new();
    /// bodies.extend([Sphere::new([0.0; 3], 1.0)?, Sphere::new([2.0, 0.0, 0.0], 1.0)?])?;
    /// assert_eq!(Engine::new()?.index(&bodies)?.test_pairs(&[[1, 0]])?, [Relation::Touching]);
    /// # Ok::<(), tangency::Error>(())
    /// ```
    ///
    /// # Errors
    /// As there.
    pub fn test_pairs(&self, pairs: &[[u32; 2]]) -> Result<Vec<Relation>> {
        self.engine.test_pairs(self.bodies(), pairs)
    }

    /// As [`Engine::cull`] for the bodies of the snapshot.
    ///
    /// ```
    /// # use tangency::{Bodies, Engine, Side, shape::{Plane, Sphere}};
    /// let mut bodies = Bodies::new();
    /// bodies.extend([Sphere::new([0.0, -2.0, 0.0], 1.0)?, Sphere::new([0.0, 2.0, 0.0], 1.0)?])?;
    /// let ground = Plane::new([0.0, 1.0, 0.0], 0.0)?;
    /// assert_eq!(Engine::new()?.index(&bodies)?.cull(&[ground])?, [Side::Inside, Side::Outside]);
    /// # Ok::<(), tangency::Error>(())
    /// ```
    ///
    /// # Errors
    /// As there.
    pub fn cull(&self, planes: &[Plane]) -> Result<Vec<Side>> {
        self.engine.cull(self.bodies(), planes)
    }

    /// As [`Engine::candidates`] for the bodies of the snapshot.
    ///
    /// ```
    /// # use tangency::{Bodies, Engine, shape::Sphere};
    /// let mut bodies = Bodies::new();
    /// bodies.extend([Sphere::new([0.0; 3], 1.0)?, Sphere::new([1.9, 1.9, 0.0], 1.0)?])?;
    /// assert_eq!(Engine::new()?.index(&bodies)?.candidates()?, [[0, 1]]);
    /// # Ok::<(), tangency::Error>(())
    /// ```
    ///
    /// # Errors
    /// As there.
    pub fn candidates(&self) -> Result<Vec<[u32; 2]>> {
        let Snapshot::Cpu(prepared) = &self.snapshot else { return self.engine.candidates(self.bodies()) };
        let mut out = Overlaps::new();
        let mut clock = Clock::start();
        prepared.candidates(self.engine.pool(), &mut clock).write(self.engine.pool(), &mut out, &mut clock);
        Ok(out.pairs)
    }
}
