use crate::query::intersect;
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
/// **Exact** for all kinds: it is the verdict of [`intersect`], touching included. A [`Plane`](crate::shape::Plane) stands for its
/// half-space, and its verdict, with other planes too, is that of [`side`](crate::query::side). For the sheet:
/// [`touches_plane`](crate::query::touches_plane). Shapes without points meet nothing.
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

/// The exact verdict of one kind with each of some.
macro_rules! meets {
    ($($a:ident: $($b:ident)*;)*) => {$($(
        impl Meets<$b> for $a {
            fn meets(&self, other: &$b) -> bool {
                intersect(self, other).is_hit()
            }
        }
    )*)*};
}

meets! {
    Sphere: Sphere Aabb Obb Capsule ConvexHull Triangle Segment;
    Aabb: Sphere Aabb Obb Capsule ConvexHull Triangle Segment;
    Obb: Sphere Aabb Obb Capsule ConvexHull Triangle Segment;
    Capsule: Sphere Aabb Obb Capsule ConvexHull Triangle Segment;
    ConvexHull: Sphere Aabb Obb Capsule ConvexHull Triangle Segment;
    Triangle: Sphere Aabb Obb Capsule ConvexHull Triangle Segment;
    Segment: Sphere Aabb Obb Capsule ConvexHull Triangle Segment;
}
