// How far apart two bodies are, with the same bits on every adapter and on the CPU: the twins of src/near, where the search, its errors and
// its domain are explained.
// import: lib/solid, lib/simplex, lib/exponents

// Two bodies, scaled.
struct Near {
    in_domain: bool,
    t: vec3f,
    // The radii of both; 0 of a box.
    radii: vec2f,
    // The sum of all radii and margins.
    reach: f32,
    error: f32,
}

// Half extents times axes of both bodies.
var<private> generators: array<vec3f, 6>;

const NEAR_LEAST_EXPONENT = 67u;
const NEAR_MOST_EXPONENT = 187u;
const NEAR_REACH = 39u;
const NEAR_APART = 142u;
const NEAR_ERROR = 0x1p-18f;
const NEAR_ROUNDS = 24u;
const NEAR_CLOSE = 0x1p-21f;
const NEAR_LEAST_SQUARE = 0x1p-60f;

// A body of a pair: the first vectors of its frame.
struct NearFrame {
    center: vec3f,
    tag: u32,
    center_low: vec3f,
    x: vec4f,
    y: vec4f,
    z: vec4f,
}

fn frame_exponent(frame: NearFrame) -> u32 {
    return (frame.tag >> 8u) & 255u;
}

fn frame_has_size_in_domain(frame: NearFrame) -> bool {
    return frame_exponent(frame) != 0u || (frame.tag & FRAME_IS_POINT) != 0u;
}

// How many of its extents are along axes: three of a box, one of a capsule, none of a ball. What follows is the radius.
fn frame_extents(frame: NearFrame) -> u32 {
    let kind = frame.tag & FRAME_KIND;
    return select(select(3u, 1u, kind == KIND_CAPSULE), 0u, kind == KIND_SPHERE || kind == KIND_CONVEX_HULL);
}

// A body, scaled; the radius of a ball or a capsule, and the sum of the half extents of a box or a segment.
struct NearCore {
    solid: Solid,
    radius: f32,
    size: f32,
}

// Its generators go to their places from `first` on.
fn core_of(frame: NearFrame, first: u32, scale: f32) -> NearCore {
    let half = det_scale3(vec3f(frame.x.w, frame.y.w, frame.z.w), scale);
    let center = det_scale3(frame.center, scale);
    let center_low = det_scale3(frame.center_low, scale);
    let solid = Solid(center, center_low, half, frame.x.xyz, frame.y.xyz, frame.z.xyz);
    let extents = frame_extents(frame);
    if extents < 3u {
        generators[first] = select(det_scale3(solid.x, half.x), vec3f(), extents == 0u);
        generators[first + 1u] = vec3f();
        generators[first + 2u] = vec3f();
        return NearCore(solid, half.z, select(half.x, 0.0f, extents == 0u));
    }
    generators[first] = det_scale3(solid.x, half.x);
    generators[first + 1u] = det_scale3(solid.y, half.y);
    generators[first + 2u] = det_scale3(solid.z, half.z);
    return NearCore(solid, 0.0f, det_add(det_add(half.x, half.y), half.z));
}

fn near_of(a: NearFrame, b: NearFrame, margins: vec3f) -> Near {
    return near_scaled(a, b, margins, max(largest_of(margins), max(frame_exponent(a), frame_exponent(b))));
}

// Scaled so that a length of this exponent is from 1 to 2.
fn near_scaled(a: NearFrame, b: NearFrame, margins: vec3f, size: u32) -> Near {
    var near = Near(false, vec3f(), vec2f(), 0.0f, 0.0f);
    let within = frame_has_size_in_domain(a) && frame_has_size_in_domain(b) && size >= NEAR_LEAST_EXPONENT
        && size <= NEAR_MOST_EXPONENT;
    if !within || max(a.tag >> 16u, b.tag >> 16u) > size + NEAR_REACH {
        return near;
    }
    let scale = bitcast<f32>((254u - size) << 23u);
    let first = core_of(a, 0u, scale);
    let second = core_of(b, 3u, scale);
    near.t = difference_of_centers(first.solid, second.solid);
    if largest_of(near.t) > NEAR_APART {
        return near;
    }
    let m = vec3f(
        det_mul(det_clean(margins.x), scale),
        det_mul(det_clean(margins.y), scale),
        det_mul(det_clean(margins.z), scale),
    );
    near.radii = vec2f(first.radius, second.radius);
    near.reach = det_add(det_add(det_add(m.x, m.y), m.z), det_add(first.radius, second.radius));
    let sizes = det_add(det_add(det_abs(near.t.x), det_abs(near.t.y)), det_abs(near.t.z));
    near.error = det_mul(NEAR_ERROR, det_add(det_add(sizes, near.reach), det_add(first.size, second.size)));
    near.in_domain = true;
    return near;
}

// The search for the difference that is nearest to 0.

// The difference that is furthest against a direction.
fn corner_against(t: vec3f, towards: vec3f) -> Corner {
    var corner = Corner(t, 0u);
    for (var k = 0u; k < 6u; k++) {
        let generator = generators[k];
        let added = det_dot3(generator, towards) < 0.0f;
        corner.at = select(det_sub3(corner.at, generator), det_add3(corner.at, generator), added);
        corner.signs |= select(0u, 1u << k, added);
    }
    return corner;
}

// Where a search has ended: the direction along which all differences were furthest from 0, how much of each generator is in the
// difference that was nearest, along which generators that may be moved, a bit for each, and whether 0 is among the differences.
var<private> found_direction: vec3f;
var<private> found_shares: array<f32, 6>;
var<private> found_free: u32;
var<private> found_inside: bool;
// Whether the pair is a ball and a box, so that no other generators can be meant.
var<private> found_of_ball: bool;

fn is_ball(first: u32) -> bool {
    return all(generators[first] == vec3f()) && all(generators[first + 1u] == vec3f())
        && all(generators[first + 2u] == vec3f());
}

// A ball, or a box that is a point, and a box.
fn search_ball(near: Near) {
    var nearest = near.t;
    found_free = 0u;
    found_shares = array<f32, 6>();
    // (Those of the ball are 0.)
    let first = select(0u, 3u, is_ball(0u));
    for (var k = first; k < first + 3u; k++) {
        let generator = generators[k];
        let along = det_dot3(generator, near.t);
        let square = det_dot3(generator, generator);
        var share = 0.0f;
        if square > NEAR_LEAST_SQUARE {
            if det_abs(along) < square {
                found_free |= 1u << k;
                share = det_neg(det_div(along, square));
            } else {
                share = select(det_neg(1.0f), 1.0f, along < 0.0f);
            }
            nearest = det_add3(nearest, det_scale3(generator, share));
        }
        found_shares[k] = share;
    }
    found_direction = select(nearest, vec3f(), det_dot3(nearest, nearest) < NEAR_LEAST_SQUARE);
    found_inside = found_free == 7u || found_free == 56u;
    found_of_ball = true;
}

// Ends as soon as the distance of the cores is clearly below `close`, if that is above 0, or clearly above `far`.
fn search_nearest(near: Near, close: f32, far: f32) {
    if is_ball(0u) || is_ball(3u) {
        search_ball(near);
        return;
    }
    let first = corner_against(near.t, near.t);
    var simplex = simplex_of(first);
    var nearest = first.at;
    var furthest = 0.0f;
    found_direction = vec3f();
    for (var turn = 0u; turn < NEAR_ROUNDS; turn++) {
        let square = det_dot3(nearest, nearest);
        if square < NEAR_LEAST_SQUARE || (close > 0.0f && square < det_mul(close, close)) {
            break;
        }
        let corner = corner_against(near.t, nearest);
        let along = det_dot3(nearest, corner.at);
        let height = det_mul(along, det_rsqrt(square));
        if height > furthest {
            found_direction = nearest;
            furthest = height;
        }
        if height > far || det_sub(square, along) < det_mul(NEAR_CLOSE, square) || simplex_has(simplex, corner.signs) {
            break;
        }
        let grown = simplex_with(simplex, corner);
        let point = point_of_simplex(grown);
        if !(det_dot3(point, point) < square) {
            break;
        }
        simplex = grown;
        nearest = point;
        if simplex.count == 4u {
            break;
        }
    }
    for (var axis = 0u; axis < 6u; axis++) {
        var share = 0.0f;
        for (var k = 0u; k < simplex.count; k++) {
            let weight = simplex.weights[k];
            let added = ((simplex.signs[k] >> axis) & 1u) == 1u;
            share = det_add(share, select(det_neg(weight), weight, added));
        }
        found_shares[axis] = share;
    }
    found_free = 0u;
    for (var k = 1u; k < simplex.count; k++) {
        found_free |= simplex.signs[k] ^ simplex.signs[0];
    }
    found_inside = simplex.count == 4u;
    found_of_ball = false;
}

// A length that the distance of the cores exceeds, but for the error.
fn near_at_least(near: Near, towards: vec3f) -> f32 {
    var along = det_dot3(towards, near.t);
    for (var k = 0u; k < 6u; k++) {
        along = det_sub(along, det_abs(det_dot3(towards, generators[k])));
    }
    return det_mul(along, det_rsqrt(det_dot3(towards, towards)));
}

// A length that is at least the distance of the cores, but for the error.
fn near_at_most(near: Near) -> f32 {
    var sum = near.t;
    for (var k = 0u; k < 6u; k++) {
        let share = det_min(det_max(found_shares[k], det_neg(1.0f)), 1.0f);
        sum = det_add3(sum, det_scale3(generators[k], share));
    }
    return det_length3(sum);
}

fn near_verdict(near: Near) -> u32 {
    let twice = det_add(near.error, near.error);
    search_nearest(near, det_sub(near.reach, twice), det_add(near.reach, twice));
    if det_sub(near_at_least(near, found_direction), near.error) > near.reach {
        return MISS;
    }
    if det_add(near_at_most(near), near.error) < near.reach {
        return HIT;
    }
    return UNDECIDED;
}
