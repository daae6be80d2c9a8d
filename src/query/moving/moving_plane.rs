use glam::Vec3;

use crate::query::near::{HalfSpace, Round, TOLERANCE};
use crate::query::{ClassifySide, side};
use crate::shape::{Aabb, Capsule, Obb, Plane, Segment, Sphere, Triangle, check};
use crate::{Result, Side};

/// When and where a moving shape first meets a half-space.
///
/// ```
/// use tangency::{query, shape::{Plane, Sphere}};
///
/// let ground = Plane::new([0.0, 1.0, 0.0], 0.0)?;
/// let ball = Sphere::new([0.0, 2.0, 0.0], 1.0)?;
/// let impact = query::moving_plane(&ball, [4.0, -2.0, 0.0], &ground)?.expect("it lands half way");
/// assert_eq!((impact.t, impact.point), (0.5, glam::vec3(2.0, 0.0, 0.0)));
/// assert_eq!(impact.normal, glam::vec3(0.0, 1.0, 0.0));
/// # Ok::<(), tangency::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PlaneImpact {
    /// The share of the way, from 0 to 1, rounded **down**: at this time the shape is not yet beyond the plane.
    pub t: f32,
    /// The point of the shape that meets the plane, at that time; one of them, where an edge or a face does.
    pub point: Vec3,
    /// The unit normal of the plane, against the motion.
    pub normal: Vec3,
}

/// A shape that [`moving_plane`] can move.
pub trait PlaneMover: ClassifySide {
    /// When it meets the plane's half-space; see [`moving_plane`].
    ///
    /// # Errors
    /// What `validate` says of the shape or the plane.
    fn moving_plane(&self, displacement: Vec3, plane: &Plane) -> Result<Option<PlaneImpact>>;
}

/// When `shape`, moving by `displacement`, first has a point in the closed half-space of `plane`; `None` when it never does.
///
/// The lowest point of the shape meets first: t = h / −(n · displacement), h being its height over the plane. A shape that
/// is there from the start (which is decided exactly) meets at t = 0. Nothing is missed: what ends within 2⁻⁴⁰ of the
/// largest coordinate over the plane counts as touching at t = 1.
///
/// ```
/// use tangency::{query, shape::{Aabb, Plane}};
///
/// let ground = Plane::new([0.0, 1.0, 0.0], 0.0)?;
/// let falling = Aabb::new([0.0, 3.0, 0.0], [1.0, 4.0, 1.0])?;
/// let impact = query::moving_plane(&falling, [8.0, -12.0, 0.0], &ground)?.expect("it falls through");
/// assert_eq!((impact.t, impact.point.y), (0.25, 0.0));
/// assert_eq!(query::moving_plane(&falling, [0.0, -2.9, 0.0], &ground)?, None);
/// # Ok::<(), tangency::Error>(())
/// ```
///
/// # Errors
/// [`NotFinite`](crate::Error::NotFinite) for the displacement; what `validate` says of the shape or the plane.
pub fn moving_plane(
    shape: &impl PlaneMover,
    displacement: impl Into<Vec3>,
    plane: &Plane,
) -> Result<Option<PlaneImpact>> {
    let displacement = displacement.into();
    check::finite_vec(&["displacement.x", "displacement.y", "displacement.z"], displacement)?;
    shape.moving_plane(displacement, plane)
}

fn impact(round: &Round, start: Side, displacement: Vec3, plane: &HalfSpace) -> Option<PlaneImpact> {
    let d = displacement.as_dvec3();
    let lowest = round.core.lowest(plane.normal) - plane.normal * round.radius;
    let (above, rate) = (plane.above(lowest).max(0.0), plane.normal.dot(d));
    let t = if start == Side::Outside {
        let slack = TOLERANCE * round.magnitude().max(d.abs().max_element());
        if rate >= 0.0 || above + rate > slack {
            return None;
        }
        check::round_down((above / -rate).clamp(0.0, 1.0))
    } else {
        0.0
    };
    let point = check::saturate(lowest + d * f64::from(t));
    Some(PlaneImpact { t, point, normal: plane.normal.as_vec3() })
}

macro_rules! movers {
    ($($shape:ident $of:ident),*) => {$(
        impl PlaneMover for $shape {
            fn moving_plane(&self, displacement: Vec3, plane: &Plane) -> Result<Option<PlaneImpact>> {
                let (round, half_space) = (Round::$of(self)?, HalfSpace::new(plane)?);
                Ok(impact(&round, side(self, plane), displacement, &half_space))
            }
        }
    )*};
}

movers!(Sphere of_sphere, Aabb of_aabb, Obb of_obb, Capsule of_capsule, Segment of_segment, Triangle of_triangle);
