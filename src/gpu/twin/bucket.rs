//! Pairs that were asked for, to buckets and back.

use crate::gpu::params::{BUCKETS, Params, STATUS_ANSWERED, STATUS_CANDIDATES, Step, bucket_of};

pub(crate) fn bucket(params: &Params, _: Step, buffers: &mut [Vec<u32>]) {
    let [asked, boxes, candidates, origins, _, _, status] = buffers else { return };
    for k in 0..params.keys as usize {
        let (a, b) = (params.first_slot + asked[2 * k], params.first_slot + asked[2 * k + 1]);
        let kind = |slot: u32| boxes[8 * slot as usize + 7] & 3;
        let bucket = bucket_of(kind(a), kind(b)) as usize;
        let place = status[STATUS_CANDIDATES + bucket];
        status[STATUS_CANDIDATES + bucket] += 1;
        if place < params.bucket_size[bucket] {
            let at = (params.bucket_first[bucket] + place) as usize;
            let pair = if kind(b) < kind(a) { [b, a] } else { [a, b] };
            candidates[2 * at..2 * at + 2].copy_from_slice(&pair);
            origins[at] = k as u32;
        }
    }
}

pub(crate) fn unbucket(params: &Params, _: Step, buffers: &mut [Vec<u32>]) {
    let [_, _, _, origins, verdicts, answers, status] = buffers else { return };
    for bucket in 0..BUCKETS {
        for place in 0..status[STATUS_CANDIDATES + bucket].min(params.bucket_size[bucket]) {
            let at = (params.bucket_first[bucket] + place) as usize;
            answers[origins[at] as usize] = verdicts[2 * at];
            status[STATUS_ANSWERED] += 1;
        }
    }
}
