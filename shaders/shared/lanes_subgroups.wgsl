// 32 threads that act as one, which are a subgroup: see `lanes.wgsl`.

// A bit for every thread that says yes; the same for all threads. What any wrote to workgroup memory before, all see after.
fn ballot(lane: u32, yes: bool) -> u32 {
    workgroupBarrier();
    return subgroupBallot(yes).x;
}

// The same where nothing is handed over through workgroup memory.
fn vote(lane: u32, yes: bool) -> u32 {
    return subgroupBallot(yes).x;
}

// The word of the first thread.
fn of_first(lane: u32, word: u32) -> u32 {
    return subgroupBroadcastFirst(word);
}
