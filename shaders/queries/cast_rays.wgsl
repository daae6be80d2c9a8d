// Casts rays: each thread descends the tree with one ray, nearest nodes first, and lists the bodies that may be its hits. Their times
// are computed afterwards, by the stage `time_hits`, for few bodies of each ray: a body is listed only if its interval of times overlaps
// that of the earliest body so far.
//
// A thread remembers of each level which of four children are left: that is all the stack there is. It stops after params.steps steps, and
// leaves its place in `states`, from which the next dispatch goes on.
// import: lib/ledger, lib/ray_spans

struct Ray {
    origin: vec3f,
    direction: vec3f,
    inverse: vec3f,
    limit: f32,
    traits: vec4u,
    is_fixed: bool,
}

fn first_of_level(level: u32) -> u32 {
    return params.level_first[level / 4u][level % 4u];
}

fn count_of_level(level: u32) -> u32 {
    return params.level_count[level / 4u][level % 4u];
}

fn load_ray(number: u32) -> Ray {
    let first = rays[params.ray_vectors * number];
    let second = rays[params.ray_vectors * number + 1u];
    var ray: Ray;
    ray.origin = bitcast<vec3f>(first.xyz);
    ray.direction = bitcast<vec3f>(second.xyz);
    ray.inverse = 1.0 / max(abs(ray.direction), vec3f(RAY_NODE_RATE));
    ray.limit = bitcast<f32>(first.w);
    ray.is_fixed = (second.w & RAY_FIXED) != 0u;
    ray.traits = params.traits;
    if params.ray_vectors > 2u {
        ray.traits = rays[params.ray_vectors * number + 2u];
    }
    return ray;
}

// When the ray enters a node, or a time after `latest` if it does not until then.
fn enter_node(ray: Ray, lower: vec4u, upper: vec4u, level: u32, latest: f32) -> f32 {
    let low = opaque(bitcast<vec3f>(lower.xyz) - ray.origin);
    let high = opaque(bitcast<vec3f>(upper.xyz) - ray.origin);
    let reach = largest3(max(abs(low), abs(high)));
    let pad = reach * RAY_NODE_PAD + TINY;
    let down = ray.direction < vec3f(0.0);
    let enter = max(largest3((select(low, -high, down) - pad) * ray.inverse), 0.0);
    let exit = least3((select(high, -low, down) + pad) * ray.inverse);
    var met = enter <= exit && enter <= latest;
    var time = enter;
    if reach > RAY_VAST {
        // Products may have overflowed. An empty node has its corners the wrong way round.
        met = bitcast<f32>(lower.x) <= bitcast<f32>(upper.x);
        time = 0.0;
    }
    if level > 1u && (params.flags & WORLDS) != 0u {
        // (A ray in every world has the highest number, which the last of the worlds of a node need not reach.)
        let world = ray.traits.w;
        met = met && (world == EVERY_WORLD || (lower.w <= world && world <= upper.w));
    }
    return select(RAY_NEVER, time, met);
}

fn may_meet(ray: Ray, slot: u32) -> bool {
    if (params.flags & (HAS_FILTERS | WORLDS)) == 0u {
        return true;
    }
    let a = ray.traits;
    let b = slot_traits[slot];
    let together = a.w == b.w || a.w == EVERY_WORLD || b.w == EVERY_WORLD;
    let agree = together && (a.x & b.y) != 0u && (b.x & a.y) != 0u && (a.z == 0u || a.z != b.z);
    return agree && !(ray.is_fixed && (tree[2u * slot + 1u].w & TAG_FIXED) != 0u);
}

fn test_body(ray: Ray, slot: u32) -> Span {
    let first = slot_shapes[2u * slot];
    if (first.w & OUTSIDE_DOMAIN) != 0u {
        return Span(UNDECIDED, 0.0, FLT_MAX);
    }
    let second = slot_shapes[2u * slot + 1u];
    let kind = tree[2u * slot + 1u].w & TAG_KIND;
    if kind == KIND_SPHERE {
        return sphere_span(ray.origin, ray.direction, ray.limit, bitcast<vec3f>(first.xyz), bitcast<f32>(second.x));
    }
    if kind == KIND_AABB {
        return aabb_span(ray.origin, ray.direction, ray.limit, bitcast<vec3f>(first.xyz), bitcast<vec3f>(second.xyz));
    }
    let axes = rotation(scaled_quaternion(slot_rotations[slot]));
    let b = Cuboid(bitcast<vec3f>(first.xyz), bitcast<vec3f>(second.xyz), axes);
    return obb_span(ray.origin, ray.direction, ray.limit, b);
}

// Lists a body of a ray apart from the one that has a place of its own.
fn list_extra(ray: u32, body: u32) {
    let at = atomicAdd(&status[STATUS_RAY_EXTRAS], 1u);
    if at == 0xffffffffu {
        // The count begins again at 0.
        atomicAdd(&status[STATUS_CARRY], 1u);
    }
    if at < params.extra_room {
        hits[params.rays + at] = vec4u(ray, body, 0u, 0u);
    }
}

// Which children of a node of this level there are.
fn children_of(level: u32, node: u32) -> u32 {
    return (1u << min(4u, count_of_level(level - 1u) - 4u * node)) - 1u;
}

fn cast_ray(number: u32) {
    let ray = load_ray(number);
    var level = params.top;
    var node = 0u;
    // The children that are left, four bits for each level.
    var left = vec2u(0u, 0u);
    // No body after this time matters. (Those outside the domain may be further away than all times that are computed with.)
    var latest = select(ray.limit, FLT_MAX, ray.limit >= RAY_LATEST);
    if params.begin == 1u {
        hits[number] = vec4u(number, ABSENT, 0u, 0u);
        states[number] = vec4u(ABSENT, 0u, 0u, 0u);
        if (rays[params.ray_vectors * number + 1u].w & RAY_SKIPPED) != 0u {
            return;
        }
        left[level / 8u] = children_of(level, 0u) << (4u * (level % 8u));
    } else {
        let state = states[number];
        if state.x == ABSENT {
            return;
        }
        level = state.x >> 28u;
        node = state.x & 0x0fffffffu;
        left = state.yz;
        latest = bitcast<f32>(state.w);
    }
    // The body that may be the nearest, and when the ray enters that or any other listed one at the earliest.
    var pending = ABSENT;
    var earliest = RAY_NEVER;
    var is_done = false;
    for (var step = 0u; step < params.steps; step++) {
        let shift = 4u * (level % 8u);
        let mask = (left[level / 8u] >> shift) & 15u;
        let base = first_of_level(level - 1u) + 4u * node;
        // (All four are read at once, so as to wait once.)
        let low_0 = tree[2u * base];
        let high_0 = tree[2u * base + 1u];
        let low_1 = tree[2u * base + 2u];
        let high_1 = tree[2u * base + 3u];
        let low_2 = tree[2u * base + 4u];
        let high_2 = tree[2u * base + 5u];
        let low_3 = tree[2u * base + 6u];
        let high_3 = tree[2u * base + 7u];
        let all = vec4f(
            enter_node(ray, low_0, high_0, level, latest),
            enter_node(ray, low_1, high_1, level, latest),
            enter_node(ray, low_2, high_2, level, latest),
            enter_node(ray, low_3, high_3, level, latest),
        );
        let enters = select(vec4f(RAY_NEVER), all, (vec4u(mask) & vec4u(1u, 2u, 4u, 8u)) != vec4u(0u));
        let first = min(min(enters.x, enters.y), min(enters.z, enters.w));
        let met = enters < vec4f(RAY_NEVER);
        let is_first = (enters == vec4f(first)) & met;
        // Children that the ray misses, or meets too late, are never looked at again.
        var rest = dot(select(vec4u(0u), vec4u(1u, 2u, 4u, 8u), met), vec4u(1u));
        let bits = dot(select(vec4u(0u), vec4u(1u, 2u, 4u, 8u), is_first), vec4u(1u));
        let chosen = firstTrailingBit(bits);
        let found = bits != 0u;
        if found {
            rest &= ~(1u << chosen);
        }
        left[level / 8u] = (left[level / 8u] & ~(15u << shift)) | (rest << shift);
        if found && level > 1u {
            level -= 1u;
            node = 4u * node + chosen;
            left[level / 8u] |= children_of(level, node) << (4u * (level % 8u));
        } else if found {
            let slot = 4u * node + chosen;
            if may_meet(ray, slot) {
                let span = test_body(ray, slot);
                if span.verdict != MISS && span.first <= latest {
                    let is_hit = span.verdict == HIT;
                    let body = slot | select(0u, RAY_CERTAIN, is_hit);
                    if params.mode == RAYS_ANY && is_hit {
                        pending = body;
                        is_done = true;
                        break;
                    }
                    if params.mode == RAYS_NEAREST && is_hit && span.last < earliest {
                        // All others come later.
                        pending = body;
                        earliest = span.first;
                        latest = min(latest, span.last);
                    } else {
                        if pending != ABSENT {
                            list_extra(number, pending);
                        }
                        pending = body;
                        earliest = min(earliest, span.first);
                        if params.mode == RAYS_NEAREST && is_hit {
                            latest = min(latest, span.last);
                        }
                    }
                }
            }
        } else {
            // To the lowest level with children left.
            if (left.x | left.y) == 0u {
                is_done = true;
                break;
            }
            let next = select(8u + firstTrailingBit(left.y) / 4u, firstTrailingBit(left.x) / 4u, left.x != 0u);
            node = node >> (2u * (next - level));
            level = next;
        }
    }
    if is_done {
        hits[number] = vec4u(number, pending, 0u, 0u);
        states[number] = vec4u(ABSENT, 0u, 0u, 0u);
    } else {
        if pending != ABSENT {
            list_extra(number, pending);
        }
        states[number] = vec4u((level << 28u) | node, left, bitcast<u32>(latest));
        atomicAdd(&status[STATUS_RAYS_UNFINISHED], 1u);
    }
}

@compute @workgroup_size(BODY_THREADS)
fn cast_rays(
    @builtin(workgroup_id) id: vec3u,
    @builtin(num_workgroups) groups: vec3u,
    @builtin(local_invocation_index) lane: u32,
) {
    let group = group_number(id, groups);
    let number = group * BODY_THREADS + lane;
    if number < params.rays {
        cast_ray(number);
    }
    if lane == 0u && number < params.rays {
        sign_off(SIGN_CAST_RAYS, group);
    }
}
