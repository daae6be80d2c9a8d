use glam::{DVec3, Vec3};

use super::span::{Span, UnitRay};
use crate::shape::{Ray, check};

/// Where a ray meets a shape.
///
/// ```
/// use tangency::{query, shape::{Aabb, Ray}};
///
/// let cube = Aabb::new([-1.0; 3], [1.0; 3])?;
/// let hit = query::cast_ray(&Ray::new([0.5, 9.0, 0.0], [0.0, -2.0, 0.0])?, &cube).expect("it looks down on it");
/// assert_eq!((hit.t, hit.t_exit), (4.0, 5.0));
/// assert_eq!((hit.point, hit.normal), (tangency::glam::vec3(0.5, 1.0, 0.0), tangency::glam::vec3(0.0, 1.0, 0.0)));
/// # Ok::<(), tangency::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RayHit {
    /// The parameter of the first common point, in units of the ray's direction, ≥ 0; at most `f32::MAX`.
    pub t: f32,
    /// The parameter where the ray leaves a solid shape for good; equal to `t` for surfaces (plane, triangle,
    /// parallelogram, flat hull).
    pub t_exit: f32,
    /// The first common point, rounded to nearest.
    pub point: Vec3,
    /// The unit normal of the surface there, against the ray; when the ray starts inside, the ray's direction reversed.
    pub normal: Vec3,
    /// Whether the ray starts in a solid shape, surface included: then `t` is 0 and `point` the origin.
    pub inside: bool,
}

/// A shape that [`cast_ray`] can hit.
///
/// ```
/// use tangency::{query::CastRay, shape::{Aabb, Ray, Sphere}};
///
/// let targets: [Box<dyn CastRay>; 2] = [Box::new(Sphere::new([5.0, 0.0, 0.0], 1.0)?), Box::new(Aabb::new([8.0; 3], [9.0; 3])?)];
/// let ray = Ray::new([0.0; 3], [1.0, 0.0, 0.0])?;
/// assert_eq!(targets.iter().filter_map(|target| target.cast_ray(&ray)).map(|hit| hit.t).collect::<Vec<_>>(), [4.0]);
/// # Ok::<(), tangency::Error>(())
/// ```
pub trait CastRay {
    /// Where the ray first meets this shape; see [`cast_ray`].
    fn cast_ray(&self, ray: &Ray) -> Option<RayHit>;
}

/// Where `ray` first meets `shape`, computed in `f64`; `None` when it does not.
///
/// Balls, boxes, capsules and hulls are solid: a ray that starts inside hits at once, at t = 0, and `t_exit` says where it
/// leaves. Planes, triangles, parallelograms and flat hulls are sheets, hit from both sides; one that is seen exactly
/// edge-on is not hit, except a plane in which the ray lies, which is hit at t = 0. Grazing hits are right up to the
/// rounding of `f64`: 2⁻⁴⁰ of the largest coordinate, and so thick is a segment. What `validate` refuses neither hits nor is hit.
///
/// ```
/// use tangency::{query, shape::{Ray, Sphere}};
///
/// let ball = Sphere::new([0.0; 3], 1.0)?;
/// let outside = query::cast_ray(&Ray::new([-3.0, 0.0, 0.0], [1.0, 0.0, 0.0])?, &ball).expect("a hit");
/// assert_eq!((outside.t, outside.t_exit, outside.inside), (2.0, 4.0, false));
/// assert_eq!(outside.normal, tangency::glam::vec3(-1.0, 0.0, 0.0));
///
/// let inside = query::cast_ray(&Ray::new([0.5, 0.0, 0.0], [0.25, 0.0, 0.0])?, &ball).expect("it starts inside");
/// assert_eq!((inside.t, inside.t_exit, inside.inside), (0.0, 2.0, true));
///
/// let past = Ray::new([3.0, 0.0, 0.0], [1.0, 0.0, 0.0])?;
/// assert_eq!(query::cast_ray(&past, &ball), None);
/// # Ok::<(), tangency::Error>(())
/// ```
pub fn cast_ray(ray: &Ray, shape: &impl CastRay) -> Option<RayHit> {
    shape.cast_ray(ray)
}

/// The hit of a solid from the part of the line inside it; the normal is asked for where the ray enters.
pub(super) fn of_span(ray: &UnitRay, span: Span, normal: impl FnOnce(DVec3) -> DVec3) -> Option<RayHit> {
    if span.exit < 0.0 {
        return None;
    }
    let inside = span.enter <= 0.0;
    let along = if inside { 0.0 } else { span.enter };
    let point = ray.at(along);
    let normal = if inside { -ray.direction } else { normal(point) };
    Some(RayHit {
        t: check::saturate_f32(along / ray.length),
        t_exit: check::saturate_f32(span.exit / ray.length),
        point: check::saturate(point),
        normal: normal.as_vec3(),
        inside,
    })
}

/// The hit of a sheet with this normal, which is turned against the ray.
pub(super) fn of_sheet(ray: &UnitRay, along: f64, normal: DVec3) -> RayHit {
    let t = check::saturate_f32(along / ray.length);
    let normal = if normal.dot(ray.direction) > 0.0 { -normal } else { normal };
    RayHit { t, t_exit: t, point: check::saturate(ray.at(along)), normal: normal.as_vec3(), inside: false }
}
