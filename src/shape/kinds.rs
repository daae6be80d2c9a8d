//! The kinds of shapes that sets of [`Bodies`](crate::Bodies) hold: one row each.
//!
//! From the rows follow the codes of kinds and the length of records on the host and on the device, and how many pairs of kinds there
//! are, each of which has a bucket of its own for candidates.

use glam::Vec3;

use super::{Aabb, Capsule, Obb, Plane, Pose, Shape, Sphere};
use crate::{Error, Result};

macro_rules! kinds {
    ($($(#[$doc:meta])* $kind:ident $name:literal pose: $pose:ident;)*) => {
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

            const fn posed(self) -> Posed {
                match self {
                    $(Self::$kind => Posed::$pose),*
                }
            }
        }

        /// A shape that a body can have.
        #[derive(Clone, Copy, Debug, PartialEq)]
        pub(crate) enum BodyShape {
            $($(#[$doc])* $kind($kind)),*
        }

        impl BodyShape {
            /// The shape, if it is one that a body can have.
            pub(crate) fn of(shape: &Shape) -> Result<Self> {
                match shape {
                    $(Shape::$kind(shape) => Ok(Self::$kind(*shape)),)*
                    other => Err(Error::NotABody { kind: other.kind() }),
                }
            }

            /// As the constructor of the shape.
            pub(crate) fn validate(&self) -> Result<()> {
                match self {
                    $(Self::$kind(shape) => shape.validate()),*
                }
            }
        }

        $(impl From<$kind> for BodyShape {
            fn from(shape: $kind) -> Self {
                Self::$kind(shape)
            }
        })*

        impl From<BodyShape> for Shape {
            fn from(shape: BodyShape) -> Self {
                match shape {
                    $(BodyShape::$kind(shape) => Self::$kind(shape)),*
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
    Sphere "sphere" pose: Position;
    /// Lower and upper corner.
    Aabb "aabb" pose: None;
    /// Centre, half extents and quaternion.
    Obb "obb" pose: PositionAndRotation;
    /// Both ends of the segment, and the radius.
    Capsule "capsule" pose: None;
    /// A half-space: the normal out of it, and the offset of its border.
    Plane "plane" pose: None;
}

/// What of a pose is in the record of a kind.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Posed {
    /// The shape has no pose.
    None,
    /// The first three numbers are the position.
    Position,
    /// The first three numbers are the position, and the last four the rotation.
    PositionAndRotation,
}

impl Kind {
    /// Whether shapes of this kind have a pose.
    pub(crate) const fn has_pose(self) -> bool {
        !matches!(self.posed(), Posed::None)
    }

    /// Whether its record ends with a quaternion.
    pub(crate) const fn has_rotation(self) -> bool {
        matches!(self.posed(), Posed::PositionAndRotation)
    }

    /// The pose in a record.
    pub(crate) fn pose(self, record: &Record) -> Option<Pose> {
        let position = Vec3::new(record[0], record[1], record[2]);
        let end = self.words();
        match self.posed() {
            Posed::None => None,
            Posed::Position => Some(Pose::of(position, Pose::IDENTITY.rotation_array())),
            Posed::PositionAndRotation => {
                Some(Pose::of(position, [record[end - 4], record[end - 3], record[end - 2], record[end - 1]]))
            }
        }
    }

    /// Writes a pose to a record, as far as shapes of this kind have one.
    pub(crate) fn set_pose(self, record: &mut Record, pose: &Pose) {
        if self.has_pose() {
            record[..3].copy_from_slice(&pose.position().to_vec3().to_array());
        }
        if self.has_rotation() {
            record[self.words() - 4..self.words()].copy_from_slice(&pose.rotation_array());
        }
    }
}

impl BodyShape {
    pub(crate) const fn kind(&self) -> Kind {
        Kind::of(self)
    }

    /// An axis-aligned box that contains the shape, as far as coordinates are finite.
    pub(crate) fn aabb(&self) -> Aabb {
        match self {
            Self::Sphere(shape) => shape.aabb(),
            Self::Aabb(shape) => *shape,
            Self::Obb(shape) => shape.aabb(),
            Self::Capsule(shape) => shape.aabb(),
            Self::Plane(shape) => shape.bounds(),
        }
    }

    /// The same shape in another pose, if it has one.
    pub(crate) fn with_pose(&self, pose: Pose) -> Self {
        let (kind, mut record) = encode(self);
        kind.set_pose(&mut record, &pose);
        decode(kind, &record)
    }
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

/// A bit for each kind whose records begin with a position.
#[cfg(feature = "gpu")]
pub(crate) const fn posed_kinds() -> u32 {
    let (mut bits, mut k) = (0, 0);
    while k < KINDS {
        bits |= (Kind::ALL[k].has_pose() as u32) << k;
        k += 1;
    }
    bits
}

/// Four bits for each kind: where its records have a quaternion; 0 if they have none.
#[cfg(feature = "gpu")]
pub(crate) const fn rotation_words() -> u32 {
    let (mut words, mut k) = (0, 0);
    while k < KINDS {
        if Kind::ALL[k].has_rotation() {
            words |= (Kind::ALL[k].words() as u32 - 4) << (4 * k);
        }
        k += 1;
    }
    words
}

#[cfg(feature = "gpu")]
const _: () = assert!(KINDS <= 8 && RECORD_WORDS < 20, "four bits for each kind");

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
            Capsule::new([1.0, 2.0, 3.0], [4.0, 5.0, 6.0], 7.0).expect("a capsule").into(),
            Plane::new([1.0, 2.0, 3.0], 4.0).expect("a plane").into(),
        ];
        for (shape, kind) in shapes.iter().zip(Kind::ALL) {
            let (found, record) = encode(shape);
            assert_eq!((found, decode(found, &record)), (kind, *shape));
            assert!(record[kind.words()..].iter().all(|word| *word == 0.0));
        }
        assert_eq!(Kind::ALL.map(Kind::words), [4, 6, 10, 7, 4]);
    }

    #[test]
    fn poses_are_where_records_have_them() {
        let pose = Pose::new([7.0, 8.0, 9.0], glam::Quat::from_xyzw(0.5, 0.5, -0.5, 0.5)).expect("a pose");
        let obb = Obb::new([1.0, 2.0, 3.0], [4.0, 5.0, 6.0], glam::Quat::IDENTITY).expect("a box");
        assert_eq!(BodyShape::from(obb).with_pose(pose), obb.with_pose(pose).into());
        let ball = Sphere::new([1.0, 2.0, 3.0], 4.0).expect("a ball");
        assert_eq!(BodyShape::from(ball).with_pose(pose), ball.with_pose(pose).into());
        let aligned = BodyShape::from(Aabb::new([1.0; 3], [2.0; 3]).expect("a box"));
        assert_eq!((aligned.with_pose(pose), aligned.kind().pose(&encode(&aligned).1)), (aligned, None));
        let (kind, record) = encode(&obb.with_pose(pose).into());
        assert_eq!(kind.pose(&record), Some(pose));
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
