use super::{Pair, near_point_segment, nearer};

/// The nearest points of two segments.
///
/// Inside both, the common perpendicular of the lines: with n = d₁ × d₂ and r from the first start to the second,
/// s = det(r, d₂, n) / n² and t = det(r, d₁, n) / n². Otherwise one of the points is an end.
pub(crate) fn near_segment_segment((a, b): Pair, (c, d): Pair) -> Pair {
    let mut best = (a, near_point_segment(a, (c, d)).1);
    best = nearer(best, (b, near_point_segment(b, (c, d)).1));
    best = nearer(best, (near_point_segment(c, (a, b)).1, c));
    best = nearer(best, (near_point_segment(d, (a, b)).1, d));
    let (d1, d2, r) = (b - a, d - c, c - a);
    let n = d1.cross(d2);
    let n_squared = n.length_squared();
    if n_squared > 0.0 {
        let (s, t) = (r.cross(d2).dot(n) / n_squared, r.cross(d1).dot(n) / n_squared);
        if (0.0..=1.0).contains(&s) && (0.0..=1.0).contains(&t) {
            best = nearer(best, (a + d1 * s, c + d2 * t));
        }
    }
    best
}
