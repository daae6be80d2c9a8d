use glam::{DVec3, Vec3};

use crate::Result;
use crate::exact;
use crate::query::gjk;
use crate::query::near::{HalfSpace, Pair, Round, near};
use crate::query::support::Support;
use crate::shape::{Aabb, Capsule, ConvexHull, Obb, Plane, Segment, Sphere, Triangle, check};

/// The nearest points of two shapes.
///
/// ```
/// use tangency::{query, shape::Sphere};
///
/// let a = Sphere::new([0.0, 0.0, 0.0], 1.0)?;
/// let found = query::closest_points(&a, &Sphere::new([5.0, 0.0, 0.0], 2.0)?)?;
/// assert_eq!((found.on_a.x, found.on_b.x, found.distance), (1.0, 3.0, 2.0));
/// assert_eq!(query::closest_points(&a, &Sphere::new([2.0, 0.0, 0.0], 2.0)?)?.distance, 0.0);
/// # Ok::<(), tangency::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ClosestPoints {
    /// The point of the first shape, rounded to nearest.
    pub on_a: Vec3,
    /// The point of the second shape, rounded to nearest; the same point when the shapes meet.
    pub on_b: Vec3,
    /// The distance between them, rounded to nearest: 0 when the shapes meet.
    pub distance: f32,
}

/// Two kinds of shapes of which [`closest_points`] can tell the nearest points.
///
/// ```
/// use tangency::{query::{self, ClosestTo}, shape::{Aabb, Sphere}};
///
/// fn apart<A: ClosestTo<B>, B>(a: &A, b: &B) -> tangency::Result<bool> {
///     Ok(query::closest_points(a, b)?.distance > 0.0)
/// }
/// assert!(apart(&Sphere::new([3.0; 3], 1.0)?, &Aabb::new([0.0; 3], [1.0; 3])?)?);
/// # Ok::<(), tangency::Error>(())
/// ```
pub trait ClosestTo<Other> {
    /// The nearest points; see [`closest_points`].
    ///
    /// # Errors
    /// What `validate` says of a shape that has no points.
    fn closest_points(&self, other: &Other) -> Result<ClosestPoints>;
}

/// The nearest points of two solid shapes, in `f64`, rounded once; a common point and distance 0 when they meet.
///
/// A [`Plane`] stands for its half-space, as in [`contact`](crate::query::contact). Where several pairs of points are
/// equally near (parallel rods, faces), one of them is returned. The distance is right to a few parts in 10⁷ and 2⁻⁴⁰ of
/// the largest coordinate; whether shapes meet at all is told exactly by [`intersect`](crate::query::intersect).
///
/// ```
/// use tangency::{query, shape::{Capsule, Segment}};
///
/// let rod = Segment::new([-1.0, 0.0, 0.0], [1.0, 0.0, 0.0])?;
/// let limb = Capsule::new([0.0, 3.0, -1.0], [0.0, 3.0, 1.0], 0.5)?;
/// let found = query::closest_points(&rod, &limb)?;
/// assert_eq!((found.on_a, found.on_b), (tangency::glam::vec3(0.0, 0.0, 0.0), tangency::glam::vec3(0.0, 2.5, 0.0)));
/// assert_eq!(found.distance, 2.5);
/// # Ok::<(), tangency::Error>(())
/// ```
///
/// # Errors
/// What `validate` says of a shape that has no points, such as [`Aabb::EMPTY`].
pub fn closest_points<A: ClosestTo<B>, B>(a: &A, b: &B) -> Result<ClosestPoints> {
    a.closest_points(b)
}

/// From the nearest points of the cores, each moved towards the other by its radius.
fn of_cores((p, q): Pair, ra: f64, rb: f64) -> ClosestPoints {
    let between = q - p;
    let length = between.length();
    let gap = length - ra - rb;
    if gap > 0.0 {
        let direction = between / length;
        return separate(p + direction * ra, q - direction * rb, gap);
    }
    // The middle of the common part of the line between the cores.
    let along = ((length + ra - rb) / 2.0).clamp(0.0, length);
    let common = if length > 0.0 { p + between * (along / length) } else { p };
    separate(common, common, 0.0)
}

fn of_rounds(a: &Round, b: &Round) -> ClosestPoints {
    of_cores(near(&a.core, &b.core), a.radius, b.radius)
}

/// By GJK, for two shapes with points.
fn of_supports(a: &dyn Support, b: &dyn Support) -> ClosestPoints {
    let found = gjk::cores(a, b);
    let meet = found.nearest.length() <= found.slack;
    of_cores((found.a, if meet { found.a } else { found.b }), a.rounding(), b.rounding())
}

fn separate(on_a: DVec3, on_b: DVec3, distance: f64) -> ClosestPoints {
    ClosestPoints { on_a: check::saturate(on_a), on_b: check::saturate(on_b), distance: check::saturate_f32(distance) }
}

/// From the shape's lowest point over the plane.
fn of_lowest_and_plane(lowest: DVec3, plane: &HalfSpace) -> ClosestPoints {
    let above = plane.above(lowest);
    if above > 0.0 { separate(lowest, lowest - plane.normal * above, above) } else { separate(lowest, lowest, 0.0) }
}

macro_rules! closest {
    ($($a:ident $of_a:ident: $($b:ident $of_b:ident),*;)*) => {$($(
        impl ClosestTo<$b> for $a {
            fn closest_points(&self, other: &$b) -> Result<ClosestPoints> {
                Ok(of_rounds(&Round::$of_a(self)?, &Round::$of_b(other)?))
            }
        }
    )*)*};
    (plane $($a:ident $of_a:ident),*) => {$(
        impl ClosestTo<Plane> for $a {
            fn closest_points(&self, other: &Plane) -> Result<ClosestPoints> {
                let (round, plane) = (Round::$of_a(self)?, HalfSpace::new(other)?);
                Ok(of_lowest_and_plane(round.core.lowest(plane.normal) - plane.normal * round.radius, &plane))
            }
        }
    )*};
    (hull $($a:ident)*) => {$(
        impl ClosestTo<ConvexHull> for $a {
            fn closest_points(&self, other: &ConvexHull) -> Result<ClosestPoints> {
                self.validate()?;
                Ok(of_supports(self, other))
            }
        }
    )*};
    (swapped $($a:ident $b:ident),*) => {$(
        impl ClosestTo<$b> for $a {
            fn closest_points(&self, other: &$b) -> Result<ClosestPoints> {
                let found = other.closest_points(self)?;
                Ok(ClosestPoints { on_a: found.on_b, on_b: found.on_a, distance: found.distance })
            }
        }
    )*};
}

closest! {
    Sphere of_sphere: Sphere of_sphere, Capsule of_capsule, Segment of_segment,
        Triangle of_triangle, Aabb of_aabb, Obb of_obb;
    Capsule of_capsule: Sphere of_sphere, Capsule of_capsule, Segment of_segment,
        Triangle of_triangle, Aabb of_aabb, Obb of_obb;
    Segment of_segment: Sphere of_sphere, Capsule of_capsule, Segment of_segment,
        Triangle of_triangle, Aabb of_aabb, Obb of_obb;
    Triangle of_triangle: Sphere of_sphere, Capsule of_capsule, Segment of_segment,
        Triangle of_triangle, Aabb of_aabb, Obb of_obb;
    Aabb of_aabb: Sphere of_sphere, Capsule of_capsule, Segment of_segment,
        Triangle of_triangle, Aabb of_aabb, Obb of_obb;
    Obb of_obb: Sphere of_sphere, Capsule of_capsule, Segment of_segment,
        Triangle of_triangle, Aabb of_aabb, Obb of_obb;
}

closest! {plane
    Sphere of_sphere, Capsule of_capsule, Segment of_segment, Triangle of_triangle, Aabb of_aabb, Obb of_obb
}

closest! {hull Sphere Capsule Segment Triangle Aabb Obb}

closest! {swapped
    Plane Sphere, Plane Capsule, Plane Segment, Plane Triangle, Plane Aabb, Plane Obb, Plane ConvexHull,
    ConvexHull Sphere, ConvexHull Capsule, ConvexHull Segment, ConvexHull Triangle, ConvexHull Aabb, ConvexHull Obb
}

impl ClosestTo<Self> for ConvexHull {
    fn closest_points(&self, other: &Self) -> Result<ClosestPoints> {
        Ok(of_supports(self, other))
    }
}

impl ClosestTo<Self> for Plane {
    /// Of two half-spaces.
    fn closest_points(&self, other: &Self) -> Result<ClosestPoints> {
        let (a, b) = (HalfSpace::new(self)?, HalfSpace::new(other)?);
        let (on_a, on_b) = (a.normal * a.offset, b.normal * b.offset);
        if !exact::half_space(self, &(*other).into()).is_hit() {
            // Their normals are opposite.
            return Ok(separate(on_a, on_b, (-a.offset - b.offset).max(0.0)));
        }
        // Against both normals, until inside both.
        let (way, deep) = (a.normal + b.normal, 1.0 + a.normal.dot(b.normal));
        let far = (-a.offset.min(b.offset) / deep).max(0.0);
        let common = if way == DVec3::ZERO || !far.is_finite() { on_a } else { -way * far };
        Ok(separate(common, common, 0.0))
    }
}

impl ClosestTo<Plane> for ConvexHull {
    fn closest_points(&self, other: &Plane) -> Result<ClosestPoints> {
        let plane = HalfSpace::new(other)?;
        Ok(of_lowest_and_plane(self.core_support(-plane.normal), &plane))
    }
}
