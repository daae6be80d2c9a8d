// Grows the bounds in slots, and those of their clusters, to all sides: for pairs that may be some way apart.
// import: lib/ledger, lib/bounds

// By how much, besides the growth itself: as much as rounding may take off, relative to the numbers that are added.
fn grown(bounds: Bounds) -> Bounds {
    let low = bounds_around(bounds.low, vec3f(params.growth)).low;
    let high = bounds_around(bounds.high, vec3f(params.growth)).high;
    return Bounds(low, high);
}

@compute @workgroup_size(THREADS)
fn grow_bounds(
    @builtin(workgroup_id) group: vec3u,
    @builtin(num_workgroups) groups: vec3u,
    @builtin(local_invocation_index) thread: u32,
) {
    let number = group_number(group, groups);
    let slot = params.first_slot + number * THREADS + thread;
    if slot >= params.end_slot {
        return;
    }
    let low = slot_bounds[2u * slot];
    let high = slot_bounds[2u * slot + 1u];
    if low.w != ABSENT {
        let bounds = grown(Bounds(bitcast<vec3f>(low.xyz), bitcast<vec3f>(high.xyz)));
        slot_bounds[2u * slot] = vec4u(bitcast<vec3u>(bounds.low), low.w);
        slot_bounds[2u * slot + 1u] = vec4u(bitcast<vec3u>(bounds.high), high.w);
    }
    if thread % WIDTH == 0u {
        let node = slot / WIDTH;
        let node_low = nodes[2u * node];
        let node_high = nodes[2u * node + 1u];
        let first = bitcast<vec3f>(node_low.xyz);
        let last = bitcast<vec3f>(node_high.xyz);
        // (Of a cluster without bodies the bounds are nowhere, and stay there.)
        if all(first <= last) {
            let bounds = grown(Bounds(first, last));
            nodes[2u * node] = vec4u(bitcast<vec3u>(bounds.low), node_low.w);
            nodes[2u * node + 1u] = vec4u(bitcast<vec3u>(bounds.high), node_high.w);
        }
    }
    if thread == 0u {
        sign_off(SIGN_GROW_BOUNDS, number);
    }
}
