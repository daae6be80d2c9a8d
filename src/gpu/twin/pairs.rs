//! All pairs of slots whose boxes meet and whose traits agree, without a tree.

use super::bounds;
use crate::gpu::params::{
    BUCKETS, CHOOSY, MARK, NONE, ORDERED, Params, STATUS_CANDIDATES, Step, WIDTH, WORLDS, bucket_of,
};

pub(crate) fn pairs(params: &Params, _: Step, buffers: &mut [Vec<u32>]) {
    let [boxes, _, traits, exclusions, candidates, status] = buffers else { return };
    let mut found = [0; BUCKETS];
    for own in params.own_first * WIDTH..params.own_end * WIDTH {
        for other in 0..params.level_count[0] * WIDTH {
            if params.flags & ORDERED != 0 && other <= own || !meet(params, boxes, traits, exclusions, own, other) {
                continue;
            }
            let kind = |slot: u32| boxes[8 * slot as usize + 7] & 3;
            let bucket = bucket_of(kind(own), kind(other)) as usize;
            let pair = if kind(other) < kind(own) { [other, own | MARK] } else { [own, other] };
            if found[bucket] < params.bucket_size[bucket] {
                let at = 2 * (params.bucket_first[bucket] + found[bucket]) as usize;
                candidates[at..at + 2].copy_from_slice(&pair);
            }
            found[bucket] += 1;
        }
    }
    for (k, count) in found.into_iter().enumerate() {
        status[STATUS_CANDIDATES + k] += count;
    }
}

fn meet(params: &Params, boxes: &[u32], traits: &[u32], exclusions: &[u32], own: u32, other: u32) -> bool {
    let (a, b) = (own as usize, other as usize);
    let (id_a, id_b) = (boxes[8 * a + 3], boxes[8 * b + 3]);
    if id_a == NONE || id_b == NONE {
        return false;
    }
    let ((low_a, high_a), (low_b, high_b)) = (bounds(boxes, a), bounds(boxes, b));
    if !(0..3).all(|k| low_a[k] <= high_b[k] && low_b[k] <= high_a[k]) {
        return false;
    }
    if params.flags & (CHOOSY | WORLDS) != 0 {
        let (ta, tb) = (&traits[4 * a..4 * a + 4], &traits[4 * b..4 * b + 4]);
        let agree = ta[3] == tb[3]
            && ta[0] & tb[1] != 0
            && tb[0] & ta[1] != 0
            && (ta[2] == 0 || ta[2] != tb[2])
            && boxes[8 * a + 7] & boxes[8 * b + 7] & 8 == 0;
        if !agree {
            return false;
        }
    }
    let pair = [id_a.min(id_b), id_a.max(id_b)];
    !exclusions[..2 * params.exclusions as usize].chunks_exact(2).any(|excluded| excluded == pair)
}
