//! The public vectors: exact relations computed in big integers and cross-checked in rational arithmetic.

use std::collections::BTreeMap;

use crate::common::{FILES, Kind, aabb, obb, read, sphere};
use tangency::query::intersect;

/// The relation of a row's two shapes, both ways round.
fn relations(a: Kind, b: Kind, v: &[f32]) -> [u8; 2] {
    let (x, y) = v.split_at(a.width());
    let both = match (a, b) {
        (Kind::Obb, Kind::Obb) => [intersect(&obb(x), &obb(y)), intersect(&obb(y), &obb(x))],
        (Kind::Sphere, Kind::Obb) => [intersect(&sphere(x), &obb(y)), intersect(&obb(y), &sphere(x))],
        (Kind::Aabb, Kind::Obb) => [intersect(&aabb(x), &obb(y)), intersect(&obb(y), &aabb(x))],
        (Kind::Sphere, Kind::Sphere) => [intersect(&sphere(x), &sphere(y)), intersect(&sphere(y), &sphere(x))],
        (Kind::Sphere, Kind::Aabb) => [intersect(&sphere(x), &aabb(y)), intersect(&aabb(y), &sphere(x))],
        _ => unreachable!("no such file"),
    };
    both.map(|relation| relation as u8)
}

#[test]
fn every_relation_of_every_file_is_right() {
    let mut total_wrong = 0;
    for (name, a, b) in FILES {
        let rows = read(name);
        let mut wrong: BTreeMap<String, usize> = BTreeMap::new();
        for (line, row) in rows.iter().enumerate() {
            let found = relations(a, b, &row.numbers);
            if found != [row.expected; 2] {
                *wrong.entry(row.family.clone()).or_default() += 1;
                println!("{name} line {}: {} expected {} found {found:?}", line + 1, row.family, row.expected);
            }
        }
        let count: usize = wrong.values().sum();
        println!("{name}: {} rows checked, {count} wrong {wrong:?}", rows.len());
        assert!(rows.len() >= 3000, "{name} is not whole");
        total_wrong += count;
    }
    assert_eq!(total_wrong, 0);
}
