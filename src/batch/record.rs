//! Queries whose results stay on the device.

use super::candidates::CandidatesQuery;
use super::clearances::ClearancesQuery;
use super::closest::ClosestQuery;
use super::contacts::ContactsQuery;
use super::overlaps::OverlapsQuery;
use super::query::Query;
use super::rays::{RaysQuery, Wanted};
use super::request::Request;
use super::set::PairedSets;
use super::sweep::SweepQuery;
#[cfg(doc)]
use super::{RecordedRelations, RecordedSides};
use crate::bodies::Reach;
use crate::gpu::{Ask, Details, MovingBodies, Narrow, RecordOptions, RecordedHits, RecordedPairs, Running, What};
use crate::{Error, Result};

/// A question that can be [recorded](Request::record): its result stays on the device.
///
/// This library alone implements it.
///
/// ```
/// use tangency::{Request, Result, batch::RecordQuery, wgpu};
///
/// fn twice<Q: RecordQuery + Clone>(
///     request: &Request<'_, Q>,
///     encoders: &mut [wgpu::CommandEncoder; 2],
/// ) -> Result<Vec<Q::Recorded>> {
///     encoders.iter_mut().map(|encoder| request.clone().record(encoder)).collect()
/// }
/// ```
pub trait RecordQuery: Query {
    /// The result on the device: [`RecordedPairs`], [`RecordedSides`], [`RecordedRelations`] or [`RecordedHits`].
    type Recorded;

    /// What is recorded.
    #[doc(hidden)]
    fn ask<'a>(&'a self, options: &'a RecordOptions<'a>) -> Result<Ask<'a>>;

    /// The result of what was recorded.
    #[doc(hidden)]
    fn recorded(&self, running: Running) -> Self::Recorded;
}

/// Why an option cannot be recorded.
pub(super) fn refuse<T>(reason: &str) -> Result<T> {
    Err(Error::Recording { reason: reason.to_owned() })
}

const TOUCHING: &str = "pairs that touch are marked on the device, and not left out";

/// A search for pairs.
fn pairs<'a>(sets: &'a PairedSets, what: What<'a>, options: &'a RecordOptions<'a>) -> Ask<'a> {
    Ask { searching: sets.searching(), searched: &sets.searched().bodies, what, options }
}

impl RecordQuery for OverlapsQuery {
    type Recorded = RecordedPairs;

    fn ask<'a>(&'a self, options: &'a RecordOptions<'a>) -> Result<Ask<'a>> {
        if self.overlapping_only {
            return refuse(TOUCHING);
        }
        Ok(pairs(&self.sets, What::Pairs { narrow: self.narrow(), details: None }, options))
    }

    fn recorded(&self, running: Running) -> RecordedPairs {
        RecordedPairs::new(running, self.reach)
    }
}

impl RecordQuery for CandidatesQuery {
    type Recorded = RecordedPairs;

    fn ask<'a>(&'a self, options: &'a RecordOptions<'a>) -> Result<Ask<'a>> {
        Ok(pairs(&self.sets, What::Pairs { narrow: Narrow::Accept, details: None }, options))
    }

    fn recorded(&self, running: Running) -> RecordedPairs {
        RecordedPairs::new(running, Reach::Touching)
    }
}

impl RecordQuery for ContactsQuery {
    type Recorded = RecordedPairs;

    fn ask<'a>(&'a self, options: &'a RecordOptions<'a>) -> Result<Ask<'a>> {
        if self.overlapping_only {
            return refuse(TOUCHING);
        }
        Ok(pairs(&self.sets, What::Pairs { narrow: self.narrow(), details: Some(self.details()) }, options))
    }

    fn recorded(&self, running: Running) -> RecordedPairs {
        RecordedPairs::new(running, self.reach)
    }
}

impl RecordQuery for ClearancesQuery {
    type Recorded = RecordedPairs;

    fn ask<'a>(&'a self, options: &'a RecordOptions<'a>) -> Result<Ask<'a>> {
        Ok(pairs(&self.sets, What::Pairs { narrow: self.narrow(), details: Some(Details::Clearances) }, options))
    }

    fn recorded(&self, running: Running) -> RecordedPairs {
        RecordedPairs::new(running, self.reach())
    }
}

impl RecordQuery for ClosestQuery {
    type Recorded = RecordedPairs;

    fn ask<'a>(&'a self, options: &'a RecordOptions<'a>) -> Result<Ask<'a>> {
        if self.count == 0 {
            return refuse("no bodies are asked for");
        }
        if options.has_sources() {
            return refuse("points, and the bodies near them, are taken from the host");
        }
        Ok(pairs(&self.sets, What::Pairs { narrow: self.narrow(), details: Some(Details::Clearances) }, options))
    }

    fn recorded(&self, running: Running) -> RecordedPairs {
        RecordedPairs::new(running, Reach::Alone(self.within))
    }
}

impl RecordQuery for SweepQuery<'_> {
    type Recorded = RecordedPairs;

    fn ask<'a>(&'a self, options: &'a RecordOptions<'a>) -> Result<Ask<'a>> {
        if options.has_sources() {
            return refuse("bodies that move are taken from the host");
        }
        let (boxes, moving) = self.recorded_sets();
        Ok(pairs(boxes, What::Sweeps(MovingBodies(moving)), options))
    }

    fn recorded(&self, running: Running) -> RecordedPairs {
        RecordedPairs::new(running, Reach::Touching)
    }
}

impl<W: Wanted> RecordQuery for RaysQuery<'_, W> {
    type Recorded = RecordedHits;

    fn ask<'a>(&'a self, options: &'a RecordOptions<'a>) -> Result<Ask<'a>> {
        let rays = self.asked()?;
        Ok(Ask { searching: None, searched: &self.set.bodies, what: What::Rays(rays), options })
    }

    fn recorded(&self, running: Running) -> RecordedHits {
        RecordedHits::new(running, super::rays::gpu::code(W::MODE), self.rays.common_traits())
    }
}

impl<Q: RecordQuery> Request<'_, Q> {
    /// Records the query into an encoder of yours, of the [device](crate::Builder::device) that the engine was given. The result stays on the
    /// device, and shaders in the same encoder can use it: [`RecordedPairs`], [`RecordedSides`], [`RecordedRelations`], [`RecordedHits`],
    /// docs/embedding.md.
    ///
    /// Bodies that have changed since the last recording are copied to the device by the encoder, and room is made for as many pairs as
    /// earlier recordings have found. If that was too little, the result is empty, and [`Ended::needed`](crate::Ended::needed) says so.
    ///
    /// ```
    /// use tangency::{Bodies, Engine, RecordedPairs, Result, wgpu};
    ///
    /// fn record(engine: &Engine, bodies: &Bodies, encoder: &mut wgpu::CommandEncoder) -> Result<RecordedPairs> {
    ///     engine.contacts(bodies).record(encoder)
    /// }
    /// ```
    ///
    /// # Errors
    /// What the query says about its arguments; [`BackendUnavailable`](Error::BackendUnavailable) if the engine has no GPU,
    /// [`DeviceMemory`](Error::DeviceMemory) if there is no room, [`Recording`](Error::Recording) for `overlapping_only`, for
    /// all hits of a ray that only the host can cast, for `count(0)`, and for `closest` and `sweep` with bodies that shaders write (docs/embedding.md).
    pub fn record(self, encoder: &mut wgpu::CommandEncoder) -> Result<Q::Recorded> {
        self.record_with(&RecordOptions::new(), encoder)
    }

    /// Records the query, as [`record`](Self::record) does, with bodies that shaders of yours write, or with the room that was said to be needed.
    ///
    /// ```
    /// use tangency::{Bodies, BodySource, Engine, RecordOptions, RecordedPairs, Result, wgpu};
    ///
    /// fn record(engine: &Engine, bodies: &Bodies, source: &BodySource, encoder: &mut wgpu::CommandEncoder) -> Result<RecordedPairs> {
    ///     let options = RecordOptions::new().sources(std::slice::from_ref(source));
    ///     engine.overlaps(bodies).record_with(&options, encoder)
    /// }
    /// ```
    ///
    /// # Errors
    /// As [`record`](Self::record), and [`Recording`](Error::Recording) if a source does not suit the bodies.
    pub fn record_with(self, options: &RecordOptions<'_>, encoder: &mut wgpu::CommandEncoder) -> Result<Q::Recorded> {
        self.query.check()?;
        let running = self.backends().record(&self.query.ask(options)?, encoder)?;
        Ok(self.query.recorded(running))
    }
}
