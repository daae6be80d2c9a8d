//! Rays: the tree that they descend, the bodies that they may hit, and when they enter these.

use crate::gpu::abi::{
    BODY_THREADS, HAS_FILTERS, RAY_LEVELS, RAY_STEPS, RAYS_ALL, WORLDS, cast_rays, pick_hits, publish_hits, ray_tree,
    reach_nearest, time_hits,
};
use crate::gpu::device::Device;
use crate::gpu::failure::Attempt;
use crate::gpu::runner::Recording;
use crate::gpu::stages;
use crate::gpu::workspace::{Memory, Search};

/// The tree that rays descend, eight nodes below a node. Level 0 are the slots. Places are in vectors of four words.
struct RayTree {
    /// Where each level begins, and how many nodes it has.
    first: [u32; RAY_LEVELS],
    count: [u32; RAY_LEVELS],
    /// The level with one node, which is at least 1.
    top: usize,
    /// How far behind a node the worlds of its children are.
    worlds: u32,
    /// Where the bounds of nodes are that a dispatch leaves for the next, by level.
    bounds: [u32; RAY_LEVELS],
    /// How many vectors there are.
    vectors: u32,
}

impl RayTree {
    /// The levels that one dispatch builds.
    const AT_ONCE: usize = 3;

    fn new(slots: u32) -> Self {
        // (Buffers of 4 GiB, which is the most that devices bind, hold the bounds of so many.)
        debug_assert!(slots <= 1 << 27, "{slots}");
        let (mut first, mut count, mut top) = ([0; RAY_LEVELS], [0; RAY_LEVELS], 1);
        count[0] = slots;
        let nodes = (2 * slots).next_multiple_of(4);
        let mut end = nodes;
        for level in 1..RAY_LEVELS {
            first[level] = end;
            count[level] = count[level - 1].div_ceil(8);
            end += 4 * count[level];
            top = level;
            if count[level] <= 1 {
                break;
            }
        }
        let worlds = end - nodes;
        let mut vectors = end + worlds;
        let mut bounds = [0; RAY_LEVELS];
        for level in (Self::AT_ONCE..=top).step_by(Self::AT_ONCE) {
            bounds[level] = vectors;
            vectors += 2 * count[level];
        }
        Self { first, count, top, worlds, bounds, vectors }
    }
}

/// The steps after which a point stops to look for what is nearest, and more of them for each body: what it has found by then is a bound too.
const REACH_STEPS: u32 = 4096;
const REACH_STEPS_EACH: u32 = 64;
/// Points that a thread looks at one after the other, at most, and so many threads before they look at more than one: enough for large devices.
const POINTS_EACH: u32 = 8;
const POINTS_AT_ONCE: u32 = 1 << 17;
/// The distances that points list at once, unless one workgroup needs more: 64 MiB.
const NEAREST_ROOM: u32 = 1 << 24;

/// What rays are cast with.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Casting {
    pub(crate) rays: u32,
    /// Vectors of each ray: 2, or 3 with traits of its own.
    pub(crate) vectors: u32,
    /// The traits of all rays otherwise.
    pub(crate) traits: [u32; 4],
    /// `RAYS_NEAREST`, `RAYS_ANY` or `RAYS_ALL`.
    pub(crate) mode: u32,
}

impl Memory {
    /// Makes room for the tree that rays descend.
    pub(crate) async fn reserve_ray_tree(&mut self, device: &Device) -> Attempt<()> {
        let tree = RayTree::new(self.slots_of(0).end_slot);
        self.ray_tree.reserve(device, 16 * u64::from(tree.vectors)).await?;
        Ok(())
    }

    /// Makes room for these rays, and for what they may hit according to the learned capacity.
    pub(crate) async fn reserve_rays(&mut self, device: &Device, casting: &Casting) -> Attempt<()> {
        let rays = u64::from(casting.rays);
        let least = if self.least > 1 { [self.least.max(casting.rays / 8), self.least] } else { [1, 1] };
        for (room, least) in self.capacity.rays.iter_mut().zip(least) {
            *room = (*room).max(least);
        }
        let [extras, opens] = self.capacity.rays.map(u64::from);
        self.listed.reserve(device, 16 * rays * u64::from(casting.vectors)).await?;
        self.ray_states.reserve(device, 16 * rays).await?;
        self.ray_hits.reserve(device, 16 * (rays + extras)).await?;
        self.best_times.reserve(device, 4 * rays).await?;
        self.best_bodies.reserve(device, 4 * rays).await?;
        self.ray_opens.reserve(device, 8 * opens).await?;
        Ok(())
    }

    /// Records the tree that rays descend, three levels at a time.
    pub(crate) fn build_ray_tree<'a>(&'a self, recording: &mut Recording<'a>, query: &Search) {
        let tree = RayTree::new(self.slots_of(0).end_slot);
        let flags = Self::flags(&query.facts);
        let has_traits = flags & (HAS_FILTERS | WORLDS) != 0;
        let buffers = ray_tree::Buffers {
            slot_bounds: &self.slot_bounds,
            slot_traits: if has_traits { &self.slot_traits } else { &self.unused[0] },
            tree: &self.ray_tree,
            status: &self.status,
        };
        for below in (0..tree.top).step_by(RayTree::AT_ONCE) {
            let part = |all: &[u32; RAY_LEVELS]| {
                std::array::from_fn(|k| if below + k <= tree.top { all[below + k] } else { 0 })
            };
            let mut params = ray_tree::Params {
                level_first: part(&tree.first),
                level_count: part(&tree.count),
                flags,
                from_slots: u32::from(below == 0),
                bounds: tree.bounds[below + RayTree::AT_ONCE],
                worlds: tree.worlds,
            };
            if below > 0 {
                params.level_first[0] = tree.bounds[below];
            }
            recording.run(&stages::RAY_TREE, tree.count[below + 1].div_ceil(BODY_THREADS), &params, &buffers);
        }
    }

    /// Makes room for the distances of the points in the searching set from so many bodies, and for the margins that they get.
    pub(crate) async fn reserve_closest(&mut self, device: &Device, count: u32) -> Attempt<()> {
        self.reserve_ray_tree(device).await?;
        let listed = if count > 1 { u64::from(count) * u64::from(self.points_at_once(count)) } else { 1 };
        self.nearest.reserve(device, 4 * listed).await?;
        Ok(())
    }

    /// How many slots of points look for so many bodies in one dispatch: their lists share what room there is.
    fn points_at_once(&self, count: u32) -> u32 {
        let slots = self.slots_of(1);
        let room = if self.least > 1 { NEAREST_ROOM / count.max(1) } else { 1 };
        (room / BODY_THREADS * BODY_THREADS).clamp(BODY_THREADS, (slots.end_slot - slots.first_slot).max(BODY_THREADS))
    }

    /// Records the margins of the points in the searching set: how far the nearest bodies of each are at most. The tree that rays descend must
    /// have been built.
    pub(super) fn reach_nearest<'a>(
        &'a self,
        recording: &mut Recording<'a>,
        query: &Search,
        (count, within): (u32, f32),
    ) {
        let (tree, slots) = (RayTree::new(self.slots_of(0).end_slot), self.slots_of(1));
        let flags = Self::flags(&query.facts);
        let at_once = if count > 1 { self.points_at_once(count) } else { slots.end_slot - slots.first_slot };
        let mut params = reach_nearest::Params {
            level_first: tree.first,
            worlds: tree.worlds,
            bodies: tree.count[0],
            zero: 0,
            flags,
            first_slot: slots.first_slot,
            end_slot: slots.end_slot,
            top: tree.top as u32,
            count,
            each: 1,
            steps: REACH_STEPS.saturating_add(REACH_STEPS_EACH.saturating_mul(count)),
            within: within.min(f32::MAX),
        };
        let has_traits = flags & (HAS_FILTERS | WORLDS) != 0;
        let buffers = reach_nearest::Buffers {
            slot_bounds: &self.slot_bounds,
            tree: &self.ray_tree,
            slot_shapes: &self.slot_shapes,
            slot_rotations: &self.slot_rotations,
            slot_traits: if has_traits { &self.slot_traits } else { &self.unused[0] },
            nearest: &self.nearest,
            margins: &self.sets[1].margins,
            status: &self.status,
        };
        for first in (slots.first_slot..slots.end_slot).step_by(at_once.max(1) as usize) {
            (params.first_slot, params.end_slot) = (first, slots.end_slot.min(first.saturating_add(at_once)));
            let points = params.end_slot - first;
            let threads = if self.least > 1 { POINTS_AT_ONCE } else { 1 };
            params.each = if count == 1 { (points / threads).clamp(1, POINTS_EACH) } else { 1 };
            let groups = points.div_ceil(BODY_THREADS * params.each);
            recording.run(&stages::REACH_NEAREST, groups, &params, &buffers);
        }
    }

    /// Records that rays are cast, from their beginnings or from where they stopped.
    pub(crate) fn cast_rays<'a>(
        &'a self,
        recording: &mut Recording<'a>,
        query: &Search,
        casting: &Casting,
        begin: bool,
    ) {
        let levels = RayTree::new(self.slots_of(0).end_slot);
        let &Casting { rays, vectors, traits, mode } = casting;
        let flags = Self::flags(&query.facts);
        let has_traits = flags & (HAS_FILTERS | WORLDS) != 0;
        let [extra_room, _] = self.capacity.rays;
        let (tree, status, hits) = (&self.ray_tree, &self.status, &self.ray_hits);
        let params = cast_rays::Params {
            level_first: levels.first,
            worlds: levels.worlds,
            bodies: levels.count[0],
            traits,
            zero: 0,
            flags,
            rays,
            ray_vectors: vectors,
            mode,
            top: levels.top as u32,
            begin: u32::from(begin),
            steps: self.ray_steps.min(RAY_STEPS),
            extra_room,
        };
        let buffers = cast_rays::Buffers {
            rays: &self.listed,
            tree,
            slot_shapes: &self.slot_shapes,
            slot_rotations: &self.slot_rotations,
            slot_traits: if has_traits { &self.slot_traits } else { &self.unused[0] },
            states: &self.ray_states,
            hits,
            status,
        };
        recording.run(&stages::CAST_RAYS, rays.div_ceil(BODY_THREADS), &params, &buffers);
    }

    /// Records that the hits of rays that have come to their ends are timed and picked.
    pub(crate) fn time_rays<'a>(&'a self, recording: &mut Recording<'a>, casting: &Casting) {
        let &Casting { rays, vectors, mode, .. } = casting;
        let [extra_room, open_room] = self.capacity.rays;
        let (tree, status, hits) = (&self.ray_tree, &self.status, &self.ray_hits);
        for best in [&self.best_times, &self.best_bodies] {
            recording.clear(best.buffer(), 0..4 * u64::from(rays));
        }
        let params = time_hits::Params { zero: 0, rays, ray_vectors: vectors, mode, extra_room };
        let buffers = time_hits::Buffers {
            rays: &self.listed,
            tree,
            slot_shapes: &self.slot_shapes,
            slot_rotations: &self.slot_rotations,
            hits,
            best_times: &self.best_times,
            status,
        };
        let groups = (u64::from(rays) + u64::from(extra_room)).div_ceil(u64::from(BODY_THREADS));
        recording.run(&stages::TIME_HITS, groups, &params, &buffers);
        let params = pick_hits::Params { rays, extra_room, open_room };
        let buffers = pick_hits::Buffers {
            hits,
            best_times: &self.best_times,
            best_bodies: &self.best_bodies,
            opens: &self.ray_opens,
            status,
        };
        recording.run(&stages::PICK_HITS, groups, &params, &buffers);
    }

    /// Makes room for hits that shaders of the caller's read.
    pub(crate) async fn reserve_ray_results(&mut self, device: &Device, casting: &Casting) -> Attempt<()> {
        let rays = u64::from(casting.rays);
        let extras = if casting.mode == RAYS_ALL { u64::from(self.capacity.rays[0]) } else { 0 };
        self.ray_marks.reserve(device, 4 * rays.max(1)).await?;
        self.ray_results.reserve(device, 16 * (rays + extras).max(1)).await?;
        Ok(())
    }

    /// Records that hits are written for shaders of the caller's.
    pub(crate) fn publish_hits<'a>(&'a self, recording: &mut Recording<'a>, casting: &Casting) {
        let &Casting { rays, vectors, mode, .. } = casting;
        let extra_room = self.capacity.rays[0];
        recording.clear(self.ray_marks.buffer(), 0..4 * u64::from(rays));
        let params = publish_hits::Params { rays, ray_vectors: vectors, mode, extra_room };
        let buffers = publish_hits::Buffers {
            rays: &self.listed,
            hits: &self.ray_hits,
            best_times: &self.best_times,
            best_bodies: &self.best_bodies,
            marks: &self.ray_marks,
            results: &self.ray_results,
            status: &self.status,
        };
        let all = (u64::from(rays) + u64::from(extra_room)).div_ceil(u64::from(BODY_THREADS));
        let published = if mode == RAYS_ALL { all } else { u64::from(rays.div_ceil(BODY_THREADS)) };
        recording.run(&stages::MARK_OPEN_RAYS, all, &params, &buffers);
        recording.run(&stages::PUBLISH_HITS, published, &params, &buffers);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gpu::abi::RAY_STACK;

    #[test]
    fn levels_end_with_one_node() {
        for slots in [32, 64, 4096, 5024, 1 << 20, 1 << 27] {
            let RayTree { count, first, top, worlds, bounds, vectors } = RayTree::new(slots);
            assert_eq!((count[0], count[top]), (slots, 1), "{slots}");
            assert!(count[top - 1] > 1 && 7 * top < RAY_STACK as usize, "{slots}");
            // Nodes are one behind the other, then their worlds, then bounds.
            assert_eq!(first[1], 2 * slots);
            assert!((2..=top).all(|level| first[level] == first[level - 1] + 4 * count[level - 1]));
            assert_eq!(first[top] + 4, first[1] + worlds);
            let all: u32 = (3..=top).step_by(3).map(|level| 2 * count[level]).sum();
            assert!(top < 3 || bounds[3] == first[1] + 2 * worlds, "{slots}");
            assert_eq!(vectors, first[1] + 2 * worlds + all);
        }
    }
}
