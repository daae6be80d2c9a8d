use glam::DVec3;

/// The parameter in [0, 1] and the point of the segment nearest to `p`: the projection on the line, clamped.
pub(crate) fn near_point_segment(p: DVec3, (a, b): (DVec3, DVec3)) -> (f64, DVec3) {
    let ab = b - a;
    let length_squared = ab.length_squared();
    if length_squared == 0.0 {
        return (0.0, a);
    }
    let t = ((p - a).dot(ab) / length_squared).clamp(0.0, 1.0);
    // From the nearer end, so that both ends come out as they are.
    (t, if t <= 0.5 { a + ab * t } else { b - ab * (1.0 - t) })
}
