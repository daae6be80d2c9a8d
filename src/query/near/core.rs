use glam::{DVec3, Vec3};

use super::{
    Cuboid, Pair, near_cuboid_cuboid, near_point_segment, near_point_triangle, near_segment_cuboid,
    near_segment_segment, near_segment_triangle, near_triangle_cuboid, near_triangle_triangle,
};
use crate::Result;
use crate::shape::{Aabb, Capsule, Obb, Plane, Segment, Sphere, Triangle};

/// What is left of a shape when its radius is taken off.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Core {
    Point(DVec3),
    Segment(Pair),
    Triangle([DVec3; 3]),
    Cuboid(Cuboid),
}

/// A shape as a core and a radius: all points at most `radius` from the core.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Round {
    pub(crate) core: Core,
    pub(crate) radius: f64,
}

/// The half-space of a plane with a unit normal: `normal · x ≤ offset`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct HalfSpace {
    pub(crate) normal: DVec3,
    pub(crate) offset: f64,
}

impl HalfSpace {
    pub(crate) fn new(plane: &Plane) -> Result<Self> {
        plane.validate()?;
        let normal = plane.normal().as_dvec3();
        let length = normal.length();
        Ok(Self { normal: normal / length, offset: f64::from(plane.offset()) / length })
    }

    /// The distance above the plane; negative inside the half-space.
    pub(crate) fn above(&self, point: DVec3) -> f64 {
        self.normal.dot(point) - self.offset
    }
}

/// The nearest points of two cores.
pub(crate) fn near(a: &Core, b: &Core) -> Pair {
    match (*a, *b) {
        (Core::Point(p), Core::Point(q)) => (p, q),
        (Core::Point(p), Core::Segment(s)) => (p, near_point_segment(p, s).1),
        (Core::Point(p), Core::Triangle(t)) => (p, near_point_triangle(p, t)),
        (Core::Point(p), Core::Cuboid(c)) => (p, c.nearest(p)),
        (Core::Segment(s), Core::Segment(t)) => near_segment_segment(s, t),
        (Core::Segment(s), Core::Triangle(t)) => near_segment_triangle(s, t),
        (Core::Segment(s), Core::Cuboid(c)) => near_segment_cuboid(s, c),
        (Core::Triangle(s), Core::Triangle(t)) => near_triangle_triangle(s, t),
        (Core::Triangle(t), Core::Cuboid(c)) => near_triangle_cuboid(t, c),
        (Core::Cuboid(a), Core::Cuboid(b)) => near_cuboid_cuboid(a, b),
        _ => {
            let (q, p) = near(b, a);
            (p, q)
        }
    }
}

impl Core {
    /// The point lowest along `direction`; of several, the middle of two ends, so that a level rod is met in its middle.
    pub(crate) fn lowest(&self, direction: DVec3) -> DVec3 {
        match *self {
            Self::Point(p) => p,
            Self::Segment((a, b)) => {
                let rise = (b - a).dot(direction);
                if rise > 0.0 {
                    a
                } else if rise < 0.0 {
                    b
                } else {
                    (a + b) / 2.0
                }
            }
            Self::Triangle(t) => {
                let [a, b, c] = t.map(|p| p.dot(direction));
                t[if a <= b && a <= c {
                    0
                } else if b <= c {
                    1
                } else {
                    2
                }]
            }
            Self::Cuboid(c) => c.to_world(-c.half * (c.axes.transpose() * direction).map(sign)),
        }
    }
}

/// −1, 0 or 1: zero has no side.
fn sign(x: f64) -> f64 {
    if x == 0.0 { 0.0 } else { x.signum() }
}

impl Round {
    pub(crate) fn of_sphere(sphere: &Sphere) -> Result<Self> {
        sphere.validate()?;
        Ok(Self { core: Core::Point(sphere.center().as_dvec3()), radius: f64::from(sphere.radius()) })
    }

    pub(crate) fn of_capsule(capsule: &Capsule) -> Result<Self> {
        capsule.validate()?;
        let ends = (capsule.a().as_dvec3(), capsule.b().as_dvec3());
        Ok(Self { core: Core::Segment(ends), radius: f64::from(capsule.radius()) })
    }

    pub(crate) fn of_segment(segment: &Segment) -> Result<Self> {
        segment.validate()?;
        Ok(Self { core: Core::Segment((segment.a().as_dvec3(), segment.b().as_dvec3())), radius: 0.0 })
    }

    pub(crate) fn of_triangle(triangle: &Triangle) -> Result<Self> {
        triangle.validate()?;
        Ok(Self { core: Core::Triangle(triangle.corners().map(Vec3::as_dvec3)), radius: 0.0 })
    }

    pub(crate) fn of_aabb(aabb: &Aabb) -> Result<Self> {
        Ok(Self { core: Core::Cuboid(Cuboid::of_aabb(aabb)?), radius: 0.0 })
    }

    pub(crate) fn of_obb(obb: &Obb) -> Result<Self> {
        Ok(Self { core: Core::Cuboid(Cuboid::of_obb(obb)?), radius: 0.0 })
    }
}
