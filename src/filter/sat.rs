//! The separating axis theorem over 15 axes whose gaps carry an error bound: the part that all pairs of boxes share.

use super::{Arithmetic, AxisSet, Real, Verdict};

/// The gap along one axis: `apart` above zero proves that the axis separates, `overlap` above zero that it does not.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Gap<F> {
    pub apart: F,
    pub overlap: F,
}

impl<F: Arithmetic> Gap<F> {
    #[inline(always)]
    pub(crate) fn new<const N: usize>(terms: [(F, F); N], bound: F) -> Self {
        let (apart, overlap) = F::margins(terms, bound);
        Self { apart, overlap }
    }
}

/// The 15 axes of two boxes A and B: A's face normals aᵢ, B's face normals bⱼ, and aᵢ × bⱼ, not normalised.
pub(crate) trait Axes<F> {
    fn face_a(&self, i: usize) -> Gap<F>;
    fn face_b(&self, j: usize) -> Gap<F>;
    fn edge(&self, i: usize, j: usize) -> Gap<F>;
    /// An upper bound of sin(aᵢ, bⱼ) eAᵢ: how much A's edge can add to the shadow along bⱼ.
    fn shadow_of_a(&self, i: usize, j: usize) -> F;
    /// An upper bound of sin(aᵢ, bⱼ) eBⱼ.
    fn shadow_of_b(&self, i: usize, j: usize) -> F;
}

/// (c₁ + c₂ + slack u) e, never less than the true sine times e.
#[inline(always)]
pub(crate) fn shadow<F: Arithmetic>(c1: F, c2: F, slack: f64, half: F) -> F {
    let sine = F::sum([(c1, F::one()), (c2, F::one()), (F::constant(slack * F::U), F::one())]);
    F::sum([(sine, half), (F::constant(F::TINY), F::one())])
}

/// The verdict: miss if any axis certainly separates, hit if all certainly overlap.
#[inline(always)]
pub(crate) fn decide<F: Real>(boxes: &impl Axes<F>) -> Verdict {
    let zero = F::zero();
    let separates = |gaps: &[Gap<F>; 3]| gaps[0].apart > zero || gaps[1].apart > zero || gaps[2].apart > zero;
    let faces_a = [boxes.face_a(0), boxes.face_a(1), boxes.face_a(2)];
    if separates(&faces_a) {
        return Verdict::Miss;
    }
    let faces_b = [boxes.face_b(0), boxes.face_b(1), boxes.face_b(2)];
    if separates(&faces_b) {
        return Verdict::Miss;
    }
    let edges = [
        [boxes.edge(0, 0), boxes.edge(0, 1), boxes.edge(0, 2)],
        [boxes.edge(1, 0), boxes.edge(1, 1), boxes.edge(1, 2)],
        [boxes.edge(2, 0), boxes.edge(2, 1), boxes.edge(2, 2)],
    ];
    if edges.iter().any(separates) {
        return Verdict::Miss;
    }
    let certain = |gaps: &[Gap<F>; 3]| gaps.iter().all(|gap| gap.overlap > zero);
    if certain(&faces_a) && certain(&faces_b) && edges.iter().all(certain) {
        return Verdict::Hit;
    }
    decide_nearly_parallel(boxes, &faces_a, &faces_b, &edges)
}

/// The verdict on boxes that may be some way apart: miss if the gap along any axis certainly exceeds the margin, hit if all certainly overlap.
/// (An axis between edges is not normalised, and shorter than 1: the gap along it is less than the boxes are apart.)
#[cfg(any(test, feature = "gpu"))]
pub(crate) fn decide_within<F: Real>(boxes: &impl Axes<F>, margin: F) -> Verdict {
    let (zero, more) = (F::zero(), margin * F::constant(1.0 + 4.0 * F::U));
    let faces = [0, 1, 2].map(|k| [boxes.face_a(k), boxes.face_b(k)]);
    let edges = [0, 1, 2].map(|i| [boxes.edge(i, 0), boxes.edge(i, 1), boxes.edge(i, 2)]);
    let all = || faces.iter().flatten().chain(edges.iter().flatten());
    if all().any(|gap| gap.apart > more) {
        Verdict::Miss
    } else if all().all(|gap| gap.overlap > zero) {
        Verdict::Hit
    } else {
        Verdict::Undecided(AxisSet::ALL)
    }
}

/// The verdict when no axis certainly separates and not all certainly overlap.
///
/// An edge axis of nearly parallel edges is too short for its own bound. The lemma: project along aᵢ; without B's edge j
/// the shadow of the difference body is bounded by the axes aᵢ₁, aᵢ₂, aᵢ×bⱼ₁ and aᵢ×bⱼ₂, and that edge adds at most
/// s eBⱼ to each, s = |aᵢ × bⱼ|. If all four overlap by more than that, the axis aᵢ × bⱼ, which does not see the edge,
/// overlaps too. The same along bⱼ. Only directly certified overlaps are used.
#[cold]
#[inline(never)]
fn decide_nearly_parallel<F: Real>(
    boxes: &impl Axes<F>,
    faces_a: &[Gap<F>; 3],
    faces_b: &[Gap<F>; 3],
    edges: &[[Gap<F>; 3]; 3],
) -> Verdict {
    let zero = F::zero();
    let mut open = 0;
    for i in 0..3 {
        if !(faces_a[i].overlap > zero) {
            open |= 1 << i;
        }
        if !(faces_b[i].overlap > zero) {
            open |= 8 << i;
        }
        for j in 0..3 {
            let (i1, i2, j1, j2) = ((i + 1) % 3, (i + 2) % 3, (j + 1) % 3, (j + 2) % 3);
            let all_above = |gaps: [Gap<F>; 4], shadow: F| gaps.iter().all(|gap| gap.overlap > shadow);
            let certain = edges[i][j].overlap > zero
                || all_above([faces_a[i1], faces_a[i2], edges[i][j1], edges[i][j2]], boxes.shadow_of_b(i, j))
                || all_above([faces_b[j1], faces_b[j2], edges[i1][j], edges[i2][j]], boxes.shadow_of_a(i, j));
            if !certain {
                open |= 1 << (6 + 3 * i + j);
            }
        }
    }
    if open == 0 { Verdict::Hit } else { Verdict::Undecided(AxisSet(open)) }
}

/// The verdict on two boxes with the same rotation, whose common axes are the only ones that matter.
#[inline(always)]
pub(crate) fn common_axes<F: Real>(a: &super::Cuboid<F>, b: &crate::shape::Obb) -> Verdict {
    let b = super::Cuboid {
        center: b.center().to_array().map(F::from_f32),
        half: b.half_extents().to_array().map(F::from_f32),
        axes: a.axes,
    };
    let boxes = super::obb_obb::Boxes::new(a, &b);
    let faces = [boxes.face_a(0), boxes.face_a(1), boxes.face_a(2)];
    let zero = F::zero();
    if faces.iter().any(|gap| gap.apart > zero) {
        Verdict::Miss
    } else if faces.iter().all(|gap| gap.overlap > zero) {
        Verdict::Hit
    } else {
        Verdict::Undecided(AxisSet::ALL)
    }
}
