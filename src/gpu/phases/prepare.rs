//! Preparation: from bodies to slots in curve order, and the tree over them.

use super::search::{levels, top};
use crate::gpu::abi::{
    CLASS_BITS, CLASS_COUNT, CLASSES, DIGIT_BITS, DIGITS, HAS_FILTERS, MEASURED, SORT_FIRST, SORT_LAST, STATUS_CLASSES,
    THREADS, TILE, WORLDS, build_tree, curve_keys, gather, gather_traits, grow_bounds, identity_order, measure_grid,
    sort, world_keys,
};
use crate::gpu::bodies::{Facts, Layout};
use crate::gpu::buffer::GrowBuffer;
use crate::gpu::narrow::Narrow;
use crate::gpu::runner::Recording;
use crate::gpu::stages;
use crate::gpu::workspace::{Memory, Prepared, Search, SlotRange};

/// A radix sort of keys with values. Each pass reads one buffer of each pair and writes the other.
pub(super) struct SortJob<'a> {
    pub(super) keys: &'a [GrowBuffer; 2],
    pub(super) order: &'a [GrowBuffer; 2],
    /// The number of keys.
    pub(super) count: u32,
    /// Whether the values are initially 0, 1, …, so that the first pass need not read them.
    pub(super) values_are_indices: bool,
    /// Whether the histogram of the first digit has been computed already.
    pub(super) first_digit_counted: bool,
    /// Whether the sorted keys are needed, and not only the values.
    pub(super) keep_keys: bool,
    /// Digits that lie wholly below this bit are sorted by an unstable kernel, so that the order differs from run to run.
    pub(super) unstable_below: u32,
}

impl Memory {
    pub(crate) fn flags(facts: &Facts) -> u32 {
        let mut flags = 0;
        for (flag, on) in [(CLASSES, facts.classes), (HAS_FILTERS, facts.has_filters), (WORLDS, facts.varying != 0)] {
            flags |= if on { flag } else { 0 };
        }
        flags
    }

    /// The first word of a set's class counts in the status block.
    fn class_counts(set: usize) -> u32 {
        STATUS_CLASSES as u32 + CLASS_COUNT * set as u32
    }

    /// The params for the keys of a set. Both sets use the grid of the searched set.
    pub(super) fn curve_params(&self, set: usize, flags: u32, query: &Search) -> curve_keys::Params {
        let (bodies, layout) = (self.sets[set].len as u32, &self.sets[0].layout);
        let facts = &self.sets[set].facts;
        let others = if facts.classes { CLASS_BITS } else { 0 };
        // Nobody knows how crowded cells are that the device measures.
        let curve_bits = match (query.measured, query.fine) {
            (true, _) => Layout::most_curve_bits(others),
            (false, true) => layout.fine_curve_bits(others),
            (false, false) => layout.curve_bits(others),
        };
        let scale =
            if layout.side > 0.0 { f64::from(1 << layout.bits_to_a_side(curve_bits)) / layout.side } else { 0.0 };
        curve_keys::Params {
            origin: layout.origin,
            scale: (scale as f32).min(1e30),
            giant: layout.giant,
            flags: flags | if query.measured { MEASURED } else { 0 },
            bodies,
            tiles: bodies.div_ceil(TILE),
            curve_bits,
            thin_axis: layout.thin_axis,
            classes: Self::class_counts(set),
            tag: facts.tag(),
        }
    }

    /// Records a radix sort of `keys[at]` with `order[at]` by the digits at these shifts. Returns the index of the buffers with
    /// the result.
    pub(super) fn sort<'a>(
        &'a self,
        recording: &mut Recording<'a>,
        SortJob { keys, order, count, values_are_indices, first_digit_counted, keep_keys, unstable_below }: SortJob<'a>,
        digits: &[u32],
        mut at: usize,
    ) -> usize {
        let tiles = count.div_ceil(TILE);
        for (k, &shift) in digits.iter().enumerate() {
            let buffers = sort::Buffers {
                keys_in: &keys[at],
                order_in: &order[at],
                counts: &self.counts,
                keys_out: &keys[1 - at],
                order_out: &order[1 - at],
                status: &self.status,
            };
            let first = if values_are_indices && k == 0 { SORT_FIRST } else { 0 };
            let last = if !keep_keys && k + 1 == digits.len() { SORT_LAST } else { 0 };
            let params = sort::Params { keys: count, tiles, shift, mode: first | last };
            if !(first_digit_counted && k == 0) {
                recording.run(&stages::SORT_COUNT, tiles, &params, &buffers);
            }
            recording.run(&stages::SORT_ADD, DIGITS, &params, &buffers);
            let stable = shift + DIGIT_BITS > unstable_below;
            let scatter = if stable { &stages::SORT_SCATTER } else { &stages::SORT_SCATTER_UNSTABLE };
            recording.run(scatter, tiles, &params, &buffers);
            at = 1 - at;
        }
        at
    }

    /// Records the preparation of a set: sort, gather, and traits.
    pub(crate) fn prepare_set<'a>(&'a self, recording: &mut Recording<'a>, set: usize, query: &Search, brute: bool) {
        let (device_bodies, slots) = (&self.sets[set], self.slots_of(set));
        let mut flags = Self::flags(&Facts { classes: device_bodies.facts.classes, ..query.facts });
        if brute {
            flags &= !CLASSES;
            self.gather_unsorted(recording, set, slots, flags);
        } else {
            let at = self.order(recording, set, query, flags);
            self.gather(recording, set, at, slots, flags);
        }
        if query.facts.has_filters || query.facts.varying != 0 {
            let SlotRange { first_slot, end_slot } = slots;
            let params = gather_traits::Params { first_slot, end_slot };
            let buffers = gather_traits::Buffers {
                traits: &device_bodies.traits,
                slot_bounds: &self.slot_bounds,
                slot_traits: &self.slot_traits,
                nodes: &self.nodes,
                status: &self.status,
            };
            recording.run(&stages::GATHER_TRAITS, (end_slot - first_slot).div_ceil(THREADS), &params, &buffers);
        }
        let (distance, margins) = (query.narrow.distance(), query.narrow.has_margins());
        if let (Narrow::Closest { count, within }, 1) = (query.narrow, set) {
            self.reach_nearest(recording, query, (count, within));
        }
        if distance > 0.0 || margins && self.sets[set].has_margins {
            // Half of it for each body of a pair, and its own margin.
            let (SlotRange { first_slot, end_slot }, growth) = (slots, (distance / 2.0).next_up());
            let (margins, has_margins) = self.margins_of(set, query);
            let params = grow_bounds::Params { first_slot, end_slot, has_margins, growth };
            let buffers = grow_bounds::Buffers {
                margins,
                slot_bounds: &self.slot_bounds,
                nodes: &self.nodes,
                slot_shapes: &self.slot_shapes,
                slot_rotations: &self.slot_rotations,
                status: &self.status,
            };
            recording.run(&stages::GROW_BOUNDS, (end_slot - first_slot).div_ceil(THREADS), &params, &buffers);
        }
    }

    /// The margins of the bodies of a set, and 1, if they count.
    pub(super) fn margins_of(&self, set: usize, query: &Search) -> (&GrowBuffer, u32) {
        let counts = query.narrow.has_margins() && self.sets[set].has_margins;
        if counts { (&self.sets[set].margins, 1) } else { (&self.unused[0], 0) }
    }

    /// Records the sort of a set by world, size class and position along the curve. Returns the index of the buffer with the
    /// order.
    fn order<'a>(&'a self, recording: &mut Recording<'a>, set: usize, query: &Search, flags: u32) -> usize {
        let device_bodies = &self.sets[set];
        let params = self.curve_params(set, flags, query);
        if query.measured && set == 0 {
            let grid_params = measure_grid::Params { bodies: params.bodies, curve_bits: params.curve_bits };
            let buffers = measure_grid::Buffers {
                shapes: &device_bodies.shapes,
                tags: &device_bodies.tags,
                grid: &self.grid,
                status: &self.status,
            };
            recording.run(&stages::MEASURE_GRID, 1_u32, &grid_params, &buffers);
        }
        let buffers = curve_keys::Buffers {
            shapes: &device_bodies.shapes,
            tags: &device_bodies.tags,
            grid: if query.measured { &self.grid } else { &self.unused[0] },
            keys_out: &self.keys[0],
            counts: &self.counts,
            status: &self.status,
        };
        recording.run(&stages::CURVE_KEYS, params.tiles, &params, &buffers);
        let bits = params.curve_bits + if device_bodies.facts.classes { CLASS_BITS } else { 0 };
        let digits: Vec<u32> = (0..bits).step_by(DIGIT_BITS as usize).collect();
        let job = |first: bool| SortJob {
            keys: &self.keys,
            order: &self.order,
            count: params.bodies,
            values_are_indices: first,
            first_digit_counted: first,
            keep_keys: false,
            unstable_below: if first && query.whole { params.curve_bits.saturating_sub(DIGIT_BITS) } else { 0 },
        };
        let mut at = self.sort(recording, job(true), &digits, 0);
        if query.facts.varying != 0 {
            // A stable sort by world keeps the order within each world.
            let buffers = world_keys::Buffers {
                order: &self.order[at],
                traits: &device_bodies.traits,
                keys_out: &self.keys[at],
                status: &self.status,
            };
            let world_params = world_keys::Params { bodies: params.bodies };
            recording.run(&stages::WORLD_KEYS, params.bodies.div_ceil(THREADS), &world_params, &buffers);
            let varies = |shift: &u32| query.facts.varying >> shift & (DIGITS - 1) != 0;
            let digits: Vec<u32> = (0..u32::BITS).step_by(DIGIT_BITS as usize).filter(varies).collect();
            at = self.sort(recording, job(false), &digits, at);
        }
        at
    }

    /// Records the gathering of a set into slots, in the order of `order[at]`.
    fn gather<'a>(&'a self, recording: &mut Recording<'a>, set: usize, at: usize, slots: SlotRange, flags: u32) {
        let device_bodies = &self.sets[set];
        let SlotRange { first_slot, end_slot } = slots;
        let params = gather::Params {
            zero: 0,
            flags,
            bodies: device_bodies.len as u32,
            first_slot,
            end_slot,
            classes: Self::class_counts(set),
            tag: device_bodies.facts.tag(),
        };
        let buffers = gather::Buffers {
            shapes: &device_bodies.shapes,
            tags: &device_bodies.tags,
            order: &self.order[at],
            slot_shapes: &self.slot_shapes,
            slot_rotations: &self.slot_rotations,
            slot_bounds: &self.slot_bounds,
            nodes: &self.nodes,
            status: &self.status,
        };
        recording.run(&stages::GATHER, (end_slot - first_slot).div_ceil(THREADS), &params, &buffers);
        recording.ledger.expect_bodies(device_bodies.len as u32);
    }

    /// Records the gathering of a set into slots, in the order of its ids.
    pub(crate) fn gather_unsorted<'a>(
        &'a self,
        recording: &mut Recording<'a>,
        set: usize,
        slots: SlotRange,
        flags: u32,
    ) {
        let bodies = self.sets[set].len as u32;
        let buffers = identity_order::Buffers { order: &self.order[0], status: &self.status };
        let params = identity_order::Params { bodies };
        recording.run(&stages::IDENTITY_ORDER, bodies.div_ceil(THREADS), &params, &buffers);
        self.gather(recording, set, 0, slots, flags);
    }

    /// Records the preparation of all sets and of the trees over the searched set, which is skipped if it is still valid from an
    /// earlier query.
    pub(crate) fn prepare<'a>(&'a self, recording: &mut Recording<'a>, query: &Search) -> Prepared {
        let brute = self.is_brute();
        let prepared = Prepared {
            revision: self.sets[0].revision(),
            flags: Self::flags(&Facts { classes: self.sets[0].facts.classes, ..query.facts }),
            varying: query.facts.varying,
            whole: query.whole,
            distance: query.narrow.distance(),
            margins: query.narrow.has_margins() && self.sets[0].has_margins,
            fine: query.fine,
        };
        // (What rays descend serves pairs too.)
        let finer = Prepared { fine: true, ..prepared };
        let prepared = if self.prepared == Some(finer) { finer } else { prepared };
        if self.prepared != Some(prepared) {
            self.prepare_set(recording, 0, query, brute);
            if !brute {
                let counts = levels(self.slots_of(0).clusters());
                let mut below = 0;
                for level in 1..=top(&counts) {
                    let (children, first) = (counts[level - 1], below + counts[level - 1]);
                    let params = build_tree::Params { first_child: below, children, first_node: first };
                    let buffers = build_tree::Buffers { nodes: &self.nodes, status: &self.status };
                    recording.run(&stages::BUILD_TREE, children.div_ceil(THREADS), &params, &buffers);
                    below = first;
                }
            }
            if query.fine {
                self.build_ray_tree(recording, query, brute);
            }
        }
        if query.between {
            self.prepare_set(recording, 1, query, self.sets[1].len <= self.brute_force_limit);
        }
        prepared
    }
}
