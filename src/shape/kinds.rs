//! The kinds of shapes that sets of [`Bodies`](crate::Bodies) hold: one row each.
//!
//! From the rows follow the codes of kinds and the length of records on the host and on the device, and how many pairs of kinds there
//! are, each of which has kernels of its own.

use super::{Aabb, BodyShape, Obb, Sphere};

macro_rules! kinds {
    ($($(#[$doc:meta])* $kind:ident $name:literal rotation: $rotation:literal;)*) => {
        /// The kind of a body's shape. The order is that in which pairs of kinds are named: the lower kind first.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
        #[repr(u8)]
        pub(crate) enum Kind {
            $($(#[$doc])* $kind),*
        }

        /// How many kinds there are.
        pub(crate) const KINDS: usize = [$($name),*].len();

        impl Kind {
            /// All kinds, by their codes.
            pub(crate) const ALL: [Self; KINDS] = [$(Self::$kind),*];

            /// The kind of a shape.
            pub(crate) const fn of(shape: &BodyShape) -> Self {
                match shape {
                    $(BodyShape::$kind(_) => Self::$kind),*
                }
            }

            pub(crate) const fn name(self) -> &'static str {
                match self {
                    $(Self::$kind => $name),*
                }
            }

            /// The numbers of its record: those of the shape, in the order of its fields.
            pub(crate) const fn words(self) -> usize {
                match self {
                    $(Self::$kind => size_of::<$kind>() / size_of::<f32>()),*
                }
            }

            /// Whether its record ends with a quaternion.
            #[cfg(feature = "gpu")]
            pub(crate) const fn has_rotation(self) -> bool {
                match self {
                    $(Self::$kind => $rotation),*
                }
            }
        }

        /// The kind and the record of a shape.
        pub(crate) fn encode(shape: &BodyShape) -> (Kind, Record) {
            let mut record = [0.0; RECORD_WORDS];
            match shape {
                $(BodyShape::$kind(shape) => {
                    record[..Kind::$kind.words()].copy_from_slice(bytemuck::cast_slice(&[*shape]));
                })*
            }
            (Kind::of(shape), record)
        }

        /// The shape with this record.
        pub(crate) fn decode(kind: Kind, record: &Record) -> BodyShape {
            match kind {
                $(Kind::$kind => BodyShape::$kind(bytemuck::cast_slice::<f32, $kind>(&record[..kind.words()])[0]),)*
            }
        }
    };
}

kinds! {
    /// Centre and radius.
    Sphere "sphere" rotation: false;
    /// Lower and upper corner.
    Aabb "aabb" rotation: false;
    /// Centre, half extents and quaternion.
    Obb "obb" rotation: true;
}

/// The numbers of a shape, then zeros up to the length of the longest record.
pub(crate) type Record = [f32; RECORD_WORDS];

/// Numbers of a record: those of the longest one, made even, since kernels read two at a time.
pub(crate) const RECORD_WORDS: usize = longest_record().next_multiple_of(2);

const fn longest_record() -> usize {
    let (mut longest, mut k) = (0, 0);
    while k < KINDS {
        if Kind::ALL[k].words() > longest {
            longest = Kind::ALL[k].words();
        }
        k += 1;
    }
    longest
}

/// How many pairs of kinds there are, a kind with itself among them.
#[cfg(feature = "gpu")]
pub(crate) const BUCKETS: usize = KINDS * (KINDS + 1) / 2;

/// By what [`bucket_of`] numbers pairs: kernels are given the same number.
#[cfg(feature = "gpu")]
pub(crate) const BUCKET_FACTOR: u32 = 2 * KINDS as u32 - 1;

/// The number of a pair of kinds, in any order: (0, 0), (0, 1), … (1, 1), (1, 2), …
#[cfg(feature = "gpu")]
pub(crate) const fn bucket_of(a: u32, b: u32) -> u32 {
    let (low, high) = if a < b { (a, b) } else { (b, a) };
    low * (BUCKET_FACTOR - low) / 2 + high
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shapes_come_back_from_their_records() {
        let shapes: [BodyShape; KINDS] = [
            Sphere::new([1.0, 2.0, 3.0], 4.0).expect("a ball").into(),
            Aabb::new([1.0, 2.0, 3.0], [4.0, 5.0, 6.0]).expect("a box").into(),
            Obb::new([1.0, 2.0, 3.0], [4.0, 5.0, 6.0], glam::Quat::from_xyzw(0.0, 0.6, 0.0, 0.8))
                .expect("a box")
                .into(),
        ];
        for (shape, kind) in shapes.iter().zip(Kind::ALL) {
            let (found, record) = encode(shape);
            assert_eq!((found, decode(found, &record)), (kind, *shape));
            assert!(record[kind.words()..].iter().all(|word| *word == 0.0));
        }
        assert_eq!(Kind::ALL.map(Kind::words), [4, 6, 10]);
    }

    #[cfg(feature = "gpu")]
    #[test]
    fn pairs_of_kinds_are_numbered_without_gaps() {
        let pairs = (0..KINDS as u32).flat_map(|a| (a..KINDS as u32).map(move |b| (a, b)));
        for (number, (a, b)) in (0..).zip(pairs) {
            assert_eq!((bucket_of(a, b), bucket_of(b, a)), (number, number));
        }
        assert_eq!(bucket_of(KINDS as u32 - 1, KINDS as u32 - 1) as usize, BUCKETS - 1);
    }
}
