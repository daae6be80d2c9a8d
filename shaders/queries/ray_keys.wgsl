// Prepares the slots for the tree that rays descend: copies their bounds, so that a ray finds everything in one buffer, and computes where they are
// along the curve, so that the tree is cut where cells of the curve end. Each thread has two slots.
// import: lib/ledger, lib/hull_record, lib/curve

// The middle of the body in a slot and its size, as of the record from which it was gathered.
fn middle_of(slot: u32, kind: u32) -> vec4f {
    let first = bitcast<vec3f>(slot_shapes[2u * slot].xyz);
    let second = slot_shapes[2u * slot + 1u];
    var middle = first;
    var sides = bitcast<vec3f>(second.xyz);
    if kind == KIND_SPHERE {
        sides = vec3f(sides.x);
    } else if kind == KIND_AABB {
        middle = 0.5 * sides + 0.5 * first;
        sides = 0.5 * sides - 0.5 * first;
    } else if kind == KIND_CAPSULE {
        middle = 0.5 * sides + 0.5 * first;
        sides = abs(0.5 * sides - 0.5 * first) + vec3f(bitcast<f32>(second.w));
    } else if kind == KIND_CONVEX_HULL {
        sides = vec3f(hull_reach(second.x));
    } else if kind == KIND_PLANE {
        // It is everywhere.
        middle = vec3f(0.0);
        sides = vec3f(0x1.fffffep+127f);
    }
    return vec4f(middle, max(max(sides.x, sides.y), sides.z));
}

// The world of the body in a slot, and its key. A slot without a body has those of the last body before it, so that keys stay sorted where classes end; and
// where there is none for so long, as behind the last class, the highest of all.
fn key_of(slot: u32) -> vec2u {
    var at = slot;
    for (var k = 1u; k < WIDTH && at > 0u && slot_bounds[2u * at].w == ABSENT; k++) {
        at = slot - k;
    }
    if slot_bounds[2u * at].w == ABSENT {
        return vec2u(ABSENT);
    }
    var world = 0u;
    if (params.flags & WORLDS) != 0u {
        world = slot_traits[at].w;
    }
    if params.curve_bits == 0u {
        // The slots are in no order.
        return vec2u(world, 0u);
    }
    return vec2u(world, curve_key(middle_of(at, slot_bounds[2u * at + 1u].w & TAG_KIND), true).x);
}

@compute @workgroup_size(BODY_THREADS)
fn ray_keys(
    @builtin(workgroup_id) id: vec3u,
    @builtin(num_workgroups) groups: vec3u,
    @builtin(local_invocation_index) lane: u32,
) {
    let group = group_number(id, groups);
    let pair = group * BODY_THREADS + lane;
    // (There is an even number of slots.)
    if 2u * pair < params.slots {
        for (var k = 0u; k < 4u; k++) {
            tree[4u * pair + k] = slot_bounds[4u * pair + k];
        }
        tree[params.keys + pair] = vec4u(key_of(2u * pair), key_of(2u * pair + 1u));
    }
    if pair == 0u {
        // The node of the highest level is of all slots, and has no node above it.
        tree[params.nodes] = vec4u(0u, params.slots, 0u, 0u);
        tree[params.nodes + 2u] = vec4u(0u, 0u, ABSENT, 0u);
        atomicStore(&status[STATUS_RAY_LEVELS], 1u);
    }
    if lane == 0u && 2u * pair < params.slots {
        sign_off(SIGN_RAY_KEYS, group);
    }
}
