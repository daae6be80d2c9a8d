//! Where the seed documents are wrong: the right behaviour, and that the formula as written there would have failed.
//! The number in each name is the document's.

use glam::{DVec3, Mat3, Vec2, Vec3};
use tangency::d2::{self, Aabb2, Circle, ConvexPolygon, Line2, LineLine, Obb2, Polygon, Segment2, SegmentSegment};
use tangency::query::{self, Axis, Motion, Polyhedron, Support};
use tangency::response::reflect;
use tangency::shape::{Aabb, ConvexHull, Obb, Segment, Sphere, fit};
use tangency::{Relation, glam::Quat};

#[test]
fn e001_touching_rectangles_meet() {
    let (a, b) = (Aabb2::new([0.0; 2], [1.0; 2]).unwrap(), Aabb2::new([1.0, 0.0], [2.0, 1.0]).unwrap());
    let seed = a.max().x > b.min().x && b.max().x > a.min().x && a.max().y > b.min().y && b.max().y > a.min().y;
    assert!(!seed);
    assert_eq!(d2::intersect(&a, &b), Relation::Touching);
    assert_eq!(d2::overlap_area(&a, &b), Some(0.0));
}

#[test]
fn e001_touching_circles_and_rectangles_meet() {
    let (coin, square) = (Circle::new([4.0, 5.0], 5.0).unwrap(), Aabb2::new([0.0; 2], [1.0; 2]).unwrap());
    let difference = square.closest_point(coin.center()) - coin.center();
    let seed = difference.dot(difference) < coin.radius() * coin.radius();
    assert!(!seed);
    assert_eq!(d2::intersect(&coin, &square), Relation::Touching);
    // The same strict sign stands in 002 and 004 for two circles.
    let other = Circle::new([4.0, 12.0], 2.0).unwrap();
    let seed = coin.center().distance(other.center()) < coin.radius() + other.radius();
    assert!(!seed);
    assert_eq!(d2::intersect(&coin, &other), Relation::Touching);
}

#[test]
fn e001_the_dot_product_with_itself_is_the_square() {
    let (coin, square) = (Circle::new([3.0, 0.5], 2.5).unwrap(), Aabb2::new([0.0; 2], [1.0; 2]).unwrap());
    let difference = square.closest_point(coin.center()) - coin.center();
    // "The magnitude of the vector is just the dot product of a vector and itself."
    let seed_magnitude = difference.dot(difference);
    assert!(seed_magnitude > coin.radius(), "the seed's words would miss");
    assert_eq!(d2::intersect(&coin, &square), Relation::Overlapping);
}

#[test]
fn e001_the_swept_ball_has_the_larger_radius() {
    let (start, end) = (Sphere::new([0.0; 3], 1.0).unwrap(), Sphere::new([10.0, 0.0, 0.0], 3.0).unwrap());
    let far_side = f64::from(end.center().x + end.radius());
    // "Half of the total distance, plus whatever the radii are": with the ball's own radius at the start, too small.
    let seed_radius = 5.0 + 1.0;
    assert!(5.0 + seed_radius < far_side);
    let way = query::swept_sphere(&start, &end).unwrap();
    assert!(f64::from(way.center().x) + f64::from(way.radius()) >= far_side);
    assert!((8.0..8.00001).contains(&way.radius()));
}

/// The motion of a point through a gate, as the seed's bisection sees it: bounding circles of halves.
fn bounding_circle_hit(from: f32, to: f32, wall: &Aabb2) -> bool {
    let circle = Circle::new([f32::midpoint(from, to), 0.0], (to - from).abs() / 2.0 + 0.1).unwrap();
    d2::intersect(&circle, wall).is_hit()
}

#[test]
fn e001_a_miss_in_the_first_half_proves_nothing_of_the_second() {
    // Beside the way: the bounding circle of the whole motion meets the wall, that of neither half does.
    let wall = Aabb2::new([4.9, 3.0], [5.1, 4.0]).unwrap();
    assert!(bounding_circle_hit(0.0, 10.0, &wall));
    assert!(!bounding_circle_hit(0.0, 5.0, &wall) && !bounding_circle_hit(5.0, 10.0, &wall));
    // "If it doesn't, then we know it happens in the OTHER half."
    let seed = |mut from: f32, mut to: f32| {
        while to - from > 1e-3 {
            let middle = f32::midpoint(from, to);
            if bounding_circle_hit(from, middle, &wall) { to = middle } else { from = middle }
        }
        true
    };
    assert!(seed(0.0, 10.0), "the seed reports a collision that does not happen");
    let ball = Sphere::new([0.0; 3], 0.1).unwrap();
    let solid = Aabb::new([4.9, 3.0, -1.0], [5.1, 4.0, 1.0]).unwrap();
    for turn in [[0.0; 3], [0.0, 0.0, 1.0]] {
        assert!(query::sweep(&ball, &Motion::new([10.0, 0.0, 0.0], turn).unwrap(), &solid, &Motion::REST).is_none());
    }
}

#[test]
fn e001_a_hit_of_a_half_s_circle_proves_no_collision_in_it() {
    // Its tip stands beside the first half, where the circle meets it but the ball does not; the collision is in the second.
    let both = ConvexHull::from_points([[2.5, 1.0, 0.0], [9.0, -1.0, 0.0], [9.0, 1.0, 0.0]]).unwrap();
    let ball = Sphere::new([0.0; 3], 0.1).unwrap();
    let circle_hit = |from: f32, to: f32| {
        let circle = Sphere::new([f32::midpoint(from, to), 0.0, 0.0], (to - from) / 2.0 + ball.radius()).unwrap();
        query::gjk_hit(&circle, &both)
    };
    // "If the new test collides, then we know the collision happens in the FIRST half": so the second is never looked at.
    assert!(circle_hit(0.0, 5.0));
    let (mut from, mut to) = (0.0, 10.0);
    while to - from > 1e-3 {
        let middle = f32::midpoint(from, to);
        if circle_hit(from, middle) { to = middle } else { from = middle }
    }
    assert!(to <= 5.0, "the seed ends in the first half, at {to}");
    assert!(!query::gjk_hit(&ball.translate([to, 0.0, 0.0]).unwrap(), &both));
    for turn in [[0.0; 3], [0.0, 0.0, 0.5]] {
        let hit = query::sweep(&ball, &Motion::new([10.0, 0.0, 0.0], turn).unwrap(), &both, &Motion::REST).unwrap();
        assert!(hit.time > 0.5, "{hit:?}");
    }
}

#[test]
fn e002_the_separating_test_needs_the_absolute_value() {
    let (a, b) = (Obb2::new([0.0; 2], [1.0; 2], 0.0).unwrap(), Obb2::new([-5.0, 0.0], [1.0; 2], 0.0).unwrap());
    let axes = [Vec2::X, Vec2::Y];
    let t = b.center() - a.center();
    let seed_separated = axes.iter().any(|l| t.dot(*l) > 2.0);
    assert!(!seed_separated, "without |T·L| nothing to the left is ever separate");
    assert_eq!(d2::sat_obb2_obb2(&a, &b).unwrap().overlap, -3.0);
    assert_eq!(d2::intersect(&a, &b), Relation::Separate);
}

#[test]
fn e003_the_overlap_of_nested_intervals_is_not_their_common_length() {
    // A thin post through the middle of a wide plate: the way out along x is 5.5, not the post's width.
    let plate = Obb2::new([0.0; 2], [5.0, 3.0], 0.0).unwrap();
    let post = Obb2::new([0.0; 2], [0.5, 4.0], 0.0).unwrap();
    let seed = |min_a: f32, max_a: f32, min_b: f32, max_b: f32| max_a.min(max_b) - min_a.max(min_b);
    assert_eq!(seed(-5.0, 5.0, -0.5, 0.5), 1.0, "the seed would shift by 1 and leave them overlapping");
    let found = d2::sat_obb2_obb2(&plate, &post).unwrap();
    assert_eq!(found.overlap, 5.5);
    let shifted = |by: f32| d2::intersect(&plate, &Obb2::new([by, 0.0], [0.5, 4.0], 0.0).unwrap());
    assert_eq!((shifted(1.0), shifted(5.5)), (Relation::Overlapping, Relation::Touching));
    let general = d2::sat(&plate, &post).unwrap();
    assert_eq!(general.overlap, 5.5);
    let (solid_plate, solid_post) = (
        Aabb::new([-5.0, -3.0, -9.0], [5.0, 3.0, 9.0]).unwrap(),
        Aabb::new([-0.5, -4.0, -9.0], [0.5, 4.0, 9.0]).unwrap(),
    );
    assert_eq!(query::sat(&solid_plate, &solid_post).unwrap().overlap, 5.5);
    assert_eq!(query::epa(&solid_plate, &solid_post).unwrap().depth, 5.5);
}

#[test]
fn e003_cross_products_are_normalised_and_dropped_when_parallel() {
    let a = Obb::new([0.0; 3], [1.0; 3], Quat::IDENTITY).unwrap();
    let b = Obb::new([1.5, 0.2, 0.1], [1.0; 3], Quat::from_rotation_z(1e-3)).unwrap();
    // The cross product of nearly parallel edges is short, and the overlap along it as it stands looks small.
    let short = a.axes()[0].cross(b.axes()[0]);
    let reach = |o: &Obb| o.axes().iter().map(|x| x.dot(short).abs()).sum::<f64>();
    let seed = reach(&a) + reach(&b) - (b.center() - a.center()).as_dvec3().dot(short).abs();
    let right = query::sat(&a, &b).unwrap();
    assert!(seed < 0.01 && right.overlap > 0.4, "{seed} {right:?}");
    assert!(matches!(right.axis, Axis::FaceA(0) | Axis::FaceB(0)));
    // Parallel edges: the zero axis would report an overlap of zero.
    let parallel = Obb::new([1.5, 0.0, 0.0], [1.0; 3], Quat::IDENTITY).unwrap();
    assert_eq!(a.axes()[0].cross(parallel.axes()[0]), DVec3::ZERO);
    assert_eq!(query::sat(&a, &parallel).unwrap().overlap, 0.5);
}

#[test]
fn e003_closed_sets_in_the_axis_test() {
    let (a, b) = (Obb2::new([0.0; 2], [1.0; 2], 0.0).unwrap(), Obb2::new([2.0, 0.5], [1.0; 2], 0.0).unwrap());
    // maxA > minB and minA < maxB
    let seed = a.center().x + 1.0 > b.center().x - 1.0 && a.center().x - 1.0 < b.center().x + 1.0;
    assert!(!seed);
    assert!(d2::sat_obb2_obb2(&a, &b).unwrap().is_hit() && d2::sat(&a, &b).unwrap().is_hit());
    let touching = Aabb::new([1.0; 3], [2.0; 3]).unwrap();
    let unit = Aabb::new([0.0; 3], [1.0; 3]).unwrap();
    let seed = unit.max().cmpgt(touching.min()).all() && unit.min().cmplt(touching.max()).all();
    assert!(!seed);
    assert!(query::sat(&unit, &touching).unwrap().is_hit() && query::gjk_hit(&unit, &touching));
}

#[test]
fn e000_crossing_boxes_without_a_corner_in_each_other() {
    let (lying, standing) =
        (Obb2::new([0.0; 2], [3.0, 0.5], 0.2).unwrap(), Obb2::new([0.0; 2], [0.5, 3.0], 0.2).unwrap());
    let seed = lying.corners().iter().any(|&c| standing.contains_point(c))
        || standing.corners().iter().any(|&c| lying.contains_point(c));
    assert!(!seed);
    assert_eq!(d2::intersect(&lying, &standing), Relation::Overlapping);
    assert!(d2::sat(&lying, &standing).unwrap().is_hit());
    let (x, y) =
        (ConvexPolygon::from_points(lying.corners()).unwrap(), ConvexPolygon::from_points(standing.corners()).unwrap());
    assert!(d2::sat(&x, &y).unwrap().is_hit());
}

#[test]
fn e002_polyhedra_need_the_cross_products_of_edges() {
    let mut state = 1u64;
    let mut random = || {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (state >> 40) as f32 / (1 << 24) as f32 * 2.0 - 1.0
    };
    let mut tetrahedron =
        |by: f32| ConvexHull::from_points((0..4).map(|_| Vec3::new(random() + by, random(), random()))).unwrap();
    // The widest gap over the given axes; at most 0 when none separates.
    let widest = |a: &ConvexHull, b: &ConvexHull, axes: &[DVec3]| {
        let span = |h: &ConvexHull, l: DVec3| {
            let along = h.corners_f64().into_iter().map(move |c| c.dot(l));
            (along.clone().fold(f64::INFINITY, f64::min), along.fold(f64::NEG_INFINITY, f64::max))
        };
        axes.iter().filter(|l| l.length() > 1e-6).copied().map(DVec3::normalize).fold(f64::NEG_INFINITY, |m, l| {
            let ((la, ha), (lb, hb)) = (span(a, l), span(b, l));
            m.max(lb - ha).max(la - hb)
        })
    };
    let mut failures = 0;
    for _ in 0..5000 {
        let (a, b) = (tetrahedron(0.0), tetrahedron(1.2));
        let (na, nb) = (a.face_normals(), b.face_normals());
        let mut seed_axes = [na.clone(), nb.clone()].concat();
        seed_axes.extend(na.iter().flat_map(|x| nb.iter().map(|y| x.cross(*y))));
        let seed_separates = widest(&a, &b, &seed_axes) > 0.0;
        let gap = query::gjk(&a, &b).unwrap().distance;
        let right = query::sat(&a, &b).unwrap();
        if gap > 1e-4 {
            assert!(!right.is_hit(), "{gap} {right:?}");
            failures += usize::from(!seed_separates);
        } else if gap == 0.0 {
            assert!(right.overlap > -1e-6);
        }
    }
    assert!(failures > 0, "crossing face normals fails for some separate pair");
}

#[test]
fn e002_the_parts_of_a_concave_shape_are_convex() {
    let corner = Polygon::new([[0.0, 0.0], [3.0, 0.0], [3.0, 1.0], [1.0, 1.0], [1.0, 3.0], [0.0, 3.0]]).unwrap();
    let notch = Polygon::new([[1.5, 1.5], [2.5, 1.5], [2.5, 2.5], [1.5, 2.5]]).unwrap();
    // The axis test on the whole, as if it were convex, sees its hull and reports a hit.
    let hull = |p: &Polygon| ConvexPolygon::from_points(p.vertices().iter().copied()).unwrap();
    assert!(d2::sat(&hull(&corner), &hull(&notch)).unwrap().is_hit());
    assert!(!d2::polygon_polygon(&corner, &notch) && d2::polygon_contact(&corner, &notch).is_none());
    for part in corner.convex_parts() {
        assert!(Polygon::new(part.vertices().iter().copied()).unwrap().is_convex());
        assert!(!d2::sat(&part, &hull(&notch)).unwrap().is_hit());
    }
}

#[test]
fn e004_the_line_case_of_gjk_crosses_twice() {
    let (a, b) = (DVec3::new(-1.0, 1.0, 0.0), DVec3::new(1.0, 1.0, 0.0));
    let (ab, ao) = (b - a, -a);
    let seed = ab.cross(ao);
    assert_eq!(seed.dot(ao), 0.0, "one cross product is perpendicular to the way to the origin: no progress");
    let right = seed.cross(ab);
    assert!(right.dot(ao) > 0.0 && right.dot(ab) == 0.0);
    // Two segments whose difference starts as such a line.
    let bar = ConvexHull::from_points([[-1.0, 1.0, 0.0], [1.0, 1.0, 0.0]]).unwrap();
    let gap = query::gjk(&bar, &Sphere::new([0.0; 3], 0.0).unwrap()).unwrap();
    assert_eq!((gap.distance, gap.point_a), (1.0, Vec3::Y));
}

#[test]
fn e004_the_vertex_to_drop_is_the_one_opposite_the_face_not_the_farthest() {
    // The origin lies beyond the face without `near`; the farthest corner is part of that face and must stay.
    let near = DVec3::new(0.0, 0.0, 2.0);
    let face = [DVec3::new(-9.0, -1.0, 1.0), DVec3::new(1.0, -1.0, 1.0), DVec3::new(1.0, 2.0, 1.0)];
    let farthest = face.iter().chain([&near]).max_by(|x, y| x.length().total_cmp(&y.length())).unwrap();
    assert_ne!(*farthest, near, "the seed would drop a corner of the nearest face");
    let without: Vec<DVec3> = face.into_iter().filter(|c| c != farthest).chain([near]).collect();
    let seed = ConvexHull::from_points(without.iter().map(|c| c.as_vec3())).unwrap();
    let all = ConvexHull::from_points(face.into_iter().chain([near]).map(DVec3::as_vec3)).unwrap();
    let origin = Sphere::new([0.0; 3], 0.0).unwrap();
    let right = query::gjk(&all, &origin).unwrap().distance;
    assert_eq!(right, 1.0);
    assert!(query::gjk(&seed, &origin).unwrap().distance > 1.1);
}

#[test]
fn e004_a_zero_dot_product_is_a_hit() {
    let (a, b) = (Aabb::new([0.0; 3], [1.0; 3]).unwrap(), Aabb::new([1.0, 0.0, 0.0], [2.0, 1.0, 1.0]).unwrap());
    // The farthest point of A ⊖ B along x lies at the origin: "past the origin (has a + dot product)" is false.
    let farthest = a.max().x - b.min().x;
    let seed_goes_on = farthest > 0.0;
    assert!(!seed_goes_on);
    assert!(query::gjk_hit(&a, &b));
    assert_eq!(query::epa(&a, &b).unwrap().depth, 0.0);
}

#[test]
fn e004_equal_questions_get_equal_answers() {
    let a = Obb::new([0.0; 3], [1.0, 2.0, 3.0], Quat::from_xyzw(0.1, 0.2, 0.3, 0.4)).unwrap();
    let b = Obb::new([2.0, 1.0, 0.5], [1.0, 1.0, 1.0], Quat::from_xyzw(0.4, 0.3, 0.2, 0.1)).unwrap();
    assert_eq!(query::gjk(&a, &b), query::gjk(&a, &b));
    assert_eq!(query::epa(&a, &b), query::epa(&a, &b));
    // Two rods side by side have many nearest points. GJK in two steps, which are enough here, from a start as drawn.
    let rod = |x: f32, from: f32, to: f32| Segment::new([x, from, 0.0], [x, to, 0.0]).unwrap();
    let (long, short) = (rod(0.0, 0.0, 4.0), rod(2.0, 1.0, 2.0));
    let seed = |start: DVec3| {
        let first = (long.core_support(start), short.core_support(-start));
        let to_origin = first.1 - first.0;
        let next = (long.core_support(to_origin), short.core_support(-to_origin));
        let (p, q) = (first.0 - first.1, next.0 - next.1);
        let part = -p.dot(q - p) / (q - p).length_squared();
        (p.lerp(q, part).length(), first.0.lerp(next.0, part))
    };
    let (one, other) = (seed(DVec3::X), seed(DVec3::Y));
    assert!((one.0 - 2.0).abs() < 1e-12 && (other.0 - 2.0).abs() < 1e-12);
    assert!(one.1.distance(other.1) > 0.5, "both are right, and they are not the same");
    let found = query::gjk(&long, &short).unwrap();
    assert_eq!((found.distance, Some(found)), (2.0, query::gjk(&long, &short)));
}

#[test]
fn e004_edges_do_not_see_a_shape_inside_another() {
    let outer = Polygon::new([[0.0, 0.0], [9.0, 0.0], [9.0, 9.0], [0.0, 9.0]]).unwrap();
    let inner = Polygon::new([[4.0, 4.0], [5.0, 4.0], [4.5, 5.0]]).unwrap();
    let seed = outer.edges().any(|(p, q)| {
        let edge = Segment2::new(p, q).unwrap();
        inner
            .edges()
            .any(|(r, s)| d2::segment_segment(&edge, &Segment2::new(r, s).unwrap()) != SegmentSegment::Separate)
    });
    assert!(!seed);
    assert!(d2::polygon_polygon(&outer, &inner) && d2::polygon_polygon(&inner, &outer));
    assert!(d2::polygon_contact(&outer, &inner).is_some());
}

#[test]
fn e004_vertical_lines_are_lines() {
    let (vertical, slope) = (Line2::new([3.0, 0.0], [0.0, 1.0]).unwrap(), Line2::new([0.0, 1.0], [1.0, 0.5]).unwrap());
    // m = dy / dx
    let m0 = vertical.direction().y / vertical.direction().x;
    let seed_x = (1.0 - (0.0 - m0 * 3.0)) / (m0 - 0.5);
    assert!(!seed_x.is_finite());
    assert_eq!(d2::line_line(&vertical, &slope), LineLine::Point { point: Vec2::new(3.0, 2.5), s: 2.5, t: 3.0 });
}

#[test]
fn e004_the_quadratic_formula_has_parentheses() {
    // Balls of radius 1 that start 10 apart and close at 16: |10 − 16 t| = 2.
    let (a, b, c) = (256.0f64, -320.0, 96.0);
    let seed = -b - (b * b - 4.0 * a * c).sqrt() / 2.0 * a;
    assert!(!(0.0..=1.0).contains(&seed));
    let (x, y) = (Sphere::new([0.0; 3], 1.0).unwrap(), Sphere::new([10.0, 0.0, 0.0], 1.0).unwrap());
    let motion = Motion::translation([16.0, 0.0, 0.0]).unwrap();
    let time = query::sweep_sphere_sphere(&x, &motion, &y, &Motion::REST).unwrap();
    assert_eq!(time, (-b - (b * b - 4.0 * a * c).sqrt()) / (2.0 * a));
    assert_eq!(time, 0.5);
}

#[test]
fn e000_the_centroid_is_the_arithmetic_mean() {
    let points = [Vec3::new(-1.0, 2.0, 0.0), Vec3::new(-3.0, 4.0, 0.0), Vec3::new(-2.0, 3.0, 0.0)];
    let geometric = points.iter().map(|p| p.x).product::<f32>().powf(1.0 / 3.0);
    assert!(geometric.is_nan(), "there is no geometric mean of negative coordinates");
    let fitted = fit::pca_obb(&points).unwrap();
    assert!(fitted.center().abs_diff_eq(Vec3::new(-2.0, 3.0, 0.0), 1e-5));
}

#[test]
fn e000_principal_axes_are_right_handed() {
    // A mirrored frame is no rotation: glam's quaternion of it does not turn x, y, z into its columns.
    let mirrored = Mat3::from_cols(Vec3::Y, Vec3::X, Vec3::Z);
    assert!(mirrored.determinant() < 0.0);
    let seed = Quat::from_mat3(&mirrored);
    assert!(
        !(seed * Vec3::X).abs_diff_eq(Vec3::Y, 1e-3)
            || !(seed * Vec3::Y).abs_diff_eq(Vec3::X, 1e-3)
            || !(seed * Vec3::Z).abs_diff_eq(Vec3::Z, 1e-3)
    );
    // Longest along y, then x, then z: sorting by size mirrors.
    let brick = Aabb::new([-2.0, -3.0, -1.0], [2.0, 3.0, 1.0]).unwrap();
    let fitted = fit::pca_obb(&brick.corners()).unwrap();
    let [x, y, z] = fitted.axes();
    assert!((x.cross(y).dot(z) - 1.0).abs() < 1e-12);
    assert!(fitted.half_extents().abs_diff_eq(Vec3::new(3.0, 2.0, 1.0), 1e-4), "{fitted:?}");
}

#[test]
fn e000_what_leaves_the_wall_is_not_reflected() {
    let (leaving, normal) = (Vec3::new(1.0, 2.0, 0.0), Vec3::Y);
    let seed = leaving - 2.0 * leaving.dot(normal) * normal;
    assert_eq!(seed, Vec3::new(1.0, -2.0, 0.0), "the seed would turn it back into the wall");
    assert_eq!(reflect(leaving, normal), leaving);
}
