//! Bodies that only moved: their poses are uploaded, and a kernel writes them to the records.

use std::ops::Range;

use super::facts::{Facts, facts_of};
use super::{DeviceBodies, Making};
use crate::Bodies;
use crate::gpu::abi::patch_records;
use crate::gpu::buffer::GrowBuffer;
use crate::gpu::device::Device;
use crate::gpu::failure::Attempt;
use crate::gpu::runner::Runner;
use crate::parallel::{CHUNK, Pool};
use crate::shape::Pose;

/// Numbers of a pose, and its bytes.
const WORDS: usize = 7;
const BYTES: usize = 4 * WORDS;
/// Poses that are written in one go.
const BLOCK: usize = 64;
/// Fewer bodies than this are uploaded whole: a dispatch costs more than their extents.
pub(in crate::gpu) const LEAST: usize = 1024;

/// The range of bodies to whose poses changed ones are widened: one that is not much longer than they are together. Absent if there is
/// none, or if they are few.
pub(super) fn span(changed: &[Range<usize>]) -> Option<Range<usize>> {
    let (first, last) = (changed.first()?, changed.last()?);
    let span = first.start..last.end;
    let bodies: usize = changed.iter().map(ExactSizeIterator::len).sum();
    // A pose is 28 bytes, and a record 40: a span that is a quarter longer is less to upload all the same.
    (bodies >= LEAST && 4 * span.len() <= 5 * bodies).then_some(span)
}

/// The numbers of a body's pose. Those that its kind does not have are those of the identity, and the kernel skips them.
fn numbers(bodies: &Bodies, i: usize) -> [f32; WORDS] {
    let pose = bodies.kind(i).pose(&bodies.records()[i]).unwrap_or(Pose::IDENTITY);
    let ([x, y, z], [i, j, k, w]) = (pose.position().to_vec3().to_array(), pose.rotation_array());
    [x, y, z, i, j, k, w]
}

impl DeviceBodies {
    /// Uploads the poses of these bodies, if memory allows, and returns the facts about them. Their tags must be on the device already.
    pub(super) async fn place_poses(
        &mut self,
        device: &Device,
        runner: &mut Runner,
        pool: &Pool,
        (bodies, beside): (&Bodies, Option<&Making<'_>>),
        (span, status): (&Range<usize>, &GrowBuffer),
    ) -> Attempt<Option<Facts>> {
        self.flush_patches(device, runner, status).await?;
        let bytes = (BYTES * span.len()) as u64;
        let Some(buffer) = self.patch.room(device, bytes).await else { return Ok(None) };
        let buffer = buffer.clone();
        let chunk = |first: usize| (span.start + first)..(span.start + first + CHUNK).min(span.end);
        let staged = if bytes < self.large as u64 {
            None
        } else {
            let room = span.len().next_multiple_of(CHUNK);
            self.upload.view(device, runner, (BYTES * room) as u64).await?
        };
        let facts = if let Some(mut view) = staged {
            let pieces = view.slice(..).into_chunks::<{ BYTES * CHUNK }>().0;
            let chunks: Vec<_> = (0..span.len()).step_by(CHUNK).map(chunk).zip(pieces).collect();
            let facts = pool.map_at_once(chunks, |(chunk, piece)| {
                if let (Some(making), true) = (beside, chunk.start == span.start) {
                    making.made();
                }
                let blocks = wgpu::WriteOnly::<[u8]>::from(piece).into_chunks::<{ BYTES * BLOCK }>().0;
                for (block, first) in blocks.into_iter().zip(chunk.clone().step_by(BLOCK)) {
                    let pose = |k: usize| if first + k < chunk.end { numbers(bodies, first + k) } else { [0.0; WORDS] };
                    block.write(bytemuck::cast(std::array::from_fn::<_, BLOCK, _>(pose)));
                }
                facts_of(bodies, chunk)
            });
            drop(view);
            runner.clock.lap("fill");
            self.upload.copy(runner, [(0, &buffer, 0, bytes)]);
            facts
        } else {
            let poses = pool.collect(span.len(), |k| numbers(bodies, span.start + k));
            device.write(&buffer, 0, bytemuck::cast_slice(&poses)).await?;
            pool.map_chunks(span.len(), CHUNK, |range| facts_of(bodies, chunk(range.start)))
        };
        let params = patch_records::Params {
            words: (WORDS * span.len()) as u32,
            record_words: WORDS as u32,
            heading_words: 0,
            first: span.start as u32,
        };
        self.patch.scatter(params, false);
        self.uploaded += bytes;
        Ok(facts.into_iter().reduce(Facts::union))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_span_is_not_much_longer_than_what_has_changed() {
        let n = LEAST;
        assert_eq!(span(&[]), None);
        assert_eq!(span(&[3..n, n..n + 3]), Some(3..n + 3));
        assert_eq!(span(&[3..n, n..n + 2]), None);
        assert_eq!(span(&[0..n, n + 1..2 * n]), Some(0..2 * n));
        assert_eq!(span(&[0..n, 2 * n..3 * n]), None);
    }
}
