// 32 threads that act as one, which are a subgroup: see `lanes.wgsl`.

// Groups of 32 in a workgroup.
const WARPS = SUBGROUP_WARPS;

// Pairs that each group can hold back in workgroup memory: few, since workgroup memory limits how many workgroups run side by side.
const QUEUE_ROOM = 192u;

// Which group of 32 a thread belongs to.
fn warp_of(thread: u32) -> u32 {
    return thread / WIDTH;
}

// Nothing has to be cleared before the first vote.
fn clear_lanes(lane: u32) {
}

// A bit for every thread that says yes; the same for all threads.
fn vote(lane: u32, yes: bool) -> u32 {
    return subgroupBallot(yes).x;
}

// The bits that any thread has; the same for all threads.
fn or_over_warp(lane: u32, bits: u32) -> u32 {
    return subgroupOr(bits);
}

// The word of the first thread.
fn broadcast_first(lane: u32, word: u32) -> u32 {
    return subgroupBroadcastFirst(word);
}

// What any of the 32 wrote to workgroup memory before, all see after.
fn warp_barrier() {
    subgroupBarrier();
}
