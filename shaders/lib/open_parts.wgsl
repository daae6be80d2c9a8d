// The candidates that the narrow phase left open, for the stages that process them.
// import: lib/verdicts

// A bit for each workgroup of the narrow phase that left candidates open; NARROW_CANDIDATES minus the end of these, so that the
// maximum is the earliest end.
var<workgroup> open_parts: atomic<u32>;
var<workgroup> end_of_open: atomic<u32>;
var<workgroup> same_for_all: u32;

// The workgroups of the narrow phase that left candidates open, as a bit mask: the same for all threads.
fn find_open_parts(group: u32, lane: u32) -> u32 {
    if lane == 0u {
        atomicStore(&open_parts, 0u);
        atomicStore(&end_of_open, 0u);
    }
    let count = candidate_count(lane);
    let first = first_of(group * SETTLE_PARTS + lane);
    if lane < SETTLE_PARTS && first < count && candidates[params.first_candidate + first].x != ABSENT {
        atomicOr(&open_parts, 1u << lane);
    }
    workgroupBarrier();
    if lane == 0u {
        same_for_all = atomicLoad(&open_parts);
    }
    return workgroupUniformLoad(&same_for_all);
}

// The number of candidates that a workgroup of the narrow phase left open: the same for all threads.
fn open_count(part: u32, lane: u32) -> u32 {
    let first = first_of(part);
    let most = min(bucket_candidates - first, NARROW_CANDIDATES);
    for (var k = lane; k < most; k += NARROW_THREADS) {
        if candidates[params.first_candidate + first + k].x == ABSENT {
            atomicMax(&end_of_open, NARROW_CANDIDATES - k);
        }
    }
    workgroupBarrier();
    if lane == 0u {
        same_for_all = min(most, NARROW_CANDIDATES - atomicLoad(&end_of_open));
        atomicStore(&end_of_open, 0u);
    }
    return workgroupUniformLoad(&same_for_all);
}

// Signs in the ledger, and counts the open candidates that a workgroup has processed.
fn sign_settled(stage: u32, group: u32, settled: u32, lane: u32) {
    if lane == 0u && first_of(group * SETTLE_PARTS) < params.room {
        if settled != 0u {
            atomicAdd(&status[STATUS_SETTLED], settled);
        }
        sign_off(stage, group);
    }
}
