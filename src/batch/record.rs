//! Queries whose results stay on the device.

use super::candidates::CandidatesQuery;
use super::contacts::ContactsQuery;
use super::overlaps::OverlapsQuery;
use super::query::Query;
use super::request::Request;
use crate::gpu::{Ask, Narrow, RecordOptions, RecordedPairs};
use crate::{Error, Result};

/// A question that can be [recorded](Request::record): its result stays on the device.
///
/// This library alone implements it.
///
/// ```
/// use tangency::{RecordedPairs, Request, Result, batch::RecordQuery, wgpu};
///
/// fn twice<Q: RecordQuery + Clone>(
///     request: &Request<'_, Q>,
///     encoders: &mut [wgpu::CommandEncoder; 2],
/// ) -> Result<Vec<RecordedPairs>> {
///     encoders.iter_mut().map(|encoder| request.clone().record(encoder)).collect()
/// }
/// ```
pub trait RecordQuery: Query {
    /// What is recorded.
    #[doc(hidden)]
    fn ask<'a>(&'a self, options: &'a RecordOptions<'a>) -> Result<Ask<'a>>;
}

/// Why an option cannot be recorded.
fn refuse<T>(reason: &str) -> Result<T> {
    Err(Error::Recording { reason: reason.to_owned() })
}

const TOUCHING: &str = "pairs that touch are marked on the device, and not left out";

impl RecordQuery for OverlapsQuery {
    fn ask<'a>(&'a self, options: &'a RecordOptions<'a>) -> Result<Ask<'a>> {
        if self.overlapping_only {
            return refuse(TOUCHING);
        }
        let (searching, searched) = (self.sets.searching(), &self.sets.searched().bodies);
        Ok(Ask { searching, searched, narrow: Narrow::Filter, contacts: None, options })
    }
}

impl RecordQuery for CandidatesQuery {
    fn ask<'a>(&'a self, options: &'a RecordOptions<'a>) -> Result<Ask<'a>> {
        let (searching, searched) = (self.sets.searching(), &self.sets.searched().bodies);
        Ok(Ask { searching, searched, narrow: Narrow::Accept, contacts: None, options })
    }
}

impl RecordQuery for ContactsQuery {
    fn ask<'a>(&'a self, options: &'a RecordOptions<'a>) -> Result<Ask<'a>> {
        if self.overlapping_only {
            return refuse(TOUCHING);
        }
        let (searching, searched) = (self.sets.searching(), &self.sets.searched().bodies);
        Ok(Ask { searching, searched, narrow: Narrow::Filter, contacts: Some(self.most), options })
    }
}

impl<Q: RecordQuery> Request<'_, Q> {
    /// Records the query into an encoder of yours, of the [device](crate::Builder::device) that the engine was given. The result stays on the
    /// device, and shaders in the same encoder can use it: [`RecordedPairs`], docs/embedding.md.
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
    /// [`DeviceMemory`](Error::DeviceMemory) if there is no room, [`Recording`](Error::Recording) for `overlapping_only`.
    pub fn record(self, encoder: &mut wgpu::CommandEncoder) -> Result<RecordedPairs> {
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
    pub fn record_with(self, options: &RecordOptions<'_>, encoder: &mut wgpu::CommandEncoder) -> Result<RecordedPairs> {
        self.query.check()?;
        let ask = self.query.ask(options)?;
        self.backends().record(&ask, encoder)
    }
}
