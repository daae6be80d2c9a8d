//! A recorded query whose end may not be known yet.

use crate::gpu::Details;
use std::sync::Arc;

use super::ask::KeptRays;
use super::{Ask, Resident};
use crate::gpu::Gpu;
use crate::gpu::abi::{STATUS_BAD_BODY, TAG_ENABLED};
use crate::gpu::capacity::Capacity;
use crate::gpu::runner::read_all;
use crate::gpu::workspace::Memory;
use crate::shape::kinds::{BodyShape, RECORD_WORDS, Record};
use crate::{Bodies, Error, Result};

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

/// How a recorded query has ended: [`RecordedPairs::ended`](crate::RecordedPairs::ended) and the others.
///
/// ```
/// use tangency::{Ended, RecordedPairs, Result};
///
/// fn pairs(recorded: &mut RecordedPairs) -> Result<Option<u32>> {
///     let Ended { results, needed, .. } = recorded.ended()?;
///     Ok(needed.is_none().then_some(results)) // if there was too little room, record again
/// }
/// ```
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Ended {
    /// The number of results: pairs, bodies that have a side, listed pairs that have a relation, or rays, or places of hits. 0 if there was too
    /// little room for them.
    pub results: u32,
    /// How many of them are undecided: [`RecordedPairs::settle`](crate::RecordedPairs::settle) and the others decide these.
    pub undecided: u32,
    /// The first body that a shader has not written properly. Such bodies have no pairs and no hits, and are on the outside.
    pub bad_body: Option<u32>,
    /// The room that is needed, if there was too little: the result is empty, and the query must be recorded again. A recording of the
    /// same engine that begins when this result was dropped has this room without being told.
    pub needed: Option<Capacities>,
}

/// What all recorded queries have: the buffers of the result, and how it has ended once that is known.
#[doc(hidden)]
#[derive(Debug)]
pub struct Running {
    pub(super) gpu: Arc<Gpu>,
    /// There until this is dropped.
    resident: Option<Resident>,
    number: u64,
    ended: Option<Ended>,
    /// What went wrong.
    failed: Option<Error>,
    /// The status block, once that is known.
    pub(super) status: Vec<u32>,
    /// The searched set, and the one that asks.
    pub(crate) sets: [Bodies; 2],
    /// Which sets have bodies that shaders write: the searched one, and the one that asks if it is another.
    live: [bool; 2],
    pub(super) between: bool,
    pub(super) details: Option<Details>,
    /// The number of answers about a list, or of rays.
    pub(crate) listed: u32,
    /// What the host knows of rays, and the device does not.
    pub(super) kept: KeptRays,
}

impl Running {
    pub(super) fn new(gpu: Arc<Gpu>, mut resident: Resident, ask: &Ask<'_>) -> Self {
        Self {
            gpu,
            number: resident.next_number - 1,
            ended: None,
            failed: None,
            status: Vec::new(),
            sets: [ask.searched.clone(), ask.own().clone()],
            live: ask.sources().map(|list| !list.is_empty()),
            between: ask.searching.is_some(),
            details: ask.details(),
            listed: ask.listed(),
            kept: std::mem::take(&mut resident.kept),
            resident: Some(resident),
        }
    }

    pub(crate) fn memory(&self) -> &Memory {
        &self.resident.as_ref().expect("it is there until this is dropped").workspace.memory
    }

    /// Waits until the encoder has run, and says how that has ended. `count` says from the status block how many results there are and how
    /// many of them are undecided, if all had room.
    pub(crate) fn ended(&mut self, count: impl FnOnce(&[u32]) -> Result<[u32; 2]>) -> Result<Ended> {
        if let Some(ended) = self.ended {
            return Ok(ended);
        }
        if let Some(error) = &self.failed {
            return Err(error.clone());
        }
        let device = &self.gpu.device;
        let turn = device.turn();
        device.device.poll(wgpu::PollType::wait_indefinitely()).map_err(|error| device.failed(&error))?;
        drop(turn);
        let number = self.number;
        let not_submitted = || Error::Recording { reason: "the encoder was not submitted".to_owned() };
        let resident = self.resident.as_mut().ok_or_else(not_submitted)?;
        let Some(end) = resident.take_back().into_iter().find(|end| end.number == number) else {
            return Err(not_submitted());
        };
        let counts =
            end.ledger.and_then(|()| count(&end.status)).inspect_err(|error| self.failed = Some(error.clone()))?;
        let [results, undecided] = if end.complete { counts } else { [0; 2] };
        let bad = !end.status[STATUS_BAD_BODY];
        let ended = Ended {
            results,
            undecided,
            bad_body: (bad != u32::MAX).then_some(bad),
            needed: (!end.complete).then_some(Capacities(end.needed)),
        };
        (self.ended, self.status) = (Some(ended), end.status);
        Ok(ended)
    }

    /// Whether there is something to settle, given how this has ended.
    pub(crate) fn is_open(ended: &Ended) -> Result<bool> {
        if ended.needed.is_some() {
            return Err(Error::Recording { reason: "there was too little room: record again".to_owned() });
        }
        Ok(ended.undecided > 0)
    }

    /// All is settled.
    pub(crate) fn settled(&mut self) {
        if let Some(ended) = self.ended.as_mut().filter(|ended| ended.undecided > 0) {
            ended.undecided = 0;
            self.write(self.memory().summary.buffer(), 4, &[0]);
        }
    }

    /// The words of a buffer.
    pub(crate) fn read(&self, buffer: &wgpu::Buffer) -> Result<Vec<u32>> {
        pollster::block_on(read_all(&self.gpu.device, buffer))
    }

    /// Writes words to a buffer, from this word on.
    pub(crate) fn write(&self, buffer: &wgpu::Buffer, word: u64, words: &[u32]) {
        let _turn = self.gpu.device.turn();
        self.gpu.device.queue.write_buffer(buffer, 4 * word, bytemuck::cast_slice(words));
    }

    /// The shapes of a set: those of the host, or, where shaders write them, those of the device.
    pub(crate) fn shapes<'a>(&'a self, set: usize) -> Result<Box<dyn Fn(u32) -> BodyShape<'a> + 'a>> {
        let bodies = &self.sets[set];
        if !self.live[set] {
            return Ok(Box::new(|id: u32| bodies.get(id as usize)));
        }
        let words = self.read(self.memory().sets[set].shapes.buffer())?;
        Ok(Box::new(move |id: u32| {
            let record: Record = std::array::from_fn(|k| f32::from_bits(words[RECORD_WORDS * id as usize + k]));
            bodies.shape_of(bodies.kind(id as usize), &record)
        }))
    }

    /// Whether each body of the searched set takes part: as the host says and, where shaders write bodies, if they have done so properly.
    pub(super) fn enabled(&self) -> Result<Box<dyn Fn(u32) -> bool + '_>> {
        let bodies = &self.sets[0];
        if !self.live[0] {
            return Ok(Box::new(|id: u32| bodies.enabled_flags()[id as usize]));
        }
        let tags = self.read(self.memory().sets[0].tags.buffer())?;
        Ok(Box::new(move |id: u32| tags[id as usize / 4] >> (8 * (id % 4)) & TAG_ENABLED != 0))
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        if let Some(resident) = self.resident.take() {
            self.gpu.keep_resident(resident);
        }
    }
}
