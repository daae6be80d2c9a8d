use glam::DVec3;

use crate::query::near::Cuboid;

/// Edges count as parallel, and their cross product as no axis, when its length (the sine between them) is below this: about √ε,
/// where the rounding of the axis and the error of leaving it out are alike.
const PARALLEL: f64 = 1.5e-8;

/// Edge axes are preferred to face axes only when they gain more than this share of the size: what `f32` cannot tell
/// apart is settled in favour of faces, which give more contact points.
const FACE_PREFERENCE: f64 = 1.0 / (1 << 24) as f64;

/// One of the fifteen axes.
#[derive(Clone, Copy, Debug)]
pub(super) enum Axis {
    FaceA(usize),
    FaceB(usize),
    Edges(usize, usize),
}

/// The axis of least depth, its unit direction from A to B, and the depth.
pub(super) struct Least {
    pub(super) axis: Axis,
    pub(super) normal: DVec3,
    pub(super) depth: f64,
}

/// The separating-axis theorem for boxes (Gottschalk, Lin and Manocha): of the fifteen axes, normalised, the one where
/// rA + rB − |t · L| is least. That is the length of the shift that parts the boxes along L, also when one interval contains
/// the other.
pub(super) fn least_axis(a: Cuboid, b: Cuboid) -> Least {
    let t = b.center - a.center;
    let mut least = Least { axis: Axis::FaceA(0), normal: a.axes.x_axis, depth: f64::INFINITY };
    let mut consider = |axis: Axis, direction: DVec3, margin: f64| {
        let along = t.dot(direction);
        let depth = a.reach(direction) + b.reach(direction) - along.abs();
        if depth + margin < least.depth {
            least = Least { axis, normal: if along < 0.0 { -direction } else { direction }, depth };
        }
    };
    for i in 0..3 {
        consider(Axis::FaceA(i), a.axes.col(i), 0.0);
    }
    for j in 0..3 {
        consider(Axis::FaceB(j), b.axes.col(j), 0.0);
    }
    let margin = FACE_PREFERENCE * a.half.max_element().max(b.half.max_element());
    for i in 0..3 {
        for j in 0..3 {
            let cross = a.axes.col(i).cross(b.axes.col(j));
            let sine = cross.length();
            if sine > PARALLEL {
                consider(Axis::Edges(i, j), cross / sine, margin);
            }
        }
    }
    least
}
