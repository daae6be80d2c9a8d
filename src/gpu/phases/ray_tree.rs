//! The tree that rays and points descend.

use crate::gpu::abi::{BODY_THREADS, RAY_LEVELS, WORLDS, ray_keys, ray_tree};
use crate::gpu::device::Device;
use crate::gpu::failure::Attempt;
use crate::gpu::runner::Recording;
use crate::gpu::stages;
use crate::gpu::workspace::{Memory, Search};

/// Where the parts of the tree are, in vectors of four words: first the bounds of slots.
pub(super) struct RayTree {
    pub(super) slots: u32,
    /// Nodes, four vectors each.
    pub(super) nodes: u32,
    /// The bounds of nodes, two vectors each; and in their place the keys of slots, until there are bounds.
    pub(super) bounds: u32,
    /// How many vectors there are.
    vectors: u32,
    /// How many nodes there are at most.
    most_nodes: u32,
    /// How many levels of nodes there may be.
    levels: u32,
}

/// Levels that a tree may have more than one with four children in each node: it is cut where cells of the curve end, and not into equal parts.
const MORE_LEVELS: u32 = 3;
/// The most workgroups that build a level.
const GROUPS: u32 = 4096;

impl RayTree {
    pub(super) fn new(slots: u32) -> Self {
        // (Buffers of 4 GiB, which is the most that devices bind, hold the nodes of so many.)
        debug_assert!(slots <= 1 << 27, "{slots}");
        // A node of s slots has at most (2 s - 1) / 3 nodes, itself and those below: none for a slot, one for up to four slots. One with four
        // children has as many as they have, and itself; and fewer children has only one all of whose children are slots or have up to four.
        let most_nodes = 2 * slots / 3 + 1;
        let (nodes, mut levels) = (2 * slots, 1);
        while 1_u64 << (2 * levels) < u64::from(slots) {
            levels += 1;
        }
        let levels = levels + MORE_LEVELS;
        debug_assert!(levels as usize <= RAY_LEVELS, "{levels}");
        let bounds = nodes + 4 * most_nodes;
        Self { slots, nodes, bounds, vectors: bounds + 2 * most_nodes, most_nodes, levels }
    }

    /// How many nodes a level may have.
    fn most_of(&self, level: u32) -> u32 {
        1_u32.checked_shl(2 * level).filter(|most| *most > 0).map_or(self.most_nodes, |most| most.min(self.most_nodes))
    }

    /// How many slots a child of a node of this level may have, so that the levels below it suffice.
    fn most_below(&self, level: u32) -> u32 {
        let below = 2 * (self.levels - 1 - level);
        1_u32.checked_shl(below).unwrap_or(u32::MAX)
    }
}

impl Memory {
    /// Makes room for the tree that rays descend.
    pub(crate) async fn reserve_ray_tree(&mut self, device: &Device) -> Attempt<()> {
        let tree = RayTree::new(self.slots_of(0).end_slot);
        if self.ray_tree.reserve(device, 16 * u64::from(tree.vectors)).await? {
            self.prepared = None;
        }
        Ok(())
    }

    /// Records the tree that rays descend.
    pub(super) fn build_ray_tree<'a>(&'a self, recording: &mut Recording<'a>, query: &Search, brute: bool) {
        let tree = RayTree::new(self.slots_of(0).end_slot);
        let flags = Self::flags(&query.facts);
        let slot_traits = if flags & WORLDS != 0 { &self.slot_traits } else { &self.unused[0] };
        let curve = self.curve_params(0, flags, query);
        let params = ray_keys::Params {
            origin: curve.origin,
            scale: curve.scale,
            giant: curve.giant,
            flags: curve.flags,
            curve_bits: if brute { 0 } else { curve.curve_bits },
            thin_axis: curve.thin_axis,
            slots: tree.slots,
            keys: tree.bounds,
            nodes: tree.nodes,
        };
        let buffers = ray_keys::Buffers {
            slot_bounds: &self.slot_bounds,
            slot_shapes: &self.slot_shapes,
            slot_traits,
            grid: if query.measured { &self.grid } else { &self.unused[1] },
            tree: &self.ray_tree,
            status: &self.status,
        };
        recording.run(&stages::RAY_KEYS, (tree.slots / 2).div_ceil(BODY_THREADS), &params, &buffers);
        let buffers = ray_tree::Buffers { slot_traits, tree: &self.ray_tree, status: &self.status };
        let params = |level: u32| {
            let all = tree.most_of(level).div_ceil(BODY_THREADS);
            let groups = all.min(GROUPS);
            ray_tree::Params {
                level,
                most: tree.most_below(level),
                groups,
                rounds: all.div_ceil(groups),
                flags,
                keys: tree.bounds,
                nodes: tree.nodes,
                bounds: tree.bounds,
            }
        };
        for level in 0..tree.levels {
            let params = params(level);
            recording.run(&stages::RAY_SPLIT, params.groups, &params, &buffers);
        }
        for level in (0..tree.levels).rev() {
            let params = params(level);
            recording.run(&stages::RAY_NODES, params.groups, &params, &buffers);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gpu::abi::{RAY_NODE, RAY_STACK};

    #[test]
    fn levels_have_room_for_all_slots() {
        for slots in [32, 64, 4096, 5024, 1 << 20, 1 << 27] {
            let tree = RayTree::new(slots);
            assert!(tree.levels as usize <= RAY_LEVELS && tree.most_of(0) == 1, "{slots}");
            // Four equal parts always have room on the level below.
            let mut most = slots;
            for level in 0..tree.levels {
                most = most.div_ceil(4);
                assert!(most <= tree.most_below(level), "{slots} at {level}");
            }
            assert_eq!((most, tree.most_below(tree.levels - 1)), (1, 1), "{slots}");
            assert!(3 * tree.levels < RAY_STACK && slots <= RAY_NODE, "{slots}");
            assert_eq!(tree.vectors, 2 * slots + 6 * tree.most_nodes);
            // Keys are gone before bounds come.
            assert!(slots / 2 <= 2 * tree.most_nodes, "{slots}");
        }
    }
}
