//! Small changes in many places: written to the device in one piece, and put where they belong by a kernel.

use std::ops::Range;

use crate::Error;
use crate::gpu::abi::{THREADS, patch_records};
use crate::gpu::buffer::{GrowBuffer, SizedBy};
use crate::gpu::device::Device;
use crate::gpu::failure::{Attempt, Failure};
use crate::gpu::ledger::signatures;
use crate::gpu::runner::{Recording, Runner};
use crate::gpu::stages;

/// Up to so many ranges are written one by one.
const FEW_RANGES: usize = 16;
/// Where this part of a set has changed, ranges are written as they are.
const PART: usize = 4;
/// It takes at most this part of what is left of the device's budget, so that the query itself has room.
const SHARE: u64 = 8;

/// The buffer for such changes. It only saves time: where there is no memory for it, ranges are written one by one.
pub(crate) struct Patch {
    staging: GrowBuffer,
    /// Patches so far.
    pub count: u64,
    /// What the kernel should have signed for, in all of them.
    pub due: u32,
}

impl Patch {
    pub(crate) fn new() -> Self {
        Self { staging: GrowBuffer::storage("patch", SizedBy::Input), count: 0, due: 0 }
    }

    /// Whether these ranges of a set of `n` bodies are best patched.
    pub(crate) fn suits(ranges: &[Range<usize>], n: usize) -> bool {
        ranges.len() > FEW_RANGES && ranges.iter().map(ExactSizeIterator::len).sum::<usize>() < n / PART
    }

    /// Writes the last `size` words of each of these to the records, unless memory is scarce; whether it did. The first word is the id
    /// of the body; if there is a second one before the record, it goes to the body's word of tags.
    pub(crate) async fn apply<const WORDS: usize>(
        &mut self,
        device: &Device,
        runner: &mut Runner,
        patches: &[[u32; WORDS]],
        size: usize,
        [records, tags, status]: [&GrowBuffer; 3],
    ) -> Attempt<bool> {
        let bytes: &[u8] = bytemuck::cast_slice(patches.as_flattened());
        let length = bytes.len() as u64;
        let scarce = !self.staging.holds(length) && length > device.budget_left() / SHARE;
        if scarce || self.staging.reserve(device, length).await.is_err() {
            self.staging.release();
            return Ok(false);
        }
        device.queue.write_buffer(self.staging.buffer(), 0, bytes);
        let words = (WORDS * patches.len()) as u32;
        let mut recording = Recording::default();
        let (record_words, heading_words) = (size as u32, (WORDS - size) as u32);
        let params = patch_records::Params { words, record_words, heading_words };
        let buffers = patch_records::Buffers { patches: &self.staging, records, tags, status };
        let groups = words.div_ceil(THREADS);
        recording.run(&stages::PATCH_RECORDS, groups, &params, &buffers);
        // Nothing is read, no times either, so that nothing is waited for.
        let profile = std::mem::replace(&mut runner.profile, false);
        let result = runner.run(device, recording, &[]).await;
        runner.profile = profile;
        match result {
            Err(Failure { error: Error::DeviceMemory { .. }, .. }) => Ok(false),
            result => {
                result?;
                self.count += 1;
                self.due = self.due.wrapping_add(signatures(0..u64::from(groups)));
                Ok(true)
            }
        }
    }

    /// Gives the memory back, together with the status block.
    pub(crate) fn release(&mut self) {
        self.staging.release();
        self.due = 0;
    }
}
