// Decides the candidates of one bucket of which one is a hull: whether they meet, or are nearer than a margin. What is not certain is for the host.
// import: lib/verdicts, lib/open_parts, lib/hulls

// The lower kind of the bucket: the other one is that of hulls.
fn other_kind() -> u32 {
    var kind = 0u;
    for (var k = 0u; k < KINDS; k++) {
        if bucket_of(k, KIND_CONVEX_HULL) == params.bucket {
            kind = k;
        }
    }
    return kind;
}

fn verdict_on(pair: Pair, kind: u32, precisely: bool) -> u32 {
    if ((pair.a.w | pair.b.w) & OUTSIDE_DOMAIN) != 0u {
        return UNDECIDED;
    }
    set_hull_part(0u, kind, pair.a, slot_shapes[2u * pair.slot_a + 1u], !pair.b_searches);
    set_hull_part(1u, KIND_CONVEX_HULL, pair.b, slot_shapes[2u * pair.slot_b + 1u], pair.b_searches);
    return hull_verdict(slot_rotations[pair.slot_a], slot_rotations[pair.slot_b], params.margin, precisely);
}

// Decides what single words can, with less memory a thread, and leaves the rest open.
@compute @workgroup_size(NARROW_THREADS)
fn hull_pairs(
    @builtin(workgroup_id) id: vec3u,
    @builtin(num_workgroups) groups: vec3u,
    @builtin(local_invocation_index) lane: u32,
) {
    let count = candidate_count(lane);
    let group = group_number(id, groups);
    let first = first_of(group) + lane;
    let kind = other_kind();
    for (var k = 0u; k < NARROW_EACH; k++) {
        let pair = pair_of(first + k * NARROW_THREADS, count);
        var verdict = UNDECIDED;
        if pair.exists {
            verdict = verdict_on(pair, kind, false);
        }
        note_or_leave_open(pair, verdict);
    }
    leave_open(group, lane);
    report(lane);
    sign_decided(SIGN_HULL_PAIRS, group, count, lane);
}

// Decides the candidates that were left open or, of listed pairs, those that are undecided.
@compute @workgroup_size(NARROW_THREADS)
fn open_hull_pairs(
    @builtin(workgroup_id) id: vec3u,
    @builtin(num_workgroups) groups: vec3u,
    @builtin(local_invocation_index) lane: u32,
) {
    let group = group_number(id, groups);
    let kind = other_kind();
    let listed = params.mode == REPORT_VERDICTS;
    var parts = find_open_parts(group, lane);
    if listed {
        parts = (1u << SETTLE_PARTS) - 1u;
    }
    var settled = 0u;
    while parts != 0u {
        let part = group * SETTLE_PARTS + firstTrailingBit(parts);
        parts &= parts - 1u;
        let first = first_of(part);
        var count = min(max(bucket_candidates, first) - first, NARROW_CANDIDATES);
        if !listed {
            count = open_count(part, lane);
            settled += count;
        }
        for (var k = 0u; k < NARROW_EACH; k++) {
            var pair = pair_of(first + k * NARROW_THREADS + lane, first + count);
            if listed && pair.exists {
                pair.exists = hits[pair.place].x == UNDECIDED;
            }
            var verdict = UNDECIDED;
            if pair.exists {
                verdict = verdict_on(pair, kind, true);
            }
            note(pair, verdict);
        }
        report(lane);
        reset_counts(lane);
    }
    sign_settled(SIGN_OPEN_HULL_PAIRS, group, settled, lane);
}
