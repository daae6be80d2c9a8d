//! The order of bodies: by world, size class and position along the curve.

use super::segments::{Segment, segments};
use super::sort::sort;
use crate::Bodies;
use crate::bodies::Alike;
use crate::lanes::{Number, Task, Width};
use crate::parallel::{COLLECT, Pool};
use crate::shape::hull_record::reach_of;
use crate::shape::kinds::{Kind, Record};
use crate::spatial::{CLASS_BITS, Grid, Sizes};

/// Bodies per task.
const CHUNK: usize = 1 << 14;
/// Bodies whose keys are computed at a time.
const MANY: usize = 128;

/// The enabled bodies, sorted.
pub(super) struct Sorted {
    /// The id of the body at each sorted position.
    pub ids: Vec<u32>,
    pub segments: Vec<Segment>,
}

/// The ids of the enabled bodies.
fn enabled(flags: &[bool]) -> Vec<u32> {
    (0..flags.len() as u32).filter(|i| flags[*i as usize]).collect()
}

/// About where a body is and how large, by which it is sorted: what lies in the middle of its bounds, and its longest side.
#[inline(always)]
fn place_and_size(kind: Kind, record: &Record) -> ([f32; 3], f32) {
    let [a, b, c, d, e, f, ..] = *record;
    let longest = |x: f32, y: f32, z: f32| {
        let longer = if x > y { x } else { y };
        if longer > z { longer } else { z }
    };
    match kind {
        Kind::Sphere => ([a, b, c], 2.0 * d),
        Kind::Aabb => ([0.5 * a + 0.5 * d, 0.5 * b + 0.5 * e, 0.5 * c + 0.5 * f], longest(d - a, e - b, f - c)),
        Kind::Obb => ([a, b, c], 2.0 * longest(d, e, f)),
        Kind::Capsule => {
            let side = longest((d - a).abs(), (e - b).abs(), (f - c).abs());
            ([0.5 * a + 0.5 * d, 0.5 * b + 0.5 * e, 0.5 * c + 0.5 * f], side + 2.0 * record[6])
        }
        Kind::ConvexHull => ([a, b, c], 2.0 * reach_of(d).min(f32::MAX / 2.0)),
        // It is everywhere.
        Kind::Plane => ([0.0; 3], f32::MAX),
    }
}

/// The keys by which bodies are sorted within a world: size class, then position along the curve.
pub(super) fn keys_of(pool: &Pool, width: Width, bodies: &Bodies, ids: &[u32]) -> Vec<u64> {
    let curve = Curve::new(bodies);
    let mut keys = vec![0; ids.len()];
    pool.for_chunks_mut(&mut keys, CHUNK, |first, keys| {
        width.run(Keys { bodies, curve: &curve, enabled: Some(ids), first, items: &mut *keys });
        for key in keys.iter_mut() {
            *key >>= curve.index_bits;
        }
    });
    keys
}

/// What makes keys of bodies.
struct Curve {
    grid: Grid,
    sizes: Sizes,
    /// The bits of an id.
    index_bits: u32,
}

impl Curve {
    fn new(bodies: &Bodies) -> Self {
        let n = bodies.id_bound();
        let index_bits = usize::BITS - n.leading_zeros();
        let place_and_size = |i: usize| place_and_size(bodies.kind(i), &bodies.records()[i]);
        let grid = Grid::new(n, |i| place_and_size(i).0, index_bits + CLASS_BITS);
        Self { grid, sizes: Sizes::new(n, |i| place_and_size(i).1), index_bits }
    }
}

pub(super) fn sorted(pool: &Pool, width: Width, bodies: &Bodies) -> Sorted {
    let n = bodies.id_bound();
    let (traits, flags) = (bodies.all_traits(), bodies.enabled_flags());
    // Worlds are replaced by their ranks, which are less than the number of bodies and so need fewer bits.
    // Where all are alike, they are enabled and in one world.
    let looked_at = if let Alike::Plain(_) = bodies.alike() { 0 } else { n };
    let parts = pool.map_chunks(looked_at, CHUNK, |range| {
        let mut worlds: Vec<u32> = Vec::new();
        for world in range.clone().filter(|i| flags[*i]).map(|i| traits[i].world) {
            if worlds.last() != Some(&world) {
                worlds.push(world);
            }
        }
        (flags[range].contains(&false), worlds)
    });
    // The enabled bodies; absent if all are enabled.
    let enabled = parts.iter().any(|(disabled, _)| *disabled).then(|| enabled(flags));
    let count = enabled.as_ref().map_or(n, Vec::len);
    let mut worlds: Vec<u32> = parts.into_iter().flat_map(|(_, worlds)| worlds).collect();
    if looked_at < n {
        worlds.push(traits[0].world);
    }
    worlds.sort_unstable();
    worlds.dedup();
    let curve = Curve::new(bodies);
    let mut items = pool.scratch(count);
    pool.for_chunks_mut(&mut items, CHUNK, |first, items| {
        width.run(Keys { bodies, curve: &curve, enabled: enabled.as_deref(), first, items });
    });
    let Curve { grid, sizes, index_bits } = curve;
    let order = sort(pool, items, index_bits);
    let index = |item: u64| (item & ((1 << index_bits) - 1)) as u32;
    if let [world] = worlds[..] {
        let class = |item: u64| (item >> (index_bits + grid.key_bits())) as u32;
        let segments = segments(pool, count, |k| (world, class(order[k])));
        let ids = pool.collect_by(count, COLLECT, |k| index(order[k]));
        pool.keep(order);
        return Sorted { ids, segments };
    }
    // A stable sort by world keeps the order within each world.
    let world = |i: u32| traits[i as usize].world;
    let rank = |i: u32| worlds.partition_point(|w| *w < world(i)) as u64;
    let by_world =
        pool.collect_by(count, COLLECT, |k| rank(index(order[k])) << index_bits | u64::from(index(order[k])));
    pool.keep(order);
    let order = sort(pool, by_world, index_bits);
    let ids: Vec<u32> = pool.collect_by(count, COLLECT, |k| index(order[k]));
    pool.keep(order);
    let class = |i: u32| sizes.class(place_and_size(bodies.kind(i as usize), &bodies.records()[i as usize]).1);
    let segments = segments(pool, count, |k| (world(ids[k]), class(ids[k])));
    Sorted { ids, segments }
}

/// Writes the sort keys of bodies: size class, then position along the curve, then index, in one integer.
struct Keys<'a> {
    bodies: &'a Bodies,
    curve: &'a Curve,
    /// The enabled bodies; absent if all are.
    enabled: Option<&'a [u32]>,
    first: usize,
    items: &'a mut [u64],
}

impl Task for Keys<'_> {
    type Output = ();

    /// (In loops over arrays, which are compiled for the instructions of the width.)
    #[inline(always)]
    fn run<T: Number>(self) {
        let (kinds, records) = (self.bodies.kinds(), self.bodies.records());
        for (part, items) in self.items.chunks_mut(MANY).enumerate() {
            let first = self.first + part * MANY;
            let (mut ids, mut places, mut sizes) = ([0; MANY], [[0.0; MANY]; 3], [0.0; MANY]);
            for k in 0..items.len() {
                ids[k] = self.enabled.map_or((first + k) as u32, |enabled| enabled[first + k]);
                let id = ids[k] as usize;
                let (place, size) = place_and_size(kinds[id], &records[id]);
                (places[0][k], places[1][k], places[2][k], sizes[k]) = (place[0], place[1], place[2], size);
            }
            let Curve { grid, sizes: classes, index_bits } = self.curve;
            let keys = grid.keys(&places);
            let mut all = [0; MANY];
            for k in 0..MANY {
                let class = u64::from(classes.class(sizes[k])) << grid.key_bits();
                all[k] = (class | keys[k]) << index_bits | u64::from(ids[k]);
            }
            items.copy_from_slice(&all[..items.len()]);
        }
    }
}
