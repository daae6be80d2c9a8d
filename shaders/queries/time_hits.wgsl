// Computes for each listed body of a ray when the ray enters it, and whether it does: in double words, with the same bits on every
// adapter. What is open still is left to the host.
// import: lib/ray_hits, lib/det_box_entry, lib/det_cast_capsule, lib/det_cast_half_space

// When a ray enters a body, and whether it does, unless that is certain already.
fn meeting(shot: Shot, slot: u32, is_certain: bool) -> Meeting {
    let first = slot_shapes[2u * slot];
    let second = slot_shapes[2u * slot + 1u];
    let kind = tree[2u * slot + 1u].w & TAG_KIND;
    if kind == KIND_CONVEX_HULL || !are_lengths(first.xyz) || !is_length(second.x) {
        return CAST_OUTSIDE;
    }
    if kind == KIND_SPHERE {
        return ball_meeting(shot, first.xyz, second.x);
    }
    if kind == KIND_PLANE {
        return half_space_meeting(shot, first.xyz, second.x);
    }
    if !are_lengths(second.xyz) || !is_length(second.w) {
        return CAST_OUTSIDE;
    }
    if kind == KIND_CAPSULE {
        return capsule_meeting(shot, first.xyz, second.xyz, second.w);
    }
    if kind == KIND_OBB && is_certain {
        return certain_obb(shot, first.xyz, second.xyz, slot_rotations[slot]);
    }
    var size: u32;
    if kind == KIND_AABB {
        size = set_aabb_slabs(shot, first.xyz, second.xyz);
    } else {
        size = set_obb_slabs(shot, first.xyz, second.xyz, slot_rotations[slot]);
    }
    if size == 0u {
        return CAST_OUTSIDE;
    }
    return box_meeting(shot, kind == KIND_AABB, size);
}

fn time_hit(at: u32) {
    let entry = hits[at];
    if entry.y == ABSENT {
        return;
    }
    let slot = entry.y & ~RAY_CERTAIN;
    let is_certain = (entry.y & RAY_CERTAIN) != 0u;
    let ray = params.ray_vectors * entry.x;
    let shot = Shot(bitcast<vec3f>(rays[ray].xyz), bitcast<vec3f>(rays[ray + 1u].xyz), bitcast<f32>(rays[ray].w));
    var found = Meeting(HIT, 0.0f);
    if entry.w != 0u {
        // A hull, of which this is known.
        found = Meeting(entry.w - 1u, bitcast<f32>(entry.z));
    } else if params.mode != RAYS_ANY || !is_certain {
        found = meeting(shot, slot, is_certain);
    }
    hits[at] = vec4u(entry.x, tree[2u * slot].w, bitcast<u32>(found.time), found.verdict);
    if found.verdict == HIT {
        // Times are not negative, so that their bits are in the same order. (Inverted, since 0 stands for no hit.)
        atomicMax(&best_times[entry.x], ~bitcast<u32>(found.time));
    }
}

@compute @workgroup_size(BODY_THREADS)
fn time_hits(
    @builtin(workgroup_id) id: vec3u,
    @builtin(num_workgroups) groups: vec3u,
    @builtin(local_invocation_index) lane: u32,
) {
    let group = group_number(id, groups);
    let at = group * BODY_THREADS + lane;
    let count = listed_entries(lane);
    if at < count {
        time_hit(at);
    }
    if lane == 0u && at < params.rays + params.extra_room {
        sign_off(SIGN_TIME_HITS, group);
    }
}
