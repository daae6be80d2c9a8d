//! A kernel and its twin did the same: integers are equal, floats keep what they promise.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use super::super::buffer::GrowBuffer;
use super::super::device::Device;
use super::super::params::{
    BLOCK, BUCKETS, CLASSES, ID, MARK, NONE, ORDERED, PLACED, Params, SHORT_ROW, SORT_FIRST, STATUS_CANDIDATES,
    STATUS_CARRY, STATUS_CROWDED, STATUS_GATHERED, STATUS_HITS, STATUS_LONG_HITS, STATUS_LONG_ROWS, STATUS_UNDECIDED,
    STATUS_UNFINISHED, STATUS_WORDS, Step, TILE, WIDTH, bucket_of,
};
use super::super::runner::{Recording, Runner};
use super::super::stages::{self, Binding, Stage};
use super::super::twin::place::all_hits;
use super::super::twin::settle::left_open;
use crate::filter::{Arithmetic, Cuboid, bounds};
use crate::shape::{Aabb, Obb, Sphere};

const U: f64 = <f32 as Arithmetic>::U;

/// Modules in which the twin may decide more than the kernel, so that their ledgers need not be equal.
const OPEN_ENDED: [&str; 2] = ["narrow", "settle"];

/// Compares what a kernel made of the buffers with what its twin makes of them.
pub(crate) fn compare(
    stage: &Stage,
    params: &Params,
    step: Step,
    units: Range<u64>,
    [before, after]: [&[Vec<u32>]; 2],
) {
    let mut twin = before.to_vec();
    stage.run_twin(params, step, units, &mut twin);
    if !(OPEN_ENDED.contains(&stage.module.name) || stage.name == "pairs") {
        let status = [after, &twin].map(|buffers| &buffers[buffers.len() - 1][STATUS_GATHERED..]);
        assert_eq!(status[0], status[1], "{} {step:?}: the ledger", stage.name);
    }
    match stage.name {
        "keys" => keys(params, after, &twin),
        "sort_roughly" => sorted_roughly(params, step, before, after, &twin),
        "gather" => gather(params, after, &twin),
        "tree" => boxes(&after[0], &twin[0], stage.name),
        "pairs" | "rest" | "brute" => pairs(params, after, &twin, 4, 6, None),
        "place" => placed(before, after, &twin),
        "bucket" => pairs(params, after, &twin, 2, 6, Some(3)),
        "cull" => sides(params, &after[3], &twin[3]),
        _ if stage.module.name == "narrow" => verdicts(params, step, after, &twin, stage.name == "accept"),
        _ if stage.module.name == "settle" => settled(params, before, after, &twin),
        _ => {
            for (k, (a, b)) in after.iter().zip(&twin).enumerate() {
                let at = a.iter().zip(b).position(|(a, b)| a != b);
                assert!(a == b, "{} {step:?}: buffer {k} differs from word {at:?} on", stage.name);
            }
        }
    }
    // What a kernel may only read is as it was.
    let kinds = stage.module.bindings.iter().filter(|binding| **binding != Binding::Step);
    for (k, (binding, (a, b))) in kinds.zip(after.iter().zip(before)).enumerate() {
        assert!(*binding == Binding::Write || a == b, "{}: buffer {k} is read only", stage.name);
    }
}

/// Keys steer only: nearly all are equal, classes are counted as they are.
fn keys(params: &Params, after: &[Vec<u32>], twin: &[Vec<u32>]) {
    let n = params.bodies as usize;
    let tiles = params.tiles as usize;
    let mut counts = vec![0; 256 * tiles];
    for (i, key) in after[2][..n].iter().enumerate() {
        counts[(key & 0xff) as usize * tiles + i / TILE as usize] += 1;
    }
    assert_eq!(after[3][..256 * tiles], counts, "keys: the digits");
    let equal = after[2][..n].iter().zip(&twin[2]).filter(|(a, b)| a == b).count();
    assert!(equal * 10 >= n * 9, "keys: {equal} of {n} are equal");
    let mut counts = [0; 8];
    for key in after[2][..n].iter().filter(|_| params.flags & CLASSES != 0) {
        counts[(key >> params.curve_bits) as usize] += 1;
    }
    let first = params.classes as usize;
    assert_eq!(after[4][first..first + 8], counts, "keys: the classes");
}

/// Keys that differ in the digit or in the tile they came from are in the twin's order, and all are there.
fn sorted_roughly(params: &Params, step: Step, before: &[Vec<u32>], after: &[Vec<u32>], twin: &[Vec<u32>]) {
    let n = params.keys as usize;
    let id = |i: usize| if step[1] & SORT_FIRST == 0 { before[1][i] } else { i as u32 };
    let from: BTreeMap<u32, usize> = (0..n).map(|i| (id(i), i)).collect();
    assert_eq!(after[4][..n].iter().collect::<BTreeSet<_>>().len(), n, "sort_roughly: each once");
    let of = |buffers: &[Vec<u32>], place: usize| {
        let i = from[&buffers[4][place]];
        assert_eq!(buffers[3][place], before[0][i], "sort_roughly: the key at {place}");
        (before[0][i] >> step[0] & 0xff, i / TILE as usize)
    };
    for place in 0..n {
        assert_eq!(of(after, place), of(twin, place), "sort_roughly {step:?}: place {place}");
    }
}

fn number(word: u32) -> f64 {
    f64::from(f32::from_bits(word))
}

/// Equal as numbers; a subnormal may have become zero.
fn same(a: u32, b: u32) -> bool {
    let flushed = |word: u32| if word & 0x7f80_0000 == 0 { 0.0 } else { number(word) };
    a == b || flushed(a) == flushed(b)
}

/// Boxes of nodes, with their other words.
fn boxes(after: &[u32], twin: &[u32], name: &str) {
    for (k, (a, b)) in after.iter().zip(twin).enumerate() {
        let equal = if k % 4 == 3 { a == b } else { same(*a, *b) };
        assert!(equal, "{name}: word {} of node {}: {a:x}, not {b:x}", k % 8, k / 8);
    }
}

fn gather(params: &Params, after: &[Vec<u32>], twin: &[Vec<u32>]) {
    let (places, turns, slots) = (&after[3], &after[4], &after[5]);
    for slot in params.first_slot as usize..params.end_slot as usize {
        let at = 8 * slot;
        let (id, tag) = (slots[at + 3], slots[at + 7]);
        assert_eq!((id, tag), (twin[5][at + 3], twin[5][at + 7]), "gather: slot {slot}");
        if id == NONE {
            assert_eq!(slots[at..at + 8], twin[5][at..at + 8], "gather: the empty slot {slot}");
            continue;
        }
        assert_eq!(places[at..at + 7], twin[3][at..at + 7], "gather: body {id}");
        let turn = 4 * slot..4 * slot + 4;
        assert!(tag & 3 != 2 || turns[turn.clone()] == twin[4][turn], "gather: the quaternion of body {id}");
        let record: [f32; 10] = std::array::from_fn(|k| f32::from_bits(after[0][10 * id as usize + k]));
        let (low, high) = exact_bounds(tag & 3, &record);
        for k in 0..3 {
            let (a, b) = (number(slots[at + k]), number(slots[at + 4 + k]));
            assert!(a <= low[k] && high[k] <= b, "gather: the bounds of body {id} do not contain it");
            // Room for a subnormal that is flushed, unless the number is far beyond.
            let room = |x: f64| if x.abs() <= f64::from(bounds::LARGEST) { bounds::TINY / 2.0 } else { 0.0 };
            let flushed = a <= low[k] - room(low[k]) && high[k] + room(high[k]) <= b;
            assert!(flushed, "gather: the bounds of body {id} are lost if coordinate {k} is flushed");
            let twin_bounds = (number(twin[5][at + k]), number(twin[5][at + 4 + k]));
            let size = high[k] - low[k] + low[k].abs() + high[k].abs() + 3.0 * f64::from(record[3].abs());
            let slack = 64.0 * U * size + 2_f64.powi(-118);
            assert!(
                (a - twin_bounds.0).abs() <= slack && (b - twin_bounds.1).abs() <= slack,
                "gather: the bounds of body {id} are not its twin's: {a} {b}, {twin_bounds:?}"
            );
        }
    }
    for cluster in params.first_slot / WIDTH..params.end_slot / WIDTH {
        let node = &after[6][8 * cluster as usize..8 * cluster as usize + 8];
        for slot in cluster * WIDTH..(cluster + 1) * WIDTH {
            let inner = &slots[8 * slot as usize..8 * slot as usize + 8];
            let contains = (0..3).all(|k| {
                number(node[k]) <= number(inner[k]) + f64::from(f32::MIN_POSITIVE)
                    && number(node[4 + k]) >= number(inner[4 + k]) - f64::from(f32::MIN_POSITIVE)
            });
            assert!(contains || inner[3] == NONE, "gather: cluster {cluster} does not contain slot {slot}");
        }
    }
}

/// The least box around a body, in `f64`, made a little smaller than its rounding.
fn exact_bounds(kind: u32, record: &[f32; 10]) -> ([f64; 3], [f64; 3]) {
    let first = [0, 1, 2].map(|k| f64::from(record[k]));
    match kind {
        0 => {
            let sphere: Sphere = bytemuck::cast_slice(&record[..4])[0];
            let r = f64::from(sphere.radius());
            (first.map(|x| x - r), first.map(|x| x + r))
        }
        1 => {
            let aabb: Aabb = bytemuck::cast_slice(&record[..6])[0];
            (first, aabb.max().to_array().map(f64::from))
        }
        _ => {
            let obb: Obb = bytemuck::cast_slice(&record[..10])[0];
            // A quaternion of any length, scaled so that its squares are in range.
            let q = obb.rotation_array().map(f64::from);
            let largest = q.iter().fold(0.0_f64, |most, x| most.max(x.abs()));
            let axes = crate::filter::rotation(q.map(|x| x / largest));
            let cuboid = Cuboid { center: first, half: obb.half_extents().to_array().map(f64::from), axes };
            let reach: [f64; 3] = std::array::from_fn(|k| {
                (0..3).map(|j| cuboid.axes[j][k].abs() * cuboid.half[j]).sum::<f64>() * (1.0 - 1e-14)
            });
            (std::array::from_fn(|k| first[k] - reach[k]), std::array::from_fn(|k| first[k] + reach[k]))
        }
    }
}

/// The same candidates in each bucket, in any order.
fn pairs(
    params: &Params,
    after: &[Vec<u32>],
    twin: &[Vec<u32>],
    candidates: usize,
    status: usize,
    origins: Option<usize>,
) {
    // A search that was cut short has found less than its twin; the rest is found next.
    if after[status][STATUS_UNFINISHED] != twin[status][STATUS_UNFINISHED] {
        return;
    }
    assert_eq!(after[status], twin[status], "the counts of candidates");
    for bucket in 0..BUCKETS {
        let (first, size) = (params.bucket_first[bucket] as usize, params.bucket_size[bucket]);
        let count = after[status][STATUS_CANDIDATES + bucket];
        if count > size {
            continue;
        }
        let one_kind = (0..3).any(|kind| bucket_of(kind, kind) as usize == bucket);
        let sorted = |buffers: &[Vec<u32>]| {
            let entry = |k: usize| {
                let origin = origins.map_or(0, |at| buffers[at][k]);
                let (a, b) = (buffers[candidates][2 * k], buffers[candidates][2 * k + 1]);
                // Within one set it does not matter which one asks.
                match params.flags & ORDERED != 0 {
                    true if one_kind => (a.min(b), a.max(b), origin),
                    true => (a, b & !MARK, origin),
                    false => (a, b, origin),
                }
            };
            let mut found: Vec<_> = (first..first + count as usize).map(entry).collect();
            found.sort_unstable();
            found
        };
        assert_eq!(sorted(after), sorted(twin), "the candidates of bucket {bucket}");
    }
}

/// Where both are certain they agree; hits are in rows as counted.
fn verdicts(params: &Params, step: Step, after: &[Vec<u32>], twin: &[Vec<u32>], equal: bool) {
    let (bucket, candidates, status) = (step[0] as usize, &after[2], &after[5]);
    let count = status[STATUS_CANDIDATES + bucket].min(params.bucket_size[bucket]) as usize;
    let first = params.bucket_first[bucket] as usize;
    if step[1] == 1 {
        for k in first..first + count {
            let (a, b) = (after[3][2 * k], twin[3][2 * k]);
            assert!(a == b || a == 2 || b == 2, "the verdict on {:?} is {a}, not {b}", &candidates[2 * k..2 * k + 2]);
        }
        return;
    }
    if status[STATUS_CROWDED] != 0 || twin[5][STATUS_CROWDED] != 0 {
        return;
    }
    // Row and partner, to whether undecided: hits, and what was left open.
    let found = |buffers: &[Vec<u32>]| -> BTreeMap<(u32, u32), bool> {
        let mut all =
            hits(params, buffers).into_iter().map(|(pair, mark)| (pair, mark == MARK)).collect::<BTreeMap<_, _>>();
        if OPEN.contains(&step[0]) && !equal {
            for at in left_open(params, step[0], &buffers[2], &buffers[5]) {
                let again = all.insert(ids(params, buffers, at), true);
                assert_eq!(again, None, "a pair is a hit, and left open or that twice");
            }
        }
        all
    };
    let (kernel, serial) = (found(after), found(twin));
    for (pair, undecided) in kernel.iter().filter(|(pair, _)| !serial.contains_key(*pair)) {
        assert!(*undecided && !equal, "{pair:?} is a certain hit, and a certain miss for the twin");
    }
    for (pair, undecided) in serial.iter().filter(|(pair, _)| !kernel.contains_key(*pair)) {
        assert!(*undecided && !equal, "{pair:?} is a certain miss, and a certain hit for the twin");
    }
    check_rows(params, after);
}

/// The buckets in which pairs may be left open.
const OPEN: [u32; 2] = [4, 5];

/// Row and partner of the hits, and how they are marked. None is there twice.
fn hits(params: &Params, buffers: &[Vec<u32>]) -> BTreeMap<(u32, u32), u32> {
    let hits: Vec<_> = all_hits(params, &buffers[3], &buffers[5]).collect();
    let all: BTreeMap<_, _> = hits.iter().map(|hit| ((hit[0], hit[1] & ID), hit[1] & !ID)).collect();
    assert_eq!(all.len(), hits.len(), "a hit is reported twice");
    all
}

/// Row and partner of a candidate.
fn ids(params: &Params, buffers: &[Vec<u32>], at: usize) -> (u32, u32) {
    let (x, y) = (buffers[2][2 * at], buffers[2][2 * at + 1]);
    let id = |slot: u32| buffers[0][8 * (slot & !MARK) as usize + 3] & !MARK;
    let (own, other) = if y & MARK == 0 { (id(x), id(y)) } else { (id(y), id(x)) };
    if params.flags & ORDERED != 0 { (own.min(other), own.max(other)) } else { (own, other) }
}

/// What was settled is right; the twin is exact.
fn settled(params: &Params, before: &[Vec<u32>], after: &[Vec<u32>], twin: &[Vec<u32>]) {
    if [before, after, twin].iter().any(|buffers| buffers[5][STATUS_CROWDED] != 0) {
        return;
    }
    let (old, kernel, exact) = (hits(params, before), hits(params, after), hits(params, twin));
    assert!(old.iter().all(|(pair, mark)| kernel.get(pair) == Some(mark)), "settle: an old hit has changed");
    for (pair, mark) in &kernel {
        assert!(*mark == MARK || exact.get(pair) == Some(mark), "settle: {pair:?} is marked {mark:x}");
    }
    assert!(exact.keys().all(|pair| kernel.contains_key(pair)), "settle: a pair is lost");
    let undecided = kernel.values().filter(|mark| **mark == MARK).count();
    assert_eq!(after[5][STATUS_UNDECIDED] as usize, undecided, "settle: how many are undecided");
    check_rows(params, after);
}

/// Hits are in rows as counted.
fn check_rows(params: &Params, after: &[Vec<u32>]) {
    let mut counts = vec![0; params.rows as usize + 1];
    for (row, _) in hits(params, after).into_keys() {
        counts[row as usize + 1] += 1;
    }
    assert!(after[4][..counts.len()] == counts, "the counts of rows");
}

/// The same partners in every row, in any order.
fn placed(before: &[Vec<u32>], after: &[Vec<u32>], twin: &[Vec<u32>]) {
    assert_eq!(after[0], twin[0], "place: where rows end");
    if after[3][STATUS_CROWDED] != 0 {
        assert_eq!(after[2], before[2], "place: partners, although there is no room");
        return;
    }
    let sorted = |buffers: &[Vec<u32>], row: usize| {
        let mut partners = buffers[2][before[0][row + 1] as usize..after[0][row + 1] as usize].to_vec();
        partners.sort_unstable();
        partners
    };
    for row in 0..after[0].len() - 1 {
        assert_eq!(sorted(after, row), sorted(twin, row), "place: row {row}");
    }
}

fn sides(params: &Params, after: &[u32], twin: &[u32]) {
    for i in 0..params.bodies as usize {
        let (a, b) = (after[i], twin[i]);
        assert!(a == b || a == 3 || b == 3, "body {i}: side {a}, not {b}");
    }
}

/// Runs one stage on buffers with these words, beside its twin.
fn check(device: &Device, stage: &'static Stage, params: &Params, step: Step, groups: u32, buffers: &[Vec<u32>]) {
    assert_eq!(buffers.last().map(Vec::len), Some(STATUS_WORDS), "{}: the status comes last", stage.name);
    let mut runner = Runner::new();
    runner.checked = true;
    let slabs: Vec<GrowBuffer> = buffers
        .iter()
        .map(|words| {
            let mut slab = GrowBuffer::storage("test");
            slab.reserve(device, 4 * words.len() as u64).expect("room");
            device.queue.write_buffer(slab.buffer(), 0, bytemuck::cast_slice(words));
            slab
        })
        .collect();
    let mut recording = Recording::default();
    recording.params(params);
    let bound: Vec<&wgpu::Buffer> = slabs.iter().map(GrowBuffer::buffer).collect();
    recording.run(stage, step, groups, &bound);
    pollster::block_on(runner.run(device, recording, &[], true)).expect("it runs");
    assert_eq!(runner.dispatched, 1);
}

fn mix(k: u32) -> u32 {
    crate::scenes::mix(u64::from(k)) as u32
}

/// Each pass of the sort, on keys of all kinds.
pub(super) fn sorts(device: &Device, brief: bool) {
    // Random, all the same, ascending, descending, of two digits, in runs.
    let kinds: [fn(u32) -> u32; 6] =
        [mix, |_| 0x1234_5678, |k| k, |k| !k, |k| mix(k) & 0x0101_0101, |k| k / 37 * 0x0001_0203];
    let sizes = [1, 31, 33, 127, TILE - 1, TILE, TILE + 1, 5 * TILE + 77];
    for n in if brief { sizes[6..].to_vec() } else { sizes.to_vec() } {
        for key in kinds {
            let tiles = n.div_ceil(TILE);
            let params = Params { keys: n, tiles, ..Params::default() };
            let keys: Vec<u32> = (0..n).map(key).collect();
            let order: Vec<u32> = (0..n).map(|k| mix(!k)).collect();
            let empty = vec![0xdead_beef; n as usize];
            for (shift, passes) in [(0, 1), (8, 0), (24, 2), (29, 3)] {
                let step = [shift, passes, 0, 0];
                let mut buffers = vec![
                    keys.clone(),
                    order.clone(),
                    vec![7; 256 * (tiles as usize + 1)],
                    empty.clone(),
                    empty.clone(),
                    vec![0; STATUS_WORDS],
                ];
                for (stage, groups) in
                    [(&stages::SORT_COUNT, tiles), (&stages::SORT_ADD, 256), (&stages::SORT_SCATTER, tiles)]
                {
                    check(device, stage, &params, step, groups, &buffers);
                    stage.run_twin(&params, step, 0..0, &mut buffers);
                }
            }
        }
    }
}

/// Counts of rows to offsets.
pub(super) fn scans(device: &Device) {
    for rows in [1_u32, 255, 256, 2047, 2048, 2049, 300_000, 600_001] {
        let params = Params { rows, ..Params::default() };
        let counts: Vec<u32> = (0..=rows).map(|k| if k % 7 == 3 { mix(k) % 50 } else { 0 }).collect();
        let blocks = rows.div_ceil(2048);
        let mut buffers = vec![counts, vec![9; blocks as usize], vec![9; 2 * blocks as usize], vec![0; STATUS_WORDS]];
        for stage in [&stages::ROWS_SUM, &stages::ROWS_OFFSET] {
            check(device, stage, &params, [0; 4], blocks, &buffers);
            stage.run_twin(&params, [0; 4], 0..0, &mut buffers);
        }
    }
}

/// Long rows: none, one, some in some blocks, and all of them; with room for just them, for more, and for too little.
pub(super) fn long_rows(device: &Device) {
    let kinds: [fn(u32) -> u32; 5] = [
        |k| k % 33,
        |k| if k == 2500 { 5000 } else { 1 },
        |k| if k / 2048 % 2 == 1 && k % 100 == 3 { 33 + mix(k) % 90 } else { mix(k) % 3 },
        |k| 32 + k % 2,
        |k| if k % 2048 == 2047 { 40 } else { 0 },
    ];
    for (length, rows) in kinds.into_iter().zip([100_u32, 5000, 9000, 600, 700_000]) {
        let mut ends = vec![0];
        let mut status = vec![0; STATUS_WORDS];
        let mut long_blocks = vec![0; 2 * rows.div_ceil(BLOCK) as usize];
        for row in 0..rows {
            let length = length(row);
            ends.push(ends[row as usize] + length);
            if length > SHORT_ROW {
                status[STATUS_LONG_ROWS] += 1;
                status[STATUS_LONG_HITS] += length;
                long_blocks[2 * (row / BLOCK) as usize] += 1;
                long_blocks[2 * (row / BLOCK) as usize + 1] += length;
            }
        }
        let (long, keys) = (status[STATUS_LONG_ROWS], status[STATUS_LONG_HITS]);
        for (room, keys, crowded) in [
            (long, keys, 0),
            (long + 300, keys + 700, 0),
            (long.saturating_sub(1), keys, 0),
            (long, keys.saturating_sub(1), 0),
            (long, keys, 1),
        ] {
            status[STATUS_CROWDED] = crowded;
            let params = Params { keys, rows, ..Params::default() };
            let empty = |n: u32| vec![0xdead_beef; n.max(2) as usize];
            let partners = (0..ends[rows as usize]).map(mix).collect();
            let mut buffers = vec![
                ends.clone(),
                long_blocks.clone(),
                empty(2 * room),
                partners,
                empty(keys),
                empty(keys),
                status.clone(),
            ];
            for (stage, groups) in [
                (&stages::LONG_LIST, rows.div_ceil(BLOCK)),
                (&stages::LONG_COLLECT, keys.div_ceil(256)),
                (&stages::LONG_SPREAD, keys.div_ceil(256)),
            ] {
                if groups > 0 {
                    check(device, stage, &params, [room, 0, 0, 0], groups, &buffers);
                    stage.run_twin(&params, [room, 0, 0, 0], 0..0, &mut buffers);
                }
                // Others than were there, so that it shows where they go.
                if stage.name == "long_collect" {
                    buffers[4].iter_mut().for_each(|partner| *partner = mix(*partner));
                }
            }
        }
    }
}

/// Changed records of both sizes: one, some, and many in any order; all bodies of some words of tags among them.
pub(super) fn patches(device: &Device) {
    for (changed, every) in [(1_u32, 7), (40, 3), (300, 1), (5000, 5)] {
        for (size, heading) in [(10, 2), (4, 1)] {
            let bodies = changed * every;
            let order = |k: u32| k * 7 % changed * every;
            let word = |k: u32, word: u32| match word {
                0 => order(k),
                // The same for all bodies of the word.
                1 if heading == 2 => mix(order(k) / 4),
                _ => mix(16 * k + word),
            };
            let mut patches: Vec<u32> =
                (0..changed).flat_map(|k| (0..size + heading).map(move |w| word(k, w))).collect();
            let keys = patches.len() as u32;
            // What lies behind them is of an earlier patch.
            patches.extend((0..40).map(|k| k % 12));
            let tags = vec![6; bodies.div_ceil(4) as usize];
            let buffers = [patches, vec![5; (size * bodies) as usize], tags, vec![0; STATUS_WORDS]];
            let params = Params { keys, ..Params::default() };
            check(device, &stages::PATCH_RECORDS, &params, [size, heading, 0, 0], keys.div_ceil(256), &buffers);
        }
    }
}

/// Buffers that no query makes: too little room, every slot empty, one row for all, words of all ones.
pub(super) fn adversarial_buffers(device: &Device) {
    // Hits of two rows in disorder, a bin each, half of them marked, of which only some find room.
    for (hits, room) in [(700_u32, 1000_u32), (700, 300), (5000, 5000), (60, 80), (1, 1)] {
        let mut status = vec![0; STATUS_WORDS];
        let counts = [hits / 2, hits - hits / 2];
        status[STATUS_HITS..STATUS_HITS + 2].copy_from_slice(&counts);
        status[STATUS_CROWDED] = u32::from(counts[1] > room);
        let mut params = Params { rows: 2, ..Params::default() };
        params.bin_first = std::array::from_fn(|bin| bin as u32 * room.next_multiple_of(PLACED));
        params.bin_size = std::array::from_fn(|bin| if bin < 2 { room } else { 0 });
        let mut words = vec![NONE; 4 * room.next_multiple_of(PLACED) as usize];
        for (row, (count, first)) in counts.into_iter().zip(params.bin_first).enumerate() {
            for k in 0..count.min(room) {
                let at = 2 * (first + k) as usize;
                let partner = (mix(k) & 0xffff_fff0 | (k & 15)) & ID | (k & 1) << 31 | (k & 2) << 29;
                words[at..at + 2].copy_from_slice(&[row as u32, partner]);
            }
        }
        let mut buffers = vec![vec![0, 0, counts[0]], words, vec![0; 2 * room as usize], status];
        check(device, &stages::PLACE_HITS, &params, [0; 4], 2 * room.div_ceil(PLACED), &buffers);
        stages::PLACE_HITS.run_twin(&params, [0; 4], 0..0, &mut buffers);
        buffers.remove(1);
        for stage in [&stages::ORDER_ROWS, &stages::ORDER_FULL_ROWS] {
            check(device, stage, &params, [0; 4], 1, &buffers);
        }
    }
    // Rows of all lengths: more than a workgroup can hold, and fewer.
    for (rows, most) in [(1000_u32, 33), (1000, 3), (256, 16), (257, 20)] {
        let mut ends = vec![0];
        (0..rows).for_each(|row| ends.push(ends[row as usize] + mix(row) % (most + 1)));
        let params = Params { rows, ..Params::default() };
        let partners: Vec<u32> = (0..ends[rows as usize]).map(|k| mix(k) & (ID >> 4) | (k & 3) << 30).collect();
        let buffers = [ends, partners, vec![0; STATUS_WORDS]];
        for stage in [&stages::ORDER_ROWS, &stages::ORDER_FULL_ROWS] {
            check(device, stage, &params, [0; 4], rows.div_ceil(256), &buffers);
        }
    }
    // No body in any slot, and bodies everywhere in all of them.
    for id in [NONE, 5] {
        let slots = 4 * WIDTH as usize;
        let (low, high) = if id == NONE { (f32::MAX, -f32::MAX) } else { (-f32::MAX, f32::MAX) };
        let mut boxes = Vec::new();
        for slot in 0..slots as u32 {
            let id = if id == NONE { NONE } else { slot };
            boxes.extend([low.to_bits(), low.to_bits(), low.to_bits(), id]);
            boxes.extend([high.to_bits(), high.to_bits(), high.to_bits(), 4 | (slot % 3)]);
        }
        let mut nodes: Vec<u32> = boxes[..8 * 7].to_vec();
        for node in nodes.chunks_exact_mut(8) {
            (node[3], node[7]) = (0, NONE);
        }
        for size in [2000, 3] {
            let params = Params {
                flags: ORDERED,
                own_end: 4,
                level_first: [0, 4, 5, 6],
                level_count: [4, 1, 1, 1],
                bucket_first: std::array::from_fn(|k| k as u32 * size),
                bucket_size: [size; 8],
                only_bucket: NONE,
                unfinished: 4,
                work: 40_000,
                ..Params::default()
            };
            let buffers = vec![
                boxes.clone(),
                nodes.clone(),
                vec![0; 4],
                vec![0; 4],
                vec![0; 12 * size as usize],
                vec![0; 8],
                vec![0; STATUS_WORDS],
            ];
            for stage in [&stages::FIND_PAIRS, &stages::ALL_PAIRS] {
                check(device, stage, &params, [0; 4], 4, &buffers);
            }
            // A counter that goes beyond its end says so.
            let mut full = buffers;
            full[6][STATUS_CANDIDATES..STATUS_CANDIDATES + BUCKETS].fill(u32::MAX - 2);
            if id != NONE {
                overflow(device, &params, &full);
            }
        }
    }
}

fn overflow(device: &Device, params: &Params, buffers: &[Vec<u32>]) {
    let mut runner = Runner::new();
    let mut slabs: Vec<GrowBuffer> = Vec::new();
    for words in buffers {
        let mut slab = GrowBuffer::storage("test");
        slab.reserve(device, 4 * words.len() as u64).expect("room");
        device.queue.write_buffer(slab.buffer(), 0, bytemuck::cast_slice(words));
        slabs.push(slab);
    }
    let mut recording = Recording::default();
    recording.params(params);
    recording.run(&stages::FIND_PAIRS, [0; 4], 4_u32, &slabs.iter().map(GrowBuffer::buffer).collect::<Vec<_>>());
    let readings = [(slabs[6].buffer(), 4 * STATUS_WORDS as u64)];
    let read = pollster::block_on(runner.run(device, recording, &readings, true)).expect("it runs");
    assert!(read[0][STATUS_CARRY] > 0, "a counter went beyond its end unnoticed");
}
