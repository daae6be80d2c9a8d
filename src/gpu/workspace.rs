//! The memory of a query on the device.

use super::abi::{BLOCK, BUCKETS, CLASS_DISABLED, KINDS, STATUS_WORDS, TILE, WIDTH, WORK, bucket_of};
use super::bins::Bins;
use super::bodies::{DeviceBodies, Facts};
use super::buffer::GrowBuffer;
use super::device::Device;
use super::learned::{Kind, Learned};
use super::ledger::word_of;
use super::phases::search::levels;
use super::runner::{MOST_NUMBERED, Reading, Recording, Runner};
use super::stages;
use crate::cpu::Pool;
use crate::{Bodies, Error, Result};

/// Up to here all pairs are looked at, without order or tree.
const FEW: usize = 512;
/// Classes that begin at a multiple of the cluster's width.
const PADDED_CLASSES: u32 = CLASS_DISABLED;

/// What the candidates are put through.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Narrow {
    /// The certified filters.
    Filter,
    /// All of them count.
    Accept,
}

/// Where the slots and nodes of a set lie.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct SlotRange {
    pub(super) first_slot: u32,
    pub(super) end_slot: u32,
}

impl SlotRange {
    pub(super) fn clusters(self) -> u32 {
        (self.end_slot - self.first_slot) / WIDTH
    }
}

/// How the set that is searched was prepared.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Prepared {
    pub(super) revision: Option<u64>,
    pub(super) flags: u32,
    pub(super) varying: u32,
    /// See [`Search::whole`].
    pub(super) whole: bool,
}

/// The memory of a query. One query at a time.
pub(crate) struct Workspace {
    pub(super) memory: Memory,
    pub runner: Runner,
    /// Whether earlier queries may have left something in it.
    pub(super) used: bool,
}

pub(super) struct Memory {
    /// The set that is searched, and the one that asks if that is another.
    pub(super) sets: [DeviceBodies; 2],
    /// What the order and the tree on the device are of.
    pub(super) prepared: Option<Prepared>,
    pub(super) keys: [GrowBuffer; 2],
    pub(super) order: [GrowBuffer; 2],
    pub(super) counts: GrowBuffer,
    pub(super) places: GrowBuffer,
    pub(super) turns: GrowBuffer,
    pub(super) boxes: GrowBuffer,
    pub(super) nodes: GrowBuffer,
    pub(super) traits: GrowBuffer,
    pub(super) candidates: GrowBuffer,
    pub(super) origins: GrowBuffer,
    pub(super) hits: GrowBuffer,
    pub(super) rows: GrowBuffer,
    pub(super) blocks: GrowBuffer,
    pub(super) long_blocks: GrowBuffer,
    pub(super) long_rows: GrowBuffer,
    pub(super) asked: GrowBuffer,
    pub(super) partners: GrowBuffer,
    pub(super) status: GrowBuffer,
    pub(super) planes: GrowBuffer,
    pub(super) unfinished: GrowBuffer,
    /// For bindings that a dispatch does not use.
    pub(super) nothing: [GrowBuffer; 2],
    /// The kind of the last query, what those of its kind have learned, and those of other kinds.
    pub(super) kind: Kind,
    pub(super) learned: Learned,
    pub(super) others: Vec<(Kind, Learned)>,
    /// The bins that a kind of query starts with.
    pub(super) bins: Bins,
    /// The room that a query starts with at least.
    pub(super) least: u32,
    /// Up to how many bodies all pairs are looked at.
    pub(super) few: usize,
    /// How many iterations a search may make.
    pub(super) work: u32,
    /// The most workgroups of a dispatch.
    pub(super) most_groups: u64,
}

/// One query.
#[derive(Clone, Copy)]
pub(super) struct Search {
    /// Whether one set asks another.
    pub(super) between: bool,
    pub(super) facts: Facts,
    pub(super) rows: u32,
    /// Which buckets can occur.
    pub(super) possible: [bool; BUCKETS],
    pub(super) narrow: Narrow,
    /// Clusters that a workgroup of the search takes on.
    pub(super) teams: u32,
    /// Whether all clusters ask at once. If only some do, those of the next part must find the sets in the same order, should they be
    /// prepared again.
    pub(super) whole: bool,
}

impl Workspace {
    pub(crate) fn new() -> Self {
        let storage = GrowBuffer::storage;
        let memory = Memory {
            sets: [DeviceBodies::new(), DeviceBodies::new()],
            prepared: None,
            keys: [storage("keys"), storage("keys")],
            order: [storage("order"), storage("order")],
            counts: storage("counts"),
            places: storage("places"),
            turns: storage("turns"),
            boxes: storage("boxes"),
            nodes: storage("nodes"),
            traits: storage("traits"),
            candidates: storage("candidates"),
            origins: storage("origins"),
            hits: storage("hits"),
            rows: storage("rows"),
            blocks: storage("blocks"),
            long_blocks: storage("long blocks"),
            long_rows: storage("long rows"),
            asked: storage("asked pairs"),
            partners: storage("partners"),
            status: storage("status"),
            planes: storage("planes"),
            unfinished: storage("unfinished"),
            nothing: [storage("nothing"), storage("nothing")],
            kind: Kind::Pairs { between: false },
            learned: Learned::new(Bins::new()),
            others: Vec::new(),
            bins: Bins::new(),
            least: 1024,
            few: FEW,
            work: WORK,
            most_groups: MOST_NUMBERED,
        };
        Self { memory, runner: Runner::new(), used: false }
    }

    /// Starts with room for one of everything, always with a tree and many bins, and uploads as if everything were large: for tests.
    #[cfg(test)]
    pub(crate) fn frugal(mut self) -> Self {
        self.memory.least = 1;
        self.memory.few = 0;
        self.memory.bins.least_bits = 1;
        self.memory.learned = Learned::new(self.memory.bins);
        for set in &mut self.memory.sets {
            set.large = 0;
        }
        self
    }

    /// Lets a search do little, and a dispatch have few workgroups, where dispatches are split.
    #[cfg(test)]
    pub(crate) fn lazy(mut self, work: u32, most_groups: u64) -> Self {
        self.memory.work = work;
        self.memory.most_groups = most_groups;
        self
    }

    /// How many searches that are cut short there is room for.
    #[cfg(test)]
    pub(crate) fn room_for_unfinished(&self) -> u32 {
        self.memory.learned.unfinished
    }

    /// For how many candidates there is room.
    #[cfg(test)]
    pub(crate) fn room_for_candidates(&self) -> u32 {
        self.memory.learned.candidates.iter().sum()
    }

    /// For how many long rows there is room.
    #[cfg(test)]
    pub(crate) fn room_for_long_rows(&self) -> u32 {
        self.memory.learned.long[0]
    }

    /// The first and the last world in each of the first clusters.
    #[cfg(test)]
    pub(crate) fn worlds_of_clusters(&self, device: &Device, clusters: usize) -> Vec<(u32, u32)> {
        let words = super::runner::read_all(device, self.memory.nodes.buffer()).expect("the nodes");
        words.chunks_exact(8).take(clusters).map(|node| (node[3], node[7])).collect()
    }

    /// Whether this holds an earlier state of the set.
    pub(crate) fn knows(&self, bodies: &Bodies) -> bool {
        self.memory.sets[0].knows(bodies)
    }

    /// Bytes uploaded so far.
    #[cfg(test)]
    pub(crate) fn uploaded(&self) -> u64 {
        self.memory.sets.iter().map(|set| set.uploaded).sum()
    }

    /// Uploads so far that did not go through the queue.
    #[cfg(test)]
    pub(crate) fn large_uploads(&self) -> u64 {
        self.memory.sets.iter().map(|set| set.upload.count).sum()
    }

    /// Uploads so far that a kernel put where they belong.
    #[cfg(test)]
    pub(crate) fn patches(&self) -> u64 {
        self.memory.sets.iter().map(|set| set.patch.count).sum()
    }

    /// Gives all memory back.
    pub(crate) fn release(&mut self) {
        let Memory {
            sets,
            prepared: _,
            keys,
            order,
            counts,
            places,
            turns,
            boxes,
            nodes,
            traits,
            candidates,
            origins,
            hits,
            rows,
            blocks,
            long_blocks,
            long_rows,
            asked,
            partners,
            status,
            planes,
            nothing,
            unfinished,
            kind: _,
            learned,
            others,
            bins: _,
            least: _,
            few: _,
            work: _,
            most_groups: _,
        } = &mut self.memory;
        let single = [
            counts,
            places,
            turns,
            boxes,
            nodes,
            traits,
            candidates,
            origins,
            hits,
            rows,
            blocks,
            long_blocks,
            long_rows,
            asked,
            partners,
            status,
            planes,
            unfinished,
        ];
        learned.forget();
        others.clear();
        for slab in keys.iter_mut().chain(order).chain(nothing).chain(single) {
            slab.release();
        }
        for set in sets {
            set.release();
        }
        self.memory.prepared = None;
        self.runner.release();
    }
}

impl Memory {
    /// Goes on with what queries of this kind have learned.
    pub(super) fn recall(&mut self, kind: Kind) {
        if self.kind == kind {
            return;
        }
        let known = self.others.iter().position(|(other, _)| *other == kind).map(|at| self.others.swap_remove(at).1);
        let learned = known.unwrap_or_else(|| Learned::new(self.bins));
        self.others.push((self.kind, std::mem::replace(&mut self.learned, learned)));
        self.kind = kind;
    }

    /// Compares the patches that were put where they belong with those that were due.
    pub(super) fn check_patches(&self, status: &[u32]) -> Result<()> {
        let stage = &stages::PATCH_RECORDS;
        let due = self.sets.iter().fold(0, |sum: u32, set| sum.wrapping_add(set.patch.due));
        let found = status[word_of(stage)];
        if found == due { Ok(()) } else { Err(Error::Incomplete { stage: stage.name, found, due }) }
    }

    /// Brings the sets up to date.
    pub(super) fn sync(
        &mut self,
        device: &Device,
        runner: &mut Runner,
        pool: &Pool,
        (asking, searched): (Option<&Bodies>, &Bodies),
        narrow: Narrow,
    ) -> Result<Search> {
        let between = asking.is_some();
        self.recall(match narrow {
            Narrow::Filter => Kind::Pairs { between },
            Narrow::Accept => Kind::Candidates { between },
        });
        self.status.reserve(device, 4 * STATUS_WORDS as u64)?;
        self.sets[0].sync(device, runner, pool, searched, &self.status)?;
        let mut facts = self.sets[0].facts;
        if let Some(asking) = asking {
            self.sets[1].sync(device, runner, pool, asking, &self.status)?;
            facts = facts.with(self.sets[1].facts);
        }
        if facts.has_filters || facts.varying != 0 {
            self.sets[0].sync_traits(device, runner, pool, searched, &self.status)?;
            if let Some(asking) = asking {
                self.sets[1].sync_traits(device, runner, pool, asking, &self.status)?;
            }
        }
        let (asks, searched_kinds) = (self.sets[usize::from(between)].facts.kinds, self.sets[0].facts.kinds);
        let mut possible = [false; BUCKETS];
        for a in 0..KINDS as u32 {
            for b in 0..KINDS as u32 {
                possible[bucket_of(a, b) as usize] |= asks >> a & 1 == 1 && searched_kinds >> b & 1 == 1;
            }
        }
        let rows = asking.unwrap_or(searched).len() as u32;
        Ok(Search { between, facts, rows, possible, narrow, teams: device.teams(), whole: true })
    }

    /// Where the slots of a set lie, those of the searched set first, and after them room for the tree over them.
    pub(super) fn place(&self, set: usize) -> SlotRange {
        let slots = |set: usize| {
            let padding = if self.sets[set].facts.classes { PADDED_CLASSES * WIDTH } else { 0 };
            (self.sets[set].len as u32).next_multiple_of(WIDTH) + padding
        };
        let first = slots(0);
        if set == 0 {
            return SlotRange { first_slot: 0, end_slot: first };
        }
        let nodes: u32 = levels(first / WIDTH).iter().sum();
        let first_slot = nodes * WIDTH;
        SlotRange { first_slot, end_slot: first_slot + slots(1) }
    }

    pub(super) fn reserve_slots(&mut self, device: &Device, slots: u32, nodes: u32) -> Result<()> {
        let bytes = 32 * u64::from(slots);
        let mut new = false;
        for slab in [&mut self.places, &mut self.boxes] {
            new |= slab.reserve(device, bytes)?;
        }
        new |= self.turns.reserve(device, 16 * u64::from(slots))?;
        new |= self.nodes.reserve(device, 32 * u64::from(nodes))?;
        self.status.reserve(device, 4 * STATUS_WORDS as u64)?;
        for slab in &mut self.nothing {
            slab.reserve(device, 16)?;
        }
        if new {
            self.prepared = None;
        }
        Ok(())
    }

    pub(super) fn reserve_sort(&mut self, device: &Device, keys: u32) -> Result<()> {
        for slab in self.keys.iter_mut().chain(&mut self.order) {
            slab.reserve(device, 4 * u64::from(keys))?;
        }
        self.counts.reserve(device, 4 * 256 * (u64::from(keys.div_ceil(TILE)) + 1))?;
        Ok(())
    }

    /// Makes room to sort so many long rows with so many hits.
    pub(super) fn reserve_long(&mut self, device: &Device, [rows, hits]: [u32; 2]) -> Result<()> {
        self.reserve_sort(device, hits)?;
        self.long_rows.reserve(device, 8 * u64::from(rows))?;
        Ok(())
    }

    /// Makes room for what a query surely needs.
    pub(super) fn reserve(&mut self, device: &Device, query: &Search) -> Result<()> {
        let searched = self.place(0);
        let nodes: u32 = levels(searched.clusters()).iter().sum();
        let end = if query.between { self.place(1).end_slot } else { searched.end_slot };
        self.reserve_slots(device, end, nodes.max(end / WIDTH))?;
        let most = if query.between { self.sets[0].len.max(self.sets[1].len) } else { self.sets[0].len };
        self.reserve_sort(device, most as u32)?;
        let traits = query.facts.has_filters || query.facts.varying != 0;
        if traits && self.traits.reserve(device, 16 * u64::from(end))? {
            self.prepared = None;
        }
        self.rows.reserve(device, 4 * (u64::from(query.rows) + 1))?;
        let blocks = u64::from(query.rows.div_ceil(BLOCK));
        self.blocks.reserve(device, 4 * blocks)?;
        self.long_blocks.reserve(device, 8 * blocks)?;
        Ok(())
    }

    pub(super) fn reserve_candidates(&mut self, device: &Device) -> Result<()> {
        let total: u64 = self.learned.candidates.iter().map(|room| u64::from(*room)).sum();
        self.candidates.reserve(device, 8 * total)?;
        Ok(())
    }

    /// Makes room for what a query may find, at first by a guess.
    pub(super) fn make_room(&mut self, device: &Device, query: &Search, clusters: u32) -> Result<()> {
        let least = if self.least > 1 { self.least.max(clusters.saturating_mul(2 * WIDTH)) } else { 1 };
        for k in 0..BUCKETS {
            let room = &mut self.learned.candidates[k];
            *room = if query.possible[k] { (*room).max(least) } else { 0 };
        }
        self.learned.bins.fit(query.rows, least);
        self.reserve_candidates(device)?;
        self.unfinished.reserve(device, 8 * u64::from(self.learned.unfinished))?;
        self.hits.reserve(device, 8 * self.learned.bins.end())?;
        self.partners.reserve(device, 4 * self.learned.bins.total())?;
        if self.learned.long[0] > 0 {
            self.reserve_long(device, self.learned.long)?;
        }
        Ok(())
    }

    /// Gives back what depends on what a query finds; half of it will do.
    pub(super) fn halve(&mut self) {
        let found = [&mut self.candidates, &mut self.hits, &mut self.partners, &mut self.counts, &mut self.long_rows];
        for slab in found.into_iter().chain(&mut self.keys).chain(&mut self.order) {
            slab.release();
        }
        self.learned.halve();
    }

    pub(super) fn is_brute(&self) -> bool {
        self.sets[0].len <= self.few
    }

    /// The beginning of a query: counters are zero, those of the rows too if there are to be any.
    pub(super) fn begin(&self, query: &Search, rows: bool) -> Recording<'_> {
        let mut recording = Recording::default();
        self.clear_status(&mut recording);
        if rows {
            recording.clear(self.rows.buffer(), 0..4 * (u64::from(query.rows) + 1));
        }
        recording
    }

    /// Sets the status block to zero, but for what patches have signed, which are made before queries.
    pub(super) fn clear_status<'a>(&'a self, recording: &mut Recording<'a>) {
        let patches = 4 * word_of(&stages::PATCH_RECORDS) as u64;
        recording.clear(self.status.buffer(), 0..patches);
        recording.clear(self.status.buffer(), patches + 4..4 * STATUS_WORDS as u64);
    }

    pub(super) fn status_reading(&self) -> Reading<'_> {
        (self.status.buffer(), 4 * STATUS_WORDS as u64)
    }
}
