use std::collections::HashSet;

use glam::DVec3;

use crate::shape::ConvexHull;

/// Unit normals of the triangles of a hull, those of the largest first, at most so many. Of several that are all but equal, or
/// opposite where `both_sides` is false, the first.
pub(super) fn face_normals(hull: &ConvexHull, most: usize, both_sides: bool) -> Vec<DVec3> {
    let at = |i: u32| hull.local_vertices()[i as usize].as_dvec3();
    let normal = |&[a, b, c]: &[u32; 3]| (at(b) - at(a)).cross(at(c) - at(a));
    let mut all: Vec<DVec3> = hull.faces().iter().map(normal).collect();
    all.sort_by(|m, n| n.length_squared().total_cmp(&m.length_squared()));
    let mut seen = HashSet::new();
    all.retain_mut(|n| {
        let Some(unit) = n.try_normalize() else { return false };
        *n = unit;
        let key = (unit * 1e6).round().to_array().map(|x| x as i64);
        let opposite = key.map(|x| -x);
        seen.insert(if both_sides { key } else { key.max(opposite) })
    });
    all.truncate(most);
    all
}
