//! Comparison of rays.

use std::collections::{BTreeMap, BTreeSet};

use super::Compared;
use crate::cast::{Shot, Verdict, entry, meeting, meets};
use crate::gpu::abi::{
    ABSENT, BINS, MARGIN_KNOWN, OUTSIDE_DOMAIN, RAY_CERTAIN, RAY_NODE, RAYS_ALL, RAYS_ANY, RAYS_NEAREST,
    STATUS_BINS_OVERFLOWED, STATUS_HITS, STATUS_RAY_EXTRAS, STATUS_RAY_LEVELS, STATUS_RAYS_OPEN,
    STATUS_RAYS_UNFINISHED, TAG_KIND, cast_bundles, cast_rays, list_nearest, pick_hits, ray_keys, ray_tree,
    reach_nearest,
};
use crate::gpu::twin::cast_rays::slot_record;
use crate::gpu::twin::reach_nearest::distances;
use crate::shape::hull_record;
use crate::shape::kinds::{Kind, decode};

/// Bounds are equal, and nearly all keys.
pub(super) fn ray_keys(params: &ray_keys::Params, compared: Compared<'_, ray_keys::Kernels>) {
    let Compared { after, twin, .. } = compared;
    let (slots, keys) = (params.slots as usize, params.keys as usize);
    assert!(after.tree[..2 * slots] == twin.tree[..2 * slots], "the bounds of slots");
    assert_eq!(after.tree[params.nodes as usize], twin.tree[params.nodes as usize]);
    assert_eq!(after.tree[params.nodes as usize + 2], twin.tree[params.nodes as usize + 2]);
    let pairs = after.tree[keys..].iter().zip(&twin.tree[keys..]).take(slots / 2);
    // (A place near the border of a cell may be rounded to the other side.)
    let equal = pairs.filter(|(a, b)| a == b).count();
    assert!(equal * 10 >= slots / 2 * 9, "ray_keys: {equal} of {} are equal", slots / 2);
    assert_eq!(after.status[STATUS_RAY_LEVELS], 1);
}

/// Nodes have the same children as the twin's, whose nodes may have other numbers.
pub(super) fn ray_split(params: &ray_tree::Params, compared: Compared<'_, ray_tree::Kernels>) {
    let Compared { before, after, twin } = compared;
    let level = STATUS_RAY_LEVELS + params.level as usize;
    let first: u32 = before.status[STATUS_RAY_LEVELS..level].iter().sum();
    let (below, count) = (first + before.status[level], after.status[level + 1]);
    assert_eq!(count, twin.status[level + 1], "the nodes of the level below");
    let mut numbers = BTreeSet::new();
    for node in first..below {
        let at = (params.nodes + 4 * node) as usize;
        for (a, b) in after.tree[at + 3].into_iter().zip(twin.tree[at + 3]) {
            if b == ABSENT || b & RAY_NODE == 0 {
                assert_eq!(a, b, "a child of node {node}");
                continue;
            }
            assert!(a != ABSENT && a & RAY_NODE != 0, "node {node} has {a:#x}, not {b:#x}");
            assert!(numbers.insert(a & !RAY_NODE), "{a:#x} is a child twice");
            let [a, b] = [a, b].map(|child| (params.nodes + 4 * (child & !RAY_NODE)) as usize);
            for k in [0, 2] {
                assert_eq!(after.tree[a + k], twin.tree[b + k], "a node below node {node}");
            }
        }
    }
    assert!(numbers.into_iter().eq(below..below + count), "the numbers of nodes");
}

/// All nodes of the level are equal, but for boxes of children, which contain what they must and are hardly larger.
pub(super) fn ray_nodes(params: &ray_tree::Params, compared: Compared<'_, ray_tree::Kernels>) {
    let Compared { after, twin, .. } = compared;
    let same = |a: u32, b: u32| a == b || f32::from_bits(a) == f32::from_bits(b);
    let level = STATUS_RAY_LEVELS + params.level as usize;
    let first: u32 = twin.status[STATUS_RAY_LEVELS..level].iter().sum();
    for node in first..first + twin.status[level] {
        let at = (params.nodes + 4 * node) as usize;
        let own = (params.bounds + 2 * node) as usize;
        // (A corner that is −0 or +0 may be either.)
        for at in [at, own, own + 1] {
            let [a, b] = [after.tree[at], twin.tree[at]];
            assert!((0..3).all(|k| same(a[k], b[k])) && a[3] == b[3], "node {node}, {at}: {a:x?}, not {b:x?}");
        }
        assert_eq!(after.tree[at + 2][2..], twin.tree[at + 2][2..], "node {node}");
        assert_eq!(after.tree[at + 3], twin.tree[at + 3], "node {node}");
        let bytes = |tree: &[[u32; 4]], k: usize| tree[at + 1 + k / 4][k % 4].to_le_bytes();
        for k in 0..6 {
            for (a, b) in bytes(after.tree, k).into_iter().zip(bytes(twin.tree, k)) {
                // (The difference of two corners may be rounded either way.)
                assert!(a.abs_diff(b) <= 1, "node {node}: {a}, not {b}");
            }
        }
    }
}

/// What a stage that casts rays has been given, and what it and its twin have listed.
struct Cast<'a> {
    rays: &'a [[u32; 4]],
    tree: &'a [[u32; 4]],
    slot_shapes: &'a [[u32; 4]],
    slot_rotations: &'a [[u32; 4]],
    hits: [&'a [[u32; 4]]; 2],
    status: [&'a [u32]; 2],
}

pub(super) fn cast_rays(params: &cast_rays::Params, compared: Compared<'_, cast_rays::Kernels>) {
    let Compared { after, twin, .. } = compared;
    if params.begin == 0 {
        return;
    }
    let &cast_rays::Params { rays, ray_vectors, mode, extra_room, .. } = params;
    let cast = Cast {
        rays: after.rays,
        tree: after.tree,
        slot_shapes: after.slot_shapes,
        slot_rotations: after.slot_rotations,
        hits: [after.hits, twin.hits],
        status: [after.status, twin.status],
    };
    listed_bodies((rays, ray_vectors), mode, extra_room, &cast, |_| false);
}

/// The same of rays that are cast together, of which few are left that are to begin alone.
pub(super) fn cast_bundles(params: &cast_bundles::Params, compared: Compared<'_, cast_bundles::Kernels>) {
    let Compared { after, twin, .. } = compared;
    let &cast_bundles::Params { rays, ray_vectors, mode, extra_room, .. } = params;
    let cast = Cast {
        rays: after.rays,
        tree: after.tree,
        slot_shapes: after.slot_shapes,
        slot_rotations: after.slot_rotations,
        hits: [after.hits, twin.hits],
        status: [after.status, twin.status],
    };
    let is_left = |ray: u32| after.states[ray as usize] == [RAY_NODE, 0, 0, 0];
    let left = (0..rays).filter(|ray| is_left(*ray)).count() as u32;
    let done = (0..rays).filter(|ray| after.states[*ray as usize] == [ABSENT, 0, 0, 0]).count() as u32;
    assert_eq!(left + done, rays, "each ray is done with, or left");
    assert!(4 * left <= rays, "{left} of {rays} rays are left");
    listed_bodies((rays, ray_vectors), mode, extra_room, &cast, is_left);
}

/// The bodies that rays list but for those that are left: kernels may leave out those that cannot matter.
fn listed_bodies(
    (rays, ray_vectors): (u32, u32),
    mode: u32,
    extra_room: u32,
    cast: &Cast<'_>,
    is_left: impl Fn(u32) -> bool,
) {
    let room = |status: &[u32]| status[STATUS_RAY_EXTRAS] <= extra_room;
    let [status, twin_status] = cast.status;
    if status[STATUS_RAYS_UNFINISHED] != 0 || !room(status) || !room(twin_status) {
        return;
    }
    let listed = |hits: &[[u32; 4]], status: &[u32]| {
        let mut by_ray: BTreeMap<u32, BTreeSet<u32>> = BTreeMap::new();
        for &[ray, slot, ..] in &hits[..(rays + status[STATUS_RAY_EXTRAS]) as usize] {
            let slots = by_ray.entry(ray).or_default();
            if slot != ABSENT {
                assert!(slots.insert(slot & !RAY_CERTAIN), "ray {ray} lists slot {slot:#x} twice");
            }
        }
        by_ray
    };
    let (found, all) = (listed(cast.hits[0], status), listed(cast.hits[1], twin_status));
    assert!(found.len() == rays as usize && all.len() == found.len(), "each ray has a place");
    let judge = |ray: u32, slots: &BTreeSet<u32>| {
        let at = (ray_vectors * ray) as usize;
        let numbers = |at: usize| [0, 1, 2].map(|k| f32::from_bits(cast.rays[at][k]));
        let shot = Shot::on_device(numbers(at), numbers(at + 1), f32::from_bits(cast.rays[at][3]));
        // The least (time, id) of the certain hits, all of them, and what is open.
        let (mut best, mut hits, mut opens) = (None, BTreeSet::new(), BTreeSet::new());
        for slot in slots {
            let slot = *slot as usize;
            let kind = Kind::ALL[(cast.tree[2 * slot + 1][3] & TAG_KIND) as usize];
            if kind == Kind::ConvexHull {
                // (Listed wherever the ray meets its bounds.)
                continue;
            }
            let record = slot_record(cast.slot_shapes, cast.slot_rotations, kind, slot);
            let id = cast.tree[2 * slot][3];
            match meeting(&shot, kind, &record) {
                Some(found) if found.verdict == Verdict::Hit => {
                    hits.insert(id);
                    let hit = (found.time.to_bits(), id);
                    best = Some(best.map_or(hit, |best: (u32, u32)| best.min(hit)));
                }
                // (What is open, and is no hit after all, the kernel may leave out by its bounds.)
                Some(found) if found.verdict == Verdict::Open && meets(&shot, &decode(kind, &record, &[])) => {
                    opens.insert((found.time.to_bits(), id));
                }
                // (Of a body outside the domain the kernel also looks at its bounds, which the ray may miss.)
                None if meets(&shot, &decode(kind, &record, &[])) => {
                    opens.insert((entry(&shot, &decode(kind, &record, &[])).to_bits(), id));
                }
                _ => {}
            }
        }
        (best, hits, opens)
    };
    for (ray, slots) in found.iter().filter(|(ray, _)| !is_left(**ray)) {
        let ((best, hits, opens), (all_best, all_hits, all_opens)) = (judge(*ray, slots), judge(*ray, &all[ray]));
        match mode {
            RAYS_NEAREST => {
                assert_eq!(best, all_best, "the nearest hit of ray {ray}");
                let before = |open: &&(u32, u32)| best.is_none_or(|best| **open < best);
                let lost = all_opens.iter().filter(before).find(|open| !opens.contains(open));
                assert_eq!(lost, None, "an open body of ray {ray}");
            }
            // (A kernel stops at the first body that its filter is certain of, which double words may leave open.)
            RAYS_ANY => {
                let [meets, all_meet] =
                    [(best, opens), (all_best, all_opens)].map(|(best, opens)| best.is_some() || !opens.is_empty());
                assert_eq!(meets, all_meet, "whether ray {ray} meets a body");
            }
            RAYS_ALL => assert!(hits == all_hits && opens == all_opens, "ray {ray}: {hits:?}, not {all_hits:?}"),
            mode => panic!("mode {mode}"),
        }
    }
}

/// The bodies are equal, and what is open, in any order.
pub(super) fn pick_hits(params: &pick_hits::Params, compared: Compared<'_, pick_hits::Kernels>) {
    let Compared { after, twin, .. } = compared;
    assert_eq!(after.best_bodies, twin.best_bodies);
    let count = twin.status[STATUS_RAYS_OPEN];
    assert_eq!(after.status[STATUS_RAYS_OPEN], count);
    if count <= params.open_room {
        let sorted = |opens: &[[u32; 2]]| {
            let mut opens = opens[..count as usize].to_vec();
            opens.sort_unstable();
            opens
        };
        assert_eq!(sorted(after.opens), sorted(twin.opens));
    }
}

/// So many bodies are no further away than the margin of each point says, and that is not much more than it must be. A body that is said to be the nearest
/// is, and no other is as near.
pub(super) fn reach_nearest(params: &reach_nearest::Params, compared: Compared<'_, reach_nearest::Kernels>) {
    let Compared { after, twin, .. } = compared;
    let largest = |slot: usize| {
        let mut numbers = [after.slot_shapes[2 * slot], after.slot_shapes[2 * slot + 1]];
        if slot < params.bodies as usize && after.tree[2 * slot + 1][3] & TAG_KIND == Kind::ConvexHull as u32 {
            let reach = 3.0 * hull_record::reach_of(f32::from_bits(numbers[1][0]));
            numbers[1] = [reach.to_bits(), 0, 0, 0];
        }
        numbers.iter().flat_map(|words| &words[..3]).map(|word| f64::from(f32::from_bits(*word)).abs()).sum::<f64>()
    };
    let bodies = || (0..params.bodies as usize).filter(|slot| after.tree[2 * slot][3] != ABSENT);
    let is_hull = |slot: usize| after.tree[2 * slot + 1][3] & TAG_KIND == Kind::ConvexHull as u32;
    let size = bodies().map(largest).fold(0.0, f64::max);
    // Of a body outside the domain of filters the middle counts.
    let is_plain = size < 2_f64.powi(60) && bodies().all(|slot| after.slot_shapes[2 * slot][3] & OUTSIDE_DOMAIN == 0);
    for slot in params.first_slot as usize..params.end_slot as usize {
        let id = after.slot_bounds[2 * slot][3];
        if id == ABSENT {
            continue;
        }
        let [found, expected] =
            [&*after.margins, &*twin.margins].map(|all| f64::from(f32::from_bits(all[id as usize] & !MARGIN_KNOWN)));
        let slack = 2_f64.powi(-15) * (size + largest(slot)) + 2_f64.powi(-117);
        let all = distances(params, &after, slot);
        let is_known = after.margins[id as usize] & MARGIN_KNOWN != 0;
        if params.count == 1 {
            let nearest = after.nearest[slot - params.first_slot as usize];
            assert_eq!(is_known, nearest != ABSENT, "point {id}");
            if is_known {
                let (body, away) = *all.iter().find(|(body, _)| after.tree[2 * body][3] == nearest).expect("a body");
                let others = all.iter().filter(|(other, _)| *other != body);
                let least = others.map(|(_, other)| other.least).fold(f64::MAX, f64::min);
                // (Nothing is known here of how near hulls are.)
                let hulls = is_hull(body) || all.iter().any(|(other, _)| is_hull(*other));
                assert!(away.most < least || hulls, "point {id} has {nearest}, and another at {least}");
                assert!(away.least < f64::from(params.within), "point {id} has {nearest}");
            } else if is_plain && largest(slot) < 2_f64.powi(60) && !all.is_empty() {
                let least = all[1..].iter().map(|(_, other)| other.least).fold(f64::MAX, f64::min);
                let clear = all[0].1.most + 4.0 * slack < least.min(params.within.into());
                let usual = (2_f64.powi(-49)..2_f64.powi(59)).contains(&least) && slack > 2_f64.powi(-49);
                assert!(!(clear && usual), "the nearest body of point {id} is not known");
            }
        }
        let enough = all.get(params.count as usize - 1).or(all.last()).map_or(0.0, |(_, away)| away.least);
        assert!(found >= enough.min(params.within.into()), "point {id}: {found} is less than {enough}");
        // (Where squares would be lost, sums stand for roots of their sums.)
        let exact = (2_f64.powi(-49)..2_f64.powi(59)).contains(&expected);
        let most = if exact { expected } else { 2.0 * expected };
        let is_far = largest(slot) > 2_f64.powi(60);
        assert!(found <= f64::from(params.within), "point {id}: {found} is more than {}", params.within);
        assert!(!is_plain || is_far || found <= most + slack, "point {id}: {found}, not {expected}");
    }
}

/// The hits of each bin are the same, in any order, and so are the counts of rows.
pub(super) fn list_nearest(params: &list_nearest::Params, compared: Compared<'_, list_nearest::Kernels>) {
    let Compared { after, twin, .. } = compared;
    assert_eq!(after.rows, twin.rows);
    let counts = STATUS_HITS..STATUS_HITS + BINS;
    assert_eq!(after.status[counts.clone()], twin.status[counts.clone()]);
    assert_eq!(after.status[STATUS_BINS_OVERFLOWED], twin.status[STATUS_BINS_OVERFLOWED]);
    if after.status[STATUS_BINS_OVERFLOWED] != 0 {
        return;
    }
    for (bin, count) in after.status[counts].iter().enumerate() {
        let first = params.bin_first[bin] as usize;
        let sorted = |hits: &[[u32; 2]]| {
            let mut hits = hits[first..first + *count as usize].to_vec();
            hits.sort_unstable();
            hits
        };
        assert_eq!(sorted(after.hits), sorted(twin.hits), "bin {bin}");
    }
}
