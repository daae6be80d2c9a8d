// 32 threads that act as one, which are a subgroup: see `lanes.wgsl`.

// Groups of 32 in a workgroup: several, since a processor holds only so many workgroups.
const TEAMS = 4u;

// Pairs that can wait to be written: few, since workgroup memory limits how many workgroups run side by side.
const ROOM = 192u;

// Which of them a thread belongs to.
fn team_of(thread: u32) -> u32 {
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
fn of_any(lane: u32, bits: u32) -> u32 {
    return subgroupOr(bits);
}

// The word of the first thread.
fn of_first(lane: u32, word: u32) -> u32 {
    return subgroupBroadcastFirst(word);
}

// The bounds of another thread's body of a cluster, of which this thread has `mine`.
fn of_lane(cluster: u32, mine: Box, lane: u32) -> Box {
    return Box(vec4u(subgroupShuffle(mine.low.xyz, lane), 0u), vec4u(subgroupShuffle(mine.high.xyz, lane), 0u));
}

// What any of the 32 wrote to workgroup memory before, all see after.
fn hand_over() {
    subgroupBarrier();
}

// Adds the pairs first + k * stride, for all bits k that are set, to those that wait, or writes all. How many wait then.
fn let_wait(own: Own, first: u32, stride: u32, bits: u32, already: u32) -> u32 {
    var found = bits;
    var waits = already;
    // One of each thread at a time.
    var some = vote(own.lane, found != 0u);
    while some != 0u {
        if found != 0u {
            let before = countOneBits(some & ((1u << own.lane) - 1u));
            let k = firstLeadingBit(found);
            found ^= 1u << k;
            waiting[own.team * ROOM + waits + before] = first + k * stride;
        }
        waits += countOneBits(some);
        if waits > ROOM - WIDTH {
            write_waiting(own, waits);
            waits = 0u;
        }
        some = vote(own.lane, found != 0u);
    }
    return waits;
}
