//! From bodies to slots in curve order and the tree over them.

use super::search::{levels, top};
use crate::gpu::bodies::Facts;
use crate::gpu::buffer::GrowBuffer;
use crate::gpu::params::{CHOOSY, CLASS_BITS, CLASSES, FLAT, Params, SORT_FIRST, SORT_LAST, TILE, WORLDS};
use crate::gpu::runner::Recording;
use crate::gpu::stages;
use crate::gpu::workspace::{Memory, Prepared, Search, SlotRange};

/// Keys that are sorted, each with a number.
pub(super) struct Sorting<'a> {
    pub(super) keys: &'a [GrowBuffer; 2],
    pub(super) order: &'a [GrowBuffer; 2],
    pub(super) tiles: u32,
    /// Whether the numbers are 0, 1, … to begin with.
    pub(super) new: bool,
    /// Whether the first digit was counted.
    pub(super) counted: bool,
    /// Whether the keys are wanted too in the end.
    pub(super) keep_keys: bool,
    /// Digits whose bits all lie below this one may be sorted roughly: the order is then another each time.
    pub(super) rough: u32,
}

impl Memory {
    pub(crate) fn flags(facts: &Facts) -> u32 {
        let mut flags = 0;
        for (flag, on) in [(CLASSES, facts.classes), (CHOOSY, facts.choosy), (WORLDS, facts.varying != 0)] {
            flags |= if on { flag } else { 0 };
        }
        flags
    }

    /// What the stages that prepare a set are told. Both sets are laid out in the grid of the searched one.
    pub(crate) fn set_params(&self, set: usize, place: SlotRange) -> Params {
        let (bodies, layout) = (self.sets[set].len as u32, &self.sets[0].layout);
        let facts = &self.sets[set].facts;
        let curve_bits = layout.curve_bits(if facts.classes { CLASS_BITS } else { 0 });
        let scale =
            if layout.side > 0.0 { f64::from(1 << layout.bits_to_a_side(curve_bits)) / layout.side } else { 0.0 };
        Params {
            bodies,
            first_slot: place.first_slot,
            end_slot: place.end_slot,
            curve_bits,
            tiles: bodies.div_ceil(TILE),
            keys: bodies,
            origin: layout.origin,
            scale: (scale as f32).min(1e30),
            giant: layout.giant,
            classes: 8 * set as u32,
            flags: layout.thin * FLAT,
            tag: facts.tag(),
            ..Params::default()
        }
    }

    /// Sorts `keys[at]` with `order[at]` by the digits that begin at these bits; where both are then.
    pub(super) fn sort<'a>(
        &'a self,
        recording: &mut Recording<'a>,
        Sorting { keys, order, tiles, new, counted, keep_keys, rough }: Sorting<'a>,
        digits: &[u32],
        mut at: usize,
    ) -> usize {
        for (k, &shift) in digits.iter().enumerate() {
            let buffers = [&keys[at], &order[at], &self.counts, &keys[1 - at], &order[1 - at], &self.status]
                .map(GrowBuffer::buffer);
            let first = if new && k == 0 { SORT_FIRST } else { 0 };
            let last = if !keep_keys && k + 1 == digits.len() { SORT_LAST } else { 0 };
            if !(counted && k == 0) {
                recording.run(&stages::SORT_COUNT, [shift, 0, 0, 0], tiles, &buffers);
            }
            recording.run(&stages::SORT_ADD, [shift, 0, 0, 0], 256_u32, &buffers);
            let scatter = if shift + 8 <= rough { &stages::SORT_ROUGHLY } else { &stages::SORT_SCATTER };
            recording.run(scatter, [shift, first | last, 0, 0], tiles, &buffers);
            at = 1 - at;
        }
        at
    }

    /// Puts a set into slots.
    pub(crate) fn prepare_set<'a>(&'a self, recording: &mut Recording<'a>, set: usize, query: &Search, brute: bool) {
        let (resident, place) = (&self.sets[set], self.place(set));
        let mut flags = Self::flags(&Facts { classes: resident.facts.classes, ..query.facts });
        if brute {
            flags &= !CLASSES;
        }
        let params = {
            let params = self.set_params(set, place);
            Params { flags: flags | params.flags, ..params }
        };
        recording.params(&params);
        if brute {
            self.gather_unsorted(recording, set, place);
        } else {
            let buffers =
                [&resident.shapes, &resident.tags, &self.keys[0], &self.counts, &self.status].map(GrowBuffer::buffer);
            recording.run(&stages::MAKE_KEYS, [0; 4], params.tiles, &buffers);
            let bits = params.curve_bits + if resident.facts.classes { CLASS_BITS } else { 0 };
            let digits: Vec<u32> = (0..bits).step_by(8).collect();
            let sorting = |new: bool| Sorting {
                keys: &self.keys,
                order: &self.order,
                tiles: params.tiles,
                new,
                counted: new,
                keep_keys: false,
                rough: if new && query.whole { params.curve_bits.saturating_sub(8) } else { 0 },
            };
            let mut at = self.sort(recording, sorting(true), &digits, 0);
            if query.facts.varying != 0 {
                // By world, and within a world as before. The world is the last word of the traits.
                let buffers = [&self.order[at], &resident.traits, &self.keys[at], &self.status].map(GrowBuffer::buffer);
                recording.run(&stages::NEW_KEYS, [4, 3, 0, 0], params.keys.div_ceil(256), &buffers);
                let digits: Vec<u32> =
                    (0..32).step_by(8).filter(|shift| query.facts.varying >> shift & 0xff != 0).collect();
                at = self.sort(recording, sorting(false), &digits, at);
            }
            self.gather(recording, set, at, place);
        }
        if query.facts.choosy || query.facts.varying != 0 {
            let buffers =
                [&resident.traits, &self.boxes, &self.traits, &self.nodes, &self.status].map(GrowBuffer::buffer);
            let slots = place.end_slot - place.first_slot;
            recording.run(&stages::GATHER_TRAITS, [0; 4], slots.div_ceil(256), &buffers);
        }
    }

    pub(crate) fn gather<'a>(&'a self, recording: &mut Recording<'a>, set: usize, at: usize, place: SlotRange) {
        let set = &self.sets[set];
        let buffers = [
            &set.shapes,
            &set.tags,
            &self.order[at],
            &self.places,
            &self.turns,
            &self.boxes,
            &self.nodes,
            &self.status,
        ]
        .map(GrowBuffer::buffer);
        let slots = place.end_slot - place.first_slot;
        recording.run(&stages::GATHER_BODIES, [0; 4], slots.div_ceil(256), &buffers);
        recording.ledger.expect_bodies(set.len as u32);
    }

    /// Puts a set into slots in the order of its ids.
    pub(crate) fn gather_unsorted<'a>(&'a self, recording: &mut Recording<'a>, set: usize, place: SlotRange) {
        let groups = (self.sets[set].len as u32).div_ceil(256);
        recording.run(&stages::NUMBER_BODIES, [0; 4], groups, &[&self.order[0], &self.status].map(GrowBuffer::buffer));
        self.gather(recording, set, 0, place);
    }

    /// Puts all sets into slots, and builds the tree, unless that is still there.
    pub(crate) fn prepare<'a>(&'a self, recording: &mut Recording<'a>, query: &Search) -> Prepared {
        let brute = self.is_brute();
        let prepared = Prepared {
            revision: self.sets[0].revision(),
            flags: Self::flags(&Facts { classes: self.sets[0].facts.classes, ..query.facts }),
            varying: query.facts.varying,
            whole: query.whole,
        };
        if self.prepared != Some(prepared) {
            self.prepare_set(recording, 0, query, brute);
            if !brute {
                let counts = levels(self.place(0).clusters());
                let mut below = 0;
                for level in 1..=top(&counts) {
                    let first = below + counts[level - 1];
                    let groups = counts[level - 1].div_ceil(256);
                    recording.run(
                        &stages::BUILD_TREE,
                        [below, counts[level - 1], first, 0],
                        groups,
                        &[&self.nodes, &self.status].map(GrowBuffer::buffer),
                    );
                    below = first;
                }
            }
        }
        if query.between {
            self.prepare_set(recording, 1, query, self.sets[1].len <= self.few);
        }
        prepared
    }
}
