// How two bodies meet, with the same bits on every adapter and on the CPU: the twins of src/manifold, where choices and errors are
// explained. For modules with an array `manifolds`, where contacts are written.
// import: lib/det, lib/solid

// One of three vectors.
fn pick3(k: u32, first: vec3f, second: vec3f, third: vec3f) -> vec3f {
    return select(select(third, second, k == 1u), first, k == 0u);
}

// The components in turn, from component k on.
fn turned(k: u32, v: vec3f) -> vec3f {
    return pick3(k, v, v.yzx, v.zxy);
}

fn axis_of(solid: Solid, k: u32) -> vec3f {
    return pick3(k, solid.x, solid.y, solid.z);
}

fn next_axis(k: u32) -> u32 {
    return select(k + 1u, 0u, k == 2u);
}

fn size_of_solid(solid: Solid) -> f32 {
    return det_max(det_max(solid.half.x, solid.half.y), solid.half.z);
}

fn signed_by(x: f32, positive: bool) -> f32 {
    return select(det_neg(x), x, positive);
}

fn signed_by3(v: vec3f, positive: bool) -> vec3f {
    return select(det_neg3(v), v, positive);
}

fn clamped(x: f32, most: f32) -> f32 {
    return select(signed_by(most, !(x < 0.0f)), x, det_abs(x) < most);
}

// A direction in the frame of a box, in the world.
fn direction_to_world(solid: Solid, local: vec3f) -> vec3f {
    return det_add3(det_add3(det_scale3(solid.x, local.x), det_scale3(solid.y, local.y)), det_scale3(solid.z, local.z));
}

fn point_to_world(solid: Solid, local: vec3f) -> vec3f {
    return det_add3(solid.center, det_add3(solid.center_low, direction_to_world(solid, local)));
}

// Normal, depth, kind and number of points of a contact: scaled, and with the bodies in the order of their kinds.
struct Contact {
    normal: vec3f,
    depth: f32,
    kind: u32,
    count: u32,
}

// Points are written as they are found: on the second body of the pair, as it was asked for.
struct Target {
    // Where the contact goes.
    at: u32,
    // Whether the bodies are the other way round.
    swapped: bool,
    // What the contact is scaled by.
    back: f32,
}

// The least depth of a contact, scaled: 0, or against as far as the bodies may be apart.
var<private> least_depth: f32;

var<private> contact: Contact;
var<private> contact_to: Target;
var<private> point_features: vec4u;

fn begin_contact(normal: vec3f, depth: f32, kind: u32) {
    contact = Contact(normal, depth, kind, 0u);
    point_features = vec4u();
}

// The kind with the bodies the other way round.
fn swapped_kind(kind: u32) -> u32 {
    return select(select(kind, CONTACT_FACE_A, kind == CONTACT_FACE_B), CONTACT_FACE_B, kind == CONTACT_FACE_A);
}

// A point on B, with a depth from the least to the contact's.
fn push_point(at: vec3f, raw_depth: f32, raw_feature: u32) {
    let k = contact.count;
    let depth = det_min(det_max(raw_depth, least_depth), contact.depth);
    var place = at;
    var kind = contact.kind;
    var feature = raw_feature;
    if contact_to.swapped {
        place = det_add3(at, det_scale3(contact.normal, depth));
        if kind == CONTACT_EDGES {
            feature = ((feature & 255u) << 8u) | (feature >> 8u);
        }
        kind = swapped_kind(kind);
    }
    let back = contact_to.back;
    manifolds[contact_to.at + 3u + k] = bitcast<vec4u>(vec4f(det_scale3(place, back), det_mul(depth, back)));
    let filled = vec4u(feature | (kind << 24u));
    point_features = select(point_features, filled, vec4u(k) == vec4u(0u, 1u, 2u, 3u));
    contact.count = k + 1u;
}

// All but the points, and zeros for those that there are not.
fn write_contact(a: u32, b: u32) {
    let normal = select(contact.normal, det_neg3(contact.normal), contact_to.swapped);
    let kind = select(contact.kind, swapped_kind(contact.kind), contact_to.swapped);
    let to = contact_to.at;
    manifolds[to] = bitcast<vec4u>(vec4f(normal, det_mul(contact.depth, contact_to.back)));
    manifolds[to + 1u] = vec4u(a, b, kind, contact.count);
    manifolds[to + 2u] = point_features;
    for (var k = contact.count; k < 4u; k++) {
        manifolds[to + 3u + k] = vec4u();
    }
}

fn depth_of(depth: f32, touching: bool) -> f32 {
    return select(det_max(depth, least_depth), 0.0f, touching);
}

// A later axis wins only by more than this share of the size.
const TOLERANCE = 0x1.8p-19f;

// Spheres.

const LEAST_SQUARE = 0x1p-70f;

// x - a b.
fn rest_of(x: f32, a: f32, b: f32) -> f32 {
    let product = det_two_prod(a, b);
    return det_sub(det_sub(x, product.high), product.low);
}

fn over(x: f32, inverse: f32, size: f32) -> f32 {
    let guess = det_mul(x, inverse);
    return det_add(guess, det_mul(inverse, rest_of(x, guess, size)));
}

// The unit vector along a vector, and its length, from the square of that.
fn direction(v: vec3f, square: f32) -> vec4f {
    let inverse = det_rsqrt(square);
    let guess = det_mul(square, inverse);
    let size = det_add(guess, det_mul(det_mul(0.5f, inverse), rest_of(square, guess, guess)));
    return vec4f(over(v.x, inverse, size), over(v.y, inverse, size), over(v.z, inverse, size), size);
}

fn meet_spheres(a: Solid, b: Solid, touching: bool) {
    let between = difference_of_centers(a, b);
    let square = det_length_squared3(between);
    let apart = !(square < LEAST_SQUARE);
    let found = direction(between, square);
    let normal = select(vec3f(1.0f, 0.0f, 0.0f), found.xyz, apart);
    let apart_by = select(0.0f, found.w, apart);
    let depth = depth_of(det_sub(det_add(a.half.x, b.half.x), apart_by), touching);
    begin_contact(normal, depth, CONTACT_ROUND);
    push_point(det_sub3(b.center, det_scale3(normal, b.half.x)), depth, 0u);
}

fn meet_sphere_and_box(sphere: Solid, cuboid: Solid, touching: bool) {
    let between = difference_of_centers(sphere, cuboid);
    let local = det_neg3(vec3f(det_dot3(cuboid.x, between), det_dot3(cuboid.y, between), det_dot3(cuboid.z, between)));
    let half = cuboid.half;
    var nearest = vec3f(clamped(local.x, half.x), clamped(local.y, half.y), clamped(local.z, half.z));
    let outward = det_sub3(local, nearest);
    let square = det_length_squared3(outward);
    var normal: vec3f;
    var out: f32;
    if square < LEAST_SQUARE {
        let tolerance = det_mul(TOLERANCE, det_add(size_of_solid(sphere), size_of_solid(cuboid)));
        var axis = 0u;
        var least = det_sub(half.x, det_abs(local.x));
        for (var k = 1u; k < 3u; k++) {
            let depth = det_sub(entry(half, k), det_abs(entry(local, k)));
            if det_add(depth, tolerance) < least {
                axis = k;
                least = depth;
            }
        }
        let positive = !(entry(local, axis) < 0.0f);
        let side = signed_by(entry(half, axis), positive);
        nearest = vec3f(
            select(nearest.x, side, axis == 0u),
            select(nearest.y, side, axis == 1u),
            select(nearest.z, side, axis == 2u),
        );
        normal = signed_by3(axis_of(cuboid, axis), !positive);
        out = det_neg(least);
    } else {
        let found = direction(outward, square);
        normal = det_neg3(direction_to_world(cuboid, found.xyz));
        out = found.w;
    }
    let depth = depth_of(det_sub(sphere.half.x, out), touching);
    begin_contact(normal, depth, CONTACT_ROUND);
    push_point(point_to_world(cuboid, nearest), depth, 0u);
}
