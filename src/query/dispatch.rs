//! Queries between shapes whose kinds are known only at run time.
//!
//! Every function here takes [`Shape`]s, finds the query for their two kinds, in the order given, and returns what it returns.
//! All pairs of kinds have an answer, except:
//!
//! - a plane and a plane: half-spaces meet almost always, without end, so there is no depth, no nearest point and no impact;
//! - [`sweep`] of a plane that turns, unless its motion names the [pivot](Motion::about): a plane has no centre to turn about.
//!
//! Those are [`Unsupported`](Error::Unsupported). As everywhere, a [`Plane`](crate::shape::Plane) stands for its half-space,
//! except in [`cast_ray`], where it is a sheet.
//!
//! ```
//! use tangency::{Error, query::dispatch, shape::{Plane, Shape, Sphere, Triangle}};
//!
//! let ball = Shape::from(Sphere::new([0.0, 0.5, 0.0], 1.0)?);
//! let ground = Shape::from(Plane::new([0.0, 1.0, 0.0], 0.0)?);
//! let sail = Shape::from(Triangle::new([1.0, 0.0, -1.0], [1.0, 0.0, 1.0], [1.0, 3.0, 0.0])?);
//! assert!(dispatch::meets(&ball, &ground)? && dispatch::meets(&ball, &sail)? && dispatch::meets(&sail, &ground)?);
//!
//! let refused = dispatch::meets(&ground, &ground).unwrap_err();
//! assert_eq!(refused, Error::Unsupported { query: "meets", a: "plane", b: "plane" });
//! # Ok::<(), tangency::Error>(())
//! ```

use super::sweep::sweep_moving_plane;
use super::{ClosestPoints, Contact, Impact, Motion, RayHit, side};
use crate::shape::{Ray, Shape};
use crate::{Error, Result, Side};

/// One expression for a shape of every solid kind, and another for a plane.
macro_rules! by_kind {
    ($shape:expr, |$solid:ident| $of_solid:expr, |$plane:ident| $of_plane:expr) => {
        match $shape {
            Shape::Sphere($solid) => $of_solid,
            Shape::Aabb($solid) => $of_solid,
            Shape::Obb($solid) => $of_solid,
            Shape::Capsule($solid) => $of_solid,
            Shape::ConvexHull($solid) => $of_solid,
            Shape::Triangle($solid) => $of_solid,
            Shape::Segment($solid) => $of_solid,
            Shape::Plane($plane) => $of_plane,
        }
    };
}

fn unsupported<T>(query: &'static str, a: &Shape, b: &Shape) -> Result<T> {
    Err(Error::Unsupported { query, a: a.kind(), b: b.kind() })
}

/// Whether two shapes have a point in common: [`meets`](crate::query::meets), and with a plane [`side`], which is exact.
///
/// ```
/// use tangency::glam::Quat;
/// use tangency::{query::dispatch, shape::{Capsule, Obb, Shape}};
///
/// let limb = Shape::from(Capsule::new([0.0, 1.5, 0.0], [0.0, 3.0, 0.0], 0.5)?);
/// let crate_ = Shape::from(Obb::new([0.0; 3], [1.0; 3], Quat::IDENTITY)?);
/// assert!(dispatch::meets(&limb, &crate_)?); // they touch
/// # Ok::<(), tangency::Error>(())
/// ```
///
/// # Errors
/// [`Unsupported`](Error::Unsupported) for two planes. A shape without points meets nothing.
pub fn meets(a: &Shape, b: &Shape) -> Result<bool> {
    by_kind!(
        a,
        |x| by_kind!(b, |y| Ok(super::meets(x, y)), |plane| Ok(side(x, plane) != Side::Outside)),
        |plane| by_kind!(b, |y| Ok(side(y, plane) != Side::Outside), |_plane| unsupported("meets", a, b))
    )
}

/// How two shapes meet: [`contact`](crate::query::contact).
///
/// ```
/// use tangency::{query::dispatch, shape::{Plane, Segment, Shape}};
///
/// let rod = Shape::from(Segment::new([0.0, -0.5, 0.0], [2.0, 1.0, 0.0])?);
/// let ground = Shape::from(Plane::new([0.0, 1.0, 0.0], 0.0)?);
/// let contact = dispatch::contact(&rod, &ground)?.expect("its lower end is in the ground");
/// assert_eq!((contact.depth(), contact.points().len()), (0.5, 1));
/// assert_eq!(dispatch::contact(&ground, &rod)?, Some(contact.swap()));
/// # Ok::<(), tangency::Error>(())
/// ```
///
/// # Errors
/// [`Unsupported`](Error::Unsupported) for two planes.
pub fn contact(a: &Shape, b: &Shape) -> Result<Option<Contact>> {
    by_kind!(a, |x| by_kind!(b, |y| Ok(super::contact(x, y)), |y| Ok(super::contact(x, y))), |x| by_kind!(
        b,
        |y| Ok(super::contact(x, y)),
        |_plane| unsupported("contact", a, b)
    ))
}

/// The nearest points of two shapes: [`closest_points`](crate::query::closest_points).
///
/// ```
/// use tangency::{query::dispatch, shape::{Aabb, Shape, Sphere}};
///
/// let ball = Shape::from(Sphere::new([5.0, 0.5, 0.5], 1.0)?);
/// let cube = Shape::from(Aabb::new([0.0; 3], [1.0; 3])?);
/// let found = dispatch::closest_points(&ball, &cube)?;
/// assert_eq!((found.on_a.x, found.on_b.x, found.distance), (4.0, 1.0, 3.0));
/// # Ok::<(), tangency::Error>(())
/// ```
///
/// # Errors
/// [`Unsupported`](Error::Unsupported) for two planes; what `validate` says of a shape that has no points.
pub fn closest_points(a: &Shape, b: &Shape) -> Result<ClosestPoints> {
    by_kind!(a, |x| by_kind!(b, |y| super::closest_points(x, y), |y| super::closest_points(x, y)), |x| by_kind!(
        b,
        |y| super::closest_points(x, y),
        |_plane| unsupported("closest_points", a, b)
    ))
}

/// Where a ray first meets a shape of any kind: [`cast_ray`](crate::query::cast_ray).
///
/// ```
/// use tangency::{query::dispatch, shape::{ConvexHull, Ray, Shape}};
///
/// let tent = ConvexHull::from_points([[0.0, 0.0, 0.0], [2.0, 0.0, 0.0], [0.0, 2.0, 0.0], [0.0, 0.0, 2.0]])?;
/// let down = Ray::new([0.5, 0.5, 9.0], [0.0, 0.0, -1.0])?;
/// let hit = dispatch::cast_ray(&down, &Shape::from(tent)).expect("it hits the slope");
/// assert_eq!((hit.t, hit.t_exit), (8.0, 9.0));
/// # Ok::<(), tangency::Error>(())
/// ```
pub fn cast_ray(ray: &Ray, shape: &Shape) -> Option<RayHit> {
    by_kind!(shape, |x| super::cast_ray(ray, x), |x| super::cast_ray(ray, x))
}

/// A plane has no centre of its own.
fn turns_about_nothing(motion: &Motion) -> bool {
    motion.turns() && motion.pivot().is_none()
}

/// The first contact of two moving shapes: [`sweep`](crate::query::sweep), and with a plane
/// [`sweep_plane`](crate::query::sweep_plane), here also of a plane that moves.
///
/// ```
/// use tangency::{query::{Motion, dispatch}, shape::{Plane, Shape, Sphere}};
///
/// let ball = Shape::from(Sphere::new([0.0, 5.0, 0.0], 1.0)?);
/// let piston = Shape::from(Plane::new([0.0, 1.0, 0.0], 0.0)?);
/// let (falling, rising) = (Motion::translation([0.0, -6.0, 0.0])?, Motion::translation([0.0, 2.0, 0.0])?);
/// let impact = dispatch::sweep(&ball, &falling, &piston, &rising)?.expect("they meet half way");
/// assert!((impact.time - 0.5).abs() < 1e-14 && (impact.point.y - 1.0).abs() < 1e-6);
/// # Ok::<(), tangency::Error>(())
/// ```
///
/// # Errors
/// [`Unsupported`](Error::Unsupported) for two planes, and for a plane that turns about no pivot.
pub fn sweep(a: &Shape, motion_a: &Motion, b: &Shape, motion_b: &Motion) -> Result<Option<Impact>> {
    by_kind!(
        a,
        |x| by_kind!(b, |y| Ok(super::sweep(x, motion_a, y, motion_b)), |plane| {
            if turns_about_nothing(motion_b) {
                return unsupported("sweep of a turning plane", a, b);
            }
            Ok(sweep_moving_plane(x, motion_a, plane, motion_b).map(|(impact, _)| impact))
        }),
        |plane| by_kind!(
            b,
            |y| {
                if turns_about_nothing(motion_a) {
                    return unsupported("sweep of a turning plane", a, b);
                }
                let found = sweep_moving_plane(y, motion_b, plane, motion_a);
                Ok(found.map(|(impact, on_plane)| Impact { normal: -impact.normal, point: on_plane, ..impact }))
            },
            |_plane| unsupported("sweep", a, b)
        )
    )
}
