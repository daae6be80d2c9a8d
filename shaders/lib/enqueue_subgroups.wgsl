// Adds pairs to the queue of a search by a subgroup: see `enqueue.wgsl`.
// import: lib/lanes, lib/candidate_queue

// The queue has no counter that would have to be cleared.
fn clear_queue(lane: u32) {
}

// Adds the pairs first + k * stride, for all set bits k, to the queue, and flushes it when it is nearly full. Returns the length
// of the queue.
fn enqueue(own: Searcher, first: u32, stride: u32, bits: u32, queued_before: u32) -> u32 {
    var found = bits;
    var queued = queued_before;
    // Each lane adds one pair per round.
    var some = vote(own.lane, found != 0u);
    while some != 0u {
        if found != 0u {
            let before = countOneBits(some & ((1u << own.lane) - 1u));
            let k = firstLeadingBit(found);
            found ^= 1u << k;
            queue[own.warp * QUEUE_ROOM + queued + before] = first + k * stride;
        }
        queued += countOneBits(some);
        if queued > QUEUE_ROOM - WIDTH {
            flush_queue(own, queued);
            queued = 0u;
        }
        some = vote(own.lane, found != 0u);
    }
    return queued;
}
