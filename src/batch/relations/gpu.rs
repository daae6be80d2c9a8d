//! The listed pairs through the narrow phase; what its filters leave open is decided here.

use std::ops::Range;

use super::RelationsQuery;
use crate::gpu::Context;
use crate::gpu::abi::{BUCKETS, HIT, KINDS, MISS, TOUCH, bucket_of};
use crate::gpu::attempt::{Plan, Units};
use crate::gpu::capacity::Kind;
use crate::gpu::failure::Attempt;
use crate::gpu::ledger::check_answers;
use crate::gpu::runner::{Reading, Recording, Words};
use crate::gpu::workspace::{Memory, SlotRange, Workspace};
use crate::{Bodies, Relation, Result};

/// The most pairs that are tested in one go.
const AT_ONCE: u64 = 1 << 21;

pub(super) async fn relations(
    query: &RelationsQuery<'_>,
    mut context: Context<'_>,
    out: &mut Vec<Relation>,
) -> Result<()> {
    let pool = context.pool;
    let unpack = |verdicts: Vec<u32>| {
        *out = pool.collect(verdicts.len(), |k| match verdicts[k] {
            MISS => Relation::Separate,
            HIT => Relation::Overlapping,
            TOUCH => Relation::Touching,
            _ => query.relation(query.pairs[k]),
        });
    };
    context.answer(ListedPairs::new(query), query.set.reserved(), unpack).await
}

/// Pairs that the caller has listed; a verdict on each is the answer.
pub(crate) struct ListedPairs<'a> {
    query: &'a RelationsQuery<'a>,
    /// Where the bodies lie in the order of their ids.
    slots: SlotRange,
    /// How many pairs the commands are about that were recorded last.
    asked: u32,
}

impl<'a> ListedPairs<'a> {
    pub(crate) fn new(query: &'a RelationsQuery<'a>) -> Self {
        Self { query, slots: SlotRange::default(), asked: 0 }
    }
}

impl Plan for ListedPairs<'_> {
    type Part = Vec<u32>;
    type Answer = Vec<u32>;

    fn searched(&self) -> &Bodies {
        &self.query.set.bodies
    }

    fn kind(&self) -> Kind {
        Kind::Listed
    }

    async fn prepare(&mut self, workspace: &mut Workspace, context: &Context<'_>, _: u64) -> Attempt<Units> {
        let (bodies, device) = (&self.query.set.bodies, &context.gpu.device);
        let count = self.query.pairs.len() as u64;
        if count > 0 {
            let Workspace { memory, runner, .. } = workspace;
            let Memory { sets: [set, ..], status, .. } = memory;
            set.sync(device, runner, context.pool, bodies, status).await?;
            self.slots = memory.reserve_slots_by_id(device).await?;
        }
        Ok(Units { count, at_once: workspace.memory.part_limit.unwrap_or(AT_ONCE) })
    }

    async fn make_room(&mut self, memory: &mut Memory, context: &Context<'_>, pairs: &Range<u64>) -> Attempt<()> {
        let (device, count) = (&context.gpu.device, (pairs.end - pairs.start) as u32);
        let kinds = memory.sets[0].facts.kinds;
        let mut possible = [false; BUCKETS];
        for a in 0..KINDS as u32 {
            for b in a..KINDS as u32 {
                possible[bucket_of(a, b) as usize] = kinds >> a & 1 == 1 && kinds >> b & 1 == 1;
            }
        }
        let several = possible.iter().filter(|possible| **possible).count() > 1;
        let guess = if several { (count / 4).max(memory.least) } else { count };
        // What was learned is kept; the guess is for kinds of pairs that have not been met yet.
        for (room, possible) in memory.capacity.candidates.iter_mut().zip(possible) {
            *room = match (possible, *room) {
                (false, _) => 0,
                (true, 0) => guess,
                (true, learned) => learned.min(count.max(memory.least)),
            };
        }
        memory.reserve_listed(device, u64::from(count)).await?;
        let listed = &self.query.pairs[pairs.start as usize..pairs.end as usize];
        device.write(memory.listed.buffer(), 0, bytemuck::cast_slice(listed)).await
    }

    fn record<'m>(
        &mut self,
        memory: &'m Memory,
        recording: &mut Recording<'m>,
        pairs: &Range<u64>,
    ) -> Vec<Reading<'m>> {
        let count = (pairs.end - pairs.start) as u32;
        self.asked = count;
        memory.relate_listed(recording, self.slots, count, false);
        vec![(memory.partners.buffer(), 4 * u64::from(count))]
    }

    fn learn(&mut self, memory: &mut Memory, status: &[u32]) -> Attempt<bool> {
        let complete = memory.capacity.sufficed(status);
        if complete {
            check_answers(status, self.asked)?;
        }
        Ok(complete)
    }

    async fn finish(&mut self, _: &mut Workspace, _: &Context<'_>, words: Words) -> Attempt<Vec<u32>> {
        Ok(words[1].to_vec())
    }

    fn join(&mut self, parts: Vec<Vec<u32>>) -> Result<Vec<u32>> {
        Ok(parts.concat())
    }
}
