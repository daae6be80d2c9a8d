// How far apart the bodies of each pair are, and where they are nearest.
// import: lib/ledger, lib/precise, lib/over_pairs

@compute @workgroup_size(CONTACT_THREADS)
fn clearances(
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
        let partner = listed.y & PARTNER_ID;
        frames_at = FRAME_VECTORS * vec2u(listed.x, partner);
        var found: Clearance;
        if is_over_pair() {
            found = clearance_over();
        } else {
            found = clearance_of(frame_of(false), frame_of(true), vec3f());
        }
        records[CLEARANCE_VECTORS * pair] = bitcast<vec4u>(vec4f(found.on_a, found.away));
        records[CLEARANCE_VECTORS * pair + 1u] = vec4u(bitcast<vec3u>(found.on_b), partner);
    }
    if lane == 0u && first_pair < params.room {
        sign_off(SIGN_CLEARANCES, number);
    }
}
