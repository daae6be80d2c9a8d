// Which bodies lie in the intersection of half-spaces, cross its border, or lie outside.

// Ten words per body, as bits: sphere (centre, radius), aligned box (min, max), oriented box (centre, half extents,
// quaternion).
@group(0) @binding(1) var<storage, read> shapes: array<u32>;
// A byte per body: the kind, enabled, fixed.
@group(0) @binding(2) var<storage, read> tags: array<u32>;
// Normal and offset, as bits; there are params.keys.
@group(0) @binding(3) var<storage, read> planes: array<vec4u>;
@group(0) @binding(4) var<storage, read_write> sides: array<u32>;
@group(0) @binding(5) var<storage, read_write> status: array<atomic<u32>>;

const SPHERE = 0u;
const ALIGNED = 1u;
const KIND = 3u;
const ENABLED = 4u;

fn words(at: u32) -> vec3u {
    return vec3u(shapes[at], shapes[at + 1u], shapes[at + 2u]);
}

// The worst side over all planes; outside one is outside all.
fn side_of_all(body: u32, tag: u32) -> u32 {
    let at = 10u * body;
    let kind = tag & KIND;
    let first = words(at);
    let second = words(at + 3u);
    var b: Cuboid;
    var known = length_in_domain(first);
    if kind == SPHERE {
        known = known && length_in_domain(vec3u(second.x, 0u, 0u));
    } else if kind == ALIGNED {
        known = known && length_in_domain(second);
    } else {
        let q = vec4u(words(at + 6u), shapes[at + 9u]);
        known = known && length_in_domain(second) && quaternion_in_domain(q);
        if known {
            b = Cuboid(bitcast<vec3f>(first), bitcast<vec3f>(second), rotation(scaled_quaternion(q)));
        }
    }
    var worst = INSIDE;
    for (var k = 0u; k < params.keys; k += 1u) {
        let plane = planes[k];
        var here = OPEN;
        if known && plane_in_domain(plane) {
            if kind == SPHERE {
                here = sphere_plane(first, bitcast<f32>(second.x), plane);
            } else if kind == ALIGNED {
                here = aabb_plane(first, second, plane);
            } else {
                here = obb_plane(b, plane);
            }
        }
        if here == OUTSIDE {
            return OUTSIDE;
        }
        worst = max(worst, here);
    }
    return worst;
}

@compute @workgroup_size(64)
fn cull(
    @builtin(workgroup_id) id: vec3u,
    @builtin(num_workgroups) groups: vec3u,
    @builtin(local_invocation_index) lane: u32,
) {
    let number = group_number(id, groups);
    let place = number * 64u + lane;
    if place >= params.bodies {
        return;
    }
    let body = params.first_slot + place;
    let tag = tags[body / 4u] >> (8u * (body % 4u));
    if (tag & ENABLED) == 0u {
        sides[place] = OUTSIDE;
    } else {
        sides[place] = side_of_all(body, tag);
    }
    if lane == 0u {
        sign_off(SIGN_CULL, number);
    }
}
