//! Comparison of the scatter of hits, and of the list of undecided pairs.

use super::Compared;
use crate::gpu::abi::{STATUS_BINS_OVERFLOWED, STATUS_LISTED, list_undecided, scatter_hits};

/// The list has the same pairs, in any order.
pub(super) fn list_undecided(params: &list_undecided::Params, compared: Compared<'_, list_undecided::Kernels>) {
    let Compared { after, twin, .. } = compared;
    assert_eq!(after.status[STATUS_LISTED], twin.status[STATUS_LISTED], "list_undecided: how many there are");
    if twin.status[STATUS_LISTED] <= params.room {
        let sorted = |view: &list_undecided::View<'_>| {
            let mut list = view.undecided[..twin.status[STATUS_LISTED] as usize].to_vec();
            list.sort_unstable();
            list
        };
        assert_eq!(sorted(&after), sorted(&twin), "list_undecided");
    }
}

/// Every row has the same partners, in any order.
pub(super) fn scatter_hits(_: &scatter_hits::Params, compared: Compared<'_, scatter_hits::Kernels>) {
    let Compared { before, after, twin } = compared;
    assert_eq!(after.rows, twin.rows, "scatter_hits: where rows end");
    if after.status[STATUS_BINS_OVERFLOWED] != 0 {
        assert_eq!(after.partners, before.partners, "scatter_hits: partners, although there is no room");
        return;
    }
    let sorted = |view: &scatter_hits::View<'_>, row: usize| {
        let mut partners = view.partners[before.rows[row + 1] as usize..after.rows[row + 1] as usize].to_vec();
        partners.sort_unstable();
        partners
    };
    for row in 0..after.rows.len() - 1 {
        assert_eq!(sorted(&after, row), sorted(&twin, row), "scatter_hits: row {row}");
    }
}
