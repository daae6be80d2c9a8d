//! The only room that knows wgpu.
//!
//! The way of the data: bodies → keys → order → slots with bounds → tree → candidates → verdicts → rows. Each arrow is a stage of
//! the [table](stages); everything stays on the device until the rows are read. What the filters leave undecided is settled there
//! too where that can be done, and else by the CPU.
//!
//! A query is a [`Plan`], which [one loop](attempt) runs until it is answered. It records its commands from [phases] that several
//! queries share, in a [workspace] of buffers that grow.

pub(crate) mod abi;
mod adapters;
pub(crate) mod attempt;
mod bins;
mod bodies;
pub(crate) mod buffer;
pub(crate) mod capacity;
mod context;
mod device;
mod device_rows;
pub(crate) mod failure;
pub(crate) mod ledger;
mod measure;
mod pair_search;
mod phases;
pub(crate) mod runner;
pub(crate) mod stages;
mod twin;
pub(crate) mod workspace;

#[cfg(test)]
mod tests;

pub use adapters::{Adapter, AdapterLimits, adapters};
pub use context::Context;
// `src/batch` and `src/engine` still use the second names.
pub(crate) use capacity as learned;
pub(crate) use device::DeviceRequest as Wish;
pub(crate) use device_rows::DeviceRows as Found;
pub use measure::Measured;
pub(crate) use pair_search::PairSearch;
pub(crate) use workspace::Narrow;

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use device::Device;
use workspace::Workspace;

use crate::parallel::Pool;
use crate::{Bodies, Error, Result};

/// A device that answers queries.
#[derive(Debug)]
pub(crate) struct Gpu {
    pub(crate) device: Device,
    /// Tells it from all others: memory of one device is of no use to another.
    number: u64,
    /// Memory that no query uses now. Each query takes one of these, or a new one.
    idle: Mutex<Vec<Workspace>>,
    profile: bool,
    twins: Vec<&'static str>,
}

/// Workspaces kept for reuse.
const IDLE_WORKSPACES: usize = 2;

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Gpu {
    /// Opens a device. Stages of these names run as their twins.
    ///
    /// # Errors
    /// [`BackendUnavailable`](Error::BackendUnavailable) if there is no such device, [`NoSuchStage`](Error::NoSuchStage).
    pub(crate) async fn new(request: device::DeviceRequest, profile: bool, twins: &[String]) -> Result<Self> {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        let known = |name: &String| {
            stages::find(name).map(|stage| stage.name).ok_or_else(|| Error::NoSuchStage { name: name.clone() })
        };
        let twins = twins.iter().map(known).collect::<Result<_>>()?;
        let device = Device::open(request).await?;
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        Ok(Self { device, number, idle: Mutex::default(), profile, twins })
    }

    /// The adapter, as far as it is known.
    pub(crate) fn adapter(&self) -> Option<&Adapter> {
        self.device.adapter.as_ref()
    }

    /// How many kernels have been compiled, and how many there are.
    pub(crate) fn kernels(&self) -> (usize, usize) {
        (self.device.kernels_built(), stages::ALL.len())
    }

    /// What a query works with.
    pub(crate) fn context<'a>(&'a self, pool: &'a Pool) -> Context<'a> {
        Context::new(self, pool)
    }

    /// Memory for a query about this set: what is kept for an index, else the one that holds the set already, else any.
    fn take(&self, searched: &Bodies, reserved: Option<&Reserved>) -> Workspace {
        let kept = reserved.and_then(|reserved| reserved.take(self.number));
        let mut workspace = kept.unwrap_or_else(|| {
            let mut idle = lock(&self.idle);
            let known = idle.iter().position(|workspace| workspace.knows(searched));
            let any = || if reserved.is_some() { None } else { idle.len().checked_sub(1) };
            known.or_else(any).map_or_else(Workspace::new, |at| idle.swap_remove(at))
        });
        workspace.runner.profile = self.profile;
        workspace.runner.twins.clone_from(&self.twins);
        workspace.runner.times.clear();
        workspace
    }

    /// Keeps the memory for the next query. After a failure it may hold anything, and is not used again.
    fn give_back(&self, workspace: Workspace, reserved: Option<&Reserved>, failed: bool) {
        let workspace = if failed { None } else { Some(workspace) };
        let left = match reserved {
            Some(reserved) => reserved.give_back(self.number, workspace),
            None => workspace,
        };
        let mut idle = lock(&self.idle);
        if idle.len() < IDLE_WORKSPACES {
            idle.extend(left);
        }
    }

    /// Gives the memory back that no query uses; whether there was any.
    fn release_idle(&self) -> bool {
        !std::mem::take(&mut *lock(&self.idle)).is_empty()
    }
}

/// The memory that is kept for an index.
#[derive(Debug, Default)]
pub struct Reserved {
    state: Mutex<ReservedState>,
}

#[derive(Debug, Default)]
enum ReservedState {
    /// No query has asked yet, or the last one failed.
    #[default]
    Empty,
    /// A query uses it. Another one at the same time has to prepare the set for itself.
    InUse,
    /// Of the device with this number.
    Kept(u64, Box<Workspace>),
}

impl Reserved {
    fn take(&self, gpu: u64) -> Option<Workspace> {
        let mut state = lock(&self.state);
        match &*state {
            ReservedState::InUse => return None,
            ReservedState::Kept(number, _) if *number != gpu => return None,
            _ => {}
        }
        match std::mem::replace(&mut *state, ReservedState::InUse) {
            ReservedState::Kept(_, workspace) => Some(*workspace),
            _ => Some(Workspace::new()),
        }
    }

    /// Keeps the memory, unless there is some already; what is not kept.
    fn give_back(&self, gpu: u64, workspace: Option<Workspace>) -> Option<Workspace> {
        let mut state = lock(&self.state);
        if matches!(*state, ReservedState::Kept(..)) {
            return workspace;
        }
        *state = workspace.map_or(ReservedState::Empty, |workspace| ReservedState::Kept(gpu, Box::new(workspace)));
        None
    }
}
