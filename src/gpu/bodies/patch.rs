//! Patches: changes of few bodies in many ranges, uploaded in one piece and scattered by a kernel.

use std::ops::Range;

use crate::Error;
use crate::gpu::abi::{THREADS, patch_records};
use crate::gpu::buffer::{GrowBuffer, SizedBy};
use crate::gpu::device::Device;
use crate::gpu::failure::{Attempt, Failure};
use crate::gpu::ledger::signatures;
use crate::gpu::runner::{Recording, Runner};
use crate::gpu::stages;

/// The most ranges that are written one by one through the queue.
const FEW_RANGES: usize = 16;
/// Patches are used only if less than one body in this many has changed: a patch is larger than the record it replaces.
const PART: usize = 4;
/// Patches take at most one part in this many of the rest of the memory budget, so that the query itself has room.
const SHARE: u64 = 8;

/// The staging buffer for patches. It only saves time: if memory is scarce, ranges are written one by one.
pub(crate) struct Patch {
    staging: GrowBuffer,
    /// Uploads as patches so far.
    pub count: u64,
    /// The sum of the signatures due from the kernel over all these uploads.
    pub due: u32,
}

impl Patch {
    pub(crate) fn new() -> Self {
        Self { staging: GrowBuffer::storage("patch", SizedBy::Input), count: 0, due: 0 }
    }

    /// Whether changes in these ranges of a set of `n` bodies should be uploaded as patches.
    pub(crate) fn suits(ranges: &[Range<usize>], n: usize) -> bool {
        ranges.len() > FEW_RANGES && ranges.iter().map(ExactSizeIterator::len).sum::<usize>() < n / PART
    }

    /// Writes the last `size` words of each patch to its record, unless memory is scarce. Returns whether it did. The first word
    /// of a patch is the id of the body; a second word before the record goes to the body's word of tags.
    pub(crate) async fn apply<const WORDS: usize>(
        &mut self,
        device: &Device,
        runner: &mut Runner,
        patches: &[[u32; WORDS]],
        size: usize,
        [records, tags, status]: [&GrowBuffer; 3],
    ) -> Attempt<bool> {
        let bytes: &[u8] = bytemuck::cast_slice(patches.as_flattened());
        let Some(buffer) = self.room(device, bytes.len() as u64).await else { return Ok(false) };
        device.write(buffer, 0, bytes).await?;
        let words = (WORDS * patches.len()) as u32;
        let (record_words, heading_words) = (size as u32, (WORDS - size) as u32);
        let params = patch_records::Params { words, record_words, heading_words, first: 0 };
        self.scatter(device, runner, &params, [records, tags, status]).await
    }

    /// The buffer for so many bytes of patches, unless memory is scarce.
    pub(crate) async fn room(&mut self, device: &Device, bytes: u64) -> Option<&wgpu::Buffer> {
        let scarce = !self.staging.holds(bytes) && bytes > device.budget_left() / SHARE;
        if scarce || self.staging.reserve(device, bytes).await.is_err() {
            self.staging.release();
            return None;
        }
        Some(self.staging.buffer())
    }

    /// Runs the kernel over what is in the buffer. Returns whether memory sufficed.
    pub(crate) async fn scatter(
        &mut self,
        device: &Device,
        runner: &mut Runner,
        params: &patch_records::Params,
        [records, tags, status]: [&GrowBuffer; 3],
    ) -> Attempt<bool> {
        let mut recording = Recording::default();
        let buffers = patch_records::Buffers { patches: &self.staging, records, tags, status };
        let groups = params.words.div_ceil(THREADS);
        recording.run(&stages::PATCH_RECORDS, groups, params, &buffers);
        // Without read-back and timestamps, the host does not wait for the device.
        let profile = std::mem::replace(&mut runner.profile, false);
        let result = runner.run(device, recording, &[]).await;
        runner.profile = profile;
        match result {
            Err(Failure { error: Error::DeviceMemory { .. }, .. }) => {
                // What waits to be copied here is uploaded in another way.
                runner.copies.retain(|copy| copy.to.0 != *self.staging.buffer());
                Ok(false)
            }
            result => {
                result?;
                self.count += 1;
                self.due = self.due.wrapping_add(signatures(0..u64::from(groups)));
                Ok(true)
            }
        }
    }

    /// Frees the staging buffer. The status block with the signatures is freed too.
    pub(crate) fn release(&mut self) {
        self.staging.release();
        self.due = 0;
    }
}
