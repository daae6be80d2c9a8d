use glam::Vec3;

use crate::Result;
use crate::shape::check;

/// How a shape moves during the unit of time from 0 to 1: at constant velocity, turning evenly about its centre.
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
}

impl Motion {
    /// Standing still.
    ///
    /// ```
    /// # use tangency::query::Motion;
    /// assert_eq!(Motion::REST, Motion::translation([0.0; 3])?);
    /// # Ok::<(), tangency::Error>(())
    /// ```
    pub const REST: Self = Self { translation: Vec3::ZERO, rotation: Vec3::ZERO };

    /// Moving by `translation` while turning by `rotation`: a vector along the axis, as long as the angle in radians, which
    /// may be many turns.
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
        let motion = Self { translation: translation.into(), rotation: rotation.into() };
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

    /// The way from time 0 to time 1.
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
