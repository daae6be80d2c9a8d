// How pairs come into the queue of a search: through a counter in workgroup memory, as every device can. `enqueue_subgroups.wgsl` is the
// same for devices whose subgroups have 32 threads.
// import: lib/lanes, phases/candidate_queue

var<workgroup> waiting_count: atomic<u32>;

// Before the first pair, and `hand_over` after it.
fn clear_queue(lane: u32) {
    if lane == 0u {
        atomicStore(&waiting_count, 0u);
    }
}

// Adds the pairs first + k * stride, for all bits k that are set, to those that wait, and writes all if there are many. How many wait
// then.
fn let_wait(own: Own, first: u32, stride: u32, bits: u32, already: u32) -> u32 {
    var found = bits;
    if found != 0u {
        var at = atomicAdd(&waiting_count, countOneBits(found));
        while found != 0u {
            let k = firstLeadingBit(found);
            found ^= 1u << k;
            waiting[at] = first + k * stride;
            at += 1u;
        }
    }
    workgroupBarrier();
    let waits = of_first(own.lane, atomicLoad(&waiting_count));
    if waits <= ROOM - 1024u {
        return waits;
    }
    write_waiting(own, waits);
    if own.lane == 0u {
        atomicStore(&waiting_count, 0u);
    }
    workgroupBarrier();
    return 0u;
}
