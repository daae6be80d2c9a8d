use glam::{DVec3, Vec3};

use super::checked;
use crate::Result;
use crate::shape::{Sphere, check};

/// A ball around all points, in three passes over them (Ritter 1990); typically 5 to 20 % larger than the smallest.
///
/// From the first point to the farthest from it, and on to the farthest from that: these two are the first diameter. Then
/// every point left outside pulls the ball out to itself: `r' = (r + d) / 2`, and the centre by `r' − r` towards it.
///
/// ```
/// use tangency::{glam::vec3, shape::fit};
///
/// let ball = fit::ritter(&[vec3(0.0, 0.0, 0.0), vec3(2.0, 0.0, 0.0), vec3(1.0, 0.5, 0.0)])?;
/// assert_eq!(ball.center(), vec3(1.0, 0.0, 0.0));
/// assert!((1.0..1.000001).contains(&ball.radius()));
/// # Ok::<(), tangency::Error>(())
/// ```
///
/// # Errors
/// [`NoPoints`](crate::Error::NoPoints); [`NotFinite`](crate::Error::NotFinite) for a bad point or a radius beyond `f32`.
pub fn ritter(points: &[Vec3]) -> Result<Sphere> {
    checked(points)?;
    around(points, from_start(points, points[0].as_dvec3()))
}

/// The smallest of the balls that [`ritter`] finds from several starts: `starts` points, evenly spread over the list, at
/// least one. Never larger than from the first point alone.
///
/// ```
/// use tangency::shape::fit;
/// # use tangency::glam::vec3;
/// let points = [vec3(0.0, 0.0, 0.0), vec3(1.0, 0.0, 0.0), vec3(0.4, 0.9, 0.0), vec3(0.3, 0.2, 0.8)];
/// assert!(fit::ritter_multi_start(&points, 4)?.radius() <= fit::ritter(&points)?.radius());
/// # Ok::<(), tangency::Error>(())
/// ```
///
/// # Errors
/// As [`ritter`].
pub fn ritter_multi_start(points: &[Vec3], starts: usize) -> Result<Sphere> {
    checked(points)?;
    let starts = starts.clamp(1, points.len());
    let mut best = ritter(points)?;
    for i in 1..starts {
        let start = points[i * points.len() / starts].as_dvec3();
        let ball = around(points, from_start(points, start))?;
        if ball.radius() < best.radius() {
            best = ball;
        }
    }
    Ok(best)
}

/// The centre of Ritter's ball, in `f64`.
fn from_start(points: &[Vec3], start: DVec3) -> DVec3 {
    let farthest = |from: DVec3| {
        let distance = |p: &Vec3| p.as_dvec3().distance_squared(from);
        points.iter().max_by(|p, q| distance(p).total_cmp(&distance(q))).map_or(from, |p| p.as_dvec3())
    };
    let one_end = farthest(start);
    let other_end = farthest(one_end);
    let mut center = (one_end + other_end) / 2.0;
    let mut radius = one_end.distance(other_end) / 2.0;
    for point in points {
        let point = point.as_dvec3();
        let distance = point.distance(center);
        if distance > radius {
            let grown = f64::midpoint(radius, distance);
            center += (point - center) * ((grown - radius) / distance);
            radius = grown;
        }
    }
    center
}

/// The ball around the rounded centre that reaches the farthest point.
fn around(points: &[Vec3], center: DVec3) -> Result<Sphere> {
    let center = check::saturate(center);
    let reach = points.iter().fold(0.0, |m: f64, p| m.max(p.as_dvec3().distance(center.as_dvec3())));
    Sphere::new(center, check::round_up(reach * (1.0 + 8.0 * f64::EPSILON)))
}
