//! parry on the same boxes, step by step: bounds, tree, pairs of leaves, and a test of each pair, in `f32` and unsorted; and what rays and
//! points find in the tree.
//!
//! Bounds, pairs and tests run on all threads. The tree is built by one: parry has no other way. A set that moves may keep its tree and
//! only refit it, on all threads.

use std::time::{Duration, Instant};

use parry3d::bounding_volume::Aabb;
use parry3d::math::Pose;
use parry3d::partitioning::{Bvh, BvhBuildStrategy, BvhWorkspace};
use parry3d::query::{PointQuery, RayCast};
use parry3d::shape::{Cuboid, Shape};
use rayon::prelude::*;
use tangency::glam::Vec3;
use tangency::shape::{Obb, Ray};

/// Boxes in parry's types.
pub struct Boxes(Vec<(Pose, Cuboid)>);

/// How long each step took, and what was found.
pub struct Answer {
    pub bounds: Duration,
    /// Of the tree, by one thread.
    pub build: Duration,
    pub pairs: Duration,
    pub test: Duration,
    /// Of a tree whose leaves have all been updated: what a set that moves needs instead of a new tree.
    pub refit: Duration,
    pub candidates: usize,
    pub hits: usize,
}

impl Answer {
    /// From boxes to pairs, with a new tree.
    pub fn total(&self) -> Duration {
        self.without_build() + self.build
    }

    /// The same with a tree that is there already.
    pub fn without_build(&self) -> Duration {
        self.bounds + self.pairs + self.test
    }
}

/// Calls `work`, and measures it.
pub fn timed<R>(work: impl FnOnce() -> R) -> (Duration, R) {
    let start = Instant::now();
    let result = work();
    (start.elapsed(), result)
}

impl Boxes {
    pub fn new(boxes: &[Obb]) -> Self {
        let cuboid = |b: &Obb| (Pose::from_parts(b.center(), b.rotation().normalize()), Cuboid::new(b.half_extents()));
        Self(boxes.iter().map(cuboid).collect())
    }

    /// The bounds of each box, rounded to nearest.
    pub fn bounds(&self) -> Vec<Aabb> {
        self.0.par_iter().map(|(pose, cuboid)| cuboid.compute_aabb(pose)).collect()
    }

    /// Finds the pairs that meet. To be called on the threads that it may use.
    pub fn overlaps(&self) -> Answer {
        let (bounds_time, bounds) = timed(|| self.bounds());
        let (build, mut tree) = timed(|| Bvh::from_leaves(BvhBuildStrategy::Binned, &bounds));
        let (pairs_time, pairs) = timed(|| tree.traverse_bvtt_single_tree_parallel::<false>());
        let meet = |(a, b): &&(u32, u32)| {
            let ((pa, a), (pb, b)) = (&self.0[*a as usize], &self.0[*b as usize]);
            parry3d::query::intersection_test(pa, a, pb, b).is_ok_and(|found| found.intersecting)
        };
        let (test, hits) = timed(|| pairs.par_iter().filter(meet).count());
        let updates: Vec<(Aabb, u32, f32)> = (0..).zip(&bounds).map(|(leaf, bounds)| (*bounds, leaf, 0.0)).collect();
        let (mut statuses, mut workspace) = (Vec::new(), BvhWorkspace::default());
        let (refit, ()) = timed(|| {
            tree.insert_or_update_batch_partially_parallel(&updates, &mut statuses);
            tree.refit_parallel(&mut workspace);
        });
        Answer { bounds: bounds_time, build, pairs: pairs_time, test, refit, candidates: pairs.len(), hits }
    }
}

/// A tree over boxes.
pub struct Tree<'a>(&'a Boxes, Bvh);

/// What a ray or a point finds: the box, and the time or the distance.
pub type Nearest = Option<(u32, f32)>;

impl<'a> Tree<'a> {
    pub fn new(boxes: &'a Boxes) -> Self {
        Self(boxes, Bvh::from_leaves(BvhBuildStrategy::Binned, &boxes.bounds()))
    }

    /// The nearest hits of rays. To be called on the threads that it may use.
    pub fn cast_rays(&self, rays: &[Ray], out: &mut Vec<Nearest>) {
        let cast = |ray: &Ray| {
            let ray = parry3d::query::Ray::new(ray.origin(), ray.direction());
            self.1.cast_ray(&ray, f32::MAX, |leaf, best| {
                let (pose, cuboid) = &self.0.0[leaf as usize];
                cuboid.cast_ray(pose, &ray, best, true)
            })
        };
        rays.par_iter().map(cast).collect_into_vec(out);
    }

    /// The nearest boxes of points. To be called on the threads that it may use.
    pub fn closest(&self, points: &[Vec3], out: &mut Vec<Nearest>) {
        let closest = |point: &Vec3| {
            let found = self.1.project_point(*point, f32::MAX, |leaf, _| {
                let (pose, cuboid) = &self.0.0[leaf as usize];
                Some(cuboid.project_point(pose, *point, true))
            });
            // (The point itself is turned there and back, which is not quite nowhere.)
            found.map(|(body, (distance, at))| (body, if at.is_inside { 0.0 } else { distance }))
        };
        points.par_iter().map(closest).collect_into_vec(out);
    }
}
