// Classifies bodies against the intersection of half-spaces: inside, crossing its border, or outside.
// import: lib/ledger, lib/tags, lib/filters

fn words(at: u32) -> vec3u {
    return vec3u(shapes[at], shapes[at + 1u], shapes[at + 2u]);
}

// A half-space in the domain and another: across its border, unless the normals may be parallel.
fn half_space_plane(own: vec4u, plane: vec4u) -> u32 {
    let a = reals(own.xyz);
    let b = reals(plane.xyz);
    let left = a * b.yzx;
    let right = a.yzx * b;
    let bounds = NORMALS * U * (abs(left) + abs(right)) + TINY;
    return select(SIDE_OPEN, SIDE_CROSSING, any(abs(left - right) > bounds));
}

// A hull in the domain and a half-space, given a box around the hull that has its place and its axes: by the box, and then by all corners.
fn hull_plane(around: Cuboid, form: vec4u, plane: vec4u) -> u32 {
    let by_box = obb_plane(around, plane);
    if by_box == SIDE_OUTSIDE || by_box == SIDE_INSIDE {
        return by_box;
    }
    let n = reals(plane.xyz);
    let d = Real(bitcast<f32>(plane.w));
    let c = opaque(around.center);
    let seen = n * around.axes;
    let sizes = Real(bitcast<f32>(form.z)) + HULL_LEAST_SUM;
    let bound = OBB_C * U * dot(abs(n), abs(c)) + OBB_D * U * abs(d) + OBB_E * U * sum3(abs(n)) * sizes + TINY;
    var least = dot(seen, reals(hulls[form.x].xyz));
    var greatest = least;
    for (var i = 1u; i < form.y; i += 1u) {
        let height = dot(seen, reals(hulls[form.x + i].xyz));
        least = min(least, height);
        greatest = max(greatest, height);
    }
    let middle = dot(n, c) - d;
    return side_between(middle + least, bound, middle + greatest, bound);
}

// The side of a body with respect to all planes, given that of those before: the maximum over them, and outside as soon as it is outside one of them.
fn side_of_all(body: u32, tag: u32, before: u32) -> u32 {
    if before == SIDE_OUTSIDE {
        return SIDE_OUTSIDE;
    }
    let at = RECORD_WORDS * body;
    let kind = tag & TAG_KIND;
    let first = words(at);
    var second = words(at + 3u);
    var b: Cuboid;
    var radius = 0u;
    var form: vec4u;
    var known = length_in_domain(first);
    if kind == KIND_SPHERE {
        known = known && length_in_domain(vec3u(second.x, 0u, 0u));
    } else if kind == KIND_AABB {
        known = known && length_in_domain(second);
    } else if kind == KIND_CAPSULE {
        radius = shapes[at + 6u];
        known = known && length_in_domain(second) && length_in_domain(vec3u(radius, 0u, 0u));
    } else if kind == KIND_PLANE {
        known = plane_in_domain(vec4u(first, second.x));
    } else {
        if kind == KIND_CONVEX_HULL {
            form = hulls[second.x & ((1u << HULL_FORM_BITS) - 1u)];
            known = known && form.y * params.planes <= CULL_CORNERS;
            // (As large as the largest numbers, it is beyond them: infinite, and not 0 without a sign.)
            second = vec3u(min((second.x >> HULL_FORM_BITS) + HULL_STEP_BITS - 1u, 255u) << 23u);
        }
        let q = vec4u(words(at + 6u), shapes[at + 9u]);
        known = known && length_in_domain(second) && quaternion_in_domain(q);
        if known {
            b = Cuboid(bitcast<vec3f>(first), bitcast<vec3f>(second), rotation(scaled_quaternion(q)));
        }
    }
    var worst = before;
    for (var k = 0u; k < params.planes; k += 1u) {
        let plane = planes[params.first_plane + k];
        var here = SIDE_OPEN;
        if known && plane_in_domain(plane) {
            if kind == KIND_SPHERE {
                here = sphere_plane(first, bitcast<f32>(second.x), plane);
            } else if kind == KIND_AABB {
                here = aabb_plane(first, second, plane);
            } else if kind == KIND_CAPSULE {
                here = capsule_plane(first, second, bitcast<f32>(radius), plane);
            } else if kind == KIND_PLANE {
                here = half_space_plane(vec4u(first, second.x), plane);
            } else if kind == KIND_CONVEX_HULL {
                here = hull_plane(b, form, plane);
            } else {
                here = obb_plane(b, plane);
            }
        }
        if here == SIDE_OUTSIDE {
            return SIDE_OUTSIDE;
        }
        worst = max(worst, here);
    }
    return worst;
}

@compute @workgroup_size(BODY_THREADS)
fn cull(
    @builtin(workgroup_id) id: vec3u,
    @builtin(num_workgroups) groups: vec3u,
    @builtin(local_invocation_index) lane: u32,
) {
    let number = group_number(id, groups);
    let place = number * BODY_THREADS + lane;
    if place >= params.bodies {
        return;
    }
    let body = params.first_body + place;
    let tag = tag_of(body);
    if (tag & TAG_ENABLED) == 0u {
        sides[place] = SIDE_OUTSIDE;
    } else {
        var before = SIDE_INSIDE;
        if params.first_plane != 0u {
            before = sides[place];
        }
        sides[place] = side_of_all(body, tag, before);
    }
    if lane == 0u {
        sign_off(SIGN_CULL, number);
    }
}
