//! The context in which a query runs on a device.

use std::time::Duration;

use super::attempt::{self, Plan};
use super::{Gpu, Reserved};
use crate::Result;
use crate::clock::Clock;
use crate::parallel::Pool;

/// The device and the threads that a query may use, and the times that it takes.
pub struct Context<'a> {
    pub(crate) gpu: &'a Gpu,
    pub(crate) pool: &'a Pool,
    clock: Clock,
    /// The time of each stage by the device's clock, if profiling is on.
    stages: Vec<(&'static str, Duration)>,
    /// Bytes that were uploaded for the query.
    pub(crate) uploaded: u64,
}

impl<'a> Context<'a> {
    pub(super) fn new(gpu: &'a Gpu, pool: &'a Pool) -> Self {
        Self { gpu, pool, clock: Clock::start(), stages: Vec::new(), uploaded: 0 }
    }

    /// Answers a query, in the workspace that is reserved for an index or in one that no other query uses.
    ///
    /// An answer may still lie in the mapped staging buffer, so it is unpacked before the workspace can serve another query.
    pub(crate) async fn answer<P: Plan, R>(
        &mut self,
        mut plan: P,
        reserved: Option<&Reserved>,
        unpack: impl FnOnce(P::Answer) -> R,
    ) -> Result<R> {
        let mut workspace = self.gpu.take(plan.searched(), reserved);
        let before = workspace.uploaded();
        workspace.runner.clock = self.clock.take();
        let result = attempt::answer(&mut plan, &mut workspace, self).await;
        self.clock = workspace.runner.clock.take();
        self.uploaded = workspace.uploaded() - before;
        let result = result.map(unpack);
        self.stages.clone_from(&workspace.runner.times);
        self.gpu.give_back(workspace, reserved, result.is_err());
        result
    }

    /// The stages of the query with their times: as measured by the device if profiling is on, else by the host. The time since
    /// the answer came back counts as the stage `last`.
    pub(crate) fn laps(mut self, last: &'static str) -> Vec<(&'static str, Duration)> {
        self.clock.lap(last);
        let mut laps = self.clock.laps();
        if let (Some(at), false) = (laps.iter().position(|(name, _)| *name == "device"), self.stages.is_empty()) {
            let waiting = laps[at].1.saturating_sub(self.stages.iter().map(|(_, time)| *time).sum());
            laps.splice(at..=at, self.stages.into_iter().chain([("waiting", waiting)]));
        }
        laps
    }
}
