//! Comparison of the broad phase, of listed pairs, and of culling.

use super::Compared;
use crate::gpu::abi::{
    BUCKETS, KINDS, ORDERED, SECOND_SEARCHES, SIDE_OPEN, STATUS_CANDIDATES, STATUS_UNFINISHED, bucket_of, bucket_pairs,
    cull, find_pairs,
};

pub(super) fn find_pairs(params: &find_pairs::Params, compared: Compared<'_, find_pairs::Kernels>) {
    let Compared { after, twin, .. } = compared;
    // The kernel of a search that was cut short has found fewer pairs than its twin; `resume_search` finds the rest.
    if after.status[STATUS_UNFINISHED] != twin.status[STATUS_UNFINISHED] {
        return;
    }
    let ordered = params.flags & ORDERED != 0;
    let places = |bucket: usize| (params.bucket_first[bucket], params.bucket_size[bucket]);
    same_candidates(ordered, places, [after.status, twin.status], [after.candidates, twin.candidates], None);
}

pub(super) fn bucket_pairs(params: &bucket_pairs::Params, compared: Compared<'_, bucket_pairs::Kernels>) {
    let Compared { after, twin, .. } = compared;
    let places = |bucket: usize| (params.bucket_first[bucket], params.bucket_size[bucket]);
    let origins = Some([&*after.origins, &*twin.origins]);
    same_candidates(false, places, [after.status, twin.status], [after.candidates, twin.candidates], origins);
}

/// Each bucket has the same candidates, in any order.
fn same_candidates(
    ordered: bool,
    places: impl Fn(usize) -> (u32, u32),
    status: [&[u32]; 2],
    candidates: [&[[u32; 2]]; 2],
    origins: Option<[&[u32]; 2]>,
) {
    assert_eq!(status[0], status[1], "the counts of candidates");
    for bucket in 0..BUCKETS {
        let (first, size) = places(bucket);
        let count = status[0][STATUS_CANDIDATES + bucket];
        if count > size {
            continue;
        }
        let one_kind = (0..KINDS as u32).any(|kind| bucket_of(kind, kind) as usize == bucket);
        let sorted = |side: usize| {
            let entry = |k: usize| {
                let origin = origins.map_or(0, |origins| origins[side][k]);
                let [a, b] = candidates[side][k];
                // Within one set, either body may be the searching one.
                match ordered {
                    true if one_kind => (a.min(b), a.max(b), origin),
                    true => (a, b & !SECOND_SEARCHES, origin),
                    false => (a, b, origin),
                }
            };
            let mut found: Vec<_> = (first as usize..(first + count) as usize).map(entry).collect();
            found.sort_unstable();
            found
        };
        assert_eq!(sorted(0), sorted(1), "the candidates of bucket {bucket}");
    }
}

/// The sides agree where both are certain.
pub(super) fn cull(params: &cull::Params, compared: Compared<'_, cull::Kernels>) {
    let Compared { after, twin, .. } = compared;
    for i in 0..params.bodies as usize {
        let (a, b) = (after.sides[i], twin.sides[i]);
        assert!(a == b || a == SIDE_OPEN || b == SIDE_OPEN, "body {i}: side {a}, not {b}");
    }
}
