// Warps: groups of 32 threads that cooperate, here through workgroup memory, as every device can. `lanes_subgroups.wgsl` replaces
// this on devices with subgroups of 32 threads.

// Warps of a workgroup.
const WARPS = 1u;

// Pairs that the queue of a warp holds in workgroup memory: up to 1024 are added before the queue's length is checked.
const QUEUE_ROOM = 1280u;

var<workgroup> votes: atomic<u32>;
var<workgroup> word_of_all: u32;

// The warp of a thread: a constant, because compilers must see that barriers are in uniform control flow.
fn warp_of(thread: u32) -> u32 {
    return 0u;
}

// Clears the memory of votes. Must come before the first vote, with a `warp_barrier` in between.
fn clear_lanes(lane: u32) {
    if lane == 0u {
        atomicStore(&votes, 0u);
    }
}

// A ballot: a bit for every lane whose `yes` is true. The result is the same for all lanes.
fn vote(lane: u32, yes: bool) -> u32 {
    if yes {
        atomicOr(&votes, 1u << lane);
    }
    workgroupBarrier();
    if lane == 0u {
        word_of_all = atomicExchange(&votes, 0u);
    }
    return workgroupUniformLoad(&word_of_all);
}

// The bitwise or over the warp. The result is the same for all lanes.
fn or_over_warp(lane: u32, bits: u32) -> u32 {
    atomicOr(&votes, bits);
    workgroupBarrier();
    if lane == 0u {
        word_of_all = atomicExchange(&votes, 0u);
    }
    return workgroupUniformLoad(&word_of_all);
}

// The word of the first lane.
fn broadcast_first(lane: u32, word: u32) -> u32 {
    if lane == 0u {
        word_of_all = word;
    }
    return workgroupUniformLoad(&word_of_all);
}

// A barrier for the warp: workgroup memory written by any lane before it is visible to all lanes after it.
fn warp_barrier() {
    workgroupBarrier();
}
