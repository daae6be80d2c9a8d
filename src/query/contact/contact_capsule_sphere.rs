use super::Contact;
use super::contact_sphere_sphere::of_cores;
use crate::query::meets;
use crate::query::near::{near_point_segment, perpendicular};
use crate::shape::{Capsule, Sphere};

/// As for two balls, the one around the point of the segment nearest to the other's centre. A centre on the segment is
/// pushed out across it.
pub(super) fn contact_capsule_sphere(capsule: &Capsule, sphere: &Sphere) -> Option<Contact> {
    if !meets(capsule, sphere) {
        return None;
    }
    let ends = (capsule.a().as_dvec3(), capsule.b().as_dvec3());
    let center = sphere.center().as_dvec3();
    let core = near_point_segment(center, ends).1;
    let radii = (f64::from(capsule.radius()), f64::from(sphere.radius()));
    Some(of_cores((core, center), radii, perpendicular(ends.1 - ends.0), false))
}
