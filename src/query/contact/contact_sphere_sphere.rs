use glam::DVec3;

use super::{Contact, ContactKind};
use crate::query::intersect;
use crate::shape::Sphere;
use crate::{Relation, query::near::Pair};

/// Along the line of the centres, depth rA + rB − |t|; +x for one centre on the other.
pub(super) fn contact_sphere_sphere(a: &Sphere, b: &Sphere) -> Option<Contact> {
    let relation = intersect(a, b);
    if relation == Relation::Separate {
        return None;
    }
    let centers = (a.center().as_dvec3(), b.center().as_dvec3());
    let radii = (f64::from(a.radius()), f64::from(b.radius()));
    Some(of_cores(centers, radii, DVec3::X, relation == Relation::Touching))
}

/// The contact of two round shapes from the nearest points of their cores; `aside` is the normal when these are one point.
pub(super) fn of_cores((p, q): Pair, (ra, rb): (f64, f64), aside: DVec3, touching: bool) -> Contact {
    let between = q - p;
    let length = between.length();
    let normal = if length > 0.0 { between / length } else { aside };
    let depth = if touching { 0.0 } else { ra + rb - length };
    let mut contact = Contact::new(normal, depth, ContactKind::Round);
    contact.push(p + normal * ra, q - normal * rb, depth, 0);
    contact
}
