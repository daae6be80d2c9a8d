//! Where well-known teaching texts are wrong about these shapes: the right behaviour, and that the wrong formula would have
//! failed on the same input.

use glam::{Quat, Vec3, vec3};
use tangency::query::{intersect, side};
use tangency::shape::{Aabb, Obb, Plane, Sphere};
use tangency::{Relation, Side};

fn aabb(min: [f32; 3], max: [f32; 3]) -> Aabb {
    Aabb::new(min, max).unwrap()
}

fn obb(center: [f32; 3], half: [f32; 3], q: Quat) -> Obb {
    Obb::new(center, half, q).unwrap()
}

#[test]
fn touching_boxes_meet_though_the_strict_rewrite_says_no() {
    let (a, b) = (aabb([0.0; 3], [1.0; 3]), aabb([1.0, 0.0, 0.0], [2.0, 1.0, 1.0]));
    let strict_rewrite = a.max().cmpgt(b.min()).all() && b.max().cmpgt(a.min()).all();
    assert!(!strict_rewrite);
    assert_eq!(intersect(&a, &b), Relation::Touching);
}

#[test]
fn strict_comparisons_miss_touching_spheres_and_boxes() {
    let (a, b) = (Sphere::new([0.0; 3], 2.0).unwrap(), Sphere::new([3.0, 4.0, 0.0], 3.0).unwrap());
    assert!(a.center().distance(b.center()) >= a.radius() + b.radius(), "the strict test says apart");
    assert_eq!(intersect(&a, &b), Relation::Touching);
    let cube = aabb([-1.0; 3], [1.0; 3]);
    let corner_ball = Sphere::new([4.0, 5.0, 1.0], 5.0).unwrap();
    let closest = corner_ball.center().clamp(cube.min(), cube.max());
    assert!(closest.distance(corner_ball.center()) >= corner_ball.radius(), "the strict test says apart");
    assert_eq!(intersect(&corner_ball, &cube), Relation::Touching);
    let turned = obb([2.0, 0.0, 0.0], [1.0; 3], Quat::from_xyzw(1.0, 0.0, 0.0, 1.0));
    assert_eq!(intersect(&obb([0.0; 3], [1.0; 3], Quat::IDENTITY), &turned), Relation::Touching);
}

#[test]
fn the_sphere_meets_the_cube_through_the_clamped_point() {
    // The case that the bounding box of the ball gets wrong: beside an edge.
    let cube = aabb([0.0; 3], [1.0; 3]);
    let ball = Sphere::new([1.8, 1.8, 0.5], 1.0).unwrap();
    assert!(ball.aabb().intersection(&cube).is_some());
    assert_eq!(intersect(&ball, &cube), Relation::Separate);
    assert_eq!(intersect(&Sphere::new([1.7, 1.7, 0.5], 1.0).unwrap(), &cube), Relation::Overlapping);
}

#[test]
fn projections_need_their_absolute_value() {
    let a = obb([0.0; 3], [1.0; 3], Quat::IDENTITY);
    let b = obb([-5.0, 0.0, 0.0], [1.0; 3], Quat::from_xyzw(0.1, 0.2, 0.3, 1.0));
    // Without it, T·L = −5 is never above ra + rb.
    let along_x = (b.center() - a.center()).x;
    assert!(along_x <= 1.0 + b.half_extents().length());
    assert_eq!(intersect(&a, &b), Relation::Separate);
    assert_eq!(intersect(&b, &a), Relation::Separate);
}

#[test]
fn every_extent_counts_once_in_the_reach_of_b() {
    // `rb + e…` in place of `rb = e…` keeps the reach of the axis before it.
    let a = obb([0.0; 3], [1.0; 3], Quat::IDENTITY);
    let b = obb([0.0, 0.0, 3.5], [2.0, 0.5, 0.5], Quat::from_xyzw(0.0, 0.0, 0.3, 1.0));
    let reach_of_x = 2.0;
    assert!(3.5 <= 1.0 + (reach_of_x + 0.5), "accumulated, the gap along z is gone");
    assert_eq!(intersect(&a, &b), Relation::Separate);
}

#[test]
fn a_plane_cuts_the_right_corner_of_a_box() {
    let (min, max) = (vec3(0.0, 0.0, 0.0), vec3(10.0, 1.0, 1.0));
    let plane = Plane::new([0.0, 0.0, 1.0], 5.0).unwrap();
    // `max(z1, x2)` takes 10 for the upper z, and sees a crossing.
    let (least, greatest) = (min.z.min(max.z), min.z.max(max.x));
    assert!(least <= 5.0 && greatest >= 5.0);
    assert_eq!(side(&Aabb::new(min, max).unwrap(), &plane), Side::Inside);
    // Touching counts: from outside it is crossing.
    assert_eq!(side(&aabb([0.0, 0.0, 5.0], [1.0, 1.0, 6.0]), &plane), Side::Crossing);
    assert_eq!(side(&aabb([0.0, 0.0, 4.0], [1.0, 1.0, 5.0]), &plane), Side::Inside);
}

#[test]
fn the_normal_of_ax_by_cz_d_is_abc() {
    // x + 2y + 2z − 9 = 0: normal (1, 2, 2), offset 9.
    let plane = Plane::new([1.0, 2.0, 2.0], 9.0).unwrap();
    assert_eq!(side(&Sphere::new([1.0, 2.0, 2.0], 0.0).unwrap(), &plane), Side::Inside);
    assert_eq!(side(&Sphere::new([3.0, 6.0, 6.0], 6.0).unwrap(), &plane), Side::Crossing);
    assert_eq!(side(&Sphere::new([3.0, 6.0, 6.0], 5.9).unwrap(), &plane), Side::Outside);
}

#[test]
fn vectors_are_columns() {
    // A long box turned a quarter about z, x to y. With row vectors the turn goes the other way.
    let quarter = Quat::from_xyzw(0.0, 0.0, 1.0, 1.0);
    let lever = obb([0.0; 3], [1.0; 3], Quat::IDENTITY).translate([4.0, 0.0, 0.0]).unwrap().rotate(quarter).unwrap();
    assert!(lever.center().abs_diff_eq(vec3(0.0, 4.0, 0.0), 1e-6));
    let slanted = obb([0.0; 3], [4.0, 0.1, 0.1], Quat::from_xyzw(0.0, 0.0, 1.0, 2.0));
    // (0, 0, 1, 2): cosine 3/5, sine 4/5.
    assert_eq!(intersect(&slanted, &Sphere::new([1.8, 2.4, 0.0], 0.0).unwrap()), Relation::Overlapping);
    assert_eq!(intersect(&slanted, &Sphere::new([1.8, -2.4, 0.0], 0.0).unwrap()), Relation::Separate);
}

#[test]
fn crossing_boxes_meet_though_no_corner_is_inside() {
    let (a, b) = (aabb([-3.0, -1.0, -1.0], [3.0, 1.0, 1.0]), aabb([-1.0, -3.0, -1.0], [1.0, 3.0, 1.0]));
    let (thin_a, thin_b) = (
        obb([0.0; 3], [3.0, 0.5, 0.5], Quat::IDENTITY),
        obb([0.0; 3], [0.5, 3.0, 0.25], Quat::from_xyzw(0.0, 0.0, 0.1, 1.0)),
    );
    let has = |outer: &Aabb, points: [Vec3; 8]| {
        points.iter().any(|p| p.cmpgt(outer.min()).all() && p.cmplt(outer.max()).all())
    };
    assert!(!has(&a, b.corners()) && !has(&b, a.corners()), "the containment test says apart");
    assert!(
        !has(&thin_a.aabb(), thin_b.corners()) && !has(&aabb([-0.5, -3.0, -0.25], [0.5, 3.0, 0.25]), thin_a.corners())
    );
    assert_eq!(intersect(&a, &b), Relation::Overlapping);
    assert_eq!(intersect(&thin_a, &thin_b), Relation::Overlapping);
}

#[test]
fn an_empty_box_is_empty_beyond_the_largest_integer() {
    let far = vec3(5e9, 5e9, 5e9);
    let int_max = i32::MAX as f32;
    assert!(far.x > int_max, "a box cleared to MAXINT would report a minimum below every point");
    assert_eq!(Aabb::EMPTY.merge_point(far).unwrap(), Aabb::new(far, far).unwrap());
    assert_eq!(Aabb::from_points([far]).unwrap().min(), far);
}

#[test]
fn the_centroid_is_the_arithmetic_mean() {
    let b = aabb([1.0; 3], [4.0; 3]);
    assert_eq!(b.center(), Vec3::splat(2.5));
    assert!((b.center().x - (1.0_f32 * 4.0).sqrt()).abs() > 0.4);
}
