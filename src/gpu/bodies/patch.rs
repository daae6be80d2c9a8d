//! Patches: changes of few bodies in many ranges, uploaded in one piece and scattered by a kernel when the next recording runs.

use std::ops::Range;

use super::facts::{Facts, facts_of, parts_of, tasks_of};
use super::{DeviceBodies, tag, traits_of};
use crate::Bodies;
use crate::gpu::abi::{THREADS, patch_records};
use crate::gpu::buffer::{GrowBuffer, SizedBy};
use crate::gpu::device::Device;
use crate::gpu::failure::Attempt;
use crate::gpu::ledger::signatures;
use crate::gpu::runner::{Recording, Runner};
use crate::gpu::stages;
use crate::parallel::Pool;
use crate::shape::kinds::RECORD_WORDS;

/// The most ranges that are written one by one through the queue.
const FEW_RANGES: usize = 16;
/// Patches are used only if less than one body in this many has changed: a patch is larger than the record it replaces.
const PART: usize = 4;
/// Patches take at most one part in this many of the rest of the memory budget, so that the query itself has room.
const SHARE: u64 = 8;
/// Bodies of a task. Each of them is somewhere else in memory, so that one takes as long as many in a row.
const PATCHES: usize = 512;
/// Patches of at least this many bytes go through the staging buffer, smaller ones through the queue.
const LARGE: usize = 1 << 16;

/// The id of a body, the word of tags that it is in, and its record.
type BodyPatch = [u32; RECORD_WORDS + 2];

fn patch_of(bodies: &Bodies, id: usize) -> BodyPatch {
    let tags = std::array::from_fn(|k| tag(bodies, id / 4 * 4 + k));
    let record = &bodies.records()[id];
    std::array::from_fn(|k| match k {
        0 => id as u32,
        1 => u32::from_le_bytes(tags),
        _ => record[k - 2].to_bits(),
    })
}

/// The buffer for patches. It only saves time: if memory is scarce, ranges are written one by one.
pub(crate) struct Patch {
    staging: GrowBuffer,
    /// What is in the buffer by the time that the next recording runs, which has it scattered.
    pending: Option<Pending>,
    /// Uploads as patches so far.
    pub count: u64,
    /// The sum of the signatures due from the kernel over all these uploads.
    pub due: u32,
}

/// Patches that wait for the next recording.
struct Pending {
    params: patch_records::Params,
    /// Whether they are of traits, and not of shapes.
    of_traits: bool,
}

impl Pending {
    fn groups(&self) -> u32 {
        self.params.words.div_ceil(THREADS)
    }
}

impl Patch {
    pub(crate) fn new() -> Self {
        Self { staging: GrowBuffer::storage("patch", SizedBy::Input), pending: None, count: 0, due: 0 }
    }

    /// Whether changes in these ranges of a set of `n` bodies should be uploaded as patches.
    pub(crate) fn suits(ranges: &[Range<usize>], n: usize) -> bool {
        ranges.len() > FEW_RANGES && ranges.iter().map(ExactSizeIterator::len).sum::<usize>() < n / PART
    }

    /// The buffer for so many bytes of patches, unless memory is scarce.
    pub(crate) async fn room(&mut self, device: &Device, bytes: u64) -> Option<&wgpu::Buffer> {
        debug_assert!(self.pending.is_none(), "what is in the buffer is still needed");
        let scarce = !self.staging.holds(bytes) && bytes > device.budget_left() / SHARE;
        if scarce || self.staging.reserve(device, bytes).await.is_err() {
            self.staging.release();
            return None;
        }
        Some(self.staging.buffer())
    }

    /// Has what is in the buffer scattered to shapes, or to traits, when the next recording runs.
    pub(super) fn scatter(&mut self, params: patch_records::Params, of_traits: bool) {
        self.pending = Some(Pending { params, of_traits });
    }

    /// What was pending has been submitted.
    pub(crate) fn submitted(&mut self) {
        if let Some(pending) = self.pending.take() {
            self.count += 1;
            self.due = self.due.wrapping_add(signatures(0..u64::from(pending.groups())));
        }
    }

    /// Frees the buffer. The status block with the signatures is freed too.
    pub(crate) fn release(&mut self) {
        self.staging.release();
        self.pending = None;
        self.due = 0;
    }
}

impl DeviceBodies {
    /// Records the patches that are pending. They sign in the status block, which nobody clears of that.
    pub(crate) fn record_patches<'a>(&'a self, recording: &mut Recording<'a>, status: &'a GrowBuffer) {
        if let Some(pending) = &self.patch.pending {
            let records = if pending.of_traits { &self.traits } else { &self.shapes };
            let buffers = patch_records::Buffers { patches: &self.patch.staging, records, tags: &self.tags, status };
            recording.run(&stages::PATCH_RECORDS, pending.groups(), &pending.params, &buffers);
        }
    }

    /// Has patches that are pending scattered at once, so that there is room for others.
    pub(super) async fn flush_patches(
        &mut self,
        device: &Device,
        runner: &mut Runner,
        status: &GrowBuffer,
    ) -> Attempt<()> {
        if self.patch.pending.is_none() {
            return Ok(());
        }
        let mut recording = Recording::default();
        self.record_patches(&mut recording, status);
        // Without read-back and timestamps, the host does not wait for the device.
        let profile = std::mem::replace(&mut runner.profile, false);
        let result = runner.run(device, recording, &[]).await;
        runner.profile = profile;
        result?;
        self.patch.submitted();
        Ok(())
    }

    /// Uploads the bodies of many ranges as patches, if memory allows, and returns the facts about them.
    pub(super) async fn patch_bodies(
        &mut self,
        device: &Device,
        runner: &mut Runner,
        pool: &Pool,
        bodies: &Bodies,
        (ranges, status): (&[Range<usize>], &GrowBuffer),
    ) -> Attempt<Option<Facts>> {
        self.flush_patches(device, runner, status).await?;
        let bytes = size_of::<BodyPatch>() * ranges.iter().map(ExactSizeIterator::len).sum::<usize>();
        let Some(buffer) = self.patch.room(device, bytes as u64).await else { return Ok(None) };
        let (buffer, parts) = (buffer.clone(), parts_of(ranges, PATCHES));
        let tasks = tasks_of(&parts, PATCHES);
        let patches_of = |task: &[Range<usize>]| -> (Vec<BodyPatch>, Option<Facts>) {
            let mut patches = Vec::with_capacity(PATCHES);
            // All are asked for before the first is used: each is somewhere else in memory, and so none waits for another.
            let records = bodies.records();
            let ends = |range: &Range<usize>| records[range.start][0].to_bits() ^ records[range.end - 1][9].to_bits();
            std::hint::black_box(task.iter().fold(0, |asked, range| asked ^ ends(range)));
            patches.extend(task.iter().cloned().flatten().map(|id| patch_of(bodies, id)));
            (patches, task.iter().map(|part| facts_of(bodies, part.clone())).reduce(Facts::union))
        };
        let room = size_of::<BodyPatch>() * PATCHES * tasks.len();
        let large = bytes >= self.large.min(LARGE);
        let staged = if large { self.upload.view(device, runner, room as u64).await? } else { None };
        let facts: Vec<Option<Facts>> = if let Some(mut view) = staged {
            let pieces = view.slice(..).into_chunks::<{ size_of::<BodyPatch>() * PATCHES }>().0;
            let facts = pool.map_at_once(tasks.into_iter().zip(pieces).collect(), |(task, piece)| {
                let (patches, facts) = patches_of(task);
                let patches = bytemuck::cast_slice(patches.as_flattened());
                wgpu::WriteOnly::<[u8]>::from(piece).slice(..patches.len()).copy_from_slice(patches);
                facts
            });
            drop(view);
            self.upload.copy(runner, [(0, &buffer, 0, bytes as u64)]);
            facts
        } else {
            let (patches, facts): (Vec<_>, Vec<_>) = pool.map_at_once(tasks, patches_of).into_iter().unzip();
            device.write(&buffer, 0, bytemuck::cast_slice(patches.concat().as_flattened())).await?;
            facts
        };
        runner.clock.lap("patches");
        let params = patch_records::Params {
            words: (bytes / 4) as u32,
            record_words: RECORD_WORDS as u32,
            heading_words: (size_of::<BodyPatch>() / 4 - RECORD_WORDS) as u32,
            first: 0,
        };
        self.patch.scatter(params, false);
        self.uploaded += bytes as u64;
        Ok(facts.into_iter().flatten().reduce(Facts::union))
    }

    /// Uploads the traits of many ranges as patches, if memory allows. Returns whether it did.
    pub(super) async fn patch_traits(
        &mut self,
        device: &Device,
        runner: &mut Runner,
        pool: &Pool,
        bodies: &Bodies,
        (ranges, status): (&[Range<usize>], &GrowBuffer),
    ) -> Attempt<bool> {
        self.flush_patches(device, runner, status).await?;
        let ids: Vec<usize> = ranges.iter().cloned().flatten().collect();
        let patches: Vec<[u32; 5]> = pool.collect(ids.len(), |k| {
            let [layer, mask, group, world] = traits_of(bodies, ids[k]);
            [ids[k] as u32, layer, mask, group, world]
        });
        let bytes: &[u8] = bytemuck::cast_slice(patches.as_flattened());
        let Some(buffer) = self.patch.room(device, bytes.len() as u64).await else { return Ok(false) };
        device.write(buffer, 0, bytes).await?;
        let words = (bytes.len() / 4) as u32;
        self.patch.scatter(patch_records::Params { words, record_words: 4, heading_words: 1, first: 0 }, true);
        self.uploaded += bytes.len() as u64;
        Ok(true)
    }
}
