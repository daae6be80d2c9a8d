use super::{Contact, ContactKind};
use crate::query::near::HalfSpace;
use crate::query::touches_plane;
use crate::shape::{Plane, Sphere};

/// Of a ball that meets the half-space: depth r − d, d being the centre's height over the plane: more than r when the centre is under it.
pub(super) fn contact_sphere_plane(sphere: &Sphere, plane: &Plane) -> Option<Contact> {
    Some(of_side(sphere, &HalfSpace::new(plane).ok()?))
}

fn of_side(sphere: &Sphere, plane: &HalfSpace) -> Contact {
    let (center, radius) = (sphere.center().as_dvec3(), f64::from(sphere.radius()));
    let above = plane.above(center);
    let mut contact = Contact::new(-plane.normal, radius - above, ContactKind::Round);
    contact.push(center - plane.normal * radius, center - plane.normal * above, radius - above, 0);
    contact
}

/// How a ball meets the plane as a sheet that has two sides alike: it is pushed out on the side where its centre is.
///
/// The depth is r − |d|; a centre exactly on the plane goes where the normal points.
///
/// ```
/// use tangency::{query, shape::{Plane, Sphere}};
///
/// let sheet = Plane::new([0.0, 1.0, 0.0], 0.0)?;
/// let below = Sphere::new([0.0, -0.5, 0.0], 1.0)?;
/// let two_sided = query::contact_two_sided(&below, &sheet).expect("it crosses the sheet");
/// assert_eq!((two_sided.normal(), two_sided.depth()), (tangency::glam::vec3(0.0, 1.0, 0.0), 0.5));
/// let one_sided = query::contact(&below, &sheet).expect("it lies in the half-space");
/// assert_eq!((one_sided.normal(), one_sided.depth()), (tangency::glam::vec3(0.0, -1.0, 0.0), 1.5));
/// # Ok::<(), tangency::Error>(())
/// ```
pub fn contact_two_sided(sphere: &Sphere, plane: &Plane) -> Option<Contact> {
    let half_space = HalfSpace::new(plane).ok()?;
    if !touches_plane(sphere, plane) {
        return None;
    }
    let flipped = half_space.above(sphere.center().as_dvec3()) < 0.0;
    Some(of_side(sphere, &if flipped { HalfSpace::new(&plane.flip()).ok()? } else { half_space }))
}
