//! Oriented boxes as the narrow phase reads them.

use super::order::Growth;
use super::tree::{Block, WIDTH};
use crate::Bodies;
use crate::bodies::Kind;
use crate::filter::domain::{LARGEST_LENGTH, LARGEST_TURN, SMALLEST_TURN};
use crate::filter::{Arithmetic, Cuboid, Lanes, rotation};
use crate::lanes::{Number, Truth};
use crate::shape::bounds_of;
use crate::shape::kinds::Record;

/// An oriented box as the filter reads it, with its quaternion scaled; NaN for other kinds of shapes and for boxes outside the filter's
/// domain. Rotation matrices are computed where they are used, many at a time: storing them takes more memory, and reading that takes
/// longer than computing them again.
#[derive(Clone, Copy)]
pub(super) struct PackedObb {
    /// Centre, half extents, quaternion.
    numbers: [f32; 10],
}

impl PackedObb {
    pub(super) const UNUSABLE: Self = Self { numbers: [f32::NAN; 10] };

    #[inline(always)]
    pub(super) fn usable(&self) -> bool {
        !self.numbers[0].is_nan()
    }

    /// The box, if it is usable.
    #[inline(always)]
    pub(super) fn cuboid<F: Arithmetic>(&self) -> Option<Cuboid<F>> {
        let [a, b, c, d, e, f, turn @ ..] = self.numbers.map(F::from_f32);
        self.usable().then(|| Cuboid { center: [a, b, c], half: [d, e, f], axes: rotation(turn) })
    }
}

/// Four consecutive numbers of a row.
#[inline(always)]
fn four(numbers: &[f32; 10], first: usize) -> &[f32; 4] {
    // (There are ten, so that the default is never taken.)
    numbers[first..].first_chunk().unwrap_or(&[0.0; 4])
}

/// Boxes in the lanes of numbers: centre, half extents, quaternion of each.
#[inline(always)]
pub(super) fn columns<'a, T: Number>(numbers: impl Fn(usize) -> &'a PackedObb) -> [T; 10] {
    of_rows(|lane| &numbers(lane).numbers)
}

/// Boxes in lanes, as the filters take them.
#[inline(always)]
pub(super) fn cuboids<T: Number>([x, y, z, a, b, c, i, j, k, w]: [T; 10]) -> Cuboid<Lanes<T>> {
    Cuboid {
        center: [Lanes(x), Lanes(y), Lanes(z)],
        half: [Lanes(a), Lanes(b), Lanes(c)],
        axes: rotation([Lanes(i), Lanes(j), Lanes(k), Lanes(w)]),
    }
}

/// Records in the lanes of numbers.
#[inline(always)]
pub(super) fn of_rows<'a, T: Number>(row: impl Fn(usize) -> &'a [f32; 10]) -> [T; 10] {
    let [a, b, c, d] = T::columns(|lane| four(row(lane), 0));
    let [e, f, g, h] = T::columns(|lane| four(row(lane), 4));
    let [_, _, i, j] = T::columns(|lane| four(row(lane), 6));
    [a, b, c, d, e, f, g, h, i, j]
}

/// A leaf of the tree: the bounds of its bodies, and its oriented boxes as the narrow phase reads them.
pub(super) struct Leaf {
    bounds: Block,
    packed: [PackedObb; WIDTH],
}

impl AsRef<Block> for Leaf {
    #[inline(always)]
    fn as_ref(&self) -> &Block {
        &self.bounds
    }
}

impl Leaf {
    #[inline(always)]
    pub(super) fn packed(&self, j: usize) -> &PackedObb {
        &self.packed[j % WIDTH]
    }

    /// Grows the bounds of the lanes that have a growth.
    pub(super) fn grow(&mut self, growth: impl Fn(usize) -> Option<Growth>) {
        for lane in 0..WIDTH {
            if let Some(growth) = growth(lane) {
                self.bounds.set(lane, &growth.of(self.bounds.lane(lane)));
            }
        }
    }
}

/// How many bodies of a set are oriented boxes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum OrientedBoxes {
    All,
    Some,
    Absent,
}

/// The leaf of the bodies with these ids, at most [`WIDTH`], and whether the filter can take all of them.
#[inline(always)]
pub(super) fn leaf<T: Number>(bodies: &Bodies, ids: &[u32], boxes: OrientedBoxes) -> (Leaf, bool) {
    let records = bodies.records();
    let last = ids.len() - 1;
    let mut numbers = [[0.0; WIDTH]; 10];
    let (mut usable, mut scales) = (0, [0.0; WIDTH]);
    let mut first = if boxes == OrientedBoxes::Absent { WIDTH } else { 0 };
    while first < WIDTH {
        let found = of_rows::<T>(|lane| &records[ids[(first + lane).min(last)] as usize]);
        for (column, found) in numbers.iter_mut().zip(found) {
            found.store(&mut column[first..]);
        }
        let (inside, scale) = in_domain(found);
        usable |= inside.bits() << first;
        scale.store(&mut scales[first..]);
        first += T::LANES;
    }
    let mut bounds = Block::EMPTY;
    if boxes != OrientedBoxes::Absent {
        (bounds.min, bounds.max) = bounds_of(&numbers);
    }
    let (mut packed, mut all_usable) = ([PackedObb::UNUSABLE; WIDTH], true);
    for (lane, id) in ids.iter().enumerate() {
        let id = *id as usize;
        if boxes != OrientedBoxes::All && bodies.kind(id) != Kind::Obb {
            bounds.set(lane, &bodies.get(id).aabb());
            all_usable = false;
        } else if usable >> lane & 1 == 1 {
            packed[lane] = scaled(&records[id], scales[lane]);
        } else {
            all_usable = false;
        }
    }
    bounds.clear_from(ids.len());
    (Leaf { bounds, packed }, all_usable)
}

#[inline(always)]
fn scaled(record: &Record, scale: f32) -> PackedObb {
    let mut numbers = *record;
    for x in &mut numbers[6..] {
        *x *= scale;
    }
    PackedObb { numbers }
}

/// Whether boxes are in the domain of the filter, and the power of two by which their quaternions are multiplied: see
/// [`domain`](crate::filter::domain).
#[inline(always)]
fn in_domain<T: Number>([a, b, c, d, e, f, i, j, k, w]: [T; 10]) -> (T::Truth, T) {
    let center = a.magnitude().greater(b.magnitude()).greater(c.magnitude());
    let length = center.greater(d).greater(e).greater(f);
    let turn = i.magnitude().greater(j.magnitude()).greater(k.magnitude()).greater(w.magnitude());
    let inside = length
        .at_most(T::splat(LARGEST_LENGTH))
        .and(turn.at_most(T::splat(LARGEST_TURN)))
        .and(T::splat(SMALLEST_TURN).at_most(turn));
    (inside, T::from_guess(0x7f00_0000, turn.masked(0x7f80_0000), 0))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::filter::domain;
    use crate::lanes::{Task, Width};
    use crate::scenes::random;
    use crate::shape::kinds::BodyShape;

    struct Checked<'a>(&'a Bodies, &'a [u32], OrientedBoxes);

    impl Task for Checked<'_> {
        type Output = (Leaf, bool);
        #[inline(always)]
        fn run<T: Number>(self) -> (Leaf, bool) {
            leaf::<T>(self.0, self.1, self.2)
        }
    }

    /// Every width makes of each body what the scalar functions make of it: bounds bit for bit, the domain and the scale.
    #[test]
    fn every_width_has_the_leaves_of_single_bodies() {
        let (mut inside, mut outside, mut others) = (0, 0, 0);
        for seed in 0..40 {
            let bodies = random(seed, 300).expect("a scene");
            let count = bodies.kinds().iter().filter(|kind| **kind == Kind::Obb).count();
            let boxes = match count {
                0 => OrientedBoxes::Absent,
                _ if count == bodies.id_bound() => OrientedBoxes::All,
                _ => OrientedBoxes::Some,
            };
            let ids: Vec<u32> = (0..bodies.id_bound() as u32).rev().collect();
            for width in Width::all().into_iter().chain([Width::ONE]) {
                for ids in ids.chunks(WIDTH) {
                    let (found, all_usable) = width.run(Checked(&bodies, ids, boxes));
                    assert_eq!(all_usable, found.packed[..ids.len()].iter().all(PackedObb::usable));
                    for (lane, id) in ids.iter().enumerate() {
                        let shape = bodies.get(*id as usize);
                        assert_eq!(found.bounds.lane(lane), shape.aabb(), "{width:?}: {shape:?}");
                        let expected = match &shape {
                            BodyShape::Obb(obb) if domain::obb(obb) => {
                                let mut record = bodies.records()[*id as usize];
                                record[6..].copy_from_slice(&domain::scaled(obb.rotation_array()));
                                inside += 1;
                                Some(record.map(f32::to_bits))
                            }
                            BodyShape::Obb(_) => {
                                outside += 1;
                                None
                            }
                            _ => {
                                others += 1;
                                None
                            }
                        };
                        let packed = &found.packed[lane];
                        assert_eq!(packed.usable().then(|| packed.numbers.map(f32::to_bits)), expected, "{shape:?}");
                    }
                    for lane in ids.len()..WIDTH {
                        assert!(found.bounds.lane(lane).is_empty() && !found.packed[lane].usable());
                    }
                }
            }
        }
        assert!(inside.min(outside).min(others) > 100, "{inside} {outside} {others}");
    }
}
