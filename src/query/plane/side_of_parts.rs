//! Sides of the convex hulls of balls and points: exact, because a half-space and its complement are both convex.

use crate::query::{ClassifySide, side};
use crate::shape::{Capsule, ConvexHull, Plane, Segment, Sphere, Triangle};
use crate::{Side, exact};
use glam::Vec3;

/// All inside is inside, all outside is outside, anything else crosses. What is not a shape is outside.
fn of_hull(parts: &[Vec3], radius: f32, plane: &Plane) -> Side {
    let mut sides = parts.iter().map(|&p| Sphere::new(p, radius).map_or(Side::Outside, |part| side(&part, plane)));
    let first = sides.next().unwrap_or(Side::Outside);
    if sides.all(|next| next == first) { first } else { Side::Crossing }
}

impl ClassifySide for Capsule {
    fn side(&self, plane: &Plane) -> Side {
        if self.validate().is_err() { Side::Outside } else { of_hull(&[self.a(), self.b()], self.radius(), plane) }
    }
}

impl ClassifySide for Segment {
    fn side(&self, plane: &Plane) -> Side {
        if self.validate().is_err() { Side::Outside } else { of_hull(&[self.a(), self.b()], 0.0, plane) }
    }
}

impl ClassifySide for Triangle {
    fn side(&self, plane: &Plane) -> Side {
        if self.validate().is_err() { Side::Outside } else { of_hull(&self.corners(), 0.0, plane) }
    }
}

impl ClassifySide for ConvexHull {
    fn side(&self, plane: &Plane) -> Side {
        exact::hull_plane(&self.as_placed(), plane)
    }
}
