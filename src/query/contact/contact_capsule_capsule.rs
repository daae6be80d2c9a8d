use super::contact_sphere_sphere::of_cores;
use super::{Contact, ContactKind};
use crate::query::meets;
use crate::query::near::{Pair, near_point_segment, near_segment_segment, perpendicular};
use crate::shape::Capsule;

/// The sine below which two capsules count as side by side and get a contact point at both ends of their common stretch.
const SIDE_BY_SIDE: f64 = 1.0 / 128.0;

/// As for two balls around the nearest points of the segments. Where the segments cross, the normal is perpendicular to
/// both: the difference of two segments is a parallelogram, which is left soonest across its plane.
pub(super) fn contact_capsule_capsule(a: &Capsule, b: &Capsule) -> Option<Contact> {
    if !meets(a, b) {
        return None;
    }
    let ends = |c: &Capsule| (c.a().as_dvec3(), c.b().as_dvec3());
    let (s, t) = (ends(a), ends(b));
    let radii = (f64::from(a.radius()), f64::from(b.radius()));
    let (d, e) = (s.1 - s.0, t.1 - t.0);
    let across = d.cross(e);
    let parallel = across.length() <= SIDE_BY_SIDE * d.length() * e.length();
    let longer = if d.length_squared() >= e.length_squared() { d } else { e };
    let aside = across.try_normalize().unwrap_or_else(|| perpendicular(longer));
    let single = of_cores(near_segment_segment(s, t), radii, aside, false);
    Some(if parallel { side_by_side(&single, s, t, radii).unwrap_or(single) } else { single })
}

/// Two points, at the ends of the stretch of `s` beside which `t` runs, when it is one and both are in contact.
fn side_by_side(single: &Contact, s: Pair, t: Pair, (ra, rb): (f64, f64)) -> Option<Contact> {
    let normal = single.normal().as_dvec3();
    let (u, v) = (near_point_segment(t.0, s).0, near_point_segment(t.1, s).0);
    if u == v {
        return None;
    }
    let mut contact = Contact::new(normal, f64::from(single.depth()), ContactKind::Round);
    for (end, along) in [u, v].into_iter().enumerate() {
        let p = s.0 + (s.1 - s.0) * along;
        let q = near_point_segment(p, t).1;
        let depth = ra + rb - (q - p).dot(normal);
        if depth < 0.0 {
            return None;
        }
        contact.push(p + normal * ra, q - normal * rb, depth, end as u32);
    }
    Some(contact)
}
