//! The listed pairs through the narrow phase; what its filters leave open is decided here.

use std::ops::Range;

use super::RelationsQuery;
use crate::batch::record::{RecordQuery, refuse};
use crate::gpu::abi::{ANSWER_OPEN, BUCKETS, HIT, KINDS, MISS, STATUS_UNDECIDED, TOUCH, bucket_of};
use crate::gpu::attempt::{Plan, Units};
use crate::gpu::capacity::Kind;
use crate::gpu::failure::Attempt;
use crate::gpu::ledger::check_answers;
use crate::gpu::runner::{Reading, Recording, Words};
use crate::gpu::workspace::{Memory, SlotRange, Workspace};
use crate::gpu::{Ask, Context, Device, Ended, ListAsked, ListQuery, RecordOptions, Room, Running, What};
use crate::query::intersect;
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

impl ListQuery for RelationsQuery<'_> {
    fn kind(&self) -> Kind {
        Kind::Listed
    }

    fn listed(&self) -> &[u8] {
        bytemuck::cast_slice(&self.pairs)
    }

    fn answers(&self) -> [u32; 2] {
        [self.pairs.len() as u32, ANSWER_OPEN]
    }

    fn make_room<'a>(&'a self, memory: &'a mut Memory, device: &'a Device) -> Room<'a> {
        Box::pin(async move {
            // How many pairs of each kind there are is known.
            memory.capacity.candidates = buckets_of(&self.set.bodies, &self.pairs);
            let slots = memory.reserve_slots_by_id(device).await?;
            memory.reserve_listed(device, self.pairs.len() as u64).await?;
            Ok(slots)
        })
    }

    fn record<'m>(&self, memory: &'m Memory, recording: &mut Recording<'m>, slots: SlotRange) {
        if !self.pairs.is_empty() {
            memory.relate_listed(recording, slots, self.pairs.len() as u32, true);
        }
    }
}

impl RecordQuery for RelationsQuery<'_> {
    type Recorded = RecordedRelations;

    fn ask<'a>(&'a self, options: &'a RecordOptions<'a>) -> Result<Ask<'a>> {
        if u32::try_from(self.pairs.len()).is_err() {
            return refuse("there are more listed pairs than 32 bits can count");
        }
        let what = What::List(ListAsked(self));
        Ok(Ask { searching: None, searched: &self.set.bodies, what, options })
    }

    fn recorded(&self, running: Running) -> RecordedRelations {
        RecordedRelations(running)
    }
}

/// How many of these pairs are of each pair of kinds.
fn buckets_of(bodies: &Bodies, pairs: &[[u32; 2]]) -> [u32; BUCKETS] {
    let mut buckets = [0; BUCKETS];
    for pair in pairs {
        let [a, b] = pair.map(|id| bodies.kind(id as usize) as u32);
        buckets[bucket_of(a, b) as usize] += 1;
    }
    buckets
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

/// The result of recorded [`relations`](crate::Engine::relations), on the device: what each listed pair is.
///
/// It is there when the encoder has run. What [`RecordedPairs`](crate::RecordedPairs) says about buffers and the order of encoders holds here too.
///
/// ```
/// use tangency::{Bodies, Engine, RecordedRelations, Result, wgpu};
///
/// fn record(engine: &Engine, bodies: &Bodies, pairs: &[[u32; 2]], encoder: &mut wgpu::CommandEncoder) -> Result<RecordedRelations> {
///     engine.relations(bodies, pairs).record(encoder)
/// }
/// ```
#[derive(Debug)]
pub struct RecordedRelations(Running);

impl RecordedRelations {
    /// A number of 32 bits for each listed pair: 0 separate, 1 touching and 2 overlapping, as [`Relation`] has them, 3 undecided, and 4 if one of
    /// the bodies was not written properly by a shader.
    ///
    /// ```
    /// # use tangency::{RecordedRelations, wgpu};
    /// fn binding(recorded: &RecordedRelations) -> wgpu::BindingResource<'_> {
    ///     recorded.relations().as_entire_binding()
    /// }
    /// ```
    pub fn relations(&self) -> &wgpu::Buffer {
        self.0.memory().partners.buffer()
    }

    /// Eight numbers of 32 bits, as [`RecordedPairs::summary`](crate::RecordedPairs::summary) has them, with a listed pair in place of a pair.
    ///
    /// ```
    /// # use tangency::{RecordedRelations, wgpu};
    /// fn for_each_pair(recorded: &RecordedRelations, pass: &mut wgpu::ComputePass<'_>) {
    ///     pass.dispatch_workgroups_indirect(recorded.summary(), 0);
    /// }
    /// ```
    pub fn summary(&self) -> &wgpu::Buffer {
        self.0.memory().summary.buffer()
    }

    /// Waits until the encoder has run, and says how that has ended. There is always enough room.
    ///
    /// ```
    /// # use tangency::{RecordedRelations, Result};
    /// fn undecided(recorded: &mut RecordedRelations) -> Result<u32> {
    ///     Ok(recorded.ended()?.undecided)
    /// }
    /// ```
    ///
    /// # Errors
    /// As [`RecordedPairs::ended`](crate::RecordedPairs::ended).
    pub fn ended(&mut self) -> Result<Ended> {
        let pairs = self.0.listed;
        self.0.ended(|status| {
            check_answers(status, pairs)?;
            Ok([pairs, status[STATUS_UNDECIDED]])
        })
    }

    /// Decides the relations that are undecided, exactly: waits until the encoder has run, and rewrites them.
    ///
    /// ```
    /// # use tangency::{RecordedRelations, Result};
    /// fn exact(recorded: &mut RecordedRelations) -> Result<()> {
    ///     recorded.settle()
    /// }
    /// ```
    ///
    /// # Errors
    /// As [`ended`](Self::ended).
    pub fn settle(&mut self) -> Result<()> {
        let ended = self.ended()?;
        if Running::is_open(&ended)? {
            let (running, relations) = (&self.0, self.0.read(self.relations())?);
            let pairs = running.read(running.memory().listed.buffer())?;
            let shapes = running.shapes(0)?;
            let listed = relations.iter().zip(pairs.chunks_exact(2)).take(ended.results as usize);
            for ((_, pair), place) in listed.zip(0..).filter(|((relation, _), _)| **relation == ANSWER_OPEN) {
                let relation = intersect(&shapes(pair[0]), &shapes(pair[1]));
                running.write(self.relations(), place, &[relation as u32]);
            }
        }
        self.0.settled();
        Ok(())
    }
}
