//! Numbers at and beyond the limits of the filters' domain.

use super::super::Gpu;
use super::super::workspace::Workspace;
use super::answers::assert_same;
use super::queries::{brute_force, overlaps};
use crate::Bodies;
use crate::filter::domain;
use crate::parallel::Pool;
use crate::shape::{Aabb, Obb, Sphere};

/// Queries on coordinates far outside the filters' domain, and on subnormals.
pub(super) fn extreme_numbers(gpu: &Gpu, pool: &Pool) {
    let mut workspace = Workspace::new().frugal();
    for exponent in [-149, -140, -126, -120, -90, 0, 39, 41, 100, 119, 121, 124] {
        let unit = 2_f64.powi(exponent) as f32;
        let mut bodies = Bodies::new();
        for i in 0..60_u8 {
            let x = f32::from(i % 8) * 0.5 * unit;
            let at = [x, -x, unit * f32::from(i % 3)];
            let q = [0.0, unit, unit, if i % 2 == 0 { 0.0 } else { unit }];
            let turn = glam::Quat::from_array(if exponent.abs() > 110 { [0.0, 1.0, 1.0, f32::from(i % 2)] } else { q });
            bodies.push(Obb::new(at, [unit, unit / 4.0, 0.0], turn).expect("a box")).expect("room");
            bodies.push(Sphere::new(at, unit * f32::from(i % 2)).expect("a ball")).expect("room");
            bodies.push(Aabb::new(at, [at[0] + unit, at[1], at[2] + unit]).expect("a box")).expect("room");
        }
        bodies.push(Aabb::new([-f32::MAX; 3], [f32::MAX; 3]).expect("everything")).expect("room");
        bodies.push(Sphere::new([f32::MAX; 3], f32::MAX).expect("a ball")).expect("room");
        let found = overlaps(gpu, &mut workspace, pool, (None, &bodies));
        assert_same(&found, &brute_force((None, &bodies)), &format!("2^{exponent}"));
    }
}

/// Bodies with one number at a limit of the filters' domain, or just beyond: kernels classify them as their twins do.
pub(super) fn ends_of_the_domain(gpu: &Gpu, pool: &Pool) {
    let mut bodies = Bodies::new();
    let ones = [1.0; 3];
    let mut ball = |at: [f32; 3], radius: f32| bodies.push(Sphere::new(at, radius).expect("a ball")).expect("room");
    let ends = [domain::LARGEST_LENGTH, domain::LARGEST_LENGTH.next_up()];
    let lengths =
        ends.into_iter().flat_map(|end| (0..3).map(move |k| [0, 1, 2].map(|j| if j == k { end } else { 1.0 })));
    for end in ends {
        ball(ones, end);
    }
    for v in lengths.clone() {
        ball(v, 1.0);
        ball(v.map(|x| -x), 1.0);
    }
    for v in lengths {
        bodies.push(Aabb::new([0.0; 3], v).expect("a box")).expect("room");
        bodies.push(Aabb::new(v.map(|x| -x), [0.0; 3]).expect("a box")).expect("room");
        bodies.push(Obb::new(v.map(|x| -x), ones, glam::Quat::IDENTITY).expect("a box")).expect("room");
        bodies.push(Obb::new(ones, v, glam::Quat::IDENTITY).expect("a box")).expect("room");
    }
    // One coordinate beyond the largest that is widened, and others that a device may flush: a box that ends at 2⁻¹⁴⁰ touches one
    // that begins there.
    for (k, end) in (0..3).flat_map(|k| [(k, 2_f32.powi(120)), (k, 2_f32.powi(121))]) {
        for bits in [1 << 9, (1 << 9) + 1] {
            let tiny = [f32::from_bits(bits), f32::from_bits(1 << 9), f32::from_bits(bits)];
            let with = |x: f32| [0, 1, 2].map(|j| if j == k { x } else { tiny[j] });
            bodies.push(Aabb::new(with(-end), with(1.0)).expect("a box")).expect("room");
            bodies.push(Aabb::new(with(-1.0), with(end)).expect("a box")).expect("room");
        }
    }
    let (largest, smallest) = (domain::LARGEST_TURN, domain::SMALLEST_TURN);
    for turn in [largest, largest.next_up(), smallest, smallest.next_down()] {
        for k in 0..4 {
            let q = [0, 1, 2, 3].map(|j| if j == k { -turn } else { turn / 2.0 });
            bodies.push(Obb::new(ones, ones, glam::Quat::from_array(q)).expect("a box")).expect("room");
        }
    }
    let mut workspace = Workspace::new().frugal();
    workspace.runner.checked = true;
    let found = overlaps(gpu, &mut workspace, pool, (None, &bodies));
    assert_same(&found, &brute_force((None, &bodies)), "ends of the domain");
}
