use crate::Result;
use crate::query::near::{Round, TOLERANCE, near};
use crate::query::support::{Support, magnitude};
use crate::query::{gjk, intersect};
use crate::shape::{Aabb, Capsule, ConvexHull, Obb, Segment, Sphere, Triangle};

/// Two kinds of shapes of which [`meets`] can tell whether they have a point in common.
///
/// ```
/// use tangency::{query::{self, Meets}, shape::{Segment, Sphere, Triangle}};
///
/// fn pierced<T: Meets<Segment>>(target: &T) -> tangency::Result<bool> {
///     Ok(query::meets(target, &Segment::new([0.0, 0.0, -1.0], [0.0, 0.0, 1.0])?))
/// }
/// assert!(pierced(&Triangle::new([-1.0, -1.0, 0.0], [1.0, -1.0, 0.0], [0.0, 1.0, 0.0])?)?);
/// assert!(!pierced(&Sphere::new([3.0, 0.0, 0.0], 1.0)?)?);
/// # Ok::<(), tangency::Error>(())
/// ```
pub trait Meets<Other> {
    /// Whether they meet; see [`meets`].
    fn meets(&self, other: &Other) -> bool;
}

/// Whether two closed shapes have a point in common.
///
/// **Exact** for pairs of balls, boxes and capsules, where it is the verdict of [`intersect`]. With segments, triangles and
/// hulls it is computed in `f64`: they are held to meet when their distance is at most 2⁻⁴⁰ of the largest number in them
/// (coordinate, extent or radius). So shapes that touch always meet, and shapes further apart than twice that never do.
/// A [`Plane`](crate::shape::Plane) stands for its half-space, and has an exact verdict with everything, other planes too: that of
/// [`side`](crate::query::side). For the sheet: [`touches_plane`](crate::query::touches_plane). Shapes without points meet nothing.
///
/// ```
/// use tangency::{query, shape::{Aabb, Triangle}};
///
/// let cube = Aabb::new([-1.0; 3], [1.0; 3])?;
/// let through = Triangle::new([-5.0, 0.0, -5.0], [5.0, 0.0, -5.0], [0.0, 0.0, 9.0])?; // no corner in the other
/// assert!(query::meets(&through, &cube));
/// assert!(query::meets(&through.translate([0.0, 1.0, 0.0])?, &cube)); // touches a face
/// assert!(!query::meets(&through.translate([0.0, 1.001, 0.0])?, &cube));
/// # Ok::<(), tangency::Error>(())
/// ```
///
/// Two [`Shape`](crate::shape::Shape)s have an answer, whatever their kinds.
///
/// ```
/// use tangency::{query, shape::{Capsule, Plane, Shape}};
///
/// let limb = Shape::from(Capsule::new([0.0, 1.5, 0.0], [0.0, 3.0, 0.0], 0.5)?);
/// let (ground, sky) = (Plane::new([0.0, 1.0, 0.0], 1.0)?, Plane::new([0.0, -1.0, 0.0], -2.0)?); // y ≤ 1, y ≥ 2
/// assert!(query::meets(&limb, &Shape::from(ground))); // they touch
/// assert!(!query::meets(&ground, &sky) && query::meets(&limb, &Shape::from(sky)));
/// # Ok::<(), tangency::Error>(())
/// ```
pub fn meets<A: Meets<B>, B>(a: &A, b: &B) -> bool {
    a.meets(b)
}

/// The distance of the cores against both radii and the tolerance. A shape without points meets nothing.
fn of_rounds(a: Result<Round>, b: Result<Round>) -> bool {
    let (Ok(a), Ok(b)) = (a, b) else { return false };
    let (p, q) = near(&a.core, &b.core);
    p.distance(q) <= a.radius + b.radius + TOLERANCE * a.magnitude().max(b.magnitude())
}

/// As [`of_rounds`], the distance by GJK.
fn of_supports(a: &dyn Support, b: &dyn Support) -> bool {
    if a.has_no_points() || b.has_no_points() {
        return false;
    }
    let apart = gjk::cores(a, b).nearest.length();
    apart <= a.rounding() + b.rounding() + TOLERANCE * magnitude(a).max(magnitude(b))
}

macro_rules! meets {
    (exact $($a:ident: $($b:ident)*;)*) => {$($(
        impl Meets<$b> for $a {
            fn meets(&self, other: &$b) -> bool {
                intersect(self, other).is_hit()
            }
        }
    )*)*};
    (near $($a:ident $of_a:ident: $($b:ident $of_b:ident),*;)*) => {$($(
        impl Meets<$b> for $a {
            fn meets(&self, other: &$b) -> bool {
                of_rounds(Round::$of_a(self), Round::$of_b(other))
            }
        }
    )*)*};
    (hull $($a:ident)*) => {$(
        impl Meets<ConvexHull> for $a {
            fn meets(&self, other: &ConvexHull) -> bool {
                of_supports(self, other)
            }
        }

        impl Meets<$a> for ConvexHull {
            fn meets(&self, other: &$a) -> bool {
                of_supports(other, self)
            }
        }
    )*};
}

meets! {exact
    Sphere: Sphere Aabb Obb Capsule;
    Aabb: Sphere Aabb Obb Capsule;
    Obb: Sphere Aabb Obb Capsule;
    Capsule: Sphere Aabb Obb Capsule;
}

meets! {near
    Sphere of_sphere: Segment of_segment, Triangle of_triangle;
    Aabb of_aabb: Segment of_segment, Triangle of_triangle;
    Obb of_obb: Segment of_segment, Triangle of_triangle;
    Capsule of_capsule: Segment of_segment, Triangle of_triangle;
    Segment of_segment: Sphere of_sphere, Capsule of_capsule, Segment of_segment,
        Triangle of_triangle, Aabb of_aabb, Obb of_obb;
    Triangle of_triangle: Sphere of_sphere, Capsule of_capsule, Segment of_segment,
        Triangle of_triangle, Aabb of_aabb, Obb of_obb;
}

meets! {hull Sphere Aabb Obb Capsule Segment Triangle}

impl Meets<Self> for ConvexHull {
    fn meets(&self, other: &Self) -> bool {
        of_supports(self, other)
    }
}
