// Decides the candidates of one bucket of which one is a hull: whether they meet, or are nearer than a margin. What is not certain is for the host.
// import: lib/verdicts, lib/hulls

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

fn verdict_on(pair: Pair, kind: u32) -> u32 {
    if ((pair.a.w | pair.b.w) & OUTSIDE_DOMAIN) != 0u {
        return UNDECIDED;
    }
    set_hull_part(0u, kind, pair.a, slot_shapes[2u * pair.slot_a + 1u], !pair.b_searches);
    set_hull_part(1u, KIND_CONVEX_HULL, pair.b, slot_shapes[2u * pair.slot_b + 1u], pair.b_searches);
    return hull_verdict(slot_rotations[pair.slot_a], slot_rotations[pair.slot_b], params.margin);
}

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
            verdict = verdict_on(pair, kind);
        }
        note(pair, verdict);
    }
    report(lane);
    sign_decided(SIGN_HULL_PAIRS, group, count, lane);
}
