//! Pairs of a half-space and another body, in the families of the vectors: most of them touch, or nearly do.
#![allow(dead_code, reason = "each test file uses its part")]

use tangency::glam::Vec3;
use tangency::shape::{Obb, Plane, Shape};

use super::capsule_pairs::{Dice, any_power, any_shape, behind, collect, whole_way};

pub const FAMILIES: [&str; 7] = super::capsule_pairs::FAMILIES;
pub const KINDS: [&str; 5] = ["sphere", "aabb", "obb", "capsule", "plane"];

/// A half-space with a normal of any length along `n`, whose border contains a point of whole numbers.
fn under(dice: &mut Dice, n: Vec3, at: Vec3) -> Option<Plane> {
    let length = dice.pick(&[0.25, 1.0, 1.0, 8.0]);
    Plane::new(n * length, n.dot(at) * length).ok()
}

/// Bodies whose lowest point is on the border, or one unit in the last place above or below it.
fn at_whole_distance(dice: &mut Dice, family: usize, kind: usize) -> Option<[Shape; 2]> {
    let (n, length) = whole_way(dice, FAMILIES[family]);
    let place = dice.whole();
    let is_flip = FAMILIES[family] == "flips";
    let mut plane = under(dice, n, place)?;
    if is_flip {
        // (Offsets of 0 have neighbours that are very near.)
        let moved = dice.pick(&[plane.offset().next_up(), plane.offset(), plane.offset().next_down()]);
        plane = Plane::new(plane.normal(), moved).ok()?;
    }
    let is_round = kind == 0 || kind == 3;
    let other = match kind {
        4 => {
            // (Before its offset was changed.)
            let length = plane.normal().abs().max_element() / n.abs().max_element() * dice.pick(&[0.5, 1.0, 2.0]);
            Plane::new(n * -length, -n.dot(place) * length).ok()?.into()
        }
        _ => behind(dice, kind, if is_round { place + n } else { place }, n, length)?,
    };
    Some([plane.into(), other])
}

/// Boxes whose faces, and capsules whose sides, are nearly along the border; half-spaces that are nearly opposite.
fn nearly_parallel(dice: &mut Dice, kind: usize) -> Option<[Shape; 2]> {
    let (turn, tilt) = (dice.turn().normalize(), dice.vector() * 10.0_f32.powi(-(dice.below(8) as i32)));
    let height = 0.5 + dice.signed() * 10.0_f32.powi(-(dice.below(8) as i32));
    let n = turn * Vec3::Y;
    let plane = Plane::new(n + tilt, 0.0).ok()?;
    let other = match kind {
        2 => Obb::new(n * height, [2.0, 0.5, 1.0], turn).ok()?.into(),
        4 => Plane::new(-n, dice.pick(&[-1e-3, 0.0, 1e-3])).ok()?.into(),
        3 => {
            let along = turn * Vec3::X;
            tangency::shape::Capsule::new(n * height - along, n * height + along, 0.5).ok()?.into()
        }
        _ => any_shape(dice, kind, n * height, 0.5)?,
    };
    Some([plane.into(), other])
}

fn extreme(dice: &mut Dice, kind: usize) -> Option<[Shape; 2]> {
    let (of_normal, size) = (any_power(dice), any_power(dice));
    let normal = dice.vector() * of_normal;
    let place = dice.vector() * size * dice.pick(&[0.5, 1.0, 1000.0]);
    let offset = normal.as_dvec3().dot(place.as_dvec3()) as f32;
    let plane = Plane::new(normal, offset).ok()?;
    if kind == 4 {
        let factor = dice.pick(&[-1.0, -1.0, -0.5, 1.0]);
        let other = Plane::new(normal * factor, offset * factor * (1.0 + dice.pick(&[-1e-7, 0.0, 1e-7]))).ok()?;
        return Some([plane.into(), other.into()]);
    }
    let center = place + dice.vector() * size * dice.pick(&[0.5, 1.0, 3.0]);
    Some([plane.into(), any_shape(dice, kind, center, size)?])
}

/// So many pairs of a family: a half-space, and a body of this kind.
pub fn pairs(family: usize, kind: usize, count: usize) -> Vec<[Shape; 2]> {
    collect(500 + 1000 * family as u64 + kind as u64, count, |dice| match FAMILIES[family] {
        "random" => {
            let (normal, offset) = (dice.vector(), dice.signed() * 0.5);
            let other = if kind == 4 {
                Plane::new(dice.vector(), dice.signed()).ok()?.into()
            } else {
                let center = dice.vector();
                any_shape(dice, kind, center, 0.6)?
            };
            Some([Plane::new(normal, offset).ok()?.into(), other])
        }
        "parallel" => nearly_parallel(dice, kind),
        "extreme" => extreme(dice, kind),
        _ => at_whole_distance(dice, family, kind),
    })
}
