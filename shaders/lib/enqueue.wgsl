// Adds pairs to the queue of a search, with a counter in workgroup memory, as every device can. `enqueue_subgroups.wgsl` replaces
// this on devices with subgroups of 32 threads.
// import: lib/lanes, lib/candidate_queue

var<workgroup> queue_length: atomic<u32>;

// Clears the queue. Must come before the first pair, with a `warp_barrier` in between.
fn clear_queue(lane: u32) {
    if lane == 0u {
        atomicStore(&queue_length, 0u);
    }
}

// Adds the pairs first + k * stride, for all set bits k, to the queue, and flushes it when it is nearly full. Returns the length
// of the queue.
fn enqueue(own: Searcher, first: u32, stride: u32, bits: u32, queued_before: u32) -> u32 {
    var found = bits;
    if found != 0u {
        var at = atomicAdd(&queue_length, countOneBits(found));
        while found != 0u {
            let k = firstLeadingBit(found);
            found ^= 1u << k;
            queue[at] = first + k * stride;
            at += 1u;
        }
    }
    workgroupBarrier();
    let queued = broadcast_first(own.lane, atomicLoad(&queue_length));
    if queued <= QUEUE_ROOM - 1024u {
        return queued;
    }
    flush_queue(own, queued);
    if own.lane == 0u {
        atomicStore(&queue_length, 0u);
    }
    workgroupBarrier();
    return 0u;
}
