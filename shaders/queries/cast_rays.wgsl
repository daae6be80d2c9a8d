// Casts rays: each thread descends the tree with one ray, nearest nodes first, and lists the bodies that may be its hits. Their times
// are computed afterwards, by the stage `time_hits`, for few bodies of each ray: a body is listed only if its interval of times overlaps
// that of the earliest body so far.
//
// A thread stops after params.steps nodes, and leaves its place in `states`, from which the next dispatch goes on.
// import: lib/ledger, lib/descent, lib/ray_spans

struct Ray {
    origin: vec3f,
    direction: vec3f,
    inverse: vec3f,
    limit: f32,
    traits: vec4u,
    is_fixed: bool,
}

fn load_ray(number: u32) -> Ray {
    let first = rays[params.ray_vectors * number];
    let second = rays[params.ray_vectors * number + 1u];
    var ray: Ray;
    ray.origin = bitcast<vec3f>(first.xyz);
    ray.direction = bitcast<vec3f>(second.xyz);
    let rates = max(abs(ray.direction), vec3f(RAY_NODE_RATE));
    ray.inverse = 1.0 / select(rates, -rates, ray.direction < vec3f(0.0));
    ray.limit = bitcast<f32>(first.w);
    ray.is_fixed = (second.w & RAY_FIXED) != 0u;
    ray.traits = params.traits;
    if params.ray_vectors > 2u {
        ray.traits = rays[params.ray_vectors * number + 2u];
    }
    return ray;
}

// Which children of a node a ray enters, and when: their keys.
fn enter_children(ray: Ray, node: Node, latest: f32, wanted: u32) -> vec4u {
    let low = opaque(node.corner - ray.origin);
    let reach = largest3(max(abs(low), abs(low + 256.0 * node.step)));
    let pad = select(vec3f(1.0), vec3f(-1.0), ray.direction < vec3f(0.0)) * (reach * RAY_NODE_PAD + TINY);
    // Along each axis the ray meets the end that is q of 256 parts above 1 at the time scale * (1 + q / 256) + begin.
    let scale = 256.0 * node.step * ray.inverse;
    let begin = ((low - pad) - 256.0 * node.step) * ray.inverse;
    let end = ((low + pad) - 256.0 * node.step) * ray.inverse;
    let nears = select(node.begins, node.ends, ray.direction < vec3f(0.0));
    let fars = select(node.ends, node.begins, ray.direction < vec3f(0.0));
    var near = max(
        max(scale.x * parts(nears.x) + begin.x, scale.y * parts(nears.y) + begin.y),
        max(scale.z * parts(nears.z) + begin.z, vec4f()),
    );
    let far = min(
        min(scale.x * parts(fars.x) + end.x, scale.y * parts(fars.y) + end.y),
        min(scale.z * parts(fars.z) + end.z, vec4f(latest)),
    );
    var met = near <= far;
    if !(reach <= RAY_VAST) {
        // Products may have overflowed.
        near = vec4f();
        met = vec4<bool>(true);
    }
    return keys(near, met & are_set(node.present & wanted));
}

// Opens a node: the nearest of its children that a ray enters is returned, and the others wait.
fn open_node(ray: Ray, place: u32, latest: f32, wanted: u32) -> u32 {
    if !has_world(place, ray.traits.w) {
        return ABSENT;
    }
    let node = load_node(place);
    return stack_children(node.children, enter_children(ray, node, latest, wanted));
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

fn test_body(ray: Ray, slot: u32, kind: u32) -> Span {
    let first = slot_shapes[2u * slot];
    if (first.w & OUTSIDE_DOMAIN) != 0u {
        return Span(UNDECIDED, 0.0, FLT_MAX);
    }
    let second = slot_shapes[2u * slot + 1u];
    if kind == KIND_SPHERE {
        return sphere_span(ray.origin, ray.direction, ray.limit, bitcast<vec3f>(first.xyz), bitcast<f32>(second.x));
    }
    if kind == KIND_AABB {
        return aabb_span(ray.origin, ray.direction, ray.limit, bitcast<vec3f>(first.xyz), bitcast<vec3f>(second.xyz));
    }
    if kind == KIND_CAPSULE {
        return capsule_span(ray.origin, ray.direction, ray.limit, bitcast<vec3f>(first.xyz), bitcast<vec4f>(second));
    }
    if kind == KIND_PLANE {
        return half_space_span(ray.origin, ray.direction, ray.limit, bitcast<vec3f>(first.xyz), bitcast<f32>(second.x));
    }
    if kind == KIND_CONVEX_HULL {
        // What does not meet its bounds does not meet it; the rest is for the host.
        let low = bitcast<vec3f>(tree[2u * slot].xyz);
        let high = bitcast<vec3f>(tree[2u * slot + 1u].xyz);
        let span = aabb_span(ray.origin, ray.direction, ray.limit, low, high);
        return Span(select(UNDECIDED, MISS, span.verdict == MISS), span.first, FLT_MAX);
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

// Leaves the node that a ray is at for the next dispatch, and all that waits, as one bit for each child of the nodes above it, the lowest first.
fn leave(number: u32, current: u32, latest: f32) {
    var left = vec3u();
    var level = 0u;
    for (var node = parent_of(current & ~RAY_NODE); node != ABSENT; node = parent_of(node)) {
        let children = tree[params.nodes + 4u * node + 3u];
        for (var k = 0u; k < 3u && stacked > 0u; k++) {
            let waits = select(vec4u(), vec4u(1u, 2u, 4u, 8u), children == vec4u(stack[stacked - 1u].x));
            let bit = waits.x | waits.y | waits.z | waits.w;
            if bit == 0u {
                break;
            }
            left[level / 8u] |= bit << (4u * (level % 8u));
            stacked -= 1u;
        }
        level += 1u;
    }
    states[number] = vec4u(current, left);
    hits[number] = vec4u(number, ABSENT, bitcast<u32>(latest), 0u);
    atomicAdd(&status[STATUS_RAYS_UNFINISHED], 1u);
}

// Fills the stack with what a ray has left, beginning with what is left of the highest node.
fn resume(ray: Ray, state: vec4u, latest: f32) {
    var levels = 0u;
    for (var node = parent_of(state.x & ~RAY_NODE); node != ABSENT; node = parent_of(node)) {
        levels += 1u;
    }
    for (var level = levels; level > 0u; level--) {
        var node = state.x & ~RAY_NODE;
        for (var k = 0u; k < level; k++) {
            node = parent_of(node);
        }
        let wanted = (state[1u + (level - 1u) / 8u] >> (4u * ((level - 1u) % 8u))) & 15u;
        let nearest = open_node(ray, RAY_NODE | node, latest, wanted);
        if nearest != ABSENT {
            // (How near it is was said before it was left.)
            stack[stacked] = vec2u(nearest, 0u);
            stacked += 1u;
        }
    }
}

fn cast_ray(number: u32) {
    let ray = load_ray(number);
    // No body after this time matters. (Those outside the domain may be further away than all times that are computed with.)
    var latest = select(ray.limit, FLT_MAX, ray.limit >= RAY_LATEST);
    var current = RAY_NODE;
    if params.begin == 1u {
        hits[number] = vec4u(number, ABSENT, 0u, 0u);
        states[number] = vec4u(ABSENT, 0u, 0u, 0u);
        if (rays[params.ray_vectors * number + 1u].w & RAY_SKIPPED) != 0u {
            return;
        }
    } else {
        let state = states[number];
        if state.x == ABSENT {
            return;
        }
        latest = bitcast<f32>(hits[number].z);
        resume(ray, state, latest);
        current = state.x;
    }
    // The body that may be the nearest, and when the ray enters that or any other listed one at the earliest.
    var pending = ABSENT;
    var earliest = RAY_NEVER;
    var step = 0u;
    // (A ray stops at nodes only.)
    while current != ABSENT && (step < params.steps || !is_inner(current)) {
        // Threads that have come to a body wait for the others, for one node at most, and test their bodies together.
        for (var k = 0u; k < NODES_AT_ONCE && is_inner(current); k++) {
            step += 1u;
            current = open_node(ray, current, latest, 15u);
            if current == ABSENT {
                current = pop(latest);
            }
        }
        if !is_body(current) {
            continue;
        }
        let slot = slot_of(current);
        if may_meet(ray, slot) {
            let span = test_body(ray, slot, current >> RAY_KIND_SHIFT);
            if span.verdict != MISS && span.first <= latest {
                let is_hit = span.verdict == HIT;
                let body = slot | select(0u, RAY_CERTAIN, is_hit);
                if params.mode == RAYS_ANY && is_hit {
                    pending = body;
                    current = ABSENT;
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
        current = pop(latest);
    }
    if current == ABSENT {
        hits[number] = vec4u(number, pending, 0u, 0u);
        states[number] = vec4u(ABSENT, 0u, 0u, 0u);
    } else {
        if pending != ABSENT {
            list_extra(number, pending);
        }
        leave(number, current, latest);
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
