//! Modules of rays.

use super::constants::BINS;
use super::module::{Atomic, Read, Write, kernels};

kernels! {
    /// Copies the bounds of slots to the tree that rays descend, and computes where they are along the curve.
    ray_keys in "queries/ray_keys" {
        params {
            /// As those of `curve_keys`; without bits if slots are in no order.
            origin: [f32; 3],
            scale: f32,
            giant: f32,
            flags: u32,
            curve_bits: u32,
            thin_axis: u32,
            /// The slots of bodies, and where their keys and the nodes begin in the tree.
            slots: u32,
            keys: u32,
            nodes: u32,
        }
        buffers {
            slot_bounds: Read<[u32; 4]>,
            slot_shapes: Read<[u32; 4]>,
            slot_traits: Read<[u32; 4]>,
            /// The grid of the curve, where the device has measured it.
            grid: Read<u32>,
            /// Bounds of slots with their ids and tags, two elements each; then nodes, four each; then the bounds of nodes with their lowest and their
            /// highest worlds, two each. Until there are bounds, worlds and keys of slots are in their place, an element for two of them.
            tree: Write<[u32; 4]>,
        }
    }

    /// Builds a level of the tree that rays descend.
    ray_tree in "queries/ray_tree" {
        params {
            /// The level, of which 0 is the highest, and how many slots the children of a node may have.
            level: u32,
            most: u32,
            /// Workgroups, and how often each begins again.
            groups: u32,
            rounds: u32,
            flags: u32,
            /// Where keys, nodes and their bounds begin.
            keys: u32,
            nodes: u32,
            bounds: u32,
        }
        buffers {
            slot_traits: Read<[u32; 4]>,
            /// As that of `ray_keys`.
            tree: Write<[u32; 4]>,
        }
    }

    /// How far the nearest bodies of points are at most.
    reach_nearest in "queries/reach_nearest" {
        params {
            /// As those of `cast_rays`.
            nodes: u32,
            bounds: u32,
            bodies: u32,
            /// Always 0, which compilers cannot know: it keeps them from rearranging float arithmetic.
            zero: u32,
            flags: u32,
            /// The slots of the points.
            first_slot: u32,
            end_slot: u32,
            /// How many points each thread looks at: one, unless each looks for one body alone.
            each: u32,
            /// How many bodies each point looks for, and after how many steps it stops.
            count: u32,
            steps: u32,
            /// How far they may be; the greatest number if that does not matter.
            within: f32,
        }
        buffers {
            slot_bounds: Read<[u32; 4]>,
            tree: Read<[u32; 4]>,
            slot_shapes: Read<[u32; 4]>,
            slot_rotations: Read<[u32; 4]>,
            slot_traits: Read<[u32; 4]>,
            /// The least distances of each point, if several bodies are looked for; else the nearest body of each slot, if it is known.
            nearest: Write<u32>,
            /// The margin of each point, marked if its nearest body is known.
            margins: Write<u32>,
        }
    }

    /// Lists the nearest bodies that are known.
    list_nearest in "queries/list_nearest" {
        params {
            /// The first hit of each bin, and the bin's capacity.
            bin_first: [u32; BINS],
            bin_size: [u32; BINS],
            bin_bits: u32,
            /// The slots of all points, and of those that are looked at.
            points: u32,
            first_slot: u32,
            end_slot: u32,
        }
        buffers {
            slot_shapes: Read<[u32; 4]>,
            /// As that of `reach_nearest`.
            nearest: Read<u32>,
            /// As those of the narrow phase.
            hits: Write<[u32; 2]>,
            rows: Atomic<u32>,
        }
    }

    /// Casts rays that go nearly the same way together.
    cast_bundles in "queries/cast_bundles" {
        params {
            /// The traits of all rays: layer, mask, group and world.
            traits: [u32; 4],
            /// As those of `cast_rays`.
            nodes: u32,
            bounds: u32,
            bodies: u32,
            zero: u32,
            flags: u32,
            rays: u32,
            /// 2.
            ray_vectors: u32,
            /// `RAYS_NEAREST` or `RAYS_ANY`.
            mode: u32,
            /// The rays of a row of a picture; 0 if rays that follow one another go together.
            width: u32,
            /// Workgroups.
            groups: u32,
            /// As that of `cast_rays`.
            extra_room: u32,
        }
        buffers {
            /// As those of `cast_rays`.
            rays: Read<[u32; 4]>,
            tree: Read<[u32; 4]>,
            slot_shapes: Read<[u32; 4]>,
            slot_rotations: Read<[u32; 4]>,
            slot_traits: Read<[u32; 4]>,
            /// The highest node for rays that are to begin, otherwise `ABSENT`.
            states: Write<[u32; 4]>,
            /// As those of `cast_rays`.
            hits: Write<[u32; 4]>,
        }
    }

    /// Casts rays, and lists the bodies that they may hit.
    cast_rays in "queries/cast_rays" {
        params {
            /// The traits of all rays, if they do not have their own: layer, mask, group and world.
            traits: [u32; 4],
            /// Where nodes and their bounds begin in the tree.
            nodes: u32,
            bounds: u32,
            /// The slots of bodies.
            bodies: u32,
            /// Always 0, which compilers cannot know: it keeps them from rearranging float arithmetic.
            zero: u32,
            flags: u32,
            /// The number of rays, and the vectors of each: 2, or 3 with traits.
            rays: u32,
            ray_vectors: u32,
            /// `RAYS_NEAREST`, `RAYS_ANY` or `RAYS_ALL`.
            mode: u32,
            /// 1 if rays begin, 0 if they go on from where they stopped.
            begin: u32,
            /// The steps after which a ray stops.
            steps: u32,
            /// The rays of each thread: several if few are left.
            each: u32,
            /// The capacity for bodies that are listed apart from one for each ray.
            extra_room: u32,
        }
        buffers {
            /// Origin and last time; direction and the bits `RAY_…`; traits.
            rays: Read<[u32; 4]>,
            tree: Read<[u32; 4]>,
            slot_shapes: Read<[u32; 4]>,
            slot_rotations: Read<[u32; 4]>,
            slot_traits: Read<[u32; 4]>,
            /// The node at which a ray has stopped, and four bits for each node above it: which children are left. The first word is `ABSENT` if the ray
            /// has come to its end.
            states: Write<[u32; 4]>,
            /// Ray and marked slot; `ABSENT` in place of a slot if there is none. Of a ray that has stopped, then the last time that matters.
            hits: Write<[u32; 4]>,
        }
    }

    /// Computes when rays enter the hulls that they may hit.
    hull_hits in "queries/hull_hits" {
        params {
            /// Always 0, which compilers cannot know.
            zero: u32,
            rays: u32,
            ray_vectors: u32,
            extra_room: u32,
        }
        buffers {
            rays: Read<[u32; 4]>,
            tree: Read<[u32; 4]>,
            slot_shapes: Read<[u32; 4]>,
            slot_rotations: Read<[u32; 4]>,
            /// Of each local form where the planes of its faces begin, and how many they are; and then all planes, two elements each: the normal and the offset,
            /// in double words.
            hull_planes: Read<[u32; 4]>,
            /// Ray and marked slot; then, of a hull, also the time, and the verdict plus 1.
            hits: Write<[u32; 4]>,
        }
    }

    /// Computes when rays enter the bodies that they may hit.
    time_hits in "queries/time_hits" with quick_doubles {
        params {
            /// Always 0, which compilers cannot know.
            zero: u32,
            rays: u32,
            ray_vectors: u32,
            mode: u32,
            extra_room: u32,
        }
        buffers {
            rays: Read<[u32; 4]>,
            tree: Read<[u32; 4]>,
            slot_shapes: Read<[u32; 4]>,
            slot_rotations: Read<[u32; 4]>,
            /// Ray and marked slot, of a hull with what `hull_hits` has found; then ray, body, time and verdict.
            hits: Write<[u32; 4]>,
            /// The inverted bits of the least time of each ray; 0 if it has no hit.
            best_times: Atomic<u32>,
        }
    }

    /// Writes the hits of rays for shaders of the caller's.
    publish_hits in "queries/publish_hits" {
        params {
            rays: u32,
            ray_vectors: u32,
            mode: u32,
            extra_room: u32,
            /// The entries of each thread.
            each: u32,
        }
        buffers {
            rays: Read<[u32; 4]>,
            /// Ray, body, time and verdict.
            hits: Read<[u32; 4]>,
            best_times: Read<u32>,
            best_bodies: Read<u32>,
            /// 1 for each ray of which a hit is open.
            marks: Atomic<u32>,
            /// Ray, body or `ABSENT`, time in units of the ray's direction as it was given, and 1 if that is undecided.
            results: Write<[u32; 4]>,
        }
    }

    /// Picks the lowest body of each ray's hits with the least time, and lists what is open.
    pick_hits in "queries/pick_hits" {
        params {
            rays: u32,
            extra_room: u32,
            /// The entries of each thread.
            each: u32,
            /// The capacity for open pairs.
            open_room: u32,
        }
        buffers {
            /// Ray, body, time and verdict.
            hits: Read<[u32; 4]>,
            best_times: Read<u32>,
            /// The inverted id of each ray's nearest body.
            best_bodies: Atomic<u32>,
            /// Ray and body.
            opens: Write<[u32; 2]>,
        }
    }
}
