//! Pairs of a capsule and another body, in the families of the vectors: most of them touch, or nearly do.
#![allow(dead_code, reason = "each test file uses its part")]

use tangency::glam::{Quat, Vec3};
use tangency::shape::{Aabb, Capsule, Obb, Shape, Sphere};

pub const FAMILIES: [&str; 7] = ["random", "faces", "edges", "corners", "flips", "parallel", "extreme"];
pub const KINDS: [&str; 4] = ["sphere", "aabb", "obb", "capsule"];

pub struct Dice(pub u64);

impl Dice {
    pub fn below(&mut self, n: u64) -> u64 {
        // SplitMix64.
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut x = self.0;
        x = (x ^ x >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        x = (x ^ x >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
        (x ^ x >> 31) % n
    }

    pub fn signed(&mut self) -> f32 {
        self.below(1 << 24) as f32 / (1 << 23) as f32 - 1.0
    }

    pub fn vector(&mut self) -> Vec3 {
        Vec3::new(self.signed(), self.signed(), self.signed())
    }

    /// Whole numbers, from −8 to 8.
    pub fn whole(&mut self) -> Vec3 {
        self.whole_up_to(8)
    }

    /// Whole numbers, from −most to most.
    pub fn whole_up_to(&mut self, most: u64) -> Vec3 {
        Vec3::from([0; 3].map(|_| self.below(2 * most + 1) as f32 - most as f32))
    }

    /// A rotation of whole numbers from −2 to 2.
    pub fn whole_turn(&mut self) -> Quat {
        let q = [0; 4].map(|_| self.below(5) as f32 - 2.0);
        Quat::from_array(if q == [0.0; 4] { [0.0, 0.0, 0.0, 1.0] } else { q })
    }

    pub fn pick<T: Copy>(&mut self, of: &[T]) -> T {
        of[self.below(of.len() as u64) as usize]
    }

    pub fn turn(&mut self) -> Quat {
        let q = [0; 4].map(|_| self.signed());
        Quat::from_array(if q == [0.0; 4] { [0.0, 0.0, 0.0, 1.0] } else { q })
    }
}

/// Vectors of whole numbers whose lengths are whole numbers, and those.
pub const WHOLE: [([f32; 3], f32); 8] = [
    ([1.0, 0.0, 0.0], 1.0),
    ([0.0, 0.0, 3.0], 3.0),
    ([3.0, 4.0, 0.0], 5.0),
    ([0.0, 5.0, 12.0], 13.0),
    ([1.0, 2.0, 2.0], 3.0),
    ([2.0, 3.0, 6.0], 7.0),
    ([4.0, 4.0, 7.0], 9.0),
    ([1.0, 4.0, 8.0], 9.0),
];

/// Two opposite corners of a box that has `at` on its surface and lies where `n` points to. Beside `n` its face or edge goes on to both sides.
pub fn corners_behind(dice: &mut Dice, at: Vec3, n: Vec3, times: f32) -> [Vec3; 2] {
    // Each number of the other corner lies on the side of n, or on any if n has nothing of it.
    let sizes = Vec3::from([0; 3].map(|_| dice.pick(&[0.0, 1.0, 2.0, 5.0])));
    let signs = Vec3::from([0, 1, 2].map(|k| if n[k] == 0.0 { dice.pick(&[-1.0, 1.0]) } else { n[k].signum() }));
    let aside = [0, 1, 2].map(|k| if n[k] == 0.0 { dice.pick(&[0.0, 1.0, 3.0]) * signs[k] } else { 0.0 });
    [at - Vec3::from(aside) * times, at + sizes * signs * times]
}

/// The box between two corners, by a quarter or a third of a turn and a quaternion of any length.
pub fn turned_box(dice: &mut Dice, [a, b]: [Vec3; 2]) -> Option<Shape> {
    let (center, half) = ((a + b) / 2.0, (a - b).abs() / 2.0);
    let (turn, half) = match dice.below(3) {
        0 => (Quat::from_xyzw(0.0, 0.0, 0.0, 3.0), half),
        1 => (Quat::from_xyzw(0.0, 0.0, 2.0, 2.0), Vec3::new(half.y, half.x, half.z)),
        _ => (Quat::from_xyzw(0.5, 0.5, 0.5, 0.5), Vec3::new(half.y, half.z, half.x)),
    };
    Some(Obb::new(center, half, turn).ok()?.into())
}

/// The body of a kind whose point nearest to one in front of it, along `n`, is `at`: its inside is where `n` points to. Its radius counts to the distance.
pub fn behind(dice: &mut Dice, kind: usize, at: Vec3, n: Vec3, radius: f32) -> Option<Shape> {
    let [begin, other] = corners_behind(dice, at, n, 1.0);
    Some(match kind {
        0 => Sphere::new(at, radius).ok()?.into(),
        1 => Aabb::new(begin.min(other), begin.max(other)).ok()?.into(),
        2 => turned_box(dice, [begin, other])?,
        _ => {
            let end = match dice.below(3) {
                0 => other,
                1 => at + n * dice.pick(&[0.0, 1.0, 2.0]),
                _ => at + across(dice, n, 8) * dice.pick(&[1.0, 3.0]),
            };
            Capsule::new(at, end, radius).ok()?.into()
        }
    })
}

/// A vector of whole numbers at right angles to one: its product with one of numbers up to the most.
pub fn across(dice: &mut Dice, n: Vec3, most: u64) -> Vec3 {
    let found = n.cross(dice.whole_up_to(most));
    if found == Vec3::ZERO { n.cross(Vec3::new(3.0, 1.0, 2.0)) } else { found }
}

/// A vector of whole numbers and its length, which is one too: along as many axes as the faces, edges or corners of boxes are seen from.
pub fn whole_way(dice: &mut Dice, family: &str) -> (Vec3, f32) {
    let (way, length) = WHOLE[match family {
        "faces" => dice.below(2),
        "edges" => 2 + dice.below(2),
        "corners" => 4 + dice.below(4),
        _ => dice.below(8),
    } as usize];
    (Vec3::from(way) * Vec3::from([0; 3].map(|_| dice.pick(&[-1.0, 1.0]))), length)
}

/// A power of two from the whole range of `f32`.
pub fn any_power(dice: &mut Dice) -> f32 {
    2.0_f32.powi(dice.pick(&[-140, -100, -60, -20, 0, 0, 10, 60, 100, 120]))
}

/// So many pairs, where some of those that are made are none.
pub fn collect(seed: u64, count: usize, pair: impl Fn(&mut Dice) -> Option<[Shape; 2]>) -> Vec<[Shape; 2]> {
    let mut dice = Dice(seed);
    std::iter::repeat_with(|| pair(&mut dice)).flatten().take(count).collect()
}

/// Bodies at a distance of whole numbers: the radii are that together, or one unit in the last place more or less.
fn at_whole_distance(dice: &mut Dice, family: usize, kind: usize) -> Option<[Shape; 2]> {
    let (n, length) = whole_way(dice, FAMILIES[family]);
    let place = dice.whole();
    let radius = if kind == 0 || kind == 3 { dice.pick(&[0.0, 0.25, 0.5]) * length } else { 0.0 };
    let mut own = length - radius;
    if FAMILIES[family] == "flips" {
        own = dice.pick(&[own.next_up(), own, own.next_down()]);
    }
    let other = behind(dice, kind, place + n, n, radius)?;
    // The segment begins or ends at the place, or passes it at right angles to n.
    let (a, b) = match dice.below(3) {
        0 => (place, place - n * dice.pick(&[0.0, 1.0, 4.0])),
        1 => (place - across(dice, n, 8), place),
        _ => {
            let aside = across(dice, n, 8);
            (place - aside, place + aside * dice.pick(&[1.0, 2.0]))
        }
    };
    Some([Capsule::new(a, b, own).ok()?.into(), other])
}

pub fn any_shape(dice: &mut Dice, kind: usize, center: Vec3, size: f32) -> Option<Shape> {
    let half = (dice.vector().abs() + Vec3::splat(0.05)) * size;
    Some(match kind {
        0 => Sphere::new(center, half.x).ok()?.into(),
        1 => Aabb::new(center - half, center + half).ok()?.into(),
        2 => Obb::new(center, half, dice.turn()).ok()?.into(),
        _ => {
            let way = dice.vector() * size;
            Capsule::new(center - way, center + way, half.x * 0.5).ok()?.into()
        }
    })
}

/// Bodies that run nearly side by side, and are nearly as far apart as their radii.
fn nearly_parallel(dice: &mut Dice, kind: usize) -> Option<[Shape; 2]> {
    let (along, turn) = (dice.vector(), dice.turn().normalize());
    let off = dice.vector() * 10.0_f32.powi(-(dice.below(8) as i32));
    let aside = along.any_orthonormal_vector();
    let gap = 0.5 + dice.signed() * 10.0_f32.powi(-(dice.below(8) as i32));
    let own = Capsule::new(-along, along + off, 0.25).ok()?;
    let other = match kind {
        0 => Sphere::new(aside * gap + along * dice.signed(), 0.25).ok()?.into(),
        1 => {
            // The capsule lies along an edge of the box, nearly.
            let edge = Vec3::AXES[dice.below(3) as usize];
            let from = Vec3::from(edge.to_array().map(|x| if x == 0.0 { gap } else { -1.0 }));
            let own = Capsule::new(edge * -2.0 + off, edge * 2.0, gap * 2.0_f32.sqrt()).ok()?;
            return Some([own.into(), Aabb::new(from, from + Vec3::splat(2.0)).ok()?.into()]);
        }
        2 => {
            // Above a face.
            let axes = [turn * Vec3::X, turn * Vec3::Y];
            let own = Capsule::new(axes[0] * -1.5 + axes[1] * gap, axes[0] + axes[1] * gap + off, 0.25).ok()?;
            return Some([own.into(), Obb::new(axes[1] * -0.75, [1.0, 1.0, 1.0], turn).ok()?.into()]);
        }
        _ => Capsule::new(aside * gap - along * dice.signed(), aside * gap + along * 0.75, 0.25).ok()?.into(),
    };
    Some([own.into(), other])
}

fn extreme(dice: &mut Dice, kind: usize) -> Option<[Shape; 2]> {
    let (a, b) = (any_power(dice), any_power(dice));
    let center = dice.vector() * a.max(b);
    let own = any_shape(dice, 3, center, a)?;
    let place = dice.vector() * a.max(b) * dice.pick(&[0.0, 0.5, 1.0]);
    Some([own, any_shape(dice, kind, center + place, b)?])
}

/// So many pairs of a family: a capsule, and a body of this kind.
pub fn pairs(family: usize, kind: usize, count: usize) -> Vec<[Shape; 2]> {
    collect(1000 * family as u64 + kind as u64, count, |dice| match FAMILIES[family] {
        "random" => {
            let center = dice.vector();
            Some([any_shape(dice, 3, center, 1.0)?, any_shape(dice, kind, Vec3::ZERO, 0.8)?])
        }
        "parallel" => nearly_parallel(dice, kind),
        "extreme" => extreme(dice, kind),
        _ => at_whole_distance(dice, family, kind),
    })
}
