//! How large bodies are, also those without bounds, and bodies that are larger than all others.

use tangency::glam::{DVec3, Quat, Vec3};
use tangency::shape::{Aabb, Capsule, ConvexHull, Obb, Plane, Shape, Sphere};
use tangency::{Bodies, Traits};

/// The bounds of a body. A half-space has none: a cube of side 2 around the point of its border that is nearest to the origin stands for them.
pub fn bounds_of(shape: &Shape) -> Aabb {
    shape.aabb().unwrap_or_else(|| {
        let foot = if let Shape::Plane(plane) = shape { foot(plane) } else { Vec3::ZERO };
        let corner = |side: f32| (foot + Vec3::splat(side)).clamp(Vec3::splat(f32::MIN), Vec3::splat(f32::MAX));
        Aabb::new(corner(-1.0), corner(1.0)).unwrap_or(Aabb::EMPTY)
    })
}

/// The point of a plane that is nearest to the origin, as far as `f32` can tell.
fn foot(plane: &Plane) -> Vec3 {
    let normal = plane.normal().as_dvec3();
    let at = normal * (f64::from(plane.offset()) / normal.length_squared());
    let most = DVec3::splat(f64::from(f32::MAX));
    at.clamp(-most, most).as_vec3()
}

/// A box around all bodies that have bounds; if none has, around what stands for them.
pub fn bounds(bodies: &Bodies) -> Aabb {
    let around = |all: Aabb, bounds: Aabb| all.merge(&bounds);
    let bounded = bodies.iter().filter_map(|body| body.shape.aabb()).fold(Aabb::EMPTY, around);
    if bounded.is_empty() { bodies.iter().map(|body| bounds_of(&body.shape)).fold(bounded, around) } else { bounded }
}

/// The longest edge of a body, or its diameter, or its length with its round ends; 0 if it has no end.
pub fn size(shape: &Shape) -> f32 {
    match shape {
        Shape::Sphere(ball) => 2.0 * ball.radius(),
        Shape::Obb(obb) => 2.0 * obb.half_extents().max_element(),
        Shape::Capsule(capsule) => capsule.diagonal() as f32,
        other => other.aabb().map_or(0.0, |bounds| 2.0 * bounds.half_extents().max_element()),
    }
}

/// A box, a ball and a capsule around everything, a long beam, a hull that is everywhere, and two half-spaces, each in the world of some body.
pub fn giants(bodies: &Bodies) -> tangency::Result<Bodies> {
    let (all, last) = (f32::MAX, bodies.len() as u32 - 1);
    let mut giants = Bodies::new();
    let world = |id: u32| Ok::<_, tangency::Error>(Traits::new().world(bodies.traits(id)?.world).layer(!0));
    let middle = |id: u32| Ok::<_, tangency::Error>(bounds_of(&bodies.shape(id)?).center());
    giants.push_with(Aabb::new([-all; 3], [all; 3])?, world(0)?)?;
    giants.push_with(Sphere::new([0.0; 3], all / 2.0)?, world(last / 2)?)?;
    giants.push_with(Capsule::new([-all; 3], [all; 3], all / 4.0)?, world(last / 3)?)?;
    let turn = Quat::from_xyzw(0.1, 0.3, 0.0, 0.9);
    giants.push_with(Obb::new(middle(last)?, [all, 1.0, 1.0], turn)?, world(last)?)?;
    // Five corners of the box around everything.
    let corners =
        [0b000, 0b011, 0b101, 0b110, 0b111].map(|bits| [1, 2, 4].map(|bit| if bits & bit == 0 { -all } else { all }));
    giants.push_with(ConvexHull::from_points(corners)?, world(last / 6)?)?;
    // One through a body, whose offset may be beyond all numbers, and one at right angles to an axis.
    if let Ok(plane) = Plane::from_point_normal(middle(last / 4)?, [0.25, -1.0, 0.125]) {
        giants.push_with(plane, world(last / 4)?)?;
    }
    giants.push_with(Plane::new([0.0, 2.0, 0.0], middle(last / 5)?.y)?, world(last / 5)?)?;
    Ok(giants)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn half_spaces_have_bounds_where_their_borders_are() {
        let tilted = Plane::new([3.0, 0.0, 4.0], 50.0).unwrap();
        assert_eq!(bounds_of(&tilted.into()), Aabb::new([5.0, -1.0, 7.0], [7.0, 1.0, 9.0]).unwrap());
        for (normal, offset) in [([1e-45, 0.0, 0.0], 3e38), ([3e38, 0.0, 0.0], 1e-45), ([0.0, -1.0, 0.0], f32::MAX)] {
            let plane = Plane::new(normal, offset).unwrap();
            assert!(!bounds_of(&plane.into()).is_empty(), "{plane:?}");
        }
    }

    #[test]
    fn bounds_are_those_of_bounded_bodies() {
        let mut bodies = Bodies::new();
        bodies.push(Plane::new([0.0, 1.0, 0.0], 9.0).unwrap()).unwrap();
        assert_eq!(bounds(&bodies), Aabb::new([-1.0, 8.0, -1.0], [1.0, 10.0, 1.0]).unwrap());
        bodies.push(Sphere::new([1.0, 2.0, 3.0], 1.0).unwrap()).unwrap();
        assert_eq!(bounds(&bodies), Aabb::new([0.0, 1.0, 2.0], [2.0, 3.0, 4.0]).unwrap());
    }
}
