//! Verdicts on candidates: the certified filters in `f32`.

use crate::filter::{self, Cuboid, Verdict};
use crate::gpu::ledger::word_of;
use crate::gpu::params::{
    CANDIDATES, MARK, NONE, ORDERED, Params, STATUS_CANDIDATES, STATUS_CROWDED, STATUS_HITS, STATUS_LEFT_OPEN,
    STATUS_UNDECIDED, Step, TOUCHING,
};
use crate::gpu::stages::{self, Stage};
use crate::shape::{Aabb, Obb, Sphere};

pub(super) const MISS: u32 = 0;
pub(super) const HIT: u32 = 1;
const UNDECIDED: u32 = 2;
pub(super) const TOUCH: u32 = 3;

/// A slot, as the narrow phase reads it.
pub(super) struct Slot<'a> {
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

    pub(super) fn aabb(&self) -> Aabb {
        let ([a, b, c], [d, e, f]) = (self.numbers(0), self.numbers(4));
        bytemuck::cast([a, b, c, d, e, f])
    }

    pub(super) fn obb(&self) -> Obb {
        let ([a, b, c], [d, e, f]) = (self.numbers(0), self.numbers(4));
        let [x, y, z, w] = std::array::from_fn(|k| f32::from_bits(self.turn[k]));
        bytemuck::cast([a, b, c, d, e, f, x, y, z, w])
    }

    fn cuboid(&self) -> Cuboid<f32> {
        Cuboid::in_f32(&self.obb())
    }

    fn within(&self) -> bool {
        self.place[3] & MARK == 0
    }
}

/// Takes down the verdict on candidate `at` of all.
pub(super) fn note(params: &Params, buffers: &mut [Vec<u32>], at: usize, verdict: u32) {
    let [places, _, candidates, hits, rows, status] = buffers else { return };
    if verdict == MISS {
        return;
    }
    let (x, y) = (candidates[2 * at] as usize, candidates[2 * at + 1]);
    let (y, y_asks) = ((y & !MARK) as usize, y & MARK != 0);
    let id = |s: usize| places[8 * s + 3] & !MARK;
    let (own, other) = if y_asks { (id(y), id(x)) } else { (id(x), id(y)) };
    let (a, b) = if params.flags & ORDERED != 0 { (own.min(other), own.max(other)) } else { (own, other) };
    rows[a as usize + 1] += 1;
    let bin = (a >> params.bin_bits) as usize;
    let place = status[STATUS_HITS + bin];
    status[STATUS_HITS + bin] += 1;
    let mark = match verdict {
        UNDECIDED => MARK,
        TOUCH => TOUCHING,
        _ => 0,
    };
    status[STATUS_UNDECIDED] += u32::from(verdict == UNDECIDED);
    if place < params.bin_size[bin] {
        let at = 2 * (params.bin_first[bin] + place) as usize;
        hits[at..at + 2].copy_from_slice(&[a, b | mark]);
    } else {
        status[STATUS_CROWDED] = 1;
    }
}

/// The verdict of `filter` on candidate `at` of all.
pub(super) fn verdict(buffers: &[Vec<u32>], at: usize, filter: impl Fn(&Slot<'_>, &Slot<'_>) -> u32) -> u32 {
    let [places, turns, candidates, ..] = buffers else { return UNDECIDED };
    let slot = |s: u32| {
        let s = (s & !MARK) as usize;
        Slot { place: &places[8 * s..8 * s + 8], turn: &turns[4 * s..4 * s + 4] }
    };
    filter(&slot(candidates[2 * at]), &slot(candidates[2 * at + 1]))
}

/// Where the candidates of a bucket that there was room for begin and end.
pub(super) fn range(params: &Params, bucket: u32, status: &[u32]) -> std::ops::Range<usize> {
    let bucket = bucket as usize;
    let first = params.bucket_first[bucket];
    first as usize..(first + status[STATUS_CANDIDATES + bucket].min(params.bucket_size[bucket])) as usize
}

/// Puts the candidates of a bucket through `filter`, and notes in the ledger of the stage how many there were. Those left open, if any may be, are put where the candidates of their
/// workgroup begin.
fn decide(
    params: &Params,
    [bucket, mode, _, _]: Step,
    buffers: &mut [Vec<u32>],
    (stage, open): (&Stage, bool),
    filter: impl Fn(&Slot<'_>, &Slot<'_>) -> u32,
) {
    let all = range(params, bucket, &buffers[5]);
    let decided = &mut buffers[5][word_of(stage)];
    *decided = decided.wrapping_add(all.len() as u32);
    for first in all.clone().step_by(CANDIDATES as usize) {
        let mut left = Vec::new();
        for at in first..(first + CANDIDATES as usize).min(all.end) {
            let verdict = verdict(buffers, at, &filter);
            if mode == 1 {
                buffers[3][2 * at..2 * at + 2].copy_from_slice(&[verdict, 0]);
            } else if open && verdict == UNDECIDED {
                left.extend_from_slice(&buffers[2][2 * at..2 * at + 2]);
            } else {
                note(params, buffers, at, verdict);
            }
        }
        if open && mode == 0 {
            let end = first + left.len() / 2;
            buffers[5][STATUS_LEFT_OPEN] += (left.len() / 2) as u32;
            buffers[2][2 * first..2 * end].copy_from_slice(&left);
            let size = (params.bucket_first[bucket as usize] + params.bucket_size[bucket as usize]) as usize;
            if end < (first + CANDIDATES as usize).min(size) {
                buffers[2][2 * end..2 * end + 2].fill(NONE);
            }
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
    decide(params, step, buffers, (&stages::SPHERE_SPHERE, false), |a, b| {
        certified(a, b, || filter::sphere_sphere::<f32>(&a.sphere(), &b.sphere()))
    });
}

pub(crate) fn sphere_aabb(params: &Params, step: Step, buffers: &mut [Vec<u32>]) {
    decide(params, step, buffers, (&stages::SPHERE_AABB, false), |a, b| {
        certified(a, b, || filter::sphere_aabb::<f32>(&a.sphere(), &b.aabb()))
    });
}

pub(crate) fn sphere_obb(params: &Params, step: Step, buffers: &mut [Vec<u32>]) {
    decide(params, step, buffers, (&stages::SPHERE_OBB, false), |a, b| {
        certified(a, b, || filter::sphere_obb::<f32>(&a.sphere(), &b.cuboid()))
    });
}

/// Comparisons of the inputs, which need no domain.
pub(crate) fn aabb_aabb(params: &Params, step: Step, buffers: &mut [Vec<u32>]) {
    decide(params, step, buffers, (&stages::AABB_AABB, false), |a, b| {
        let (a, b) = (a.aabb(), b.aabb());
        if !(a.min().cmple(b.max()).all() && b.min().cmple(a.max()).all()) {
            MISS
        } else if a.min().cmplt(b.max()).all() && b.min().cmplt(a.max()).all() {
            HIT
        } else {
            TOUCH
        }
    });
}

pub(crate) fn aabb_obb(params: &Params, step: Step, buffers: &mut [Vec<u32>]) {
    decide(params, step, buffers, (&stages::AABB_OBB, true), |a, b| {
        certified(a, b, || filter::aabb_obb::<f32>(&a.aabb(), &b.cuboid()))
    });
}

pub(crate) fn obb_obb(params: &Params, step: Step, buffers: &mut [Vec<u32>]) {
    decide(params, step, buffers, (&stages::OBB_OBB, true), |a, b| {
        certified(a, b, || filter::obb_obb::<f32>(&a.cuboid(), &b.cuboid()))
    });
}

pub(crate) fn accept(params: &Params, step: Step, buffers: &mut [Vec<u32>]) {
    decide(params, step, buffers, (&stages::ACCEPT, false), |_, _| HIT);
}
