use glam::DVec3;

use crate::query::gjk::simplex::triangle_normal;
use crate::shape::ConvexHull;

/// Triangles flatter than this (twice the area in squares of the longest edge) have normals that `f64` knows less well, so
/// their planes are moved out until no corner of the hull lies beyond.
const THIN: f64 = 1e-4;

/// The planes `normal · x ≤ offset` of a solid hull's triangles, with unit normals.
pub(crate) fn hull_planes(hull: &ConvexHull) -> impl Iterator<Item = (DVec3, f64)> {
    let placement = hull.placement();
    hull.faces().iter().filter_map(move |&face| {
        // In the local form, whose corners are not rounded.
        let [a, b, c] = face.map(|i| hull.local_vertices()[i as usize].as_dvec3());
        let normal = triangle_normal(a, b, c)?;
        let longest = a.distance_squared(b).max(b.distance_squared(c)).max(c.distance_squared(a));
        let thin = (b - a).cross(c - a).length() < THIN * longest;
        let highest = if thin { hull.farthest_local(normal).dot(normal) } else { f64::NEG_INFINITY };
        let offset = normal.dot(a).max(normal.dot(b)).max(normal.dot(c)).max(highest);
        let normal = placement.direction(normal);
        Some((normal, offset + normal.dot(placement.position())))
    })
}

/// A normal of a flat hull whose corners run counter-clockwise about it, as long as twice the area (Newell).
pub(crate) fn flat_hull_normal(hull: &ConvexHull) -> DVec3 {
    let v = hull.local_vertices();
    let origin = v[0].as_dvec3();
    let local: DVec3 = v.windows(2).map(|v| (v[0].as_dvec3() - origin).cross(v[1].as_dvec3() - origin)).sum();
    hull.placement().direction(local)
}
