use glam::{DVec3, Vec3};

use super::{Motion, sweep};
use crate::shape::Sphere;

/// When two moving balls first touch, between time 0 and 1, in closed form. `None` when they do not.
///
/// The smaller root of `|c + t v|² = (rₐ + r_b)²`, c and v being the relative place and velocity (Ericson 2005, 5.5.5); the
/// root is taken as `2c / (−b + √…)`, which does not cancel. Balls that touch at the start touch at time 0.
///
/// A ball that turns about a [pivot](Motion::about) moves on an arc, or on a screw. There is no closed form then, and the time is that of
/// [`sweep`](crate::query::sweep): never later than the true one, and with its tolerance.
///
/// ```
/// use tangency::{query::{self, Motion}, shape::Sphere};
///
/// let a = Sphere::new([0.0, 0.0, 0.0], 1.0)?;
/// let b = Sphere::new([10.0, 0.0, 0.0], 1.0)?;
/// let time = query::sweep_sphere_sphere(&a, &Motion::translation([16.0, 0.0, 0.0])?, &b, &Motion::REST);
/// assert_eq!(time, Some(0.5));
/// # Ok::<(), tangency::Error>(())
/// ```
pub fn sweep_sphere_sphere(a: &Sphere, motion_a: &Motion, b: &Sphere, motion_b: &Motion) -> Option<f64> {
    if a.validate().is_err() || b.validate().is_err() {
        return None;
    }
    if on_an_arc(a, motion_a) || on_an_arc(b, motion_b) {
        return sweep(a, motion_a, b, motion_b).map(|impact| impact.time);
    }
    let place: DVec3 = b.center().as_dvec3() - a.center().as_dvec3();
    let velocity = motion_b.translation_vector().as_dvec3() - motion_a.translation_vector().as_dvec3();
    let reach = f64::from(a.radius()) + f64::from(b.radius());
    // (|c| − r)(|c| + r) keeps the digits that |c|² − r² would lose.
    let constant = (place.length() - reach) * (place.length() + reach);
    if constant <= 0.0 {
        return Some(0.0);
    }
    let half_linear = place.dot(velocity);
    let square = velocity.length_squared();
    if half_linear >= 0.0 {
        return None;
    }
    // |c × v|² = |c|²|v|² − (c·v)², without the cancellation.
    let discriminant = square * reach * reach - place.cross(velocity).length_squared();
    if discriminant < 0.0 {
        return None;
    }
    let time = constant / (-half_linear + discriminant.sqrt());
    (time <= 1.0).then_some(time)
}

/// Whether turning moves the centre: it lies off the axis through the pivot.
fn on_an_arc(ball: &Sphere, motion: &Motion) -> bool {
    let off = |pivot: Vec3| (ball.center().as_dvec3() - pivot.as_dvec3()).cross(motion.rotation_vector().as_dvec3());
    motion.pivot().is_some_and(|pivot| off(pivot) != DVec3::ZERO)
}
