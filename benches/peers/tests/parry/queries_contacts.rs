//! Depths of round shapes.

use crate::in_parry::InParry;
use crate::support::{aabb, capsule, obb, sphere};
use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::TestRunner;
use tangency::query::{Contact, ContactWith, Support, contact};

/// How often parry's depth is another than ours.
#[derive(Default, Debug)]
struct Depths {
    contacts: u32,
    differ: u32,
    /// Of these, where parry's normal is as good as ours, and only its points are not as far apart as that normal asks for.
    inner: u32,
}

impl Depths {
    fn compare<A, B>(&mut self, a: &A, b: &B)
    where
        A: ContactWith<B, Answer = Option<Contact>> + Support + InParry,
        B: Support + InParry,
    {
        let Some(ours) = contact(a, b) else { return };
        self.contacts += 1;
        let ((pose_a, shape_a), (pose_b, shape_b)) = (a.in_parry(), b.in_parry());
        let theirs = parry3d::query::contact(&pose_a, &*shape_a, &pose_b, &*shape_b, 0.0).unwrap();
        if theirs.is_none_or(|theirs| (theirs.dist + ours.depth()).abs() > 1e-3) {
            self.differ += 1;
            self.inner += u32::from(theirs.is_some_and(|theirs| {
                let n = theirs.normal1.as_dvec3().normalize();
                let cores = a.core_support(n).dot(n) - b.core_support(-n).dot(n);
                let way_out = (cores + a.rounding() + b.rounding()) as f32;
                (way_out - ours.depth()).abs() < 1e-4 && -theirs.dist < way_out
            }));
        }
    }
}

/// As for distances, parry is counted rather than believed. The depths that differ are all of two capsules, which parry
/// sends through GJK and EPA: there its depth is the smaller one, by up to 0.007, though its normal is right.
#[test]
fn parry_finds_the_same_depth_of_round_shapes_almost_always() {
    let mut runner = TestRunner::deterministic();
    let shapes = (sphere(), sphere(), aabb(), obb(), capsule(), capsule());
    let mut depths = Depths::default();
    for _ in 0..5000 {
        let (a, b, c, d, k, m) = shapes.new_tree(&mut runner).unwrap().current();
        depths.compare(&a, &b);
        depths.compare(&a, &c);
        depths.compare(&a, &d);
        depths.compare(&k, &a);
        depths.compare(&k, &m);
    }
    println!("{depths:?}");
    let Depths { contacts, differ, inner } = depths;
    assert!(contacts > 3000 && differ * 100 < contacts && inner == differ, "{depths:?}");
}
