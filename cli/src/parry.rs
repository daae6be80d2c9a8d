//! parry 0.31 on the same bodies: bounds, tree (binned), pairs of leaves, and a test of each pair, in `f32` on all threads.
//!
//! parry has no worlds, layers or groups, so that scenes with those have more pairs here.

use parry3d::bounding_volume::Aabb;
use parry3d::math::{Pose, Vector};
use parry3d::partitioning::{Bvh, BvhBuildStrategy};
use parry3d::shape::{Ball, Cuboid, Shape};
use rayon::prelude::*;
use tangency::Bodies;
use tangency::shape;

enum Kind {
    Ball(Ball),
    Cuboid(Cuboid),
}

impl Kind {
    fn as_shape(&self) -> &dyn Shape {
        match self {
            Self::Ball(ball) => ball,
            Self::Cuboid(cuboid) => cuboid,
        }
    }
}

/// The bodies in parry's types.
pub struct Shapes(Vec<(Pose, Kind)>);

impl Shapes {
    pub fn new(bodies: &Bodies) -> Self {
        let body = |id: u32| match bodies.shape(id) {
            Ok(shape::Shape::Sphere(s)) => (Pose::from_translation(s.center()), Kind::Ball(Ball::new(s.radius()))),
            Ok(shape::Shape::Obb(b)) => {
                (Pose::from_parts(b.center(), b.rotation().normalize()), Kind::Cuboid(Cuboid::new(b.half_extents())))
            }
            Ok(shape::Shape::Aabb(b)) => {
                (Pose::from_translation(b.center()), Kind::Cuboid(Cuboid::new((b.max() - b.min()) * 0.5)))
            }
            _ => (Pose::from_translation(Vector::ZERO), Kind::Ball(Ball::new(0.0))),
        };
        Self((0..bodies.id_bound() as u32).map(body).collect())
    }

    /// The number of candidate pairs, and the number of pairs that meet.
    pub fn overlaps(&self) -> (u64, u64) {
        let bounds: Vec<Aabb> = self.0.par_iter().map(|(pose, kind)| kind.as_shape().compute_aabb(pose)).collect();
        let tree = Bvh::from_leaves(BvhBuildStrategy::Binned, &bounds);
        let pairs = tree.traverse_bvtt_single_tree_parallel::<false>();
        let meet = |(a, b): &&(u32, u32)| {
            let ((pa, a), (pb, b)) = (&self.0[*a as usize], &self.0[*b as usize]);
            // Pairs of boxes are tested directly, without dispatch over shapes.
            let found = match (a, b) {
                (Kind::Cuboid(a), Kind::Cuboid(b)) => parry3d::query::intersection_test(pa, a, pb, b),
                _ => parry3d::query::intersection_test(pa, a.as_shape(), pb, b.as_shape()),
            };
            found.is_ok_and(|found| found.intersecting)
        };
        (pairs.len() as u64, pairs.par_iter().filter(meet).count() as u64)
    }
}
