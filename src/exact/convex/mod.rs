//! Convex cores of any number of corners: the hulls of corners in a pose, each with a radius around it.
//!
//! Two cores are as far apart as the origin is from their *differences*, all a − b. GJK in `f64` looks for a proof
//! (`search.rs`): a direction along which all differences are further than the radii and margins together, or corners whose hull contains
//! the origin or comes nearer to it than that. What it leaves open goes on in integers, with the corners that it has found: GJK once
//! more, whose distances are rational (`integers.rs`), and for an origin among the differences whether it is inside or on their
//! surface (`interior.rs`).

mod integers;
mod interior;
mod lowest;
mod search;
#[cfg(test)]
mod tests;

use glam::Vec3;
use num_bigint::BigInt;

use super::int::Scale;
use super::near::Margin;
use crate::Relation;
use crate::lanes::Width;
use crate::shape::kinds::BodyShape;
use crate::shape::{Aabb, Capsule, ConvexHull, Obb, PlacedHull, Placement, Plane, Pose, Segment, Sphere, Triangle};

/// The hull of some corners in a pose, and the radius around it.
///
/// The corners are exact in local coordinates; where they are placed is `position + R x`.
#[derive(Clone, Copy)]
pub(crate) struct Core<'a> {
    corners: Corners<'a>,
    pose: Pose,
    placement: Placement,
    /// The largest coordinate of a corner.
    largest: f64,
    /// About the middle, from where searches set out.
    middle: Vec3,
    radius: f32,
    /// Whether the shape has points at all.
    valid: bool,
}

/// Corners coordinate by coordinate, the last one repeated until lanes of every width are full.
#[derive(Clone, Copy)]
enum Corners<'a> {
    Few { columns: [[f32; FEW]; 3], count: usize },
    Many { columns: [&'a [f32]; 3], count: usize },
}

/// Room for the corners of a box, and for full lanes.
const FEW: usize = Width::MOST_LANES;

impl Core<'_> {
    /// At most eight corners.
    fn few(corners: &[Vec3], pose: Pose, radius: f32, valid: bool) -> Self {
        let last = corners.len() - 1;
        let column = |k: usize| std::array::from_fn(|i| corners[i.min(last)][k]);
        let largest = corners.iter().map(|corner| corner.abs().max_element()).fold(0.0, f32::max);
        Self {
            corners: Corners::Few { columns: [column(0), column(1), column(2)], count: corners.len() },
            placement: Placement::new(&pose),
            pose,
            largest: f64::from(largest),
            // Opposite corners of boxes.
            middle: corners[0] * 0.5 + corners[last] * 0.5,
            radius,
            valid,
        }
    }

    fn columns(&self) -> [&[f32]; 3] {
        match &self.corners {
            Corners::Few { columns: [x, y, z], .. } => [x, y, z],
            Corners::Many { columns, .. } => *columns,
        }
    }

    fn count(&self) -> usize {
        match self.corners {
            Corners::Few { count, .. } | Corners::Many { count, .. } => count,
        }
    }

    fn corner(&self, index: usize) -> [f32; 3] {
        self.columns().map(|column| column[index])
    }

    /// All numbers that say where it is, but for its rotation and radius.
    pub(super) fn numbers(&self) -> impl Iterator<Item = f32> + Clone {
        self.columns().into_iter().flat_map(|column| column.iter().copied()).chain(self.position())
    }

    fn position(&self) -> [f32; 3] {
        self.pose.position().to_vec3().to_array()
    }
}

impl<'a> Core<'a> {
    /// The core of a body; or the half-space that it is, which has no corners.
    pub(crate) fn of(body: &BodyShape<'a>) -> Result<Self, Plane> {
        Ok(match body {
            BodyShape::Sphere(shape) => shape.into(),
            BodyShape::Aabb(shape) => shape.into(),
            BodyShape::Obb(shape) => shape.into(),
            BodyShape::Capsule(shape) => shape.into(),
            BodyShape::ConvexHull(shape) => (*shape).into(),
            BodyShape::Plane(plane) => return Err(*plane),
        })
    }

    /// A point.
    pub(super) fn at(point: [f32; 3]) -> Self {
        Self::few(&[point.into()], Pose::IDENTITY, 0.0, true)
    }
}

impl<'a> From<&'a ConvexHull> for Core<'a> {
    fn from(hull: &'a ConvexHull) -> Self {
        hull.as_placed().into()
    }
}

impl<'a> From<PlacedHull<'a>> for Core<'a> {
    fn from(hull: PlacedHull<'a>) -> Self {
        Self {
            corners: Corners::Many { columns: hull.local_columns(), count: hull.local_vertices().len() },
            pose: hull.pose(),
            placement: hull.placement(),
            largest: hull.local_reach(),
            middle: hull.local_bounds().min() * 0.5 + hull.local_bounds().max() * 0.5,
            radius: 0.0,
            valid: true,
        }
    }
}

impl From<&Obb> for Core<'_> {
    fn from(obb: &Obb) -> Self {
        let half = obb.half_extents();
        let corner = |i: usize| Vec3::from([0, 1, 2].map(|k| if i >> k & 1 == 1 { half[k] } else { -half[k] }));
        let corners: [Vec3; 8] = std::array::from_fn(corner);
        Self::few(&corners, Pose::of(obb.center(), obb.rotation_array()), 0.0, obb.validate().is_ok())
    }
}

/// Shapes whose corners are given where they are: the corners, and the radius around them.
macro_rules! cores_in_place {
    ($($shape:ident |$s:ident| $corners:expr, $radius:expr;)*) => {$(
        impl From<&$shape> for Core<'_> {
            fn from($s: &$shape) -> Self {
                Self::few(&$corners, Pose::IDENTITY, $radius, $s.validate().is_ok())
            }
        }
    )*};
}

cores_in_place! {
    Sphere |s| [s.center()], s.radius();
    Aabb |b| b.corners(), 0.0;
    Capsule |c| [c.a(), c.b()], c.radius();
    Segment |s| [s.a(), s.b()], 0.0;
    Triangle |t| t.corners(), 0.0;
}

/// How far two cores are apart without their radii, up to rounding: not less than the first, and not more than the second; both are 0 only
/// if they certainly meet.
pub(super) fn distance(a: &Core<'_>, b: &Core<'_>) -> (f64, f64) {
    search::distance(a, b)
}

/// The square of their distance without their radii, as a fraction in units of the square of a scale.
pub(super) fn square_distance(a: &Core<'_>, b: &Core<'_>, scale: Scale) -> (BigInt, BigInt) {
    integers::square_distance(a, b, scale, &[[0, 0]])
}

/// The relation of two cores with their radii, one of which is grown by a margin. Shapes without points are separate from everything.
pub(crate) fn convex(a: &Core<'_>, b: &Core<'_>, margin: Margin) -> Relation {
    if !(a.valid && b.valid) {
        return Relation::Separate;
    }
    let lengths = [a.radius, b.radius, margin.0[0], margin.0[1], margin.0[2]];
    let found = search::search(a, b, lengths);
    found.verdict.unwrap_or_else(|| integers::relation(a, b, lengths, found.simplex()))
}
