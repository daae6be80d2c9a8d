use glam::Vec3;

use super::Contact;
use super::contact_capsule_capsule::contact_capsule_capsule;
use super::contact_capsule_plane::contact_capsule_plane;
use super::contact_capsule_sphere::contact_capsule_sphere;
use super::contact_convex_convex::contact_convex_convex;
use super::contact_corners_plane::contact_corners_plane;
use super::contact_cuboid_cuboid::contact_cuboid_cuboid;
use super::contact_cuboid_plane::contact_cuboid_plane;
use super::contact_sphere_cuboid::contact_sphere_cuboid;
use super::contact_sphere_plane::contact_sphere_plane;
use super::contact_sphere_sphere::contact_sphere_sphere;
use crate::Relation;
use crate::query::near::Cuboid;
use crate::query::{Polyhedron, intersect};
use crate::shape::{Aabb, Capsule, ConvexHull, Obb, Plane, Segment, Sphere, Triangle};

/// Two kinds of shapes of which [`contact`] can tell how they meet.
///
/// ```
/// use tangency::{query::{self, Contact, ContactWith}, shape::{Capsule, Plane}};
///
/// fn depth<A: ContactWith<B, Answer = Option<Contact>>, B>(a: &A, b: &B) -> f32 {
///     query::contact(a, b).map_or(0.0, |found| found.depth())
/// }
/// let ground = Plane::new([0.0, 1.0, 0.0], 0.0)?;
/// assert_eq!(depth(&Capsule::new([0.0, 0.5, 0.0], [0.0, 2.0, 0.0], 0.75)?, &ground), 0.25);
/// # Ok::<(), tangency::Error>(())
/// ```
pub trait ContactWith<Other> {
    /// `Option<Contact>`; of two [`Shape`](crate::shape::Shape)s a [`Result`](crate::Result) with that, since two planes have none.
    type Answer;

    /// How they meet; see [`contact`].
    fn contact(&self, other: &Other) -> Self::Answer;
}

/// How two solid shapes meet: the normal along which they are parted soonest, the depth, and up to four points; `None` when
/// they are separate. Shapes that touch have depth 0.
///
/// A [`Plane`] stands for its half-space (one-sided); for the sheet, see
/// [`contact_two_sided`](crate::query::contact_two_sided).
///
/// Whether there is a contact is **exact**: it is the verdict of [`intersect`], and so is depth 0. The numbers are
/// computed in `f64` and rounded once: depths and points are right to 2⁻²⁴ of the shapes' size and coordinates. Where several
/// normals are equally good (the centre of a ball on that of another, a cube in a cube), one of them is returned.
///
/// Two boxes have a manifold of up to four points, and so has anything with corners on a plane; capsules side by side
/// have two. Triangles, segments and hulls with anything but a plane or a ball, and capsules with boxes, have the normal and
/// depth of [`epa`](crate::query::epa), and two to four points (right to 2⁻²¹) where the normal is that of a face and more
/// than one point of the other shape lies in it; else the one that lies deepest. The deepest is the first of these.
///
/// ```
/// use tangency::glam::Quat;
/// use tangency::{query::{self, ContactKind}, shape::{Obb, Sphere}};
///
/// let table = Obb::new([0.0, 0.0, 0.0], [2.0, 0.5, 2.0], Quat::IDENTITY)?;
/// let crate_ = Obb::new([0.5, 0.9, 0.0], [0.5, 0.5, 0.5], Quat::from_rotation_y(0.4))?;
/// let contact = query::contact(&table, &crate_).expect("it is sunk into the table");
/// assert_eq!(contact.normal(), tangency::glam::vec3(0.0, 1.0, 0.0));
/// assert!((contact.depth() - 0.1).abs() < 1e-6);
/// assert_eq!((contact.kind(), contact.points().len()), (ContactKind::FaceA, 4));
///
/// let ball = Sphere::new([0.0, 0.25, 0.0], 1.0)?; // its centre is in the table
/// let contact = query::contact(&table, &ball).expect("it overlaps");
/// assert_eq!((contact.normal(), contact.depth()), (tangency::glam::vec3(0.0, 1.0, 0.0), 1.25));
/// # Ok::<(), tangency::Error>(())
/// ```
///
/// Of two [`Shape`](crate::shape::Shape)s, such as those of [`Bodies`](crate::Bodies), it is a [`Result`](crate::Result):
/// [`Unsupported`](crate::Error::Unsupported) for two planes, which overlap without end or not at all.
///
/// ```
/// use tangency::{query, shape::{Plane, Segment, Shape}};
///
/// let rod = Shape::from(Segment::new([0.0, -0.5, 0.0], [2.0, 1.0, 0.0])?);
/// let ground = Shape::from(Plane::new([0.0, 1.0, 0.0], 0.0)?);
/// let contact = query::contact(&rod, &ground)?.expect("its lower end is in the ground");
/// assert_eq!((contact.depth(), contact.points().len()), (0.5, 1));
/// assert_eq!(query::contact(&ground, &rod)?, Some(contact.swap()));
/// # Ok::<(), tangency::Error>(())
/// ```
pub fn contact<A: ContactWith<B>, B>(a: &A, b: &B) -> A::Answer {
    a.contact(b)
}

/// The contact of shapes of this relation. Those that only touch have no depth, whatever the rounding says.
fn meeting(relation: Relation, found: impl FnOnce() -> Option<Contact>) -> Option<Contact> {
    match relation {
        Relation::Separate => None,
        Relation::Touching => found().map(Contact::without_depth),
        Relation::Overlapping => found(),
    }
}

/// One line a pair of kinds: the function, and what it takes.
macro_rules! contacts {
    ($($a:ident $b:ident: |$x:ident, $y:ident| $found:expr;)*) => {$(
        impl ContactWith<$b> for $a {
            type Answer = Option<Contact>;

            fn contact(&self, other: &$b) -> Option<Contact> {
                let ($x, $y) = (self, other);
                $found
            }
        }
    )*};
}

contacts! {
    Sphere Sphere: |a, b| contact_sphere_sphere(a, b);
    Sphere Plane: |a, b| meeting(intersect(a, b), || contact_sphere_plane(a, b));
    Sphere Aabb: |a, b| contact_sphere_cuboid(a, Cuboid::of_aabb(b).ok()?, intersect(a, b));
    Sphere Obb: |a, b| contact_sphere_cuboid(a, Cuboid::of_obb(b).ok()?, intersect(a, b));
    Capsule Sphere: |a, b| contact_capsule_sphere(a, b);
    Capsule Capsule: |a, b| contact_capsule_capsule(a, b);
    Capsule Plane: |a, b| meeting(intersect(a, b), || contact_capsule_plane(a, b));
    Aabb Plane: |a, b| meeting(intersect(a, b), || contact_cuboid_plane(Cuboid::of_aabb(a).ok()?, b));
    Obb Plane: |a, b| meeting(intersect(a, b), || contact_cuboid_plane(Cuboid::of_obb(a).ok()?, b));
    Aabb Aabb: |a, b| contact_cuboid_cuboid(Cuboid::of_aabb(a).ok()?, Cuboid::of_aabb(b).ok()?, intersect(a, b));
    Aabb Obb: |a, b| contact_cuboid_cuboid(Cuboid::of_aabb(a).ok()?, Cuboid::of_obb(b).ok()?, intersect(a, b));
    Obb Obb: |a, b| contact_cuboid_cuboid(Cuboid::of_obb(a).ok()?, Cuboid::of_obb(b).ok()?, intersect(a, b));
    Segment Plane: |a, b| meeting(intersect(a, b), || contact_corners_plane(&[a.a().as_dvec3(), a.b().as_dvec3()], b));
    Triangle Plane: |a, b| meeting(intersect(a, b), || contact_corners_plane(&a.corners().map(Vec3::as_dvec3), b));
    ConvexHull Plane: |a, b| meeting(intersect(a, b), || contact_corners_plane(&a.corners_f64(), b));
}

/// Pairs of convex shapes whose features are not told apart.
macro_rules! convex {
    ($($a:ident: $($b:ident)*;)*) => {$($(
        impl ContactWith<$b> for $a {
            type Answer = Option<Contact>;

            fn contact(&self, other: &$b) -> Option<Contact> {
                meeting(intersect(self, other), || contact_convex_convex(self, other))
            }
        }
    )*)*};
}

convex! {
    Capsule: Aabb Obb;
    Segment: Sphere Capsule Aabb Obb Segment;
    Triangle: Sphere Capsule Aabb Obb Segment Triangle;
    ConvexHull: Sphere Capsule Aabb Obb Segment Triangle ConvexHull;
}

/// The same pairs the other way round.
macro_rules! swapped {
    ($($a:ident: $($b:ident)*;)*) => {$($(
        impl ContactWith<$b> for $a {
            type Answer = Option<Contact>;

            fn contact(&self, other: &$b) -> Option<Contact> {
                Some(other.contact(self)?.swap())
            }
        }
    )*)*};
}

swapped! {
    Plane: Sphere Capsule Aabb Obb Segment Triangle ConvexHull;
    Sphere: Capsule Segment Triangle ConvexHull;
    Capsule: Segment Triangle ConvexHull;
    Aabb: Sphere Capsule Segment Triangle ConvexHull;
    Obb: Sphere Aabb Capsule Segment Triangle ConvexHull;
    Segment: Triangle ConvexHull;
    Triangle: ConvexHull;
}
