use glam::Vec3;

use crate::Result;
use crate::shape::check;

/// How a shape moves during the unit of time from 0 to 1: at constant velocity, turning evenly about its own centre or about a pivot.
///
/// A point that is at p at time 0 is at `c + R(t) (p − c) + t translation` at time t, R(t) being the turn by `t rotation`. Without a
/// [pivot](Self::about), c is the [centre](crate::query::Support::center) of the shape at time 0.
///
/// ```
/// use tangency::query::Motion;
///
/// let bullet = Motion::translation([900.0, 0.0, 0.0])?;
/// assert_eq!(bullet.rotation_vector(), tangency::glam::Vec3::ZERO);
/// # Ok::<(), tangency::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Motion {
    translation: Vec3,
    rotation: Vec3,
    pivot: Option<Vec3>,
}

impl Motion {
    /// Standing still.
    ///
    /// ```
    /// # use tangency::query::Motion;
    /// assert_eq!(Motion::REST, Motion::translation([0.0; 3])?);
    /// # Ok::<(), tangency::Error>(())
    /// ```
    pub const REST: Self = Self { translation: Vec3::ZERO, rotation: Vec3::ZERO, pivot: None };

    /// Moving by `translation` while turning by `rotation`: a vector along the axis, as long as the angle in radians, which
    /// may be many turns. It turns about the shape's centre, unless [`about`](Self::about) says otherwise.
    ///
    /// ```
    /// # use tangency::{Error, query::Motion};
    /// let turning = Motion::new([1.0, 0.0, 0.0], [0.0, 3.0, 0.0])?;
    /// assert_eq!(turning.rotation_vector(), tangency::glam::vec3(0.0, 3.0, 0.0));
    /// let bad = Motion::new([0.0; 3], [0.0, f32::INFINITY, 0.0]);
    /// assert_eq!(bad, Err(Error::NotFinite { field: "rotation.y", value: f32::INFINITY }));
    /// # Ok::<(), tangency::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`NotFinite`](crate::Error::NotFinite), naming the component.
    pub fn new(translation: impl Into<Vec3>, rotation: impl Into<Vec3>) -> Result<Self> {
        let motion = Self { translation: translation.into(), rotation: rotation.into(), pivot: None };
        check::finite_vec(&["translation.x", "translation.y", "translation.z"], motion.translation)?;
        check::finite_vec(&["rotation.x", "rotation.y", "rotation.z"], motion.rotation)?;
        Ok(motion)
    }

    /// Moving without turning.
    ///
    /// ```
    /// # use tangency::query::Motion;
    /// assert_eq!(Motion::translation([1.0, 2.0, 3.0])?, Motion::new([1.0, 2.0, 3.0], [0.0; 3])?);
    /// # Ok::<(), tangency::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`NotFinite`](crate::Error::NotFinite), naming the component.
    pub fn translation(translation: impl Into<Vec3>) -> Result<Self> {
        Self::new(translation, Vec3::ZERO)
    }

    /// The same motion, turning about `pivot`: a hinge, a joint, a centre of mass.
    ///
    /// The pivot is the place of that point at time 0, in the coordinates in which the shape is. It moves with the translation, so
    /// at time t it is at `pivot + t translation`; a hinge that stays where it is belongs to a motion without translation. It need
    /// not lie in the shape.
    ///
    /// ```
    /// # use tangency::glam::Quat;
    /// # use tangency::{query::{self, Motion}, shape::{Obb, Sphere}};
    /// // A door one wide, its hinge at the origin, opens by a quarter turn, and a ball is in the way.
    /// let door = Obb::new([0.5, 1.0, 0.0], [0.5, 1.0, 0.0], Quat::IDENTITY)?;
    /// let opens = Motion::new([0.0; 3], [0.0, std::f32::consts::FRAC_PI_2, 0.0])?.about([0.0; 3])?;
    /// let ball = Sphere::new([0.25, 1.0, -0.75], 0.25)?;
    /// let hit = query::sweep(&door, &opens, &ball, &Motion::REST).expect("the door meets the ball");
    /// let angle = (0.75_f64).atan2(0.25) - (0.25 / 0.625_f64.sqrt()).asin();
    /// assert!((hit.time - angle / std::f64::consts::FRAC_PI_2).abs() < 1e-6);
    /// # Ok::<(), tangency::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`NotFinite`](crate::Error::NotFinite), naming the component.
    pub fn about(self, pivot: impl Into<Vec3>) -> Result<Self> {
        let pivot = pivot.into();
        check::finite_vec(&["pivot.x", "pivot.y", "pivot.z"], pivot)?;
        Ok(Self { pivot: Some(pivot), ..self })
    }

    /// The point at time 0 that it turns about; `None` for the shape's own centre.
    ///
    /// ```
    /// # use tangency::{glam::Vec3, query::Motion};
    /// let turning = Motion::new([0.0; 3], [0.0, 9.0, 0.0])?;
    /// assert_eq!((turning.pivot(), turning.about([1.0; 3])?.pivot()), (None, Some(Vec3::ONE)));
    /// # Ok::<(), tangency::Error>(())
    /// ```
    pub fn pivot(&self) -> Option<Vec3> {
        self.pivot
    }

    /// The way from time 0 to time 1: of the pivot, and of everything where nothing turns.
    ///
    /// ```
    /// # use tangency::query::Motion;
    /// assert_eq!(Motion::translation([1.0, 2.0, 3.0])?.translation_vector(), tangency::glam::vec3(1.0, 2.0, 3.0));
    /// # Ok::<(), tangency::Error>(())
    /// ```
    pub fn translation_vector(&self) -> Vec3 {
        self.translation
    }

    /// Whether it turns at all.
    pub(crate) fn turns(&self) -> bool {
        self.rotation != Vec3::ZERO
    }

    /// The axis of the turn, as long as its angle in radians.
    ///
    /// ```
    /// # use tangency::query::Motion;
    /// assert_eq!(Motion::new([0.0; 3], [0.0, 9.0, 0.0])?.rotation_vector(), tangency::glam::vec3(0.0, 9.0, 0.0));
    /// # Ok::<(), tangency::Error>(())
    /// ```
    pub fn rotation_vector(&self) -> Vec3 {
        self.rotation
    }
}

#[cfg(feature = "serde")]
mod serde_impl {
    use super::{Motion, Vec3};

    #[derive(serde::Serialize, serde::Deserialize)]
    #[serde(rename = "Motion", deny_unknown_fields)]
    struct Fields {
        translation: Vec3,
        rotation: Vec3,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pivot: Option<Vec3>,
    }

    impl serde::Serialize for Motion {
        fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
            let Self { translation, rotation, pivot } = *self;
            Fields { translation, rotation, pivot }.serialize(serializer)
        }
    }

    impl<'de> serde::Deserialize<'de> for Motion {
        fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
            let Fields { translation, rotation, pivot } = Fields::deserialize(deserializer)?;
            let motion = Self::new(translation, rotation);
            let motion = if let Some(pivot) = pivot { motion.and_then(|motion| motion.about(pivot)) } else { motion };
            motion.map_err(serde::de::Error::custom)
        }
    }
}
