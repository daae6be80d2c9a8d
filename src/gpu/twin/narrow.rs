//! The narrow phase: the certified filters in `f32`.

use crate::filter::{self, Cuboid, Verdict};
use crate::gpu::abi::narrow::{Params, View};
use crate::gpu::abi::{
    ABSENT, HIT, MARK_TOUCHING, MARK_UNDECIDED, MISS, NARROW_CANDIDATES, ORDERED, OUTSIDE_DOMAIN, REPORT_HITS,
    REPORT_VERDICTS, SECOND_SEARCHES, STATUS_BINS_OVERFLOWED, STATUS_CANDIDATES, STATUS_HITS, STATUS_LEFT_OPEN,
    STATUS_UNDECIDED, TOUCH, UNDECIDED,
};
use crate::gpu::ledger::word_of;
use crate::gpu::stages::{self, PairKernels};
use crate::shape::{Aabb, Obb, Sphere};

/// A slot, as the narrow phase reads it.
pub(super) struct Slot<'a> {
    shape: &'a [[u32; 4]],
    rotation: [u32; 4],
}

impl Slot<'_> {
    fn numbers(&self, at: usize) -> [f32; 3] {
        [0, 1, 2].map(|k| f32::from_bits(self.shape[at][k]))
    }

    pub(super) fn sphere(&self) -> Sphere {
        let ([x, y, z], [radius, _, _]) = (self.numbers(0), self.numbers(1));
        bytemuck::cast([x, y, z, radius])
    }

    pub(super) fn aabb(&self) -> Aabb {
        bytemuck::cast([self.numbers(0), self.numbers(1)])
    }

    pub(super) fn obb(&self) -> Obb {
        let ([a, b, c], [d, e, f]) = (self.numbers(0), self.numbers(1));
        let [x, y, z, w] = self.rotation.map(f32::from_bits);
        bytemuck::cast([a, b, c, d, e, f, x, y, z, w])
    }

    fn cuboid(&self) -> Cuboid<f32> {
        Cuboid::in_f32(&self.obb())
    }

    fn within(&self) -> bool {
        self.shape[0][3] & OUTSIDE_DOMAIN == 0
    }
}

/// Row and partner of the candidate with index `at` among all candidates.
pub(crate) fn row_and_partner(params: &Params, view: &View<'_>, at: usize) -> (u32, u32) {
    let [first, second] = view.candidates[at];
    let id = |slot: u32| view.slot_shapes[2 * slot as usize][3] & !OUTSIDE_DOMAIN;
    let (a, b) = (id(first), id(second & !SECOND_SEARCHES));
    let (own, other) = if second & SECOND_SEARCHES == 0 { (a, b) } else { (b, a) };
    if params.flags & ORDERED != 0 { (own.min(other), own.max(other)) } else { (own, other) }
}

/// Records the verdict on the candidate with index `at` among all candidates.
pub(super) fn note(params: &Params, view: &mut View<'_>, at: usize, verdict: u32) {
    if verdict == MISS {
        return;
    }
    let (row, partner) = row_and_partner(params, view, at);
    let View { hits, rows, status, .. } = view;
    rows[row as usize + 1] += 1;
    let bin = (row >> params.bin_bits) as usize;
    let place = status[STATUS_HITS + bin];
    status[STATUS_HITS + bin] += 1;
    let mark = match verdict {
        UNDECIDED => MARK_UNDECIDED,
        TOUCH => MARK_TOUCHING,
        _ => 0,
    };
    status[STATUS_UNDECIDED] += u32::from(verdict == UNDECIDED);
    if place < params.bin_size[bin] {
        hits[(params.bin_first[bin] + place) as usize] = [row, partner | mark];
    } else {
        status[STATUS_BINS_OVERFLOWED] = 1;
    }
}

/// The verdict of `filter` on the candidate with index `at` among all candidates.
pub(super) fn verdict(view: &View<'_>, at: usize, filter: impl Fn(&Slot<'_>, &Slot<'_>) -> u32) -> u32 {
    let slot = |s: u32| {
        let s = (s & !SECOND_SEARCHES) as usize;
        Slot { shape: &view.slot_shapes[2 * s..2 * s + 2], rotation: view.slot_rotations[s] }
    };
    let [first, second] = view.candidates[at];
    filter(&slot(first), &slot(second))
}

/// The candidates of the bucket that found room, as a range of indices.
pub(super) fn range(params: &Params, status: &[u32]) -> std::ops::Range<usize> {
    let count = status[STATUS_CANDIDATES + params.bucket as usize].min(params.room);
    params.first_candidate as usize..(params.first_candidate + count) as usize
}

/// Decides the candidates of a bucket by `filter`, and adds their number to the stage's word of the ledger. Undecided candidates
/// that a settle kernel will process are moved to the front of their workgroup's part of the candidates.
fn decide(params: &Params, mut view: View<'_>, kernels: &PairKernels, filter: impl Fn(&Slot<'_>, &Slot<'_>) -> u32) {
    let all = range(params, view.status);
    let narrow = kernels.narrow.expect("this twin is one of a kernel");
    let decided = &mut view.status[word_of(narrow)];
    *decided = decided.wrapping_add(all.len() as u32);
    let open = kernels.leaves_open && params.mode == REPORT_HITS;
    for first in all.clone().step_by(NARROW_CANDIDATES as usize) {
        let end = first + NARROW_CANDIDATES as usize;
        let mut left = Vec::new();
        for at in first..end.min(all.end) {
            let verdict = verdict(&view, at, &filter);
            if params.mode == REPORT_VERDICTS {
                view.hits[at] = [verdict, 0];
            } else if open && verdict == UNDECIDED {
                left.push(view.candidates[at]);
            } else {
                note(params, &mut view, at, verdict);
            }
        }
        if open {
            view.status[STATUS_LEFT_OPEN] += left.len() as u32;
            let end_of_left = first + left.len();
            view.candidates[first..end_of_left].copy_from_slice(&left);
            if end_of_left < end.min((params.first_candidate + params.room) as usize) {
                view.candidates[end_of_left] = [ABSENT; 2];
            }
        }
    }
}

/// The verdict of a filter; undecided if a shape is outside its domain.
fn certified(a: &Slot<'_>, b: &Slot<'_>, filter: impl Fn() -> Verdict) -> u32 {
    if !(a.within() && b.within()) {
        return UNDECIDED;
    }
    match filter() {
        Verdict::Miss => MISS,
        Verdict::Hit => HIT,
        Verdict::Undecided(_) => UNDECIDED,
    }
}

/// The kernels of the bucket.
fn kernels_of(params: &Params) -> &'static PairKernels {
    &stages::PAIRS[params.bucket as usize]
}

pub(crate) fn sphere_sphere_pairs(params: &Params, view: View<'_>) {
    decide(params, view, kernels_of(params), |a, b| {
        certified(a, b, || filter::sphere_sphere::<f32>(&a.sphere(), &b.sphere()))
    });
}

pub(crate) fn sphere_aabb_pairs(params: &Params, view: View<'_>) {
    decide(params, view, kernels_of(params), |a, b| {
        certified(a, b, || filter::sphere_aabb::<f32>(&a.sphere(), &b.aabb()))
    });
}

pub(crate) fn sphere_obb_pairs(params: &Params, view: View<'_>) {
    decide(params, view, kernels_of(params), |a, b| {
        certified(a, b, || filter::sphere_obb::<f32>(&a.sphere(), &b.cuboid()))
    });
}

/// Comparisons of the inputs are exact, so that they need no domain.
pub(crate) fn aabb_aabb_pairs(params: &Params, view: View<'_>) {
    decide(params, view, kernels_of(params), |a, b| {
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

pub(crate) fn aabb_obb_pairs(params: &Params, view: View<'_>) {
    decide(params, view, kernels_of(params), |a, b| {
        certified(a, b, || filter::aabb_obb::<f32>(&a.aabb(), &b.cuboid()))
    });
}

pub(crate) fn obb_obb_pairs(params: &Params, view: View<'_>) {
    decide(params, view, kernels_of(params), |a, b| {
        certified(a, b, || filter::obb_obb::<f32>(&a.cuboid(), &b.cuboid()))
    });
}

pub(crate) fn near_aabb_obb_pairs(params: &Params, view: View<'_>) {
    decide(params, view, &stages::NEAR[0], |a, b| {
        certified(a, b, || filter::aabb_obb_within::<f32>(&a.aabb(), &b.cuboid(), params.margin))
    });
}

pub(crate) fn near_obb_obb_pairs(params: &Params, view: View<'_>) {
    decide(params, view, &stages::NEAR[1], |a, b| {
        certified(a, b, || filter::obb_obb_within::<f32>(&a.cuboid(), &b.cuboid(), params.margin))
    });
}

pub(crate) fn accept_pairs(params: &Params, view: View<'_>) {
    decide(params, view, &stages::ACCEPT, |_, _| HIT);
}
