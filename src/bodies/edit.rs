//! Changing bodies that are in a set.

use std::sync::Arc;

use super::{Bodies, Traits, no_pose};
use crate::shape::{Pose, Shape};
use crate::{Error, Result};

impl Bodies {
    /// Gives a body a new shape, of the same or another kind.
    ///
    /// ```
    /// # use tangency::{Bodies, shape::{Aabb, Sphere}};
    /// let mut bodies = Bodies::new();
    /// let ball = Sphere::new([0.0; 3], 1.0)?;
    /// bodies.push(ball)?;
    /// assert!(bodies.set_shape(0, Aabb::EMPTY).is_err());
    /// assert_eq!(bodies.shape(0)?, ball.into()); // as before
    /// bodies.set_shape(0, Aabb::new([0.0; 3], [1.0; 3])?)?;
    /// assert_eq!(bodies.shape(0)?.kind(), "aabb");
    /// # Ok::<(), tangency::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`NoSuchBody`](crate::Error::NoSuchBody), or [`InvalidBody`](crate::Error::InvalidBody); the body then keeps its shape.
    pub fn set_shape(&mut self, id: u32, shape: impl Into<Shape>) -> Result<()> {
        self.set_shapes(id, [shape.into()])
    }

    /// Gives consecutive bodies, from `start` on, the shapes in `shapes`. If one is refused, no body is changed.
    ///
    /// ```
    /// # use tangency::{Bodies, shape::Sphere};
    /// # let at = |x: f32| Sphere::new([x, 0.0, 0.0], 0.5);
    /// let mut bodies = Bodies::new();
    /// bodies.extend([at(0.0)?, at(1.0)?, at(2.0)?])?;
    /// bodies.set_shapes(1, [at(5.0)?, at(6.0)?])?;
    /// assert_eq!(bodies.shape(2)?, at(6.0)?.into());
    /// # Ok::<(), tangency::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`NoSuchBody`](crate::Error::NoSuchBody) if there are more shapes than bodies from `start` on,
    /// [`InvalidBody`](crate::Error::InvalidBody) with the id of the first invalid shape.
    pub fn set_shapes<S: Into<Shape>>(&mut self, start: u32, shapes: impl IntoIterator<Item = S>) -> Result<()> {
        let len = self.id_bound();
        let columns = Arc::make_mut(&mut self.columns);
        columns.sweep();
        let mut found = Vec::new();
        for shape in shapes {
            let index = start.saturating_add(found.len() as u32);
            if !columns.has(index) {
                return Err(Error::NoSuchBody { index, len });
            }
            found.push(columns.encoded(&shape.into(), index as usize)?);
        }
        let first = start as usize;
        let end = first + found.len();
        for (i, encoded) in (first..end).zip(found) {
            columns.set(i, encoded);
        }
        columns.record(start..end as u32);
        Ok(())
    }

    /// Moves a body: gives it another pose, and keeps its shape. A sphere ignores the rotation.
    ///
    /// ```
    /// # use tangency::{Bodies, glam::Quat, shape::{Obb, Pose}};
    /// let mut bodies = Bodies::new();
    /// let door = bodies.push(Obb::new([0.0; 3], [1.0, 2.0, 0.1], Quat::IDENTITY)?)?;
    /// let turn = Quat::from_rotation_y(0.5);
    /// bodies.set_pose(door, Pose::new([3.0, 0.0, 0.0], turn)?)?;
    /// assert_eq!(bodies.shape(door)?, Obb::new([3.0, 0.0, 0.0], [1.0, 2.0, 0.1], turn)?.into());
    /// # Ok::<(), tangency::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`NoSuchBody`](crate::Error::NoSuchBody); [`NoPose`](crate::Error::NoPose), as the reason of an
    /// [`InvalidBody`](crate::Error::InvalidBody), for an axis-aligned box, which [`set_shape`](Self::set_shape) moves.
    pub fn set_pose(&mut self, id: u32, pose: Pose) -> Result<()> {
        self.set_poses(id, &[pose])
    }

    /// Moves consecutive bodies, from `start` on. If one has no pose, none is moved.
    ///
    /// This is the way to move many bodies: less is uploaded than for new shapes, 28 bytes a body.
    ///
    /// ```
    /// # use tangency::{Bodies, shape::{Pose, Sphere}};
    /// let mut bodies = Bodies::new();
    /// bodies.extend([Sphere::new([0.0; 3], 0.5)?; 3])?;
    /// bodies.set_poses(1, &[Pose::at([5.0, 0.0, 0.0])?, Pose::at([6.0, 0.0, 0.0])?])?;
    /// assert_eq!(bodies.shape(2)?, Sphere::new([6.0, 0.0, 0.0], 0.5)?.into());
    /// # Ok::<(), tangency::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`set_pose`](Self::set_pose), for the first body that cannot be moved.
    pub fn set_poses(&mut self, start: u32, poses: &[Pose]) -> Result<()> {
        let first = start as usize;
        if poses.is_empty() {
            return Ok(());
        }
        for i in first..first + poses.len() {
            // (Beyond u32 there is no body either.)
            let i = self.check(u32::try_from(i).unwrap_or(u32::MAX))?;
            if !self.columns.kinds[i].has_pose() {
                return Err(no_pose(self.columns.kinds[i], i));
            }
        }
        let columns = Arc::make_mut(&mut self.columns);
        let range = first..first + poses.len();
        let bodies = columns.records[range.clone()].iter_mut().zip(&columns.kinds[range.clone()]);
        for ((record, kind), pose) in bodies.zip(poses) {
            kind.set_pose(record, pose);
        }
        columns.record_poses(start..range.end as u32);
        Ok(())
    }

    /// Gives a body new traits.
    ///
    /// ```
    /// # use tangency::{Bodies, Engine, Traits, shape::Sphere};
    /// let mut bodies = Bodies::new();
    /// bodies.extend([Sphere::new([0.0; 3], 1.0)?; 2])?;
    /// bodies.set_traits(1, Traits::new().world(7))?;
    /// assert!(Engine::new()?.overlaps(&bodies).run()?.is_empty());
    /// # Ok::<(), tangency::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`NoSuchBody`](crate::Error::NoSuchBody).
    pub fn set_traits(&mut self, id: u32, traits: Traits) -> Result<()> {
        let i = self.check(id)?;
        let columns = Arc::make_mut(&mut self.columns);
        columns.set_traits(i, traits);
        columns.record(id..id + 1);
        Ok(())
    }

    /// Excludes a body from all queries. It keeps its id, shape and traits.
    ///
    /// ```
    /// # use tangency::{Bodies, Engine, shape::Sphere};
    /// let mut bodies = Bodies::new();
    /// bodies.extend([Sphere::new([0.0; 3], 1.0)?; 3])?;
    /// bodies.disable(1)?;
    /// assert_eq!(Engine::new()?.overlaps(&bodies).run()?.to_vec(), [[0, 2]]);
    /// # Ok::<(), tangency::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`NoSuchBody`](crate::Error::NoSuchBody).
    pub fn disable(&mut self, id: u32) -> Result<()> {
        self.set_enabled(id, false)
    }

    /// Includes a disabled body in queries again.
    ///
    /// ```
    /// # use tangency::{Bodies, Engine, shape::Sphere};
    /// let mut bodies = Bodies::new();
    /// bodies.extend([Sphere::new([0.0; 3], 1.0)?; 2])?;
    /// bodies.disable(1)?;
    /// bodies.enable(1)?;
    /// assert_eq!(Engine::new()?.overlaps(&bodies).run()?.to_vec(), [[0, 1]]);
    /// # Ok::<(), tangency::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`NoSuchBody`](crate::Error::NoSuchBody).
    pub fn enable(&mut self, id: u32) -> Result<()> {
        self.set_enabled(id, true)
    }

    fn set_enabled(&mut self, id: u32, enabled: bool) -> Result<()> {
        let i = self.check(id)?;
        let columns = Arc::make_mut(&mut self.columns);
        if columns.enabled[i] != enabled {
            columns.set_enabled(i, enabled);
            columns.record(id..id + 1);
        }
        Ok(())
    }

    /// Excludes a pair: it is never reported, until it is [included](Self::include) again.
    ///
    /// ```
    /// # use tangency::{Bodies, Engine, shape::Sphere};
    /// let mut bodies = Bodies::new();
    /// bodies.extend([Sphere::new([0.0; 3], 1.0)?; 3])?;
    /// bodies.exclude(2, 0)?;
    /// assert_eq!(Engine::new()?.overlaps(&bodies).run()?.to_vec(), [[0, 1], [1, 2]]);
    /// # Ok::<(), tangency::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`NoSuchBody`](crate::Error::NoSuchBody).
    pub fn exclude(&mut self, a: u32, b: u32) -> Result<()> {
        self.check(a)?;
        self.check(b)?;
        let columns = Arc::make_mut(&mut self.columns);
        if columns.exclusions.insert(a, b) {
            columns.record(a..a + 1);
            columns.record(b..b + 1);
        }
        Ok(())
    }

    /// Reverts an [`exclude`](Self::exclude). Returns whether the pair was excluded.
    ///
    /// ```
    /// # use tangency::{Bodies, shape::Sphere};
    /// let mut bodies = Bodies::new();
    /// bodies.extend([Sphere::new([0.0; 3], 1.0)?; 2])?;
    /// bodies.exclude(0, 1)?;
    /// assert!(bodies.include(1, 0) && !bodies.include(1, 0));
    /// # Ok::<(), tangency::Error>(())
    /// ```
    pub fn include(&mut self, a: u32, b: u32) -> bool {
        let columns = Arc::make_mut(&mut self.columns);
        let found = columns.exclusions.remove(a, b);
        if found {
            columns.record(a..a + 1);
            columns.record(b..b + 1);
        }
        found
    }

    /// The excluded pairs, each with the smaller id first, sorted.
    ///
    /// ```
    /// # use tangency::{Bodies, shape::Sphere};
    /// let mut bodies = Bodies::new();
    /// bodies.extend([Sphere::new([0.0; 3], 1.0)?; 3])?;
    /// bodies.exclude(2, 1)?;
    /// bodies.exclude(0, 2)?;
    /// assert_eq!(bodies.excluded(), [(0, 2), (1, 2)]);
    /// # Ok::<(), tangency::Error>(())
    /// ```
    pub fn excluded(&self) -> Vec<(u32, u32)> {
        self.columns.exclusions.sorted()
    }
}
