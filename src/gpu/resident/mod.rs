//! Queries in an encoder of the caller's, whose results stay on the device.

mod belt;
mod recorded;
mod source;

pub(crate) use belt::Belt;
pub use recorded::{Capacities, Ended, RecordedPairs};
pub use source::{BodySource, RecordOptions};

use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};

use super::abi::{
    STATUS_CARRY, STATUS_LISTED, STATUS_LONG_HITS, STATUS_LONG_ROWS, STATUS_UNFINISHED, STATUS_WORDS, THREADS, WIDTH,
    import_bodies, list_undecided, summarize,
};
use super::buffer::{GrowBuffer, SizedBy};
use super::capacity::{Capacity, Kind};
use super::device::{CountedBuffer, Device};
use super::failure::Attempt;
use super::ledger::Ledger;
use super::pair_search::possible_buckets;
use super::runner::Recording;
use super::workspace::{Memory, Narrow, Search, Workspace};
use super::{Gpu, lock, stages};
use crate::parallel::Pool;
use crate::{Bodies, Result};

/// The most idle residents that are kept.
const MOST_IDLE: usize = 4;
/// The least room for undecided pairs.
const LEAST_UNDECIDED: u32 = 1024;
/// Words of the summary.
pub(crate) const SUMMARY_WORDS: u64 = 8;

/// What is to be recorded.
#[doc(hidden)]
pub struct Ask<'a> {
    /// The set whose bodies have a row each, if it is another than the searched one.
    pub(crate) searching: Option<&'a Bodies>,
    pub(crate) searched: &'a Bodies,
    pub(crate) narrow: Narrow,
    /// The most points of a contact, if contacts are wanted.
    pub(crate) contacts: Option<u32>,
    pub(crate) options: &'a RecordOptions<'a>,
}

impl std::fmt::Debug for Ask<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Ask").field("rows", &self.own().id_bound()).finish_non_exhaustive()
    }
}

impl Ask<'_> {
    fn kind(&self) -> Kind {
        let between = self.searching.is_some();
        match self.narrow {
            Narrow::Filter => Kind::Pairs { between },
            Narrow::Accept => Kind::Candidates { between },
        }
    }

    fn own(&self) -> &Bodies {
        self.searching.unwrap_or(self.searched)
    }

    /// What the caller's shaders write of the searched set, and of the searching set.
    fn sources(&self) -> [&[BodySource]; 2] {
        let [own, other] = self.options.both();
        if self.searching.is_some() { [other, own] } else { [own, &[]] }
    }
}

/// A recording whose end is not known yet.
struct Pending {
    number: u64,
    kind: Kind,
    ledger: Ledger,
    /// The room that it had; later recordings may have more.
    room: Capacity,
}

/// A status block that has come back, mapped, with the number of its recording.
type Message = (u64, CountedBuffer);

/// The buffers of recorded queries, of one at a time.
pub(crate) struct Resident {
    pub(in crate::gpu) workspace: Workspace,
    belt: Belt,
    /// Buffers into which status blocks are copied.
    readable: Vec<CountedBuffer>,
    back: (Sender<Message>, Receiver<Message>),
    pending: Vec<Pending>,
    next_number: u64,
    undecided_room: u32,
}

impl std::fmt::Debug for Resident {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Resident").field("recordings", &self.next_number).finish_non_exhaustive()
    }
}

/// How a recording has ended.
pub(in crate::gpu) struct End {
    number: u64,
    pub(in crate::gpu) status: Vec<u32>,
    /// Whether all had room.
    pub(in crate::gpu) complete: bool,
    /// The room that is known to be needed by now.
    needed: Capacity,
    /// Whether every stage has done its work.
    pub(in crate::gpu) ledger: Result<()>,
}

impl Resident {
    pub(in crate::gpu) fn new() -> Self {
        let mut workspace = Workspace::new();
        let usage = wgpu::BufferUsages::STORAGE
            | wgpu::BufferUsages::INDIRECT
            | wgpu::BufferUsages::COPY_SRC
            | wgpu::BufferUsages::COPY_DST;
        workspace.memory.summary = GrowBuffer::new("summary", usage, SizedBy::Input);
        workspace.lend();
        Self {
            workspace,
            belt: Belt::new(),
            readable: Vec::new(),
            back: channel(),
            pending: Vec::new(),
            next_number: 0,
            undecided_room: LEAST_UNDECIDED,
        }
    }

    /// Takes the status blocks that have come back, and learns from them.
    pub(in crate::gpu) fn take_back(&mut self) -> Vec<End> {
        let messages: Vec<Message> = self.back.1.try_iter().collect();
        let mut ends = Vec::new();
        for (number, buffer) in messages {
            let view = buffer.buffer.get_mapped_range(..);
            let status: Vec<u32> = view.map_or_else(|_| Vec::new(), |view| bytemuck::cast_slice(&view[..]).to_vec());
            buffer.buffer.unmap();
            self.readable.push(buffer);
            let Some(place) = self.pending.iter().position(|pending| pending.number == number) else { continue };
            let Pending { kind, ledger, room, .. } = self.pending.swap_remove(place);
            if status.len() < STATUS_WORDS {
                continue;
            }
            self.workspace.memory.recall(kind);
            let capacity = &mut self.workspace.memory.capacity;
            let long = [status[STATUS_LONG_ROWS], status[STATUS_LONG_HITS]];
            let unfinished = status[STATUS_UNFINISHED];
            capacity.sufficed(&status);
            capacity.sufficed_for_long_rows(long, false);
            if unfinished > capacity.unfinished {
                capacity.sufficed_for_unfinished(unfinished);
            }
            // (As the kernel `summarize` says it to shaders.)
            let mut had = room;
            let complete = had.sufficed(&status)
                && had.sufficed_for_long_rows(long, false)
                && unfinished <= had.unfinished
                && status[STATUS_CARRY] == 0;
            let needed = *capacity;
            self.undecided_room = self.undecided_room.max(status[STATUS_LISTED].saturating_mul(2));
            ends.push(End { number, ledger: ledger.check(&status), status, complete, needed });
        }
        ends
    }

    /// Records a search.
    pub(in crate::gpu) async fn record(
        &mut self,
        gpu: &Gpu,
        pool: &Pool,
        ask: &Ask<'_>,
        encoder: &mut wgpu::CommandEncoder,
    ) -> Attempt<()> {
        let device = &gpu.device;
        let search = self.upload(device, pool, ask, encoder).await?;
        self.make_room(device, &search, ask).await?;
        let Self { workspace, belt, .. } = self;
        let Workspace { memory, runner, .. } = workspace;
        let sources: [Vec<GrowBuffer>; 2] =
            ask.sources().map(|list| list.iter().map(|source| GrowBuffer::of_caller(source.buffer.clone())).collect());
        let mut recording = memory.begin();
        for (set, list) in ask.sources().into_iter().enumerate() {
            for (source, buffer) in list.iter().zip(&sources[set]) {
                memory.import(&mut recording, set, source, buffer);
            }
        }
        recording.clear(memory.rows.buffer(), 0..4 * (u64::from(search.rows) + 1));
        let mut prepared = memory.prepared;
        if search.rows > 0 && !ask.searched.is_empty() {
            let slots = memory.slots_of(usize::from(search.between));
            prepared = Some(memory.prepare(&mut recording, &search));
            memory.search(&mut recording, &search, (slots.first_slot / WIDTH, slots.end_slot / WIDTH));
            if let Some(most) = ask.contacts {
                let room = memory.capacity.bins.total().min(u64::from(u32::MAX)) as u32;
                memory.find_contacts(&mut recording, &search, room, most);
                memory.sign_for_frames(&mut recording);
            }
        }
        memory.summarize(&mut recording, &search, self.undecided_room);
        let (ledger, room) = (std::mem::take(&mut recording.ledger), memory.capacity);
        runner.record(device, recording, (&mut *encoder, &mut *belt)).await?;
        memory.prepared = prepared.filter(|_| !search.measured);
        let number = self.next_number;
        self.next_number += 1;
        self.pending.push(Pending { number, kind: ask.kind(), ledger, room });
        self.read_status(device, encoder, number).await
    }

    /// Has the status block copied to the host when the encoder has run.
    async fn read_status(&mut self, device: &Device, encoder: &mut wgpu::CommandEncoder, number: u64) -> Attempt<()> {
        let bytes = 4 * STATUS_WORDS as u64;
        let readable = if let Some(readable) = self.readable.pop() {
            readable
        } else {
            let usage = wgpu::BufferUsages::MAP_READ | wgpu::BufferUsages::COPY_DST;
            let mut readable = device.buffer("staging", bytes, usage).await?;
            readable.lent = true;
            readable
        };
        encoder.copy_buffer_to_buffer(self.workspace.memory.status.buffer(), 0, &readable.buffer, 0, bytes);
        let (buffer, back) = (readable.buffer.clone(), self.back.0.clone());
        encoder.map_buffer_on_submit(&buffer, wgpu::MapMode::Read, .., move |result| {
            if result.is_ok() {
                // Nobody is there to take it if the resident is gone.
                let _ = back.send((number, readable));
            }
        });
        Ok(())
    }

    /// Has changes of the sets copied by the encoder. Returns the parameters of the search.
    async fn upload(
        &mut self,
        device: &Device,
        pool: &Pool,
        ask: &Ask<'_>,
        encoder: &mut wgpu::CommandEncoder,
    ) -> Attempt<Search> {
        let Self { workspace: Workspace { memory, .. }, belt, .. } = self;
        memory.recall(ask.kind());
        if let Some(Capacities(given)) = ask.options.given_capacities() {
            memory.capacity = *given;
        }
        memory.status.reserve(device, 4 * STATUS_WORDS as u64).await?;
        let written = ask.sources().map(|list| list.iter().map(BodySource::writes).collect::<Vec<_>>());
        let Memory { sets: [first, second], .. } = memory;
        first.record_changes(device, (&mut *encoder, &mut *belt), pool, (ask.searched, &written[0])).await?;
        let mut facts = first.facts;
        if let Some(searching) = ask.searching {
            second.record_changes(device, (&mut *encoder, &mut *belt), pool, (searching, &written[1])).await?;
            facts = facts.union(second.facts);
        }
        if facts.has_filters || facts.varying != 0 {
            first.record_traits(device, (&mut *encoder, &mut *belt), pool, ask.searched).await?;
            if let Some(searching) = ask.searching {
                second.record_traits(device, (&mut *encoder, &mut *belt), pool, searching).await?;
            }
        }
        let between = ask.searching.is_some();
        let asks = if between { second.facts.kinds } else { first.facts.kinds };
        let possible = possible_buckets(asks, first.facts.kinds);
        let measured = written.iter().any(|list| !list.is_empty());
        if measured {
            memory.prepared = None;
        }
        Ok(Search {
            between,
            facts,
            rows: ask.own().id_bound() as u32,
            possible,
            narrow: ask.narrow,
            frames: ask.contacts.is_some(),
            warps: device.warps(),
            whole: true,
            measured,
        })
    }

    async fn make_room(&mut self, device: &Device, search: &Search, ask: &Ask<'_>) -> Attempt<()> {
        let memory = &mut self.workspace.memory;
        memory.reserve(device, search).await?;
        memory.grid.reserve(device, 32).await?;
        memory.summary.reserve(device, 4 * SUMMARY_WORDS).await?;
        memory.undecided.reserve(device, 16 * u64::from(self.undecided_room)).await?;
        let clusters = memory.slots_of(usize::from(search.between)).clusters();
        memory.make_room(device, search, clusters).await?;
        if ask.contacts.is_some() {
            memory.reserve_frames(device).await?;
            memory.reserve_contacts(device, memory.capacity.bins.total()).await?;
        }
        Ok(())
    }
}

impl Memory {
    /// Records that bodies take over what the caller's shaders have written.
    fn import<'a>(&'a self, recording: &mut Recording<'a>, set: usize, source: &BodySource, buffer: &'a GrowBuffer) {
        let params = source.params();
        let (records, tags) = (&self.sets[set].shapes, &self.sets[set].tags);
        let buffers = import_bodies::Buffers { source: buffer, records, tags, status: &self.status };
        recording.run(&stages::IMPORT_BODIES, params.bodies.div_ceil(THREADS), &params, &buffers);
    }

    /// Records the summary, and the list of undecided pairs.
    fn summarize<'a>(&'a self, recording: &mut Recording<'a>, search: &Search, room: u32) {
        let (summary, status) = (&self.summary, &self.status);
        let [_, bucket_size] = self.buckets();
        let [long_rows_room, long_hits_room] = self.capacity.long_rows;
        let params = summarize::Params {
            bucket_size,
            bin_size: self.capacity.bins.room,
            long_rows_room,
            long_hits_room,
            unfinished_room: self.capacity.unfinished,
            pairs_room: self.capacity.bins.total().min(u64::from(u32::MAX)) as u32,
        };
        recording.run(&stages::SUMMARIZE, 1_u32, &params, &summarize::Buffers { summary, status });
        let params = list_undecided::Params { rows: search.rows, room };
        let buffers = list_undecided::Buffers {
            rows: &self.rows,
            partners: &self.partners,
            summary,
            undecided: &self.undecided,
            status,
        };
        recording.run(&stages::LIST_UNDECIDED, search.rows.div_ceil(THREADS), &params, &buffers);
    }
}

impl Gpu {
    /// Records a search into the caller's encoder.
    pub(crate) fn record(
        self: &Arc<Self>,
        pool: &Pool,
        ask: &Ask<'_>,
        encoder: &mut wgpu::CommandEncoder,
    ) -> Result<RecordedPairs> {
        ask.options.check(ask.own(), ask.searching.is_some().then_some(ask.searched))?;
        let mut resident = {
            let mut idle = lock(&self.residents);
            let known = idle.iter().position(|resident| resident.workspace.knows(ask.searched));
            known.map(|place| idle.swap_remove(place)).or_else(|| idle.pop()).unwrap_or_else(Resident::new)
        };
        resident.take_back();
        pollster::block_on(resident.record(self, pool, ask, encoder))?;
        Ok(RecordedPairs::new(Arc::clone(self), resident, ask))
    }

    /// Keeps a resident for the next recording.
    fn keep_resident(&self, resident: Resident) {
        let mut idle = lock(&self.residents);
        if idle.len() < MOST_IDLE {
            idle.push(resident);
        }
    }
}
