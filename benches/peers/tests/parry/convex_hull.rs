//! The volume of convex hulls.

use proptest::prelude::*;
use tangency::shape::ConvexHull;

proptest! {
    #![proptest_config(crate::support::config(256))]

    #[test]
    fn volume_agrees_with_parry(points in prop::collection::vec(prop::array::uniform3(-1.0f32..1.0), 8..40)) {
        let theirs: Vec<_> = points.iter().map(|&p| parry3d::math::Vector::from_array(p)).collect();
        let Ok((vertices, faces)) = parry3d::transformation::try_convex_hull(&theirs) else { return Ok(()) };
        let volume: f32 = faces.iter().map(|f| {
            let [a, b, c] = f.map(|i| vertices[i as usize]);
            a.cross(b).dot(c) / 6.0
        }).sum();
        let hull = ConvexHull::from_points(points).unwrap();
        prop_assert!((f64::from(volume) - hull.volume()).abs() < 1e-4);
    }
}
