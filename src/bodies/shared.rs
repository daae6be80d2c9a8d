//! Shapes that many bodies share.

use std::ops::Range;
use std::sync::Arc;

use super::{Bodies, BodyShape, Traits};
use crate::shape::{Pose, Shape};
use crate::{Error, Result};

/// A shape that bodies of a set share: [`Bodies::share`].
///
/// ```
/// use tangency::{Bodies, ShapeId, shape::{Pose, Sphere}};
///
/// let mut bodies = Bodies::new();
/// let pea: ShapeId = bodies.share(Sphere::new([0.0; 3], 0.01)?)?;
/// bodies.extend_shared(pea, [Pose::at([1.0, 0.0, 0.0])?, Pose::at([2.0, 0.0, 0.0])?])?;
/// # Ok::<(), tangency::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(transparent))]
pub struct ShapeId(u32);

impl Bodies {
    /// Takes a shape that many bodies of this set are to have, each in a pose of its own. The pose that the shape has here does not
    /// count. Shapes that need memory of their own are stored once.
    ///
    /// ```
    /// # use tangency::{Bodies, glam::Quat, shape::{Obb, Pose}};
    /// let mut bodies = Bodies::new();
    /// let brick = bodies.share(Obb::new([0.0; 3], [0.24, 0.06, 0.12], Quat::IDENTITY)?)?;
    /// let first = bodies.push_shared(brick, Pose::at([5.0, 0.0, 0.0])?)?;
    /// assert_eq!(bodies.shape(first)?, Obb::new([5.0, 0.0, 0.0], [0.24, 0.06, 0.12], Quat::IDENTITY)?.into());
    /// # Ok::<(), tangency::Error>(())
    /// ```
    ///
    /// # Errors
    /// What `validate` says of the shape, [`NotABody`](Error::NotABody), and [`NoPose`](Error::NoPose) for an axis-aligned box.
    pub fn share(&mut self, shape: impl Into<Shape>) -> Result<ShapeId> {
        let shape = shape.into();
        let known = BodyShape::of(&shape)?;
        known.validate()?;
        if !known.kind().has_pose() {
            return Err(Error::NoPose { kind: known.kind().name() });
        }
        let columns = Arc::make_mut(&mut self.columns);
        columns.shared.push(shape);
        Ok(ShapeId(columns.shared.len() as u32 - 1))
    }

    /// A shape that bodies share, in the pose in which it was given.
    ///
    /// ```
    /// # use tangency::{Bodies, shape::Sphere};
    /// let mut bodies = Bodies::new();
    /// let pea = bodies.share(Sphere::new([0.0; 3], 0.01)?)?;
    /// assert_eq!(bodies.shared(pea)?, &Sphere::new([0.0; 3], 0.01)?.into());
    /// # Ok::<(), tangency::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`NoSuchShape`](Error::NoSuchShape), when it is of another set.
    pub fn shared(&self, shape: ShapeId) -> Result<&Shape> {
        let shapes = &self.columns.shared;
        shapes.get(shape.0 as usize).ok_or(Error::NoSuchShape { index: shape.0, len: shapes.len() })
    }

    /// Adds a body with a shared shape and the default [`Traits`], and returns its id, as [`push`](Self::push) does.
    ///
    /// ```
    /// # use tangency::{Bodies, shape::{Pose, Sphere}};
    /// let mut bodies = Bodies::new();
    /// let pea = bodies.share(Sphere::new([0.0; 3], 0.01)?)?;
    /// assert_eq!(bodies.push_shared(pea, Pose::at([1.0, 0.0, 0.0])?)?, 0);
    /// # Ok::<(), tangency::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`shared`](Self::shared) and [`push`](Self::push).
    pub fn push_shared(&mut self, shape: ShapeId, pose: Pose) -> Result<u32> {
        let shape = Shape::from(BodyShape::of(self.shared(shape)?)?.with_pose(pose));
        self.push(shape)
    }

    /// Adds a body with a shared shape for each of these poses, and returns their ids, as [`extend`](Self::extend) does.
    ///
    /// ```
    /// # use tangency::{Bodies, shape::{Pose, Sphere}};
    /// let mut bodies = Bodies::new();
    /// let pea = bodies.share(Sphere::new([0.0; 3], 0.01)?)?;
    /// let poses = [1.0, 2.0, 3.0].map(|x| Pose::at([x, 0.0, 0.0]).expect("a finite place"));
    /// assert_eq!(bodies.extend_shared(pea, poses)?, 0..3);
    /// # Ok::<(), tangency::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`shared`](Self::shared) and [`extend`](Self::extend).
    pub fn extend_shared(&mut self, shape: ShapeId, poses: impl IntoIterator<Item = Pose>) -> Result<Range<u32>> {
        self.extend_shared_with(shape, poses.into_iter().map(|pose| (pose, Traits::new())))
    }

    /// Adds a body with a shared shape for each of these poses and traits, and returns their ids, as [`extend`](Self::extend) does.
    ///
    /// ```
    /// # use tangency::{Bodies, Traits, shape::{Pose, Sphere}};
    /// let mut bodies = Bodies::new();
    /// let pea = bodies.share(Sphere::new([0.0; 3], 0.01)?)?;
    /// bodies.extend_shared_with(pea, (0..4).map(|world| (Pose::IDENTITY, Traits::new().world(world))))?;
    /// assert_eq!(bodies.traits(3)?.world, 3);
    /// # Ok::<(), tangency::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`shared`](Self::shared) and [`extend`](Self::extend).
    pub fn extend_shared_with(
        &mut self,
        shape: ShapeId,
        bodies: impl IntoIterator<Item = (Pose, Traits)>,
    ) -> Result<Range<u32>> {
        let shape = self.shared(shape)?.clone();
        let shape = BodyShape::of(&shape)?;
        self.extend_with(bodies.into_iter().map(|(pose, traits)| (shape.with_pose(pose), traits)))
    }
}
