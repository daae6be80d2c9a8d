//! Hulls of real meshes that nearly touch: their relations are proven by a plane between both or by a point inside both; where there is no
//! such proof, by the oracle.

use std::collections::BTreeMap;

use tangency::glam::Vec3;
use tangency::query::intersect;
use tangency::shape::ConvexHull;

use crate::capsule_pairs::Dice;
use crate::certificates::proven;
use crate::mesh_hulls::{count, hulls, near_pair};
use crate::{polytopes, support};

#[test]
#[ignore = "needs a folder of meshes"]
fn hulls_of_meshes_that_nearly_touch() {
    let (hulls, count) = (hulls(), count());
    let mut dice = Dice(20);
    let (mut proofs, mut both) = (BTreeMap::<(String, &str), usize>::new(), 0);
    for round in 0..count {
        let (a, b, _) = near_pair(&mut dice, &hulls);
        let found = intersect(&a, &b);
        assert_eq!(intersect(&b, &a), found, "{round}: {a:?} {b:?}");
        let proof = proven(&a, &b);
        // The oracle's axes are the pairs of edges. It also sees some that are proven: one in a hundred of those with few.
        let is_checked = round % 100 == 0 && a.edges().len() + b.edges().len() <= 150;
        both += usize::from(is_checked && proof.is_some());
        if proof.is_none() || is_checked {
            let expected = polytopes::relation(&a.clone().into(), &b.clone().into());
            assert_eq!(proof.unwrap_or(expected), expected, "{round}: {a:?} {b:?}");
            assert_eq!(found, expected, "{round}: {a:?} {b:?}");
        }
        assert_eq!(found, proof.unwrap_or(found), "{round}: {a:?} {b:?}");
        *proofs.entry((format!("{found:?}"), if proof.is_some() { "a proof" } else { "the oracle" })).or_default() += 1;
    }
    println!("{count} pairs by what has shown their relation: {proofs:?}; {both} by both");
}

/// Hulls of up to 256 corners on balls that nearly touch, each shown by a plane between both or a point in both.
#[test]
fn large_hulls_that_nearly_touch() {
    let mut dice = Dice(9);
    let count = if support::is_long() { 4000 } else { 120 };
    let hulls: Vec<ConvexHull> = (0..12)
        .map(|k| {
            let corners = [16, 64, 128, 256][k % 4];
            let stretch = Vec3::new(1.0, 0.5, 0.25 + 0.25 * (k / 4) as f32);
            let points = (0..corners).map(|_| dice.vector().normalize_or(Vec3::X) * stretch);
            ConvexHull::from_points(points).expect("corners")
        })
        .collect();
    let mut tally = BTreeMap::<String, usize>::new();
    for round in 0..count {
        let (a, b, _) = near_pair(&mut dice, &hulls);
        let found = intersect(&a, &b);
        assert_eq!(Some(found), proven(&a, &b), "{round}: {a:?} {b:?}");
        *tally.entry(format!("{found:?}")).or_default() += 1;
    }
    println!("{count} pairs: {tally:?}");
    assert!(tally.values().all(|pairs| pairs * 4 > count) && tally.len() == 2, "{tally:?}");
}
