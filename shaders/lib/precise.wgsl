// How far apart two bodies are, and where they are nearest, in double words: the twin of src/near/clearance.rs and src/near/precise.rs, where
// the error is explained. For modules with arrays `frames_a` and `frames_b`.
// import: lib/near, lib/det_heights

const PRECISE_ERROR = 0x1p-18f;
const PRECISE_NEARLY = 0x1p-14f;

// Where the frames of the two bodies begin, and how many axes each has.
var<private> frames_at: vec2u;
var<private> extents_of_both: vec2u;
// What lengths were multiplied by.
var<private> pair_scale: f32;
// From centre to centre.
var<private> precise_t: array<DetDouble, 3>;

fn frame_vector(second: bool, number: u32) -> vec4u {
    if second {
        return frames_b[frames_at.y + number];
    }
    return frames_a[frames_at.x + number];
}

fn frame_of(second: bool) -> NearFrame {
    let center = frame_vector(second, 0u);
    return NearFrame(
        bitcast<vec3f>(center.xyz),
        center.w,
        bitcast<vec3f>(frame_vector(second, 4u).xyz),
        bitcast<vec4f>(frame_vector(second, 1u)),
        bitcast<vec4f>(frame_vector(second, 2u)),
        bitcast<vec4f>(frame_vector(second, 3u)),
    );
}

// The axis of a generator with the half extent along it: high words, and low ones.
fn axis_high(generator: u32) -> vec4f {
    return bitcast<vec4f>(frame_vector(generator >= 3u, 1u + generator % 3u));
}

fn axis_low(generator: u32) -> vec4f {
    return bitcast<vec4f>(frame_vector(generator >= 3u, 5u + generator % 3u));
}

fn has_axis(generator: u32) -> bool {
    return generator % 3u < select(extents_of_both.x, extents_of_both.y, generator >= 3u);
}

fn set_precise_t(a: NearFrame, b: NearFrame) {
    for (var k = 0u; k < 3u; k++) {
        let from_a = DetDouble(det_mul(a.center[k], pair_scale), det_mul(a.center_low[k], pair_scale));
        let to_b = DetDouble(det_mul(b.center[k], pair_scale), det_mul(b.center_low[k], pair_scale));
        precise_t[k] = det_sub_double(to_b, from_a);
    }
}

// A length that the distance of the bodies is at least, and 0 or more: how far all differences are along a direction that is not 0.
fn precise_at_least(near: Near, towards: vec3f) -> f32 {
    let n = scaled_direction(towards);
    var along = dot_double(n, precise_t[0], precise_t[1], precise_t[2]);
    // (`zero` keeps compilers from writing this out six times.)
    for (var k = params.zero; k < 6u; k++) {
        if has_axis(k) {
            let high = axis_high(k);
            let low = axis_low(k);
            let cosine = dot_double(n, DetDouble(high.x, low.x), DetDouble(high.y, low.y), DetDouble(high.z, low.z));
            let half = DetDouble(det_mul(high.w, pair_scale), det_mul(low.w, pair_scale));
            along = det_sub_double(along, det_mul_double(abs_double(cosine), half));
        }
    }
    let height = det_mul_double(along, rsqrt_double(square_double(n)));
    let radii = det_two_sum(near.radii.x, near.radii.y);
    let gap = det_sub_double(det_sub_double(height, radii), single(det_mul(PRECISE_ERROR, near.error)));
    if !(gap.high > 0.0f) {
        return 0.0f;
    }
    // Rounded down.
    return det_hide(bitcast<u32>(gap.high) - select(0u, 1u, gap.low < 0.0f));
}

// The axis of a body that is nearest to a direction; 0 if it is a ball. Its generators begin with `first`.
fn nearest_axis(first: u32, towards: vec3f) -> vec3f {
    var nearest = vec3f();
    var largest = 0.0f;
    for (var k = first + params.zero; k < first + 3u && has_axis(k); k++) {
        let axis = axis_high(k).xyz;
        let along = det_dot3(axis, towards);
        if det_abs(along) > largest {
            largest = det_abs(along);
            nearest = select(axis, det_neg3(axis), along < 0.0f);
        }
    }
    return nearest;
}

// A direction without what it has of a generator.
fn without_generator(generator: u32, towards: vec3f) -> vec3f {
    let axis = axis_high(generator).xyz;
    return det_sub3(towards, det_scale3(axis, det_dot3(towards, axis)));
}

// A direction at right angles to those two of these generators that are furthest from parallel, and on the side of another; 0 if there are
// no two.
fn across_generators(free: u32, side: vec3f) -> vec3f {
    var found = vec3f();
    var largest = 0.0f;
    for (var i = params.zero; i < 5u; i++) {
        for (var j = i + 1u; j < 6u; j++) {
            if ((free >> i) & (free >> j) & 1u) == 0u {
                continue;
            }
            let normal = precise_cross(axis_high(i), axis_low(i), axis_high(j), axis_low(j));
            let square = det_dot3(normal, normal);
            if square > largest {
                largest = square;
                found = normal;
            }
        }
    }
    return select(found, det_neg3(found), det_dot3(found, side) < 0.0f);
}

fn precise_cross(a: vec4f, a_low: vec4f, b: vec4f, b_low: vec4f) -> vec3f {
    var found: vec3f;
    for (var k = params.zero; k < 3u; k++) {
        let x = (k + 1u) % 3u;
        let y = (k + 2u) % 3u;
        let plus = det_mul_double(DetDouble(a[x], a_low[x]), DetDouble(b[y], b_low[y]));
        let minus = det_mul_double(DetDouble(a[y], a_low[y]), DetDouble(b[x], b_low[x]));
        found[k] = det_sub_double(plus, minus).high;
    }
    return found;
}

// The generators that are nearly at right angles to a difference, given its error, a bit for each.
fn nearly_across(near: Near, towards: vec3f) -> u32 {
    let least = det_max(det_mul(PRECISE_NEARLY, det_dot3(towards, towards)), det_mul(near.error, near.error));
    var found = 0u;
    for (var k = params.zero; k < 6u; k++) {
        let along = det_dot3(towards, axis_high(k).xyz);
        found |= select(0u, 1u << k, has_axis(k) && det_mul(along, along) < least);
    }
    return found;
}

// The direction along which bodies are as far apart as `precise_distance` says.
var<private> best_direction: vec3f;

// The best of what is certain along some directions.
fn precise_distance(near: Near, way: vec3f) -> f32 {
    var best = 0.0f;
    best_direction = vec3f();
    let first = select(found_direction, way, all(found_direction == vec3f()));
    // With 0 among the differences, as far as f32 can tell, the bodies meet.
    if all(first == vec3f()) || found_inside {
        return best;
    }
    let free = found_free | nearly_across(near, first);
    // A ball is nearest to a corner, to an edge or to a face of a box, and unless it is nearly to another one, one direction is enough.
    var only = 10u;
    if found_of_ball && free == found_free {
        only = select(select(3u, 4u + firstTrailingBit(free), countOneBits(free) == 1u), 0u, free == 0u);
    }
    for (var turn = params.zero; turn < 10u; turn++) {
        // (At once, so that threads with different directions of their own do what follows together.)
        let k = select(turn, only, only < 10u);
        var towards = vec3f();
        if k == 0u {
            towards = first;
        } else if k <= 2u {
            towards = nearest_axis(3u * (k - 1u), first);
        } else if k == 3u {
            towards = across_generators(free, first);
        } else if ((free >> (k - 4u)) & 1u) == 1u {
            towards = without_generator(k - 4u, way);
        }
        if any(towards != vec3f()) {
            let found = precise_at_least(near, towards);
            if found > best {
                best = found;
                best_direction = towards;
            }
        }
        if only < 10u {
            break;
        }
    }
    return best;
}

struct Clearance {
    on_a: vec3f,
    away: f32,
    on_b: vec3f,
    // Whether the bodies are as far apart along the direction that was asked about, but for rounding.
    is_along: bool,
    // What rounding is in that.
    error: f32,
}

// The point of a generator's body that is so far from its centre.
fn point_from(frame: NearFrame, from_center: vec3f, back: f32) -> vec3f {
    return det_add3(frame.center, det_scale3(from_center, back));
}

// From the centre of a body to the sum of the shares of its generators.
fn sum_of_shares(first: u32) -> vec3f {
    var sum: vec3f;
    for (var k = 0u; k < 3u; k++) {
        let share = det_min(det_max(found_shares[first + k], det_neg(1.0f)), 1.0f);
        let part = det_scale3(generators[first + k], share);
        if k == 0u {
            sum = part;
        } else {
            sum = det_add3(sum, part);
        }
    }
    return sum;
}

// Besides, asks about a direction, unless it is 0.
fn clearance_of(a: NearFrame, b: NearFrame, asked: vec3f) -> Clearance {
    extents_of_both = vec2u(frame_extents(a), frame_extents(b));
    let no_solid = vec3f();
    let apart = difference_of_centers(
        Solid(a.center, a.center_low, no_solid, no_solid, no_solid, no_solid),
        Solid(b.center, b.center_low, no_solid, no_solid, no_solid, no_solid),
    );
    let size = max(largest_of(apart), max(frame_exponent(a), frame_exponent(b)));
    let near = near_scaled(a, b, vec3f(), size);
    if !near.in_domain {
        // For the host to compute.
        return Clearance(vec3f(), det_neg(1.0f), vec3f(), false, 0.0f);
    }
    pair_scale = bitcast<f32>((254u - size) << 23u);
    set_precise_t(a, b);
    search_nearest(near, det_neg(1.0f), NEAR_FARTHEST);
    let of_a = sum_of_shares(0u);
    let of_b = sum_of_shares(3u);
    let way = det_add3(det_add3(near.t, of_a), of_b);
    let back = bitcast<f32>(size << 23u);
    let away = precise_distance(near, way);
    var found = Clearance(vec3f(), det_mul(away, back), vec3f(), false, det_mul(near.error, back));
    if any(asked != vec3f()) {
        found.is_along = !(det_add(precise_at_least(near, asked), near.error) < away);
    }
    let reach = det_length3(way);
    if reach > det_add(near.radii.x, near.radii.y) {
        found.on_a = point_from(a, det_sub3(step_along(way, near.radii.x), of_a), back);
        found.on_b = point_from(b, det_sub3(of_b, step_along(way, near.radii.y)), back);
    } else {
        // The middle of what balls around both points have in common.
        let middle = det_mul(0.5f, det_sub(det_add(reach, near.radii.x), near.radii.y));
        let along = det_min(det_max(middle, 0.0f), reach);
        var share = 0.0f;
        if reach > 0.0f {
            share = det_div(along, reach);
        }
        found.on_a = point_from(a, det_sub3(det_scale3(way, share), of_a), back);
        found.on_b = found.on_a;
    }
    return found;
}
