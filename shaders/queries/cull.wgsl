// Classifies bodies against the intersection of half-spaces: inside, crossing its border, or outside.
// import: lib/ledger, lib/tags, lib/filters

fn words(at: u32) -> vec3u {
    return vec3u(shapes[at], shapes[at + 1u], shapes[at + 2u]);
}

// The side of a body with respect to all planes: the maximum over them, and outside as soon as it is outside one of them.
fn side_of_all(body: u32, tag: u32) -> u32 {
    let at = RECORD_WORDS * body;
    let kind = tag & TAG_KIND;
    let first = words(at);
    let second = words(at + 3u);
    var b: Cuboid;
    var radius = 0u;
    var known = length_in_domain(first);
    if kind == KIND_SPHERE {
        known = known && length_in_domain(vec3u(second.x, 0u, 0u));
    } else if kind == KIND_AABB {
        known = known && length_in_domain(second);
    } else if kind == KIND_CAPSULE {
        radius = shapes[at + 6u];
        known = known && length_in_domain(second) && length_in_domain(vec3u(radius, 0u, 0u));
    } else if kind == KIND_PLANE || kind == KIND_CONVEX_HULL {
        // For the host: half-spaces are few, and hulls have corners.
        known = false;
    } else {
        let q = vec4u(words(at + 6u), shapes[at + 9u]);
        known = known && length_in_domain(second) && quaternion_in_domain(q);
        if known {
            b = Cuboid(bitcast<vec3f>(first), bitcast<vec3f>(second), rotation(scaled_quaternion(q)));
        }
    }
    var worst = SIDE_INSIDE;
    for (var k = 0u; k < params.planes; k += 1u) {
        let plane = planes[k];
        var here = SIDE_OPEN;
        if known && plane_in_domain(plane) {
            if kind == KIND_SPHERE {
                here = sphere_plane(first, bitcast<f32>(second.x), plane);
            } else if kind == KIND_AABB {
                here = aabb_plane(first, second, plane);
            } else if kind == KIND_CAPSULE {
                here = capsule_plane(first, second, bitcast<f32>(radius), plane);
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
        sides[place] = side_of_all(body, tag);
    }
    if lane == 0u {
        sign_off(SIGN_CULL, number);
    }
}
