//! Ray casts, and where lines cross planes and each other.

use crate::properties::properties;
use std::cmp::Ordering;

use crate::support::{
    Motion, Moved, aabb, capsule, direction, hull, motion, obb, parallelogram, plane, point, ray, segment, sphere,
    triangle,
};
use glam::Vec3;
use proptest::prelude::*;
use tangency::query::{
    CastRay, ClosestPoint, Crossing, LineKind, cast_ray, closest_point, closest_surface_point, contains_point,
    crossing_line_line, crossing_plane, crossing_ray_ray, side_of_point, signed_distance,
};
use tangency::shape::{BoundedLine, ConvexHull, Line, Plane, Ray, Segment};

const TOLERANCE: f32 = 2e-5;

/// The hit lies on the surface, nothing before it belongs to the shape, and a miss stays clear of it.
fn check_solid<S: CastRay + ClosestPoint>(ray: &Ray, shape: &S) -> Result<(), TestCaseError> {
    let distance = |t: f32| closest_surface_point(shape, ray.at(t)).unwrap().distance;
    let Some(hit) = cast_ray(ray, shape) else {
        for step in 0_u8..64 {
            prop_assert!(distance(f32::from(step) * 0.1) > -TOLERANCE);
        }
        return Ok(());
    };
    prop_assert!(hit.t >= 0.0 && hit.t <= hit.t_exit && (hit.normal.length() - 1.0).abs() < 1e-5);
    prop_assert!(hit.normal.dot(ray.direction()) <= TOLERANCE, "{hit:?}");
    prop_assert!(hit.point.distance(ray.at(hit.t)) < TOLERANCE);
    prop_assert!(distance(hit.t_exit).abs() < TOLERANCE, "{hit:?}");
    if hit.inside {
        prop_assert_eq!((hit.t, hit.point), (0.0, ray.origin()));
        prop_assert!(distance(0.0) < TOLERANCE);
    } else {
        prop_assert!(distance(hit.t).abs() < TOLERANCE, "{hit:?}");
        for step in 0_u8..16 {
            prop_assert!(distance(hit.t * f32::from(step) / 16.0) > -TOLERANCE, "{hit:?}");
            let within = hit.t + (hit.t_exit - hit.t) * f32::from(step) / 16.0;
            prop_assert!(distance(within) < TOLERANCE, "{hit:?}");
        }
    }
    Ok(())
}

fn check_sheet<S: CastRay + ClosestPoint>(ray: &Ray, shape: &S) -> Result<(), TestCaseError> {
    if let Some(hit) = cast_ray(ray, shape) {
        prop_assert!(closest_point(shape, hit.point).unwrap().distance.abs() < TOLERANCE, "{hit:?}");
        prop_assert!(
            hit.t >= 0.0 && hit.normal.dot(ray.direction()) <= TOLERANCE && (hit.normal.length() - 1.0).abs() < 1e-5
        );
    }
    Ok(())
}

/// The same parameter after a rigid motion, unless the hit is at the very rim.
fn check_moved<S: CastRay + Moved>(ray: &Ray, shape: &S, by: &Motion) -> Result<(), TestCaseError> {
    if let (Some(here), Some(there)) = (cast_ray(ray, shape), cast_ray(&ray.moved(by), &shape.moved(by))) {
        // Grazing hits magnify the rounding of the motion, and far ones that of the direction.
        let steep = here.normal.dot(ray.direction().normalize()).abs();
        prop_assert!((here.t - there.t).abs() * steep < 1e-3 + 1e-6 * here.t, "{here:?} {there:?}");
    }
    Ok(())
}

/// Whole numbers, so that sums and differences of points are exact.
fn whole() -> impl Strategy<Value = Vec3> {
    prop::array::uniform3(-4_i8..=4).prop_map(|p| Vec3::from_array(p.map(f32::from)))
}

properties! {
    #![proptest_config(crate::support::config(2000))]

    #[test]
    fn hits_are_the_first_points_of_solids(r in ray(), a in sphere(), b in aabb(), c in obb(), d in capsule()) {
        check_solid(&r, &a)?;
        check_solid(&r, &b)?;
        check_solid(&r, &c)?;
        check_solid(&r, &d)?;
    }

    #[test]
    fn hits_of_sheets_lie_on_them(r in ray(), f in triangle(), g in parallelogram(), h in plane()) {
        check_sheet(&r, &f)?;
        check_sheet(&r, &g)?;
        if let Some(hit) = cast_ray(&r, &h) {
            prop_assert!(signed_distance(&h, hit.point).unwrap().abs() < 1e-6 * (1.0 + hit.point.length()));
        }
        // A parallelogram is its two triangles.
        let [one, two] = g.triangles().unwrap();
        let apart = cast_ray(&r, &one).or(cast_ray(&r, &two));
        match (cast_ray(&r, &g), apart) {
            (Some(x), Some(y)) => prop_assert!((x.t - y.t).abs() * x.normal.dot(r.direction().normalize()).abs() < 1e-4),
            (Some(x), None) | (None, Some(x)) => {
                let [s, t] = g.coordinates(x.point).unwrap();
                let rim = [s, t, 1.0 - s, 1.0 - t, s - t].into_iter().any(|c| c.abs() < 1e-4);
                prop_assert!(rim, "{x:?}");
            }
            (None, None) => {}
        }
    }

    #[test]
    fn hits_move_with_ray_and_shape(
        by in motion(), r in ray(), a in sphere(), c in obb(), d in capsule(), f in triangle(), g in parallelogram(), h in plane(),
    ) {
        check_moved(&r, &a, &by)?;
        check_moved(&r, &c, &by)?;
        check_moved(&r, &d, &by)?;
        check_moved(&r, &f, &by)?;
        check_moved(&r, &g, &by)?;
        check_moved(&r, &h, &by)?;
    }

    #[test]
    fn a_ray_aimed_at_a_triangle_hits_it(o in point(), f in triangle(), u in 0.01_f32..0.98, v in 0.01_f32..0.98) {
        let (u, v) = if u + v > 0.99 { (0.99 - u, 0.99 - v) } else { (u, v) };
        prop_assume!(u > 0.005 && v > 0.005);
        let [a, b, c] = f.corners();
        let target = a + (b - a) * u + (c - a) * v;
        let r = Ray::new(o, target - o).unwrap();
        prop_assume!((target - o).normalize().dot(f.normal().unwrap()).abs() > 1e-2);
        let hit = cast_ray(&r, &f).unwrap();
        prop_assert!((hit.t - 1.0).abs() < 1e-3, "{hit:?}");
    }

    #[test]
    fn a_ray_aimed_at_a_parallelogram_hits_it(o in point(), g in parallelogram(), u in 0.01_f32..0.99, v in 0.01_f32..0.99) {
        let target = g.corner() + g.u() * u + g.v() * v;
        prop_assume!((target - o).normalize().dot(g.normal()).abs() > 1e-2);
        let hit = cast_ray(&Ray::new(o, target - o).unwrap(), &g).unwrap();
        prop_assert!((hit.t - 1.0).abs() < 1e-3 && hit.point.distance(target) < 1e-3, "{hit:?}");
    }

    /// Whole numbers and eighths of their differences: the target and the direction to it are exact, as a line without
    /// thickness needs.
    #[test]
    fn a_ray_aimed_at_a_segment_hits_it(o in whole(), a in whole(), b in whole(), k in 0_u8..=8, scale in 0.5_f32..2.0) {
        let target = a + (b - a) * (f32::from(k) / 8.0);
        prop_assume!((b - a).cross(target - o) != Vec3::ZERO);
        let (rod, thin) = (Segment::new(a, b).unwrap(), ConvexHull::from_points([a, b]).unwrap());
        let r = Ray::new(o, target - o).unwrap();
        for hit in [cast_ray(&r, &rod), cast_ray(&r, &thin)] {
            let hit = hit.unwrap();
            prop_assert!((hit.t - 1.0).abs() < 1e-6 && hit.point.distance(target) < TOLERANCE, "{hit:?}");
        }
        // Aimed beside it, it does not.
        let aside = (b - a).cross(target - o).normalize() * 1e-3 * scale;
        let past = Ray::new(o + aside, target - o).unwrap();
        prop_assert!(cast_ray(&past, &rod).is_none() && cast_ray(&past, &thin).is_none());
    }

    #[test]
    fn a_ray_aimed_at_a_flat_hull_hits_it(
        o in point(), c in whole(), u in whole(), v in whole(), w in prop::array::uniform4(0.05_f32..1.0),
    ) {
        let normal = u.cross(v);
        prop_assume!(normal != Vec3::ZERO);
        let corners = [c, c + u * 2.0, c + u * 3.0 + v, c + v * 2.0];
        let sheet = ConvexHull::from_points(corners).unwrap();
        prop_assert_eq!(sheet.dimension(), 2);
        let target = corners.iter().zip(w).map(|(p, w)| *p * w).sum::<Vec3>() / w.iter().sum::<f32>();
        prop_assume!((target - o).normalize().dot(normal.normalize()).abs() > 1e-2);
        let hit = cast_ray(&Ray::new(o, target - o).unwrap(), &sheet).unwrap();
        prop_assert!((hit.t - 1.0).abs() < 1e-3 && hit.t_exit == hit.t && !hit.inside, "{hit:?}");
        prop_assert!(hit.normal.cross(normal.normalize()).length() < 1e-5, "{hit:?}");
    }

    #[test]
    fn a_ray_aimed_at_a_hull_hits_it(o in point(), h in hull(), w in prop::array::uniform3(0.05_f32..1.0)) {
        let sum: f32 = w.iter().sum();
        for face in h.faces() {
            let [a, b, c] = face.map(|i| h.vertices()[i as usize]);
            let Ok(normal) = tangency::shape::Triangle::new(a, b, c).unwrap().normal() else { continue };
            let target = (a * w[0] + b * w[1] + c * w[2]) / sum;
            let r = Ray::new(o, target - o).unwrap();
            let steep = normal.dot(r.direction().normalize());
            if steep.abs() < 1e-2 {
                continue;
            }
            // In through the faces that look at the origin, out through the others.
            let hit = cast_ray(&r, &h).unwrap();
            let t = if steep < 0.0 { hit.t } else { hit.t_exit };
            prop_assert!((t - 1.0).abs() < 1e-3, "{hit:?} {steep}");
            prop_assert!(hit.inside == contains_point(&h, o) && (hit.inside || hit.normal.dot(r.direction()) <= 0.0));
        }
        check_solid(&Ray::new(o, h.vertices()[0] - o).unwrap(), &h)?;
    }

    #[test]
    fn hits_of_hulls_are_their_first_points(r in ray(), h in hull(), by in motion()) {
        check_solid(&r, &h)?;
        check_moved(&r, &h, &by)?;
    }

    #[test]
    fn segments_cross_planes_exactly_when_their_ends_are_on_both_sides(s in segment(), h in plane()) {
        let (a, b) = (side_of_point(s.a(), &h).unwrap(), side_of_point(s.b(), &h).unwrap());
        match crossing_plane(&s, &h) {
            Crossing::None => prop_assert!(a == b && a != Ordering::Equal),
            Crossing::Within => prop_assert!(a == Ordering::Equal && b == Ordering::Equal),
            Crossing::At { t, point } => {
                prop_assert!((0.0..=1.0).contains(&t) && (a != b || a == Ordering::Equal));
                prop_assert!(signed_distance(&h, point).unwrap().abs() < TOLERANCE && s.at(t).distance(point) < TOLERANCE);
            }
        }
        let line = Line::new(s.a(), s.b() - s.a());
        if let (Ok(line), Crossing::At { t, .. }) = (line, crossing_plane(&s, &h)) {
            let part = BoundedLine::new(line, -0.01, 1.01).unwrap();
            let Crossing::At { t: along, .. } = crossing_plane(&part, &h) else { panic!("the part misses") };
            prop_assert!((along - t).abs() * s.length() as f32 * h.normal().normalize().dot(line.direction().normalize()).abs() < 1e-4);
            let beyond = BoundedLine::new(line, 1.01, 2.0).unwrap();
            prop_assert_eq!(crossing_plane(&beyond, &h), Crossing::None);
        }
    }

    #[test]
    fn lines_come_no_nearer_than_their_approach(a in ray(), b in ray(), s in -5.0_f32..5.0, t in -5.0_f32..5.0) {
        let lines = crossing_line_line(&a.line(), &b.line(), 0.0).unwrap();
        prop_assert!(a.at(s).distance(b.at(t)) > lines.distance - TOLERANCE);
        let rays = crossing_ray_ray(&a, &b, 0.0).unwrap();
        prop_assert!(rays.s >= 0.0 && rays.t >= 0.0 && rays.distance >= lines.distance - TOLERANCE);
        prop_assert!(a.at(s.abs()).distance(b.at(t.abs())) > rays.distance - TOLERANCE);
        let swapped = crossing_ray_ray(&b, &a, 0.0).unwrap();
        prop_assert!((swapped.distance - rays.distance).abs() < TOLERANCE && swapped.kind == rays.kind);
    }

    #[test]
    fn rays_to_a_common_point_meet(a in point(), b in point(), target in point(), d in direction()) {
        prop_assume!(a.distance(target) > 0.1 && b.distance(target) > 0.1);
        let (r, s) = (Ray::new(a, target - a).unwrap(), Ray::new(b, target - b).unwrap());
        let found = crossing_ray_ray(&r, &s, 1e-4).unwrap();
        prop_assert!(found.meets && matches!(found.kind, LineKind::Crossing | LineKind::Collinear), "{found:?}");
        // Parallel lines are a given distance apart.
        let aside = d.normalize().any_orthonormal_vector() * 0.5;
        let parallel = crossing_line_line(&Line::new(a, d).unwrap(), &Line::new(a + aside, d * -2.0).unwrap(), 1e-4).unwrap();
        prop_assert!((parallel.distance - 0.5).abs() < TOLERANCE && !parallel.meets, "{parallel:?}");
    }
}

#[test]
fn a_ray_that_starts_on_the_surface_starts_inside() {
    let ball = tangency::shape::Sphere::new([0.0; 3], 1.0).unwrap();
    let away = Ray::new([1.0, 0.0, 0.0], [1.0, 0.0, 0.0]).unwrap();
    let hit = cast_ray(&away, &ball).unwrap();
    assert_eq!((hit.t, hit.t_exit, hit.inside), (0.0, 0.0, true));
    assert!(contains_point(&ball, hit.point));
}

#[test]
fn a_plane_in_which_the_ray_lies_is_hit_at_once() {
    let ground = Plane::new([0.0, 2.0, 0.0], 2.0).unwrap();
    let along = Ray::new([5.0, 1.0, 0.0], [1.0, 0.0, 3.0]).unwrap();
    let hit = cast_ray(&along, &ground).unwrap();
    assert_eq!((hit.t, hit.point, hit.normal), (0.0, Vec3::new(5.0, 1.0, 0.0), Vec3::Y));
    let above = Ray::new([5.0, 1.5, 0.0], [1.0, 0.0, 3.0]).unwrap();
    assert_eq!(cast_ray(&above, &ground), None);
    let point = Segment::new([0.0, 1.0, 0.0], [0.0, 1.0, 0.0]).unwrap();
    assert_eq!(crossing_plane(&point, &ground), Crossing::At { t: 0.0, point: Vec3::Y });
}
