//! When two moving bodies meet, as a device writes it.

use glam::Vec3;

use crate::det::Double;

/// When two moving bodies first touch, or come so near that rounding does not tell. What [`Engine::sweep`](crate::Engine::sweep) returns of each
/// pair.
///
/// ```
/// use tangency::{Bodies, Engine, query::Motion, shape::Sphere};
///
/// let mut bodies = Bodies::new();
/// bodies.extend([Sphere::new([0.0; 3], 1.0)?, Sphere::new([6.0, 0.0, 0.0], 1.0)?])?;
/// let motions = [Motion::translation([8.0, 0.0, 0.0])?, Motion::REST];
/// let hits = Engine::new()?.sweep(&bodies, &motions).run()?;
/// let hit = hits.get(0, 1).expect("they meet half way");
/// assert!(hit.from() <= 0.5 && hit.from() > 0.499_99 && hit.to() == hit.from());
/// assert!((hit.normal() - tangency::glam::Vec3::X).length() < 1e-6);
/// # Ok::<(), tangency::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, bytemuck::Pod, bytemuck::Zeroable)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(deny_unknown_fields))]
#[repr(C)]
pub struct SweepHit {
    normal: [f32; 3],
    /// The time as a sum of two numbers.
    pub(super) time: f32,
    pub(super) rest: f32,
    state: u32,
    b: u32,
    /// Moments that were looked at, as long as more are to be.
    pub(super) rounds: u32,
}

/// They touch at the time; they do so then or later, if at all; they do not; the host must say; more moments must be looked at.
pub(crate) const MEETS: u32 = 0;
pub(crate) const MAY_MEET: u32 = 1;
pub(crate) const MISSES: u32 = 2;
#[cfg(feature = "gpu")]
pub(crate) const OPEN: u32 = 3;
pub(crate) const PENDING: u32 = 4;
/// The same, of a pair with a hull.
#[cfg(feature = "gpu")]
pub(crate) const HULL_PENDING: u32 = 5;

impl SweepHit {
    /// The earliest time, from 0 to 1: before it the bodies do not touch, for certain.
    ///
    /// ```
    /// # use tangency::{Bodies, Engine, query::Motion, shape::Sphere};
    /// # let mut bodies = Bodies::new();
    /// bodies.extend([Sphere::new([0.0; 3], 1.0)?; 2])?; // in each other
    /// let hits = Engine::new()?.sweep(&bodies, &[Motion::REST; 2]).run()?;
    /// assert_eq!(hits.hits()[0].from(), 0.0);
    /// # Ok::<(), tangency::Error>(())
    /// ```
    pub fn from(&self) -> f64 {
        f64::from(self.time) + f64::from(self.rest)
    }

    /// The latest time: at it the bodies touch, or are apart by no more than the [tolerance](crate::Engine::sweep). 1 if the search was cut short,
    /// which a turn that grazes another body can do: then they may also pass each other.
    ///
    /// ```
    /// # use tangency::{Bodies, Engine, query::Motion, shape::Sphere};
    /// # let mut bodies = Bodies::new();
    /// bodies.extend([Sphere::new([0.0; 3], 1.0)?, Sphere::new([6.0, 0.0, 0.0], 1.0)?])?;
    /// let motions = [Motion::translation([8.0, 0.0, 0.0])?, Motion::REST];
    /// let hits = Engine::new()?.sweep(&bodies, &motions).run()?;
    /// assert_eq!(hits.hits()[0].to(), hits.hits()[0].from());
    /// # Ok::<(), tangency::Error>(())
    /// ```
    pub fn to(&self) -> f64 {
        if self.state == MAY_MEET { 1.0 } else { self.from() }
    }

    /// From the first body to the second at that time, a unit vector; it may be 0 if they are in each other, or touch, from the start.
    ///
    /// ```
    /// # use tangency::{Bodies, Engine, query::Motion, shape::Sphere};
    /// # let mut bodies = Bodies::new();
    /// bodies.extend([Sphere::new([0.0; 3], 1.0)?, Sphere::new([0.0, 6.0, 0.0], 1.0)?])?;
    /// let motions = [Motion::translation([0.0, 8.0, 0.0])?, Motion::REST];
    /// let hits = Engine::new()?.sweep(&bodies, &motions).run()?;
    /// assert!(hits.hits()[0].normal().y > 0.999);
    /// # Ok::<(), tangency::Error>(())
    /// ```
    pub fn normal(&self) -> Vec3 {
        self.normal.into()
    }

    pub(crate) fn b(&self) -> u32 {
        self.b
    }

    /// Of body `b`.
    pub(crate) fn with_b(self, b: u32) -> Self {
        Self { b, ..self }
    }

    pub(crate) fn is_miss(&self) -> bool {
        self.state == MISSES
    }

    pub(super) fn with_normal(self, normal: Vec3) -> Self {
        Self { normal: normal.into(), ..self }
    }

    /// For searches at some moments to compute.
    pub(crate) fn pending() -> Self {
        Self { state: PENDING, ..Self::default() }
    }

    /// More moments are to be looked at, after so many.
    pub(super) fn continued_after(self, rounds: u32) -> Self {
        Self { state: PENDING, rounds, ..self }
    }

    pub(crate) fn is_pending(&self) -> bool {
        self.state == PENDING
    }

    pub(super) fn new(normal: Vec3, time: Double, state: u32) -> Self {
        Self { normal: normal.into(), time: time.high, rest: time.low, state, b: 0, rounds: 0 }
    }

    pub(super) const MISS: Self = Self { normal: [0.0; 3], time: 0.0, rest: 0.0, state: MISSES, b: 0, rounds: 0 };
}

#[cfg(feature = "gpu")]
impl SweepHit {
    /// For the host to compute.
    pub(crate) fn open() -> Self {
        Self { state: OPEN, ..Self::default() }
    }

    pub(crate) fn is_open(&self) -> bool {
        self.state == OPEN
    }

    /// As stages for pairs with a hull keep what is pending.
    pub(crate) fn of_hull(self) -> Self {
        if self.is_pending() { Self { state: HULL_PENDING, ..self } } else { self }
    }

    pub(crate) fn is_hull_pending(&self) -> bool {
        self.state == HULL_PENDING
    }
}
