// When the bodies of each pair first touch, of those whose boxes meet.
// import: lib/ledger, lib/sweep

fn frame_in_a(at: u32) -> NearFrame {
    let center = frames_a[at];
    return NearFrame(
        bitcast<vec3f>(center.xyz),
        center.w,
        bitcast<vec3f>(frames_a[at + 4u].xyz),
        bitcast<vec4f>(frames_a[at + 1u]),
        bitcast<vec4f>(frames_a[at + 2u]),
        bitcast<vec4f>(frames_a[at + 3u]),
    );
}

fn frame_in_b(at: u32) -> NearFrame {
    let center = frames_b[at];
    return NearFrame(
        bitcast<vec3f>(center.xyz),
        center.w,
        bitcast<vec3f>(frames_b[at + 4u].xyz),
        bitcast<vec4f>(frames_b[at + 1u]),
        bitcast<vec4f>(frames_b[at + 2u]),
        bitcast<vec4f>(frames_b[at + 3u]),
    );
}

@compute @workgroup_size(CONTACT_THREADS)
fn sweeps(
    @builtin(workgroup_id) id: vec3u,
    @builtin(num_workgroups) groups: vec3u,
    @builtin(local_invocation_index) lane: u32,
) {
    let number = group_number(id, groups);
    let first_pair = number * CONTACT_THREADS;
    let pair = first_pair + lane;
    // (Read before it is known whether there are so many, so as not to wait twice.)
    let listed = pairs[min(pair, params.room - 1u)];
    // Where bins overflowed there are no pairs, and the attempt is repeated.
    let count = select(0u, min(rows[params.rows], params.room), atomicLoad(&status[STATUS_BINS_OVERFLOWED]) == 0u);
    if pair < count {
        let first = listed.x;
        let second = listed.y & PARTNER_ID;
        let way_a = COURSE_VECTORS * first;
        let way_b = COURSE_VECTORS * second;
        let course_a = course_of(courses_a[way_a], courses_a[way_a + 1u], courses_a[way_a + 2u]);
        let course_b = course_of(courses_b[way_b], courses_b[way_b + 1u], courses_b[way_b + 2u]);
        let found = sweep_pair(frame_in_a(FRAME_VECTORS * first), course_a, frame_in_b(FRAME_VECTORS * second), course_b);
        records[SWEEP_VECTORS * pair] = bitcast<vec4u>(vec4f(found.normal, found.time.high));
        records[SWEEP_VECTORS * pair + 1u] = vec4u(bitcast<u32>(found.time.low), found.state, second, 0u);
    }
    if lane == 0u && first_pair < params.room {
        sign_off(SIGN_SWEEPS, number);
    }
}
