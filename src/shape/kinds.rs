//! The kinds of shapes that sets of [`Bodies`](crate::Bodies) hold: one row each.
//!
//! From the rows follow the codes of kinds and the length of records on the host and on the device, and how many pairs of kinds there
//! are, each of which has a bucket of its own for candidates.

use glam::Vec3;

use super::hull_record::{self, FORM_WORD};
use super::{Aabb, Capsule, ConvexHull, Obb, PlacedHull, Plane, Pose, Shape, Sphere};
use crate::{Error, Result};

macro_rules! kinds {
    ($a:lifetime; $($(#[$doc:meta])* $kind:ident($shape:ty) $name:literal words: $words:literal pose: $pose:ident;)*) => {
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
            pub(crate) const fn of(shape: &BodyShape<'_>) -> Self {
                match shape {
                    $(BodyShape::$kind(_) => Self::$kind),*
                }
            }

            pub(crate) const fn name(self) -> &'static str {
                match self {
                    $(Self::$kind => $name),*
                }
            }

            /// The numbers of its record.
            pub(crate) const fn words(self) -> usize {
                match self {
                    $(Self::$kind => $words),*
                }
            }

            const fn posed(self) -> Posed {
                match self {
                    $(Self::$kind => Posed::$pose),*
                }
            }
        }

        /// A shape that a body can have. What shapes share is borrowed from the set.
        #[derive(Clone, Copy, Debug, PartialEq)]
        pub(crate) enum BodyShape<$a> {
            $($(#[$doc])* $kind($shape)),*
        }

        impl BodyShape<'_> {
            /// As the constructor of the shape.
            pub(crate) fn validate(&self) -> Result<()> {
                match self {
                    $(Self::$kind(shape) => shape.validate()),*
                }
            }
        }

        $(impl<$a> From<$shape> for BodyShape<$a> {
            fn from(shape: $shape) -> Self {
                Self::$kind(shape)
            }
        })*

        impl From<BodyShape<'_>> for Shape {
            fn from(shape: BodyShape<'_>) -> Self {
                match shape {
                    $(BodyShape::$kind(shape) => Self::$kind(shape.into())),*
                }
            }
        }

        /// The kind and the record of a shape.
        pub(crate) fn encode(shape: &BodyShape<'_>) -> (Kind, Record) {
            let mut record = [0.0; RECORD_WORDS];
            match shape {
                $(BodyShape::$kind(shape) => shape.write(&mut record)),*
            }
            (Kind::of(shape), record)
        }

        /// The shape with this record, in a set with these hulls.
        pub(crate) fn decode<'a>(kind: Kind, record: &Record, hulls: &'a [ConvexHull]) -> BodyShape<'a> {
            match kind {
                $(Kind::$kind => BodyShape::$kind(Recorded::read(record, hulls)),)*
            }
        }
    };
}

kinds! {
    'a;
    /// Centre and radius.
    Sphere(Sphere) "sphere" words: 4 pose: Position;
    /// Lower and upper corner.
    Aabb(Aabb) "aabb" words: 6 pose: None;
    /// Centre, half extents and quaternion.
    Obb(Obb) "obb" words: 10 pose: PositionAndRotation;
    /// Both ends of the segment, and the radius.
    Capsule(Capsule) "capsule" words: 7 pose: None;
    /// A half-space: the normal out of it, and the offset of its border.
    Plane(Plane) "plane" words: 4 pose: None;
    /// Position, the number of the local form among those of the set, its bounds, and quaternion.
    ConvexHull(PlacedHull<'a>) "convex_hull" words: 10 pose: PositionAndRotation;
}

/// A shape that has a record.
trait Recorded<'a> {
    fn write(&self, record: &mut Record);
    fn read(record: &Record, hulls: &'a [ConvexHull]) -> Self;
}

/// The numbers of the shape, in the order of its fields.
macro_rules! recorded_as_they_are {
    ($($shape:ident)*) => {$(
        impl Recorded<'_> for $shape {
            fn write(&self, record: &mut Record) {
                record[..Kind::$shape.words()].copy_from_slice(bytemuck::cast_slice(&[*self]));
            }

            fn read(record: &Record, _: &[ConvexHull]) -> Self {
                bytemuck::cast_slice::<f32, $shape>(&record[..Kind::$shape.words()])[0]
            }
        }
    )*};
}

recorded_as_they_are!(Sphere Aabb Obb Capsule Plane);

impl<'a> Recorded<'a> for PlacedHull<'a> {
    /// With 0 for the number, which only the set knows.
    fn write(&self, record: &mut Record) {
        record[FORM_WORD..FORM_WORD + 3].copy_from_slice(&hull_record::words_of(
            0,
            self.local_bounds(),
            self.local_radius(),
        ));
        Kind::ConvexHull.set_pose(record, &self.pose());
    }

    fn read(record: &Record, hulls: &'a [ConvexHull]) -> Self {
        let pose = Kind::ConvexHull.pose(record).unwrap_or_default();
        hulls[hull_record::form_of(record[FORM_WORD]) as usize].placed_at(pose)
    }
}

impl<'a> BodyShape<'a> {
    /// The shape, if it is one that a body can have.
    pub(crate) fn of(shape: &'a Shape) -> Result<Self> {
        Ok(match shape {
            Shape::Sphere(shape) => Self::Sphere(*shape),
            Shape::Aabb(shape) => Self::Aabb(*shape),
            Shape::Obb(shape) => Self::Obb(*shape),
            Shape::Capsule(shape) => Self::Capsule(*shape),
            Shape::Plane(shape) => Self::Plane(*shape),
            Shape::ConvexHull(shape) => Self::ConvexHull(shape.as_placed()),
            other => return Err(Error::NotABody { kind: other.kind() }),
        })
    }
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

impl BodyShape<'_> {
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
            Self::ConvexHull(shape) => shape.aabb(),
        }
    }

    /// The same shape in another pose, if it has one.
    pub(crate) fn with_pose(&self, pose: Pose) -> Self {
        if let Self::ConvexHull(hull) = self {
            return Self::ConvexHull(hull.with_pose(pose));
        }
        let (kind, mut record) = encode(self);
        kind.set_pose(&mut record, &pose);
        decode(kind, &record, &[])
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
        let hull = ConvexHull::from_points([[1.0, 2.0, 3.0], [4.0, 5.0, -6.0]]).expect("a hull");
        let shapes: [BodyShape<'_>; KINDS] = [
            Sphere::new([1.0, 2.0, 3.0], 4.0).expect("a ball").into(),
            Aabb::new([1.0, 2.0, 3.0], [4.0, 5.0, 6.0]).expect("a box").into(),
            Obb::new([1.0, 2.0, 3.0], [4.0, 5.0, 6.0], glam::Quat::from_xyzw(0.0, 0.6, 0.0, 0.8))
                .expect("a box")
                .into(),
            Capsule::new([1.0, 2.0, 3.0], [4.0, 5.0, 6.0], 7.0).expect("a capsule").into(),
            Plane::new([1.0, 2.0, 3.0], 4.0).expect("a plane").into(),
            hull.placed_at(Pose::new([1.0, 2.0, 3.0], glam::Quat::from_xyzw(0.0, 0.6, 0.0, 0.8)).expect("a pose"))
                .into(),
        ];
        for (shape, kind) in shapes.iter().zip(Kind::ALL) {
            let (found, record) = encode(shape);
            assert_eq!((found, decode(found, &record, std::slice::from_ref(&hull))), (kind, *shape));
            assert!(record[kind.words()..].iter().all(|word| *word == 0.0));
        }
        assert_eq!(Kind::ALL.map(Kind::words), [4, 6, 10, 7, 4, 10]);
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
