//! Shapes as plain numbers, which the generator can change one unit at a time and the oracle reads without the library.

use std::fmt;

use tangency::shape::{Aabb, Capsule, ConvexHull, Obb, Plane, Pose, Shape, Sphere};

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    Sphere,
    Aabb,
    Obb,
    Capsule,
    /// A half-space.
    Plane,
    /// The hull of few points.
    ConvexHull,
}

/// How many points a hull is made of. Some may be inside, or in the same place.
pub const POINTS: usize = 5;
/// Where their coordinates end, and the quaternion begins.
const TURN: usize = 3 + 3 * POINTS;
/// The most numbers that describe a shape.
pub const NUMBERS: usize = TURN + 4;

impl Kind {
    pub const ALL: [Self; 6] = [Self::Sphere, Self::Aabb, Self::Obb, Self::Capsule, Self::Plane, Self::ConvexHull];
    /// Those with bounds. In a crowd most bodies are, because a half-space meets half of it.
    pub const BOUNDED: [Self; 5] = [Self::Sphere, Self::Aabb, Self::Obb, Self::Capsule, Self::ConvexHull];

    pub fn name(self) -> &'static str {
        match self {
            Self::Sphere => "sphere",
            Self::Aabb => "aabb",
            Self::Obb => "obb",
            Self::Capsule => "capsule",
            Self::Plane => "plane",
            Self::ConvexHull => "convex_hull",
        }
    }

    /// The number of numbers that describe the shape.
    fn width(self) -> usize {
        match self {
            Self::Sphere | Self::Plane => 4,
            Self::Aabb => 6,
            Self::Obb => 10,
            Self::Capsule => 7,
            Self::ConvexHull => NUMBERS,
        }
    }

    /// The number of these that are lengths, or those of a half-space: all but the quaternion.
    pub fn lengths(self) -> usize {
        self.width() - if matches!(self, Self::Obb | Self::ConvexHull) { 4 } else { 0 }
    }
}

/// A shape: centre and radius, or lower and upper corner, or centre, half extents and quaternion (x, y, z, w), or both ends of a segment and the
/// radius around it, or the normal of a half-space and its offset, or the position of a hull, the points that it is made of, and its quaternion; then
/// zeros.
#[derive(Clone, Copy, PartialEq)]
pub struct Form {
    pub kind: Kind,
    pub v: [f32; NUMBERS],
}

impl Form {
    pub fn new(kind: Kind, numbers: &[f32]) -> Self {
        let mut v = [0.0; NUMBERS];
        v[..numbers.len()].copy_from_slice(numbers);
        Self { kind, v }
    }

    pub fn numbers(&self) -> &[f32] {
        &self.v[..self.kind.width()]
    }

    /// The numbers that are lengths: everything but the quaternion.
    pub fn lengths(&self) -> &[f32] {
        &self.v[..self.kind.lengths()]
    }

    /// The quaternion; the identity for kinds without one.
    pub fn rotation(&self) -> [f32; 4] {
        let first = match self.kind {
            Kind::Obb => 6,
            Kind::ConvexHull => TURN,
            _ => return [0.0, 0.0, 0.0, 1.0],
        };
        std::array::from_fn(|k| self.v[first + k])
    }

    /// The pose of a shape of these numbers: their first three, and the quaternion.
    pub fn pose(&self) -> tangency::Result<Pose> {
        Pose::new([self.v[0], self.v[1], self.v[2]], tangency::glam::Quat::from_array(self.rotation()))
    }

    /// The same shape in the pose of another; absent if it has none.
    pub fn posed(&self, at: &Self) -> Option<Self> {
        let mut v = self.v;
        v[..3].copy_from_slice(&at.v[..3]);
        match self.kind {
            Kind::Aabb | Kind::Capsule | Kind::Plane => return None,
            Kind::Sphere => {}
            Kind::Obb => v[6..10].copy_from_slice(&at.rotation()),
            Kind::ConvexHull => v[TURN..].copy_from_slice(&at.rotation()),
        }
        Some(Self { kind: self.kind, v })
    }

    /// Half the size of an axis-aligned box, or half the way from end to end of a capsule.
    pub fn size(&self) -> [f64; 3] {
        [0, 1, 2].map(|k| (f64::from(self.v[k + 3]) - f64::from(self.v[k])) / 2.0)
    }

    /// Whether these numbers describe a valid shape.
    pub fn is_shape(&self) -> bool {
        let v = &self.v;
        let sizes = match self.kind {
            Kind::Sphere => v[3] >= 0.0,
            Kind::Aabb => (0..3).all(|k| v[k] <= v[k + 3]),
            Kind::Obb => v[3..6].iter().all(|e| *e >= 0.0) && v[6..10].iter().any(|q| *q != 0.0),
            Kind::Capsule => v[6] >= 0.0,
            Kind::Plane => v[..3].iter().any(|n| *n != 0.0),
            Kind::ConvexHull => v[TURN..].iter().any(|q| *q != 0.0),
        };
        sizes && self.numbers().iter().all(|x| x.is_finite())
    }

    pub fn shape(&self) -> tangency::Result<Shape> {
        let v = &self.v;
        Ok(match self.kind {
            Kind::Sphere => Sphere::new([v[0], v[1], v[2]], v[3])?.into(),
            Kind::Aabb => Aabb::new([v[0], v[1], v[2]], [v[3], v[4], v[5]])?.into(),
            Kind::Obb => {
                let rotation = tangency::glam::Quat::from_array(self.rotation());
                Obb::new([v[0], v[1], v[2]], [v[3], v[4], v[5]], rotation)?.into()
            }
            Kind::Capsule => Capsule::new([v[0], v[1], v[2]], [v[3], v[4], v[5]], v[6])?.into(),
            Kind::Plane => Plane::new([v[0], v[1], v[2]], v[3])?.into(),
            Kind::ConvexHull => ConvexHull::from_points(self.points())?.with_pose(self.pose()?).into(),
        })
    }

    /// The points that a hull is made of, before they are turned and moved.
    pub fn points(&self) -> [[f32; 3]; POINTS] {
        std::array::from_fn(|i| std::array::from_fn(|k| self.v[3 + 3 * i + k]))
    }

    /// The normal and the offset of a half-space.
    pub fn plane(&self) -> [f32; 4] {
        [self.v[0], self.v[1], self.v[2], self.v[3]]
    }

    /// The bits of all numbers, which identify the shape (and distinguish -0 from 0).
    pub fn bits(&self) -> (Kind, [u32; NUMBERS]) {
        (self.kind, self.v.map(f32::to_bits))
    }
}

/// The format of a row of `tangency pairs`: the bits of each number, in hexadecimal.
impl fmt::Display for Form {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let words =
            |numbers: &[f32]| numbers.iter().map(|x| format!("{:08x}", x.to_bits())).collect::<Vec<_>>().join(",");
        if self.kind == Kind::ConvexHull {
            let (place, turn) = (words(&self.v[..3]), words(&self.v[TURN..]));
            return write!(f, "{place},{turn},{POINTS:08x},{}", words(&self.v[3..TURN]));
        }
        f.write_str(&words(self.numbers()))
    }
}

/// The kind, the bits and the numbers, so that a reader can reproduce the shape.
impl fmt::Debug for Form {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {self} {:?}", self.kind.name(), self.numbers())
    }
}
