//! How often parry's GJK says otherwise of hulls of real meshes that nearly touch, and why.
//!
//! This library's verdict is exact. parry's `intersection_test` first turns the second hull into the frame of the first, in `f32`, and then searches by GJK.
//! So this library is also asked about hulls in the poses that are so rounded: where its verdict on these is parry's, the rounding is what made the
//! difference, and otherwise the search is.
//!
//! ```text
//! TANGENCY_TEST_MESHES=FOLDER cargo run --release -p tangency-peers --example mesh_hulls_vs_parry
//! ```
//!
//! FOLDER has meshes (`.obj`, `.stl`), such as the data of the Python package `pybullet`; TANGENCY_TEST_MESH_PAIRS says how many pairs (100,000).

#[path = "../../../tests/common/capsule_pairs.rs"]
mod capsule_pairs;
#[path = "../../../tests/common/meshes.rs"]
mod meshes;

use std::collections::BTreeMap;

use parry3d::math::Pose as ParryPose;
use parry3d::query::gjk::eps_tol;
use parry3d::shape::ConvexPolyhedron;
use tangency::glam::Vec3;
use tangency::query::intersect;
use tangency::shape::{ConvexHull, Pose};

use capsule_pairs::Dice;

/// The pose of a hull, with a quaternion of length 1, which parry needs.
fn parry_pose(hull: &ConvexHull) -> ParryPose {
    ParryPose::from_parts(hull.pose().position().to_vec3(), hull.pose().rotation().normalize())
}

/// The same hull as parry has it, if parry makes one of its corners.
fn theirs(hull: &ConvexHull) -> Option<ConvexPolyhedron> {
    ConvexPolyhedron::from_convex_hull(hull.local_vertices())
}

/// How far apart or how deep pairs are that differ, on the way on which they would touch.
#[derive(Default)]
struct Gaps {
    gaps: Vec<f32>,
    shares: Vec<f32>,
}

impl Gaps {
    fn describe(mut self, what: &str) -> String {
        self.gaps.sort_by(f32::total_cmp);
        self.shares.sort_by(f32::total_cmp);
        let (count, middle) = (self.gaps.len(), self.gaps.len() / 2);
        let within = self.gaps.iter().filter(|gap| **gap <= eps_tol()).count();
        format!(
            "{count:6} {what}: gaps of {:.1e} in the middle and {:.1e} at most ({:.1e} and {:.1e} of their size), {within} of them up to GJK's tolerance",
            self.gaps[middle],
            self.gaps[count - 1],
            self.shares[middle],
            self.shares[count - 1]
        )
    }
}

fn main() {
    // Those of which both libraries make hulls.
    let hulls: Vec<ConvexHull> = meshes::hulls().into_iter().filter(|hull| theirs(hull).is_some()).collect();
    let forms: BTreeMap<*const Vec3, ConvexPolyhedron> =
        hulls.iter().filter_map(|hull| Some((hull.local_vertices().as_ptr(), theirs(hull)?))).collect();
    println!("{} of them are hulls in parry too", hulls.len());
    let (mut dice, count) = (Dice(20), meshes::count());
    let (mut differ, mut hits, mut other) = (BTreeMap::<String, Gaps>::new(), 0, 0);
    for _ in 0..count {
        let (a, b, gap) = meshes::near_pair(&mut dice, &hulls);
        let [first, second] = [&a, &b].map(|hull| &forms[&hull.local_vertices().as_ptr()]);
        let (at_a, at_b) = (parry_pose(&a), parry_pose(&b));
        let ours = intersect(&a, &b).is_hit();
        let found = parry3d::query::intersection_test(&at_a, first, &at_b, second).expect("hulls are supported");
        hits += usize::from(ours);
        if found.intersecting == ours {
            continue;
        }
        other += 1;
        // What parry's search is given.
        let between = at_a.inv_mul(&at_b);
        let rounded = Pose::new(between.translation, between.rotation).expect("a pose");
        let given = intersect(&a.with_pose(Pose::IDENTITY), &b.with_pose(rounded)).is_hit();
        let why =
            if given == found.intersecting { "as its rounded poses have it" } else { "against its rounded poses" };
        let what = if ours { "hits are none for it" } else { "separate pairs are hits for it" };
        let size = |hull: &ConvexHull| (hull.aabb().max() - hull.aabb().min()).length();
        let gaps = differ.entry(format!("{what}, {why}")).or_default();
        gaps.gaps.push(gap.abs());
        gaps.shares.push(gap.abs() / (size(&a) + size(&b)));
    }
    println!("{count} pairs, {hits} hits; parry says otherwise of {other} (its GJK's tolerance is {:.1e})", eps_tol());
    for (what, gaps) in differ {
        println!("{}", gaps.describe(&what));
    }
}
