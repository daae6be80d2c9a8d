//! Shapes against half-spaces: the largest errors beside their bounds.

use glam::Vec3;

use super::super::adversarial::{Wild, random};
use super::super::{Arithmetic, Cuboid, domain, plane};
use super::{U, cuboid, l1, overstated, signed, unit, vector, worst};
use crate::shape::{Aabb, Obb, Plane, Sphere};

const TINY: f64 = <f32 as Arithmetic>::TINY;

/// A plane with a normal of any length in the domain, scaled by up to 2^`spread` either way.
fn plane(offset: f64, spread: u64) -> Plane {
    let length = 2f64.powi(random(2 * spread + 1) as i32 - spread as i32);
    let mut n = vector(1.0);
    // Components that are zero occur; so small that the domain excludes them, they do not.
    for k in 0..3 {
        if n[k].abs() < 1e-3 {
            n[k] = 0.0;
        }
    }
    if n == Vec3::ZERO {
        return plane(offset, spread);
    }
    Plane::new(n * length as f32, (signed() * offset * length) as f32).expect("valid")
}

fn extent_ratio(wild: &plane::Extent<Wild>, exact: &plane::Extent<f64>, bound_least: f64, bound_greatest: f64) -> f64 {
    let one = |w: (Wild, Wild), e: (f64, f64), bound: f64| {
        overstated(f64::from(w.0.0), f64::from(w.1.0), (e.0 - e.1) / 2.0, bound)
    };
    one(wild.least, exact.least, bound_least).max(one(wild.greatest, exact.greatest, bound_greatest))
}

fn magnitude(n: Vec3, x: Vec3) -> f64 {
    l1(n.as_dvec3() * x.as_dvec3())
}

#[test]
fn obb_planes() {
    let ratio = |obb: &Obb, plane: &Plane| {
        let bound = U
            * (plane::OBB_C * magnitude(plane.normal(), obb.center())
                + plane::OBB_D * f64::from(plane.offset()).abs()
                + plane::OBB_E * l1(plane.normal().as_dvec3()) * l1(obb.half_extents().as_dvec3()))
            + TINY;
        let (wild, exact) = (Cuboid::<Wild>::new(obb), Cuboid::<f64>::new(obb));
        extent_ratio(&plane::obb_extent(&wild, plane), &plane::obb_extent(&exact, plane), bound, bound)
    };
    worst("obb-plane, position rules", || ratio(&cuboid(100.0, 0.01), &plane(0.01, 9)));
    worst("obb-plane, offset rules", || ratio(&cuboid(0.01, 0.01), &plane(100.0, 9)));
    worst("obb-plane, extents rule", || ratio(&cuboid(0.01, 9.0), &plane(0.01, 9)));
    worst("obb-plane, in contact", || ratio(&cuboid(3.0, 3.0), &plane(3.0, 9)));
    worst("obb-plane, subnormal", || {
        let scale = 2f64.powi(-126 + random(4) as i32);
        ratio(&cuboid(scale, scale), &plane(scale, 0))
    });
    worst("obb-plane, largest", || {
        let scale = f64::from(domain::LARGEST_LENGTH);
        ratio(&cuboid(scale, scale), &plane(scale, 29))
    });
}

/// Corners of hulls, some without coordinates that are too small for kernels.
#[test]
fn hull_planes() {
    let ratio = |obb: &Obb, plane: &Plane| {
        let half = obb.half_extents();
        let corners: Vec<Vec3> =
            (0..4 + random(8)).map(|_| half * Vec3::from([signed(), signed(), signed()].map(|x| x as f32))).collect();
        let largest = corners.iter().map(|corner| corner.abs().element_sum()).fold(0.0, f32::max);
        let bound = U
            * (plane::OBB_C * magnitude(plane.normal(), obb.center())
                + plane::OBB_D * f64::from(plane.offset()).abs()
                + plane::OBB_E * l1(plane.normal().as_dvec3()) * (f64::from(largest) + plane::HULL_LEAST_SUM))
            + TINY;
        let seen = |corner: &Vec3| corner.to_array().map(|x| Wild::from_f32(crate::det::clean(x)));
        let exact = |corner: &Vec3| corner.to_array().map(f64::from);
        let (wild_corners, exact_corners): (Vec<_>, Vec<_>) =
            corners.iter().map(|corner| (seen(corner), exact(corner))).unzip();
        let wild = plane::hull_extent(&Cuboid::<Wild>::new(obb), &wild_corners, Wild::from_f32(largest), plane);
        let exact = plane::hull_extent(&Cuboid::<f64>::new(obb), &exact_corners, f64::from(largest), plane);
        extent_ratio(&wild, &exact, bound, bound)
    };
    worst("hull-plane, position rules", || ratio(&cuboid(100.0, 0.01), &plane(0.01, 9)));
    worst("hull-plane, offset rules", || ratio(&cuboid(0.01, 0.01), &plane(100.0, 9)));
    worst("hull-plane, corners rule", || ratio(&cuboid(0.01, 9.0), &plane(0.01, 9)));
    worst("hull-plane, in contact", || ratio(&cuboid(3.0, 3.0), &plane(3.0, 9)));
    worst("hull-plane, corners that kernels do not see", || {
        ratio(&cuboid(0.0, 2f64.powi(-101 + random(4) as i32)), &plane(0.0, 29))
    });
    worst("hull-plane, largest", || {
        let scale = f64::from(domain::LARGEST_LENGTH);
        ratio(&cuboid(scale, scale), &plane(scale, 29))
    });
}

/// Minors of two normals.
#[test]
fn normals_that_are_not_parallel() {
    let ratio = |a: &Plane, b: &Plane| {
        let ([p, q], [i, j]) = ([a, b].map(Plane::normal), [random(3) as usize, random(3) as usize]);
        let sizes = f64::from(p[i]) * f64::from(q[j]);
        let others = f64::from(p[j]) * f64::from(q[i]);
        let bound = U * plane::NORMALS * (sizes.abs() + others.abs()) + TINY;
        let [p, q] = [p, q].map(|n| n.to_array().map(Wild::from_f32));
        let (low, high) = plane::minor(&p, &q, i, j);
        overstated(f64::from(low.0), f64::from(high.0), sizes - others, bound)
    };
    worst("normals", || ratio(&plane(1.0, 9), &plane(1.0, 9)));
    worst("normals, nearly parallel", || {
        let a = plane(1.0, 9);
        let nudged = a.normal() * Vec3::from([0.0; 3].map(|_| 1.0 + signed() as f32 * 1e-6));
        ratio(&a, &Plane::new(nudged, 0.0).expect("valid"))
    });
}

#[test]
fn aabb_planes() {
    let ratio = |aabb: &Aabb, plane: &Plane| {
        let n = plane.normal();
        let bound = |nearest: bool| {
            let corner = [0, 1, 2].map(|k| if (n[k] > 0.0) == nearest { aabb.min()[k] } else { aabb.max()[k] });
            let offset = f64::from(plane.offset()).abs();
            U * (plane::AABB_C * magnitude(n, corner.into()) + plane::AABB_D * offset) + TINY
        };
        let (wild, exact) = (plane::aabb_extent::<Wild>(aabb, plane), plane::aabb_extent::<f64>(aabb, plane));
        extent_ratio(&wild, &exact, bound(true), bound(false))
    };
    let aabb = |size: f64| Aabb::from_points([vector(size), vector(size)]).expect("finite");
    worst("aabb-plane, position rules", || ratio(&aabb(100.0), &plane(0.01, 9)));
    worst("aabb-plane, offset rules", || ratio(&aabb(0.01), &plane(100.0, 9)));
    worst("aabb-plane, in contact", || ratio(&aabb(3.0), &plane(3.0, 9)));
    worst("aabb-plane, subnormal", || {
        let scale = 2f64.powi(-126 + random(4) as i32);
        ratio(&aabb(scale), &plane(scale, 0))
    });
}

#[test]
fn sphere_planes() {
    let ratio = |sphere: &Sphere, plane: &Plane| {
        let n = plane.normal();
        let bound = U
            * (plane::BALL_C * magnitude(n, sphere.center())
                + plane::BALL_D * f64::from(plane.offset()).abs()
                + plane::BALL_R * n.as_dvec3().length() * f64::from(sphere.radius()))
            + TINY;
        let (wild, exact) = (plane::sphere_extent::<Wild>(sphere, plane), plane::sphere_extent::<f64>(sphere, plane));
        extent_ratio(&wild, &exact, bound, bound)
    };
    let ball = |distance: f64, size: f64| Sphere::new(vector(distance), (unit() * size) as f32).expect("valid");
    worst("sphere-plane, position rules", || ratio(&ball(100.0, 0.01), &plane(0.01, 9)));
    worst("sphere-plane, offset rules", || ratio(&ball(0.01, 0.01), &plane(100.0, 9)));
    worst("sphere-plane, radius rules", || ratio(&ball(0.001, 9.0), &plane(0.001, 9)));
    worst("sphere-plane, in contact", || ratio(&ball(3.0, 3.0), &plane(3.0, 9)));
    worst("sphere-plane, subnormal", || {
        let scale = 2f64.powi(-126 + random(4) as i32);
        ratio(&ball(scale, scale), &plane(scale, 0))
    });
}
