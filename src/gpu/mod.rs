//! The only room that knows wgpu.
//!
//! The way of the data: bodies → keys → order → slots with bounds → tree → candidates → verdicts → rows. Each arrow is a stage of
//! the [table](stages); everything stays on the device until the rows are read. What the filters leave undecided is settled there
//! too where that can be done, and else by the [CPU](crate::cpu::settle).

mod abi;
mod adapters;
mod bins;
mod bodies;
mod buffer;
mod device;
mod found;
mod learned;
mod ledger;
mod phases;
mod queries;
mod runner;
mod stages;
mod twin;
mod workspace;

#[cfg(test)]
mod tests;

pub use adapters::{Adapter, AdapterLimits, adapters};
pub(crate) use device::Wish;

use std::sync::{Mutex, PoisonError};

use device::Device;
use workspace::{Narrow, Workspace};

use crate::cpu::{Pool, settle};
use crate::engine::{Clock, Options};
use crate::shape::Plane;
use crate::{Bodies, Error, Overlaps, Relation, Result, Side, query};

/// A device that answers queries.
#[derive(Debug)]
pub(crate) struct Gpu {
    device: Device,
    /// Memory that no query uses now. Each query takes one of these, or a new one.
    scenes: Mutex<Vec<Workspace>>,
    profile: bool,
    twins: Vec<&'static str>,
}

impl std::fmt::Debug for Workspace {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Workspace")
    }
}

/// How often stages are measured.
const PROFILED: usize = 10;

/// What [`Engine::measure`](crate::Engine::measure) found.
#[doc(hidden)]
#[derive(Clone, Debug)]
pub struct Measured {
    /// The time of each run, from the submission of its commands to the status in the host's hands.
    pub times: Vec<std::time::Duration>,
    /// The time that it took to write its commands.
    pub encoding: Vec<std::time::Duration>,
    /// The mean time of each stage by the device's clock, where it has one.
    pub stages: Vec<(&'static str, std::time::Duration)>,
}

/// More planes than this are left to the CPU: some drivers end long loops silently.
const MOST_PLANES: usize = 4096;

/// Memory kept for reuse.
const KEPT: usize = 2;

impl Gpu {
    pub(crate) fn new(wish: Wish, profile: bool, twins: &[String]) -> Result<Self> {
        let twins = twins.iter().filter_map(|name| stages::find(name)).map(|stage| stage.name).collect();
        Ok(Self { device: Device::open(wish)?, scenes: Mutex::default(), profile, twins })
    }

    /// The adapter, as far as it is known.
    pub(crate) fn adapter(&self) -> Option<&Adapter> {
        self.device.adapter.as_ref()
    }

    /// How many kernels have been compiled, and how many there are.
    pub(crate) fn kernels(&self) -> (usize, usize) {
        (self.device.kernels_built(), stages::ALL.len())
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Vec<Workspace>> {
        self.scenes.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Memory for a query about this set, best the one that holds it already.
    fn take(&self, bodies: &Bodies) -> Workspace {
        let mut scenes = self.lock();
        let at = scenes.iter().position(|scene| scene.knows(bodies)).or_else(|| scenes.len().checked_sub(1));
        let mut scene = at.map_or_else(Workspace::new, |at| scenes.swap_remove(at));
        scene.runner.profile = self.profile;
        scene.runner.twins.clone_from(&self.twins);
        scene.runner.times.clear();
        scene
    }

    /// Keeps the memory for the next query. After a failure it may hold anything, and is not used again.
    fn give_back(&self, scene: Workspace, failed: bool) {
        let mut scenes = self.lock();
        if scenes.len() < KEPT && !failed {
            scenes.push(scene);
        }
    }

    /// Stages as the device measured them, if it did; else as the host did.
    fn stages(scene: &Workspace, clock: Clock, out: &mut Overlaps) {
        let mut stages = clock.laps();
        let times = &scene.runner.times;
        if let (Some(at), false) = (stages.iter().position(|(name, _)| *name == "device"), times.is_empty()) {
            let transfer = stages[at].1.saturating_sub(times.iter().map(|(_, time)| *time).sum());
            stages.splice(at..=at, times.iter().copied().chain([("transfer", transfer)]));
        }
        out.stats.stages = stages;
    }

    /// The pairs of one set, or of a set that asks and a set that is searched.
    pub(crate) async fn overlaps(
        &self,
        pool: &Pool,
        (asking, searched): (Option<&Bodies>, &Bodies),
        options: &Options,
        out: &mut Overlaps,
        block: bool,
    ) -> Result<()> {
        let mut scene = self.take(searched);
        let mut result = self.overlaps_in(&mut scene, pool, (asking, searched), options, out, block).await;
        if matches!(result, Err(Error::DeviceMemory { .. })) && self.release_idle() {
            result = self.overlaps_in(&mut scene, pool, (asking, searched), options, out, block).await;
        }
        self.give_back(scene, result.is_err());
        result
    }

    /// Gives the memory back that no query uses; whether there was any.
    fn release_idle(&self) -> bool {
        !std::mem::take(&mut *self.lock()).is_empty()
    }

    async fn overlaps_in(
        &self,
        scene: &mut Workspace,
        pool: &Pool,
        (asking, searched): (Option<&Bodies>, &Bodies),
        options: &Options,
        out: &mut Overlaps,
        block: bool,
    ) -> Result<()> {
        let mut clock = Clock::start();
        let found = scene.overlaps(&self.device, pool, (asking, searched), Narrow::Filter, &mut clock, block).await?;
        clock.lap("device");
        let bodies = (asking.unwrap_or(searched), searched);
        settle::settle(pool, bodies, (found.offsets(), found.partners()), options, out);
        clock.lap("settle");
        (out.stats.candidates, out.stats.undecided) = (found.candidates, found.undecided);
        Self::stages(scene, clock, out);
        Ok(())
    }

    pub(crate) async fn candidates(&self, pool: &Pool, bodies: &Bodies, out: &mut Overlaps, block: bool) -> Result<()> {
        let (mut scene, mut clock) = (self.take(bodies), Clock::start());
        let query = scene.overlaps(&self.device, pool, (None, bodies), Narrow::Accept, &mut clock, block);
        let result = query.await.map(|found| {
            settle::settle(pool, (bodies, bodies), (found.offsets(), found.partners()), &Options::new(), out);
        });
        self.give_back(scene, result.is_err());
        result
    }

    pub(crate) async fn test_pairs(
        &self,
        pool: &Pool,
        bodies: &Bodies,
        pairs: &[[u32; 2]],
        out: &mut Vec<Relation>,
        block: bool,
    ) -> Result<()> {
        let mut scene = self.take(bodies);
        let verdicts = scene.test_pairs(&self.device, pool, bodies, pairs, block).await;
        self.give_back(scene, verdicts.is_err());
        let verdicts = verdicts?;
        *out = pool.collect(pairs.len(), |k| match verdicts[k] {
            abi::MISS => Relation::Separate,
            abi::HIT => Relation::Overlapping,
            abi::TOUCH => Relation::Touching,
            _ => query::intersect(&bodies.get(pairs[k][0] as usize), &bodies.get(pairs[k][1] as usize)),
        });
        Ok(())
    }

    pub(crate) async fn cull(
        &self,
        pool: &Pool,
        bodies: &Bodies,
        planes: &[Plane],
        out: &mut Vec<Side>,
        block: bool,
    ) -> Result<()> {
        if planes.len() > MOST_PLANES {
            crate::cpu::cull(pool, bodies, planes, out);
            return Ok(());
        }
        let mut scene = self.take(bodies);
        let sides = scene.cull(&self.device, pool, bodies, bytemuck::cast_slice(planes), block).await;
        self.give_back(scene, sides.is_err());
        let sides = sides?;
        *out = pool.collect(bodies.len(), |i| match sides[i] {
            abi::SIDE_INSIDE => Side::Inside,
            abi::SIDE_CROSSING => Side::Crossing,
            abi::SIDE_OUTSIDE => Side::Outside,
            _ => {
                let shape = bodies.get(i);
                planes.iter().map(|plane| query::side(&shape, plane)).max().unwrap_or(Side::Inside)
            }
        });
        Ok(())
    }

    /// Times of a query whose bodies are on the device and whose answer stays there, and of its stages in one more run.
    pub(crate) fn measure(&self, pool: &Pool, bodies: &Bodies, rows: bool, runs: usize) -> Result<Measured> {
        let mut scene = self.take(bodies);
        scene.runner.profile = false;
        let times = scene.measure(&self.device, pool, bodies, rows, runs);
        scene.runner.profile = true;
        let stages = match &times {
            // The device is warm; the stages are averaged over a few runs.
            Ok(_) => scene.measure(&self.device, pool, bodies, rows, PROFILED).map(|_| scene.runner.times.clone()),
            Err(_) => Ok(Vec::new()),
        };
        self.give_back(scene, times.is_err() || stages.is_err());
        let stages = stages?.into_iter().map(|(name, time)| (name, time / PROFILED as u32)).collect();
        let (encoding, times) = times?.into_iter().map(|[encoding, time]| (encoding, time)).unzip();
        Ok(Measured { times, encoding, stages })
    }

    /// Memory of its own for a set that is searched many times.
    pub(crate) fn index(&self) -> GpuIndex {
        GpuIndex { scene: Mutex::new(Some(self.fresh())) }
    }

    /// New memory.
    fn fresh(&self) -> Workspace {
        let mut scene = Workspace::new();
        scene.runner.profile = self.profile;
        scene.runner.twins.clone_from(&self.twins);
        scene
    }
}

/// The memory of an index.
pub(crate) struct GpuIndex {
    /// Absent while a query uses it.
    scene: Mutex<Option<Workspace>>,
}

impl GpuIndex {
    pub(crate) async fn overlaps(
        &self,
        gpu: &Gpu,
        pool: &Pool,
        (asking, searched): (Option<&Bodies>, &Bodies),
        options: &Options,
        out: &mut Overlaps,
        block: bool,
    ) -> Result<()> {
        let taken = self.scene.lock().unwrap_or_else(PoisonError::into_inner).take();
        // Two queries at once: the second one has to prepare the set for itself.
        let Some(mut scene) = taken else { return gpu.overlaps(pool, (asking, searched), options, out, block).await };
        scene.runner.times.clear();
        let result = gpu.overlaps_in(&mut scene, pool, (asking, searched), options, out, block).await;
        if result.is_err() {
            scene = gpu.fresh();
        }
        *self.scene.lock().unwrap_or_else(PoisonError::into_inner) = Some(scene);
        result
    }
}
