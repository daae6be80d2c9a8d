//! From candidates to verdicts.

use crate::gpu::bins::Bins;
use crate::gpu::buffer::GrowBuffer;
use crate::gpu::params::{BUCKETS, CANDIDATES, NONE, PARTS, Params};
use crate::gpu::runner::Recording;
use crate::gpu::stages::{self, Stage};
use crate::gpu::workspace::{Memory, Narrow};

impl Memory {
    pub(crate) fn bucket_params(&self) -> Params {
        let Bins { bits: bin_bits, room: bin_size, .. } = self.learned.bins;
        let bin_first = self.learned.bins.first();
        let mut params = Params { bin_bits, bin_first, bin_size, only_bucket: NONE, ..Params::default() };
        let mut first = 0;
        for k in 0..BUCKETS {
            (params.bucket_first[k], params.bucket_size[k]) = (first, self.learned.candidates[k]);
            first += self.learned.candidates[k];
        }
        params
    }

    /// Puts the candidates of each bucket through the narrow phase; in mode 1 their verdicts stay in their order.
    pub(crate) fn decide<'a>(&'a self, recording: &mut Recording<'a>, narrow: Narrow, mode: u32) {
        let buffers =
            [&self.places, &self.turns, &self.candidates, &self.hits, self.rows_or_nothing(mode), &self.status]
                .map(GrowBuffer::buffer);
        for bucket in 0..BUCKETS {
            let stage: &'static Stage =
                if narrow == Narrow::Accept { &stages::ACCEPT } else { stages::NARROW_STAGES[bucket] };
            let (step, groups) = ([bucket as u32, mode, 0, 0], self.learned.candidates[bucket].div_ceil(CANDIDATES));
            recording.run(stage, step, groups, &buffers);
            if groups > 0 {
                recording.ledger.expect_verdicts(stage, bucket, self.learned.candidates[bucket]);
            }
            if let (Narrow::Filter, 0, Some(stage)) = (narrow, mode, stages::SETTLE_STAGES[bucket]) {
                recording.run(stage, step, groups.div_ceil(PARTS), &buffers);
            }
        }
    }

    pub(crate) fn rows_or_nothing(&self, mode: u32) -> &GrowBuffer {
        if mode == 0 { &self.rows } else { &self.nothing[1] }
    }
}
