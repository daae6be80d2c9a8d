//! Comparison of the preparation.

use std::collections::{BTreeMap, BTreeSet};

use super::Compared;
use crate::filter::{Arithmetic, Cuboid, bounds};
use crate::gpu::abi::{
    ABSENT, CLASS_COUNT, CLASSES, DIGITS, SORT_FIRST, SORT_LAST, TAG_KIND, TILE, WIDTH, build_tree, curve_keys, gather,
    grow_bounds, measure_grid, sort,
};
use crate::shape::kinds::{Kind, RECORD_WORDS, Record};
use crate::shape::{Obb, hull_record};

const U: f64 = <f32 as Arithmetic>::U;

/// Keys affect only speed: nearly all are equal, and classes are counted as they occur in the keys.
pub(super) fn curve_keys(params: &curve_keys::Params, compared: Compared<'_, curve_keys::Kernels>) {
    let Compared { after, twin, .. } = compared;
    let n = params.bodies as usize;
    let tiles = params.tiles as usize;
    let mut counts = vec![0; DIGITS as usize * tiles];
    for (i, key) in after.keys_out[..n].iter().enumerate() {
        counts[(key % DIGITS) as usize * tiles + i / TILE as usize] += 1;
    }
    assert_eq!(after.counts[..counts.len()], counts, "curve_keys: the digits");
    let equal = after.keys_out[..n].iter().zip(&*twin.keys_out).filter(|(a, b)| a == b).count();
    assert!(equal * 10 >= n * 9, "curve_keys: {equal} of {n} are equal");
    let mut counts = [0; CLASS_COUNT as usize];
    for key in after.keys_out[..n].iter().filter(|_| params.flags & CLASSES != 0) {
        counts[(key >> params.curve_bits) as usize] += 1;
    }
    let first = params.classes as usize;
    assert_eq!(after.status[first..first + counts.len()], counts, "curve_keys: the classes");
}

/// Numbers are those of the twin but for roundings.
pub(super) fn measure_grid(_: &measure_grid::Params, compared: Compared<'_, measure_grid::Kernels>) {
    let Compared { after, twin, .. } = compared;
    for k in 0..5 {
        let [a, b] = [&after, &twin].map(|view| f32::from_bits(view.grid[k]));
        let size = f32::from_bits(twin.grid[k]).abs().max(f32::from_bits(after.grid[k]).abs());
        assert!((a - b).abs() <= 1e-5 * size.max(1e-3), "measure_grid: {a}, and not {b}");
    }
    assert_eq!(after.grid[5], twin.grid[5], "measure_grid: the axis");
}

/// Keys with different digits or from different tiles are in the twin's order, and no key is lost.
pub(super) fn sort_scatter_unstable(params: &sort::Params, compared: Compared<'_, sort::Kernels>) {
    let Compared { before, after, twin } = compared;
    let n = params.keys as usize;
    let id = |i: usize| if params.mode & SORT_FIRST == 0 { before.order_in[i] } else { i as u32 };
    let from: BTreeMap<u32, usize> = (0..n).map(|i| (id(i), i)).collect();
    assert_eq!(after.order_out[..n].iter().collect::<BTreeSet<_>>().len(), n, "sort_scatter_unstable: each once");
    let of = |view: &sort::View<'_>, place: usize| {
        let i = from[&view.order_out[place]];
        let written = params.mode & SORT_LAST == 0;
        assert!(!written || view.keys_out[place] == before.keys_in[i], "sort_scatter_unstable: the key at {place}");
        (before.keys_in[i] >> params.shift & (DIGITS - 1), i / TILE as usize)
    };
    for place in 0..n {
        assert_eq!(of(&after, place), of(&twin, place), "sort_scatter_unstable {params:?}: place {place}");
    }
}

fn as_f64(word: u32) -> f64 {
    f64::from(f32::from_bits(word))
}

/// Whether two floats are equal; a subnormal may have been flushed to zero.
fn same(a: u32, b: u32) -> bool {
    let flushed = |word: u32| if word & 0x7f80_0000 == 0 { 0.0 } else { as_f64(word) };
    a == b || flushed(a) == flushed(b)
}

/// The bounds of nodes are equal, and so are their other words.
pub(super) fn build_tree(_: &build_tree::Params, compared: Compared<'_, build_tree::Kernels>) {
    let Compared { after, twin, .. } = compared;
    for (k, (a, b)) in after.nodes.iter().zip(&*twin.nodes).enumerate() {
        let equal = a[3] == b[3] && (0..3).all(|k| same(a[k], b[k]));
        assert!(equal, "build_tree: corner {} of node {}: {a:x?}, not {b:x?}", k % 2, k / 2);
    }
}

pub(super) fn gather(params: &gather::Params, compared: Compared<'_, gather::Kernels>) {
    let Compared { after, twin, .. } = compared;
    let shapes = after.shapes.as_flattened();
    for slot in params.first_slot as usize..params.end_slot as usize {
        let (low, high) = (after.slot_bounds[2 * slot], after.slot_bounds[2 * slot + 1]);
        let (twin_low, twin_high) = (twin.slot_bounds[2 * slot], twin.slot_bounds[2 * slot + 1]);
        let (id, tag) = (low[3], high[3]);
        assert_eq!((id, tag), (twin_low[3], twin_high[3]), "gather: slot {slot}");
        if id == ABSENT {
            assert_eq!((low, high), (twin_low, twin_high), "gather: the empty slot {slot}");
            continue;
        }
        let words = 2 * slot..2 * slot + 2;
        assert_eq!(after.slot_shapes[words.clone()], twin.slot_shapes[words], "gather: body {id}");
        let kind = Kind::ALL[(tag & TAG_KIND) as usize];
        let rotations = (after.slot_rotations[slot], twin.slot_rotations[slot]);
        let has_rotation = kind.has_rotation() || kind == Kind::Capsule;
        assert!(!has_rotation || rotations.0 == rotations.1, "gather: the quaternion of body {id}");
        let record: Record = std::array::from_fn(|k| f32::from_bits(shapes[RECORD_WORDS * id as usize + k]));
        check_bounds(id, kind, &record, [low, high], [twin_low, twin_high]);
    }
    for cluster in params.first_slot / WIDTH..params.end_slot / WIDTH {
        let node = 2 * cluster as usize;
        for slot in cluster * WIDTH..(cluster + 1) * WIDTH {
            let inner = 2 * slot as usize;
            let contains = (0..3).all(|k| {
                as_f64(after.nodes[node][k]) <= as_f64(after.slot_bounds[inner][k]) + f64::from(f32::MIN_POSITIVE)
                    && as_f64(after.nodes[node + 1][k])
                        >= as_f64(after.slot_bounds[inner + 1][k]) - f64::from(f32::MIN_POSITIVE)
            });
            let absent = after.slot_bounds[inner][3] == ABSENT;
            assert!(contains || absent, "gather: cluster {cluster} does not contain slot {slot}");
        }
    }
}

/// Bounds have grown by at least as much as they should, and by not much more; what follows their corners is unchanged.
pub(super) fn grow_bounds(params: &grow_bounds::Params, compared: Compared<'_, grow_bounds::Kernels>) {
    let Compared { before, after, twin } = compared;
    // (Those of clusters with margins grow by the largest one.)
    let margins: &[u32] = if params.has_margins == 0 { &[] } else { before.margins };
    let largest = margins.iter().map(|margin| f64::from(f32::from_bits(*margin))).fold(0.0, f64::max);
    assert_eq!(after.slot_shapes, twin.slot_shapes, "grow_bounds: margins");
    assert_eq!(after.slot_rotations, twin.slot_rotations, "grow_bounds: margins of capsules");
    let growth = f64::from(params.growth);
    let lists = [
        (&*before.slot_bounds, &*after.slot_bounds, &*twin.slot_bounds),
        (&*before.nodes, &*after.nodes, &*twin.nodes),
    ];
    for (before, after, twin) in lists {
        for (at, old) in before.iter().enumerate() {
            let sign = if at % 2 == 0 { -1.0 } else { 1.0 };
            // (Slots and clusters without anything that searches.)
            if twin[at - at % 2][..3] == [f32::MAX.to_bits(); 3] {
                assert_eq!(after[at], twin[at], "grow_bounds: {at}");
                continue;
            }
            assert_eq!((old[3], after[at][3]), (after[at][3], twin[at][3]), "grow_bounds: {at}");
            for k in 0..3 {
                let [old, new, twin] = [old[k], after[at][k], twin[at][k]].map(as_f64);
                let slack = 64.0 * U * (old.abs() + growth + largest) + 2_f64.powi(-118);
                assert!((new - twin).abs() <= slack, "grow_bounds: {new}, not {twin}");
                let changed = sign * (new - old);
                let far = old.abs() > f64::from(bounds::LARGEST) || growth + largest > f64::from(bounds::LARGEST);
                assert!(new == old || far || changed >= growth, "grow_bounds: {old} has become {new}");
            }
        }
    }
}

/// The bounds of a body contain it, and are close to those of the twin.
fn check_bounds(id: u32, kind: Kind, record: &Record, found: [[u32; 4]; 2], twin: [[u32; 4]; 2]) {
    let (low, high) = exact_bounds(kind, record);
    for k in 0..3 {
        let (a, b) = (as_f64(found[0][k]), as_f64(found[1][k]));
        assert!(a <= low[k] && high[k] <= b, "gather: the bounds of body {id} do not contain it");
        // A margin for flushed subnormals, which coordinates beyond the largest bound do not get.
        let room = |x: f64| if x.abs() <= f64::from(bounds::LARGEST) { bounds::TINY / 2.0 } else { 0.0 };
        let flushed = a <= low[k] - room(low[k]) && high[k] + room(high[k]) <= b;
        assert!(flushed, "gather: the bounds of body {id} are lost if coordinate {k} is flushed");
        let twin_bounds = (as_f64(twin[0][k]), as_f64(twin[1][k]));
        // (An entry of a rotation has an error of its own, however thin the box is along the other axes.)
        let lengths: f64 = match kind {
            Kind::ConvexHull => 3.0 * f64::from(hull_record::reach_of(record[3])) + f64::from(record[k].abs()),
            _ => record[3..6].iter().map(|x| f64::from(x.abs())).sum(),
        };
        let size = high[k] - low[k] + low[k].abs() + high[k].abs() + 3.0 * lengths;
        let slack = 64.0 * U * size + 2_f64.powi(-118);
        assert!(
            (a - twin_bounds.0).abs() <= slack && (b - twin_bounds.1).abs() <= slack,
            "gather: the bounds of body {id} are not its twin's: {a} {b}, {twin_bounds:?}"
        );
    }
}

/// The smallest box around a body, in `f64`, shrunk a little more than its rounding error.
fn exact_bounds(kind: Kind, record: &Record) -> ([f64; 3], [f64; 3]) {
    let first = [0, 1, 2].map(|k| f64::from(record[k]));
    match kind {
        Kind::Sphere => {
            let r = f64::from(record[3]);
            (first.map(|x| x - r), first.map(|x| x + r))
        }
        Kind::Aabb => (first, [3, 4, 5].map(|k| f64::from(record[k]))),
        Kind::Capsule => {
            let (second, r) = ([3, 4, 5].map(|k| f64::from(record[k])), f64::from(record[6]));
            (std::array::from_fn(|k| first[k].min(second[k]) - r), std::array::from_fn(|k| first[k].max(second[k]) + r))
        }
        Kind::Plane => {
            let most = f64::from(f32::MAX);
            let (mut low, mut high) = ([-most; 3], [most; 3]);
            let mut along = (0..3).filter(|k| first[*k] != 0.0);
            if let (Some(k), None) = (along.next(), along.next()) {
                let border = (f64::from(record[3]) / first[k]).clamp(-most, most);
                if first[k] > 0.0 {
                    high[k] = border;
                } else {
                    low[k] = border;
                }
            }
            (low, high)
        }
        Kind::ConvexHull => {
            // (Around the bounds and the ball that its record has.)
            let words = [record[3], record[4], record[5]];
            let (low, high) = hull_record::bounds_of(words);
            let [low, high] = [low, high].map(|corner| corner.map(f64::from));
            let axes = turned([0, 1, 2, 3].map(|k| record[6 + k]));
            let half: [f64; 3] = std::array::from_fn(|j| (high[j] - low[j]) / 2.0);
            let diagonal = half.iter().map(|x| x * x).sum::<f64>().sqrt();
            let radius = diagonal * f64::from(hull_record::radius_share(words));
            let bound = |sign: f64| -> [f64; 3] {
                std::array::from_fn(|k| {
                    let middle: f64 = (0..3).map(|j| axes[j][k] * (low[j] + high[j]) / 2.0).sum();
                    let reach: f64 = (0..3).map(|j| axes[j][k].abs() * half[j]).sum();
                    let size: f64 = (0..3).map(|j| low[j].abs().max(high[j].abs())).sum();
                    first[k] + middle + sign * (reach.min(radius) - size * 1e-14)
                })
            };
            (bound(-1.0), bound(1.0))
        }
        Kind::Obb => {
            let obb: Obb = bytemuck::cast_slice(&record[..kind.words()])[0];
            let axes = turned(obb.rotation_array());
            let cuboid = Cuboid { center: first, half: obb.half_extents().to_array().map(f64::from), axes };
            let reach: [f64; 3] = std::array::from_fn(|k| {
                (0..3).map(|j| cuboid.axes[j][k].abs() * cuboid.half[j]).sum::<f64>() * (1.0 - 1e-14)
            });
            (std::array::from_fn(|k| first[k] - reach[k]), std::array::from_fn(|k| first[k] + reach[k]))
        }
    }
}

/// The axes of a rotation. The quaternion may have any length; it is scaled so that its squares are in range.
fn turned(rotation: [f32; 4]) -> [[f64; 3]; 3] {
    let q = rotation.map(f64::from);
    let largest = q.iter().fold(0.0_f64, |most, x| most.max(x.abs()));
    crate::filter::rotation(q.map(|x| x / largest))
}
