// Computes for each listed hull of a ray when the ray enters it, and whether it does, with the same bits on every adapter: the twin of src/cast/hull.rs, where
// it and its errors are explained. What is open still is left to the host.
// import: lib/ray_hits, lib/det_cast, abi/hulls, abi/hull_rays

// The times at which the ray is behind all planes that have been looked at: it comes in not before and not after these times, and goes out so; and when it
// may come in through a plane that it passes slowly.
struct Inside {
    begin: vec2f,
    end: vec2f,
    slow: f32,
}

// From the hull's position to the ray's origin, and the ray's direction, as the hull sees them.
var<private> seen_place: array<DetDouble, 3>;
var<private> seen_way: array<DetDouble, 3>;

fn dot_of(a: array<DetDouble, 3>, b: array<DetDouble, 3>) -> DetDouble {
    return sum3_double(det_mul_double(a[0], b[0]), det_mul_double(a[1], b[1]), det_mul_double(a[2], b[2]));
}

fn smaller(a: vec2f, b: vec2f) -> vec2f {
    return vec2f(det_min(a.x, b.x), det_min(a.y, b.y));
}

fn greater(a: vec2f, b: vec2f) -> vec2f {
    return vec2f(det_max(a.x, b.x), det_max(a.y, b.y));
}

fn hull_meeting(shot: Shot, slot: u32) -> Meeting {
    let place = slot_shapes[2u * slot].xyz;
    let word = slot_shapes[2u * slot + 1u].x;
    let of_reach = ((word >> HULL_FORM_BITS) & 255u) + HULL_STEP_BITS - 1u;
    if !are_lengths(place) || of_reach < CAST_LEAST_LENGTH || of_reach > CAST_GREATEST_LENGTH {
        return CAST_OUTSIDE;
    }
    var t: array<DetDouble, 3>;
    var size = of_reach;
    for (var k = 0u; k < 3u; k++) {
        t[k] = difference(shot.origin[k], bitcast<f32>(place[k]));
        size = max(size, high_exponent(t[k]));
    }
    if !is_size(size) || !set_rotation_of(slot_rotations[slot]) {
        return CAST_OUTSIDE;
    }
    let scale = power_of(254u - size);
    for (var k = 0u; k < 3u; k++) {
        t[k] = scaled_double(t[k], scale);
    }
    let way = array<DetDouble, 3>(single(shot.direction.x), single(shot.direction.y), single(shot.direction.z));
    // (`zero` keeps compilers from writing this out three times.)
    for (var k = params.zero; k < 3u; k++) {
        let axis = array<DetDouble, 3>(
            DetDouble(high[3u * k], low[3u * k]),
            DetDouble(high[3u * k + 1u], low[3u * k + 1u]),
            DetDouble(high[3u * k + 2u], low[3u * k + 2u]),
        );
        seen_place[k] = dot_of(axis, t);
        seen_way[k] = dot_of(axis, way);
    }
    let rough_place = vec3f(seen_place[0].high, seen_place[1].high, seen_place[2].high);
    let rough_way = vec3f(seen_way[0].high, seen_way[1].high, seen_way[2].high);
    let last = det_min(det_mul(shot.last, scale), CAST_LAST);
    var inside = Inside(vec2f(), vec2f(CAST_LAST), 0.0f);
    let form = hull_planes[word & ((1u << HULL_FORM_BITS) - 1u)];
    var is_beside = false;
    var is_missed = false;
    for (var i = 0u; i < form.y && !is_beside && !is_missed; i++) {
        let plane = bitcast<vec4f>(hull_planes[form.x + 2u * i]);
        let rough_above = det_sub(det_dot3(plane.xyz, rough_place), det_mul(plane.w, scale));
        let rough_rate = det_dot3(plane.xyz, rough_way);
        if rough_rate > HULL_ROUGH {
            let inverse = det_recip(rough_rate);
            let ends = vec2f(
                det_mul(det_sub(det_neg(rough_above), HULL_ROUGH_END), inverse),
                det_mul(det_add(det_neg(rough_above), HULL_ROUGH_END), inverse),
            );
            inside.end = smaller(inside.end, ends);
            continue;
        }
        if rough_rate < det_neg(HULL_ROUGH) && rough_above < det_neg(HULL_ROUGH) {
            continue;
        }
        let rest = bitcast<vec4f>(hull_planes[form.x + 2u * i + 1u]);
        let normal = array<DetDouble, 3>(
            DetDouble(plane.x, rest.x),
            DetDouble(plane.y, rest.y),
            DetDouble(plane.z, rest.z),
        );
        let above = det_sub_double(dot_of(normal, seen_place), scaled_double(DetDouble(plane.w, rest.w), scale));
        let rate = dot_of(normal, seen_way);
        if det_abs(rate.high) < HULL_LEAST_RATE {
            is_missed = above.high > HULL_BESIDE;
            is_beside = !is_missed && !(above.high < det_neg(HULL_BESIDE));
            continue;
        }
        let inverse = recip_double(det_neg_double(rate));
        let times = vec2f(
            det_mul_double(det_sub_double(above, single(HULL_GROWN)), inverse).high,
            det_mul_double(det_add_double(above, single(HULL_GROWN)), inverse).high,
        );
        if rate.high > 0.0f {
            inside.end = smaller(inside.end, times.yx);
        } else {
            if det_neg(rate.high) < HULL_FAST {
                inside.slow = det_max(inside.slow, times.y);
            }
            inside.begin = greater(inside.begin, times);
        }
    }
    if is_beside {
        return CAST_OUTSIDE;
    }
    let first = det_sub(inside.begin.x, HULL_ROUNDED);
    if is_missed || first > inside.end.y || first > last || inside.end.y < det_neg(HULL_ROUNDED) {
        return Meeting(MISS, 0.0f);
    }
    if inside.slow > 0.0f && !(inside.slow < inside.begin.x) {
        return CAST_OUTSIDE;
    }
    if det_add(inside.begin.y, HULL_ROUNDED) < det_min(inside.end.x, last) && inside.end.x > HULL_ROUNDED {
        return Meeting(HIT, unscaled(shot, inside.begin.x, size));
    }
    return CAST_OUTSIDE;
}

fn time_hull(at: u32) {
    let entry = hits[at];
    if entry.y == ABSENT {
        return;
    }
    let slot = entry.y & ~RAY_CERTAIN;
    if (tree[2u * slot + 1u].w & TAG_KIND) != KIND_CONVEX_HULL {
        return;
    }
    let ray = params.ray_vectors * entry.x;
    let shot = Shot(bitcast<vec3f>(rays[ray].xyz), bitcast<vec3f>(rays[ray + 1u].xyz), bitcast<f32>(rays[ray].w));
    let found = hull_meeting(shot, slot);
    hits[at] = vec4u(entry.xy, bitcast<u32>(found.time), found.verdict + 1u);
}

@compute @workgroup_size(BODY_THREADS)
fn hull_hits(
    @builtin(workgroup_id) id: vec3u,
    @builtin(num_workgroups) groups: vec3u,
    @builtin(local_invocation_index) lane: u32,
) {
    let group = group_number(id, groups);
    let at = group * BODY_THREADS + lane;
    let count = listed_entries(lane);
    if at < count {
        time_hull(at);
    }
    if lane == 0u && at < params.rays + params.extra_room {
        sign_off(SIGN_HULL_HITS, group);
    }
}
