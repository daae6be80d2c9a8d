//! What several test files share: reading the exact vectors.
#![allow(dead_code, reason = "each test file uses its part")]

use glam::{Quat, Vec3};
use tangency::shape::{Aabb, Obb, Sphere};

/// One line of a vector file: the family, the numbers, and the exact relation (0, 1 or 2).
pub struct Row {
    pub family: String,
    pub numbers: Vec<f32>,
    pub expected: u8,
}

/// The files, with the kinds of the two shapes.
pub const FILES: [(&str, Kind, Kind); 5] = [
    ("obb_obb", Kind::Obb, Kind::Obb),
    ("sphere_obb", Kind::Sphere, Kind::Obb),
    ("aabb_obb", Kind::Aabb, Kind::Obb),
    ("sphere_sphere", Kind::Sphere, Kind::Sphere),
    ("sphere_aabb", Kind::Sphere, Kind::Aabb),
];

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Kind {
    Sphere,
    Aabb,
    Obb,
}

impl Kind {
    pub fn width(self) -> usize {
        match self {
            Self::Sphere => 4,
            Self::Aabb => 6,
            Self::Obb => 10,
        }
    }
}

pub fn read(name: &str) -> Vec<Row> {
    let path = format!("{}/tests/data/{name}.csv", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"));
    text.lines()
        .map(|line| {
            let mut fields: Vec<&str> = line.split(',').collect();
            let expected = fields.pop().unwrap().parse().unwrap();
            let family = fields.remove(0).to_owned();
            let numbers = fields.iter().map(|hex| f32::from_bits(u32::from_str_radix(hex, 16).unwrap())).collect();
            Row { family, numbers, expected }
        })
        .collect()
}

pub fn sphere(v: &[f32]) -> Sphere {
    Sphere::new(Vec3::from_slice(v), v[3]).unwrap()
}

pub fn aabb(v: &[f32]) -> Aabb {
    Aabb::new(Vec3::from_slice(v), Vec3::from_slice(&v[3..])).unwrap()
}

pub fn obb(v: &[f32]) -> Obb {
    Obb::new(Vec3::from_slice(v), Vec3::from_slice(&v[3..]), Quat::from_slice(&v[6..])).unwrap()
}

/// The bounds of a shape; of a half-space, which has none, those of a cube at the origin.
pub fn bounds(shape: &tangency::shape::Shape) -> Aabb {
    shape.aabb().unwrap_or_else(|| Aabb::new([-1.0; 3], [1.0; 3]).unwrap())
}

/// The first seeds from here on whose random scenes of at most so many bodies have this many hulls, or more.
pub fn seeds_with_hulls(first: u64, most: usize, hulls: usize) -> impl Iterator<Item = u64> {
    (first..).filter(move |seed| {
        let bodies = tangency::scenes::random(*seed, most).unwrap();
        bodies.iter().filter(|body| body.shape.kind() == "convex_hull").count() >= hulls
    })
}
