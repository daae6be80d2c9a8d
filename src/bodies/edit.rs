//! Changing bodies that are in a set.

use std::sync::Arc;

use super::exclusions::Exclusions;
use super::{Bodies, Traits, encode};
use crate::shape::BodyShape;
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
    /// [`NoSuchBody`](Error::NoSuchBody), or [`InvalidBody`](Error::InvalidBody); the body then keeps its shape.
    pub fn set_shape(&mut self, index: u32, shape: impl Into<BodyShape>) -> Result<()> {
        self.set_shapes(index, [shape.into()])
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
    /// [`NoSuchBody`](Error::NoSuchBody) if there are more shapes than bodies from `start` on,
    /// [`InvalidBody`](Error::InvalidBody) with the id of the first invalid shape.
    pub fn set_shapes<S: Into<BodyShape>>(&mut self, start: u32, shapes: impl IntoIterator<Item = S>) -> Result<()> {
        let mut encoded = Vec::new();
        for shape in shapes {
            let shape = shape.into();
            let index = self.check(start.saturating_add(encoded.len() as u32))?;
            shape.validate().map_err(|reason| Error::invalid_body(index, reason))?;
            encoded.push(encode(&shape));
        }
        let columns = Arc::make_mut(&mut self.columns);
        let first = start as usize;
        let end = first + encoded.len();
        for (i, (kind, record)) in (first..end).zip(encoded) {
            columns.kinds[i] = kind;
            columns.shapes[i] = record;
        }
        columns.record(start..end as u32);
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
    /// [`NoSuchBody`](Error::NoSuchBody).
    pub fn set_traits(&mut self, index: u32, traits: Traits) -> Result<()> {
        let i = self.check(index)?;
        let columns = Arc::make_mut(&mut self.columns);
        columns.traits[i] = traits;
        columns.record(index..index + 1);
        Ok(())
    }

    /// Excludes a body from all queries. It keeps its id, shape and traits.
    ///
    /// ```
    /// # use tangency::{Bodies, Engine, shape::Sphere};
    /// let mut bodies = Bodies::new();
    /// bodies.extend([Sphere::new([0.0; 3], 1.0)?; 3])?;
    /// bodies.disable(1)?;
    /// assert_eq!(Engine::new()?.overlaps(&bodies).run()?.as_slice(), [[0, 2]]);
    /// # Ok::<(), tangency::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`NoSuchBody`](Error::NoSuchBody).
    pub fn disable(&mut self, index: u32) -> Result<()> {
        self.set_enabled(index, false)
    }

    /// Includes a disabled body in queries again.
    ///
    /// ```
    /// # use tangency::{Bodies, Engine, shape::Sphere};
    /// let mut bodies = Bodies::new();
    /// bodies.extend([Sphere::new([0.0; 3], 1.0)?; 2])?;
    /// bodies.disable(1)?;
    /// bodies.enable(1)?;
    /// assert_eq!(Engine::new()?.overlaps(&bodies).run()?.as_slice(), [[0, 1]]);
    /// # Ok::<(), tangency::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`NoSuchBody`](Error::NoSuchBody).
    pub fn enable(&mut self, index: u32) -> Result<()> {
        self.set_enabled(index, true)
    }

    fn set_enabled(&mut self, index: u32, enabled: bool) -> Result<()> {
        let i = self.check(index)?;
        let columns = Arc::make_mut(&mut self.columns);
        if columns.enabled[i] != enabled {
            columns.enabled[i] = enabled;
            columns.record(index..index + 1);
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
    /// assert_eq!(Engine::new()?.overlaps(&bodies).run()?.as_slice(), [[0, 1], [1, 2]]);
    /// # Ok::<(), tangency::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`NoSuchBody`](Error::NoSuchBody).
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

    /// Removes a body; the last body takes its id. Returns the id that the last body had, if it moved.
    ///
    /// ```
    /// # use tangency::{Bodies, shape::Sphere};
    /// # let at = |x: f32| Sphere::new([x, 0.0, 0.0], 0.5);
    /// let mut bodies = Bodies::new();
    /// bodies.extend([at(0.0)?, at(1.0)?, at(2.0)?])?;
    /// assert_eq!(bodies.swap_remove(0)?, Some(2)); // body 2 is now body 0
    /// assert_eq!(bodies.shape(0)?, at(2.0)?.into());
    /// assert_eq!(bodies.swap_remove(1)?, None); // it was the last
    /// # Ok::<(), tangency::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`NoSuchBody`](Error::NoSuchBody).
    pub fn swap_remove(&mut self, index: u32) -> Result<Option<u32>> {
        let i = self.check(index)?;
        let columns = Arc::make_mut(&mut self.columns);
        columns.shapes.swap_remove(i);
        columns.kinds.swap_remove(i);
        columns.traits.swap_remove(i);
        columns.enabled.swap_remove(i);
        let last = columns.len() as u32;
        columns.exclusions.swap_remove(index, last);
        columns.record(index..last + 1);
        Ok((index != last).then_some(last))
    }

    /// Removes all disabled bodies and keeps the order of the others. Returns the new id of every body: `remap[old]`, or `None`
    /// if it was removed.
    ///
    /// ```
    /// # use tangency::{Bodies, shape::Sphere};
    /// # let at = |x: f32| Sphere::new([x, 0.0, 0.0], 0.5);
    /// let mut bodies = Bodies::new();
    /// bodies.extend([at(0.0)?, at(1.0)?, at(2.0)?])?;
    /// bodies.disable(1)?;
    /// assert_eq!(bodies.compact(), [Some(0), None, Some(1)]);
    /// assert_eq!(bodies.len(), 2);
    /// # Ok::<(), tangency::Error>(())
    /// ```
    pub fn compact(&mut self) -> Vec<Option<u32>> {
        let columns = Arc::make_mut(&mut self.columns);
        let before = columns.len() as u32;
        let mut remap = Vec::with_capacity(columns.len());
        let mut kept = 0;
        for i in 0..columns.len() {
            if columns.enabled[i] {
                columns.shapes[kept] = columns.shapes[i];
                columns.kinds[kept] = columns.kinds[i];
                columns.traits[kept] = columns.traits[i];
                remap.push(Some(kept as u32));
                kept += 1;
            } else {
                remap.push(None);
            }
        }
        columns.truncate(kept);
        columns.enabled.fill(true);
        columns.exclusions.remap(&remap);
        if let Some(first) = remap.iter().position(Option::is_none) {
            columns.record(first as u32..before);
        }
        remap
    }

    /// Removes all bodies and exclusions.
    ///
    /// ```
    /// # use tangency::{Bodies, shape::Sphere};
    /// let mut bodies = Bodies::new();
    /// bodies.extend([Sphere::new([0.0; 3], 1.0)?; 2])?;
    /// bodies.exclude(0, 1)?;
    /// bodies.clear();
    /// assert!(bodies.is_empty() && bodies.excluded().is_empty());
    /// # Ok::<(), tangency::Error>(())
    /// ```
    pub fn clear(&mut self) {
        let columns = Arc::make_mut(&mut self.columns);
        let before = columns.len() as u32;
        columns.truncate(0);
        columns.exclusions = Exclusions::default();
        columns.record(0..before);
    }
}
