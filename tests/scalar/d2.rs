//! The shapes in the plane: exact relations, shifts that part, polygons of every form, and lines.

use crate::properties::properties;
use crate::support::sizes;
use glam::{DVec2, Vec2};
use proptest::prelude::*;
use tangency::d2::{
    self, Aabb2, Circle, Convex2, ConvexPolygon, Line2, LineLine, Obb2, Polygon, Segment2, SegmentSegment,
};
use tangency::{Error, Relation};

fn vector(reach: f32) -> impl Strategy<Value = Vec2> {
    prop::array::uniform2(-reach..reach).prop_map(Vec2::from_array)
}

fn obb2() -> impl Strategy<Value = Obb2> {
    (vector(1.5), prop::array::uniform2(prop_oneof![5 => 0.01f32..1.0, 1 => Just(0.0)]), -4.0f32..4.0)
        .prop_map(|(c, e, angle)| Obb2::new(c, e, angle).unwrap())
}

/// Corners on a small grid, so that touching is common.
fn grid_box() -> impl Strategy<Value = Aabb2> {
    prop::array::uniform4(0u8..6).prop_map(|[x, y, w, h]| {
        let min = Vec2::new(f32::from(x), f32::from(y));
        Aabb2::new(min, min + Vec2::new(f32::from(w), f32::from(h))).unwrap()
    })
}

fn convex() -> impl Strategy<Value = ConvexPolygon> {
    (prop::collection::vec(vector(1.0), 1..9), vector(1.0))
        .prop_map(|(points, by)| ConvexPolygon::from_points(points.into_iter().map(|p| p + by)).unwrap())
}

/// A polygon around a point, with corners at random distances: simple, and mostly concave.
fn star() -> impl Strategy<Value = Polygon> {
    (prop::collection::vec(0.2f32..1.0, 3..12), vector(1.2), 0.0f32..6.0).prop_filter_map(
        "simple",
        |(radii, by, turn)| {
            let n = radii.len() as f32;
            Polygon::new(
                radii
                    .iter()
                    .enumerate()
                    .map(|(i, r)| Vec2::from_angle(turn + std::f32::consts::TAU * i as f32 / n) * *r + by),
            )
            .ok()
        },
    )
}

/// The same with corners on a grid, where three on a line and touching are common.
fn grid_polygon() -> impl Strategy<Value = Polygon> {
    prop::collection::vec(prop::array::uniform2(0u8..5), 3..7)
        .prop_filter_map("simple", |p| Polygon::new(p.into_iter().map(|p| Vec2::from_array(p.map(f32::from)))).ok())
}

properties! {
    #[test]
    fn rectangles_meet_when_both_projections_do(a in grid_box(), b in grid_box()) {
        let x = d2::overlap_1d([a.min().x, a.max().x], [b.min().x, b.max().x]);
        let y = d2::overlap_1d([a.min().y, a.max().y], [b.min().y, b.max().y]);
        let relation = d2::intersect(&a, &b);
        prop_assert_eq!(relation.is_hit(), x.is_some() && y.is_some());
        prop_assert_eq!(d2::overlap_area(&a, &b), x.zip(y).map(|(w, h)| w * h));
        prop_assert_eq!(a.intersection(&b).map(|c| c.area()), d2::overlap_area(&a, &b));
        prop_assert_eq!(relation, d2::intersect(&b, &a));
        prop_assert_eq!(d2::sat(&a, &b).unwrap().is_hit(), relation.is_hit());
    }

    #[test]
    fn circles_and_boxes_through_the_closest_point(a in grid_box(), c in prop::array::uniform2(0u8..8), r in 0u8..6) {
        let center = Vec2::from_array(c.map(f32::from));
        let coin = Circle::new(center, f32::from(r)).unwrap();
        // On the grid all of this is exact in f32.
        let square = a.closest_point(center).distance_squared(center);
        let reach = f32::from(r) * f32::from(r);
        prop_assert_eq!(d2::intersect(&coin, &a).is_hit(), square <= reach);
        let other = Circle::new(a.min(), a.half_extents().x).unwrap();
        let sum = other.radius() + coin.radius();
        let expected = center.distance_squared(a.min()).partial_cmp(&(sum * sum)).unwrap();
        let relation = d2::intersect(&coin, &other);
        prop_assert_eq!(relation.is_hit(), expected.is_le());
        prop_assert_eq!(relation == Relation::Touching, expected.is_eq());
    }

    #[test]
    fn turned_rectangles_agree(a in obb2(), b in obb2()) {
        let (four, general) = (d2::sat_obb2_obb2(&a, &b).unwrap(), d2::sat(&a, &b).unwrap());
        prop_assert!((four.overlap - general.overlap).abs() < 1e-6, "{four:?} {general:?}");
        let exact = d2::intersect(&a, &b);
        if four.overlap.abs() > 1e-12 {
            prop_assert_eq!(four.is_hit(), exact.is_hit());
        }
        prop_assert_eq!(exact, d2::intersect(&b, &a));
        if four.is_hit() {
            let moved = |by: f32| Obb2::from_half_angle(b.center() + four.normal * by, b.half_extents(), b.half_angle()).unwrap();
            prop_assert_eq!(d2::intersect(&a, &moved(four.overlap + 1e-5)), Relation::Separate);
            if four.overlap > 1e-4 {
                prop_assert_eq!(d2::intersect(&a, &moved(four.overlap - 1e-5)), Relation::Overlapping);
            }
        }
        prop_assert!(a.corners().iter().all(|&c| a.aabb().contains_point(c) || !c.is_finite()));
    }

    #[test]
    fn convex_polygons_agree_with_the_exact_verdict(a in convex(), b in convex()) {
        let found = d2::sat(&a, &b).unwrap();
        let back = d2::sat(&b, &a).unwrap();
        prop_assert!((found.overlap - back.overlap).abs() < 1e-6);
        if let (Ok(p), Ok(q)) = (Polygon::new(a.vertices().iter().copied()), Polygon::new(b.vertices().iter().copied())) {
            if found.overlap.abs() > 1e-9 {
                prop_assert_eq!(d2::polygon_polygon(&p, &q), found.is_hit());
            }
            prop_assert!(p.is_convex() && p.convex_parts().len() == 1);
            if let Some(contact) = d2::polygon_contact(&p, &q) {
                prop_assert!((contact.overlap - found.overlap.max(0.0)).abs() < 1e-6);
            }
        }
        if found.is_hit() {
            let shifted = ConvexPolygon::from_points(b.vertices().iter().map(|&v| v + found.normal * (found.overlap + 1e-5))).unwrap();
            prop_assert!(!d2::sat(&a, &shifted).unwrap().is_hit());
        }
    }

    #[test]
    fn shifts_survive_rigid_motion(a in prop::collection::vec(vector(1.0), 3..8), b in prop::collection::vec(vector(1.0), 3..8), angle in 0.0f32..6.0, by in vector(5.0)) {
        let hull = |points: &[Vec2], turn: Vec2, by: Vec2| ConvexPolygon::from_points(points.iter().map(|&p| turn.rotate(p) + by)).unwrap();
        let still = d2::sat(&hull(&a, Vec2::X, Vec2::ZERO), &hull(&b, Vec2::X, Vec2::ZERO)).unwrap();
        let turn = Vec2::from_angle(angle);
        let moved = d2::sat(&hull(&a, turn, by), &hull(&b, turn, by)).unwrap();
        prop_assert!((still.overlap - moved.overlap).abs() < 1e-5);
    }

    #[test]
    fn parts_make_up_the_polygon(polygon in prop_oneof![star(), grid_polygon()], p in vector(2.0)) {
        let parts = polygon.convex_parts();
        let area: f64 = parts.iter().map(ConvexPolygon::area).sum();
        prop_assert!((area - polygon.area()).abs() < 1e-9, "{area} {}", polygon.area());
        prop_assert_eq!(parts.iter().any(|part| part.contains_point(p)), polygon.contains_point(p));
        for part in &parts {
            let own = Polygon::new(part.vertices().iter().copied()).unwrap();
            prop_assert!(own.is_convex());
        }
        prop_assert_eq!(polygon.is_convex(), parts.len() == 1);
    }

    #[test]
    fn both_ways_for_concave_polygons_agree(a in prop_oneof![star(), grid_polygon()], b in prop_oneof![star(), grid_polygon()]) {
        let edges = d2::polygon_polygon(&a, &b);
        prop_assert_eq!(edges, d2::polygon_polygon(&b, &a));
        let (parts_a, parts_b) = (a.convex_parts(), b.convex_parts());
        let deepest = parts_a.iter().flat_map(|p| parts_b.iter().map(|q| d2::sat(p, q).unwrap().overlap)).fold(f32::MIN, f32::max);
        if deepest.abs() > 1e-9 {
            prop_assert_eq!(edges, deepest > 0.0);
        }
        prop_assert_eq!(d2::polygon_contact(&a, &b).is_some(), edges);
    }

    #[test]
    fn lines_cross_where_both_say(p in vector(5.0), d in vector(1.0), q in vector(5.0), e in vector(1.0)) {
        prop_assume!(d.perp_dot(e).abs() > 1e-2);
        let (a, b) = (Line2::new(p, d).unwrap(), Line2::new(q, e).unwrap());
        let LineLine::Point { point, s, t } = d2::line_line(&a, &b) else { return Err(TestCaseError::fail("they cross")) };
        prop_assert!(a.at(s).abs_diff_eq(point, 1e-3) && b.at(t).abs_diff_eq(point, 1e-3));
    }

    #[test]
    fn lines_through_a_common_point_of_the_grid(p in prop::array::uniform2(-8i8..8), d in prop::array::uniform2(-8i8..8), k in -8i8..8, f in prop_oneof![Just(-2i8), Just(3)]) {
        let v = |a: [i8; 2]| Vec2::from_array(a.map(f32::from));
        prop_assume!(d != [0, 0]);
        let a = Line2::new(v(p), v(d)).unwrap();
        let same = Line2::new(v(p) + v(d) * f32::from(k), v(d) * f32::from(f)).unwrap();
        prop_assert_eq!(d2::line_line(&a, &same), LineLine::Coincident);
        let beside = Line2::new(v(p) + v(d).perp(), v(d)).unwrap();
        prop_assert_eq!(d2::line_line(&a, &beside), LineLine::Parallel);
    }

    #[test]
    fn segments_have_in_common_what_their_ends_say(a in prop::array::uniform4(0i8..6), b in prop::array::uniform4(0i8..6)) {
        let segment = |s: [i8; 4]| {
            let [x, y, z, w] = s.map(f32::from);
            Segment2::new([x, y], [z, w]).unwrap()
        };
        let (s, t) = (segment(a), segment(b));
        let (found, back) = (d2::segment_segment(&s, &t), d2::segment_segment(&t, &s));
        prop_assert_eq!(std::mem::discriminant(&found), std::mem::discriminant(&back));
        // The oracle: do the hulls of the two, as polygons, meet?
        let polygon = |s: &Segment2| ConvexPolygon::from_points([s.start(), s.end()]).unwrap();
        let (p, q) = (polygon(&s), polygon(&t));
        prop_assert_eq!(found != SegmentSegment::Separate, d2::sat(&p, &q).unwrap().is_hit(), "{:?}", found);
        match found {
            SegmentSegment::Overlap(common) => prop_assert!(
                [common.start(), common.end()].iter().all(|&e| p.contains_point(e) && q.contains_point(e)) && common.length() > 0.0
            ),
            SegmentSegment::Point(point) => {
                let near = |s: &Segment2| distance_to(s, point) < 1e-5;
                prop_assert!(near(&s) && near(&t), "{}", point);
            }
            SegmentSegment::Separate => {}
        }
    }

    #[test]
    fn numbers_of_every_size(c in prop::array::uniform2(sizes()), e in prop::array::uniform2(sizes()), h in prop::array::uniform2(sizes()), points in prop::collection::vec(prop::array::uniform2(sizes()), 1..6)) {
        let polygon = ConvexPolygon::from_points(points.iter().copied()).unwrap();
        prop_assert!(points.iter().all(|&p| polygon.contains_point(p)));
        prop_assert!(polygon.area() >= 0.0 && polygon.area().is_finite());
        if let Ok(obb) = Obb2::from_half_angle(c, e.map(f32::abs), h) {
            for found in [d2::sat(&obb, &polygon), d2::sat_obb2_obb2(&obb, &obb), d2::sat(&polygon, &polygon)] {
                let found = found.unwrap();
                prop_assert!(found.overlap.is_finite() && (found.normal.length() - 1.0).abs() < 1e-5, "{found:?}");
            }
            prop_assert!(obb.contains_point(c));
            prop_assert!(obb.aabb().contains_point(c));
        }
        if let Ok(polygon) = Polygon::new(points.iter().copied()) {
            prop_assert!(d2::polygon_polygon(&polygon, &polygon));
            prop_assert!(d2::polygon_contact(&polygon, &polygon).is_some());
        }
        if let (Ok(a), Ok(b)) = (Line2::new(c, e), Line2::new(points[0], h))
            && let LineLine::Point { point, .. } = d2::line_line(&a, &b)
        {
            prop_assert!(point.is_finite());
        }
        let (s, t) = (Segment2::new(c, e).unwrap(), Segment2::new(points[0], h).unwrap());
        if let SegmentSegment::Point(point) = d2::segment_segment(&s, &t) {
            prop_assert!(point.is_finite());
        }
    }
}

fn distance_to(s: &Segment2, p: Vec2) -> f64 {
    let (a, b, p): (DVec2, DVec2, DVec2) = (s.start().as_dvec2(), s.end().as_dvec2(), p.as_dvec2());
    let t = if a == b { 0.0 } else { ((p - a).dot(b - a) / (b - a).length_squared()).clamp(0.0, 1.0) };
    p.distance(a + (b - a) * t)
}

#[test]
fn what_makes_no_shape_is_refused() {
    assert_eq!(Polygon::new([[0.0, 0.0], [1.0, 0.0]]).unwrap_err(), Error::TooFewPoints { needed: 3, found: 2 });
    let bow_tie = Polygon::new([[0.0, 0.0], [1.0, 1.0], [1.0, 0.0], [0.0, 1.0]]).unwrap_err();
    assert_eq!(bow_tie, Error::NotSimple { first: 0, second: 2 });
    assert!(Polygon::new([[0.0, 0.0], [1.0, 0.0], [2.0, 0.0]]).is_err());
    assert!(Polygon::new([[0.0, 0.0], [1.0, 0.0], [1.0, 0.0], [0.0, 1.0]]).is_err());
    assert_eq!(Line2::new([0.0, 0.0], [0.0, -0.0]).unwrap_err(), Error::ZeroDirection);
    assert_eq!(Obb2::from_half_angle([0.0; 2], [1.0; 2], [0.0; 2]).unwrap_err(), Error::ZeroRotation);
    assert!(Obb2::new([0.0; 2], [-1.0, 1.0], 0.0).is_err() && Circle::new([0.0; 2], -1.0).is_err());
    assert!(Aabb2::new([1.0, 0.0], [0.0, 1.0]).is_err() && Segment2::new([f32::NAN, 0.0], [0.0; 2]).is_err());
}

#[test]
fn borders_belong_to_polygons() {
    let arrow = Polygon::new([[0.0, 0.0], [4.0, 2.0], [0.0, 4.0], [1.0, 2.0]]).unwrap();
    for on in [[0.0, 0.0], [4.0, 2.0], [1.0, 2.0], [2.0, 1.0], [0.5, 1.0]] {
        assert!(arrow.contains_point(on), "{on:?}");
    }
    assert!(!arrow.contains_point([0.5, 2.0]) && arrow.contains_point([1.5, 2.0]) && !arrow.contains_point([5.0, 2.0]));
    // Clockwise is turned around.
    let clockwise = Polygon::new([[1.0, 2.0], [0.0, 4.0], [4.0, 2.0], [0.0, 0.0]]).unwrap();
    assert_eq!(clockwise.area(), arrow.area());
    assert!(arrow.area() > 0.0 && Convex2::corners_f64(&arrow.convex_parts()[0]).len() == 3);
}
