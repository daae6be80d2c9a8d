use glam::{DVec3, Vec3};

use super::simplex::nearest_to_origin;
use crate::query::support::{Difference, Support, difference, unit};
use crate::shape::check::saturate;

/// How far two convex shapes are apart, and where. What [`gjk`] returns.
///
/// ```
/// use tangency::{query, shape::Sphere};
///
/// let (a, b) = (Sphere::new([0.0; 3], 1.0)?, Sphere::new([4.0, 0.0, 0.0], 1.0)?);
/// let gap = query::gjk(&a, &b).expect("both have points");
/// assert_eq!((gap.distance, gap.normal), (2.0, Some(tangency::glam::Vec3::X)));
/// assert_eq!(query::gjk(&a, &a).and_then(|gap| gap.normal), None); // it meets itself
/// # Ok::<(), tangency::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Gap {
    /// The distance, zero when they meet.
    pub distance: f32,
    /// The point of the first shape nearest to the second. When they meet: a point of both.
    pub point_a: Vec3,
    /// The point of the second shape nearest to the first. When they meet: the same point of both.
    pub point_b: Vec3,
    /// The unit vector from `point_a` to `point_b`; `None` when they meet.
    pub normal: Option<Vec3>,
}

/// More steps than any pair of polytopes has been seen to need; reaching it returns the best found.
const MAX_STEPS: usize = 128;

/// How many units in the last place of the coordinates count as touching: what support points and feet round by.
const TOUCH: f64 = 16.0 * f64::EPSILON;

/// The distance between two cores in `f64`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Cores {
    /// The point of A ⊖ B nearest to the origin.
    pub(crate) nearest: DVec3,
    pub(crate) a: DVec3,
    pub(crate) b: DVec3,
    /// What the result may be wrong by.
    pub(crate) slack: f64,
}

/// GJK (Gilbert, Johnson, Keerthi 1988; termination after van den Bergen 1999) on the cores.
pub(crate) fn cores(a: &dyn Support, b: &dyn Support) -> Cores {
    // A fixed start, so that equal questions get equal answers.
    let first = difference(a, b, b.center() - a.center());
    let mut simplex: Vec<Difference> = vec![first];
    let mut weights = [1.0, 0.0, 0.0, 0.0];
    let mut nearest = first.point;
    let mut scale = first.a.length().max(first.b.length()).max(a.largest_input()).max(b.largest_input());
    for _ in 0..MAX_STEPS {
        let distance = nearest.length();
        if distance <= TOUCH * scale {
            break;
        }
        let next = difference(a, b, -nearest);
        scale = scale.max(next.a.length()).max(next.b.length());
        // How far the next point lies before the plane through the nearest one; then no point lies nearer than
        // distance − progress.
        let progress = nearest.dot(nearest - next.point) / distance;
        if progress <= TOUCH * scale || simplex.iter().any(|known| known.point == next.point) {
            break;
        }
        simplex.push(next);
        let corners: Vec<DVec3> = simplex.iter().map(|s| s.point).collect();
        let found = nearest_to_origin(&corners);
        if found.point.length_squared() >= nearest.length_squared() {
            simplex.pop();
            break;
        }
        // Only the corners that carry the nearest point stay: the one opposite the face nearest to the origin goes.
        let kept: Vec<usize> = (0..simplex.len()).filter(|&i| found.weights[i] > 0.0).collect();
        nearest = found.point;
        weights = [0.0; 4];
        for (slot, &i) in kept.iter().enumerate() {
            weights[slot] = found.weights[i];
        }
        simplex = kept.into_iter().map(|i| simplex[i]).collect();
        if simplex.len() == 4 {
            break;
        }
    }
    let blend = |pick: fn(&Difference) -> DVec3| simplex.iter().zip(weights).map(|(s, w)| pick(s) * w).sum();
    Cores { nearest, a: blend(|s| s.a), b: blend(|s| s.b), slack: TOUCH * scale }
}

/// The distance between two convex shapes, and the points that are nearest to each other.
///
/// Computed in `f64`, then rounded; the distance is off by at most one part in 10⁷ of itself and 10⁻¹⁴ of the largest
/// coordinate, and so is the verdict whether they meet, which is for closed sets: touching is meeting. The exact verdict
/// is [`intersect`](crate::query::intersect). Flat hulls, single points and duplicate corners are fine.
/// `None` when a shape has no points.
///
/// ```
/// use tangency::glam::{Quat, vec3};
/// use tangency::{query, shape::{Obb, Sphere}};
///
/// let wall = Obb::new([0.0, 0.0, 0.0], [1.0, 5.0, 5.0], Quat::IDENTITY)?;
/// let ball = Sphere::new([4.0, 1.0, 0.0], 2.0)?;
/// let gap = query::gjk(&wall, &ball).unwrap();
/// assert_eq!(gap.distance, 1.0);
/// assert!(gap.point_a.abs_diff_eq(vec3(1.0, 1.0, 0.0), 1e-6) && gap.point_b.abs_diff_eq(vec3(2.0, 1.0, 0.0), 1e-6));
/// # Ok::<(), tangency::Error>(())
/// ```
pub fn gjk<A: Support + ?Sized, B: Support + ?Sized>(a: &A, b: &B) -> Option<Gap> {
    gap(&a, &b)
}

/// [`gjk`], compiled once for all shapes.
fn gap(a: &dyn Support, b: &dyn Support) -> Option<Gap> {
    if a.has_no_points() || b.has_no_points() {
        return None;
    }
    let found = cores(a, b);
    let (ra, rb) = (a.rounding(), b.rounding());
    let apart = found.nearest.length();
    let normal = unit(-found.nearest);
    match normal {
        Some(normal) if apart > ra + rb + found.slack => Some(Gap {
            distance: (apart - ra - rb).min(f64::from(f32::MAX)) as f32,
            point_a: saturate(found.a + normal * ra),
            point_b: saturate(found.b - normal * rb),
            normal: Some(normal.as_vec3()),
        }),
        _ => {
            // Towards the other core as far as the own rounding allows is in both.
            let common = saturate(found.a + normal.unwrap_or(DVec3::ZERO) * ra.min(apart));
            Some(Gap { distance: 0.0, point_a: common, point_b: common, normal: None })
        }
    }
}

/// Whether two convex shapes meet, as [`gjk`] tells it: touching counts.
///
/// ```
/// use tangency::{query, shape::{Aabb, ConvexHull}};
///
/// let tent = ConvexHull::from_points([[0.0, 0.0, 0.0], [2.0, 0.0, 0.0], [1.0, 2.0, 0.0], [1.0, 0.0, 3.0]])?;
/// assert!(query::gjk_hit(&tent, &Aabb::new([1.0, 0.0, 3.0], [2.0, 1.0, 4.0])?));
/// assert!(!query::gjk_hit(&tent, &Aabb::new([1.0, 0.0, 3.1], [2.0, 1.0, 4.0])?));
/// # Ok::<(), tangency::Error>(())
/// ```
pub fn gjk_hit<A: Support + ?Sized, B: Support + ?Sized>(a: &A, b: &B) -> bool {
    gjk(a, b).is_some_and(|gap| gap.normal.is_none())
}
