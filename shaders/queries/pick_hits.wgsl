// Picks of each ray's hits with the least time the one with the lowest id, and lists the pairs of a ray and a body that are open still.
// import: lib/ledger

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
    let at = group * BODY_THREADS + lane;
    let extras = atomicLoad(&status[STATUS_RAY_EXTRAS]);
    let is_complete = atomicLoad(&status[STATUS_RAYS_UNFINISHED]) == 0u
        && atomicLoad(&status[STATUS_CARRY]) == 0u
        && extras <= params.extra_room;
    if is_complete && at < params.rays + extras {
        pick_hit(at);
    }
    if lane == 0u && at < params.rays + params.extra_room {
        sign_off(SIGN_PICK_HITS, group);
    }
}
