//! The narrow phase: from candidate pairs to verdicts.

use crate::gpu::abi::{
    BUCKET_WORDS, NARROW_CANDIDATES, ORDERED, REPORT_HITS, SETTLE_PARTS, moving, narrow, near, open_hulls,
};
use crate::gpu::bins::Bins;
use crate::gpu::buffer::GrowBuffer;
use crate::gpu::narrow::Narrow;
use crate::gpu::runner::Recording;
use crate::gpu::stages::{self, Stage};
use crate::gpu::workspace::Memory;

impl narrow::Params {
    /// The params of the stage that decides on hulls: the same.
    fn as_hulls(&self) -> open_hulls::Params {
        let Self { bin_first, bin_size, zero, flags, bucket, first_candidate, room, mode, bin_bits, margin } = *self;
        open_hulls::Params { bin_first, bin_size, zero, flags, bucket, first_candidate, room, mode, bin_bits, margin }
    }

    /// The params of the stages that decide by distances: the same.
    fn as_near(&self) -> near::Params {
        let Self { bin_first, bin_size, zero, flags, bucket, first_candidate, room, mode, bin_bits, margin } = *self;
        near::Params { bin_first, bin_size, zero, flags, bucket, first_candidate, room, mode, bin_bits, margin }
    }
}

impl near::Params {
    /// The params of the narrow phase that are the same.
    pub(crate) fn as_narrow(&self) -> narrow::Params {
        let Self { bin_first, bin_size, zero, flags, bucket, first_candidate, room, mode, bin_bits, margin } = *self;
        narrow::Params { bin_first, bin_size, zero, flags, bucket, first_candidate, room, mode, bin_bits, margin }
    }
}

impl open_hulls::Params {
    /// The params of the narrow phase: the same.
    pub(crate) fn as_narrow(&self) -> narrow::Params {
        let Self { bin_first, bin_size, zero, flags, bucket, first_candidate, room, mode, bin_bits, margin } = *self;
        narrow::Params { bin_first, bin_size, zero, flags, bucket, first_candidate, room, mode, bin_bits, margin }
    }
}

impl moving::Params {
    /// The params of the narrow phase that are the same.
    pub(crate) fn as_narrow(&self) -> narrow::Params {
        let Self { bin_first, bin_size, zero, flags, bucket, first_candidate, room, mode, bin_bits, .. } = *self;
        narrow::Params { bin_first, bin_size, zero, flags, bucket, first_candidate, room, mode, bin_bits, margin: 0.0 }
    }
}

/// Whether the bodies of a pair may be of two sets: within one set, and of listed pairs, no body is of another one.
fn is_between(flags: u32, mode: u32) -> bool {
    flags & ORDERED == 0 && mode == REPORT_HITS
}

impl Memory {
    /// The first candidate of each bucket, and the bucket's capacity.
    pub(crate) fn buckets(&self) -> [[u32; BUCKET_WORDS]; 2] {
        let (mut firsts, mut sizes, mut first) = ([0; BUCKET_WORDS], [0; BUCKET_WORDS], 0);
        for (k, room) in self.capacity.candidates.into_iter().enumerate() {
            (firsts[k], sizes[k]) = (first, room);
            first += room;
        }
        [firsts, sizes]
    }

    /// Records the narrow phase for each bucket, which reports in `mode`. The only flag that it uses is `ORDERED`.
    pub(crate) fn decide<'a>(&'a self, recording: &mut Recording<'a>, narrow: Narrow, flags: u32, mode: u32) {
        if narrow == Narrow::Moving {
            return self.decide_moving(recording, flags, mode);
        }
        let Bins { bits: bin_bits, room: bin_size, .. } = self.capacity.bins;
        let bin_first = self.capacity.bins.first();
        let filter = narrow::Buffers {
            slot_shapes: &self.slot_shapes,
            slot_rotations: &self.slot_rotations,
            candidates: &self.candidates,
            hits: &self.hits,
            rows: self.rows_or_unused(mode),
            status: &self.status,
        };
        let rooms = self.capacity.candidates.into_iter().zip(self.buckets()[0]).enumerate();
        for (bucket, (room, first_candidate)) in rooms.filter(|(_, (room, _))| *room > 0) {
            let params = narrow::Params {
                bin_first,
                bin_size,
                zero: 0,
                flags,
                bucket: bucket as u32,
                first_candidate,
                room,
                mode,
                bin_bits,
                margin: narrow.distance(),
            };
            let groups = room.div_ceil(NARROW_CANDIDATES);
            if stages::is_of_hulls(bucket) && narrow != Narrow::Accept {
                let (params, buffers) = (params.as_hulls(), self.hull_buffers(flags, mode));
                recording.run(&stages::HULL_PAIRS, groups, &params, &buffers);
                recording.ledger.expect_verdicts(&stages::HULL_PAIRS, bucket, room);
                recording.run(&stages::OPEN_HULL_PAIRS, groups.div_ceil(SETTLE_PARTS), &params, &buffers);
                continue;
            }
            let kernels = if narrow == Narrow::Accept {
                Some(&stages::ACCEPT)
            } else if narrow.is_by_distance() {
                stages::near_filter(bucket).filter(|_| !narrow.has_margins())
            } else {
                Some(&stages::PAIRS[bucket])
            };
            let filtered = kernels.and_then(|kernels| kernels.narrow);
            let decides: &Stage = if let Some(filtered) = filtered {
                recording.run(filtered, groups, &params, &filter);
                filtered
            } else {
                recording.run(&stages::NEAR_PAIRS, groups, &params.as_near(), &self.near_buffers(flags, mode));
                &stages::NEAR_PAIRS
            };
            recording.ledger.expect_verdicts(decides, bucket, room);
            let groups_of_open = groups.div_ceil(SETTLE_PARTS);
            if filtered.is_some() && narrow.is_by_distance() {
                recording.run(&stages::NEAR_OPEN, groups_of_open, &params.as_near(), &self.near_buffers(flags, mode));
            } else if let (REPORT_HITS, Some(settle)) = (mode, kernels.and_then(|kernels| kernels.settle)) {
                recording.run(settle, groups_of_open, &params, &filter);
            }
        }
    }

    /// What decides candidates of which one is a hull.
    fn hull_buffers(&self, flags: u32, mode: u32) -> open_hulls::Buffers<'_> {
        let between = is_between(flags, mode);
        open_hulls::Buffers {
            slot_shapes: &self.slot_shapes,
            slot_rotations: &self.slot_rotations,
            candidates: &self.candidates,
            hits: &self.hits,
            rows: self.rows_or_unused(mode),
            hulls_a: &self.sets[usize::from(between)].hulls,
            hulls_b: &self.sets[0].hulls,
            status: &self.status,
        }
    }

    /// What decides candidates by how far apart they are. The frames of bodies must have been made.
    fn near_buffers(&self, flags: u32, mode: u32) -> near::Buffers<'_> {
        let between = is_between(flags, mode);
        near::Buffers {
            slot_shapes: &self.slot_shapes,
            candidates: &self.candidates,
            hits: &self.hits,
            rows: self.rows_or_unused(mode),
            frames_a: &self.frames[usize::from(between)],
            frames_b: &self.frames[0],
            status: &self.status,
        }
    }

    /// The same for boxes in which bodies stay while they move. The frames of these bodies must have been made.
    fn decide_moving<'a>(&'a self, recording: &mut Recording<'a>, flags: u32, mode: u32) {
        let Bins { bits: bin_bits, room: bin_size, .. } = self.capacity.bins;
        let bin_first = self.capacity.bins.first();
        let between = flags & ORDERED == 0;
        let buffers = moving::Buffers {
            slot_shapes: &self.slot_shapes,
            candidates: &self.candidates,
            hits: &self.hits,
            rows: self.rows_or_unused(mode),
            frames_a: &self.frames[usize::from(between)],
            frames_b: &self.frames[0],
            status: &self.status,
        };
        let [courses_a, courses_b] = self.first_courses(between);
        // (Only boxes have candidates.)
        for (bucket, (room, first_candidate)) in self.capacity.candidates.into_iter().zip(self.buckets()[0]).enumerate()
        {
            let params = moving::Params {
                bin_first,
                bin_size,
                zero: 0,
                flags,
                bucket: bucket as u32,
                first_candidate,
                room,
                mode,
                bin_bits,
                courses_a,
                courses_b,
            };
            let groups = room.div_ceil(NARROW_CANDIDATES);
            recording.run(&stages::MOVING_PAIRS, groups, &params, &buffers);
            if groups > 0 {
                recording.ledger.expect_verdicts(&stages::MOVING_PAIRS, bucket, room);
            }
        }
    }

    fn rows_or_unused(&self, mode: u32) -> &GrowBuffer {
        if mode == REPORT_HITS { &self.rows } else { &self.unused[1] }
    }
}
