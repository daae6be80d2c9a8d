// Casts rays: each thread descends the tree with one ray, nearest nodes first, and lists the bodies that may be its hits. Their times
// are computed afterwards, by the stage `time_hits`, for few bodies of each ray: a body is listed only if its interval of times overlaps
// that of the earliest body so far.
//
// A thread stops after params.steps nodes, and leaves its place in `states`, from which the next dispatch goes on.
// import: lib/ledger, lib/descent, lib/own_stack, lib/ray_bodies

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
    var found = Found(ABSENT, RAY_NEVER, last_of(ray));
    var current = RAY_NODE;
    stacked = 0u;
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
        found.latest = bitcast<f32>(hits[number].z);
        resume(ray, state, found.latest);
        current = state.x;
    }
    var step = 0u;
    // (A ray stops at nodes only.)
    while current != ABSENT && (step < params.steps || !is_inner(current)) {
        // Threads that have come to a body wait for the others, for one node at most, and test their bodies together.
        for (var k = 0u; k < NODES_AT_ONCE && is_inner(current); k++) {
            step += 1u;
            current = open_node(ray, current, found.latest, 15u);
            if current == ABSENT {
                current = pop(found.latest);
            }
        }
        if !is_body(current) {
            continue;
        }
        let slot = slot_of(current);
        if may_meet(ray, slot) {
            let span = test_body(ray, slot, current >> RAY_KIND_SHIFT);
            found = noted(number, found, slot, span);
            if params.mode == RAYS_ANY && is_certain(found.pending) {
                current = ABSENT;
                break;
            }
        }
        current = pop(found.latest);
    }
    if current == ABSENT {
        hits[number] = vec4u(number, found.pending, 0u, 0u);
        states[number] = vec4u(ABSENT, 0u, 0u, 0u);
    } else {
        if found.pending != ABSENT {
            list_extra(number, found.pending);
        }
        leave(number, current, found.latest);
    }
}

@compute @workgroup_size(BODY_THREADS)
fn cast_rays(
    @builtin(workgroup_id) id: vec3u,
    @builtin(num_workgroups) groups: vec3u,
    @builtin(local_invocation_index) lane: u32,
) {
    let group = group_number(id, groups);
    let first = group * params.each * BODY_THREADS;
    for (var k = 0u; k < params.each; k++) {
        let number = first + k * BODY_THREADS + lane;
        if number < params.rays {
            cast_ray(number);
        }
    }
    if lane == 0u && first < params.rays {
        sign_off(SIGN_CAST_RAYS, group);
    }
}
