use glam::DVec3;

/// A point of the first core and one of the second.
pub(crate) type Pair = (DVec3, DVec3);

/// The pair with the smaller distance; the first of equals.
pub(super) fn nearer(a: Pair, b: Pair) -> Pair {
    if b.0.distance_squared(b.1) < a.0.distance_squared(a.1) { b } else { a }
}

/// The best of at least one pair.
pub(super) fn nearest(pairs: impl Iterator<Item = Pair>, fallback: Pair) -> Pair {
    pairs.reduce(nearer).unwrap_or(fallback)
}

pub(super) fn swap((p, q): Pair) -> Pair {
    (q, p)
}

pub(super) fn triangle_edges([a, b, c]: [DVec3; 3]) -> [Pair; 3] {
    [(a, b), (b, c), (c, a)]
}

/// Rounding of `f64` in these queries, in units of the largest coordinate: 2⁻⁴⁰, far above what a hundred operations lose
/// (2⁻⁴⁶) and far below what `f32` resolves (2⁻²⁴).
pub(crate) const TOLERANCE: f64 = 1.0 / (1_u64 << 40) as f64;

/// A unit vector perpendicular to `v`, or the x axis for zero.
pub(crate) fn perpendicular(v: DVec3) -> DVec3 {
    // Crossing with the axis furthest from `v` keeps the product long.
    let a = v.abs();
    let axis = if a.x <= a.y && a.x <= a.z {
        DVec3::X
    } else if a.y <= a.z {
        DVec3::Y
    } else {
        DVec3::Z
    };
    v.cross(axis).try_normalize().unwrap_or(DVec3::X)
}
