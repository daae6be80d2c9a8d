use std::f64::consts::PI;

use glam::{DVec2, DVec3, Vec3};

use super::calipers_obb::calipers_rotation;
use super::least_circle::least_circle;
use super::pca_obb::principal_rotation;
use super::{checked, ritter_multi_start};
use crate::Result;
use crate::shape::{Capsule, ConvexHull, check};

/// A small capsule around points: never of more volume than the ball of [`ritter`](super::ritter()).
///
/// Axes are tried along the principal axes, those of [`calipers_obb`](super::calipers_obb()) and the longest diameter of the hull, and
/// the best is then turned a little for as long as that helps. Around each, the smallest circle that the points project into is the least
/// radius; of that radius and larger ones, for which the ends can come closer, the one of least volume is taken. It is not the smallest capsule there
/// is. Points on one line give a segment, points at one place a point.
///
/// ```
/// use tangency::{glam::vec3, shape::fit};
///
/// let rod = fit::capsule(&[vec3(0.0, 0.0, 0.0), vec3(9.0, 0.1, 0.0), vec3(5.0, -0.1, 0.1)])?;
/// assert!(rod.radius() < 0.11 && rod.diagonal() < 9.3);
/// let straight = fit::capsule(&[vec3(0.0, 0.0, 0.0), vec3(2.0, 2.0, 2.0), vec3(1.0, 1.0, 1.0)])?;
/// assert_eq!((straight.a(), straight.b(), straight.radius()), (vec3(0.0, 0.0, 0.0), vec3(2.0, 2.0, 2.0), 0.0));
/// # Ok::<(), tangency::Error>(())
/// ```
///
/// # Errors
/// [`NoPoints`](crate::Error::NoPoints); [`NotFinite`](crate::Error::NotFinite) for a bad point or a capsule beyond `f32`.
pub fn capsule(points: &[Vec3]) -> Result<Capsule> {
    checked(points)?;
    let hull = ConvexHull::from_points(points.iter().copied())?;
    // What contains the corners of the hull contains all points.
    let corners = hull.local_vertices();
    match *corners {
        [place] => return Capsule::new(place, place, 0.0),
        [a, b] => return Capsule::new(a, b, 0.0),
        _ => {}
    }
    let ball = ritter_multi_start(points, 8).and_then(|ball| Capsule::new(ball.center(), ball.center(), ball.radius()));
    let middle = (hull.local_bounds().min().as_dvec3() + hull.local_bounds().max().as_dvec3()) / 2.0;
    let offsets: Vec<DVec3> = corners.iter().map(|v| v.as_dvec3() - middle).collect();
    let long = around(corners, middle, &best_trial(&offsets, &axes(points, &hull)));
    match (ball, long) {
        (Ok(ball), Ok(long)) => Ok(if ball.volume() <= long.volume() { ball } else { long }),
        (Ok(one), _) | (_, Ok(one)) => Ok(one),
        (error, _) => error,
    }
}

/// The unit axes to begin with.
fn axes(points: &[Vec3], hull: &ConvexHull) -> Vec<DVec3> {
    let mut all = vec![longest_diameter(hull.local_vertices())];
    for rotation in [principal_rotation(points), calipers_rotation(points, hull)] {
        let unit = rotation.as_dquat().normalize();
        all.extend(DVec3::AXES.map(|axis| unit * axis));
    }
    all
}

/// From the one to the other of the two corners farthest apart; of very many corners, only some are tried as the first.
fn longest_diameter(corners: &[Vec3]) -> DVec3 {
    let (mut best, mut longest) = (DVec3::X, 0.0);
    for start in corners.iter().step_by(1 + corners.len() / 256) {
        for end in corners {
            let way = end.as_dvec3() - start.as_dvec3();
            if way.length_squared() > longest {
                (best, longest) = (way, way.length_squared());
            }
        }
    }
    best.normalize()
}

/// A segment and the volume of the capsule around it, in `f64`.
struct Trial {
    axis: DVec3,
    ends: [DVec3; 2],
    volume: f64,
}

/// The best of the axes, turned a little for as long as that helps.
fn best_trial(corners: &[DVec3], axes: &[DVec3]) -> Trial {
    let trials = axes.iter().map(|&axis| along(corners, axis));
    let mut best = trials.min_by(|a, b| a.volume.total_cmp(&b.volume)).expect("at least one axis");
    let mut step = 0.1;
    while step > 1e-3 {
        let (x, y) = best.axis.any_orthonormal_pair();
        let turned = [x, -x, y, -y].map(|aside| along(corners, (best.axis + aside * step).normalize()));
        let better = turned.into_iter().min_by(|a, b| a.volume.total_cmp(&b.volume));
        match better.filter(|trial| trial.volume < best.volume * (1.0 - 1e-4)) {
            Some(trial) => best = trial,
            None => step /= 3.0,
        }
    }
    best
}

/// The segment along a unit axis whose capsule has the least volume.
fn along(corners: &[DVec3], axis: DVec3) -> Trial {
    let (x, y) = axis.any_orthonormal_pair();
    let flat: Vec<DVec2> = corners.iter().map(|v| DVec2::new(v.dot(x), v.dot(y))).collect();
    let center = least_circle(&flat);
    // How far along the axis each corner is, and how far from it, squared.
    let places: Vec<(f64, f64)> =
        corners.iter().zip(&flat).map(|(v, p)| (v.dot(axis), p.distance_squared(center))).collect();
    let least = places.iter().fold(0.0, |m: f64, place| m.max(place.1)).sqrt();
    let span = places.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), p| (low.min(p.0), high.max(p.0)));
    // With the largest radius, a ball around the middle of all contains them.
    let most = DVec2::new(least, (span.1 - span.0) / 2.0).length();
    // A little more than the least radius lets the ends come much closer: near it, the square of a share is fine enough.
    let radius = |share: f64| least + (most - least) * share * share;
    let volume = |share: f64| {
        let (r, (low, high)) = (radius(share), ends(&places, radius(share)));
        PI * r * r * (high - low + 4.0 / 3.0 * r)
    };
    let share = golden_section(volume);
    let (low, high) = ends(&places, radius(share));
    let across = x * center.x + y * center.y;
    Trial { axis, ends: [low, high].map(|t| across + axis * t), volume: volume(share) }
}

/// Where the segment must begin and end, so that balls of the given radius along it reach all places.
fn ends(places: &[(f64, f64)], radius: f64) -> (f64, f64) {
    let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
    for &(along, square) in places {
        let reach = (radius * radius - square).max(0.0).sqrt();
        (low, high) = (low.min(along + reach), high.max(along - reach));
    }
    // Where one ball reaches all, any between the two is one.
    if low <= high { (low, high) } else { (f64::midpoint(low, high), f64::midpoint(low, high)) }
}

/// Where between 0 and 1 a function is least, if it falls and then rises; in any case where it is not larger than at 0.
fn golden_section(f: impl Fn(f64) -> f64) -> f64 {
    let ratio = (5f64.sqrt() - 1.0) / 2.0;
    let (mut low, mut high) = (0.0, 1.0);
    let [mut left, mut right] = [1.0 - ratio, ratio];
    let (mut at_left, mut at_right) = (f(left), f(right));
    for _ in 0..24 {
        if at_left <= at_right {
            (high, right, at_right) = (right, left, at_left);
            left = high - ratio * (high - low);
            at_left = f(left);
        } else {
            (low, left, at_left) = (left, right, at_right);
            right = low + ratio * (high - low);
            at_right = f(right);
        }
    }
    let found = f64::midpoint(low, high);
    if f(found) <= f(0.0) { found } else { 0.0 }
}

/// The capsule around the rounded segment that reaches the farthest corner.
fn around(corners: &[Vec3], middle: DVec3, trial: &Trial) -> Result<Capsule> {
    let [a, b] = trial.ends.map(|end| check::saturate(middle + end));
    let reach = corners.iter().fold(0.0, |m: f64, p| m.max(reach(p.as_dvec3(), a.as_dvec3(), b.as_dvec3())));
    Capsule::new(a, b, check::round_up(reach))
}

/// A bound of the distance of a point from the segment between two others, all of them `f32`: its distance from a + t (b − a), for some t
/// between 0 and 1. No rounding of t matters, as all such points are of the segment.
///
/// With u = ε / 2, a coordinate of v = (p − a) − t (b − a) is off by u of the first difference, 2 u of the product and u of v, which
/// is less than 4 u of both: v is off by 4 u (|p − a| + |t (b − a)|). Its length meets four roundings of its own, the sums two more. Nothing is lost
/// below the range of `f64`: products of two differences of `f32` are far above its end.
fn reach(p: DVec3, a: DVec3, b: DVec3) -> f64 {
    // From the nearer end, so that the ends themselves are reached by nothing.
    let (a, b) = if p.distance_squared(a) <= p.distance_squared(b) { (a, b) } else { (b, a) };
    let (way, to) = (b - a, p - a);
    let square = way.length_squared();
    let t = if square > 0.0 { (to.dot(way) / square).clamp(0.0, 1.0) } else { 0.0 };
    let partly = way * t;
    ((to - partly).length() + 4.0 * f64::EPSILON * (to.length() + partly.length())) * (1.0 + 8.0 * f64::EPSILON)
}

#[cfg(test)]
mod tests {
    use glam::vec3;
    use num_rational::BigRational as Q;

    use super::*;

    fn exact(v: DVec3) -> [Q; 3] {
        v.to_array().map(|x| Q::from_float(x).expect("finite"))
    }

    fn dot(a: &[Q; 3], b: &[Q; 3]) -> Q {
        &a[0] * &b[0] + &a[1] * &b[1] + &a[2] * &b[2]
    }

    /// The squared distance of a point from a segment.
    fn square([p, a, b]: [Vec3; 3]) -> Q {
        let [p, a, b] = [p, a, b].map(|v| exact(v.as_dvec3()));
        let from_a = |v: &[Q; 3]| [0, 1, 2].map(|k| &v[k] - &a[k]);
        let (way, to) = (from_a(&b), from_a(&p));
        let (zero, one) = (Q::from_integer(0.into()), Q::from_integer(1.into()));
        let length = dot(&way, &way);
        let t = if length == zero { zero } else { (dot(&to, &way) / length).clamp(zero, one) };
        let off = [0, 1, 2].map(|k| &to[k] - &way[k] * &t);
        dot(&off, &off)
    }

    /// Points beside long segments, from which they are as far as `f32` rounds, and anywhere, of all sizes.
    #[test]
    fn no_point_is_farther_than_its_reach() {
        let mut state = 7_u64;
        let mut random = || {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (state >> 40) as f32 / 8_388_608.0 - 1.0
        };
        for i in 0..2_000 {
            let mut point = || vec3(random(), random(), random()) * 2f32.powi((random() * 60.0) as i32 * (i % 3));
            let (a, b, any) = (point(), point(), point());
            let share = f64::from(any.x.abs().fract());
            let on = a.as_dvec3().lerp(b.as_dvec3(), share).as_vec3();
            for p in [on, any, a, b] {
                let found = reach(p.as_dvec3(), a.as_dvec3(), b.as_dvec3());
                let found = Q::from_float(found).expect("finite");
                assert!(square([p, a, b]) <= &found * &found, "{p} from {a} to {b}");
            }
        }
        let [a, b] = [vec3(1.0, 2.0, 3.0), vec3(f32::MAX, 0.0, f32::from_bits(1))].map(Vec3::as_dvec3);
        assert_eq!((reach(a, a, b), reach(b, a, b), reach(a, a, a)), (0.0, 0.0, 0.0));
    }
}
