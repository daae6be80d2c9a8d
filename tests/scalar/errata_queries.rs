//! Where the literature's formulas go wrong: each test shows the right answer, and that the wrong formula gives another.

use glam::{DVec3, Quat, Vec3, vec3};
use tangency::query::{
    Crossing, LineKind, Motion, cast_ray, closest_point, closest_surface_point, contact, contains_point,
    crossing_line_line, crossing_plane, crossing_ray_ray, intersect, side, signed_distance, sweep_plane, swept_aabb,
    touches_plane,
};
use tangency::shape::{Aabb, Line, Obb, Parallelogram, Plane, Ray, Segment, Sphere};
use tangency::{Relation, Side};

fn unit_box(center: Vec3, rotation: Quat) -> Obb {
    Obb::new(center, [1.0; 3], rotation).unwrap()
}

#[test]
fn intervals_that_touch_overlap() {
    let (a, b) = (Aabb::new([0.0; 3], [1.0; 3]).unwrap(), Aabb::new([1.0, 0.0, 0.0], [2.0, 1.0, 1.0]).unwrap());
    let found = contact(&a, &b).unwrap();
    assert_eq!((found.depth(), found.normal()), (0.0, Vec3::X));
    let wrong = a.max().x > b.min().x && b.max().x > a.min().x;
    assert!(!wrong);
}

#[test]
fn strict_comparisons_lose_what_touches() {
    let (a, b) = (Sphere::new([0.0; 3], 1.0).unwrap(), Sphere::new([3.0, 4.0, 0.0], 4.0).unwrap());
    assert_eq!(contact(&a, &b).unwrap().depth(), 0.0);
    let wrong = a.center().distance(b.center()) < a.radius() + b.radius();
    assert!(!wrong);

    let cube = Aabb::new([-1.0; 3], [1.0; 3]).unwrap();
    let ball = Sphere::new([2.0, 0.0, 0.0], 1.0).unwrap();
    assert_eq!(contact(&ball, &cube).unwrap().depth(), 0.0);
    let wrong = ball.center().distance(ball.center().clamp(cube.min(), cube.max())) < ball.radius();
    assert!(!wrong);
}

#[test]
fn the_dot_product_with_itself_is_the_square_of_the_length() {
    let found = closest_point(&Sphere::new([0.0; 3], 1.0).unwrap(), [3.0, 4.0, 0.0]).unwrap();
    assert_eq!(found.distance, 4.0);
    let wrong = Vec3::new(3.0, 4.0, 0.0).dot(Vec3::new(3.0, 4.0, 0.0)) - 1.0;
    assert_ne!(wrong, found.distance);
}

#[test]
fn the_ball_around_a_motion_reaches_past_both_ends() {
    let (start, end) = (Sphere::new([0.0; 3], 1.0).unwrap(), Sphere::new([10.0, 0.0, 0.0], 1.0).unwrap());
    let swept = start.merge(&end).unwrap();
    assert!((6.0..6.00001).contains(&swept.radius()));
    let ends = [vec3(-1.0, 0.0, 0.0), vec3(11.0, 0.0, 0.0)];
    assert!(ends.iter().all(|p| contains_point(&swept, *p)));
    // Half the way alone misses the ends; half the way and both radii is larger than it need be.
    let (too_small, too_large) = (5.0, 5.0 + 1.0 + 1.0);
    let wrong = Sphere::new([5.0, 0.0, 0.0], too_small).unwrap();
    assert!(ends.iter().all(|p| !contains_point(&wrong, *p)) && swept.radius() < too_large - 0.9);
    // So do the bounds of the motion.
    let bounds = swept_aabb(&start.aabb(), [10.0, 0.0, 0.0]).unwrap();
    assert!(ends.iter().all(|p| bounds.contains_point(*p)));
}

#[test]
fn the_distance_along_an_axis_needs_its_absolute_value() {
    let (a, b) = (unit_box(Vec3::ZERO, Quat::IDENTITY), unit_box(vec3(-5.0, 0.0, 0.0), Quat::IDENTITY));
    assert!(contact(&a, &b).is_none());
    let (t, ra, rb) = (b.center().x - a.center().x, 1.0, 1.0);
    let wrong_separate = t > ra + rb;
    assert!(!wrong_separate && t.abs() > ra + rb);
}

#[test]
fn the_reach_of_the_second_box_is_assigned() {
    // With the sum left out (`rb + e…;` as a statement) the second box is a point.
    let (a, b) = (unit_box(Vec3::ZERO, Quat::IDENTITY), unit_box(vec3(1.5, 0.0, 0.0), Quat::from_rotation_y(0.5)));
    assert_eq!(intersect(&a, &b), Relation::Overlapping);
    let (ra, rb) = (1.0_f32, 0.0_f32);
    let wrong_separate = (b.center().x - a.center().x).abs() > ra + rb;
    assert!(wrong_separate && contact(&a, &b).is_some());
}

#[test]
fn the_box_nearest_to_a_plane_takes_each_extreme_from_its_own_axis() {
    // Under the normal (0, 0, 1), the highest corner has the larger z; `max(z1, x2)` takes x instead.
    let (min, max) = (vec3(0.0, 0.0, 0.0), vec3(5.0, 1.0, 1.0));
    let box_ = Aabb::new(min, max).unwrap();
    let up = Plane::new([0.0, 0.0, 1.0], 3.0).unwrap();
    assert_eq!(side(&box_, &up), Side::Inside);
    assert!(!touches_plane(&box_, &up));
    let wrong_top = min.z.max(max.x);
    assert!(wrong_top > 3.0);
    // In motion, it is the same corner that meets the plane first; touching counts.
    let down = up.flip();
    let impact = sweep_plane(&box_, &Motion::translation([0.0, 0.0, 2.0]).unwrap(), &down).unwrap();
    assert_eq!((impact.time as f32, impact.point.z), (1.0, 3.0));
}

#[test]
fn the_chord_needs_the_square_of_the_offset() {
    let (origin, direction) = (vec3(-5.0, 0.6, 0.0), vec3(1.0, 0.0, 0.0));
    let ball = Sphere::new([0.0; 3], 1.0).unwrap();
    let hit = cast_ray(&Ray::new(origin, direction).unwrap(), &ball).unwrap();
    assert!((hit.t - 4.2).abs() < 1e-6);
    let e = ball.center() - origin;
    let a = e.dot(direction);
    let right = a - (1.0 - (e.dot(e) - a * a)).sqrt();
    let wrong = a - (1.0 - (e.dot(direction) - a * a)).sqrt();
    assert!((right - hit.t).abs() < 1e-5 && (wrong - hit.t).abs() > 0.1);
}

#[test]
fn a_ray_may_start_inside_a_ball() {
    let ball = Sphere::new([0.0; 3], 2.0).unwrap();
    let ray = Ray::new([1.0, 0.0, 0.0], [1.0, 0.0, 0.0]).unwrap();
    let hit = cast_ray(&ray, &ball).unwrap();
    assert_eq!((hit.t, hit.t_exit, hit.inside), (0.0, 1.0, true));
    let e = ball.center() - ray.origin();
    let a = e.dot(ray.direction());
    let wrong = a - (ball.radius() * ball.radius() - (e.dot(e) - a * a)).sqrt();
    assert_eq!(wrong, -3.0, "the nearer root lies behind the start");
}

#[test]
fn collinear_rays_can_meet() {
    let a = Ray::new([0.0; 3], [1.0, 0.0, 0.0]).unwrap();
    let facing = Ray::new([5.0, 0.0, 0.0], [-1.0, 0.0, 0.0]).unwrap();
    let found = crossing_ray_ray(&a, &facing, 0.0).unwrap();
    assert_eq!((found.kind, found.meets), (LineKind::Collinear, true));
    let wrong_never = a.direction().cross(facing.direction()) == Vec3::ZERO;
    assert!(wrong_never);
    let behind = Ray::new([-5.0, 0.0, 0.0], [-1.0, 0.0, 0.0]).unwrap();
    assert!(!crossing_ray_ray(&a, &behind, 0.0).unwrap().meets);
    let beside = Ray::new([0.0, 1.0, 0.0], [1.0, 0.0, 0.0]).unwrap();
    let found = crossing_ray_ray(&a, &beside, 0.0).unwrap();
    assert_eq!((found.kind, found.distance, found.meets), (LineKind::Parallel, 1.0, false));
}

#[test]
fn skew_rays_have_parameters_and_do_not_meet() {
    let (a, b) = (Ray::new([0.0; 3], [1.0, 0.0, 0.0]).unwrap(), Ray::new([2.0, 1.0, -3.0], [0.0, 0.0, 1.0]).unwrap());
    let found = crossing_ray_ray(&a, &b, 0.0).unwrap();
    assert_eq!((found.kind, found.s, found.t, found.distance), (LineKind::Skew, 2.0, 3.0, 1.0));
    assert!(!found.meets);
    let n = a.direction().cross(b.direction());
    let wrong_s = (b.origin() - a.origin()).cross(b.direction()).dot(n) / n.length_squared();
    assert!(n != Vec3::ZERO && wrong_s >= 0.0, "the formula alone claims a hit");
    // Crossing lines whose rays point away: a parameter is negative.
    let away = Ray::new([2.0, 0.0, -3.0], [0.0, 0.0, -1.0]).unwrap();
    assert!(!crossing_ray_ray(&a, &away, 0.0).unwrap().meets);
    assert_eq!(crossing_line_line(&a.line(), &away.line(), 0.0).unwrap().t, -3.0);
}

#[test]
fn vectors_are_columns() {
    let rotation = Quat::from_rotation_z(0.5);
    let plank = Obb::new([0.0; 3], [4.0, 0.1, 1.0], rotation).unwrap();
    let tip = rotation * vec3(4.0, 0.0, 0.0);
    assert!(closest_point(&plank, tip).unwrap().distance < 1e-6);
    // Multiplied from the other side, the frame turns the wrong way.
    let wrong_local = rotation * tip;
    assert!(wrong_local.y.abs() > 0.1 + 1.0);
}

#[test]
fn the_coordinate_in_a_box_is_the_dot_product_with_its_axis() {
    // d = c · X_B: the offset from the centre, projected on the axis of the box, then clamped.
    let obb = Obb::new([1.0, 2.0, 3.0], [1.0, 1.0, 1.0], Quat::from_rotation_z(0.5)).unwrap();
    let p = vec3(4.0, 2.5, 3.0);
    let found = closest_point(&obb, p).unwrap();
    let c = p.as_dvec3() - obb.center().as_dvec3();
    let right = obb.axes().iter().fold(obb.center().as_dvec3(), |q, x| q + *x * c.dot(*x).clamp(-1.0, 1.0));
    assert!(found.point.as_dvec3().distance(right) < 1e-6);
    let wrong =
        obb.axes().iter().zip(c.to_array()).fold(obb.center().as_dvec3(), |q, (x, c)| q + *x * c.clamp(-1.0, 1.0));
    assert!(found.point.as_dvec3().distance(wrong) > 0.1);
}

#[test]
fn the_overlap_of_intervals_is_not_the_way_out() {
    // A small box deep in a large one: the intervals overlap by all of the small one, but the way out is longer.
    let large = Obb::new([0.0; 3], [4.0, 5.0, 5.0], Quat::IDENTITY).unwrap();
    let small = Obb::new([2.0, 0.0, 0.0], [0.5, 0.5, 0.5], Quat::IDENTITY).unwrap();
    let found = contact(&large, &small).unwrap();
    assert_eq!((found.normal(), found.depth()), (Vec3::X, 2.5));
    let wrong = 4.0_f32.min(2.5) - (-4.0_f32).max(1.5);
    assert_eq!(wrong, 1.0);
    assert_eq!(intersect(&large, &small.translate([2.5, 0.0, 0.0]).unwrap()), Relation::Touching);
    assert_eq!(intersect(&large, &small.translate([wrong, 0.0, 0.0]).unwrap()), Relation::Overlapping);
}

#[test]
fn cross_axes_are_normalised_before_depths_are_compared() {
    // Nearly parallel edges: along the short cross product, every depth looks small.
    let a = unit_box(Vec3::ZERO, Quat::IDENTITY);
    let b = unit_box(vec3(0.3, 1.8, 0.2), Quat::from_rotation_y(0.01));
    let found = contact(&a, &b).unwrap();
    assert!(found.normal().abs_diff_eq(Vec3::Y, 1e-6) && (found.depth() - 0.2).abs() < 1e-6);
    let raw = |axis: DVec3| {
        let reach = |o: &Obb| o.axes().iter().map(|x| x.dot(axis).abs()).sum::<f64>();
        reach(&a) + reach(&b) - (b.center() - a.center()).as_dvec3().dot(axis).abs()
    };
    let wrong = raw(a.axes()[0].cross(b.axes()[0]));
    assert!(wrong < f64::from(found.depth()), "{wrong}");
}

#[test]
fn cross_axes_of_parallel_edges_are_dropped() {
    let (a, b) = (unit_box(Vec3::ZERO, Quat::IDENTITY), unit_box(vec3(0.5, 0.0, 0.0), Quat::IDENTITY));
    let found = contact(&a, &b).unwrap();
    assert_eq!((found.normal(), found.depth()), (Vec3::X, 1.5));
    let zero = a.axes()[0].cross(b.axes()[0]);
    let (wrong_depth, wrong_normal) = (zero.length(), zero.normalize());
    assert!(wrong_depth < 1.5 && wrong_normal.is_nan());
}

#[test]
fn a_centre_inside_a_box_leaves_through_the_nearest_face() {
    let box_ = Obb::new([0.0; 3], [3.0, 2.0, 1.0], Quat::IDENTITY).unwrap();
    let ball = Sphere::new([0.5, 0.5, 0.75], 0.5).unwrap();
    let found = contact(&box_, &ball).unwrap();
    assert_eq!((found.normal(), found.depth()), (Vec3::Z, 0.5 + 0.25));
    // The nearest point of the box is the centre itself.
    let offset = ball.center() - ball.center().clamp(-box_.half_extents(), box_.half_extents());
    let (wrong_normal, wrong_depth) = (offset / offset.length(), ball.radius() - offset.length());
    assert!(wrong_normal.is_nan() && wrong_depth < found.depth());
    let out = |depth: f32| intersect(&box_, &ball.translate(found.normal() * depth).unwrap());
    assert_eq!((out(found.depth()), out(wrong_depth)), (Relation::Touching, Relation::Overlapping));
}

#[test]
fn the_foot_on_a_plane_starts_from_the_point_itself() {
    let (p0, normal) = (vec3(3.0, 2.0, 1.0), vec3(0.0, 1.0, 0.0));
    let plane = Plane::from_point_normal(p0, normal).unwrap();
    let p = vec3(7.0, 5.0, 4.0);
    let found = closest_point(&plane, p).unwrap();
    assert_eq!((found.point, found.distance), (vec3(7.0, 2.0, 4.0), 3.0));
    let wrong = (p - p0) - normal * found.distance;
    assert_ne!(wrong, found.point);
    assert_ne!(signed_distance(&plane, wrong).unwrap(), 0.0);
}

#[test]
fn each_parameter_of_a_parallelogram_has_its_own_range() {
    let sheet = Parallelogram::new([0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]).unwrap();
    let outside = vec3(1.5, 0.25, 0.0);
    assert!(!contains_point(&sheet, outside));
    assert_eq!(cast_ray(&Ray::new(outside + Vec3::Z, -Vec3::Z).unwrap(), &sheet), None);
    let [s, t] = sheet.coordinates(outside).unwrap();
    let wrong = s >= 0.0 && t >= 0.0 && s + t <= 2.0;
    assert!(wrong);
    assert!(contains_point(&sheet, [1.0, 1.0, 0.0]));
}

#[test]
fn a_ball_meets_a_cube_at_the_clamped_point() {
    let cube = Aabb::new([-1.0; 3], [1.0; 3]).unwrap();
    let near_corner = Sphere::new([2.0, 2.0, 2.0], 1.75).unwrap();
    let found = contact(&near_corner, &cube).unwrap();
    assert_eq!(found.points()[0].on_b, Vec3::ONE);
    assert!((found.depth() - (1.75 - 3.0_f32.sqrt())).abs() < 1e-6);
    // The cube's bounds against the ball's would claim more.
    let too_far = Sphere::new([2.0, 2.0, 2.0], 1.7).unwrap();
    assert!(contact(&too_far, &cube).is_none());
    assert_eq!(intersect(&too_far.aabb(), &cube), Relation::Overlapping);
}

#[test]
fn boxes_can_cross_without_a_corner_in_each_other() {
    let (flat, tall) = (
        Obb::new([0.0; 3], [3.0, 0.5, 0.5], Quat::IDENTITY).unwrap(),
        Obb::new([0.0; 3], [0.5, 3.0, 0.5], Quat::from_rotation_y(0.2)).unwrap(),
    );
    assert!(contact(&flat, &tall).is_some());
    let wrong = flat.corners().iter().any(|p| contains_point(&tall, *p))
        || tall.corners().iter().any(|p| contains_point(&flat, *p));
    assert!(!wrong);
}

#[test]
fn vertical_lines_have_a_point_and_a_direction() {
    let (a, b) = (vec3(2.0, 0.0, 0.0), vec3(2.0, 5.0, 0.0));
    let vertical = Line::through(a, b).unwrap();
    let level = Line::through([0.0, 3.0, 0.0], [1.0, 3.0, 0.0]).unwrap();
    let found = crossing_line_line(&vertical, &level, 0.0).unwrap();
    assert_eq!((found.on_a, found.meets), (vec3(2.0, 3.0, 0.0), true));
    let wrong_slope = (b.y - a.y) / (b.x - a.x);
    assert!(!wrong_slope.is_finite());
}

#[test]
fn the_normal_of_a_plane_is_its_coefficients() {
    // 2x − y + 2z + 6 = 0, so normal (2, −1, 2) and offset −6.
    let plane = Plane::new([2.0, -1.0, 2.0], -6.0).unwrap();
    let on = vec3(-3.0, 0.0, 0.0);
    assert_eq!(signed_distance(&plane, on).unwrap(), 0.0);
    assert_eq!(signed_distance(&plane, on + vec3(2.0, -1.0, 2.0)).unwrap(), 3.0);
    // With d for the offset it is another plane, and with d as a fourth component of the normal another distance.
    let wrong = Plane::new([2.0, -1.0, 2.0], 6.0).unwrap();
    assert_ne!(signed_distance(&wrong, on).unwrap(), 0.0);
    let off = on + vec3(2.0, -1.0, 2.0);
    let wrong = (2.0 * off.x - off.y + 2.0 * off.z + 6.0) / (4.0 + 1.0 + 4.0 + 36.0_f32).sqrt();
    assert!((wrong - 3.0).abs() > 1.0);
}

#[test]
fn a_ray_may_hit_where_it_starts() {
    let ground = Plane::new([0.0, 1.0, 0.0], 0.0).unwrap();
    let from_ground = Ray::new([1.0, 0.0, 0.0], [0.0, 1.0, 0.0]).unwrap();
    let found = crossing_plane(&from_ground, &ground);
    assert_eq!(found, Crossing::At { t: 0.0, point: vec3(1.0, 0.0, 0.0) });
    let Crossing::At { t, .. } = found else { unreachable!() };
    let wrong = t > 0.0;
    assert!(!wrong);
}

#[test]
fn a_projection_in_range_does_not_put_a_point_on_the_line() {
    let segment = Segment::new([0.0; 3], [4.0, 0.0, 0.0]).unwrap();
    let p = vec3(2.0, 1.0, 0.0);
    assert_eq!(closest_point(&segment, p).unwrap().distance, 1.0);
    assert!(!contains_point(&segment, p));
    let t = (p - segment.a()).dot(segment.b() - segment.a()) / 16.0;
    let wrong = (0.0..=1.0).contains(&t);
    assert!(wrong);
}

#[test]
fn the_whole_numerator_of_the_quadratic_formula_is_divided() {
    // t² 4 − t 20 + 24 = 0: a direction of length 2, the ball's surface at t = 2 and t = 3.
    let ball = Sphere::new([5.0, 0.0, 0.0], 1.0).unwrap();
    let hit = cast_ray(&Ray::new([0.0; 3], [2.0, 0.0, 0.0]).unwrap(), &ball).unwrap();
    assert_eq!((hit.t, hit.t_exit), (2.0, 3.0));
    let (a, b, c) = (4.0_f32, -20.0_f32, 24.0_f32);
    let right = (-b - (b * b - 4.0 * a * c).sqrt()) / (2.0 * a);
    let wrong = -b - (b * b - 4.0 * a * c).sqrt() / (2.0 * a);
    assert_eq!(right, hit.t);
    assert_ne!(wrong, hit.t);
}

#[test]
fn an_empty_box_is_beyond_all_numbers() {
    let far = vec3(3e9, 3e9, 3e9);
    let bounds = Aabb::EMPTY.merge_point(far).unwrap();
    assert_eq!((bounds.min(), bounds.max()), (far, far));
    let max_int = i32::MAX as f32;
    let wrong_min = Vec3::splat(max_int).min(far);
    assert_ne!(wrong_min, far);
}

#[test]
fn the_surface_point_of_a_centre_is_defined() {
    let ball = Sphere::new([1.0, 2.0, 3.0], 0.5).unwrap();
    let found = closest_surface_point(&ball, ball.center()).unwrap();
    assert_eq!((found.point, found.distance), (vec3(1.5, 2.0, 3.0), -0.5));
    let offset = ball.center() - ball.center();
    let wrong = ball.center() + offset / offset.length() * ball.radius();
    assert!(wrong.is_nan());
}
