//! What bodies do after they met: reflection, being pushed apart, and impulses.
//!
//! Normals point from the first body to the second, or out of the wall, have any non-zero length, and are brought to unit
//! length in `f64`; with a normal that is zero or not finite nothing happens. Results beyond `f32` stay at its largest number.

use glam::{DMat3, DVec3, Mat3, Vec3};

use crate::query::support::unit;
use crate::shape::check::{self, saturate};
use crate::{Error, Result};

/// The velocity after bouncing off a wall with the given outward normal: `v − 2 (v · n) n`, the mirror image.
///
/// Only when it moves **into** the wall, `v · n < 0`: what already leaves keeps its velocity.
///
/// ```
/// use tangency::glam::vec3;
/// use tangency::response::reflect;
///
/// assert_eq!(reflect(vec3(1.0, -2.0, 0.0), vec3(0.0, 1.0, 0.0)), vec3(1.0, 2.0, 0.0));
/// assert_eq!(reflect(vec3(1.0, 2.0, 0.0), vec3(0.0, 1.0, 0.0)), vec3(1.0, 2.0, 0.0));
/// ```
pub fn reflect(velocity: impl Into<Vec3>, normal: impl Into<Vec3>) -> Vec3 {
    let (velocity, normal) = (velocity.into(), unit(normal.into().as_dvec3()));
    let v = velocity.as_dvec3();
    match normal {
        Some(n) if v.dot(n) < 0.0 => saturate(v - 2.0 * v.dot(n) * n),
        _ => velocity,
    }
}

/// A body as an impulse sees it: its mass, its motion, and how it resists turning.
///
/// ```
/// use tangency::response::Body;
///
/// let wall = Body::new(f32::INFINITY, [0.0; 3])?;
/// assert_eq!(wall.inverse_mass(), 0.0);
/// # Ok::<(), tangency::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Body {
    inverse_mass: f64,
    inverse_inertia: Mat3,
    center: Vec3,
    velocity: Vec3,
    angular_velocity: Vec3,
}

impl Body {
    /// A body that does not turn. An infinite mass is a wall: impulses do not move it.
    ///
    /// ```
    /// # use tangency::{Error, response::Body};
    /// let cart = Body::new(2.0, [3.0, 0.0, 0.0])?;
    /// assert_eq!((cart.inverse_mass(), cart.velocity()), (0.5, tangency::glam::vec3(3.0, 0.0, 0.0)));
    /// assert_eq!(Body::new(0.0, [0.0; 3]), Err(Error::NotPositive { field: "mass", value: 0.0 }));
    /// # Ok::<(), tangency::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`NotPositive`](Error::NotPositive) for a mass that is not above zero; [`NotFinite`](Error::NotFinite) for a bad velocity.
    pub fn new(mass: f32, velocity: impl Into<Vec3>) -> Result<Self> {
        let velocity = velocity.into();
        if mass.is_nan() || mass <= 0.0 {
            return Err(Error::NotPositive { field: "mass", value: mass });
        }
        check::finite_vec(&["velocity.x", "velocity.y", "velocity.z"], velocity)?;
        let inverse_mass = 1.0 / f64::from(mass);
        let [center, angular_velocity] = [Vec3::ZERO; 2];
        Ok(Self { inverse_mass, inverse_inertia: Mat3::ZERO, center, velocity, angular_velocity })
    }

    /// The same body, able to turn about its centre of mass: with the inverse of its inertia tensor in world axes (zero for
    /// one that cannot turn), and its angular velocity in radians per unit of time.
    ///
    /// ```
    /// # use tangency::response::Body;
    /// # use tangency::glam::{Mat3, Vec3};
    /// let top = Body::new(1.0, [0.0; 3])?.turning([0.0; 3], Mat3::IDENTITY, [0.0, 5.0, 0.0])?;
    /// assert_eq!((top.angular_velocity(), top.velocity()), (tangency::glam::vec3(0.0, 5.0, 0.0), Vec3::ZERO));
    /// # Ok::<(), tangency::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`NotFinite`](Error::NotFinite), naming the field.
    pub fn turning(
        self,
        center: impl Into<Vec3>,
        inverse_inertia: Mat3,
        angular_velocity: impl Into<Vec3>,
    ) -> Result<Self> {
        let (center, angular_velocity) = (center.into(), angular_velocity.into());
        check::finite_vec(&check::CENTER, center)?;
        for value in inverse_inertia.to_cols_array() {
            check::finite("inverse_inertia", value)?;
        }
        check::finite_vec(&["angular_velocity.x", "angular_velocity.y", "angular_velocity.z"], angular_velocity)?;
        Ok(Self { inverse_inertia, center, angular_velocity, ..self })
    }

    /// One over the mass, in `f64`; zero for an infinite mass.
    ///
    /// ```
    /// # use tangency::response::Body;
    /// assert_eq!(Body::new(4.0, [0.0; 3])?.inverse_mass(), 0.25);
    /// # Ok::<(), tangency::Error>(())
    /// ```
    pub fn inverse_mass(&self) -> f64 {
        self.inverse_mass
    }

    /// The velocity of the centre.
    ///
    /// ```
    /// # use tangency::response::Body;
    /// assert_eq!(Body::new(4.0, [1.0, 2.0, 3.0])?.velocity(), tangency::glam::vec3(1.0, 2.0, 3.0));
    /// # Ok::<(), tangency::Error>(())
    /// ```
    pub fn velocity(&self) -> Vec3 {
        self.velocity
    }

    /// The angular velocity.
    ///
    /// ```
    /// # use tangency::response::Body;
    /// assert_eq!(Body::new(4.0, [1.0, 2.0, 3.0])?.angular_velocity(), tangency::glam::Vec3::ZERO);
    /// # Ok::<(), tangency::Error>(())
    /// ```
    pub fn angular_velocity(&self) -> Vec3 {
        self.angular_velocity
    }

    /// From the centre of mass to a point.
    fn arm(&self, point: DVec3) -> DVec3 {
        point - self.center.as_dvec3()
    }

    fn velocity_at(&self, arm: DVec3) -> DVec3 {
        self.velocity.as_dvec3() + self.angular_velocity.as_dvec3().cross(arm)
    }

    fn inverse_inertia(&self) -> DMat3 {
        self.inverse_inertia.as_dmat3()
    }

    /// How much a unit impulse along `n` at `arm` changes the velocity there, along `n`: `1/m + ((I⁻¹ (r × n)) × r) · n`.
    fn mobility(&self, arm: DVec3, n: DVec3) -> f64 {
        let torque = arm.cross(n);
        self.inverse_mass + (self.inverse_inertia() * torque).dot(torque).max(0.0)
    }

    fn pushed(&self, impulse: DVec3, arm: DVec3) -> Self {
        let velocity = saturate(self.velocity.as_dvec3() + impulse * self.inverse_mass);
        let turn = self.inverse_inertia() * arm.cross(impulse);
        Self { velocity, angular_velocity: saturate(self.angular_velocity.as_dvec3() + turn), ..*self }
    }
}

/// How far each of two penetrating bodies is to be moved, so that together they part by `depth`: in inverse proportion to
/// their masses. A wall stays where it is; of two walls neither moves.
///
/// ```
/// use tangency::glam::{Vec3, vec3};
/// use tangency::response::{Body, positional_correction};
///
/// let light = Body::new(1.0, [0.0; 3])?;
/// let heavy = Body::new(3.0, [0.0; 3])?;
/// let wall = Body::new(f32::INFINITY, [0.0; 3])?;
/// let apart = positional_correction(&light, &heavy, Vec3::X, 0.5);
/// assert_eq!(apart, (vec3(-0.375, 0.0, 0.0), vec3(0.125, 0.0, 0.0)));
/// assert_eq!(positional_correction(&light, &wall, Vec3::X, 0.5), (vec3(-0.5, 0.0, 0.0), Vec3::ZERO));
/// # Ok::<(), tangency::Error>(())
/// ```
pub fn positional_correction(a: &Body, b: &Body, normal: impl Into<Vec3>, depth: f32) -> (Vec3, Vec3) {
    let total = a.inverse_mass + b.inverse_mass;
    let Some(normal) = unit(normal.into().as_dvec3()).filter(|_| total > 0.0 && depth > 0.0 && depth.is_finite())
    else {
        return (Vec3::ZERO, Vec3::ZERO);
    };
    let way = normal * f64::from(depth);
    (saturate(-way * (a.inverse_mass / total)), saturate(way * (b.inverse_mass / total)))
}

/// Both bodies after a central impact along `normal`: no turning. `restitution` is 1 for an elastic collision, which keeps
/// the energy, 0 for one after which they stay together along the normal; beyond that range it is cut off.
///
/// Newton's law of restitution: `j = −(1 + e) vᵣ · n / (1/mₐ + 1/m_b)`. Bodies that already part are left as they are.
///
/// ```
/// use tangency::glam::{Vec3, vec3};
/// use tangency::response::{Body, collide};
///
/// let moving = Body::new(2.0, [3.0, 1.0, 0.0])?;
/// let resting = Body::new(2.0, [0.0, 0.0, 0.0])?;
/// let (a, b) = collide(&moving, &resting, Vec3::X, 1.0);
/// assert_eq!((a.velocity(), b.velocity()), (vec3(0.0, 1.0, 0.0), vec3(3.0, 0.0, 0.0)));
/// # Ok::<(), tangency::Error>(())
/// ```
pub fn collide(a: &Body, b: &Body, normal: impl Into<Vec3>, restitution: f32) -> (Body, Body) {
    let still = |body: &Body| Body { inverse_inertia: Mat3::ZERO, angular_velocity: Vec3::ZERO, ..*body };
    let (pushed_a, pushed_b) = impact(&still(a), &still(b), DVec3::ZERO, DVec3::ZERO, normal.into(), restitution);
    (Body { velocity: pushed_a.velocity, ..*a }, Body { velocity: pushed_b.velocity, ..*b })
}

/// Both bodies after an impact at `point` along `normal`, turning included.
///
/// `j = −(1 + e) vᵣ · n / (1/mₐ + 1/m_b + ((Iₐ⁻¹ (rₐ × n)) × rₐ + (I_b⁻¹ (r_b × n)) × r_b) · n)` (Hecker 1997), vᵣ being the
/// relative velocity of the touching points. Bodies whose points already part are left as they are.
///
/// ```
/// use tangency::glam::{Mat3, Vec3};
/// use tangency::response::{Body, collide_at};
///
/// let rod = Body::new(1.0, [0.0; 3])?.turning([0.0; 3], Mat3::IDENTITY, [0.0; 3])?;
/// let ball = Body::new(1.0, [0.0, -3.0, 0.0])?.turning([2.0, 1.0, 0.0], Mat3::ZERO, [0.0; 3])?;
/// let (rod, ball) = collide_at(&rod, &ball, [2.0, 0.0, 0.0], Vec3::Y, 1.0);
/// assert_eq!((rod.velocity().y, rod.angular_velocity().z, ball.velocity().y), (-1.0, -2.0, -2.0));
/// # Ok::<(), tangency::Error>(())
/// ```
pub fn collide_at(
    a: &Body,
    b: &Body,
    point: impl Into<Vec3>,
    normal: impl Into<Vec3>,
    restitution: f32,
) -> (Body, Body) {
    let point = point.into();
    if !point.is_finite() {
        return (*a, *b);
    }
    let point = point.as_dvec3();
    impact(a, b, a.arm(point), b.arm(point), normal.into(), restitution)
}

fn impact(a: &Body, b: &Body, arm_a: DVec3, arm_b: DVec3, normal: Vec3, restitution: f32) -> (Body, Body) {
    let Some(n) = unit(normal.as_dvec3()) else { return (*a, *b) };
    // Positive when the touching points approach.
    let closing = (a.velocity_at(arm_a) - b.velocity_at(arm_b)).dot(n);
    let mobility = a.mobility(arm_a, n) + b.mobility(arm_b, n);
    let bounce = if restitution.is_nan() { 0.0 } else { f64::from(restitution.clamp(0.0, 1.0)) };
    let impulse = (1.0 + bounce) * closing / mobility;
    if closing <= 0.0 || mobility <= 0.0 || !impulse.is_finite() {
        return (*a, *b);
    }
    (a.pushed(-n * impulse, arm_a), b.pushed(n * impulse, arm_b))
}
