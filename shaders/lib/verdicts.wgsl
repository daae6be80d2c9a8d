// Loading candidates and reporting verdicts: shared by the stages that decide candidates and by the one that settles those left open.
// Works on the params and the bindings of these modules.
// import: lib/ledger, lib/bins

// The results of the workgroup: hits from the front, open candidates from the back.
var<workgroup> noted: array<vec2u, NARROW_CANDIDATES>;
var<workgroup> found: atomic<u32>;
var<workgroup> open: atomic<u32>;
var<workgroup> undecided: atomic<u32>;
// The number of hits in the row of the first hit. Often that is all of them, when one body meets many others: one atomic addition
// instead of many.
var<workgroup> first_row_hits: atomic<u32>;
// For each bin, the number of hits of this workgroup, and the position of the next one.
var<workgroup> bin_counts: array<atomic<u32>, BINS>;
var<workgroup> bin_next: array<atomic<u32>, BINS>;
var<workgroup> bucket_candidates: u32;

// The candidate of one thread.
struct Pair {
    exists: bool,
    // The index among all candidates, and the candidate itself.
    place: u32,
    candidate: vec2u,
    slot_a: u32,
    slot_b: u32,
    // The first element of both shapes: centre or lower corner, and id.
    a: vec4u,
    b: vec4u,
    b_searches: bool,
}

// Clears the counters in workgroup memory; a barrier must follow.
fn clear_counts(lane: u32) {
    if lane < BINS {
        atomicStore(&bin_counts[lane], 0u);
    }
    if lane == 0u {
        atomicStore(&found, 0u);
        atomicStore(&open, 0u);
        atomicStore(&undecided, 0u);
        atomicStore(&first_row_hits, 0u);
    }
}

// The number of candidates in the bucket, the same for all threads. Every kernel begins with this call.
fn candidate_count(lane: u32) -> u32 {
    clear_counts(lane);
    if lane == 0u {
        bucket_candidates = min(atomicLoad(&status[STATUS_CANDIDATES + params.bucket]), params.room);
    }
    return workgroupUniformLoad(&bucket_candidates);
}

fn pair_of(number: u32, count: u32) -> Pair {
    var pair: Pair;
    pair.exists = number < count;
    if pair.exists {
        pair.place = params.first_candidate + number;
        pair.candidate = candidates[pair.place];
        pair.slot_a = pair.candidate.x;
        pair.slot_b = pair.candidate.y & ~SECOND_SEARCHES;
        pair.b_searches = pair.candidate.y >= SECOND_SEARCHES;
        pair.a = slot_shapes[2u * pair.slot_a];
        pair.b = slot_shapes[2u * pair.slot_b];
    }
    return pair;
}

// Records the verdict on a candidate.
fn note(pair: Pair, verdict: u32) {
    if !pair.exists {
        return;
    }
    if params.mode == REPORT_VERDICTS {
        hits[pair.place] = vec2u(verdict, 0u);
    } else if verdict != MISS {
        let a = pair.a.w & ~OUTSIDE_DOMAIN;
        let b = pair.b.w & ~OUTSIDE_DOMAIN;
        let swap = select(pair.b_searches, b < a, (params.flags & ORDERED) != 0u);
        let mark = select(0u, MARK_UNDECIDED, verdict == UNDECIDED) | select(0u, MARK_TOUCHING, verdict == TOUCH);
        let row = select(a, b, swap);
        noted[atomicAdd(&found, 1u)] = vec2u(row, select(b, a, swap) | mark);
        atomicAdd(&bin_counts[row >> params.bin_bits], 1u);
        if verdict == UNDECIDED {
            atomicAdd(&undecided, 1u);
        }
    }
}

// Records the verdict on a candidate whose bucket has a settle kernel: an undecided one is left open for that.
fn note_or_leave_open(pair: Pair, verdict: u32) {
    if pair.exists && verdict == UNDECIDED && params.mode == REPORT_HITS {
        noted[NARROW_CANDIDATES - 1u - atomicAdd(&open, 1u)] = pair.candidate;
    } else {
        note(pair, verdict);
    }
}

// The first candidate of a workgroup within the bucket.
fn first_of(group: u32) -> u32 {
    return group * (NARROW_CANDIDATES);
}

// Overwrites the front of the workgroup's candidates with those that it leaves open. No thread reads the old ones any more.
fn leave_open(group: u32, lane: u32) {
    workgroupBarrier();
    let first = first_of(group);
    let count = atomicLoad(&open);
    for (var k = lane; k < count; k += NARROW_THREADS) {
        candidates[params.first_candidate + first + k] = noted[NARROW_CANDIDATES - 1u - k];
    }
    if lane == 0u && params.mode == REPORT_HITS && count < NARROW_CANDIDATES && first + count < params.room {
        candidates[params.first_candidate + first + count] = vec2u(ABSENT);
    }
}

// Appends the workgroup's hits to their bins and counts them in their rows. All threads of the workgroup must call it.
fn report(lane: u32) {
    workgroupBarrier();
    let count = atomicLoad(&found);
    let first_row = noted[0].x;
    if lane < BINS {
        let of_bin = atomicLoad(&bin_counts[lane]);
        if of_bin != 0u {
            let first = atomicAdd(&status[STATUS_HITS + lane], of_bin);
            atomicStore(&bin_next[lane], first);
            if first + of_bin > bin_room(lane) {
                atomicMax(&status[STATUS_BINS_OVERFLOWED], 1u);
            }
        }
    }
    if lane == 0u {
        let unsure = atomicLoad(&undecided);
        if unsure != 0u {
            atomicAdd(&status[STATUS_UNDECIDED], unsure);
        }
    }
    workgroupBarrier();
    for (var k = lane; k < count; k += NARROW_THREADS) {
        let hit = noted[k];
        let bin = hit.x >> params.bin_bits;
        let at = atomicAdd(&bin_next[bin], 1u);
        if at < bin_room(bin) {
            hits[bin_start(bin) + at] = hit;
        }
        if hit.x == first_row {
            atomicAdd(&first_row_hits, 1u);
        } else {
            atomicAdd(&rows[hit.x + 1u], 1u);
        }
    }
    workgroupBarrier();
    if lane == 0u && count != 0u {
        atomicAdd(&rows[first_row + 1u], atomicLoad(&first_row_hits));
    }
}

// Clears the counters between two calls of `report`.
fn reset_counts(lane: u32) {
    workgroupBarrier();
    clear_counts(lane);
    workgroupBarrier();
}

// Signs in the ledger that a workgroup of the narrow phase has decided its candidates or left them open.
fn sign_decided(stage: u32, group: u32, count: u32, lane: u32) {
    let first = first_of(group);
    if lane == 0u && first < params.room {
        let left = atomicLoad(&open);
        if left != 0u {
            atomicAdd(&status[STATUS_LEFT_OPEN], left);
        }
        // The number of candidates is part of the signature.
        atomicAdd(&status[stage], signature(group) + min(max(count, first) - first, NARROW_CANDIDATES));
    }
}
