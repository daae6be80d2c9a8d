// Picks of each ray's hits with the least time the one with the lowest id, and lists the pairs of a ray and a body that are open still.
// import: lib/ray_hits

fn pick_hit(at: u32) {
    let entry = hits[at];
    if entry.y == ABSENT {
        return;
    }
    if entry.w == HIT && ~entry.z == best_times[entry.x] {
        atomicMax(&best_bodies[entry.x], ~entry.y);
    }
    if entry.w == UNDECIDED {
        let place = atomicAdd(&status[STATUS_RAYS_OPEN], 1u);
        if place < params.open_room {
            opens[place] = entry.xy;
        }
    }
}

@compute @workgroup_size(BODY_THREADS)
fn pick_hits(
    @builtin(workgroup_id) id: vec3u,
    @builtin(num_workgroups) groups: vec3u,
    @builtin(local_invocation_index) lane: u32,
) {
    let group = group_number(id, groups);
    let count = listed_entries(lane);
    for (var k = 0u; k < params.each; k++) {
        let at = entry_at(group, params.each, k, lane);
        if at < count {
            pick_hit(at);
        }
    }
    if lane == 0u && entry_at(group, params.each, 0u, 0u) < params.rays + params.extra_room {
        sign_off(SIGN_PICK_HITS, group);
    }
}
