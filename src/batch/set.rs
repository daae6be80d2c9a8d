//! The sets that queries are about.

use std::borrow::Cow;
use std::fmt;
use std::marker::PhantomData;
use std::ops::Range;
use std::sync::Arc;

use super::index::{Index, Prepared};
use crate::clock::Clock;
use crate::cpu::{Bounds, Sorted};
use crate::manifold::Frame;
use crate::parallel::{CHUNK, Pool};
use crate::{Bodies, Error, Result};

/// A set of bodies that a query is about: `&Bodies`, or an [`Index`] that has prepared one.
///
/// ```
/// use tangency::{Bodies, Engine, shape::Sphere};
///
/// let mut bodies = Bodies::new();
/// bodies.extend([Sphere::new([0.0; 3], 1.0)?; 2])?;
/// let engine = Engine::new()?;
/// let index = engine.index(&bodies)?;
/// assert_eq!(engine.overlaps(&bodies).run()?, engine.overlaps(&index).run()?);
/// # Ok::<(), tangency::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Set<'a> {
    shared: SharedSet,
    /// Nobody changes the bodies as long as they are asked about.
    borrowed: PhantomData<&'a Bodies>,
}

impl<'a> From<&'a Bodies> for Set<'a> {
    fn from(bodies: &'a Bodies) -> Self {
        Self { shared: SharedSet { bodies: bodies.clone(), prepared: None }, borrowed: PhantomData }
    }
}

impl<'a> From<&'a Index> for Set<'a> {
    fn from(index: &'a Index) -> Self {
        Self { shared: index.shared(), borrowed: PhantomData }
    }
}

impl Set<'_> {
    pub(super) fn shared(self) -> SharedSet {
        self.shared
    }
}

/// A set as the backends see it. It holds the bodies in common with the caller's set, without a copy.
#[derive(Clone)]
pub(crate) struct SharedSet {
    pub(super) bodies: Bodies,
    /// What an index has prepared, or will.
    pub(super) prepared: Option<Arc<Prepared>>,
}

impl fmt::Debug for SharedSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Set")
            .field("bodies", &self.bodies.len())
            .field("is_index", &self.prepared.is_some())
            .finish_non_exhaustive()
    }
}

/// The sets of a query for pairs: one with itself, or one against another.
#[derive(Clone, Debug)]
pub(crate) struct PairedSets {
    /// The set whose bodies have a row each.
    pub(super) own: SharedSet,
    pub(super) against: Option<SharedSet>,
    /// The only rows that are asked for, if not all are.
    pub(super) only: Option<Only>,
}

/// Some rows of an answer.
#[derive(Clone, Debug)]
pub(crate) struct Only {
    pub rows: Range<usize>,
    /// How many pairs there may be in them, unless it is one row: more are an error, [`AnswerTooLarge`](Error::AnswerTooLarge).
    pub most: u64,
}

impl Only {
    /// How many pairs there may be.
    pub(super) fn most(&self) -> u64 {
        if self.rows.len() > 1 { self.most } else { u64::MAX }
    }
}

impl PairedSets {
    pub(super) fn new(set: Set<'_>) -> Self {
        Self { own: set.shared, against: None, only: None }
    }

    pub(super) fn against(self, other: Set<'_>) -> Self {
        Self { against: Some(other.shared), ..self }
    }

    /// Sets that are compared must have the same origin: their coordinates mean nothing to each other otherwise.
    pub(super) fn check(&self) -> Result<()> {
        let own = self.own.bodies.origin();
        match self.against.as_ref().map(|against| against.bodies.origin()) {
            Some(other) if other != own => Err(Error::DifferentOrigins { own, other }),
            _ => Ok(()),
        }
    }

    /// The rows that are asked for.
    pub(super) fn rows(&self) -> Range<usize> {
        self.only.as_ref().map_or(0..self.own.bodies.id_bound(), |only| only.rows.clone())
    }

    /// The same sets, prepared once for many questions about some of the rows.
    pub(super) fn kept(mut self) -> Self {
        let searched = self.against.as_mut().unwrap_or(&mut self.own);
        searched.prepared.get_or_insert_default();
        self
    }

    /// The bodies of both sets: the rows', and those that are searched.
    pub(super) fn both(&self) -> [&Bodies; 2] {
        [&self.own.bodies, &self.searched().bodies]
    }

    /// Whether any of the bodies is a hull.
    #[cfg(feature = "gpu")]
    pub(super) fn have_hulls(&self) -> bool {
        self.both().iter().any(|bodies| bodies.has_hulls())
    }

    /// The set over which a tree is built.
    pub(super) fn searched(&self) -> &SharedSet {
        self.against.as_ref().unwrap_or(&self.own)
    }

    /// The bodies that search, if they are not those that are searched.
    #[cfg(feature = "gpu")]
    pub(super) fn searching(&self) -> Option<&Bodies> {
        self.against.as_ref().map(|_| &self.own.bodies)
    }

    /// How many ids there are in all.
    pub(super) fn bodies(&self) -> usize {
        self.own.bodies.id_bound() + self.against.as_ref().map_or(0, |other| other.bodies.id_bound())
    }
}

impl SharedSet {
    /// Calls `work` with the bodies sorted for the CPU: those of an index once for all queries.
    pub(super) fn with_sorted<R>(
        &self,
        (pool, bounds): (&Pool, Bounds),
        clock: &mut Clock,
        work: impl FnOnce(&Sorted, &mut Clock) -> R,
    ) -> R {
        if let Some(prepared) = &self.prepared {
            work(prepared.on_cpu(pool, &self.bodies, bounds, clock), clock)
        } else {
            let sorted = Sorted::new(pool, &self.bodies, bounds, clock);
            let result = work(&sorted, clock);
            sorted.give_back(pool);
            result
        }
    }

    /// Whether so many rays or points gain more by the tree of cells than it takes to make it. (That of an index is made once.)
    pub(super) fn is_worth_cells(&self, count: usize) -> bool {
        self.prepared.is_some() || count >= self.bodies.len() / BODIES_PER_QUERY
    }

    /// The bodies as contacts and distances see them: those of an index once for all queries.
    pub(super) fn frames(&self, pool: &Pool) -> Cow<'_, [Frame]> {
        let make = || frames(pool, &self.bodies, 0..self.bodies.id_bound());
        match &self.prepared {
            Some(prepared) => Cow::Borrowed(prepared.frames(make)),
            None => Cow::Owned(make()),
        }
    }

    /// The device memory that is kept for an index.
    #[cfg(feature = "gpu")]
    pub(super) fn reserved(&self) -> Option<&crate::gpu::Reserved> {
        self.prepared.as_ref().map(|prepared| &prepared.gpu)
    }
}

/// So many bodies are in a tree of cells in the time that one ray or point gains by it.
const BODIES_PER_QUERY: usize = 16;

/// The frames of these bodies of a set.
pub(super) fn frames(pool: &Pool, bodies: &Bodies, ids: Range<usize>) -> Vec<Frame> {
    let records = bodies.records();
    let mut frames = vec![Frame::default(); ids.len()];
    pool.for_chunks_mut(&mut frames, CHUNK, |first, piece| {
        let first = ids.start + first;
        Frame::fill(piece, |k| (bodies.kind(first + k), &records[first + k]));
        if let Some(margins) = bodies.margins() {
            for (frame, margin) in piece.iter_mut().zip(&margins[first..]) {
                *frame = frame.with_margin(*margin);
            }
        }
    });
    frames
}
