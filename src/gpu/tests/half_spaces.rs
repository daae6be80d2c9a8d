//! Half-spaces, with every dispatch beside its twin.

use super::super::Gpu;
use super::super::workspace::Workspace;
use super::answers::{assert_same, check_verdict};
use super::half_space_pairs::{FAMILIES, KINDS, pairs};
use super::queries::{
    brute_force, clearances, clearances_by_brute_force, closest, contacts, contacts_by_brute_force, overlaps, verdicts,
};
use crate::parallel::Pool;
use crate::shape::{Capsule, Plane, Shape, Sphere};
use crate::{Bodies, Points, Traits, query};

/// Far from the origin, where heights have errors: balls and capsules just above a slope, in it, and half in it.
fn far_away() -> Vec<[Shape; 2]> {
    let normal = [0.6, 0.8, 0.0];
    let slope = Plane::new(normal, 1000.0).expect("a plane");
    let at = |k: u16| {
        let x = 1e5 + f64::from(k);
        // As high as its radius, and up to 10⁻⁴ more or less.
        let high = 1.0 + (f64::from(k) - 20.0) * 5e-6;
        let y = (1000.0 + high - f64::from(normal[0]) * x) / f64::from(normal[1]);
        [x as f32, y as f32, f32::from(k % 3)]
    };
    let ball = |k: u16| Shape::from(Sphere::new(at(k), 1.0).expect("a ball"));
    let rod = |k: u16| {
        let [x, y, z] = at(k);
        Shape::from(Capsule::new([x, y, z], [x + 2.0, y - 0.5 * f32::from(k % 8), z], 0.5).expect("a capsule"))
    };
    (0..40).flat_map(|k| [[slope.into(), ball(k)], [rod(k), slope.into()]]).collect()
}

/// Returns the number of dispatches.
pub(super) fn beside_twins(gpu: &Gpu, pool: &Pool) -> u64 {
    let mut workspace = Workspace::new().frugal();
    workspace.runner.checked = true;
    let families = (0..FAMILIES.len()).flat_map(|family| (0..KINDS.len()).map(move |kind| (family, kind)));
    let all = families.flat_map(|(family, kind)| pairs(family, kind, 2)).chain(far_away());
    let (mut bodies, mut listed) = (Bodies::new(), Vec::new());
    for pair in all {
        let world = Traits::new().world(listed.len() as u32);
        listed.push(pair.map(|shape| bodies.push_with(shape, world).expect("room")));
    }
    let found = verdicts(gpu, &mut workspace, pool, &bodies, &listed).expect("verdicts");
    for ([a, b], verdict) in listed.iter().zip(found) {
        let exact = query::intersect(&bodies.get(*a as usize), &bodies.get(*b as usize));
        check_verdict(verdict, exact, &format!("half-spaces, pair {a}"));
    }
    let sets = (None, &bodies);
    assert_same(&overlaps(gpu, &mut workspace, pool, sets), &brute_force(sets), "half-spaces");
    for within in [None, Some(0.5)] {
        let found = contacts(gpu, &mut workspace, pool, sets, (4, within)).expect("contacts");
        assert!(found == contacts_by_brute_force(sets, (4, within)), "contacts of half-spaces within {within:?}");
    }
    let found = clearances(gpu, &mut workspace, pool, sets, 0.5).expect("clearances");
    assert!(found == clearances_by_brute_force(sets, 0.5), "clearances of half-spaces");
    // Points that have only half-spaces to be near to.
    let (mut borders, mut points) = (Bodies::new(), Points::new());
    for k in 0..60_u16 {
        let world = Traits::new().world(u32::from(k / 3));
        let [x, y, z] = [f32::from(k % 5) - 2.0, 1.0 + f32::from(k % 3), f32::from(k % 7) - 3.0];
        borders.push_with(Plane::new([x, y, z], -y).expect("a plane"), world).expect("room");
        points.push_with([x * 5.0, 3.0 + y, z], world).expect("a point");
    }
    for (count, within) in [(1, f32::INFINITY), (2, 6.0)] {
        let [found, expected] =
            closest(gpu, &mut workspace, pool, (&points, &borders), (count, within)).expect("the nearest");
        assert!(found == expected, "the nearest {count} half-spaces within {within}");
    }
    workspace.runner.dispatched
}
