use glam::DVec3;

use super::near_point_segment;

/// The point of the triangle nearest to `p`: the foot on its plane when that lies inside, or the best point of the edges.
///
/// The foot lies inside when it is on the inner side of all edges: n · (edge × (p − corner)) ≥ 0, n being the normal.
pub(crate) fn near_point_triangle(p: DVec3, [a, b, c]: [DVec3; 3]) -> DVec3 {
    let nearer = |x: DVec3, y: DVec3| if y.distance_squared(p) < x.distance_squared(p) { y } else { x };
    let best = [(a, b), (b, c), (c, a)].map(|edge| near_point_segment(p, edge).1).into_iter().fold(a, nearer);
    let n = normal([a, b, c]);
    let n_squared = n.length_squared();
    let inner = |from: DVec3, to: DVec3| (to - from).cross(p - from).dot(n) >= 0.0;
    if n_squared > 0.0 && inner(a, b) && inner(b, c) && inner(c, a) {
        // Measured from the best point so far, the height is a small number with a small error.
        return nearer(best, p - n * ((p - best).dot(n) / n_squared));
    }
    best
}

/// A normal, from the two shorter edges: in a sliver, the product of the long ones would be mostly rounding error.
pub(super) fn normal([a, b, c]: [DVec3; 3]) -> DVec3 {
    let (ab, bc, ca) = (b - a, c - b, a - c);
    let [x, y, z] = [ab, bc, ca].map(DVec3::length_squared);
    if z >= x && z >= y {
        ab.cross(bc)
    } else if x >= y {
        bc.cross(ca)
    } else {
        ca.cross(ab)
    }
}
