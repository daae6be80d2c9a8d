// 32 threads that act as one: through workgroup memory, as every device can. `lanes_subgroups.wgsl` is the same for devices whose
// subgroups have 32 threads.

// Groups of 32 in a workgroup.
const WARPS = 1u;

// Pairs that each group can hold back in workgroup memory: up to 1024 are added before it is looked whether there are too many.
const QUEUE_ROOM = 1280u;

var<workgroup> votes: atomic<u32>;
var<workgroup> word_of_all: u32;

// Which group of 32 a thread belongs to: the same for all threads, as compilers must see where threads wait for each other.
fn warp_of(thread: u32) -> u32 {
    return 0u;
}

// Before the first vote, and `warp_barrier` after it.
fn clear_lanes(lane: u32) {
    if lane == 0u {
        atomicStore(&votes, 0u);
    }
}

// A bit for every thread that says yes; the same for all threads.
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

// The bits that any thread has; the same for all threads.
fn or_over_warp(lane: u32, bits: u32) -> u32 {
    atomicOr(&votes, bits);
    workgroupBarrier();
    if lane == 0u {
        word_of_all = atomicExchange(&votes, 0u);
    }
    return workgroupUniformLoad(&word_of_all);
}

// The word of the first thread.
fn broadcast_first(lane: u32, word: u32) -> u32 {
    if lane == 0u {
        word_of_all = word;
    }
    return workgroupUniformLoad(&word_of_all);
}

// What any of the 32 wrote to workgroup memory before, all see after.
fn warp_barrier() {
    workgroupBarrier();
}
