// When the bodies of each pair first touch, of those whose boxes meet.
// import: lib/ledger, lib/moving_bodies, lib/sweep_records

// The pairs of this workgroup that are left, as numbers in it, so that threads that run side by side all have one.
var<workgroup> left_pairs: array<u32, APPROACH_PAIRS>;
var<workgroup> left_count: atomic<u32>;

@compute @workgroup_size(CONTACT_THREADS)
fn sweeps(
    @builtin(workgroup_id) id: vec3u,
    @builtin(num_workgroups) groups: vec3u,
    @builtin(local_invocation_index) lane: u32,
) {
    let number = group_number(id, groups);
    let first_pair = number * CONTACT_THREADS;
    let pair = first_pair + lane;
    if lane == 0u {
        atomicStore(&left_count, 0u);
    }
    workgroupBarrier();
    // (Read before it is known whether there are so many, so as not to wait twice.)
    let listed = pairs[min(pair, params.room - 1u)];
    if pair < pair_count() {
        let first = listed.x;
        let second = listed.y & PARTNER_ID;
        let a = moving_in_a(first);
        let b = moving_in_b(second);
        let found = sweep_straight(a.frame, a.course, b.frame, b.course);
        write_hit(pair, found, second);
        if found.state == SWEEP_PENDING {
            atomicStore(&left_count, 1u);
        }
    }
    workgroupBarrier();
    if lane == 0u && atomicLoad(&left_count) != 0u {
        atomicMax(&status[STATUS_SWEEPS_LEFT], 1u);
    }
    if lane == 0u && first_pair < params.room {
        sign_off(SIGN_SWEEPS, number);
    }
}

@compute @workgroup_size(CONTACT_THREADS)
fn sweeps_rest(
    @builtin(workgroup_id) id: vec3u,
    @builtin(num_workgroups) groups: vec3u,
    @builtin(local_invocation_index) lane: u32,
) {
    let number = group_number(id, groups);
    let first_pair = number * APPROACH_PAIRS;
    // If no pair was left by the turn before, there is nothing to do.
    let count = select(0u, pair_count(), atomicLoad(&status[STATUS_SWEEPS_LEFT]) >= params.turns);
    if lane == 0u {
        atomicStore(&left_count, 0u);
    }
    workgroupBarrier();
    for (var k = lane; k < APPROACH_PAIRS; k += CONTACT_THREADS) {
        let pair = first_pair + k;
        if pair < count && records[SWEEP_VECTORS * pair + 1u].y == SWEEP_PENDING {
            left_pairs[atomicAdd(&left_count, 1u)] = k;
        }
    }
    workgroupBarrier();
    let left = atomicLoad(&left_count);
    for (var k = lane; k < left; k += CONTACT_THREADS) {
        let pair = first_pair + left_pairs[k];
        let first = pairs[pair].x;
        let second = pairs[pair].y & PARTNER_ID;
        let a = moving_in_a(first);
        let b = moving_in_b(second);
        let found = sweep_any(a.frame, a.course, b.frame, b.course, hit_of(pair));
        write_hit(pair, found, second);
        if found.state == SWEEP_PENDING {
            atomicMax(&status[STATUS_SWEEPS_LEFT], params.turns + 1u);
        }
    }
    if lane == 0u && first_pair < params.room {
        sign_off(SIGN_SWEEPS_REST, number);
    }
}
