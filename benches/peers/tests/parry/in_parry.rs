//! The shapes in parry's terms.

use glam::Quat;
use parry3d::math::Pose;
use parry3d::shape::{Ball, Cuboid, Shape};
use tangency::shape::{Aabb, Capsule, ConvexHull, Obb, Segment, Sphere, Triangle};

pub trait InParry {
    fn in_parry(&self) -> (Pose, Box<dyn Shape>);
}

impl InParry for Sphere {
    fn in_parry(&self) -> (Pose, Box<dyn Shape>) {
        (Pose::from_parts(self.center(), Quat::IDENTITY), Box::new(Ball::new(self.radius())))
    }
}

impl InParry for Aabb {
    fn in_parry(&self) -> (Pose, Box<dyn Shape>) {
        (Pose::from_parts(self.center(), Quat::IDENTITY), Box::new(Cuboid::new(self.half_extents())))
    }
}

impl InParry for Obb {
    fn in_parry(&self) -> (Pose, Box<dyn Shape>) {
        let pose = Pose::from_parts(self.center(), self.rotation().normalize());
        (pose, Box::new(Cuboid::new(self.half_extents())))
    }
}

impl InParry for Capsule {
    fn in_parry(&self) -> (Pose, Box<dyn Shape>) {
        (Pose::IDENTITY, Box::new(parry3d::shape::Capsule::new(self.a(), self.b(), self.radius())))
    }
}

impl InParry for Segment {
    fn in_parry(&self) -> (Pose, Box<dyn Shape>) {
        (Pose::IDENTITY, Box::new(parry3d::shape::Segment::new(self.a(), self.b())))
    }
}

impl InParry for Triangle {
    fn in_parry(&self) -> (Pose, Box<dyn Shape>) {
        let [a, b, c] = self.corners();
        (Pose::IDENTITY, Box::new(parry3d::shape::Triangle::new(a, b, c)))
    }
}

impl InParry for ConvexHull {
    fn in_parry(&self) -> (Pose, Box<dyn Shape>) {
        let hull = parry3d::shape::ConvexPolyhedron::from_convex_hull(&self.vertices());
        (Pose::IDENTITY, Box::new(hull.expect("a solid hull")))
    }
}
