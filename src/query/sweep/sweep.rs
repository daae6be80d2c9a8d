use glam::{DVec3, Vec3};

use super::pose::{Apart, Both, Moving};
use super::{Motion, sweep_rotating::first_contact_rotating, sweep_translating::first_contact_translating};
use crate::query::epa::epa;
use crate::query::support::Support;
use crate::shape::check::saturate;

/// The first contact of two moving shapes. What [`sweep`] returns.
///
/// ```
/// use tangency::{query::{self, Motion}, shape::Sphere};
///
/// let (a, b) = (Sphere::new([0.0; 3], 1.0)?, Sphere::new([6.0, 0.0, 0.0], 1.0)?);
/// let impact = query::sweep(&a, &Motion::translation([8.0, 0.0, 0.0])?, &b, &Motion::REST).expect("a hit");
/// assert!(impact.converged && impact.time <= 0.5 && impact.time > 0.5 - 1e-6);
/// assert_eq!(impact.normal, tangency::glam::Vec3::X);
/// # Ok::<(), tangency::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Impact {
    /// When, from 0 to 1. Never later than the true first contact; in `f64`, so that fast bodies stop where they should.
    pub time: f64,
    /// From the first shape to the second at that time, a unit vector.
    pub normal: Vec3,
    /// Where: the point of the first shape, at that time, that is nearest to the second or deepest in it.
    pub point: Vec3,
    /// Whether the shapes are in contact at that time, to within the tolerance. `false` when the work was cut off: until
    /// `time` there is no contact, and whether one follows is not known.
    pub converged: bool,
}

/// How near counts as contact, in parts of the two shapes' size.
const CONTACT: f64 = 1e-7;

/// What a search for the first contact works with.
pub(super) struct Tolerance {
    /// What any computed distance may be wrong by.
    pub(super) rounding: f64,
    /// The distance that counts as contact.
    pub(super) contact: f64,
}

impl Tolerance {
    /// For coordinates below `scale`, and shapes of this size.
    pub(super) fn new(scale: f64, size: f64) -> Self {
        let rounding = 64.0 * f64::EPSILON * scale;
        Self { rounding, contact: 2.0 * rounding + CONTACT * size }
    }
}

/// A first contact before it is rounded: the time, the state then, and whether it is one.
pub(super) struct Found {
    pub(super) time: f64,
    pub(super) apart: Apart,
    pub(super) converged: bool,
}

/// Two kinds of shapes of which [`sweep`] can tell when they meet: everything with a [`Support`], the shapes of this library with a
/// [`Plane`](crate::shape::Plane), and two [`Shape`](crate::shape::Shape)s.
///
/// ```
/// use tangency::{query::{self, Impact, Motion, SweepWith}, shape::{Capsule, Sphere}};
///
/// fn hits<A: SweepWith<B, Answer = Option<Impact>>, B>(a: &A, way: &Motion, b: &B) -> bool {
///     query::sweep(a, way, b, &Motion::REST).is_some()
/// }
/// let (ball, limb) = (Sphere::new([0.0; 3], 1.0)?, Capsule::new([5.0, -1.0, 0.0], [5.0, 1.0, 0.0], 0.5)?);
/// assert!(hits(&ball, &Motion::translation([4.0, 0.0, 0.0])?, &limb));
/// # Ok::<(), tangency::Error>(())
/// ```
pub trait SweepWith<Other: ?Sized> {
    /// `Option<Impact>`; with planes and of two [`Shape`](crate::shape::Shape)s a [`Result`](crate::Result) with that, since not all have
    /// an answer.
    type Answer;

    /// When they first touch; see [`sweep`].
    fn sweep(&self, motion: &Motion, other: &Other, other_motion: &Motion) -> Self::Answer;
}

/// When two moving convex shapes first touch, between time 0 and 1. `None` when they do not, or a shape has no points. Each turns about
/// its own centre, or about the [pivot](Motion::about) that its motion names.
///
/// Conservative: nothing tunnels, however thin or fast, because time only advances over intervals in which a separating
/// plane proves that the shapes stay apart (conservative advancement, Mirtich 1996). Without turning the plane's gap shrinks
/// at an exactly known rate; with turning, at most by the speed of the farthest point from the axis as well, and the time
/// is subdivided, both halves of what is not cleared, the earlier first. Shapes that pass each other within 10⁻⁷ of their
/// sizes, or within the rounding errors of `f64`, are reported as touching.
///
/// ```
/// use tangency::{query::{self, Motion}, shape::{Aabb, Sphere}};
///
/// let paper = Aabb::new([10.0, -1.0, -1.0], [10.0001, 1.0, 1.0])?;
/// let bullet = Sphere::new([0.0, 0.0, 0.0], 0.01)?;
/// let hit = query::sweep(&bullet, &Motion::translation([1e6, 0.0, 0.0])?, &paper, &Motion::REST).unwrap();
/// assert!((hit.time - 9.99e-6).abs() < 1e-12 && hit.normal == tangency::glam::Vec3::X);
///
/// let past = Motion::translation([1e6, 3e5, 0.0])?;
/// assert!(query::sweep(&bullet, &past, &paper, &Motion::REST).is_none());
/// # Ok::<(), tangency::Error>(())
/// ```
///
/// A [`Plane`](crate::shape::Plane) stands for its half-space, as in [`sweep_plane`](crate::query::sweep_plane), and may move too. With
/// planes, and of two [`Shape`](crate::shape::Shape)s, the answer is a [`Result`](crate::Result):
/// [`Unsupported`](crate::Error::Unsupported) for two planes, and for a plane that turns about no pivot, since it has no centre.
///
/// ```
/// use tangency::{query::{self, Motion}, shape::{Plane, Shape, Sphere}};
///
/// let (ball, piston) = (Sphere::new([0.0, 5.0, 0.0], 1.0)?, Plane::new([0.0, 1.0, 0.0], 0.0)?);
/// let (falling, rising) = (Motion::translation([0.0, -6.0, 0.0])?, Motion::translation([0.0, 2.0, 0.0])?);
/// let impact = query::sweep(&ball, &falling, &piston, &rising)?.expect("they meet half way");
/// assert!((impact.time - 0.5).abs() < 1e-14 && (impact.point.y - 1.0).abs() < 1e-6);
/// assert_eq!(query::sweep(&Shape::from(ball), &falling, &Shape::from(piston), &rising)?, Some(impact));
/// # Ok::<(), tangency::Error>(())
/// ```
pub fn sweep<A, B>(a: &A, motion_a: &Motion, b: &B, motion_b: &Motion) -> A::Answer
where
    A: SweepWith<B> + ?Sized,
    B: ?Sized,
{
    a.sweep(motion_a, b, motion_b)
}

impl<A: Support + ?Sized, B: Support + ?Sized> SweepWith<B> for A {
    type Answer = Option<Impact>;

    fn sweep(&self, motion: &Motion, other: &B, other_motion: &Motion) -> Option<Impact> {
        sweep_supports((&self, motion), (&other, other_motion))
    }
}

/// [`sweep`], compiled once for all shapes.
fn sweep_supports(a: (&dyn Support, &Motion), b: (&dyn Support, &Motion)) -> Option<Impact> {
    if a.0.has_no_points() || b.0.has_no_points() {
        return None;
    }
    let pair = Both { a: Moving::new(a.0, a.1), b: Moving::new(b.0, b.1) };
    let tolerance = Tolerance::new(pair.a.scale() + pair.b.scale(), pair.a.size() + pair.b.size());
    let turns = a.1.turns() || b.1.turns();
    let search = if turns { first_contact_rotating } else { first_contact_translating };
    Some(round(&search(&pair, &tolerance)?, &pair))
}

fn round(found: &Found, pair: &Both<'_>) -> Impact {
    let Found { time, apart, converged } = *found;
    let (normal, point) = match apart.normal {
        Some(normal) => (normal.as_vec3(), saturate(apart.point)),
        // They are in each other: the way out is the normal.
        None => match epa(&pair.a.at(time), &pair.b.at(time)) {
            Some(deep) => (deep.normal, deep.point_a),
            None => (DVec3::Y.as_vec3(), saturate(apart.point)),
        },
    };
    Impact { time, normal, point, converged }
}
