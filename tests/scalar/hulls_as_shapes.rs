//! Hulls answer as the shapes whose corners they have.
//!
//! Shapes lie within 6 of the origin; `CLOSE` is what two answers in `f32` may differ by, by different ways.

use crate::properties::properties;
use crate::support::{aabb, config, plane, point, ray, segment, triangle};
use glam::Vec3;
use proptest::prelude::*;
use tangency::query::{cast_ray, closest_point, closest_surface_point, contact, contains_point, sat, side};
use tangency::shape::{Aabb, ConvexHull, Plane, Ray};

const CLOSE: f32 = 1e-4;

/// A hull of a box's corners answers as the box.
fn hull_as_box(hull: &ConvexHull, b: &Aabb, r: &Ray, p: Vec3) -> Result<(), TestCaseError> {
    let (found, expected) = (closest_point(hull, p).unwrap(), closest_point(b, p).unwrap());
    prop_assert!((found.distance - expected.distance).abs() < CLOSE && found.point.distance(expected.point) < CLOSE);
    let (found, expected) = (closest_surface_point(hull, p).unwrap(), closest_surface_point(b, p).unwrap());
    prop_assert!((found.distance - expected.distance).abs() < CLOSE, "{found:?} {expected:?}");
    prop_assert!((found.point.distance(p) - found.distance.abs()).abs() < CLOSE);
    prop_assert_eq!(contains_point(hull, p), contains_point(b, p));
    match (cast_ray(r, hull), cast_ray(r, b)) {
        (Some(x), Some(y)) => {
            prop_assert!((x.t - y.t).abs() < CLOSE && (x.t_exit - y.t_exit).abs() < CLOSE && x.inside == y.inside);
            prop_assert!(x.normal.distance(y.normal) < CLOSE || x.t_exit - x.t < CLOSE || grazes_edge(b, x.point));
        }
        (None, None) => {}
        (x, y) => prop_assert!(x.or(y).is_some_and(|hit| hit.t_exit - hit.t < CLOSE), "{x:?} {y:?}"),
    }
    Ok(())
}

/// Near an edge either face's normal will do.
fn grazes_edge(b: &Aabb, p: Vec3) -> bool {
    let near = |k: usize| (p[k] - b.min()[k]).abs() < CLOSE || (p[k] - b.max()[k]).abs() < CLOSE;
    (0..3).filter(|&k| near(k)).count() >= 2
}

properties! {
    #![proptest_config(config(2000))]

    #[test]
    fn hulls_of_boxes_are_boxes(b in aabb(), r in ray(), p in point(), h in plane(), t in triangle()) {
        let hull = ConvexHull::from_points(b.corners()).unwrap();
        hull_as_box(&hull, &b, &r, p)?;
        prop_assert_eq!(side(&hull, &h), side(&b, &h));
        prop_assert_eq!(contact(&hull, &h).map(|c| c.depth()), contact(&b, &h).map(|c| c.depth()));
        let (of_hull, of_box) = (contact(&hull, &t), contact(&b, &t));
        prop_assert_eq!(of_hull.is_some(), of_box.is_some());
        prop_assert!(of_hull.zip(of_box).is_none_or(|(x, y)| (x.depth() - y.depth()).abs() < 1e-5));
        // And the separating axes tell the same depth as EPA.
        let axis = sat(&b, &t).unwrap();
        prop_assert_eq!(axis.is_hit(), of_box.is_some());
        prop_assert!(of_box.is_none_or(|c| (c.depth() - axis.overlap).abs() < 1e-5));
    }

    #[test]
    fn flat_hulls_are_sheets(t in triangle(), r in ray(), s in segment()) {
        let hull = ConvexHull::from_points(t.corners()).unwrap();
        let (found, expected) = (cast_ray(&r, &hull), cast_ray(&r, &t));
        if let (Some(x), Some(y)) = (found, expected) {
            prop_assert!((x.t - y.t).abs() < CLOSE && x.normal.distance(y.normal) < CLOSE);
        }
        let rod = ConvexHull::from_points([s.a(), s.b()]).unwrap();
        let aimed = Ray::new(r.origin(), s.at(0.5) - r.origin()).unwrap();
        prop_assert_eq!(cast_ray(&aimed, &rod).is_some(), cast_ray(&aimed, &s).is_some());
    }
}

#[test]
fn a_hull_on_the_ground_stands_on_four_spread_corners() {
    let ring = (0..12).map(|i| f32::from(i as u8) * std::f32::consts::TAU / 12.0).map(|x| (x.cos(), x.sin()));
    let drum: Vec<[f32; 3]> = ring.flat_map(|(x, z)| [[x, -0.25, z], [x, 1.0, z]]).collect();
    let drum = ConvexHull::from_points(drum).unwrap();
    let found = contact(&drum, &Plane::new([0.0, 1.0, 0.0], 0.0).unwrap()).unwrap();
    assert_eq!((found.depth(), found.points().len()), (0.25, 4));
    let feet: Vec<Vec3> = found.points().iter().map(|p| p.on_a).collect();
    for (i, p) in feet.iter().enumerate() {
        assert!(feet[..i].iter().all(|q| q.distance(*p) > 0.9), "{feet:?}");
    }
}
