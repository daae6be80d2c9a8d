// When the bodies of each pair first touch of which one is a hull: for some moments from the start, and then for some more of those that are pending.
// import: lib/ledger, lib/hull_sweep, lib/sweep_records

@compute @workgroup_size(CONTACT_THREADS)
fn hull_sweeps(
    @builtin(workgroup_id) id: vec3u,
    @builtin(num_workgroups) groups: vec3u,
    @builtin(local_invocation_index) lane: u32,
) {
    let number = group_number(id, groups);
    let first_pair = number * CONTACT_THREADS;
    let pair = first_pair + lane;
    // (Read before it is known whether there are so many, so as not to wait twice.)
    let listed = pairs[min(pair, params.room - 1u)];
    // If no pair was left by the turn before, there is nothing to do.
    if pair < pair_count() && atomicLoad(&status[STATUS_SWEEPS_LEFT]) >= params.turns {
        let first = listed.x;
        let second = listed.y & PARTNER_ID;
        frames_at = FRAME_VECTORS * vec2u(first, second);
        let kind_a = kind_of_frame(false);
        let kind_b = kind_of_frame(true);
        let has_hull = kind_a == KIND_CONVEX_HULL || kind_b == KIND_CONVEX_HULL;
        var before = SweepHit(vec3f(), DetDouble(0.0f, 0.0f), SWEEP_HULL_PENDING, 0u);
        if params.turns > 0u {
            before = hit_of(pair);
        }
        if has_hull && kind_a != KIND_PLANE && kind_b != KIND_PLANE && before.state == SWEEP_HULL_PENDING {
            let a = moving_in_a(first);
            let b = moving_in_b(second);
            let b_is_hull = kind_b == KIND_CONVEX_HULL;
            var hull = a;
            var other = b;
            if b_is_hull {
                hull = b;
                other = a;
            }
            let found = sweep_hull(hull, other, b_is_hull, before);
            write_hit(pair, found, second);
            if found.state == SWEEP_HULL_PENDING {
                atomicMax(&status[STATUS_SWEEPS_LEFT], params.turns + 1u);
            }
        }
    }
    if lane == 0u && first_pair < params.room {
        sign_off(SIGN_HULL_SWEEPS, number);
    }
}
