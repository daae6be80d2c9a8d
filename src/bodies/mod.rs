//! Sets of bodies, which are the input of queries.

mod changes;
mod columns;
mod edit;
pub(crate) mod exclusions;
mod hulls;
mod iter;
mod margins;
mod origin;
mod points;
mod removal;
#[cfg(feature = "serde")]
mod serde_impl;
mod shared;
mod traits;

#[cfg(feature = "gpu")]
pub(crate) use changes::ChangedParts;
pub use changes::Changes;
pub use iter::{Body, Iter};
pub(crate) use margins::Reach;
pub use points::Points;
pub use shared::ShapeId;
pub use traits::Traits;

use std::ops::Range;
use std::sync::Arc;

pub(crate) use columns::Alike;
use columns::Columns;
use exclusions::Exclusions;

pub(crate) use crate::shape::kinds::Kind;
use crate::shape::kinds::{BodyShape, Record, decode};
use crate::shape::{Pose, Shape};
use crate::{Error, Result};

/// A set of bodies with shapes of mixed kinds.
///
/// Each body has a [`Shape`], which is a [sphere](crate::shape::Sphere), an [axis-aligned box](crate::shape::Aabb), an
/// [oriented box](crate::shape::Obb), a [capsule](crate::shape::Capsule), a half-space ([`Plane`](crate::shape::Plane)) or a
/// [convex hull](crate::shape::ConvexHull) of at most 256 corners, and [`Traits`] that say which other bodies it may meet. What moves is given a new [`Pose`], or a new shape where that has none: axis-aligned boxes, capsules and
/// half-spaces. Every input is validated, and an input that is refused changes nothing.
///
/// A body keeps its id, a small number, until it is [removed](Self::remove). Its id is then a hole, which the next
/// [`push`](Self::push) fills; [`compact`](Self::compact) alone gives bodies other ids. A [disabled](Self::disable) body stays in the
/// set and takes no part in queries.
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
    /// The most ids a set can have: results keep two bits of 32 for what they say about a pair.
    ///
    /// ```
    /// # use tangency::Bodies;
    /// assert_eq!(Bodies::MAX, 1 << 30);
    /// ```
    pub const MAX: usize = 1 << 30;

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

    /// The number of bodies, including disabled ones. If none was removed, their ids run from 0 to `len() - 1`.
    ///
    /// ```
    /// # use tangency::{Bodies, shape::Sphere};
    /// let mut bodies = Bodies::new();
    /// bodies.extend([Sphere::new([0.0; 3], 1.0)?; 4])?;
    /// bodies.disable(2)?;
    /// bodies.remove(1)?;
    /// assert_eq!(bodies.len(), 3);
    /// # Ok::<(), tangency::Error>(())
    /// ```
    pub fn len(&self) -> usize {
        self.columns.id_bound() - self.columns.holes.len()
    }

    /// One more than the largest id that a body has had. What is kept for each body by its id needs so many places.
    ///
    /// ```
    /// # use tangency::{Bodies, shape::Sphere};
    /// let mut bodies = Bodies::new();
    /// bodies.extend([Sphere::new([0.0; 3], 1.0)?; 4])?;
    /// bodies.remove(1)?;
    /// assert_eq!((bodies.len(), bodies.id_bound()), (3, 4));
    /// # Ok::<(), tangency::Error>(())
    /// ```
    pub fn id_bound(&self) -> usize {
        self.columns.id_bound()
    }

    /// Whether a body has this id.
    ///
    /// ```
    /// # use tangency::{Bodies, shape::Sphere};
    /// let mut bodies = Bodies::new();
    /// bodies.extend([Sphere::new([0.0; 3], 1.0)?; 2])?;
    /// bodies.remove(0)?;
    /// assert_eq!([0, 1, 2].map(|id| bodies.contains(id)), [false, true, false]);
    /// # Ok::<(), tangency::Error>(())
    /// ```
    pub fn contains(&self, id: u32) -> bool {
        self.columns.has(id)
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
        self.len() == 0
    }

    /// Adds a body with the default [`Traits`], and returns its id: the lowest that a removed body had, or else a new one.
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
    pub fn push(&mut self, shape: impl Into<Shape>) -> Result<u32> {
        self.push_with(shape, Traits::new())
    }

    /// Adds a body with these traits, and returns its id, as [`push`](Self::push) does.
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
    pub fn push_with(&mut self, shape: impl Into<Shape>, traits: Traits) -> Result<u32> {
        let Some(&hole) = self.columns.holes.first() else {
            return Ok(self.extend_with([(shape, traits)])?.start);
        };
        let columns = Arc::make_mut(&mut self.columns);
        columns.sweep();
        let encoded = columns.encoded(&shape.into(), hole as usize)?;
        columns.fill_hole(encoded, traits);
        Ok(hole)
    }

    /// Adds many bodies with the default [`Traits`], and returns their ids, which are new: holes stay. If one is refused, no body is
    /// added.
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
    pub fn extend<S: Into<Shape>>(&mut self, shapes: impl IntoIterator<Item = S>) -> Result<Range<u32>> {
        self.extend_with(shapes.into_iter().map(|shape| (shape, Traits::new())))
    }

    /// Adds many bodies with their traits, and returns their ids, as [`extend`](Self::extend) does.
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
    pub fn extend_with<S: Into<Shape>>(&mut self, bodies: impl IntoIterator<Item = (S, Traits)>) -> Result<Range<u32>> {
        let columns = Arc::make_mut(&mut self.columns);
        columns.sweep();
        let mut added = Appended { start: columns.id_bound(), columns, keep: false };
        for (shape, traits) in bodies {
            let index = added.columns.id_bound();
            if index >= Self::MAX {
                return Err(Error::TooManyBodies { limit: Self::MAX });
            }
            let encoded = added.columns.encoded(&shape.into(), index)?;
            added.columns.append(encoded, traits);
        }
        added.keep = true;
        let ids = added.start as u32..added.columns.id_bound() as u32;
        added.columns.number_appended();
        added.columns.record(ids.clone());
        Ok(ids)
    }

    fn check(&self, id: u32) -> Result<usize> {
        if self.columns.has(id) { Ok(id as usize) } else { Err(Error::NoSuchBody { index: id, len: self.id_bound() }) }
    }

    /// The shape of a body, as every [query](crate::query) of a pair takes it.
    ///
    /// ```
    /// # use tangency::{Bodies, Error, query, shape::Sphere};
    /// let (mut bodies, ball) = (Bodies::new(), Sphere::new([0.0; 3], 1.0)?);
    /// bodies.extend([ball, ball.translate([1.5, 0.0, 0.0])?])?;
    /// assert_eq!(bodies.shape(0)?, ball.into());
    /// assert_eq!(bodies.shape(2), Err(Error::NoSuchBody { index: 2, len: 2 }));
    ///
    /// let contact = query::contact(&bodies.shape(0)?, &bodies.shape(1)?)?.expect("they overlap");
    /// assert_eq!(contact.depth(), 0.5);
    /// # Ok::<(), tangency::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`NoSuchBody`](Error::NoSuchBody).
    pub fn shape(&self, id: u32) -> Result<Shape> {
        Ok(self.get(self.check(id)?).into())
    }

    /// Where a body is and how it is turned. A sphere is not turned.
    ///
    /// ```
    /// # use tangency::{Bodies, Error, shape::{Aabb, Pose, Sphere}};
    /// let mut bodies = Bodies::new();
    /// bodies.push(Sphere::new([1.0, 2.0, 3.0], 1.0)?)?;
    /// bodies.push(Aabb::new([0.0; 3], [1.0; 3])?)?;
    /// assert_eq!(bodies.pose(0)?, Pose::at([1.0, 2.0, 3.0])?);
    /// let reason = Box::new(Error::NoPose { kind: "aabb" });
    /// assert_eq!(bodies.pose(1), Err(Error::InvalidBody { index: 1, reason }));
    /// # Ok::<(), tangency::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`NoSuchBody`](Error::NoSuchBody); [`NoPose`](Error::NoPose), as the reason of an [`InvalidBody`](Error::InvalidBody), for an
    /// axis-aligned box, which has its corners instead.
    pub fn pose(&self, id: u32) -> Result<Pose> {
        let i = self.check(id)?;
        let kind = self.columns.kinds[i];
        kind.pose(&self.columns.records[i]).ok_or_else(|| no_pose(kind, i))
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
    pub fn traits(&self, id: u32) -> Result<Traits> {
        Ok(self.columns.traits[self.check(id)?])
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
    pub fn is_enabled(&self, id: u32) -> Result<bool> {
        Ok(self.columns.enabled[self.check(id)?])
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

    /// The bodies that have changed since this revision, by what of them did; absent if that is not known. `array` makes an empty array for so
    /// many ranges.
    #[cfg(feature = "gpu")]
    pub(crate) fn parts_changed_since(
        &self,
        revision: u64,
        array: impl FnOnce(usize) -> Vec<Range<usize>>,
    ) -> Option<ChangedParts> {
        self.columns.changes.parts_since(revision, array)
    }

    /// Whether the change log still has all changes since this revision.
    #[cfg(feature = "gpu")]
    pub(crate) fn knows(&self, revision: u64) -> bool {
        self.columns.changes.knows(revision)
    }

    /// The shape records of all ids.
    pub(crate) fn records(&self) -> &[Record] {
        &self.columns.records
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

    /// The shape with this id, or that of the body which had it last. `i` must be less than `id_bound()`.
    pub(crate) fn get(&self, i: usize) -> BodyShape<'_> {
        self.shape_of(self.columns.kinds[i], &self.columns.records[i])
    }

    /// The shape with this record.
    pub(crate) fn shape_of(&self, kind: Kind, record: &Record) -> BodyShape<'_> {
        decode(kind, record, self.columns.hulls.forms())
    }

    /// The kinds of all ids.
    pub(crate) fn kinds(&self) -> &[Kind] {
        &self.columns.kinds
    }

    /// A number for each id, which changes when another body gets it.
    pub(crate) fn births(&self) -> &Arc<Vec<u64>> {
        &self.columns.births
    }

    /// Whether each id has a body that takes part in queries.
    pub(crate) fn enabled_flags(&self) -> &[bool] {
        &self.columns.enabled
    }

    /// Whether all bodies are alike but for their shapes' numbers.
    pub(crate) fn alike(&self) -> Alike {
        self.columns.alike
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

    /// A set with the same ids, traits and exclusions, whose bodies are axis-aligned boxes with these records.
    pub(crate) fn with_boxes(&self, records: Vec<Record>) -> Self {
        let all = &*self.columns;
        let count = records.len() as u32;
        let mut boxes = Columns {
            kinds: vec![Kind::Aabb; records.len()],
            records,
            traits: all.traits.clone(),
            enabled: all.enabled.clone(),
            births: Arc::clone(&all.births),
            holes: all.holes.clone(),
            exclusions: all.exclusions.clone(),
            origin: all.origin,
            alike: all.alike.of_boxes(),
            ..Columns::with_capacity(0)
        };
        boxes.record(0..count);
        Self { columns: Arc::new(boxes) }
    }

    /// Some of the bodies, as a set of their own in which ids begin at 0. Exclusions are left out.
    pub(crate) fn part(&self, ids: Range<usize>) -> Self {
        let all = &*self.columns;
        let mut part = Columns::with_capacity(ids.len());
        part.records.extend_from_slice(&all.records[ids.clone()]);
        part.kinds.extend_from_slice(&all.kinds[ids.clone()]);
        part.traits.extend_from_slice(&all.traits[ids.clone()]);
        part.enabled.extend_from_slice(&all.enabled[ids.clone()]);
        if !all.margins.is_empty() {
            part.margins.extend_from_slice(&all.margins[ids.clone()]);
        }
        part.hulls = all.hulls.clone();
        part.origin = all.origin;
        part.alike = all.alike;
        part.number_appended();
        part.record(0..ids.len() as u32);
        Self { columns: Arc::new(part) }
    }
}

/// Bodies that are being appended: they are dropped again unless all of them are kept, also if the caller's iterator panics.
struct Appended<'a> {
    columns: &'a mut Columns,
    start: usize,
    keep: bool,
}

impl Drop for Appended<'_> {
    fn drop(&mut self) {
        if !self.keep {
            self.columns.truncate(self.start);
        }
    }
}

fn no_pose(kind: Kind, index: usize) -> Error {
    Error::invalid_body(index, Error::NoPose { kind: kind.name() })
}
