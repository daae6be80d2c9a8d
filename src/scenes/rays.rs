//! Random rays at a set of bodies, most of which are hard cases.

use glam::Vec3;

use super::random::Dice;
use crate::shape::kinds::BodyShape;
use crate::shape::{Obb, Ray};
use crate::{Bodies, Traits};

/// A ray with its last time and its traits.
///
/// ```
/// use tangency::scenes::{Scene, random_rays};
///
/// let bodies = Scene::Mixed.build(100, 1)?;
/// let rays = random_rays(&bodies, 50, 1);
/// assert!(rays.len() == 50 && rays.iter().all(|shot| shot.ray.validate().is_ok() && shot.until >= 0.0));
/// # Ok::<(), tangency::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RandomRay {
    /// The ray.
    pub ray: Ray,
    /// Its last time; often infinite.
    pub until: f32,
    /// Its traits: of a body of the set, or in every world.
    pub traits: Traits,
}

/// A corner of a shape, the middle of an edge, of a face, or a point inside; of a ball a point on its surface, or its centre.
fn feature(dice: &mut Dice, shape: &BodyShape<'_>) -> Vec3 {
    let mut of_box = |center: Vec3, half: Vec3, axes: [Vec3; 3]| {
        let mut steps = || [-1.0_f32, 0.0, 1.0, -1.0, 1.0][dice.below(5) as usize];
        center + axes[0] * (half.x * steps()) + axes[1] * (half.y * steps()) + axes[2] * (half.z * steps())
    };
    match shape {
        BodyShape::Aabb(aabb) => {
            let (min, max) = (aabb.min(), aabb.max());
            let pick = |k: usize, dice: &mut Dice| match dice.below(3) {
                0 => min[k],
                1 => max[k],
                _ => min[k] / 2.0 + max[k] / 2.0,
            };
            Vec3::new(pick(0, dice), pick(1, dice), pick(2, dice))
        }
        BodyShape::Obb(obb) => {
            let axes = Obb::axes(obb).map(glam::DVec3::as_vec3);
            of_box(obb.center(), obb.half_extents(), axes)
        }
        BodyShape::Sphere(ball) => of_box(ball.center(), Vec3::splat(ball.radius()), [Vec3::X, Vec3::Y, Vec3::Z]),
        BodyShape::Capsule(capsule) => {
            let (a, b) = (capsule.a(), capsule.b());
            let middle = [a, b, a / 2.0 + b / 2.0][dice.below(3) as usize];
            // On the surface, if the segment is along another axis.
            middle + Vec3::AXES[dice.below(3) as usize] * (capsule.radius() * [-1.0, 0.0, 1.0][dice.below(3) as usize])
        }
        BodyShape::ConvexHull(hull) => {
            // A corner, the middle between two, or of three.
            let corners = hull.local_vertices();
            let mut corner = || corners[dice.below(corners.len() as u64) as usize].as_dvec3();
            let [a, b, c] = [corner(), corner(), corner()];
            let local = [a, (a + b) / 2.0, (a + b + c) / 3.0][dice.below(3) as usize];
            crate::shape::check::saturate(hull.placement().point(local))
        }
        BodyShape::Plane(plane) => {
            // On the border, or near it.
            let n = plane.normal().as_dvec3();
            let foot = n * (f64::from(plane.offset()) / n.length_squared());
            let along = n.normalize().any_orthonormal_vector() * dice.below(5) as f64;
            crate::shape::check::saturate(foot + along)
        }
    }
}

/// Random rays at a set: many pass through corners and edges, graze balls, start on surfaces or inside, have directions with components
/// of 0, tiny and huge ones, and end at what they aim at.
///
/// ```
/// use tangency::{Engine, scenes::{Scene, random_rays}, shape::Ray};
///
/// let bodies = Scene::Stacks.build(100, 1)?;
/// let rays: Vec<Ray> = random_rays(&bodies, 50, 1).iter().map(|shot| shot.ray).collect();
/// assert!(Engine::new()?.cast_rays(&bodies, &rays).any().run()?.iter().any(|met| met));
/// # Ok::<(), tangency::Error>(())
/// ```
pub fn random_rays(bodies: &Bodies, count: usize, seed: u64) -> Vec<RandomRay> {
    let mut dice = Dice::new(seed ^ 0x4A59);
    let ids: Vec<u32> = (0..bodies.id_bound() as u32).filter(|id| bodies.contains(*id)).collect();
    let mut rays = Vec::with_capacity(count);
    while rays.len() < count {
        if let Some(found) = random_ray(&mut dice, bodies, &ids) {
            rays.push(found);
        }
    }
    rays
}

/// `None` if the numbers were too large or small for a ray.
fn random_ray(dice: &mut Dice, bodies: &Bodies, ids: &[u32]) -> Option<RandomRay> {
    let body = |dice: &mut Dice| match ids.len() {
        0 => None,
        count => Some(ids[dice.below(count as u64) as usize] as usize),
    };
    let (from, to) = (body(dice), body(dice));
    let shape = |body: Option<usize>| body.map(|body| bodies.get(body));
    let place = |dice: &mut Dice, shape: Option<BodyShape<'_>>| match shape {
        Some(shape) => feature(dice, &shape),
        None => Vec3::from([0; 3].map(|_| dice.signed() as f32)),
    };
    let target = place(dice, shape(to));
    let start = place(dice, shape(from));
    let reach = (target - start).abs().max_element().max(f32::MIN_POSITIVE);
    let mut way = match dice.below(6) {
        // At the target, exactly or nearly, or past it.
        0 | 1 => target - start,
        2 => Vec3::from([0; 3].map(|_| dice.signed() as f32)),
        // Along an axis, or in a plane of two.
        3 => Vec3::AXES[dice.below(3) as usize] * (dice.signed() as f32).signum() * reach,
        4 => {
            let mut way = target - start;
            way[dice.below(3) as usize] = 0.0;
            way
        }
        _ => Vec3::from([0; 3].map(|_| dice.below(3) as f32 - 1.0)),
    };
    // A start before the target, so that the ray passes it at a time that is a small number.
    let times = [0.0, 1.0, 2.0, 0.5, 3.0];
    let origin = if dice.one_in(2) { target - way * times[dice.below(5) as usize] } else { start };
    if dice.one_in(4) {
        way *= 2.0_f32.powi(dice.below(200) as i32 - 100);
    }
    if dice.one_in(8) {
        way[dice.below(3) as usize] *= 1e-9;
    }
    let until = match dice.below(4) {
        0 => times[dice.below(5) as usize],
        1 => (dice.unit() * 4.0) as f32,
        _ => f32::INFINITY,
    };
    let ray = Ray::new(origin, way).ok()?;
    let traits = match (dice.below(4), to) {
        (0, _) | (_, None) => Traits::new().in_every_world(),
        (_, Some(body)) => bodies.all_traits()[body].fixed(dice.one_in(2)).group(0),
    };
    Some(RandomRay { ray, until, traits })
}
