//! The buffers that a query needs on the device.

use super::abi::{
    BLOCK, BUCKETS, CLASS_DISABLED, DIGITS, ITERATION_LIMIT, LEAST_BUNDLED, RAY_STEPS, STATUS_LEDGER, STATUS_WORDS,
    TILE, WIDTH,
};
use super::bins::Bins;
use super::bodies::{DeviceBodies, Facts};
use super::buffer::{GrowBuffer, SizedBy};
use super::capacity::{Capacity, Kind};
use super::device::Device;
use super::failure::Attempt;
use super::ledger::word_of;
use super::narrow::Narrow;
use super::phases::search::levels;
use super::runner::{MAX_WORKGROUPS, Reading, Recording, Runner};
use super::stages;
use crate::{Bodies, Error, Result};

/// The most bodies of a searched set for which all pairs are tested in one dispatch, without sort or tree.
const BRUTE_FORCE_LIMIT: usize = 512;
/// Size classes that begin at a multiple of the cluster's width: all but the class of disabled bodies, which get no slots.
const PADDED_CLASSES: u32 = CLASS_DISABLED;

/// The slots of a set. Both ends are multiples of the cluster's width.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct SlotRange {
    pub(crate) first_slot: u32,
    pub(crate) end_slot: u32,
}

impl SlotRange {
    pub(crate) fn clusters(self) -> u32 {
        (self.end_slot - self.first_slot) / WIDTH
    }
}

/// The state for which the searched set was prepared. An equal state needs no new preparation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Prepared {
    pub(crate) revision: Option<u64>,
    pub(crate) flags: u32,
    pub(crate) varying: u32,
    /// See [`Search::whole`].
    pub(crate) whole: bool,
    /// How far apart the bodies of a pair may be: by half of it the bounds have grown.
    pub(crate) distance: f32,
    /// Whether they have also grown by the margins of bodies.
    pub(crate) margins: bool,
    /// See [`Search::fine`].
    pub(crate) fine: bool,
}

/// The parameters of one pair search.
#[derive(Clone, Copy)]
#[expect(clippy::struct_excessive_bools, reason = "each says another thing about the search")]
pub(crate) struct Search {
    /// Whether the searching set is another than the searched set.
    pub(crate) between: bool,
    pub(crate) facts: Facts,
    pub(crate) rows: u32,
    /// Which buckets can get candidates, given the kinds of shapes in both sets.
    pub(crate) possible: [bool; BUCKETS],
    pub(crate) narrow: Narrow,
    /// Whether frames are made, for contacts or distances.
    pub(crate) frames: bool,
    /// Whether the sets are the boxes in which moving bodies stay.
    pub(crate) moving: bool,
    /// Warps of a workgroup of the search, each of which searches for one cluster.
    pub(crate) warps: u32,
    /// Whether all clusters search in one part. If not, every part must find the sets in the same order even when they are
    /// prepared again, so that the sort has to be stable.
    pub(crate) whole: bool,
    /// Whether the device measures the grid of the curve.
    pub(crate) measured: bool,
    /// Whether bodies are also put in order that are near each other, and the tree is built that rays and points descend.
    pub(crate) fine: bool,
}

/// The buffers of a query, and the runner of its dispatches. Only one query at a time can use a workspace.
pub(crate) struct Workspace {
    pub(crate) memory: Memory,
    pub(crate) runner: Runner,
    /// Whether an earlier query has run in this workspace and may have left buffers allocated.
    pub(super) used: bool,
}

impl std::fmt::Debug for Workspace {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Workspace").field("used", &self.used).finish_non_exhaustive()
    }
}

/// Declares the memory: single buffers, each with a label and what its size depends on; pairs of buffers that the sort writes
/// alternately; and other fields.
macro_rules! memory {
    (
        buffers { $($(#[$doc:meta])* $buffer:ident: $label:literal $by:ident;)* }
        pairs { $($(#[$pair_doc:meta])* $pair:ident: $pair_label:literal $pair_by:ident;)* }
        rest { $($(#[$rest_doc:meta])* $name:ident: $type:ty = $value:expr;)* }
    ) => {
        pub(crate) struct Memory {
            $($(#[$doc])* pub(crate) $buffer: GrowBuffer,)*
            $($(#[$pair_doc])* pub(crate) $pair: [GrowBuffer; 2],)*
            $($(#[$rest_doc])* pub(crate) $name: $type,)*
        }

        impl Memory {
            fn new() -> Self {
                Self {
                    $($buffer: GrowBuffer::storage($label, SizedBy::$by),)*
                    $($pair: [0, 1].map(|_| GrowBuffer::storage($pair_label, SizedBy::$pair_by)),)*
                    $($name: $value,)*
                }
            }

            /// All buffers except those of the sets.
            fn buffers(&mut self) -> impl Iterator<Item = &mut GrowBuffer> {
                let single = [$(&mut self.$buffer),*];
                single.into_iter()$(.chain(&mut self.$pair))*
            }
        }
    };
}

memory! {
    buffers {
        /// The digit histogram of each tile of the radix sort.
        counts: "counts" Findings;
        /// Position and size of the body in each slot.
        slot_shapes: "slot shapes" Input;
        slot_rotations: "slot rotations" Input;
        slot_bounds: "slot bounds" Input;
        /// The bounds of the clusters, then of the tree's levels above them.
        nodes: "nodes" Input;
        slot_traits: "slot traits" Input;
        candidates: "candidates" Findings;
        origins: "origins" Findings;
        hits: "hits" Findings;
        rows: "rows" Input;
        blocks: "blocks" Input;
        long_blocks: "long blocks" Input;
        /// The length of each row, as a byte.
        lengths: "lengths" Input;
        long_rows: "long rows" Findings;
        partners: "partners" Findings;
        status: "status" Input;
        unfinished: "unfinished" Findings;
        /// The pairs or planes that the caller lists.
        listed: "list" Findings;
        details: "details" Findings;
        /// The tree that rays descend, with a copy of the bounds in slots as its lowest level.
        ray_tree: "ray tree" Input;
        /// The least distances of points.
        nearest: "nearest" Input;
        /// Where rays have stopped that have not come to their ends.
        ray_states: "ray states" Findings;
        /// The bodies that rays may hit: one for each ray, then others.
        ray_hits: "ray hits" Findings;
        /// Of each ray the time of the nearest hit, and its body.
        best_times: "best times" Findings;
        best_bodies: "best bodies" Findings;
        /// Pairs of a ray and a body that are open.
        ray_opens: "open rays" Findings;
        /// Which rays have open pairs, and the hits of recorded rays.
        ray_marks: "open rays' marks" Findings;
        ray_results: "hits of rays" Findings;
        /// The grid of the curve, where the device has measured it.
        grid: "grid" Input;
        /// How a recorded search has ended.
        summary: "summary" Input;
        undecided: "undecided pairs" Findings;
        /// Where `frames` signs: with a status block of its own it can run beside the search.
        frames_status: "status of frames" Input;
    }
    pairs {
        keys: "keys" Findings;
        order: "order" Findings;
        /// The bodies of both sets as contacts see them; and how they move, if they do.
        frames: "frames" Input;
        /// Placeholders for bindings that a dispatch does not use.
        unused: "unused" Input;
    }
    rest {
        /// The searched set, then the searching set if that is another.
        /// Where these are boxes in which moving bodies stay, the bodies are in the others.
        sets: [DeviceBodies; 4] = std::array::from_fn(|_| DeviceBodies::new());
        /// The state for which the slots and the tree on the device were prepared.
        prepared: Option<Prepared> = None;
        /// The kind of the last query.
        kind: Kind = Kind::Pairs { between: false };
        /// The capacity that queries of this kind have learned.
        capacity: Capacity = Capacity::new(Bins::new());
        /// The capacities of other kinds of queries.
        others: Vec<(Kind, Capacity)> = Vec::new();
        /// The bins that a new kind of query starts with.
        bins: Bins = Bins::new();
        /// The least room for candidates and hits that a query starts with, in elements.
        least: u32 = 1024;
        /// The most bodies of a set for which no tree is built.
        brute_force_limit: usize = BRUTE_FORCE_LIMIT;
        /// The iterations after which the search of a cluster is cut short.
        iteration_limit: u32 = ITERATION_LIMIT;
        /// The steps after which a ray stops for the next dispatch to go on.
        ray_steps: u32 = RAY_STEPS;
        /// The fewest rays of which some are cast together, where they go nearly the same way.
        least_bundled: u32 = LEAST_BUNDLED;
        /// The most workgroups of a dispatch; a larger one is split.
        max_workgroups: u64 = MAX_WORKGROUPS;
        /// The most bodies or listed pairs that are answered in one part, where a test says so.
        part_limit: Option<u64> = None;
    }
}

impl Workspace {
    pub(crate) fn new() -> Self {
        Self { memory: Memory::new(), runner: Runner::new(), used: false }
    }

    /// Frees all buffers, and forgets all capacities.
    pub(crate) fn release(&mut self) {
        self.memory.buffers().for_each(GrowBuffer::release);
        self.memory.sets.iter_mut().for_each(DeviceBodies::release);
        self.memory.prepared = None;
        self.memory.capacity.forget();
        self.memory.others.clear();
        self.runner.copies.clear();
        self.runner.release();
    }

    /// Frees the buffers whose size depends on what a query finds, and halves their capacities.
    pub(super) fn halve(&mut self) {
        let found = self.memory.buffers().filter(|buffer| buffer.sized_by() == SizedBy::Findings);
        found.for_each(GrowBuffer::release);
        self.memory.capacity.halve();
        self.runner.release();
    }

    /// From now on, commands of the caller's may use the buffers after they were freed here.
    pub(crate) fn lend(&mut self) {
        self.memory.buffers().for_each(GrowBuffer::lend);
        self.memory.sets.iter_mut().for_each(DeviceBodies::lend);
        self.runner.lend();
    }

    /// Whether the searched set on the device is an earlier state of this set.
    pub(crate) fn knows(&self, bodies: &Bodies) -> bool {
        self.memory.sets[0].knows(bodies)
    }

    /// Starts with capacities of one, always builds a tree, uses many bins, answers bodies and listed pairs in many parts, uploads every change
    /// through the staging buffer, and reads rows in two pieces: for tests.
    #[cfg(test)]
    pub(crate) fn frugal(mut self) -> Self {
        self.memory.least = 1;
        self.memory.brute_force_limit = 0;
        self.memory.bins.min_bits = 1;
        self.memory.part_limit = Some(333);
        // Rows of workgroups, of which the last has some too many.
        self.runner.per_dimension = 7;
        self.memory.capacity = Capacity::new(self.memory.bins);
        for set in &mut self.memory.sets {
            set.large = 0;
        }
        self.runner.late_from = 0;
        self
    }

    /// Cuts searches short after few iterations, and splits dispatches into few workgroups: for tests.
    #[cfg(test)]
    pub(crate) fn limited(mut self, iteration_limit: u32, max_workgroups: u64) -> Self {
        self.memory.iteration_limit = iteration_limit;
        self.memory.max_workgroups = max_workgroups;
        self
    }

    /// The capacity for searches that are cut short.
    #[cfg(test)]
    pub(crate) fn room_for_unfinished(&self) -> u32 {
        self.memory.capacity.unfinished
    }

    /// The capacity for candidate pairs, over all buckets.
    #[cfg(test)]
    pub(crate) fn room_for_candidates(&self) -> u32 {
        self.memory.capacity.candidates.iter().sum()
    }

    /// The capacity for long rows.
    #[cfg(test)]
    pub(crate) fn room_for_long_rows(&self) -> u32 {
        self.memory.capacity.long_rows[0]
    }

    /// The first and the last world in each of the first `clusters` clusters.
    #[cfg(test)]
    pub(crate) fn worlds_of_clusters(&self, device: &Device, clusters: usize) -> Vec<(u32, u32)> {
        let words = pollster::block_on(super::runner::read_all(device, self.memory.nodes.buffer())).expect("the nodes");
        words.chunks_exact(8).take(clusters).map(|node| (node[3], node[7])).collect()
    }

    /// Bytes of bodies and exclusions that were uploaded so far.
    pub(crate) fn uploaded(&self) -> u64 {
        self.memory.sets.iter().map(|set| set.uploaded).sum()
    }

    /// Uploads so far that went through the staging buffer.
    #[cfg(test)]
    pub(crate) fn large_uploads(&self) -> u64 {
        self.memory.sets.iter().map(|set| set.upload.count).sum()
    }

    /// Uploads so far that the kernel `patch_records` scattered.
    #[cfg(test)]
    pub(crate) fn patches(&self) -> u64 {
        self.memory.sets.iter().map(|set| set.patch.count).sum()
    }
}

impl Memory {
    /// Switches to the capacity that queries of this kind have learned.
    pub(crate) fn recall(&mut self, kind: Kind) {
        if self.kind == kind {
            return;
        }
        let known = self.others.iter().position(|(other, _)| *other == kind).map(|at| self.others.swap_remove(at).1);
        let learned = known.unwrap_or_else(|| Capacity::new(self.bins));
        self.others.push((self.kind, std::mem::replace(&mut self.capacity, learned)));
        self.kind = kind;
    }

    /// A recording that began with what was pending has been submitted.
    pub(crate) fn patched(&mut self) {
        self.sets.iter_mut().for_each(|set| set.patch.submitted());
    }

    /// Compares the signatures of `patch_records` with those that are due.
    pub(crate) fn check_patches(&self, status: &[u32]) -> Result<()> {
        let stage = &stages::PATCH_RECORDS;
        let due = self.sets.iter().fold(0, |sum: u32, set| sum.wrapping_add(set.patch.due));
        let found = status[word_of(stage)];
        if found == due { Ok(()) } else { Err(Error::Incomplete { stage: stage.name, found, due }) }
    }

    /// The slots of a set. Those of the searched set come first, then as many as its tree needs nodes for, then those of the
    /// searching set.
    pub(crate) fn slots_of(&self, set: usize) -> SlotRange {
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

    /// Forgets the tree on the device unless it is of the set that was uploaded last.
    pub(crate) fn forget_other_sets(&mut self) {
        let revision = self.sets[0].revision();
        self.prepared = self.prepared.filter(|prepared| prepared.revision == revision);
    }

    /// Slots for this many bodies behind the slots and the tree of the searched set.
    pub(crate) fn slots_behind(&self, bodies: u32) -> SlotRange {
        let first_slot = self.slots_of(1).first_slot;
        SlotRange { first_slot, end_slot: first_slot + bodies.next_multiple_of(WIDTH) }
    }

    pub(crate) async fn reserve_slots(&mut self, device: &Device, slots: u32, nodes: u32) -> Attempt<()> {
        let bytes = 32 * u64::from(slots);
        let mut new = false;
        for buffer in [&mut self.slot_shapes, &mut self.slot_bounds] {
            new |= buffer.reserve(device, bytes).await?;
        }
        new |= self.slot_rotations.reserve(device, 16 * u64::from(slots)).await?;
        new |= self.nodes.reserve(device, 32 * u64::from(nodes)).await?;
        self.status.reserve(device, 4 * STATUS_WORDS as u64).await?;
        for buffer in &mut self.unused {
            buffer.reserve(device, 32).await?;
        }
        if new {
            self.prepared = None;
        }
        Ok(())
    }

    pub(crate) async fn reserve_sort(&mut self, device: &Device, keys: u32) -> Attempt<()> {
        for buffer in self.keys.iter_mut().chain(&mut self.order) {
            buffer.reserve(device, 4 * u64::from(keys)).await?;
        }
        self.counts.reserve(device, 4 * u64::from(DIGITS) * (u64::from(keys.div_ceil(TILE)) + 1)).await?;
        Ok(())
    }

    /// Makes room to sort long rows: their number, and the number of their hits.
    pub(crate) async fn reserve_long(&mut self, device: &Device, [rows, hits]: [u32; 2]) -> Attempt<()> {
        self.reserve_sort(device, hits).await?;
        self.long_rows.reserve(device, 8 * u64::from(rows)).await?;
        Ok(())
    }

    /// Makes room for everything whose size follows from the input.
    pub(crate) async fn reserve(&mut self, device: &Device, query: &Search) -> Attempt<()> {
        let searched = self.slots_of(0);
        let nodes: u32 = levels(searched.clusters()).iter().sum();
        let end = if query.between { self.slots_of(1).end_slot } else { searched.end_slot };
        self.reserve_slots(device, end, nodes.max(end / WIDTH)).await?;
        let most = if query.between { self.sets[0].len.max(self.sets[1].len) } else { self.sets[0].len };
        self.reserve_sort(device, most as u32).await?;
        let traits = query.facts.has_filters || query.facts.varying != 0;
        if traits && self.slot_traits.reserve(device, 16 * u64::from(end)).await? {
            self.prepared = None;
        }
        self.rows.reserve(device, 4 * (u64::from(query.rows) + 1)).await?;
        let blocks = u64::from(query.rows.div_ceil(BLOCK));
        self.blocks.reserve(device, 4 * blocks).await?;
        self.long_blocks.reserve(device, 8 * blocks).await?;
        self.lengths.reserve(device, u64::from(query.rows).next_multiple_of(4)).await?;
        Ok(())
    }

    pub(crate) async fn reserve_candidates(&mut self, device: &Device) -> Attempt<()> {
        let total: u64 = self.capacity.candidates.iter().map(|room| u64::from(*room)).sum();
        self.candidates.reserve(device, 8 * total).await?;
        Ok(())
    }

    /// Makes room for what a query may find: its learned capacity, and at least a guess from the number of searching clusters.
    pub(crate) async fn make_room(&mut self, device: &Device, query: &Search, clusters: u32) -> Attempt<()> {
        let least = if self.least > 1 { self.least.max(clusters.saturating_mul(2 * WIDTH)) } else { 1 };
        for k in 0..BUCKETS {
            let room = &mut self.capacity.candidates[k];
            *room = if query.possible[k] { (*room).max(least) } else { 0 };
        }
        self.capacity.bins.fit(query.rows, least);
        self.reserve_candidates(device).await?;
        self.unfinished.reserve(device, 8 * u64::from(self.capacity.unfinished)).await?;
        self.hits.reserve(device, 8 * self.capacity.bins.end()).await?;
        self.partners.reserve(device, 4 * self.capacity.bins.total()).await?;
        if self.capacity.long_rows[0] > 0 {
            self.reserve_long(device, self.capacity.long_rows).await?;
        }
        Ok(())
    }

    pub(crate) fn is_brute(&self) -> bool {
        self.sets[0].len <= self.brute_force_limit
    }

    /// A recording that begins by clearing the status block, and brings the sets up to date with what is pending.
    pub(crate) fn begin(&self) -> Recording<'_> {
        let mut recording = Recording::default();
        for set in &self.sets {
            set.record_patches(&mut recording, &self.status);
        }
        self.clear_status(&mut recording);
        recording
    }

    /// Clears the status block, except for the signatures of `patch_records`, which runs before the query.
    pub(crate) fn clear_status<'a>(&'a self, recording: &mut Recording<'a>) {
        let patches = 4 * word_of(&stages::PATCH_RECORDS) as u64;
        recording.clear(self.status.buffer(), 0..patches);
        recording.clear(self.status.buffer(), patches + 4..4 * STATUS_WORDS as u64);
        if self.frames_status.holds(4 * STATUS_WORDS as u64) {
            recording.clear(self.frames_status.buffer(), 0..4 * STATUS_WORDS as u64);
        }
    }

    /// A recording that continues a query: it begins by clearing the ledger. The signatures of `patch_records` stay, which ran before.
    pub(crate) fn continued(&self) -> Recording<'_> {
        let mut recording = Recording::default();
        let patches = word_of(&stages::PATCH_RECORDS) as u64;
        recording.clear(self.status.buffer(), 4 * STATUS_LEDGER as u64..4 * patches);
        recording.clear(self.status.buffer(), 4 * (patches + 1)..4 * STATUS_WORDS as u64);
        recording
    }

    pub(crate) fn status_reading(&self) -> Reading<'_> {
        (self.status.buffer(), 4 * STATUS_WORDS as u64)
    }
}
