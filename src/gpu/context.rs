//! What a query on a device works with.

use std::time::Duration;

use super::attempt::{self, Plan};
use super::workspace::Workspace;
use super::{Gpu, Reserved};
use crate::Result;
use crate::clock::Clock;
use crate::parallel::Pool;

/// The device and the threads that a query has, and the times that it takes.
pub struct Context<'a> {
    pub(crate) gpu: &'a Gpu,
    pub(crate) pool: &'a Pool,
    clock: Clock,
    /// The time of each stage by the device's clock, if that was asked for.
    stages: Vec<(&'static str, Duration)>,
}

impl<'a> Context<'a> {
    pub(super) fn new(gpu: &'a Gpu, pool: &'a Pool) -> Self {
        Self { gpu, pool, clock: Clock::start(), stages: Vec::new() }
    }

    /// Answers a query, in the memory that is kept for an index, or in memory that no query uses now.
    pub(crate) async fn answer<P: Plan>(&mut self, mut plan: P, reserved: Option<&Reserved>) -> Result<P::Answer> {
        let mut workspace = self.gpu.take(plan.searched(), reserved);
        let result = attempt::answer(&mut plan, &mut workspace, self).await;
        self.stages.clone_from(&workspace.runner.times);
        self.gpu.give_back(workspace, reserved, result.is_err());
        self.clock.lap("device");
        result
    }

    /// What was done so far brought the sets up to date.
    pub(super) fn uploaded(&mut self, workspace: &Workspace) {
        self.clock.lap(if workspace.runner.profile { "upload" } else { "device" });
    }

    /// The stages of the query with their times: as the device measured them, if it did, else as the host did. What was done since the
    /// answer came from the device was the stage `last`.
    pub(crate) fn laps(mut self, last: &'static str) -> Vec<(&'static str, Duration)> {
        self.clock.lap(last);
        let mut laps = self.clock.laps();
        if let (Some(at), false) = (laps.iter().position(|(name, _)| *name == "device"), self.stages.is_empty()) {
            let transfer = laps[at].1.saturating_sub(self.stages.iter().map(|(_, time)| *time).sum());
            laps.splice(at..=at, self.stages.into_iter().chain([("transfer", transfer)]));
        }
        laps
    }
}
