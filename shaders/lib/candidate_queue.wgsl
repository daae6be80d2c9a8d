// The queue of a search: candidate pairs that a warp has found and not yet written to their buckets. A part of `find_pairs.wgsl`,
// on whose params and bindings it works; `enqueue.wgsl` adds pairs to it.
// import: lib/lanes, lib/buckets

// The queued pairs of each warp: (slot of the searched body) * 32 + lane of the searching body.
var<workgroup> queue: array<u32, QUEUE_ROOM * WARPS>;
// For each warp and bucket: the number of queued pairs, and the position claimed for the first of them.
var<workgroup> bucket_counts: array<atomic<u32>, BUCKET_STRIDE * WARPS>;
var<workgroup> claimed_first: array<u32, BUCKET_STRIDE * WARPS>;

// Words per warp: one for each bucket, rounded up to whole vectors.
const BUCKET_STRIDE = 4u * ((BUCKETS + 3u) / 4u);

// The searching cluster: the bounds of this lane's body (`low`, `high`), and those of the cluster (`box_low`, `box_high`).
struct Searcher {
    cluster: u32,
    warp: u32,
    lane: u32,
    low: vec4u,
    high: vec4u,
    box_low: vec4u,
    box_high: vec4u,
}

// Clears the counts of a warp. Must come before the first pair, with a `warp_barrier` in between.
fn clear_buckets(warp: u32, lane: u32) {
    if lane < BUCKET_STRIDE {
        atomicStore(&bucket_counts[BUCKET_STRIDE * warp + lane], 0u);
    }
}

// Reserves `count` positions in a bucket, and returns the first of them.
fn claim(bucket: u32, count: u32) -> u32 {
    let first = atomicAdd(&status[STATUS_CANDIDATES + bucket], count);
    if first + count < first {
        atomicAdd(&status[STATUS_CARRY], 1u);
    }
    return first;
}

// The kind of the body in a slot.
fn kind_of(slot: u32) -> u32 {
    return slot_bounds[2u * slot + 1u].w & TAG_KIND;
}

// Writes a pair to its bucket if that has room. If there is only one bucket, the position is `only_place`.
fn write_pair(own: Searcher, entry: u32, only_place: u32) {
    let own_slot = own.cluster * WIDTH + entry % WIDTH;
    let other_slot = entry / WIDTH;
    var bucket = params.only_bucket;
    var place = only_place;
    var pair = vec2u(own_slot, other_slot);
    if params.only_bucket == ABSENT {
        let kinds = BUCKET_STRIDE * own.warp;
        let own_kind = kind_of(own_slot);
        let other_kind = kind_of(other_slot);
        bucket = bucket_of(own_kind, other_kind);
        place = claimed_first[kinds + bucket] + atomicAdd(&bucket_counts[kinds + bucket], 1u);
        if other_kind < own_kind {
            pair = vec2u(other_slot, own_slot | SECOND_SEARCHES);
        }
    }
    if place < bucket_room(bucket) {
        candidates[bucket_start(bucket) + place] = pair;
    }
}

// Writes the queued pairs to their buckets. Pairs that find no room are counted nevertheless.
fn flush_queue(own: Searcher, count: u32) {
    warp_barrier();
    let kinds = BUCKET_STRIDE * own.warp;
    let several = params.only_bucket == ABSENT;
    var only_first = 0u;
    if several {
        for (var first = 0u; first < count; first += WIDTH) {
            if first + own.lane < count {
                let entry = queue[own.warp * QUEUE_ROOM + first + own.lane];
                let own_kind = kind_of(own.cluster * WIDTH + entry % WIDTH);
                atomicAdd(&bucket_counts[kinds + bucket_of(own_kind, kind_of(entry / WIDTH))], 1u);
            }
        }
        warp_barrier();
        if own.lane < BUCKETS {
            let of_kind = atomicExchange(&bucket_counts[kinds + own.lane], 0u);
            if of_kind > 0u {
                claimed_first[kinds + own.lane] = claim(own.lane, of_kind);
            }
        }
        warp_barrier();
    } else {
        if own.lane == 0u {
            only_first = claim(params.only_bucket, count);
        }
        only_first = broadcast_first(own.lane, only_first);
    }
    for (var first = 0u; first < count; first += WIDTH) {
        if first + own.lane < count {
            write_pair(own, queue[own.warp * QUEUE_ROOM + first + own.lane], only_first + first + own.lane);
        }
    }
    warp_barrier();
    if several {
        if own.lane < BUCKETS {
            atomicStore(&bucket_counts[kinds + own.lane], 0u);
        }
        warp_barrier();
    }
}
