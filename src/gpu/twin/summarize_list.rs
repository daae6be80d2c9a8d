//! Says how a query has ended whose results are a list.

use crate::gpu::abi::summarize_list::{Params, View};
use crate::gpu::abi::{STATUS_BAD_BODY, STATUS_CARRY, STATUS_RAY_EXTRAS, STATUS_RAYS_UNFINISHED, STATUS_UNDECIDED};

/// The number of results, if all had room.
fn results(params: &Params, status: &[u32]) -> Option<u32> {
    let extras = status[STATUS_RAY_EXTRAS];
    let complete = status[STATUS_RAYS_UNFINISHED] == 0 && status[STATUS_CARRY] == 0 && extras <= params.extra_room;
    complete.then_some(params.results + params.has_extras * extras)
}

pub(crate) fn count_undecided(params: &Params, view: View<'_>) {
    let View { list, status, .. } = view;
    let results = results(params, status).unwrap_or_default() as usize;
    let words = list.chunks_exact(params.words as usize).take(results).map(|result| result[params.word as usize]);
    status[STATUS_UNDECIDED] += words.filter(|word| *word == params.open).count() as u32;
}

pub(crate) fn summarize_list(params: &Params, view: View<'_>) {
    let View { summary, status, .. } = view;
    let found = results(params, status);
    let results = found.unwrap_or_default();
    let groups = results.div_ceil(64);
    let rows = groups.div_ceil(65_535).max(1);
    summary[..8].copy_from_slice(&[
        groups.div_ceil(rows),
        if groups > 0 { rows } else { 0 },
        1,
        results,
        status[STATUS_UNDECIDED],
        found.is_some().into(),
        !status[STATUS_BAD_BODY],
        0,
    ]);
}
