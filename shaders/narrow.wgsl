// The narrow phase: a verdict on every candidate, and the hits of one bucket after another.
//
// A bucket holds the candidates of one pair of kinds; each has its own pipeline, so that a workgroup runs one routine.

@compute @workgroup_size(128)
fn sphere_sphere_pairs(
    @builtin(workgroup_id) id: vec3u,
    @builtin(num_workgroups) groups: vec3u,
    @builtin(local_invocation_index) lane: u32,
) {
    let count = candidate_count(lane);
    let group = group_number(id, groups);
    let first = first_of(group) + lane;
    for (var k = 0u; k < EACH; k++) {
        let pair = pair_of(first + k * GROUP, count);
        var verdict = UNDECIDED;
        if pair.exists && in_domain(pair) {
            verdict = sphere_sphere(pair.a.xyz, radius(pair.slot_a), pair.b.xyz, radius(pair.slot_b));
        }
        note(pair, verdict);
    }
    report(lane);
    sign_decided(SIGN_SPHERE_SPHERE_PAIRS, group, count, lane);
}

@compute @workgroup_size(128)
fn sphere_aabb_pairs(
    @builtin(workgroup_id) id: vec3u,
    @builtin(num_workgroups) groups: vec3u,
    @builtin(local_invocation_index) lane: u32,
) {
    let count = candidate_count(lane);
    let group = group_number(id, groups);
    let first = first_of(group) + lane;
    for (var k = 0u; k < EACH; k++) {
        let pair = pair_of(first + k * GROUP, count);
        var verdict = UNDECIDED;
        if pair.exists && in_domain(pair) {
            verdict = sphere_aabb(pair.a.xyz, radius(pair.slot_a), pair.b.xyz, upper_corner(pair.slot_b));
        }
        note(pair, verdict);
    }
    report(lane);
    sign_decided(SIGN_SPHERE_AABB_PAIRS, group, count, lane);
}

@compute @workgroup_size(128)
fn sphere_obb_pairs(
    @builtin(workgroup_id) id: vec3u,
    @builtin(num_workgroups) groups: vec3u,
    @builtin(local_invocation_index) lane: u32,
) {
    let count = candidate_count(lane);
    let group = group_number(id, groups);
    let first = first_of(group) + lane;
    for (var k = 0u; k < EACH; k++) {
        let pair = pair_of(first + k * GROUP, count);
        var verdict = UNDECIDED;
        if pair.exists && in_domain(pair) {
            verdict = sphere_obb(pair.a.xyz, radius(pair.slot_a), cuboid(pair.slot_b, pair.b.xyz));
        }
        note(pair, verdict);
    }
    report(lane);
    sign_decided(SIGN_SPHERE_OBB_PAIRS, group, count, lane);
}

@compute @workgroup_size(128)
fn aabb_aabb_pairs(
    @builtin(workgroup_id) id: vec3u,
    @builtin(num_workgroups) groups: vec3u,
    @builtin(local_invocation_index) lane: u32,
) {
    let count = candidate_count(lane);
    let group = group_number(id, groups);
    let first = first_of(group) + lane;
    for (var k = 0u; k < EACH; k++) {
        let pair = pair_of(first + k * GROUP, count);
        var verdict = UNDECIDED;
        if pair.exists {
            verdict = aabb_aabb(pair.a.xyz, upper_corner(pair.slot_a), pair.b.xyz, upper_corner(pair.slot_b));
        }
        note(pair, verdict);
    }
    report(lane);
    sign_decided(SIGN_AABB_AABB_PAIRS, group, count, lane);
}

@compute @workgroup_size(128)
fn aabb_obb_pairs(
    @builtin(workgroup_id) id: vec3u,
    @builtin(num_workgroups) groups: vec3u,
    @builtin(local_invocation_index) lane: u32,
) {
    let count = candidate_count(lane);
    let group = group_number(id, groups);
    let first = first_of(group) + lane;
    for (var k = 0u; k < EACH; k++) {
        let pair = pair_of(first + k * GROUP, count);
        var verdict = UNDECIDED;
        if pair.exists && in_domain(pair) {
            verdict = aabb_obb(pair.a.xyz, upper_corner(pair.slot_a), cuboid(pair.slot_b, pair.b.xyz));
        }
        note_or_leave_open(pair, verdict);
    }
    leave_open(group, lane);
    report(lane);
    sign_decided(SIGN_AABB_OBB_PAIRS, group, count, lane);
}

@compute @workgroup_size(128)
fn obb_obb_pairs(
    @builtin(workgroup_id) id: vec3u,
    @builtin(num_workgroups) groups: vec3u,
    @builtin(local_invocation_index) lane: u32,
) {
    let count = candidate_count(lane);
    let group = group_number(id, groups);
    let first = first_of(group) + lane;
    for (var k = 0u; k < EACH; k++) {
        let pair = pair_of(first + k * GROUP, count);
        var verdict = UNDECIDED;
        if pair.exists && in_domain(pair) {
            verdict = obb_obb(cuboid(pair.slot_a, pair.a.xyz), cuboid(pair.slot_b, pair.b.xyz));
        }
        note_or_leave_open(pair, verdict);
    }
    leave_open(group, lane);
    report(lane);
    sign_decided(SIGN_OBB_OBB_PAIRS, group, count, lane);
}

// Takes every candidate as a hit.
@compute @workgroup_size(128)
fn accept(
    @builtin(workgroup_id) id: vec3u,
    @builtin(num_workgroups) groups: vec3u,
    @builtin(local_invocation_index) lane: u32,
) {
    let count = candidate_count(lane);
    let group = group_number(id, groups);
    let first = first_of(group) + lane;
    for (var k = 0u; k < EACH; k++) {
        note(pair_of(first + k * GROUP, count), HIT);
    }
    report(lane);
    sign_decided(SIGN_ACCEPT, group, count, lane);
}
