use glam::{Quat, Vec3};

use super::check;
use crate::Result;

/// Where a body is: the point that a [`Pose`] puts its centre at.
///
/// It is made from whatever has three coordinates. What it is made of inside is not part of the interface, so that positions of more
/// bits than `f32` has can come later.
///
/// ```
/// use tangency::{glam::vec3, shape::Position};
///
/// let here = Position::from([1.0, 2.0, 3.0]);
/// assert_eq!(here, vec3(1.0, 2.0, 3.0).into());
/// assert_eq!(here.to_vec3(), vec3(1.0, 2.0, 3.0));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(transparent))]
pub struct Position(Vec3);

impl Position {
    /// The origin of coordinates.
    ///
    /// ```
    /// # use tangency::shape::Position;
    /// assert_eq!(Position::ORIGIN, [0.0; 3].into());
    /// ```
    pub const ORIGIN: Self = Self(Vec3::ZERO);

    /// The coordinates, rounded to `f32` if they have more bits. (None have so far.)
    ///
    /// ```
    /// # use tangency::{glam::Vec3, shape::Position};
    /// assert_eq!(Position::ORIGIN.to_vec3(), Vec3::ZERO);
    /// ```
    pub const fn to_vec3(self) -> Vec3 {
        self.0
    }
}

impl<V: Into<Vec3>> From<V> for Position {
    fn from(coordinates: V) -> Self {
        Self(coordinates.into())
    }
}

/// Where a body is and how it is turned: every point x of its shape in local coordinates lies at `position + R x`, R being the exact
/// rotation of `rotation / |rotation|`.
///
/// The quaternion may have any non-zero length and is kept as given, like that of an [`Obb`](super::Obb).
///
/// ```
/// use tangency::glam::Quat;
/// use tangency::shape::{Obb, Pose};
///
/// let pose = Pose::new([0.0, 2.0, 0.0], Quat::from_rotation_y(0.5))?;
/// let crate_ = Obb::new([9.0; 3], [1.0, 2.0, 3.0], Quat::IDENTITY)?.with_pose(pose);
/// assert_eq!(crate_, Obb::new([0.0, 2.0, 0.0], [1.0, 2.0, 3.0], Quat::from_rotation_y(0.5))?);
/// # Ok::<(), tangency::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pose {
    position: Position,
    // Not glam's Quat: its alignment of 16 would put padding into the struct.
    rotation: [f32; 4],
}

impl Default for Pose {
    fn default() -> Self {
        Self::IDENTITY
    }
}

impl Pose {
    /// At the origin, not turned.
    ///
    /// ```
    /// # use tangency::{glam::Quat, shape::Pose};
    /// assert_eq!(Pose::IDENTITY, Pose::new([0.0; 3], Quat::IDENTITY)?);
    /// # Ok::<(), tangency::Error>(())
    /// ```
    pub const IDENTITY: Self = Self { position: Position::ORIGIN, rotation: [0.0, 0.0, 0.0, 1.0] };

    /// At `position`, turned by `rotation`.
    ///
    /// ```
    /// # use tangency::{Error, glam::Quat, shape::Pose};
    /// let pose = Pose::new([1.0, 2.0, 3.0], Quat::from_rotation_x(0.5))?;
    /// assert_eq!(pose.position(), [1.0, 2.0, 3.0].into());
    /// assert_eq!(Pose::new([0.0; 3], Quat::from_xyzw(0.0, 0.0, 0.0, 0.0)), Err(Error::ZeroRotation));
    /// # Ok::<(), Error>(())
    /// ```
    ///
    /// # Errors
    /// [`NotFinite`](crate::Error::NotFinite), or [`ZeroRotation`](crate::Error::ZeroRotation).
    pub fn new(position: impl Into<Position>, rotation: impl Into<Quat>) -> Result<Self> {
        let pose = Self { position: position.into(), rotation: rotation.into().to_array() };
        check::finite_vec(&["position.x", "position.y", "position.z"], pose.position.0)?;
        check::rotation(pose.rotation)?;
        Ok(pose)
    }

    /// At `position`, not turned.
    ///
    /// ```
    /// # use tangency::{glam::Quat, shape::Pose};
    /// assert_eq!(Pose::at([1.0, 2.0, 3.0])?, Pose::new([1.0, 2.0, 3.0], Quat::IDENTITY)?);
    /// # Ok::<(), tangency::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`NotFinite`](crate::Error::NotFinite).
    pub fn at(position: impl Into<Position>) -> Result<Self> {
        Self::new(position, Quat::IDENTITY)
    }

    /// Where the centre is.
    ///
    /// ```
    /// # use tangency::shape::{Pose, Position};
    /// assert_eq!(Pose::IDENTITY.position(), Position::ORIGIN);
    /// ```
    pub const fn position(&self) -> Position {
        self.position
    }

    /// The rotation as given, of any non-zero length: normalise it before turning vectors with it.
    ///
    /// ```
    /// # use tangency::{glam::Quat, shape::Pose};
    /// let quarter_turn = Quat::from_xyzw(0.0, 0.0, 2.0, 2.0);
    /// assert_eq!(Pose::new([0.0; 3], quarter_turn)?.rotation(), quarter_turn);
    /// # Ok::<(), tangency::Error>(())
    /// ```
    pub fn rotation(&self) -> Quat {
        Quat::from_array(self.rotation)
    }

    /// A pose of numbers that have been checked.
    pub(crate) const fn of(position: Vec3, rotation: [f32; 4]) -> Self {
        Self { position: Position(position), rotation }
    }

    pub(crate) const fn rotation_array(&self) -> [f32; 4] {
        self.rotation
    }

    /// Whether the rotation is one: not that of a quaternion of any length along w.
    pub(crate) fn turns(&self) -> bool {
        self.rotation[..3] != [0.0; 3]
    }
}

#[cfg(feature = "serde")]
mod serde_impl {
    use super::{Pose, Position, Quat};

    #[derive(serde::Serialize, serde::Deserialize)]
    #[serde(rename = "Pose", deny_unknown_fields)]
    struct Fields {
        position: Position,
        rotation: Quat,
    }

    impl serde::Serialize for Pose {
        fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
            Fields { position: self.position, rotation: self.rotation() }.serialize(serializer)
        }
    }

    impl<'de> serde::Deserialize<'de> for Pose {
        fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
            let Fields { position, rotation } = Fields::deserialize(deserializer)?;
            Self::new(position, rotation).map_err(serde::de::Error::custom)
        }
    }
}
