// How far apart the bodies of each pair are of which one is a hull, and where they are nearest.
// import: lib/ledger, lib/hull_over

@compute @workgroup_size(CONTACT_THREADS)
fn hull_clearances(
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
        let kind_a = kind_of_frame(false);
        let kind_b = kind_of_frame(true);
        if kind_a == KIND_CONVEX_HULL || kind_b == KIND_CONVEX_HULL {
            let hull_is_b = kind_b == KIND_CONVEX_HULL;
            var found: Away;
            if kind_a == KIND_PLANE || kind_b == KIND_PLANE {
                found = hull_away_over(hull_is_b);
            } else {
                found = hull_away(hull_is_b);
            }
            let on_a = select(found.on_hull, found.on_other, hull_is_b);
            let on_b = select(found.on_other, found.on_hull, hull_is_b);
            records[CLEARANCE_VECTORS * pair] = bitcast<vec4u>(vec4f(on_a, found.away));
            records[CLEARANCE_VECTORS * pair + 1u] = vec4u(bitcast<vec3u>(on_b), partner);
        }
    }
    if lane == 0u && first_pair < params.room {
        sign_off(SIGN_HULL_CLEARANCES, number);
    }
}
