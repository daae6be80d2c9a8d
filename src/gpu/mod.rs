//! The GPU backend: the only module that uses wgpu.
//!
//! Data flow: bodies → keys → order → slots with bounds → tree → candidate pairs → verdicts → rows. Each arrow is one or more
//! stages of the [table](stages); all intermediate data stays on the device until the rows are read back. Pairs that the filters
//! leave undecided are settled on the device where a kernel exists for that, and by the CPU otherwise.
//!
//! A query is a [`Plan`](attempt::Plan), which [one loop](attempt) runs until it has an answer. A plan records its dispatches
//! from [phases] that several queries share, into a [workspace] of buffers that grow.

pub(crate) mod abi;
mod adapters;
pub(crate) mod attempt;
mod bins;
mod bodies;
pub(crate) mod buffer;
mod bundles;
pub(crate) mod capacity;
mod context;
mod device;
mod device_rows;
mod equal_bits;
pub(crate) mod failure;
mod guard;
pub(crate) mod ledger;
mod measure;
mod narrow;
mod pair_search;
mod phases;
mod ray_search;
mod renewal;
mod resident;
pub(crate) mod row_lengths;
pub(crate) mod runner;
pub(crate) mod stages;
mod twin;
mod warm_up;
pub(crate) mod workspace;

#[cfg(test)]
mod tests;

pub use adapters::{Adapter, AdapterLimits, adapters};
pub use context::Context;
// Aliases by which `src/batch` and `src/engine` use these.
pub(crate) use device::{Device, DeviceRequest, FEATURES};
pub(crate) use device_rows::{DeviceRows, Partners, RowEnds};
pub(crate) use equal_bits::Floats;
pub(crate) use guard::{Guarded, guarded};
pub(crate) use measure::Measures;
pub use measure::{Measured, Until};
pub(crate) use narrow::Narrow;
pub(crate) use pair_search::PairSearch;
pub(crate) use phases::{Details, Moving};
pub(crate) use ray_search::{PackedRay, RayPart, RaySearch, pack};
pub(crate) use renewal::{Failures, Renewable};
pub use resident::{
    Ask, BodySource, Capacities, Ended, ListAsked, MovingBodies, RaysAsked, RecordOptions, RecordedHits, RecordedPairs,
    Running, What,
};
pub(crate) use resident::{ListQuery, Room};

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError, Weak};

use workspace::Workspace;

use crate::parallel::Pool;
use crate::{Bodies, Error, Result};

/// An open device, and the workspaces in which it answers queries.
#[derive(Debug)]
pub(crate) struct Gpu {
    pub(crate) device: Device,
    /// Unique among all devices of the process: buffers of one device cannot be used on another.
    number: u64,
    /// Workspaces that no query uses at the moment. A query takes one of them, or creates a new one.
    idle: Mutex<Vec<Workspace>>,
    profile: bool,
    twins: Vec<&'static str>,
    /// Whether answers with floats have the same bits as on the CPU, once that was checked, by [`Floats`].
    equal_bits: [[OnceLock<bool>; 2]; Floats::ALL.len()],
    /// Residents that no recording uses.
    residents: Mutex<Vec<resident::Resident>>,
    /// Dropped with the device: what an index has reserved on it is of no use then.
    alive: Arc<()>,
}

/// The most idle workspaces that are kept for reuse. Each holds device memory, so that further ones are dropped.
const IDLE_WORKSPACES: usize = 2;

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Gpu {
    /// Opens a device. Stages named in `twins` run as their serial twins on the host.
    ///
    /// # Errors
    /// [`BackendUnavailable`](Error::BackendUnavailable) if no adapter satisfies the request, [`NoSuchStage`](Error::NoSuchStage)
    /// if a name in `twins` is unknown.
    pub(crate) async fn new(request: DeviceRequest, profile: bool, twins: &[String]) -> Result<Self> {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        let known = |name: &String| {
            stages::find(name).map(|stage| stage.name).ok_or_else(|| Error::NoSuchStage { name: name.clone() })
        };
        let twins = twins.iter().map(known).collect::<Result<_>>()?;
        let device = Device::open(request).await?;
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        Ok(Self {
            device,
            number,
            idle: Mutex::default(),
            profile,
            twins,
            equal_bits: Default::default(),
            residents: Mutex::default(),
            alive: Arc::default(),
        })
    }

    /// The name of the adapter, its graphics interface, and whether it is hardware.
    pub(crate) fn adapter(&self) -> (&str, wgpu::Backend, bool) {
        let adapter = &self.device.adapter;
        (&adapter.name, adapter.backend, adapters::is_hardware(adapter))
    }

    /// How many kernels have been compiled, and how many exist.
    pub(crate) fn kernels(&self) -> (usize, usize) {
        (self.device.kernels_built(), stages::ALL.len())
    }

    /// The context of one query on this device.
    pub(crate) fn context<'a>(&'a self, pool: &'a Pool) -> Context<'a> {
        Context::new(self, pool)
    }

    /// A workspace for a query on this set: the one reserved for its index, else an idle one that already holds the set, else any
    /// idle one, else a new one.
    fn take(&self, searched: &Bodies, reserved: Option<&Reserved>) -> Workspace {
        let kept = reserved.and_then(|reserved| reserved.take(self));
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

    /// Keeps the workspace for the next query. After a failure its contents are unknown, and it is dropped.
    fn give_back(&self, workspace: Workspace, reserved: Option<&Reserved>, failed: bool) {
        let workspace = if failed { None } else { Some(workspace) };
        let left = match reserved {
            Some(reserved) => reserved.give_back(self, workspace),
            None => workspace,
        };
        let mut idle = lock(&self.idle);
        if idle.len() < IDLE_WORKSPACES {
            idle.extend(left);
        }
    }

    /// Frees all idle workspaces. Returns whether there were any.
    fn release_idle(&self) -> bool {
        !std::mem::take(&mut *lock(&self.idle)).is_empty()
    }
}

/// The workspace that is reserved for an index.
#[derive(Debug, Default)]
pub struct Reserved {
    state: Mutex<ReservedState>,
}

#[derive(Debug, Default)]
enum ReservedState {
    /// The index has not been queried yet, or its last query failed.
    #[default]
    Empty,
    /// A query uses the workspace. A query that runs at the same time has to prepare the set in another one.
    InUse(Owner),
    /// A workspace of this device.
    Kept(Owner, Box<Workspace>),
}

/// The device that a workspace is of.
#[derive(Debug)]
struct Owner {
    number: u64,
    alive: Weak<()>,
}

impl Owner {
    /// Whether it is another device than this one, and may still answer queries.
    fn is_another(&self, gpu: &Gpu) -> bool {
        self.number != gpu.number && self.alive.strong_count() > 0
    }
}

impl Reserved {
    fn take(&self, gpu: &Gpu) -> Option<Workspace> {
        let mut state = lock(&self.state);
        match &*state {
            ReservedState::InUse(owner) if owner.number == gpu.number || owner.is_another(gpu) => return None,
            ReservedState::Kept(owner, _) if owner.is_another(gpu) => return None,
            _ => {}
        }
        let owner = Owner { number: gpu.number, alive: Arc::downgrade(&gpu.alive) };
        match std::mem::replace(&mut *state, ReservedState::InUse(owner)) {
            ReservedState::Kept(owner, workspace) if owner.number == gpu.number => Some(*workspace),
            gone => {
                drop(state);
                drop(gone);
                Some(Workspace::new())
            }
        }
    }

    /// Keeps the workspace unless one is kept already. Returns the workspace that was not kept.
    fn give_back(&self, gpu: &Gpu, workspace: Option<Workspace>) -> Option<Workspace> {
        let mut state = lock(&self.state);
        match &*state {
            ReservedState::Kept(..) => return workspace,
            // A query on another device has taken over.
            ReservedState::InUse(owner) if owner.number != gpu.number => return workspace,
            _ => {}
        }
        let owner = Owner { number: gpu.number, alive: Arc::downgrade(&gpu.alive) };
        *state = workspace.map_or(ReservedState::Empty, |workspace| ReservedState::Kept(owner, Box::new(workspace)));
        None
    }
}
