// Sorts the pairs that the caller lists into buckets, and returns their verdicts in the order of the list.
// import: lib/ledger, lib/buckets

// Whether the caller's shaders have given the body of this tag invalid numbers.
fn was_refused(tag: u32) -> bool {
    return (tag & (TAG_WANTED | TAG_ENABLED)) == TAG_WANTED;
}

var<workgroup> counts: array<atomic<u32>, BUCKETS>;
var<workgroup> first: array<u32, BUCKETS>;
var<workgroup> answered: atomic<u32>;

@compute @workgroup_size(THREADS)
fn bucket_pairs(
    @builtin(workgroup_id) group: vec3u,
    @builtin(num_workgroups) groups: vec3u,
    @builtin(local_invocation_index) thread: u32,
) {
    let number = group_number(group, groups);
    let k = number * THREADS + thread;
    if thread < BUCKETS {
        atomicStore(&counts[thread], 0u);
    }
    workgroupBarrier();
    var bucket = 0u;
    var place = 0u;
    var pair = vec2u(0u);
    var is_refused = false;
    if k < params.pairs {
        pair = asked[k] + vec2u(params.first_slot);
        let tag = slot_bounds[2u * pair.x + 1u].w;
        let other_tag = slot_bounds[2u * pair.y + 1u].w;
        let kind = tag & TAG_KIND;
        let other = other_tag & TAG_KIND;
        is_refused = was_refused(tag) || was_refused(other_tag);
        bucket = bucket_of(kind, other);
        if other < kind {
            pair = pair.yx;
        }
        if is_refused {
            answers[k] = REFUSED;
            atomicAdd(&status[STATUS_ANSWERED], 1u);
        } else {
            place = atomicAdd(&counts[bucket], 1u);
        }
    }
    workgroupBarrier();
    if thread < BUCKETS {
        first[thread] = atomicAdd(&status[STATUS_CANDIDATES + thread], atomicLoad(&counts[thread]));
    }
    workgroupBarrier();
    if k < params.pairs {
        place += first[bucket];
        if !is_refused && place < bucket_room(bucket) {
            candidates[bucket_start(bucket) + place] = pair;
            origins[bucket_start(bucket) + place] = k;
        }
        if thread == 0u {
            sign_off(SIGN_BUCKET_PAIRS, number);
        }
    }
}

fn answer_of(verdict: u32) -> u32 {
    if params.for_shaders == 0u {
        return verdict;
    }
    var answer = ANSWER_OPEN;
    answer = select(answer, ANSWER_SEPARATE, verdict == MISS);
    answer = select(answer, ANSWER_TOUCHING, verdict == TOUCH);
    return select(answer, ANSWER_OVERLAPPING, verdict == HIT);
}

// Returns the verdicts in the order of the list: one thread for each position of the buckets, used or not.
@compute @workgroup_size(THREADS)
fn return_verdicts(
    @builtin(workgroup_id) group: vec3u,
    @builtin(num_workgroups) groups: vec3u,
    @builtin(local_invocation_index) thread: u32,
) {
    let number = group_number(group, groups);
    let at = number * THREADS + thread;
    if thread == 0u {
        atomicStore(&answered, 0u);
    }
    workgroupBarrier();
    for (var bucket = 0u; bucket < BUCKETS; bucket++) {
        let start = bucket_start(bucket);
        if at >= start && at - start < min(atomicLoad(&status[STATUS_CANDIDATES + bucket]), bucket_room(bucket)) {
            answers[origins[at]] = answer_of(verdicts[at].x);
            atomicAdd(&answered, 1u);
        }
    }
    workgroupBarrier();
    if thread == 0u && at < bucket_start(BUCKETS - 1u) + bucket_room(BUCKETS - 1u) {
        atomicAdd(&status[STATUS_ANSWERED], atomicLoad(&answered));
        sign_off(SIGN_RETURN_VERDICTS, number);
    }
}
