// Rays as they are cast, whether they meet bodies, and what is found of them. For modules with the buffers of `cast_rays`, and with flags, traits, the
// vectors of a ray, the mode and the room for extras in their params.
// import: lib/ray_spans

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

// What is found of a ray: the body that may be the nearest; when the ray enters that or any other listed one at the earliest; and after when no body matters.
struct Found {
    pending: u32,
    earliest: f32,
    latest: f32,
}

// After when no body matters to a ray that begins. (Those outside the domain may be further away than all times that are computed with.)
fn last_of(ray: Ray) -> f32 {
    return select(ray.limit, FLT_MAX, ray.limit >= RAY_LATEST);
}

fn is_certain(body: u32) -> bool {
    return body != ABSENT && (body & RAY_CERTAIN) != 0u;
}

// What is found of a ray with one more body, if it may meet that between these times.
fn noted(ray: u32, found: Found, slot: u32, span: Span) -> Found {
    if span.verdict == MISS || span.first > found.latest {
        return found;
    }
    let is_hit = span.verdict == HIT;
    let body = slot | select(0u, RAY_CERTAIN, is_hit);
    if params.mode == RAYS_ANY && is_hit {
        return Found(body, 0.0, 0.0);
    }
    let latest = select(found.latest, min(found.latest, span.last), params.mode == RAYS_NEAREST && is_hit);
    if params.mode == RAYS_NEAREST && is_hit && span.last < found.earliest {
        // All others come later.
        return Found(body, span.first, latest);
    }
    if found.pending != ABSENT {
        list_extra(ray, found.pending);
    }
    return Found(body, min(found.earliest, span.first), latest);
}
