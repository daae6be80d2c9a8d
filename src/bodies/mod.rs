//! The set of bodies that users fill.

mod changes;
pub(crate) mod exclusions;
mod traits;

pub use changes::Changes;
pub use traits::Traits;

use std::ops::Range;

use changes::ChangeLog;
use exclusions::Exclusions;

use crate::shape::BodyShape;
pub(crate) use crate::shape::kinds::Kind;
use crate::shape::kinds::{Record, decode, encode};
use crate::{Error, Result};

/// A set of bodies: dense, mixed shapes, each known by its index.
///
/// What goes in is validated; what is refused changes nothing. Each body has a [`BodyShape`] and [`Traits`] that say which
/// others it may meet; a body can be disabled, which leaves a hole and keeps all other ids.
///
/// ```
/// use tangency::{Bodies, Traits, shape::{Aabb, Sphere}};
///
/// let mut bodies = Bodies::new();
/// let ground = bodies.push_with(Aabb::new([-9.0, -1.0, -9.0], [9.0, 0.0, 9.0])?, Traits::new().fixed(true))?;
/// let ball = bodies.push(Sphere::new([0.0, 0.5, 0.0], 0.5)?)?;
/// assert_eq!((ground, ball, bodies.len()), (0, 1, 2));
/// # Ok::<(), tangency::Error>(())
/// ```
#[derive(Debug)]
pub struct Bodies {
    shapes: Vec<Record>,
    kinds: Vec<Kind>,
    traits: Vec<Traits>,
    enabled: Vec<bool>,
    exclusions: Exclusions,
    changes: ChangeLog,
}

impl Default for Bodies {
    fn default() -> Self {
        Self::new()
    }
}

impl Clone for Bodies {
    /// The copy is a set of its own: engines that remember the original know nothing of it.
    fn clone(&self) -> Self {
        Self {
            shapes: self.shapes.clone(),
            kinds: self.kinds.clone(),
            traits: self.traits.clone(),
            enabled: self.enabled.clone(),
            exclusions: self.exclusions.clone(),
            changes: ChangeLog::new(),
        }
    }
}

impl Bodies {
    /// The most bodies a set can hold.
    ///
    /// ```
    /// # use tangency::Bodies;
    /// assert_eq!(Bodies::MAX, u32::MAX as usize - 1);
    /// ```
    pub const MAX: usize = (u32::MAX - 1) as usize;

    /// A set with no bodies.
    ///
    /// ```
    /// # use tangency::Bodies;
    /// assert!(Bodies::new().is_empty());
    /// ```
    pub fn new() -> Self {
        Self::with_capacity(0)
    }

    /// A set with no bodies and room for `capacity` of them.
    ///
    /// ```
    /// # use tangency::Bodies;
    /// assert_eq!(Bodies::with_capacity(1000).len(), 0);
    /// ```
    pub fn with_capacity(capacity: usize) -> Self {
        Self {
            shapes: Vec::with_capacity(capacity),
            kinds: Vec::with_capacity(capacity),
            traits: Vec::with_capacity(capacity),
            enabled: Vec::with_capacity(capacity),
            exclusions: Exclusions::default(),
            changes: ChangeLog::new(),
        }
    }

    /// How many bodies there are, the disabled ones included: ids run from 0 to here.
    ///
    /// ```
    /// # use tangency::{Bodies, shape::Sphere};
    /// let mut bodies = Bodies::new();
    /// bodies.extend([Sphere::new([0.0; 3], 1.0)?; 3])?;
    /// bodies.disable(2)?;
    /// assert_eq!(bodies.len(), 3);
    /// # Ok::<(), tangency::Error>(())
    /// ```
    pub fn len(&self) -> usize {
        self.shapes.len()
    }

    /// Whether there are no bodies.
    ///
    /// ```
    /// # use tangency::{Bodies, shape::Sphere};
    /// let mut bodies = Bodies::new();
    /// assert!(bodies.is_empty());
    /// bodies.push(Sphere::new([0.0; 3], 1.0)?)?;
    /// assert!(!bodies.is_empty());
    /// # Ok::<(), tangency::Error>(())
    /// ```
    pub fn is_empty(&self) -> bool {
        self.shapes.is_empty()
    }

    /// Adds a body with the default [`Traits`], and returns its id.
    ///
    /// ```
    /// # use tangency::{Bodies, Error, shape::{Aabb, Sphere}};
    /// let mut bodies = Bodies::new();
    /// assert_eq!(bodies.push(Sphere::new([0.0; 3], 1.0)?)?, 0);
    /// let reason = Box::new(Error::EmptyBox);
    /// assert_eq!(bodies.push(Aabb::EMPTY), Err(Error::InvalidBody { index: 1, reason }));
    /// # Ok::<(), tangency::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`InvalidBody`](Error::InvalidBody) when the shape is none, [`TooManyBodies`](Error::TooManyBodies) at [`MAX`](Self::MAX).
    pub fn push(&mut self, shape: impl Into<BodyShape>) -> Result<u32> {
        self.push_with(shape, Traits::new())
    }

    /// Adds a body, and returns its id.
    ///
    /// ```
    /// # use tangency::{Bodies, Traits, shape::Sphere};
    /// let mut bodies = Bodies::new();
    /// let post = bodies.push_with(Sphere::new([0.0; 3], 1.0)?, Traits::new().fixed(true))?;
    /// assert!(bodies.traits(post)?.is_fixed());
    /// # Ok::<(), tangency::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`push`](Self::push).
    pub fn push_with(&mut self, shape: impl Into<BodyShape>, traits: Traits) -> Result<u32> {
        Ok(self.extend_with([(shape.into(), traits)])?.start)
    }

    /// Adds many bodies with the default [`Traits`], and returns their ids. All or none are added.
    ///
    /// ```
    /// # use tangency::{Bodies, shape::Sphere};
    /// let mut bodies = Bodies::new();
    /// let row: Vec<Sphere> = (0..5).map(|i| Sphere::new([i as f32, 0.0, 0.0], 0.5)).collect::<Result<_, _>>()?;
    /// assert_eq!(bodies.extend(row)?, 0..5);
    /// # Ok::<(), tangency::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`InvalidBody`](Error::InvalidBody) with the id that the first bad one would have got,
    /// [`TooManyBodies`](Error::TooManyBodies).
    pub fn extend<S: Into<BodyShape>>(&mut self, shapes: impl IntoIterator<Item = S>) -> Result<Range<u32>> {
        self.extend_with(shapes.into_iter().map(|shape| (shape, Traits::new())))
    }

    /// Adds many bodies, and returns their ids. All or none are added.
    ///
    /// ```
    /// # use tangency::{Bodies, Traits, shape::Sphere};
    /// let mut bodies = Bodies::new();
    /// let ball = Sphere::new([0.0; 3], 1.0)?;
    /// assert_eq!(bodies.extend_with((0..3).map(|world| (ball, Traits::new().world(world))))?, 0..3);
    /// assert_eq!(bodies.traits(2)?.get_world(), 2);
    /// # Ok::<(), tangency::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`extend`](Self::extend).
    pub fn extend_with<S: Into<BodyShape>>(
        &mut self,
        bodies: impl IntoIterator<Item = (S, Traits)>,
    ) -> Result<Range<u32>> {
        let start = self.len();
        for (shape, traits) in bodies {
            let shape = shape.into();
            let index = self.len();
            let checked = if index >= Self::MAX {
                Err(Error::TooManyBodies { limit: Self::MAX })
            } else {
                shape.validate().map_err(|reason| Error::invalid_body(index, reason))
            };
            if let Err(error) = checked {
                self.truncate(start);
                return Err(error);
            }
            let (kind, record) = encode(&shape);
            self.shapes.push(record);
            self.kinds.push(kind);
            self.traits.push(traits);
            self.enabled.push(true);
        }
        let added = start as u32..self.len() as u32;
        self.record(added.clone());
        Ok(added)
    }

    fn record(&mut self, changed: Range<u32>) {
        self.changes.record(changed, self.shapes.len());
    }

    fn truncate(&mut self, len: usize) {
        self.shapes.truncate(len);
        self.kinds.truncate(len);
        self.traits.truncate(len);
        self.enabled.truncate(len);
    }

    fn check(&self, index: u32) -> Result<usize> {
        let len = self.len();
        if (index as usize) < len { Ok(index as usize) } else { Err(Error::NoSuchBody { index, len }) }
    }

    /// The shape of a body.
    ///
    /// ```
    /// # use tangency::{Bodies, Error, shape::Sphere};
    /// let (mut bodies, ball) = (Bodies::new(), Sphere::new([0.0; 3], 1.0)?);
    /// bodies.push(ball)?;
    /// assert_eq!(bodies.shape(0)?, ball.into());
    /// assert_eq!(bodies.shape(1), Err(Error::NoSuchBody { index: 1, len: 1 }));
    /// # Ok::<(), tangency::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`NoSuchBody`](Error::NoSuchBody).
    pub fn shape(&self, index: u32) -> Result<BodyShape> {
        let i = self.check(index)?;
        Ok(decode(self.kinds[i], &self.shapes[i]))
    }

    /// The traits of a body.
    ///
    /// ```
    /// # use tangency::{Bodies, Traits, shape::Sphere};
    /// let mut bodies = Bodies::new();
    /// bodies.push(Sphere::new([0.0; 3], 1.0)?)?;
    /// assert_eq!(bodies.traits(0)?, Traits::new());
    /// # Ok::<(), tangency::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`NoSuchBody`](Error::NoSuchBody).
    pub fn traits(&self, index: u32) -> Result<Traits> {
        Ok(self.traits[self.check(index)?])
    }

    /// Whether a body takes part in queries.
    ///
    /// ```
    /// # use tangency::{Bodies, shape::Sphere};
    /// let mut bodies = Bodies::new();
    /// bodies.extend([Sphere::new([0.0; 3], 1.0)?; 2])?;
    /// bodies.disable(0)?;
    /// assert_eq!((bodies.is_enabled(0)?, bodies.is_enabled(1)?), (false, true));
    /// # Ok::<(), tangency::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`NoSuchBody`](Error::NoSuchBody).
    pub fn is_enabled(&self, index: u32) -> Result<bool> {
        Ok(self.enabled[self.check(index)?])
    }

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

    /// Gives the bodies from `start` on new shapes, as many as there are in `shapes`. All or none are changed.
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
    /// [`NoSuchBody`](Error::NoSuchBody) when there are more shapes than bodies, [`InvalidBody`](Error::InvalidBody) with the id
    /// of the first bad one.
    pub fn set_shapes<S: Into<BodyShape>>(&mut self, start: u32, shapes: impl IntoIterator<Item = S>) -> Result<()> {
        let mut encoded = Vec::new();
        for shape in shapes {
            let shape = shape.into();
            let index = self.check(start.saturating_add(encoded.len() as u32))?;
            shape.validate().map_err(|reason| Error::invalid_body(index, reason))?;
            encoded.push(encode(&shape));
        }
        let first = start as usize;
        let end = first + encoded.len();
        for (i, (kind, record)) in (first..end).zip(encoded) {
            self.kinds[i] = kind;
            self.shapes[i] = record;
        }
        self.record(start..end as u32);
        Ok(())
    }

    /// Gives a body new traits.
    ///
    /// ```
    /// # use tangency::{Bodies, Engine, Traits, shape::Sphere};
    /// let mut bodies = Bodies::new();
    /// bodies.extend([Sphere::new([0.0; 3], 1.0)?; 2])?;
    /// bodies.set_traits(1, Traits::new().world(7))?;
    /// assert!(Engine::new()?.overlaps(&bodies)?.is_empty());
    /// # Ok::<(), tangency::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`NoSuchBody`](Error::NoSuchBody).
    pub fn set_traits(&mut self, index: u32, traits: Traits) -> Result<()> {
        let i = self.check(index)?;
        self.traits[i] = traits;
        self.record(index..index + 1);
        Ok(())
    }

    /// Takes a body out of all queries, keeping its id and everything about it.
    ///
    /// ```
    /// # use tangency::{Bodies, Engine, shape::Sphere};
    /// let mut bodies = Bodies::new();
    /// bodies.extend([Sphere::new([0.0; 3], 1.0)?; 3])?;
    /// bodies.disable(1)?;
    /// assert_eq!(Engine::new()?.overlaps(&bodies)?.as_slice(), [[0, 2]]);
    /// # Ok::<(), tangency::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`NoSuchBody`](Error::NoSuchBody).
    pub fn disable(&mut self, index: u32) -> Result<()> {
        self.set_enabled(index, false)
    }

    /// Takes a disabled body back in.
    ///
    /// ```
    /// # use tangency::{Bodies, Engine, shape::Sphere};
    /// let mut bodies = Bodies::new();
    /// bodies.extend([Sphere::new([0.0; 3], 1.0)?; 2])?;
    /// bodies.disable(1)?;
    /// bodies.enable(1)?;
    /// assert_eq!(Engine::new()?.overlaps(&bodies)?.as_slice(), [[0, 1]]);
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
        if self.enabled[i] != enabled {
            self.enabled[i] = enabled;
            self.record(index..index + 1);
        }
        Ok(())
    }

    /// Never report this pair, until it is [included](Self::include) again.
    ///
    /// ```
    /// # use tangency::{Bodies, Engine, shape::Sphere};
    /// let mut bodies = Bodies::new();
    /// bodies.extend([Sphere::new([0.0; 3], 1.0)?; 3])?;
    /// bodies.exclude(2, 0)?;
    /// assert_eq!(Engine::new()?.overlaps(&bodies)?.as_slice(), [[0, 1], [1, 2]]);
    /// # Ok::<(), tangency::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`NoSuchBody`](Error::NoSuchBody).
    pub fn exclude(&mut self, a: u32, b: u32) -> Result<()> {
        self.check(a)?;
        self.check(b)?;
        if self.exclusions.insert(a, b) {
            self.record(a..a + 1);
            self.record(b..b + 1);
        }
        Ok(())
    }

    /// Takes back an [`exclude`](Self::exclude); whether there was one.
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
        let found = self.exclusions.remove(a, b);
        if found {
            self.record(a..a + 1);
            self.record(b..b + 1);
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
        self.exclusions.sorted()
    }

    /// Removes a body by putting the last one in its place, and returns the id that the last one had, if it moved.
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
        self.shapes.swap_remove(i);
        self.kinds.swap_remove(i);
        self.traits.swap_remove(i);
        self.enabled.swap_remove(i);
        let last = self.len() as u32;
        self.exclusions.swap_remove(index, last);
        self.record(index..last + 1);
        Ok((index != last).then_some(last))
    }

    /// Removes all disabled bodies, keeping the order of the others, and returns where each body went: `remap[old]` is its new
    /// id, or `None` where it was removed.
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
        let before = self.len() as u32;
        let mut remap = Vec::with_capacity(self.len());
        let mut kept = 0;
        for i in 0..self.len() {
            if self.enabled[i] {
                self.shapes[kept] = self.shapes[i];
                self.kinds[kept] = self.kinds[i];
                self.traits[kept] = self.traits[i];
                remap.push(Some(kept as u32));
                kept += 1;
            } else {
                remap.push(None);
            }
        }
        self.truncate(kept);
        self.enabled.fill(true);
        self.exclusions.remap(&remap);
        if let Some(first) = remap.iter().position(Option::is_none) {
            self.record(first as u32..before);
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
        let before = self.len() as u32;
        self.truncate(0);
        self.exclusions = Exclusions::default();
        self.record(0..before);
    }

    /// A number that grows with every change, to be handed to [`changes_since`](Self::changes_since).
    ///
    /// ```
    /// # use tangency::{Bodies, shape::Sphere};
    /// let mut bodies = Bodies::new();
    /// let before = bodies.revision();
    /// bodies.push(Sphere::new([0.0; 3], 1.0)?)?;
    /// assert!(bodies.revision() > before);
    /// # Ok::<(), tangency::Error>(())
    /// ```
    pub fn revision(&self) -> u64 {
        self.changes.revision()
    }

    /// Which bodies have changed since [`revision`](Self::revision) returned this number.
    ///
    /// ```
    /// # use tangency::{Bodies, Changes, shape::Sphere};
    /// # let at = |x: f32| Sphere::new([x, 0.0, 0.0], 0.5);
    /// let mut bodies = Bodies::new();
    /// bodies.extend([at(0.0)?, at(1.0)?, at(2.0)?])?;
    /// let seen = bodies.revision();
    /// bodies.set_shape(1, at(7.0)?)?;
    /// assert_eq!(bodies.changes_since(seen), Changes::Ranges(vec![1..2]));
    /// # Ok::<(), tangency::Error>(())
    /// ```
    pub fn changes_since(&self, revision: u64) -> Changes {
        self.changes.since(revision)
    }

    /// Whether it is known what changed since.
    #[cfg(feature = "gpu")]
    pub(crate) fn knows(&self, revision: u64) -> bool {
        self.changes.knows(revision)
    }

    /// The numbers of all shapes, as they lie in memory.
    #[cfg(feature = "gpu")]
    pub(crate) fn records(&self) -> &[Record] {
        &self.shapes
    }

    pub(crate) fn kind(&self, i: usize) -> Kind {
        self.kinds[i]
    }

    /// The shape of a body that is known to exist.
    pub(crate) fn get(&self, i: usize) -> BodyShape {
        decode(self.kinds[i], &self.shapes[i])
    }

    pub(crate) fn enabled_flags(&self) -> &[bool] {
        &self.enabled
    }

    pub(crate) fn all_traits(&self) -> &[Traits] {
        &self.traits
    }

    /// Whether two bodies of this set may be reported as a pair, apart from being enabled and from their shapes.
    pub(crate) fn may_meet(&self, a: usize, b: usize) -> bool {
        self.traits[a].may_meet(&self.traits[b]) && !self.exclusions.contains(a as u32, b as u32)
    }

    pub(crate) fn exclusions(&self) -> &Exclusions {
        &self.exclusions
    }
}
