//! The loop in which every query on a device is retried until it is answered.
//!
//! A query runs with the capacity that queries of its kind have needed so far. If a stage had too little room, it has counted how
//! much it needs; the buffers grow, and the query runs again. If the device cannot hold all results at once, the query runs in
//! parts. If memory runs out otherwise, or the ledger does not add up, the workspace is freed and the query is retried once. If
//! none of these helps, the query fails with the error.

use std::ops::Range;

use super::abi::STATUS_WORDS;
use super::capacity::Kind;
use super::context::Context;
use super::failure::Attempt;
use super::runner::{Reading, Recording, Words};
use super::workspace::{Memory, Workspace};
use crate::{Bodies, Error, Result};

/// The work of a query, in units between any two of which it can be split.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Units {
    pub count: u64,
    /// The most units of one part, however much memory there is.
    pub at_once: u64,
}

/// A query, as the loop runs it. The methods are called in the order of their declaration; the last five once for each attempt at
/// a part.
pub(crate) trait Plan {
    /// The result of a part of the query.
    type Part;
    type Answer;

    /// The searched set. A workspace that already holds it is preferred.
    fn searched(&self) -> &Bodies;

    /// The kind of the query: queries of one kind share a learned capacity.
    fn kind(&self) -> Kind;

    /// Brings the sets on the device up to date, and makes room for everything whose size follows from the input of a query in
    /// this many parts.
    async fn prepare(&mut self, workspace: &mut Workspace, context: &Context<'_>, parts: u64) -> Attempt<Units>;

    /// Makes room for what these units may find, according to the learned capacity.
    async fn make_room(&mut self, memory: &mut Memory, context: &Context<'_>, units: &Range<u64>) -> Attempt<()>;

    /// Records the dispatches for these units; the status block has been cleared. Returns what to read back in addition to the
    /// status block.
    fn record<'m>(&mut self, memory: &'m Memory, recording: &mut Recording<'m>, units: &Range<u64>)
    -> Vec<Reading<'m>>;

    /// Updates the capacity from the counters of the status block. Returns whether there was enough room.
    fn learn(&mut self, memory: &mut Memory, status: &[u32]) -> Attempt<bool>;

    /// Takes the read-back, the status block first, and runs what remains to be done on the device.
    async fn finish(&mut self, workspace: &mut Workspace, context: &Context<'_>, words: Words) -> Attempt<Self::Part>;

    /// Joins the results of all parts, which are in order.
    fn join(&mut self, parts: Vec<Self::Part>) -> Result<Self::Answer>;
}

/// How often a part of a query is run before it is given up. What one stage needs is known when all stages before it had room: that takes
/// a run for each stage that can have too little, of which there are six. A device that asks for more is at fault.
const MAX_RUNS: usize = 32;

/// Remedies for a failed query that have not been tried yet. Each is tried once.
struct Remedies {
    /// Freeing the buffers that earlier queries left in this workspace.
    own_memory: bool,
    /// Freeing the idle workspaces.
    idle_memory: bool,
    /// Running a query again whose ledger did not add up.
    another_try: bool,
}

impl Remedies {
    /// Applies the next remedy against an error. Returns whether there was one.
    fn apply(&mut self, error: &Error, workspace: &mut Workspace, context: &Context<'_>) -> bool {
        let helps = match error {
            Error::DeviceMemory { .. } => {
                std::mem::take(&mut self.own_memory)
                    || std::mem::take(&mut self.idle_memory) && context.gpu.release_idle()
            }
            Error::Incomplete { .. } => std::mem::take(&mut self.another_try),
            _ => false,
        };
        if helps {
            workspace.release();
        }
        helps
    }
}

/// Answers a query in a workspace.
pub(super) async fn answer<P: Plan>(
    plan: &mut P,
    workspace: &mut Workspace,
    context: &mut Context<'_>,
) -> Result<P::Answer> {
    let own_memory = std::mem::replace(&mut workspace.used, true);
    let mut remedies = Remedies { own_memory, idle_memory: true, another_try: true };
    loop {
        match answer_in_parts(plan, workspace, context).await {
            Err(failure) if remedies.apply(&failure.error, workspace, context) => {}
            result => return result.map_err(Error::from),
        }
    }
}

/// Answers a query in one part, and in twice as many each time that the results of a part do not fit.
async fn answer_in_parts<P: Plan>(
    plan: &mut P,
    workspace: &mut Workspace,
    context: &mut Context<'_>,
) -> Attempt<P::Answer> {
    workspace.memory.recall(plan.kind());
    workspace.memory.status.reserve(&context.gpu.device, 4 * STATUS_WORDS as u64).await?;
    let mut parts = 1;
    'again: loop {
        let Units { count, at_once } = plan.prepare(workspace, context, parts).await?;
        workspace.runner.clock.lap("upload");
        let size = count.div_ceil(parts).min(at_once).max(1);
        let mut found = Vec::new();
        for first in (0..count).step_by(size as usize) {
            let units = first..(first + size).min(count);
            match run_until_it_fits(plan, workspace, context, &units).await {
                Ok(part) => found.push(part),
                Err(failure) if failure.splits && size > 1 => {
                    parts = 2 * count.div_ceil(size);
                    workspace.halve();
                    continue 'again;
                }
                Err(failure) => return Err(failure),
            }
        }
        return Ok(plan.join(found)?);
    }
}

/// Runs a part of a query until all of its results fit, and finishes it.
async fn run_until_it_fits<P: Plan>(
    plan: &mut P,
    workspace: &mut Workspace,
    context: &Context<'_>,
    units: &Range<u64>,
) -> Attempt<P::Part> {
    let words = run(plan, workspace, context, units).await?;
    plan.finish(workspace, context, words).await
}

/// Runs a part of a query until all of its results fit. Returns the read-back, the status block first.
pub(super) async fn run<P: Plan>(
    plan: &mut P,
    workspace: &mut Workspace,
    context: &Context<'_>,
    units: &Range<u64>,
) -> Attempt<Words> {
    for _ in 0..MAX_RUNS {
        let Workspace { memory, runner, .. } = &mut *workspace;
        plan.make_room(memory, context, units).await?;
        let mut recording = memory.begin();
        let mut readings = vec![memory.status_reading()];
        readings.extend(plan.record(memory, &mut recording, units));
        let ledger = std::mem::take(&mut recording.ledger);
        let words = runner.run(&context.gpu.device, recording, &readings).await?;
        memory.patched();
        memory.check_patches(&words[0])?;
        ledger.check(&words[0])?;
        if plan.learn(memory, &words[0])? {
            return Ok(words);
        }
    }
    let reason = format!("a query asked for more room {MAX_RUNS} times in a row");
    Err(Error::Device { reason }.into())
}
