use super::{Mtd, Obb2};

/// The separating axis test of two oriented rectangles, with the minimum translation: the 4 axes of both.
///
/// The overlap along L is `ra + rb − |t · L|`, with the radius `r = Σ eᵢ |xᵢ · L|` of each (Gottschalk, Lin, Manocha 1996, in
/// the plane). Computed in `f64`; the exact verdict is [`intersect`](super::intersect). `None` for what `validate` refuses.
///
/// ```
/// use tangency::d2::{self, Obb2};
///
/// let a = Obb2::new([0.0, 0.0], [2.0, 1.0], 0.0)?;
/// let b = Obb2::new([0.5, 1.75], [1.0, 1.0], 0.0)?;
/// let found = d2::sat_obb2_obb2(&a, &b).unwrap();
/// assert_eq!((found.overlap, found.normal), (0.25, tangency::glam::Vec2::Y));
/// # Ok::<(), tangency::Error>(())
/// ```
pub fn sat_obb2_obb2(a: &Obb2, b: &Obb2) -> Option<Mtd> {
    if a.validate().is_err() || b.validate().is_err() {
        return None;
    }
    let offset = b.center().as_dvec2() - a.center().as_dvec2();
    let (axes_a, axes_b) = (a.axes(), b.axes());
    let (half_a, half_b) = (a.half_extents().as_dvec2(), b.half_extents().as_dvec2());
    let mut best = None;
    for axis in axes_a.into_iter().chain(axes_b) {
        let radius_a = half_a.x * axis.dot(axes_a[0]).abs() + half_a.y * axis.dot(axes_a[1]).abs();
        let radius_b = half_b.x * axis.dot(axes_b[0]).abs() + half_b.y * axis.dot(axes_b[1]).abs();
        let along = offset.dot(axis);
        let overlap = radius_a + radius_b - along.abs();
        if best.is_none_or(|(least, _)| overlap < least) {
            best = Some((overlap, if along < 0.0 { -axis } else { axis }));
        }
    }
    let scale = offset.length() + half_a.length() + half_b.length();
    best.map(|(overlap, normal)| Mtd::rounded(overlap, normal, scale))
}
