//! Distances.

use crate::in_parry::InParry;
use crate::support::{aabb, capsule, obb, segment, sphere, triangle};
use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::TestRunner;
use tangency::query::{ClosestPoints, closest_points};

fn in_parry(a: &impl InParry, b: &impl InParry) -> f32 {
    let ((pose_a, shape_a), (pose_b, shape_b)) = (a.in_parry(), b.in_parry());
    parry3d::query::distance(&pose_a, &*shape_a, &pose_b, &*shape_b).unwrap().distance
}

/// parry works in `f32` and, for most pairs, through GJK, which now and then ends too early (seen: 0 for 0.0045, and 0.3 for
/// 0.001). So it is counted how often the distances agree to 1 %, on pairs that are the same every time.
#[test]
fn parry_finds_the_same_distance_almost_always() {
    let mut runner = TestRunner::deterministic();
    let shapes = (sphere(), aabb(), obb(), capsule(), segment(), triangle());
    let (mut pairs, mut differ) = (0_u32, 0_u32);
    let mut compare = |ours: tangency::Result<ClosestPoints>, theirs: f32| {
        let ours = ours.unwrap().distance;
        pairs += 1;
        differ += u32::from((ours - theirs).abs() > 0.01 * ours + 1e-3);
    };
    for _ in 0..2000 {
        let (a, b, c, d, e, f) = shapes.new_tree(&mut runner).unwrap().current();
        compare(closest_points(&a, &c), in_parry(&a, &c));
        compare(closest_points(&a, &d), in_parry(&a, &d));
        compare(closest_points(&b, &c), in_parry(&b, &c));
        compare(closest_points(&b, &f), in_parry(&b, &f));
        compare(closest_points(&c, &d), in_parry(&c, &d));
        compare(closest_points(&c, &e), in_parry(&c, &e));
        compare(closest_points(&c, &f), in_parry(&c, &f));
        compare(closest_points(&d, &e), in_parry(&d, &e));
        compare(closest_points(&d, &f), in_parry(&d, &f));
        compare(closest_points(&e, &f), in_parry(&e, &f));
    }
    println!("{differ} of {pairs} distances differ from parry's");
    assert!(differ * 1000 < pairs, "{differ} of {pairs}");
}
