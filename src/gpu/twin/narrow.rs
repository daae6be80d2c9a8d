//! Verdicts on candidates: the certified filters in `f32`.

use crate::filter::{self, Cuboid, Verdict};
use crate::gpu::params::{MARK, ORDERED, Params, STATUS_CANDIDATES, STATUS_HITS, STATUS_LONGEST, Step};
use crate::shape::{Aabb, Sphere};

const MISS: u32 = 0;
const HIT: u32 = 1;
const UNDECIDED: u32 = 2;

/// A slot, as the narrow phase reads it.
struct Slot<'a> {
    place: &'a [u32],
    turn: &'a [u32],
}

impl Slot<'_> {
    fn numbers<const N: usize>(&self, at: usize) -> [f32; N] {
        std::array::from_fn(|k| f32::from_bits(self.place[at + k]))
    }

    fn sphere(&self) -> Sphere {
        let [x, y, z] = self.numbers(0);
        bytemuck::cast([x, y, z, f32::from_bits(self.place[4])])
    }

    fn aabb(&self) -> Aabb {
        let ([a, b, c], [d, e, f]) = (self.numbers(0), self.numbers(4));
        bytemuck::cast([a, b, c, d, e, f])
    }

    fn cuboid(&self) -> Cuboid<f32> {
        let turn: [f32; 8] = std::array::from_fn(|k| f32::from_bits(self.turn[k]));
        let axes = [
            [turn[0], turn[1], turn[2]],
            [turn[3], turn[4], turn[5]],
            [turn[6], turn[7], f32::from_bits(self.place[7])],
        ];
        Cuboid { center: self.numbers(0), half: self.numbers(4), axes }
    }

    fn within(&self) -> bool {
        self.place[3] & MARK == 0
    }
}

/// Puts the candidates of a bucket through `filter`.
fn decide(
    params: &Params,
    [bucket, mode, _, _]: Step,
    buffers: &mut [Vec<u32>],
    filter: impl Fn(&Slot<'_>, &Slot<'_>) -> u32,
) {
    let [places, turns, candidates, hits, rows, status] = buffers else { return };
    let bucket = bucket as usize;
    let first = params.bucket_first[bucket];
    for c in 0..status[STATUS_CANDIDATES + bucket].min(params.bucket_size[bucket]) {
        let at = (first + c) as usize;
        let (x, y) = (candidates[2 * at] as usize, candidates[2 * at + 1]);
        let (y, y_asks) = ((y & !MARK) as usize, y & MARK != 0);
        let slot = |s: usize| Slot { place: &places[8 * s..8 * s + 8], turn: &turns[8 * s..8 * s + 8] };
        let verdict = filter(&slot(x), &slot(y));
        if mode == 1 {
            hits[at] = verdict;
            continue;
        }
        if verdict == MISS {
            continue;
        }
        let id = |s: usize| places[8 * s + 3] & !MARK;
        let (own, other) = if y_asks { (id(y), id(x)) } else { (id(x), id(y)) };
        let (a, b) = if params.flags & ORDERED != 0 { (own.min(other), own.max(other)) } else { (own, other) };
        let place_in_row = rows[a as usize];
        rows[a as usize] += 1;
        let place = status[STATUS_HITS];
        status[STATUS_HITS] += 1;
        status[STATUS_LONGEST] = status[STATUS_LONGEST].max(place_in_row + 1);
        if place < params.hits {
            let marked = if verdict == UNDECIDED { b | MARK } else { b };
            hits[3 * place as usize..3 * place as usize + 3].copy_from_slice(&[a, marked, place_in_row]);
        }
    }
}

fn number(verdict: Verdict) -> u32 {
    match verdict {
        Verdict::Miss => MISS,
        Verdict::Hit => HIT,
        Verdict::Undecided(_) => UNDECIDED,
    }
}

/// The verdict of a filter, within its domain.
fn certified(a: &Slot<'_>, b: &Slot<'_>, filter: impl Fn() -> Verdict) -> u32 {
    if a.within() && b.within() { number(filter()) } else { UNDECIDED }
}

pub(crate) fn sphere_sphere(params: &Params, step: Step, buffers: &mut [Vec<u32>]) {
    decide(params, step, buffers, |a, b| certified(a, b, || filter::sphere_sphere::<f32>(&a.sphere(), &b.sphere())));
}

pub(crate) fn sphere_aabb(params: &Params, step: Step, buffers: &mut [Vec<u32>]) {
    decide(params, step, buffers, |a, b| certified(a, b, || filter::sphere_aabb::<f32>(&a.sphere(), &b.aabb())));
}

pub(crate) fn sphere_obb(params: &Params, step: Step, buffers: &mut [Vec<u32>]) {
    decide(params, step, buffers, |a, b| certified(a, b, || filter::sphere_obb::<f32>(&a.sphere(), &b.cuboid())));
}

/// Comparisons of the inputs, which need no domain.
pub(crate) fn aabb_aabb(params: &Params, step: Step, buffers: &mut [Vec<u32>]) {
    decide(params, step, buffers, |a, b| {
        let (a, b) = (a.aabb(), b.aabb());
        if !(a.min().cmple(b.max()).all() && b.min().cmple(a.max()).all()) {
            MISS
        } else if a.min().cmplt(b.max()).all() && b.min().cmplt(a.max()).all() {
            HIT
        } else {
            UNDECIDED
        }
    });
}

pub(crate) fn aabb_obb(params: &Params, step: Step, buffers: &mut [Vec<u32>]) {
    decide(params, step, buffers, |a, b| certified(a, b, || filter::aabb_obb::<f32>(&a.aabb(), &b.cuboid())));
}

pub(crate) fn obb_obb(params: &Params, step: Step, buffers: &mut [Vec<u32>]) {
    decide(params, step, buffers, |a, b| certified(a, b, || filter::obb_obb::<f32>(&a.cuboid(), &b.cuboid())));
}

pub(crate) fn accept(params: &Params, step: Step, buffers: &mut [Vec<u32>]) {
    decide(params, step, buffers, |_, _| HIT);
}
