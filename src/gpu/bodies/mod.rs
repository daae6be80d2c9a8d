//! The copy of a set of bodies on the device, which is kept up to date by uploading changes.

mod facts;
mod hulls;
mod layout;
mod margins;
mod patch;
pub(super) mod poses;
pub(super) mod record;
mod upload;

use std::borrow::Cow;
use std::ops::Range;
use std::sync::OnceLock;

pub(crate) use facts::Facts;
use facts::facts_of_ranges;
pub(crate) use layout::Layout;
use patch::Patch;
use upload::Upload;

use super::abi::{TAG_ENABLED, TAG_FIXED, TAG_WANTED};
use super::buffer::{GrowBuffer, SizedBy};
use super::device::Device;
use super::failure::Attempt;
use super::runner::Runner;
use crate::Bodies;
use crate::bodies::Alike;
use crate::bodies::exclusions::ExclusionState;
use crate::parallel::Pool;
use crate::shape::kinds::Record;

/// Bytes of a body's shape record, and of its traits.
const SHAPE: usize = size_of::<Record>();
const TRAITS: usize = 16;
/// If more ranges than this have changed and cannot be patched, the whole set is uploaded: each range costs one or two commands.
pub(super) const MANY_RANGES: usize = 4096;
/// Changes of at least this many bytes go through the staging buffer, smaller ones through the queue.
const LARGE: usize = 1 << 20;

/// The tag of a body: its kind, whether it is enabled, and whether it is fixed. 0 beyond the end of the set.
fn tag(bodies: &Bodies, i: usize) -> u8 {
    if i >= bodies.id_bound() {
        return 0;
    }
    if let Alike::Plain(kind) = bodies.alike() {
        return kind as u8 | (TAG_ENABLED | TAG_WANTED) as u8;
    }
    let enabled = u8::from(bodies.enabled_flags()[i]) * (TAG_ENABLED | TAG_WANTED) as u8;
    let fixed = u8::from(bodies.all_traits()[i].fixed) * TAG_FIXED as u8;
    bodies.kind(i) as u8 | enabled | fixed
}

/// A layout that is made beside other work.
struct Making<'a> {
    bodies: &'a Bodies,
    layout: OnceLock<Layout>,
}

impl Making<'_> {
    fn made(&self) -> Layout {
        *self.layout.get_or_init(|| Layout::new(self.bodies))
    }
}

/// The copy of a set of bodies on the device.
pub(crate) struct DeviceBodies {
    /// The revision of the set that is on the device; absent if an upload failed.
    revision: Option<u64>,
    pub len: usize,
    pub shapes: GrowBuffer,
    pub tags: GrowBuffer,
    pub traits: GrowBuffer,
    /// How far bodies keep others away.
    pub margins: GrowBuffer,
    pub exclusions: GrowBuffer,
    /// The local forms of hulls, as `hulls.rs` lays them out.
    pub hulls: GrowBuffer,
    /// Whether there are any.
    pub has_hulls: bool,
    /// The revision of the forms that are on the device.
    hulls_revision: Option<u64>,
    /// The planes of their faces, which only rays need, and the revision of these forms.
    pub hull_planes: GrowBuffer,
    planes_revision: Option<u64>,
    /// Whether they are on the device.
    pub has_planes: bool,
    pub excluded: u32,
    /// The state of the exclusions that are on the device.
    excluded_state: Option<ExclusionState>,
    /// Uploads changes of few bodies in many ranges.
    pub patch: Patch,
    /// Uploads changes of at least `large` bytes.
    pub upload: Upload,
    pub large: usize,
    /// The revision of the set whose traits are on the device.
    traits_revision: Option<u64>,
    /// The revision of the set whose margins are on the device, and whether it has any.
    margins_revision: Option<u64>,
    pub has_margins: bool,
    pub facts: Facts,
    pub layout: Layout,
    /// Bodies that have changed since the layout was computed.
    changed_since_layout: usize,
    /// Bytes uploaded so far.
    pub uploaded: u64,
    /// What shaders of the caller's have written over.
    written: Vec<record::Written>,
}

impl DeviceBodies {
    pub(crate) fn new() -> Self {
        Self {
            revision: None,
            len: 0,
            shapes: GrowBuffer::storage("shapes", SizedBy::Input),
            tags: GrowBuffer::storage("tags", SizedBy::Input),
            traits: GrowBuffer::storage("traits", SizedBy::Input),
            margins: GrowBuffer::storage("margins", SizedBy::Input),
            exclusions: GrowBuffer::storage("exclusions", SizedBy::Input),
            hulls: GrowBuffer::storage("hulls", SizedBy::Input),
            has_hulls: false,
            hulls_revision: None,
            hull_planes: GrowBuffer::storage("hull planes", SizedBy::Input),
            planes_revision: None,
            has_planes: false,
            excluded: 0,
            excluded_state: None,
            patch: Patch::new(),
            upload: Upload::new(),
            large: LARGE,
            traits_revision: None,
            margins_revision: None,
            has_margins: false,
            facts: Facts::default(),
            layout: Layout::default(),
            changed_since_layout: 0,
            uploaded: 0,
            written: Vec::new(),
        }
    }

    /// Whether the layout is to be computed again, now that so many bodies of `n` have changed.
    fn wants_layout(&mut self, changed: usize, n: usize) -> bool {
        self.changed_since_layout += changed;
        let wants = changed * 2 > n || self.changed_since_layout > n / 4 || self.len != n;
        if wants {
            self.changed_since_layout = 0;
        }
        wants
    }

    pub(crate) fn revision(&self) -> Option<u64> {
        self.revision
    }

    /// Whether the device holds an earlier state of the set, so that only changes have to be uploaded.
    pub(crate) fn knows(&self, bodies: &Bodies) -> bool {
        self.revision.is_some_and(|revision| bodies.knows(revision))
    }

    /// Brings the shapes, tags and exclusions on the device up to date.
    ///
    /// If changes are scattered by the kernel `patch_records`, it signs in the status block.
    pub(crate) async fn sync(
        &mut self,
        device: &Device,
        runner: &mut Runner,
        pool: &Pool,
        bodies: &Bodies,
        status: &GrowBuffer,
    ) -> Attempt<()> {
        let n = bodies.id_bound();
        if self.revision == Some(bodies.revision()) {
            return Ok(());
        }
        let before = self.revision.take();
        let mut new = self.shapes.reserve(device, (SHAPE * n) as u64).await?;
        new |= self.tags.reserve(device, n.next_multiple_of(4) as u64).await?;
        let Changed { mut whole, poses } =
            Changed::since(bodies, if new { None } else { before }, |ranges| pool.array(ranges));
        let mut span = poses::span(&poses);
        if span.is_none() {
            whole = union(whole, poses);
        }
        let changed = |ranges: &[Range<usize>]| ranges.iter().map(ExactSizeIterator::len).sum::<usize>();
        let all = changed(&whole) + span.as_ref().map_or(0, ExactSizeIterator::len);
        let new_layout = self.wants_layout(all, n);
        runner.clock.lap("changes");
        // It takes a thread some tenths of a millisecond: where others fill memory meanwhile, it is made beside that.
        let making = Making { bodies, layout: OnceLock::new() };
        let beside = new_layout.then_some(&making);
        // With a new layout all bodies are inspected, unless they are where poses are uploaded.
        let everywhere = new_layout && span.as_ref().is_none_or(|span| span.len() < n);
        let mut facts = self.upload_whole(device, runner, pool, (bodies, beside), (&whole, everywhere, status)).await?;
        if let Some(moved) = span.take() {
            let placed = self.place_poses(device, runner, pool, (bodies, beside), (&moved, status)).await?;
            facts = if let Some(placed) = placed {
                Some(facts.map_or(placed, |facts| facts.union(placed)))
            } else {
                // Without memory for that, whole.
                whole = union(whole, std::iter::once(moved).collect());
                self.upload_whole(device, runner, pool, (bodies, beside), (&whole, everywhere, status)).await?
            };
        }
        pool.keep(whole);
        if new_layout {
            self.layout = making.made();
            runner.clock.lap("layout");
        }
        let before = (!new_layout).then_some(self.facts);
        let facts = before.into_iter().chain(facts).reduce(Facts::union).unwrap_or_default();
        self.facts = facts.within(&self.layout);
        self.sync_exclusions(device, bodies).await?;
        self.sync_hulls(device, bodies).await?;
        self.len = n;
        self.revision = Some(bodies.revision());
        Ok(())
    }

    /// Uploads the bodies of these ranges and returns the facts about them, or about all of the set.
    async fn upload_whole(
        &mut self,
        device: &Device,
        runner: &mut Runner,
        pool: &Pool,
        (bodies, beside): (&Bodies, Option<&Making<'_>>),
        (ranges, all_facts, status): (&[Range<usize>], bool, &GrowBuffer),
    ) -> Attempt<Option<Facts>> {
        let n = bodies.id_bound();
        let all: Vec<Range<usize>> = std::iter::once(0..n).collect();
        if Patch::suits(ranges, n) {
            let patched = self.patch_bodies(device, runner, pool, bodies, (ranges, status)).await?;
            if patched.is_some() {
                return Ok(if all_facts { facts_of_ranges(pool, bodies, &all) } else { patched });
            }
        }
        let ranges = if ranges.len() > MANY_RANGES { &all } else { ranges };
        let inspected = if all_facts { &all } else { ranges };
        let changed: usize = ranges.iter().map(ExactSizeIterator::len).sum();
        let large = changed > 0 && SHAPE * changed >= self.large;
        let staged =
            if large { self.stage((device, runner, pool), (bodies, beside), inspected, ranges).await? } else { None };
        if staged.is_none() {
            self.write(device, pool, bodies, ranges).await?;
        }
        self.uploaded += ranges.iter().map(|range| (SHAPE * range.len() + words(range).len()) as u64).sum::<u64>();
        Ok(staged.or_else(|| facts_of_ranges(pool, bodies, inspected)))
    }

    async fn sync_exclusions(&mut self, device: &Device, bodies: &Bodies) -> Attempt<()> {
        let state = bodies.exclusions().state();
        if self.excluded_state.is_some_and(|held| held.serves(state)) {
            return Ok(());
        }
        self.excluded_state = None;
        let excluded: Vec<[u32; 2]> = bodies.excluded().into_iter().map(|(a, b)| [a, b]).collect();
        self.exclusions.reserve(device, 8 * excluded.len().max(1) as u64).await?;
        device.write(self.exclusions.buffer(), 0, bytemuck::cast_slice(&excluded)).await?;
        self.uploaded += 8 * excluded.len() as u64;
        self.excluded = excluded.len() as u32;
        self.excluded_state = Some(state);
        Ok(())
    }

    /// Uploads the bodies of these ranges through the queue.
    async fn write(&self, device: &Device, pool: &Pool, bodies: &Bodies, ranges: &[Range<usize>]) -> Attempt<()> {
        let writes = ranges.iter().flat_map(|range| {
            let records = bytemuck::cast_slice(&bodies.records()[range.clone()]);
            let words = words(range);
            let tags = pool.collect(words.len(), |k| tag(bodies, words.start + k));
            [
                (self.shapes.buffer(), (SHAPE * range.start) as u64, Cow::Borrowed(records)),
                (self.tags.buffer(), words.start as u64, Cow::Owned(tags)),
            ]
        });
        device.write_all(writes).await
    }

    /// Brings the traits on the device up to date. Only queries with filters or several worlds need them.
    pub(crate) async fn sync_traits(
        &mut self,
        device: &Device,
        runner: &mut Runner,
        pool: &Pool,
        bodies: &Bodies,
        status: &GrowBuffer,
    ) -> Attempt<()> {
        if self.traits_revision.is_some() && self.traits_revision == self.revision {
            return Ok(());
        }
        let before = self.traits_revision.take();
        let new = self.traits.reserve(device, (TRAITS * bodies.id_bound()) as u64).await?;
        let mut ranges = Changed::since(bodies, if new { None } else { before }, Vec::with_capacity).whole;
        if !(Patch::suits(&ranges, bodies.id_bound())
            && self.patch_traits(device, runner, pool, bodies, (&ranges, status)).await?)
        {
            if ranges.len() > MANY_RANGES {
                ranges = std::iter::once(0..bodies.id_bound()).collect();
            }
            for range in ranges {
                let words = pool.collect(range.len(), |k| traits_of(bodies, range.start + k));
                let at = (TRAITS * range.start) as u64;
                device.write(self.traits.buffer(), at, bytemuck::cast_slice(&words)).await?;
                self.uploaded += (TRAITS * range.len()) as u64;
            }
        }
        self.traits_revision = self.revision;
        Ok(())
    }

    fn buffers(&mut self) -> [&mut GrowBuffer; 7] {
        let Self { shapes, tags, traits, margins, exclusions, hulls, hull_planes, .. } = self;
        [shapes, tags, traits, margins, exclusions, hulls, hull_planes]
    }

    /// From now on, commands of the caller's may use the buffers after they were freed here.
    pub(crate) fn lend(&mut self) {
        for buffer in self.buffers() {
            buffer.lend();
        }
    }

    pub(crate) fn release(&mut self) {
        for buffer in self.buffers() {
            buffer.release();
        }
        self.upload.release();
        self.patch.release();
        self.revision = None;
        self.traits_revision = None;
        self.margins_revision = None;
        self.excluded_state = None;
        self.hulls_revision = None;
        (self.planes_revision, self.has_planes) = (None, false);
    }
}

/// The range of a byte per body, widened to whole words: buffer writes must be aligned to words.
fn words(range: &Range<usize>) -> Range<usize> {
    range.start / 4 * 4..range.end.next_multiple_of(4)
}

/// The bodies that have changed and still exist: ranges that ascend and are disjoint.
struct Changed {
    /// Of which anything may have changed.
    whole: Vec<Range<usize>>,
    /// Whose poses have changed.
    poses: Vec<Range<usize>>,
}

impl Changed {
    /// The changes since a revision; the whole set if it is unknown. `array` makes an empty array for so many ranges.
    fn since(bodies: &Bodies, revision: Option<u64>, array: impl FnOnce(usize) -> Vec<Range<usize>>) -> Self {
        let n = bodies.id_bound();
        let parts = |revision| bodies.parts_changed_since(revision, array);
        let Some(parts) = revision.and_then(parts) else {
            let all = std::iter::once(0..n).filter(|all| !all.is_empty());
            return Self { whole: all.collect(), poses: Vec::new() };
        };
        let existing = |mut ranges: Vec<Range<usize>>| {
            // Those beyond the end are the last.
            while ranges.pop_if(|last| last.start >= n).is_some() {}
            if let Some(last) = ranges.last_mut() {
                last.end = last.end.min(n);
            }
            ranges
        };
        Self { whole: existing(parts.whole), poses: existing(parts.poses) }
    }
}

/// All bodies of two lists of ranges.
fn union(mut ranges: Vec<Range<usize>>, others: Vec<Range<usize>>) -> Vec<Range<usize>> {
    if others.is_empty() {
        return ranges;
    }
    ranges.extend(others);
    ranges.sort_unstable_by_key(|range| range.start);
    let mut merged: Vec<Range<usize>> = Vec::with_capacity(ranges.len());
    for range in ranges {
        match merged.last_mut() {
            Some(last) if range.start <= last.end => last.end = last.end.max(range.end),
            _ => merged.push(range),
        }
    }
    merged
}

/// A body's traits in the layout of the device.
fn traits_of(bodies: &Bodies, i: usize) -> [u32; 4] {
    let traits = &bodies.all_traits()[i];
    [traits.layer, traits.mask, traits.group, traits.world]
}
