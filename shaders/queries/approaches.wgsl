// The depths of contacts of bodies that are apart, and the points of those that only corners tell: the twin of src/near/approach.rs.
// import: lib/ledger, lib/precise, lib/over_pairs

// (A contact without points is for the host to compute.)
fn may_be_apart(at: u32) -> bool {
    return manifolds[at + 1u].w != 0u && !(bitcast<f32>(manifolds[at].w) > 0.0f);
}

fn approach(at: u32, first: u32, second: u32) {
    let header = manifolds[at];
    let words = manifolds[at + 1u];
    let depth = bitcast<f32>(header.w);
    frames_at = FRAME_VECTORS * vec2u(first, second);
    let is_over = is_over_pair();
    var found: Clearance;
    if is_over {
        found = clearance_over();
    } else {
        found = clearance_of(frame_of(false), frame_of(true), bitcast<vec3f>(header.xyz));
    }
    if found.away < 0.0f {
        for (var k = 0u; k < MANIFOLD_VECTORS; k++) {
            manifolds[at + k] = vec4u();
        }
        manifolds[at + 1u] = vec4u(words.xy, 0u, 0u);
        return;
    }
    let is_apart = found.away > 0.0f;
    let new_depth = select(det_max(depth, 0.0f), det_neg(found.away), is_apart);
    var deepest = det_neg(NEAR_FARTHEST);
    for (var k = 0u; k < words.w; k++) {
        deepest = det_max(deepest, bitcast<f32>(manifolds[at + 3u + k].w));
    }
    // Along a face beyond which nothing lies of the other body's face: no two lines cross in the point.
    let of_faces = words.z == CONTACT_FACE_A || words.z == CONTACT_FACE_B;
    let beside = of_faces && (manifolds[at + 2u].x & 255u) == 0u;
    let is_along = found.is_along && !beside && !(deepest < det_neg(det_add(found.away, found.error)));
    // (The axis of two edges may be off by little, and their points then by more.)
    let are_edges = words.z == CONTACT_EDGES;
    if is_apart && !is_over && (are_edges || !is_along) {
        // One point, where they are nearest.
        manifolds[at] = bitcast<vec4u>(vec4f(step_along(best_direction, 1.0f), new_depth));
        if !is_along {
            manifolds[at + 1u] = vec4u(words.xy, CONTACT_DEEPEST, 1u);
            manifolds[at + 2u] = vec4u(CONTACT_DEEPEST << 24u, 0u, 0u, 0u);
        }
        manifolds[at + 3u] = bitcast<vec4u>(vec4f(found.on_b, new_depth));
        for (var k = 4u; k < MANIFOLD_VECTORS; k++) {
            manifolds[at + k] = vec4u();
        }
        return;
    }
    manifolds[at].w = bitcast<u32>(new_depth);
    for (var k = 0u; k < words.w; k++) {
        let own = bitcast<f32>(manifolds[at + 3u + k].w);
        manifolds[at + 3u + k].w = bitcast<u32>(select(det_min(own, new_depth), new_depth, words.z == CONTACT_ROUND && words.w == 1u));
    }
}

// The pairs of this workgroup that may be apart, as numbers in it. They are few, and listed, so that threads that run side by side all have one.
var<workgroup> listed_pairs: array<u32, APPROACH_PAIRS>;
var<workgroup> listed_count: atomic<u32>;

@compute @workgroup_size(CONTACT_THREADS)
fn approaches(
    @builtin(workgroup_id) id: vec3u,
    @builtin(num_workgroups) groups: vec3u,
    @builtin(local_invocation_index) lane: u32,
) {
    let number = group_number(id, groups);
    let first_pair = number * APPROACH_PAIRS;
    // Where bins overflowed there are no pairs, and the attempt is repeated.
    let count = select(0u, min(rows[params.rows], params.room), atomicLoad(&status[STATUS_BINS_OVERFLOWED]) == 0u);
    if lane == 0u {
        atomicStore(&listed_count, 0u);
    }
    workgroupBarrier();
    for (var k = lane; k < APPROACH_PAIRS; k += CONTACT_THREADS) {
        if first_pair + k < count && may_be_apart(MANIFOLD_VECTORS * (first_pair + k)) {
            listed_pairs[atomicAdd(&listed_count, 1u)] = k;
        }
    }
    workgroupBarrier();
    let listed = atomicLoad(&listed_count);
    for (var k = lane; k < listed; k += CONTACT_THREADS) {
        let pair = first_pair + listed_pairs[k];
        approach(MANIFOLD_VECTORS * pair, pairs[pair].x, pairs[pair].y & PARTNER_ID);
    }
    if lane == 0u && first_pair < params.room {
        sign_off(SIGN_APPROACHES, number);
    }
}
