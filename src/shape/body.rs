use super::kinds::Kind;
use super::{Aabb, Obb, Sphere};
use crate::{Error, Result};

/// A shape of one of the kinds that sets of [`Bodies`](crate::Bodies) hold.
///
/// ```
/// use tangency::shape::{Aabb, BodyShape, Sphere};
///
/// let shapes: Vec<BodyShape> = vec![Sphere::new([0.0; 3], 1.0)?.into(), Aabb::new([0.0; 3], [1.0; 3])?.into()];
/// assert_eq!(shapes[0].kind(), "sphere");
/// # Ok::<(), tangency::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "lowercase"))]
#[non_exhaustive]
pub enum BodyShape {
    /// A ball.
    Sphere(Sphere),
    /// An axis-aligned box.
    Aabb(Aabb),
    /// An oriented box.
    Obb(Obb),
}

impl BodyShape {
    /// The name of the kind: `sphere`, `aabb` or `obb`.
    ///
    /// ```
    /// # use tangency::shape::{Aabb, BodyShape};
    /// assert_eq!(BodyShape::from(Aabb::new([0.0; 3], [1.0; 3])?).kind(), "aabb");
    /// # Ok::<(), tangency::Error>(())
    /// ```
    pub fn kind(&self) -> &'static str {
        Kind::of(self).name()
    }

    /// Checks that this is a shape with at least one point.
    ///
    /// ```
    /// # use tangency::{Error, shape::{Aabb, BodyShape}};
    /// assert_eq!(BodyShape::from(Aabb::EMPTY).validate(), Err(Error::EmptyBox));
    /// ```
    ///
    /// # Errors
    /// As the constructor of the shape.
    pub fn validate(&self) -> Result<(), Error> {
        match self {
            Self::Sphere(shape) => shape.validate(),
            Self::Aabb(shape) => shape.validate(),
            Self::Obb(shape) => shape.validate(),
        }
    }

    /// An axis-aligned box that contains the shape.
    ///
    /// ```
    /// # use tangency::shape::{Aabb, BodyShape, Sphere};
    /// let ball = BodyShape::from(Sphere::new([1.0; 3], 0.5)?);
    /// assert_eq!(ball.aabb(), Aabb::new([0.5; 3], [1.5; 3])?);
    /// # Ok::<(), tangency::Error>(())
    /// ```
    pub fn aabb(&self) -> Aabb {
        match self {
            Self::Sphere(shape) => shape.aabb(),
            Self::Aabb(shape) => *shape,
            Self::Obb(shape) => shape.aabb(),
        }
    }
}

impl From<Sphere> for BodyShape {
    fn from(shape: Sphere) -> Self {
        Self::Sphere(shape)
    }
}

impl From<Aabb> for BodyShape {
    fn from(shape: Aabb) -> Self {
        Self::Aabb(shape)
    }
}

impl From<Obb> for BodyShape {
    fn from(shape: Obb) -> Self {
        Self::Obb(shape)
    }
}
