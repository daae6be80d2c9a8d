// The narrow phase: a verdict on every candidate of one bucket.
//
// A bucket holds the candidates of one pair of kinds. Each pair of balls and boxes has a kernel of its own, so that a workgroup runs one
// routine; all are expanded from the template at the end of this file, and differ in the function `<pair>_verdict`. (Pairs with capsules are
// decided by how far apart they are: `near.wgsl`.)
// import: lib/verdicts, lib/slots, lib/filters

fn sphere_sphere_verdict(pair: Pair) -> u32 {
    if !in_domain(pair) {
        return UNDECIDED;
    }
    return sphere_sphere(pair.a.xyz, radius(pair.slot_a), pair.b.xyz, radius(pair.slot_b));
}

fn sphere_aabb_verdict(pair: Pair) -> u32 {
    if !in_domain(pair) {
        return UNDECIDED;
    }
    return sphere_aabb(pair.a.xyz, radius(pair.slot_a), pair.b.xyz, upper_corner(pair.slot_b));
}

fn sphere_obb_verdict(pair: Pair) -> u32 {
    if !in_domain(pair) {
        return UNDECIDED;
    }
    return sphere_obb(pair.a.xyz, radius(pair.slot_a), cuboid(pair.slot_b, pair.b.xyz));
}

// Comparisons of the inputs are exact, so that they need no domain.
fn aabb_aabb_verdict(pair: Pair) -> u32 {
    return aabb_aabb(pair.a.xyz, upper_corner(pair.slot_a), pair.b.xyz, upper_corner(pair.slot_b));
}

fn aabb_obb_verdict(pair: Pair) -> u32 {
    if !in_domain(pair) {
        return UNDECIDED;
    }
    return aabb_obb(pair.a.xyz, upper_corner(pair.slot_a), cuboid(pair.slot_b, pair.b.xyz));
}

fn obb_obb_verdict(pair: Pair) -> u32 {
    if !in_domain(pair) {
        return UNDECIDED;
    }
    return obb_obb(cuboid(pair.slot_a, pair.a.xyz), cuboid(pair.slot_b, pair.b.xyz));
}

// Boxes that may be some way apart: what is left open is for `near_open`.
fn near_aabb_obb_verdict(pair: Pair) -> u32 {
    if !in_domain(pair) {
        return UNDECIDED;
    }
    return aabb_obb_within(pair.a.xyz, upper_corner(pair.slot_a), cuboid(pair.slot_b, pair.b.xyz), Real(params.margin));
}

fn near_obb_obb_verdict(pair: Pair) -> u32 {
    if !in_domain(pair) {
        return UNDECIDED;
    }
    return obb_obb_within(cuboid(pair.slot_a, pair.a.xyz), cuboid(pair.slot_b, pair.b.xyz), Real(params.margin));
}

// Every candidate is reported as a hit.
fn accept_verdict(pair: Pair) -> u32 {
    return HIT;
}

// for each narrow kernel:
@compute @workgroup_size(NARROW_THREADS)
fn $pair_pairs(
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
            verdict = $pair_verdict(pair);
        }
        $note(pair, verdict);
    }
    leave_open(group, lane); // $if_open
    report(lane);
    sign_decided(SIGN_$PAIR_PAIRS, group, count, lane);
}

// end for each
