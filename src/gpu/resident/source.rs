//! Bodies that the caller's shaders write, and other options of a recording.

use std::ops::Range;

use super::running::Capacities;
use crate::bodies::Alike;
use crate::gpu::abi::{ABSENT, import_bodies};
use crate::gpu::bodies::record::Written;
use crate::shape::kinds::Kind;
use crate::{Bodies, Error, Result};

/// A buffer in which shaders of yours write where bodies are: [`RecordOptions::sources`].
///
/// The bodies exist in a [`Bodies`], which says what they are (kinds, traits, exclusions, and shapes to begin with). Each recording takes over
/// positions, rotations and extents of consecutive bodies from the buffer. What a shader has not written properly is refused: a position that is
/// not finite, a negative extent, a quaternion of zeros. Such a body has no pairs and no hits, is on the outside, and its relations are refused;
/// [`Ended::bad_body`](super::Ended::bad_body) names the first one.
///
/// ```
/// use tangency::{BodySource, wgpu};
///
/// // Bodies 0 to 99; for each 32 bytes: a position, four bytes that are skipped, and a quaternion.
/// fn source(buffer: &wgpu::Buffer) -> BodySource {
///     BodySource::new(buffer, 0..100, 32).position_at(0).rotation_at(16)
/// }
/// ```
#[derive(Clone, Debug)]
pub struct BodySource {
    pub(super) buffer: wgpu::Buffer,
    ids: Range<u32>,
    /// In bytes, as all that follow.
    offset: u64,
    stride: u64,
    position: Option<u64>,
    rotation: Option<u64>,
    extents: Option<u64>,
}

impl BodySource {
    /// Bodies with these ids are written to this buffer, one after the other, so many bytes from one to the next.
    ///
    /// The buffer must have the usage `STORAGE`. Numbers are `f32`, and all offsets are multiples of four.
    ///
    /// ```
    /// # use tangency::{BodySource, wgpu};
    /// fn balls(buffer: &wgpu::Buffer) -> BodySource {
    ///     BodySource::new(buffer, 0..100, 16).position_at(0).extents_at(12) // a position and a radius
    /// }
    /// ```
    pub fn new(buffer: &wgpu::Buffer, ids: Range<u32>, stride: u64) -> Self {
        Self { buffer: buffer.clone(), ids, offset: 0, stride, position: None, rotation: None, extents: None }
    }

    /// The first body begins at this byte of the buffer.
    ///
    /// ```
    /// # use tangency::{BodySource, wgpu};
    /// fn behind_a_header(buffer: &wgpu::Buffer) -> BodySource {
    ///     BodySource::new(buffer, 0..100, 12).beginning_at(64).position_at(0)
    /// }
    /// ```
    #[must_use]
    pub fn beginning_at(self, offset: u64) -> Self {
        Self { offset, ..self }
    }

    /// Three numbers, so many bytes from where a body begins, are the middle of a ball or an oriented box, the lower corner of a box with
    /// fixed axes, the first end of a capsule, or the normal of a half-space.
    ///
    /// ```
    /// # use tangency::{BodySource, wgpu};
    /// fn moving(buffer: &wgpu::Buffer) -> BodySource {
    ///     BodySource::new(buffer, 0..100, 12).position_at(0)
    /// }
    /// ```
    #[must_use]
    pub fn position_at(self, position: u64) -> Self {
        Self { position: Some(position), ..self }
    }

    /// Four numbers are the quaternion of an oriented box: x, y, z, w, of any length but 0. Other kinds skip them.
    ///
    /// ```
    /// # use tangency::{BodySource, wgpu};
    /// fn turning(buffer: &wgpu::Buffer) -> BodySource {
    ///     BodySource::new(buffer, 0..100, 16).rotation_at(0)
    /// }
    /// ```
    #[must_use]
    pub fn rotation_at(self, rotation: u64) -> Self {
        Self { rotation: Some(rotation), ..self }
    }

    /// One number is the radius of a ball or the offset of a half-space; or three are the half extents of an oriented box, the second end of a capsule, or the upper corner of a box
    /// with fixed axes, whose lower corner must be given too.
    ///
    /// ```
    /// # use tangency::{BodySource, wgpu};
    /// fn growing(buffer: &wgpu::Buffer) -> BodySource {
    ///     BodySource::new(buffer, 0..100, 4).extents_at(0) // radii
    /// }
    /// ```
    #[must_use]
    pub fn extents_at(self, extents: u64) -> Self {
        Self { extents: Some(extents), ..self }
    }

    /// Whether the source suits a set.
    fn check(&self, bodies: &Bodies) -> Result<()> {
        let refuse = |reason: String| Err(Error::Recording { reason });
        let Range { start, end } = self.ids;
        if start > end || end as usize > bodies.id_bound() {
            return refuse(format!("bodies {start} to {end} are to be written, and the set has {}", bodies.id_bound()));
        }
        // Of balls, extents are one number.
        let only_balls = match bodies.alike() {
            Alike::Plain(kind) => kind == Kind::Sphere,
            _ => bodies.kinds()[start as usize..end as usize].iter().all(|kind| *kind == Kind::Sphere),
        };
        let fields = [(self.position, 12), (self.rotation, 16), (self.extents, if only_balls { 4 } else { 12 })];
        let places = [Some(self.offset), Some(self.stride), self.position, self.rotation, self.extents];
        if places.into_iter().flatten().any(|place| !place.is_multiple_of(4)) {
            return refuse("offsets of bodies must be multiples of four bytes".to_owned());
        }
        let count = u64::from(end - start);
        let last =
            fields.iter().filter_map(|(at, size)| at.map(|at| at.saturating_add(*size))).max().unwrap_or_default();
        let needed = count.saturating_sub(1).checked_mul(self.stride).and_then(|all| all.checked_add(self.offset));
        let needed = needed.and_then(|all| all.checked_add(last)).unwrap_or(u64::MAX);
        if count > 0 && needed > self.buffer.size() {
            let size = self.buffer.size();
            return refuse(format!("a buffer of {size} bytes is too small for {count} bodies, which take {needed}"));
        }
        if !self.buffer.usage().contains(wgpu::BufferUsages::STORAGE) {
            return refuse("the buffer of bodies must have the usage STORAGE".to_owned());
        }
        Ok(())
    }

    /// Which bodies it writes, and what of them.
    pub(super) fn writes(&self) -> Written {
        (self.ids.clone(), [self.position, self.rotation, self.extents].map(|place| place.is_some()))
    }

    pub(super) fn params(&self) -> import_bodies::Params {
        // (Buffers have fewer than 2³² words.)
        let words = |bytes: u64| (bytes / 4) as u32;
        let place = |at: Option<u64>| at.map_or(ABSENT, words);
        import_bodies::Params {
            first: self.ids.start,
            bodies: self.ids.end - self.ids.start,
            offset: words(self.offset),
            stride: words(self.stride),
            position: place(self.position),
            rotation: place(self.rotation),
            extents: place(self.extents),
        }
    }
}

/// Options of [`Request::record_with`](crate::Request::record_with).
///
/// ```
/// use tangency::RecordOptions;
///
/// let options = RecordOptions::new(); // bodies as the host has them, and as much room as earlier recordings have needed
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct RecordOptions<'a> {
    own: &'a [BodySource],
    other: &'a [BodySource],
    capacities: Option<&'a Capacities>,
}

impl<'a> RecordOptions<'a> {
    /// No options: bodies as the host has them.
    ///
    /// ```
    /// # use tangency::RecordOptions;
    /// let options = RecordOptions::new();
    /// ```
    pub fn new() -> Self {
        Self::default()
    }

    /// Bodies of the set that shaders of yours write.
    ///
    /// ```
    /// # use tangency::{BodySource, RecordOptions};
    /// fn options(source: &BodySource) -> RecordOptions<'_> {
    ///     RecordOptions::new().sources(std::slice::from_ref(source))
    /// }
    /// ```
    #[must_use]
    pub fn sources(self, sources: &'a [BodySource]) -> Self {
        Self { own: sources, ..self }
    }

    /// Bodies of the other set, which the request is [against](crate::Request::against), that shaders of yours write.
    ///
    /// ```
    /// # use tangency::{BodySource, RecordOptions};
    /// fn options(source: &BodySource) -> RecordOptions<'_> {
    ///     RecordOptions::new().other_sources(std::slice::from_ref(source))
    /// }
    /// ```
    #[must_use]
    pub fn other_sources(self, sources: &'a [BodySource]) -> Self {
        Self { other: sources, ..self }
    }

    /// The room that an earlier recording was [said to need](super::Ended::needed).
    ///
    /// ```
    /// # use tangency::{Capacities, RecordOptions};
    /// fn options(needed: &Capacities) -> RecordOptions<'_> {
    ///     RecordOptions::new().capacities(needed)
    /// }
    /// ```
    #[must_use]
    pub fn capacities(self, capacities: &'a Capacities) -> Self {
        Self { capacities: Some(capacities), ..self }
    }

    /// Whether shaders write some of the bodies.
    pub(crate) fn has_sources(&self) -> bool {
        !(self.own.is_empty() && self.other.is_empty())
    }

    pub(super) fn both(&self) -> [&'a [BodySource]; 2] {
        [self.own, self.other]
    }

    pub(super) fn given_capacities(&self) -> Option<&Capacities> {
        self.capacities
    }

    /// Whether the sources suit the sets.
    pub(super) fn check(&self, own: &Bodies, other: Option<&Bodies>) -> Result<()> {
        self.own.iter().try_for_each(|source| source.check(own))?;
        match other {
            Some(other) => self.other.iter().try_for_each(|source| source.check(other)),
            None if self.other.is_empty() => Ok(()),
            None => Err(Error::Recording { reason: "there are sources of another set, and there is none".to_owned() }),
        }
    }
}
