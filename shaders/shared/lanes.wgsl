// 32 threads that act as one: through workgroup memory, as every device can. `lanes_subgroups.wgsl` is the same for devices whose
// subgroups have 32 threads.

var<workgroup> votes: atomic<u32>;
var<workgroup> word_of_all: u32;

// A bit for every thread that says yes; the same for all threads. What any wrote to workgroup memory before, all see after.
fn ballot(lane: u32, yes: bool) -> u32 {
    if yes {
        atomicOr(&votes, 1u << lane);
    }
    workgroupBarrier();
    if lane == 0u {
        word_of_all = atomicExchange(&votes, 0u);
    }
    return workgroupUniformLoad(&word_of_all);
}

// The same where nothing is handed over through workgroup memory.
fn vote(lane: u32, yes: bool) -> u32 {
    return ballot(lane, yes);
}

// The word of the first thread.
fn of_first(lane: u32, word: u32) -> u32 {
    if lane == 0u {
        word_of_all = word;
    }
    return workgroupUniformLoad(&word_of_all);
}
