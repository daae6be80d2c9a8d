//! Says how a search has ended.

use crate::gpu::abi::summarize::{Params, View};
use crate::gpu::abi::{
    BINS, BUCKETS, STATUS_BAD_BODY, STATUS_CANDIDATES, STATUS_CARRY, STATUS_HITS, STATUS_LONG_HITS, STATUS_LONG_ROWS,
    STATUS_UNDECIDED, STATUS_UNFINISHED,
};

pub(crate) fn summarize(params: &Params, view: View<'_>) {
    let View { summary, status } = view;
    let fits = |first: usize, rooms: &[u32]| status[first..].iter().zip(rooms).all(|(needed, room)| needed <= room);
    let pairs = status[STATUS_HITS..STATUS_HITS + BINS].iter().fold(0_u32, |sum, hits| sum.wrapping_add(*hits));
    let complete = status[STATUS_CARRY] == 0
        && fits(STATUS_CANDIDATES, &params.bucket_size[..BUCKETS])
        && fits(STATUS_HITS, &params.bin_size)
        && status[STATUS_LONG_ROWS] <= params.long_rows_room
        && status[STATUS_LONG_HITS] <= params.long_hits_room
        && status[STATUS_UNFINISHED] <= params.unfinished_room
        && pairs <= params.pairs_room;
    let pairs = if complete { pairs } else { 0 };
    let groups = pairs.div_ceil(64);
    let rows = groups.div_ceil(65_535).max(1);
    let undecided = if complete { status[STATUS_UNDECIDED] } else { 0 };
    summary[..8].copy_from_slice(&[
        groups.div_ceil(rows),
        if groups > 0 { rows } else { 0 },
        1,
        pairs,
        undecided,
        complete.into(),
        !status[STATUS_BAD_BODY],
        0,
    ]);
}
