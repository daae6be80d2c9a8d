//! Rays: the bodies that they may hit, and when they enter these.

use super::ray_tree::RayTree;
use crate::gpu::abi::{
    BODY_THREADS, BUNDLE_SIDE, HAS_FILTERS, RAY_STEPS, RAYS_ALL, THREADS, WIDTH, WORLDS, cast_bundles, cast_rays,
    hull_hits, list_nearest, pick_hits, publish_hits, reach_nearest, time_hits,
};
use crate::gpu::bins::Bins;
use crate::gpu::device::Device;
use crate::gpu::failure::Attempt;
use crate::gpu::runner::Recording;
use crate::gpu::stages;
use crate::gpu::workspace::{Memory, Search};

/// The steps after which a point stops to look for what is nearest, and more of them for each body: what it has found by then is a bound too.
const REACH_STEPS: u32 = 4096;
const REACH_STEPS_EACH: u32 = 64;
/// Points that a thread looks at one after the other, at most, and so many threads before they look at more than one: enough for large devices.
const POINTS_EACH: u32 = 8;
const POINTS_AT_ONCE: u32 = 1 << 17;
/// How many of the bodies that rays list a thread looks at in stages that do little with each, at most, so that fewer workgroups wait for the status block; and
/// how many threads there are before any of them looks at more than one.
const ENTRIES_EACH: u64 = 8;
const ENTRIES_AT_ONCE: u64 = 1 << 17;
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
    /// Whether rays that go nearly the same way are cast together, and how many are in a row: 0 if those follow one another.
    pub(crate) row: Option<u32>,
}

impl Memory {
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

    /// Makes room for the distances of the points in the searching set from so many bodies, and for the margins that they get.
    pub(crate) async fn reserve_closest(&mut self, device: &Device, count: u32) -> Attempt<()> {
        self.reserve_ray_tree(device).await?;
        let slots = self.slots_of(1);
        let at_once = if count > 1 { self.points_at_once(count) } else { slots.end_slot - slots.first_slot };
        let listed = u64::from(count) * u64::from(at_once);
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
            nodes: tree.nodes,
            bounds: tree.bounds,
            bodies: tree.slots,
            zero: 0,
            flags,
            first_slot: slots.first_slot,
            end_slot: slots.end_slot,
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

    /// Records that the nearest bodies which are known of the points in these clusters are listed as hits.
    pub(super) fn list_nearest<'a>(&'a self, recording: &mut Recording<'a>, (first_cluster, end_cluster): (u32, u32)) {
        let Bins { bits: bin_bits, room: bin_size, .. } = self.capacity.bins;
        let (first_slot, end_slot) = (WIDTH * first_cluster, WIDTH * end_cluster);
        let params = list_nearest::Params {
            bin_first: self.capacity.bins.first(),
            bin_size,
            bin_bits,
            points: self.slots_of(1).first_slot,
            first_slot,
            end_slot,
        };
        let buffers = list_nearest::Buffers {
            slot_shapes: &self.slot_shapes,
            nearest: &self.nearest,
            hits: &self.hits,
            rows: &self.rows,
            status: &self.status,
        };
        recording.run(&stages::LIST_NEAREST, (end_slot - first_slot).div_ceil(THREADS), &params, &buffers);
    }

    /// Records that rays which go nearly the same way are cast together. What they leave goes on in `cast_rays`.
    fn cast_bundles<'a>(&'a self, recording: &mut Recording<'a>, query: &Search, casting: &Casting, row: u32) {
        let levels = RayTree::new(self.slots_of(0).end_slot);
        let &Casting { rays, vectors, traits, mode, .. } = casting;
        let flags = Self::flags(&query.facts);
        let has_traits = flags & (HAS_FILTERS | WORLDS) != 0;
        let groups = match row {
            0 => rays.div_ceil(BUNDLE_SIDE * BUNDLE_SIDE),
            _ => row.div_ceil(BUNDLE_SIDE) * rays.div_ceil(row).div_ceil(BUNDLE_SIDE),
        };
        let params = cast_bundles::Params {
            nodes: levels.nodes,
            bounds: levels.bounds,
            bodies: levels.slots,
            traits,
            zero: 0,
            flags,
            rays,
            ray_vectors: vectors,
            mode,
            width: row,
            groups,
            extra_room: self.capacity.rays[0],
        };
        let buffers = cast_bundles::Buffers {
            rays: &self.listed,
            tree: &self.ray_tree,
            slot_shapes: &self.slot_shapes,
            slot_rotations: &self.slot_rotations,
            slot_traits: if has_traits { &self.slot_traits } else { &self.unused[0] },
            states: &self.ray_states,
            hits: &self.ray_hits,
            status: &self.status,
        };
        recording.run(&stages::CAST_BUNDLES, groups, &params, &buffers);
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
        let &Casting { rays, vectors, traits, mode, row } = casting;
        let mut begin = begin;
        let (mut each, mut groups) = (1, u64::from(rays.div_ceil(BODY_THREADS)));
        if let Some(row) = row.filter(|_| begin) {
            self.cast_bundles(recording, query, casting, row);
            // (Most rays are done with.)
            begin = false;
            (each, groups) = self.entries_of_threads(rays.into());
        }
        let flags = Self::flags(&query.facts);
        let has_traits = flags & (HAS_FILTERS | WORLDS) != 0;
        let [extra_room, _] = self.capacity.rays;
        let (tree, status, hits) = (&self.ray_tree, &self.status, &self.ray_hits);
        let params = cast_rays::Params {
            nodes: levels.nodes,
            bounds: levels.bounds,
            bodies: levels.slots,
            traits,
            zero: 0,
            flags,
            rays,
            ray_vectors: vectors,
            mode,
            begin: u32::from(begin),
            steps: self.ray_steps.min(RAY_STEPS),
            each,
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
        recording.run(&stages::CAST_RAYS, groups, &params, &buffers);
    }

    /// How many entries of rays each thread looks at, and how many workgroups that makes.
    fn entries_of_threads(&self, entries: u64) -> (u32, u64) {
        let threads = if self.least > 1 { ENTRIES_AT_ONCE } else { 1 };
        let each = (entries / threads).clamp(1, ENTRIES_EACH) as u32;
        (each, entries.div_ceil(u64::from(BODY_THREADS * each)))
    }

    /// Records that the hits of rays that have come to their ends are timed and picked. (Without planes those of hulls are left to the host.)
    pub(crate) fn time_rays<'a>(&'a self, recording: &mut Recording<'a>, casting: &Casting, has_planes: bool) {
        let &Casting { rays, vectors, mode, .. } = casting;
        let [extra_room, open_room] = self.capacity.rays;
        let (tree, status, hits) = (&self.ray_tree, &self.status, &self.ray_hits);
        for best in [&self.best_times, &self.best_bodies] {
            recording.clear(best.buffer(), 0..4 * u64::from(rays));
        }
        let entries = u64::from(rays) + u64::from(extra_room);
        let groups = entries.div_ceil(u64::from(BODY_THREADS));
        if has_planes {
            let params = hull_hits::Params { zero: 0, rays, ray_vectors: vectors, extra_room };
            let buffers = hull_hits::Buffers {
                rays: &self.listed,
                tree,
                slot_shapes: &self.slot_shapes,
                slot_rotations: &self.slot_rotations,
                hull_planes: &self.sets[0].hull_planes,
                hits,
                status,
            };
            recording.run(&stages::HULL_HITS, groups, &params, &buffers);
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
        recording.run(&stages::TIME_HITS, groups, &params, &buffers);
        let (each, groups) = self.entries_of_threads(entries);
        let params = pick_hits::Params { rays, extra_room, each, open_room };
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
        let all = u64::from(rays) + u64::from(extra_room);
        let (each, groups) = self.entries_of_threads(all);
        let params = publish_hits::Params { rays, ray_vectors: vectors, mode, extra_room, each };
        let buffers = publish_hits::Buffers {
            rays: &self.listed,
            hits: &self.ray_hits,
            best_times: &self.best_times,
            best_bodies: &self.best_bodies,
            marks: &self.ray_marks,
            results: &self.ray_results,
            status: &self.status,
        };
        let published = if mode == RAYS_ALL { all } else { u64::from(rays) };
        recording.run(&stages::MARK_OPEN_RAYS, groups, &params, &buffers);
        recording.run(&stages::PUBLISH_HITS, published.div_ceil(u64::from(BODY_THREADS * each)), &params, &buffers);
    }
}
