// Writes the hits of rays for shaders of the caller's: one for each ray, or all of them.
// import: lib/ray_hits

// The bits of a time, which is not negative and not subnormal, divided by a power of two: rounded to the nearest, or the largest number.
fn divided(time: u32, exponent: i32) -> u32 {
    if time == 0u {
        return 0u;
    }
    let moved = i32(time >> 23u) - exponent;
    if moved >= 255 {
        return 0x7f7fffffu;
    }
    if moved > 0 {
        return (time & 0x7fffffu) | (u32(moved) << 23u);
    }
    let shift = u32(1 - moved);
    if shift > 24u {
        return 0u;
    }
    let significand = (time & 0x7fffffu) | 0x800000u;
    let kept = significand >> shift;
    let rest = significand & ((1u << shift) - 1u);
    let half = 1u << (shift - 1u);
    return kept + select(0u, 1u, rest > half || (rest == half && (kept & 1u) == 1u));
}

// The bits of a time in units of the ray's direction as it was given.
fn in_units(ray: u32, time: u32) -> u32 {
    let at = params.ray_vectors * ray;
    let exponent = i32((rays[at + 1u].w >> RAY_EXPONENT) & 0x1ffu) - i32(RAY_EXPONENT_BIAS);
    return divided(min(time, rays[at].w), exponent);
}

fn is_skipped(ray: u32) -> bool {
    return (rays[params.ray_vectors * ray + 1u].w & RAY_SKIPPED) != 0u;
}

fn mark_open_ray(at: u32) {
    let entry = hits[at];
    if entry.y != ABSENT && entry.w == UNDECIDED {
        atomicOr(&marks[entry.x], 1u);
    }
}

@compute @workgroup_size(BODY_THREADS)
fn mark_open_rays(
    @builtin(workgroup_id) id: vec3u,
    @builtin(num_workgroups) groups: vec3u,
    @builtin(local_invocation_index) lane: u32,
) {
    let group = group_number(id, groups);
    let count = listed_entries(lane);
    for (var k = 0u; k < params.each; k++) {
        let at = entry_at(group, params.each, k, lane);
        if at < count {
            mark_open_ray(at);
        }
    }
    if lane == 0u && entry_at(group, params.each, 0u, 0u) < params.rays + params.extra_room {
        sign_off(SIGN_MARK_OPEN_RAYS, group);
    }
}

// The nearest hit of a ray, or whether it has one.
fn best_hit(ray: u32) -> vec4u {
    let best = best_times[ray];
    var found = vec4u(ray, ABSENT, 0u, atomicLoad(&marks[ray]));
    if best != 0u && params.mode == RAYS_ANY {
        return vec4u(ray, 0u, 0u, 0u);
    }
    if best != 0u {
        found.y = ~best_bodies[ray];
        found.z = in_units(ray, ~best);
    }
    if is_skipped(ray) {
        found.w = 1u;
    }
    return found;
}

// What is listed at a place: the first places are of one ray each.
fn listed_hit(at: u32) -> vec4u {
    let entry = hits[at];
    var ray = at;
    if at >= params.rays {
        ray = entry.x;
    }
    if entry.y == ABSENT || entry.w == MISS {
        return vec4u(ray, ABSENT, 0u, select(0u, 1u, at < params.rays && is_skipped(ray)));
    }
    if entry.w == UNDECIDED {
        return vec4u(ray, entry.y, 0u, 1u);
    }
    return vec4u(ray, entry.y, in_units(ray, entry.z), 0u);
}

@compute @workgroup_size(BODY_THREADS)
fn publish_hits(
    @builtin(workgroup_id) id: vec3u,
    @builtin(num_workgroups) groups: vec3u,
    @builtin(local_invocation_index) lane: u32,
) {
    let group = group_number(id, groups);
    let is_all = params.mode == RAYS_ALL;
    let listed = listed_entries(lane);
    let count = select(min(listed, params.rays), listed, is_all);
    for (var k = 0u; k < params.each; k++) {
        let at = entry_at(group, params.each, k, lane);
        if at < count && is_all {
            results[at] = listed_hit(at);
        } else if at < count {
            results[at] = best_hit(at);
        }
    }
    if lane == 0u && entry_at(group, params.each, 0u, 0u) < params.rays + select(0u, params.extra_room, is_all) {
        sign_off(SIGN_PUBLISH_HITS, group);
    }
}
