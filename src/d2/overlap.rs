use super::Aabb2;

/// The length that two intervals `[min, max]` have in common: 0 when they touch, `None` when they do not meet.
///
/// `min(max) − max(min)`; whether they meet is exact. Two intervals meet when neither ends before the other begins. An
/// interval that is reversed or not finite has no points.
///
/// ```
/// use tangency::d2::overlap_1d;
///
/// assert_eq!(overlap_1d([0.0, 2.0], [1.5, 9.0]), Some(0.5));
/// assert_eq!(overlap_1d([0.0, 2.0], [2.0, 9.0]), Some(0.0));
/// assert_eq!(overlap_1d([0.0, 2.0], [2.1, 9.0]), None);
/// ```
pub fn overlap_1d(a: [f32; 2], b: [f32; 2]) -> Option<f64> {
    let proper = |i: [f32; 2]| i[0].is_finite() && i[1].is_finite() && i[0] <= i[1];
    let (low, high) = (a[0].max(b[0]), a[1].min(b[1]));
    (proper(a) && proper(b) && low <= high).then(|| f64::from(high) - f64::from(low))
}

/// The area that two rectangles have in common: 0 when they touch, `None` when they do not meet. The verdict is exact.
///
/// ```
/// use tangency::d2::{Aabb2, overlap_area};
///
/// let a = Aabb2::new([0.0, 0.0], [4.0, 4.0])?;
/// assert_eq!(overlap_area(&a, &Aabb2::new([3.0, 2.0], [9.0, 9.0])?), Some(2.0));
/// assert_eq!(overlap_area(&a, &Aabb2::new([4.0, 4.0], [9.0, 9.0])?), Some(0.0));
/// assert_eq!(overlap_area(&a, &Aabb2::new([5.0, 0.0], [9.0, 9.0])?), None);
/// # Ok::<(), tangency::Error>(())
/// ```
pub fn overlap_area(a: &Aabb2, b: &Aabb2) -> Option<f64> {
    let width = overlap_1d([a.min().x, a.max().x], [b.min().x, b.max().x])?;
    let height = overlap_1d([a.min().y, a.max().y], [b.min().y, b.max().y])?;
    Some(width * height)
}
