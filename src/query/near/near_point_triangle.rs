use glam::DVec3;

use super::near_point_segment;

/// The point of the triangle nearest to `p`: the foot on its plane when that lies inside, else the best point of the edges.
///
/// The foot lies inside when it is on the inner side of all edges: n · (edge × (p − corner)) ≥ 0, n being the normal.
pub(crate) fn near_point_triangle(p: DVec3, [a, b, c]: [DVec3; 3]) -> DVec3 {
    let n = (b - a).cross(c - a);
    let inner = |from: DVec3, to: DVec3| (to - from).cross(p - from).dot(n) >= 0.0;
    let n_squared = n.length_squared();
    if n_squared > 0.0 && inner(a, b) && inner(b, c) && inner(c, a) {
        return p - n * ((p - a).dot(n) / n_squared);
    }
    [(a, b), (b, c), (c, a)]
        .map(|edge| near_point_segment(p, edge).1)
        .into_iter()
        .min_by(|x, y| x.distance_squared(p).total_cmp(&y.distance_squared(p)))
        .unwrap_or(a)
}
