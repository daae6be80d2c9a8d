// Warps that are subgroups of 32 threads: see `lanes.wgsl`.

// Warps of a workgroup.
const WARPS = SUBGROUP_WARPS;

// Pairs that the queue of a warp holds in workgroup memory: few, since workgroup memory limits how many workgroups are resident.
const QUEUE_ROOM = 192u;

// The warp of a thread.
fn warp_of(thread: u32) -> u32 {
    return thread / WIDTH;
}

// Votes use no memory that would have to be cleared.
fn clear_lanes(lane: u32) {
}

// A ballot: a bit for every lane whose `yes` is true. The result is the same for all lanes.
fn vote(lane: u32, yes: bool) -> u32 {
    return subgroupBallot(yes).x;
}

// The bitwise or over the warp. The result is the same for all lanes.
fn or_over_warp(lane: u32, bits: u32) -> u32 {
    return subgroupOr(bits);
}

// The word of the first lane.
fn broadcast_first(lane: u32, word: u32) -> u32 {
    return subgroupBroadcastFirst(word);
}

// A barrier for the warp: workgroup memory written by any lane before it is visible to all lanes after it.
fn warp_barrier() {
    subgroupBarrier();
}
