//! Sets of bodies, which are the input of queries.

mod changes;
mod columns;
mod edit;
pub(crate) mod exclusions;
mod traits;

pub use changes::Changes;
pub use traits::Traits;

use std::ops::Range;
use std::sync::Arc;

use columns::Columns;
use exclusions::Exclusions;

use crate::shape::BodyShape;
pub(crate) use crate::shape::kinds::Kind;
use crate::shape::kinds::{Record, decode, encode};
use crate::{Error, Result};

/// A set of bodies with shapes of mixed kinds. The id of a body is its index.
///
/// Every input is validated, and an input that is refused changes nothing. Each body has a [`BodyShape`], and [`Traits`] that say
/// which other bodies it may meet. A disabled body takes no part in queries, and all ids stay as they are.
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
#[derive(Clone, Debug)]
pub struct Bodies {
    /// Shared with running queries; copied if the set is changed before they end.
    columns: Arc<Columns>,
}

impl Default for Bodies {
    fn default() -> Self {
        Self::new()
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

    /// An empty set.
    ///
    /// ```
    /// # use tangency::Bodies;
    /// assert!(Bodies::new().is_empty());
    /// ```
    pub fn new() -> Self {
        Self::with_capacity(0)
    }

    /// An empty set with memory for `capacity` bodies.
    ///
    /// ```
    /// # use tangency::Bodies;
    /// assert_eq!(Bodies::with_capacity(1000).len(), 0);
    /// ```
    pub fn with_capacity(capacity: usize) -> Self {
        Self { columns: Arc::new(Columns::with_capacity(capacity)) }
    }

    /// The number of bodies, including disabled ones: ids run from 0 to `len() - 1`.
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
        self.columns.shapes.len()
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
        self.columns.shapes.is_empty()
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
    /// [`InvalidBody`](Error::InvalidBody) if the shape is invalid, [`TooManyBodies`](Error::TooManyBodies) if the set has
    /// [`MAX`](Self::MAX) bodies.
    pub fn push(&mut self, shape: impl Into<BodyShape>) -> Result<u32> {
        self.push_with(shape, Traits::new())
    }

    /// Adds a body, and returns its id.
    ///
    /// ```
    /// # use tangency::{Bodies, Traits, shape::Sphere};
    /// let mut bodies = Bodies::new();
    /// let post = bodies.push_with(Sphere::new([0.0; 3], 1.0)?, Traits::new().fixed(true))?;
    /// assert!(bodies.traits(post)?.fixed);
    /// # Ok::<(), tangency::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`push`](Self::push).
    pub fn push_with(&mut self, shape: impl Into<BodyShape>, traits: Traits) -> Result<u32> {
        Ok(self.extend_with([(shape.into(), traits)])?.start)
    }

    /// Adds many bodies with the default [`Traits`], and returns their ids. If one is refused, no body is added.
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
    /// [`InvalidBody`](Error::InvalidBody) with the id that the first invalid shape would have got,
    /// [`TooManyBodies`](Error::TooManyBodies).
    pub fn extend<S: Into<BodyShape>>(&mut self, shapes: impl IntoIterator<Item = S>) -> Result<Range<u32>> {
        self.extend_with(shapes.into_iter().map(|shape| (shape, Traits::new())))
    }

    /// Adds many bodies with their traits, and returns their ids. If one is refused, no body is added.
    ///
    /// ```
    /// # use tangency::{Bodies, Traits, shape::Sphere};
    /// let mut bodies = Bodies::new();
    /// let ball = Sphere::new([0.0; 3], 1.0)?;
    /// assert_eq!(bodies.extend_with((0..3).map(|world| (ball, Traits::new().world(world))))?, 0..3);
    /// assert_eq!(bodies.traits(2)?.world, 2);
    /// # Ok::<(), tangency::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`extend`](Self::extend).
    pub fn extend_with<S: Into<BodyShape>>(
        &mut self,
        bodies: impl IntoIterator<Item = (S, Traits)>,
    ) -> Result<Range<u32>> {
        let columns = Arc::make_mut(&mut self.columns);
        let start = columns.len();
        for (shape, traits) in bodies {
            let shape = shape.into();
            let index = columns.len();
            let checked = if index >= Self::MAX {
                Err(Error::TooManyBodies { limit: Self::MAX })
            } else {
                shape.validate().map_err(|reason| Error::invalid_body(index, reason))
            };
            if let Err(error) = checked {
                columns.truncate(start);
                return Err(error);
            }
            let (kind, record) = encode(&shape);
            columns.shapes.push(record);
            columns.kinds.push(kind);
            columns.traits.push(traits);
            columns.enabled.push(true);
        }
        let added = start as u32..columns.len() as u32;
        columns.record(added.clone());
        Ok(added)
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
        Ok(decode(self.columns.kinds[i], &self.columns.shapes[i]))
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
        Ok(self.columns.traits[self.check(index)?])
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
        Ok(self.columns.enabled[self.check(index)?])
    }

    /// A number that grows with every change. [`changes_since`](Self::changes_since) takes it.
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
        self.columns.changes.revision()
    }

    /// The bodies that have changed since [`revision`](Self::revision) returned this number.
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
        self.columns.changes.since(revision)
    }

    /// Whether the change log still has all changes since this revision.
    #[cfg(feature = "gpu")]
    pub(crate) fn knows(&self, revision: u64) -> bool {
        self.columns.changes.knows(revision)
    }

    /// The shape records of all bodies.
    #[cfg(feature = "gpu")]
    pub(crate) fn records(&self) -> &[Record] {
        &self.columns.shapes
    }

    /// A copy that shares no memory with the original.
    pub(crate) fn copied(&self) -> Self {
        let mut columns = Columns::with_capacity(0);
        columns.follow(&self.columns);
        Self { columns: Arc::new(columns) }
    }

    /// Makes this equal to `other`. If this is an earlier copy of it, only the bodies that have changed since are copied.
    pub(crate) fn follow(&mut self, other: &Self) {
        Arc::make_mut(&mut self.columns).follow(&other.columns);
    }

    pub(crate) fn kind(&self, i: usize) -> Kind {
        self.columns.kinds[i]
    }

    /// The shape of a body. `i` must be less than `len()`.
    pub(crate) fn get(&self, i: usize) -> BodyShape {
        decode(self.columns.kinds[i], &self.columns.shapes[i])
    }

    pub(crate) fn enabled_flags(&self) -> &[bool] {
        &self.columns.enabled
    }

    pub(crate) fn all_traits(&self) -> &[Traits] {
        &self.columns.traits
    }

    /// Whether traits and exclusions allow a pair of bodies of this set.
    pub(crate) fn may_meet(&self, a: usize, b: usize) -> bool {
        self.columns.traits[a].may_meet(&self.columns.traits[b])
            && !self.columns.exclusions.contains(a as u32, b as u32)
    }

    pub(crate) fn exclusions(&self) -> &Exclusions {
        &self.columns.exclusions
    }
}
