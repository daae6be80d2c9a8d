//! The one loop in which every query on a device is tried until it is answered.
//!
//! A query runs with the room that queries of its kind have needed so far. What had too little room says how much it needs; that is
//! grown, and the query run again. What does not fit into the device at once is done in parts. If memory runs out otherwise, or the
//! ledger does not add up, what earlier queries left behind is given back and the query tried once more. What helps against nothing
//! of that is an error.

use std::ops::Range;

use super::abi::STATUS_WORDS;
use super::capacity::Kind;
use super::context::Context;
use super::failure::Attempt;
use super::runner::{Reading, Recording, Words};
use super::workspace::{Memory, Workspace};
use crate::{Bodies, Error, Result};

/// How much there is to do, in units between any two of which a query can be split.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Units {
    pub count: u32,
    /// The most that are done in one part, whatever the memory.
    pub at_once: u32,
}

/// A query as the loop sees it. The methods are called in their order here, the last five for each part.
pub(crate) trait Plan {
    /// What comes of a part of the query.
    type Part;
    type Answer;

    /// The set that is searched: memory that holds it already serves best.
    fn searched(&self) -> &Bodies;

    /// Queries of one kind share what they have learned about the room they need.
    fn kind(&self) -> Kind;

    /// Brings the sets up to date on the device and makes room for what a query in so many parts surely needs.
    async fn prepare(&mut self, workspace: &mut Workspace, context: &Context<'_>, parts: u32) -> Attempt<Units>;

    /// Makes room for what these units may find, by what was learned.
    async fn make_room(&mut self, memory: &mut Memory, context: &Context<'_>, units: &Range<u32>) -> Attempt<()>;

    /// Records what the device is to do, after the status block has been cleared; what is read afterwards, beside the status block.
    fn record<'m>(&mut self, memory: &'m Memory, recording: &mut Recording<'m>, units: &Range<u32>)
    -> Vec<Reading<'m>>;

    /// Learns from the status block how much room was needed; whether there was enough.
    fn learn(&mut self, memory: &mut Memory, status: &[u32]) -> Attempt<bool>;

    /// Takes what was read, the status block first, and does what remains to be done on the device.
    async fn finish(&mut self, workspace: &mut Workspace, context: &Context<'_>, words: Words) -> Attempt<Self::Part>;

    /// Makes one answer of all parts, in order.
    fn join(&mut self, parts: Vec<Self::Part>) -> Result<Self::Answer>;
}

/// What may help a query that failed, each once.
struct Remedies {
    /// Giving back what earlier queries left in this memory, if there were any.
    own_memory: bool,
    /// Giving back memory that no query uses.
    idle_memory: bool,
    /// Trying again what the device did not do completely.
    another_try: bool,
}

impl Remedies {
    /// Applies the next remedy against an error; whether there was one.
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

/// Answers a query in the memory of a workspace.
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

/// Answers a query in as few parts as there is room for.
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
        context.uploaded(workspace);
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

/// Runs a part of a query again and again, until all that it finds has room.
async fn run_until_it_fits<P: Plan>(
    plan: &mut P,
    workspace: &mut Workspace,
    context: &Context<'_>,
    units: &Range<u32>,
) -> Attempt<P::Part> {
    let words = run(plan, workspace, context, units).await?;
    plan.finish(workspace, context, words).await
}

/// The same, as far as the status block and what was read with it.
pub(super) async fn run<P: Plan>(
    plan: &mut P,
    workspace: &mut Workspace,
    context: &Context<'_>,
    units: &Range<u32>,
) -> Attempt<Words> {
    loop {
        let Workspace { memory, runner, .. } = &mut *workspace;
        plan.make_room(memory, context, units).await?;
        let mut recording = memory.begin();
        let mut readings = vec![memory.status_reading()];
        readings.extend(plan.record(memory, &mut recording, units));
        let ledger = std::mem::take(&mut recording.ledger);
        let words = runner.run(&context.gpu.device, recording, &readings).await?;
        memory.check_patches(&words[0])?;
        ledger.check(&words[0])?;
        if plan.learn(memory, &words[0])? {
            return Ok(words);
        }
    }
}
