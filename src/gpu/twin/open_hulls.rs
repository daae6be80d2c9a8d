//! Decides candidates with hulls that were left open.

use super::hulls::{record, verdict_on};
use super::narrow::range;
use super::settle::left_open;
use crate::gpu::abi::open_hulls::{Params, View};
use crate::gpu::abi::{REPORT_VERDICTS, STATUS_SETTLED, UNDECIDED};

pub(crate) fn open_hull_pairs(params: &Params, mut view: View<'_>) {
    let open: Vec<usize> = if params.mode == REPORT_VERDICTS {
        let all = range(&params.as_narrow(), view.status);
        all.filter(|at| view.hits[*at][0] == UNDECIDED).collect()
    } else {
        let open = left_open(&params.as_narrow(), view.candidates, view.status);
        view.status[STATUS_SETTLED] += open.len() as u32;
        open
    };
    for at in open {
        let verdict = verdict_on(params, &view, at, true);
        record(params, &mut view, at, verdict);
    }
}
