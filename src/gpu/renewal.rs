//! The device that answers the queries of an engine, and the one that is opened when it has failed.

use std::sync::{Arc, Mutex};

use super::device::DeviceRequest;
use super::guard::Guarded;
use super::{Gpu, lock};
use crate::{Error, Result};

/// How many devices in a row may fail before a GPU that was chosen automatically is left alone: opening a device takes longer than most
/// queries on the CPU.
const MOST_FAILURES: u32 = 3;

/// A GPU whose device is opened anew after it has failed.
#[derive(Debug)]
pub(crate) struct Renewable {
    request: DeviceRequest,
    profile: bool,
    twins: Vec<String>,
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    /// The device, unless it has failed.
    current: Option<Arc<Gpu>>,
    /// Failures so far.
    failures: u64,
    /// Devices that have failed since a query was last answered.
    lost_in_a_row: u32,
    last_failure: Option<String>,
}

/// What there is to say about failures so far.
#[derive(Clone, Debug, Default)]
pub(crate) struct Failures {
    pub count: u64,
    pub last: Option<String>,
}

impl Renewable {
    /// Opens the first device.
    ///
    /// # Errors
    /// As [`Gpu::new`].
    pub(crate) async fn open(request: DeviceRequest, profile: bool, twins: Vec<String>) -> Result<Self> {
        let renewable = Self { request, profile, twins, state: Mutex::default() };
        let gpu = renewable.opened().await?;
        lock(&renewable.state).current = Some(gpu);
        Ok(renewable)
    }

    /// A new device.
    async fn opened(&self) -> Result<Arc<Gpu>> {
        let opened = Guarded::new(Gpu::new(self.request.clone(), self.profile, &self.twins));
        opened.await.map(Arc::new).map_err(|error| match error {
            Error::Device { reason } => Error::BackendUnavailable { backend: "gpu", reason },
            error => error,
        })
    }

    /// The device, unless it has failed and no other one has been opened yet.
    pub(crate) fn current(&self) -> Option<Arc<Gpu>> {
        lock(&self.state).current.clone()
    }

    /// The device, opened anew if the last one has failed.
    ///
    /// # Errors
    /// As [`Gpu::new`].
    pub(crate) async fn device(&self) -> Result<Arc<Gpu>> {
        if let Some(gpu) = self.current() {
            return Ok(gpu);
        }
        let opened = self.opened().await;
        if let Err(error) = &opened {
            self.note_failure(None, error);
        }
        let opened = opened?;
        // Another query may have opened one meanwhile.
        Ok(Arc::clone(lock(&self.state).current.get_or_insert(opened)))
    }

    /// Notes how a query ended. A device that is lost, or has refused a command, answers no other query.
    pub(crate) fn note(&self, gpu: &Arc<Gpu>, result: &Result<()>) {
        match result {
            Ok(()) => lock(&self.state).lost_in_a_row = 0,
            Err(error) => self.note_failure(Some(gpu), error),
        }
    }

    /// Notes a failure, of a device or of the attempt to open one.
    fn note_failure(&self, gpu: Option<&Arc<Gpu>>, error: &Error) {
        if !matches!(
            error,
            Error::Device { .. }
                | Error::DeviceMemory { .. }
                | Error::Incomplete { .. }
                | Error::BackendUnavailable { .. }
        ) {
            return;
        }
        let mut state = lock(&self.state);
        state.failures += 1;
        state.last_failure = Some(error.to_string());
        let lost = match gpu {
            Some(gpu) => matches!(error, Error::Device { .. }) || gpu.device.lost().is_some(),
            None => true,
        };
        // Several queries may fail with one device.
        let same = match (gpu, &state.current) {
            (Some(gpu), Some(current)) => Arc::ptr_eq(gpu, current),
            (Some(_), None) => false,
            (None, _) => true,
        };
        if lost && same {
            state.lost_in_a_row += 1;
            let gone = state.current.take();
            // The last to hold it waits for the device.
            drop(state);
            drop(gone);
        }
    }

    /// Gives up the device, which has not answered in time. Returns the error that says so.
    #[cfg(not(target_family = "wasm"))]
    pub(crate) fn give_up(&self, limit: std::time::Duration) -> Error {
        let error = Error::Device { reason: format!("there was no answer within {limit:?}") };
        self.note_failure(self.current().as_ref(), &error);
        error
    }

    /// Whether so many devices in a row have failed that no other one should be opened without need.
    pub(crate) fn is_hopeless(&self) -> bool {
        lock(&self.state).lost_in_a_row >= MOST_FAILURES
    }

    pub(crate) fn failures(&self) -> Failures {
        let state = lock(&self.state);
        let hopeless = state.lost_in_a_row >= MOST_FAILURES;
        let last = state.last_failure.as_ref().map(|last| {
            if hopeless { format!("{last} ({MOST_FAILURES} devices in a row have failed)") } else { last.clone() }
        });
        Failures { count: state.failures, last }
    }
}
