// Decides the candidates of one bucket, which are boxes in which bodies stay while they move: whether the boxes meet, and the bodies are not
// parted by an axis from the start to the end.
// import: lib/verdicts, lib/moving_bodies

// Numbers in the order of these floats, whatever a device makes of subnormals.
fn in_order(bits: vec3u) -> vec3i {
    let magnitude = vec3i(bits & vec3u(0x7fffffffu));
    return select(magnitude, -magnitude, bits > vec3u(0x7fffffffu));
}

fn verdict_on(pair: Pair) -> u32 {
    let low_a = in_order(pair.a.xyz);
    let high_a = in_order(slot_shapes[2u * pair.slot_a + 1u].xyz);
    let low_b = in_order(pair.b.xyz);
    let high_b = in_order(slot_shapes[2u * pair.slot_b + 1u].xyz);
    if any((low_a > high_b) | (low_b > high_a)) {
        return MISS;
    }
    // In the order of the pair, as `sweeps` sees it.
    let a = pair.a.w & ~OUTSIDE_DOMAIN;
    let b = pair.b.w & ~OUTSIDE_DOMAIN;
    let swap = select(pair.b_searches, b < a, (params.flags & ORDERED) != 0u);
    let first = moving_in_a(select(a, b, swap));
    let second = moving_in_b(select(b, a, swap));
    return select(HIT, MISS, pass_by(first.frame, first.course, second.frame, second.course));
}

@compute @workgroup_size(NARROW_THREADS)
fn moving_pairs(
    @builtin(workgroup_id) id: vec3u,
    @builtin(num_workgroups) groups: vec3u,
    @builtin(local_invocation_index) lane: u32,
) {
    let count = candidate_count(lane);
    let group = group_number(id, groups);
    let first = first_of(group) + lane;
    for (var k = 0u; k < NARROW_EACH; k++) {
        let pair = pair_of(first + k * NARROW_THREADS, count);
        var verdict = UNDECIDED;
        if pair.exists {
            verdict = verdict_on(pair);
        }
        note(pair, verdict);
    }
    report(lane);
    sign_decided(SIGN_MOVING_PAIRS, group, count, lane);
}
