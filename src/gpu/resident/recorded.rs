//! Results of recorded queries, which stay on the device.

use std::sync::Arc;

use super::{Ask, Resident, SUMMARY_WORDS};
use crate::gpu::Gpu;
use crate::gpu::abi::{
    BINS, MARK_TOUCHING, MARK_UNDECIDED, STATUS_BAD_BODY, STATUS_CARRY, STATUS_HITS, STATUS_LISTED, STATUS_UNDECIDED,
};
use crate::gpu::capacity::Capacity;
use crate::gpu::runner::read_all;
use crate::query::intersect;
use crate::shape::kinds::{BodyShape, RECORD_WORDS, Record, decode};
use crate::{Bodies, Error, Relation, Result};

/// How much room a recorded query needs: [`Ended::needed`].
///
/// ```
/// use tangency::{Capacities, RecordOptions};
///
/// fn again(needed: &Capacities) -> RecordOptions<'_> {
///     RecordOptions::new().capacities(needed)
/// }
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Capacities(pub(super) Capacity);

/// How a recorded query has ended: [`RecordedPairs::ended`].
///
/// ```
/// use tangency::{Ended, RecordedPairs, Result};
///
/// fn pairs(recorded: &mut RecordedPairs) -> Result<Option<u32>> {
///     let Ended { pairs, needed, .. } = recorded.ended()?;
///     Ok(needed.is_none().then_some(pairs)) // if there was too little room, record again
/// }
/// ```
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Ended {
    /// The number of pairs; 0 if there was too little room for them.
    pub pairs: u32,
    /// How many of them are undecided: [`RecordedPairs::settle`] decides these.
    pub undecided: u32,
    /// The first body that a shader has not written properly. Such bodies have no pairs.
    pub bad_body: Option<u32>,
    /// The room that is needed, if there was too little: the result is empty, and the query must be recorded again. The next recording of the
    /// same engine has this room without being told.
    pub needed: Option<Capacities>,
}

/// The result of a recorded query, on the device: pairs in rows, as [`Overlaps`](crate::Overlaps) has them.
///
/// It is there when the encoder has run. As long as this exists, no other recording uses its buffers; it may be dropped before the encoder is
/// submitted, if whatever reads the buffers is in the same encoder or is submitted before the next recording. Encoders must be submitted in the
/// order in which they were recorded.
///
/// ```
/// use tangency::{Bodies, Engine, RecordedPairs, Result, wgpu};
///
/// fn record(engine: &Engine, bodies: &Bodies, encoder: &mut wgpu::CommandEncoder) -> Result<RecordedPairs> {
///     engine.overlaps(bodies).record(encoder)
/// }
/// ```
#[derive(Debug)]
pub struct RecordedPairs {
    gpu: Arc<Gpu>,
    /// There until this is dropped.
    resident: Option<Resident>,
    number: u64,
    ended: Option<Ended>,
    sets: [Bodies; 2],
    /// Which sets have bodies that shaders write: the searched one, and the one that asks if it is another.
    live: [bool; 2],
    between: bool,
    has_contacts: bool,
}

impl RecordedPairs {
    pub(super) fn new(gpu: Arc<Gpu>, resident: Resident, ask: &Ask<'_>) -> Self {
        let number = resident.next_number - 1;
        let live = ask.sources().map(|list| !list.is_empty());
        let sets = [ask.searched.clone(), ask.own().clone()];
        let (between, has_contacts) = (ask.searching.is_some(), ask.contacts.is_some());
        Self { gpu, resident: Some(resident), number, ended: None, sets, live, between, has_contacts }
    }

    fn resident(&self) -> &Resident {
        self.resident.as_ref().expect("it is there until this is dropped")
    }

    /// The number of rows: one for each id of the first set.
    ///
    /// ```
    /// # use tangency::RecordedPairs;
    /// fn rows(recorded: &RecordedPairs) -> u32 {
    ///     recorded.rows()
    /// }
    /// ```
    pub fn rows(&self) -> u32 {
        self.sets[1].id_bound() as u32
    }

    /// Where each row begins among the [partners](Self::partners), and where the last one ends: `rows` + 1 numbers of 32 bits.
    ///
    /// ```
    /// # use tangency::{RecordedPairs, wgpu};
    /// fn binding(recorded: &RecordedPairs) -> wgpu::BindingResource<'_> {
    ///     recorded.offsets().as_entire_binding()
    /// }
    /// ```
    pub fn offsets(&self) -> &wgpu::Buffer {
        self.resident().workspace.memory.rows.buffer()
    }

    /// The second body of each pair, row by row. The two highest bits say what the pair is: 0 overlapping, 1 touching, 2 undecided and,
    /// after [`settle`](Self::settle), 3 separate.
    ///
    /// ```
    /// # use tangency::{RecordedPairs, wgpu};
    /// fn binding(recorded: &RecordedPairs) -> wgpu::BindingResource<'_> {
    ///     recorded.partners().as_entire_binding()
    /// }
    /// ```
    pub fn partners(&self) -> &wgpu::Buffer {
        self.resident().workspace.memory.partners.buffer()
    }

    /// The [`Manifold`](crate::Manifold) of each pair, if contacts were asked for. Those of undecided pairs are not valid.
    ///
    /// ```
    /// # use tangency::{RecordedPairs, wgpu};
    /// fn binding(recorded: &RecordedPairs) -> Option<wgpu::BindingResource<'_>> {
    ///     recorded.contacts().map(wgpu::Buffer::as_entire_binding)
    /// }
    /// ```
    pub fn contacts(&self) -> Option<&wgpu::Buffer> {
        self.has_contacts.then(|| self.resident().workspace.memory.manifolds.buffer())
    }

    /// Eight numbers of 32 bits: three for `dispatch_workgroups_indirect`, of workgroups of 64 threads, with a thread for each pair or a few
    /// more; the number of pairs; how many are undecided; whether all had room (0 or 1; if not, the numbers of pairs are 0); the first body that was not
    /// written properly, or 2³² − 1; and 0.
    ///
    /// A dispatch of more than 65,535 workgroups has a second dimension: number threads by `id.x + 64 * groups.x * id.y`.
    ///
    /// ```
    /// # use tangency::{RecordedPairs, wgpu};
    /// fn for_each_pair(recorded: &RecordedPairs, pass: &mut wgpu::ComputePass<'_>) {
    ///     pass.dispatch_workgroups_indirect(recorded.summary(), 0);
    /// }
    /// ```
    pub fn summary(&self) -> &wgpu::Buffer {
        self.resident().workspace.memory.summary.buffer()
    }

    /// Four numbers for each undecided pair, in any order: its place among the partners, its bodies, and 0.
    ///
    /// ```
    /// # use tangency::{RecordedPairs, wgpu};
    /// fn binding(recorded: &RecordedPairs) -> wgpu::BindingResource<'_> {
    ///     recorded.undecided().as_entire_binding()
    /// }
    /// ```
    pub fn undecided(&self) -> &wgpu::Buffer {
        self.resident().workspace.memory.undecided.buffer()
    }

    /// Waits until the encoder has run, and says how that has ended.
    ///
    /// ```
    /// # use tangency::{RecordedPairs, Result};
    /// fn pairs(recorded: &mut RecordedPairs) -> Result<u32> {
    ///     Ok(recorded.ended()?.pairs)
    /// }
    /// ```
    ///
    /// # Errors
    /// [`Recording`](Error::Recording) if the encoder was not submitted. [`Incomplete`](Error::Incomplete) if the device has not done all of its
    /// work, [`Device`](Error::Device) if it is lost, [`TooManyPairs`](Error::TooManyPairs) if there are more than can be counted.
    pub fn ended(&mut self) -> Result<Ended> {
        if let Some(ended) = self.ended {
            return Ok(ended);
        }
        let device = &self.gpu.device;
        device.device.poll(wgpu::PollType::wait_indefinitely()).map_err(|error| device.failed(&error))?;
        let number = self.number;
        let not_submitted = || Error::Recording { reason: "the encoder was not submitted".to_owned() };
        let resident = self.resident.as_mut().ok_or_else(not_submitted)?;
        let Some(end) = resident.take_back().into_iter().find(|end| end.number == number) else {
            return Err(not_submitted());
        };
        end.ledger?;
        let (status, complete) = (end.status, end.complete);
        let pairs = status[STATUS_HITS..STATUS_HITS + BINS].iter().map(|hits| u64::from(*hits)).sum::<u64>();
        let limit = u64::from(u32::MAX);
        if pairs > limit || status[STATUS_CARRY] != 0 {
            // What was needed cannot be counted in 32 bits.
            return Err(Error::TooManyPairs { pairs: pairs.max(limit + 1), limit });
        }
        let bad = !status[STATUS_BAD_BODY];
        let ended = Ended {
            pairs: if complete { pairs as u32 } else { 0 },
            undecided: if complete { status[STATUS_UNDECIDED] } else { 0 },
            bad_body: (bad != u32::MAX).then_some(bad),
            needed: (!complete).then_some(Capacities(end.needed)),
        };
        debug_assert!(!complete || status[STATUS_LISTED] == status[STATUS_UNDECIDED], "all are listed");
        self.ended = Some(ended);
        Ok(ended)
    }

    /// Decides the pairs that are undecided, exactly: waits until the encoder has run, and rewrites the [partners](Self::partners) of these
    /// pairs. Returns how many of them are separate, and so no pairs; they stay in their rows, marked.
    ///
    /// ```
    /// # use tangency::{RecordedPairs, Result};
    /// fn exact(recorded: &mut RecordedPairs) -> Result<u32> {
    ///     let separate = recorded.settle()?;
    ///     Ok(recorded.ended()?.pairs - separate)
    /// }
    /// ```
    ///
    /// # Errors
    /// As [`ended`](Self::ended), and [`Recording`](Error::Recording) if there was too little room.
    pub fn settle(&mut self) -> Result<u32> {
        let Ended { undecided, needed, .. } = self.ended()?;
        if needed.is_some() {
            return Err(Error::Recording { reason: "there was too little room: record again".to_owned() });
        }
        if undecided == 0 {
            return Ok(0);
        }
        let (device, memory) = (&self.gpu.device, &self.resident().workspace.memory);
        let list = pollster::block_on(read_all(device, memory.undecided.buffer()))?;
        let list: &[[u32; 4]] = bytemuck::cast_slice(&list);
        let list = if list.len() >= undecided as usize { list[..undecided as usize].to_vec() } else { self.scan()? };
        // The first body is of the set that asks.
        let shapes =
            [usize::from(self.between), 0].map(|set| self.shapes(set)).into_iter().collect::<Result<Vec<_>>>()?;
        let mut separate = 0;
        for [place, a, b, _] in list {
            let relation = intersect(&shapes[0](a), &shapes[1](b));
            let word = match relation {
                Relation::Overlapping => b,
                Relation::Touching => b | MARK_TOUCHING,
                Relation::Separate => b | MARK_TOUCHING | MARK_UNDECIDED,
            };
            separate += u32::from(relation == Relation::Separate);
            device.queue.write_buffer(memory.partners.buffer(), 4 * u64::from(place), &word.to_ne_bytes());
        }
        drop(shapes);
        if let Some(ended) = &mut self.ended {
            ended.undecided = 0;
        }
        Ok(separate)
    }

    /// The undecided pairs as they are in the rows: for a list that had too little room.
    fn scan(&self) -> Result<Vec<[u32; 4]>> {
        let (device, memory) = (&self.gpu.device, &self.resident().workspace.memory);
        let [rows, partners] =
            [&memory.rows, &memory.partners].map(|buffer| pollster::block_on(read_all(device, buffer.buffer())));
        let (rows, partners) = (rows?, partners?);
        let marks = MARK_TOUCHING | MARK_UNDECIDED;
        let mut list = Vec::new();
        for row in 0..self.rows() {
            for place in rows[row as usize]..rows[row as usize + 1] {
                let partner = partners[place as usize];
                if partner & marks == MARK_UNDECIDED {
                    list.push([place, row, partner & !marks, 0]);
                }
            }
        }
        Ok(list)
    }

    /// The shapes of a set: those of the host, or, where shaders write them, those of the device.
    fn shapes(&self, set: usize) -> Result<Box<dyn Fn(u32) -> BodyShape + '_>> {
        let bodies = if set == 0 { &self.sets[0] } else { &self.sets[1] };
        if !self.live[set] {
            return Ok(Box::new(|id: u32| bodies.get(id as usize)));
        }
        let buffer = self.resident().workspace.memory.sets[set].shapes.buffer();
        let words = pollster::block_on(read_all(&self.gpu.device, buffer))?;
        Ok(Box::new(move |id: u32| {
            let record: Record = std::array::from_fn(|k| f32::from_bits(words[RECORD_WORDS * id as usize + k]));
            decode(bodies.kind(id as usize), &record)
        }))
    }
}

impl Drop for RecordedPairs {
    fn drop(&mut self) {
        if let Some(resident) = self.resident.take() {
            self.gpu.keep_resident(resident);
        }
    }
}

const _: () = assert!(SUMMARY_WORDS == 8, "as it is documented");
