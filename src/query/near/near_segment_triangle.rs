use glam::DVec3;

use super::near_point_triangle::normal;
use super::{Pair, near_point_triangle, near_segment_segment, nearer};

/// The nearest points of a segment and a triangle: where the segment pierces the plane, at its ends, or at an edge.
pub(crate) fn near_segment_triangle((p, q): Pair, triangle: [DVec3; 3]) -> Pair {
    let [a, b, c] = triangle;
    let mut best = (p, near_point_triangle(p, triangle));
    best = nearer(best, (q, near_point_triangle(q, triangle)));
    for edge in [(a, b), (b, c), (c, a)] {
        best = nearer(best, near_segment_segment((p, q), edge));
    }
    let n = normal(triangle);
    let (above_p, above_q) = ((p - a).dot(n), (q - a).dot(n));
    if above_p != above_q && (above_p <= 0.0) != (above_q <= 0.0) {
        let pierced = p + (q - p) * (above_p / (above_p - above_q)).clamp(0.0, 1.0);
        best = nearer(best, (pierced, near_point_triangle(pierced, triangle)));
    }
    best
}
