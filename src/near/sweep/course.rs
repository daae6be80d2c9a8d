//! How a body moves.

use glam::DVec3;

use super::super::{EXPONENTS, exponent};
use crate::query::Motion;
use crate::shape::kinds::BodyShape;

/// How a body moves during the unit of time, as the host tells it.
#[derive(Clone, Copy, Debug, Default, PartialEq, bytemuck::Pod, bytemuck::Zeroable)]
#[repr(C)]
pub(crate) struct Course {
    /// The way of the point that it turns about.
    pub(super) way: [f32; 3],
    /// The angle of the turn, in radians.
    pub(super) angle: f32,
    /// The axis of the turn: a unit vector, or 0.
    pub(super) axis: [f32; 3],
    /// The exponent of the largest length of way, arm and reach; 255 if they are outside the domain.
    pub(super) exponent: u32,
    /// From the point that it turns about to the centre of the body.
    pub(super) arm: [f32; 3],
    /// More than how far points of the body, but for the ball around it, are from the point that it turns about.
    pub(super) reach: f32,
}

/// The largest angle.
const MOST_ANGLE: f32 = 1024.0;
/// The exponent of what is outside the domain.
const OUTSIDE: u32 = 255;

impl Course {
    pub(crate) fn new(shape: &BodyShape<'_>, motion: &Motion) -> Self {
        let way = motion.translation_vector();
        let mut course = Self { way: way.to_array(), ..Self::default() };
        if motion.turns() {
            let (center, size) = match shape {
                BodyShape::Sphere(ball) => (ball.center().as_dvec3(), 0.0),
                BodyShape::Aabb(aabb) => {
                    let (low, high) = (aabb.min().as_dvec3(), aabb.max().as_dvec3());
                    ((low + high) / 2.0, ((high - low) / 2.0).length())
                }
                BodyShape::Obb(obb) => (obb.center().as_dvec3(), obb.half_extents().as_dvec3().length()),
                BodyShape::Capsule(capsule) => {
                    let (a, b) = (capsule.a().as_dvec3(), capsule.b().as_dvec3());
                    ((a + b) / 2.0, ((b - a) / 2.0).length())
                }
                BodyShape::ConvexHull(hull) => {
                    let farthest = hull.local_vertices().iter().map(|corner| corner.as_dvec3().length());
                    (hull.placement().position(), farthest.fold(0.0, f64::max))
                }
                // (Pairs with one are left to the scalar function.)
                BodyShape::Plane(_) => (DVec3::ZERO, f64::INFINITY),
            };
            let rotation = motion.rotation_vector().as_dvec3();
            // (The position of a hull is not its centre.)
            let own_pivot = if let BodyShape::ConvexHull(hull) = shape { hull.center() } else { center };
            let arm = center - motion.pivot().map_or(own_pivot, glam::Vec3::as_dvec3);
            // (A ball that turns about its centre does not move.)
            if size > 0.0 || arm != DVec3::ZERO {
                course.angle = rotation.length() as f32;
                course.axis = (rotation / rotation.length()).as_vec3().to_array();
                course.arm = arm.as_vec3().to_array();
                course.reach = ((arm.length() + size) * (1.0 + 1e-6)) as f32;
            }
        }
        let lengths = course.way.into_iter().chain(course.arm).chain([course.reach]);
        let largest = lengths.map(exponent).fold(0, u32::max);
        let outside = largest > *EXPONENTS.end() || !(course.angle <= MOST_ANGLE);
        course.exponent = if outside { OUTSIDE } else { largest };
        course
    }
}
