//! Queries in an encoder of the caller's, whose results stay on the device.

mod ask;
mod belt;
mod hits;
mod pairs;
mod running;
mod source;
mod upload;

pub use ask::{Ask, ListAsked, MovingBodies, RaysAsked, What};
pub(crate) use ask::{ListQuery, Room};
pub(crate) use belt::Belt;
pub use hits::RecordedHits;
pub use pairs::RecordedPairs;
pub use running::{Capacities, Ended, Running};
pub use source::{BodySource, RecordOptions};

use ask::KeptRays;

use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};

use super::abi::{
    RAYS_ALL, RAYS_NEAREST, STATUS_CARRY, STATUS_LISTED, STATUS_LONG_HITS, STATUS_LONG_ROWS, STATUS_RAY_EXTRAS,
    STATUS_RAYS_UNFINISHED, STATUS_SWEEPS_LEFT, STATUS_UNFINISHED, STATUS_WORDS, THREADS, WIDTH, import_bodies,
    list_undecided, summarize, summarize_list,
};
use super::buffer::{GrowBuffer, SizedBy};
use super::capacity::{Capacity, Kind};
use super::device::{CountedBuffer, Device};
use super::failure::Attempt;
use super::ledger::Ledger;
use super::narrow::Narrow;
use super::phases::rays::Casting;
use super::runner::Recording;
use super::workspace::{Memory, Search, SlotRange, Workspace};
use super::{Gpu, lock, stages};
use crate::parallel::Pool;
use crate::{Error, Result};

/// The most idle residents that are kept.
const MOST_IDLE: usize = 4;
/// The least room for undecided pairs.
const LEAST_UNDECIDED: u32 = 1024;
/// Words of the summary.
pub(crate) const SUMMARY_WORDS: u64 = 8;

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
    /// Where the bodies lie in the order of their ids, if they do.
    slots: SlotRange,
    /// What the host knows of the rays of the last recording.
    kept: KeptRays,
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
            slots: SlotRange::default(),
            kept: KeptRays::default(),
        }
    }

    /// Takes the status blocks that have come back, and learns from them.
    pub(in crate::gpu) fn take_back(&mut self) -> Vec<End> {
        let messages: Vec<Message> = self.back.1.try_iter().collect();
        let mut ends = Vec::new();
        for (number, buffer) in messages {
            let view = buffer.buffer.get_mapped_range(..);
            let status: Vec<u32> = view.map_or_else(|_| Vec::new(), |view| bytemuck::cast_slice(&view[..]).to_vec());
            buffer.unmap();
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
            if matches!(kind, Kind::Rays { .. }) {
                let stopped = status[STATUS_RAYS_UNFINISHED] > 0;
                if !stopped || status[STATUS_RAY_EXTRAS] > capacity.rays[0] {
                    capacity.sufficed_for_rays([status[STATUS_RAY_EXTRAS], 0]);
                }
                if stopped {
                    capacity.ray_rounds = (2 * room.ray_rounds + 2).max(capacity.ray_rounds);
                }
            }
            // (As the kernels `summarize` and `summarize_list` say it to shaders.)
            let mut had = room;
            let complete = had.sufficed(&status)
                && had.sufficed_for_long_rows(long, false)
                && unfinished <= had.unfinished
                && status[STATUS_CARRY] == 0
                && status[STATUS_RAYS_UNFINISHED] == 0
                && status[STATUS_RAY_EXTRAS] <= had.rays[0];
            let needed = *capacity;
            self.undecided_room = self.undecided_room.max(status[STATUS_LISTED].saturating_mul(2));
            let left = status[STATUS_SWEEPS_LEFT];
            let ledger = if matches!(kind, Kind::Moving { .. }) && left > room.sweep_turns {
                // A driver has ended a loop too soon.
                Err(Error::Incomplete { stage: stages::SWEEPS_REST.name, found: left, due: room.sweep_turns })
            } else {
                ledger.check(&status)
            };
            ends.push(End { number, status, complete, needed, ledger });
        }
        ends
    }

    /// Records a query. After an error, the encoder has commands that do no harm.
    pub(in crate::gpu) async fn record(
        &mut self,
        gpu: &Gpu,
        pool: &Pool,
        ask: &Ask<'_>,
        encoder: &mut wgpu::CommandEncoder,
    ) -> Attempt<()> {
        let recorded = self.try_to_record(gpu, pool, ask, encoder).await;
        if recorded.is_err() {
            // What it copies from must not stay mapped.
            self.belt.finish(encoder);
        }
        recorded
    }

    async fn try_to_record(
        &mut self,
        gpu: &Gpu,
        pool: &Pool,
        ask: &Ask<'_>,
        encoder: &mut wgpu::CommandEncoder,
    ) -> Attempt<()> {
        let device = &gpu.device;
        let search = self.upload(device, pool, ask, encoder).await?;
        self.make_room(device, &search, ask).await?;
        self.upload_list(device, pool, ask, encoder).await?;
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
        let mut prepared = memory.prepared;
        match &ask.what {
            What::Pairs { .. } | What::Sweeps(_) => {
                recording.clear(memory.rows.buffer(), 0..4 * (u64::from(search.rows) + 1));
                if search.rows > 0 && !ask.searched.is_empty() {
                    let slots = memory.slots_of(usize::from(search.between));
                    prepared = Some(memory.prepare(&mut recording, &search));
                    memory.search(&mut recording, &search, (slots.first_slot / WIDTH, slots.end_slot / WIDTH));
                    if let Some(details) = ask.details() {
                        let room = memory.capacity.bins.total().min(u64::from(u32::MAX)) as u32;
                        memory.find_details(&mut recording, &search, room, details);
                    }
                    if search.frames {
                        memory.sign_for_frames(&mut recording);
                    }
                }
                memory.summarize(&mut recording, &search, self.undecided_room);
            }
            What::List(ListAsked(list)) => {
                list.record(memory, &mut recording, self.slots);
                let [results, open] = list.answers();
                memory.summarize_list(&mut recording, &memory.partners, results, (1, 0, open), None);
            }
            What::Rays(rays) => {
                let mut casting = rays.casting();
                if casting.rays > 0 && !ask.searched.is_empty() {
                    prepared = Some(memory.prepare(&mut recording, &search));
                    for round in 0..=memory.capacity.ray_rounds {
                        let stopped = 4 * STATUS_RAYS_UNFINISHED as u64;
                        recording.clear(memory.status.buffer(), stopped..stopped + 4);
                        memory.cast_rays(&mut recording, &search, &casting, round == 0);
                    }
                    memory.time_rays(&mut recording, &casting, memory.sets[0].has_planes);
                } else {
                    // Nothing is hit, so that a hit for each ray is all there is.
                    casting.mode = RAYS_NEAREST;
                    recording.clear(memory.best_times.buffer(), 0..4 * u64::from(casting.rays));
                    recording.clear(memory.ray_hits.buffer(), 0..16 * u64::from(casting.rays));
                }
                memory.publish_hits(&mut recording, &casting);
                let extra_room = memory.capacity.rays[0];
                let extras = Some((casting.mode == RAYS_ALL, extra_room));
                memory.summarize_list(&mut recording, &memory.ray_results, casting.rays, (4, 3, 1), extras);
            }
        }
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

    async fn make_room(&mut self, device: &Device, search: &Search, ask: &Ask<'_>) -> Attempt<()> {
        let memory = &mut self.workspace.memory;
        memory.grid.reserve(device, 32).await?;
        memory.summary.reserve(device, 4 * SUMMARY_WORDS).await?;
        match &ask.what {
            What::Pairs { .. } | What::Sweeps(_) => {
                memory.reserve(device, search).await?;
                memory.undecided.reserve(device, 16 * u64::from(self.undecided_room)).await?;
                let clusters = memory.slots_of(usize::from(search.between)).clusters();
                memory.make_room(device, search, clusters).await?;
                if search.frames {
                    memory.reserve_frames(device, search.moving).await?;
                }
                if let Narrow::Closest { count, .. } = search.narrow {
                    memory.reserve_closest(device, count).await?;
                }
                if let Some(details) = ask.details() {
                    memory.reserve_details(device, details, memory.capacity.bins.total()).await?;
                }
            }
            What::List(ListAsked(list)) => self.slots = list.make_room(memory, device).await?,
            What::Rays(rays) => {
                let casting = rays.casting();
                memory.reserve(device, search).await?;
                memory.reserve_ray_tree(device).await?;
                // (A buffer without bytes cannot be bound.)
                memory.reserve_rays(device, &Casting { rays: casting.rays.max(1), ..casting }).await?;
                memory.reserve_ray_results(device, &casting).await?;
            }
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

    /// Records the summary of a list of results: words of each, which of them says whether it is undecided, and what it is then. Of rays,
    /// `extras` says whether hits that are listed apart from one for each ray are results too, and how many of them have room.
    fn summarize_list<'a>(
        &'a self,
        recording: &mut Recording<'a>,
        list: &'a GrowBuffer,
        results: u32,
        (words, word, open): (u32, u32, u32),
        extras: Option<(bool, u32)>,
    ) {
        let (has_extras, extra_room) = extras.unwrap_or_default();
        let params = summarize_list::Params { results, has_extras: has_extras.into(), extra_room, words, word, open };
        let buffers = summarize_list::Buffers { list, summary: &self.summary, status: &self.status };
        let most = u64::from(results) + if has_extras { u64::from(extra_room) } else { 0 };
        recording.run(&stages::COUNT_UNDECIDED, most.div_ceil(u64::from(THREADS)), &params, &buffers);
        recording.run(&stages::SUMMARIZE_LIST, 1_u32, &params, &buffers);
    }
}

impl Gpu {
    /// Records a query into the caller's encoder.
    pub(crate) fn record(
        self: &Arc<Self>,
        pool: &Pool,
        ask: &Ask<'_>,
        encoder: &mut wgpu::CommandEncoder,
    ) -> Result<Running> {
        ask.options.check(ask.own(), ask.searching.is_some().then_some(ask.searched))?;
        let mut resident = {
            let mut idle = lock(&self.residents);
            let known = idle.iter().position(|resident| resident.workspace.knows(ask.searched));
            known.map(|place| idle.swap_remove(place)).or_else(|| idle.pop()).unwrap_or_else(Resident::new)
        };
        resident.take_back();
        pollster::block_on(resident.record(self, pool, ask, encoder))?;
        Ok(Running::new(Arc::clone(self), resident, ask))
    }

    /// Keeps a resident for the next recording.
    fn keep_resident(&self, resident: Resident) {
        let mut idle = lock(&self.residents);
        if idle.len() < MOST_IDLE {
            idle.push(resident);
        }
    }
}
