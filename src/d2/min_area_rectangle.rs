use glam::{DVec2, Vec2};

use super::Obb2;
use crate::Result;
use crate::shape::check;
use crate::shape::fit::{convex_hull_2d, least_rectangle};

/// The rectangle of least area around points in the plane, its first axis along an edge of their hull.
///
/// A least rectangle has a side along an edge of the convex hull (Freeman, Shapira 1975), so rotating calipers (Toussaint
/// 1983) try each edge while the four extreme corners move on around the hull. Points on one line give a rectangle
/// without width, one point gives a point.
///
/// ```
/// use tangency::d2;
/// # use tangency::glam::vec2;
/// let diamond = [vec2(0.0, -1.0), vec2(1.0, 0.0), vec2(0.0, 1.0), vec2(-1.0, 0.0)];
/// let rectangle = d2::min_area_rectangle(&diamond)?;
/// assert!((rectangle.area() - 2.0).abs() < 1e-5);
/// # Ok::<(), tangency::Error>(())
/// ```
///
/// # Errors
/// As [`convex_hull_2d`], or [`NotFinite`](crate::Error::NotFinite) for a rectangle beyond `f32`.
pub fn min_area_rectangle(points: &[Vec2]) -> Result<Obb2> {
    let hull: Vec<DVec2> = convex_hull_2d(points)?.iter().map(|p| p.as_dvec2()).collect();
    around(points, least_rectangle(&hull))
}

/// The rectangle with its first axis along `direction`, around all points.
fn around(points: &[Vec2], direction: DVec2) -> Result<Obb2> {
    let turn = Obb2::half_angle_of(direction);
    let rounded = Obb2::from_half_angle([0.0; 2], [0.0; 2], turn)?;
    let [x, y] = rounded.axes();
    let origin = points[0].as_dvec2();
    let local = |p: &Vec2, from: DVec2| DVec2::new(x.dot(p.as_dvec2() - from), y.dot(p.as_dvec2() - from));
    let (mut low, mut high) = (DVec2::INFINITY, DVec2::NEG_INFINITY);
    for point in points {
        let at = local(point, origin);
        (low, high) = (low.min(at), high.max(at));
    }
    let middle = (low + high) / 2.0;
    let limit = DVec2::splat(f64::from(f32::MAX));
    let center = (origin + x * middle.x + y * middle.y).clamp(-limit, limit).as_vec2();
    // A coordinate of an axis is off by 3 u of itself (a square, a product and a difference of two products of `f32` are exact, or
    // rounded once), an offset by one and a sum by two: 6 √2 u of the largest coordinate, less than 32 u.
    let mut half = DVec2::ZERO;
    for point in points {
        let offset = (point.as_dvec2() - center.as_dvec2()).abs().max_element();
        half = half.max(local(point, center.as_dvec2()).abs() + 16.0 * f64::EPSILON * offset);
    }
    Obb2::from_half_angle(center, half.to_array().map(check::round_up), turn)
}
