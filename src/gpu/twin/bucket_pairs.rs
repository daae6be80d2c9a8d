//! Sorts listed pairs into buckets, and returns their verdicts.

use super::kind_of_slot;
use crate::gpu::abi::bucket_pairs::{Params, View};
use crate::gpu::abi::{
    ANSWER_OPEN, ANSWER_OVERLAPPING, ANSWER_SEPARATE, ANSWER_TOUCHING, BUCKETS, HIT, MISS, REFUSED, STATUS_ANSWERED,
    STATUS_CANDIDATES, TAG_ENABLED, TAG_WANTED, TOUCH, bucket_of,
};

pub(crate) fn bucket_pairs(params: &Params, view: View<'_>) {
    let View { asked, slot_bounds, candidates, origins, answers, status, .. } = view;
    for (k, ids) in asked[..params.pairs as usize].iter().enumerate() {
        let [a, b] = ids.map(|id| params.first_slot + id);
        let was_refused = |slot: u32| {
            let tag = slot_bounds[2 * slot as usize + 1][3];
            tag & TAG_WANTED != 0 && tag & TAG_ENABLED == 0
        };
        if was_refused(a) || was_refused(b) {
            answers[k] = REFUSED;
            status[STATUS_ANSWERED] += 1;
            continue;
        }
        let kind = |slot: u32| kind_of_slot(slot_bounds, slot);
        let bucket = bucket_of(kind(a), kind(b)) as usize;
        let place = status[STATUS_CANDIDATES + bucket];
        status[STATUS_CANDIDATES + bucket] += 1;
        if place < params.bucket_size[bucket] {
            let at = (params.bucket_first[bucket] + place) as usize;
            candidates[at] = if kind(b) < kind(a) { [b, a] } else { [a, b] };
            origins[at] = k as u32;
        }
    }
}

pub(crate) fn return_verdicts(params: &Params, view: View<'_>) {
    let View { origins, verdicts, answers, status, .. } = view;
    for bucket in 0..BUCKETS {
        for place in 0..status[STATUS_CANDIDATES + bucket].min(params.bucket_size[bucket]) {
            let at = (params.bucket_first[bucket] + place) as usize;
            answers[origins[at] as usize] = match verdicts[at][0] {
                verdict if params.for_shaders == 0 => verdict,
                MISS => ANSWER_SEPARATE,
                TOUCH => ANSWER_TOUCHING,
                HIT => ANSWER_OVERLAPPING,
                _ => ANSWER_OPEN,
            };
            status[STATUS_ANSWERED] += 1;
        }
    }
}
