// When two moving bodies first touch, with the same bits on every adapter and on the CPU: the twin of src/near/sweep, where the errors
// are explained.
// import: lib/near

const SWEEP_FURTHEST = 30u;
const SWEEP_ROUNDS = 128u;
const SWEEP_MOMENTS = 4u;
const SWEEP_TURNED = 0x1p-20f;
const SWEEP_ANGLE = 0x1p-22f;
const SWEEP_WAY = 0x1p-40f;
const SWEEP_LESS = 0x1.ffffep-1f;
const SWEEP_MORE = 0x1p-18f;
const SWEEP_NEARLY = 0x1p-14f;

// How a body moves.
struct Course {
    way: vec3f,
    angle: f32,
    axis: vec3f,
    exponent: u32,
    arm: vec3f,
    reach: f32,
}

fn course_of(first: vec4u, second: vec4u, third: vec4u) -> Course {
    return Course(
        bitcast<vec3f>(first.xyz),
        bitcast<f32>(first.w),
        bitcast<vec3f>(second.xyz),
        second.w,
        bitcast<vec3f>(third.xyz),
        bitcast<f32>(third.w),
    );
}

fn cleaned3(v: vec3f) -> vec3f {
    return vec3f(det_clean(v.x), det_clean(v.y), det_clean(v.z));
}

// A body of a pair, scaled.
struct MovingBody {
    half: vec3f,
    radius: f32,
    extents: u32,
    way: vec3f,
    arm: vec3f,
    axis: vec3f,
    angle: f32,
    reach: f32,
}

// The axes of both bodies at the start, and at the moment that is looked at.
var<private> axes_at_start: array<vec3f, 6>;
var<private> axes_now: array<vec3f, 6>;
var<private> halves: array<f32, 6>;
var<private> extents_of: array<u32, 2>;

// Keeps the axes of a body, whose generators begin with `first`.
fn keep_axes(frame: NearFrame, body: MovingBody, first: u32) {
    axes_at_start[first] = frame.x.xyz;
    axes_at_start[first + 1u] = frame.y.xyz;
    axes_at_start[first + 2u] = frame.z.xyz;
    halves[first] = body.half.x;
    halves[first + 1u] = body.half.y;
    halves[first + 2u] = body.half.z;
    extents_of[first / 3u] = body.extents;
}

fn moving_body(frame: NearFrame, course: Course, scale: f32) -> MovingBody {
    let extents = frame_extents(frame);
    let lengths = det_scale3(vec3f(frame.x.w, frame.y.w, frame.z.w), scale);
    return MovingBody(
        select(vec3f(), lengths, vec3u(0u, 1u, 2u) < vec3u(extents)),
        select(lengths.z, 0.0f, extents == 3u),
        extents,
        det_scale3(cleaned3(course.way), scale),
        det_scale3(cleaned3(course.arm), scale),
        cleaned3(course.axis),
        det_clean(course.angle),
        det_mul(det_clean(course.reach), scale),
    );
}

fn sum_of_magnitudes(v: vec3f) -> f32 {
    return det_add(det_add(det_abs(v.x), det_abs(v.y)), det_abs(v.z));
}

// A vector turned about an axis, less the vector.
fn turned_by(v: vec3f, axis: vec3f, sine: f32, versine: f32) -> vec3f {
    let across = det_cross3(axis, v);
    return det_add3(det_scale3(across, sine), det_scale3(det_cross3(axis, across), versine));
}

// Sets the axes of a body at a time. Returns how far the turn has taken its centre.
fn turn_body(body: MovingBody, first: u32, time: f32) -> vec3f {
    if !(body.angle > 0.0f) {
        for (var k = first; k < first + 3u; k++) {
            axes_now[k] = axes_at_start[k];
        }
        return vec3f();
    }
    let turned = det_turn(det_mul(body.angle, time));
    for (var k = first + params.zero; k < first + 3u; k++) {
        axes_now[k] = det_add3(axes_at_start[k], turned_by(axes_at_start[k], body.axis, turned.y, turned.z));
    }
    return turned_by(body.arm, body.axis, turned.y, turned.z);
}

fn error_of_body(body: MovingBody) -> f32 {
    var of_turn = 0.0f;
    if body.angle > 0.0f {
        of_turn = det_mul(det_add(SWEEP_TURNED, det_mul(SWEEP_ANGLE, body.angle)), body.reach);
    }
    return det_add(of_turn, det_mul(SWEEP_WAY, sum_of_magnitudes(body.way)));
}

fn speed_of_turn(body: MovingBody, towards: vec3f) -> f32 {
    if !(body.angle > 0.0f) {
        return 0.0f;
    }
    return det_mul(det_mul(body.angle, body.reach), det_length3(det_cross3(towards, body.axis)));
}

fn scaled_towards(towards: vec3f) -> vec3f {
    return det_scale3(towards, bitcast<f32>((254u - largest_of(towards)) << 23u));
}

fn nearest_axis_now(body: u32, towards: vec3f) -> vec3f {
    var nearest = vec3f();
    var largest = 0.0f;
    for (var k = 3u * body + params.zero; k < 3u * body + extents_of[body]; k++) {
        let along = det_dot3(axes_now[k], towards);
        if det_abs(along) > largest {
            largest = det_abs(along);
            nearest = select(axes_now[k], det_neg3(axes_now[k]), along < 0.0f);
        }
    }
    return nearest;
}

fn nearly_across_now(near: Near, towards: vec3f) -> u32 {
    let least = det_max(det_mul(SWEEP_NEARLY, det_dot3(towards, towards)), det_mul(near.error, near.error));
    var found = 0u;
    for (var k = params.zero; k < 6u; k++) {
        let along = det_dot3(towards, axes_now[k]);
        found |= select(0u, 1u << k, k % 3u < extents_of[k / 3u] && det_mul(along, along) < least);
    }
    return found;
}

fn across_now(free: u32, side: vec3f) -> vec3f {
    var found = vec3f();
    var largest = 0.0f;
    for (var i = params.zero; i < 5u; i++) {
        for (var j = i + 1u; j < 6u; j++) {
            if ((free >> i) & (free >> j) & 1u) == 0u {
                continue;
            }
            let normal = det_cross3(axes_now[i], axes_now[j]);
            let square = det_dot3(normal, normal);
            if square > largest {
                largest = square;
                found = normal;
            }
        }
    }
    return select(found, det_neg3(found), det_dot3(found, side) < 0.0f);
}

// The best direction, and a length that the distance of the cores is at most.
var<private> best_towards: vec3f;
var<private> best_at_most: f32;

// How far all differences are along it.
fn best_height(near: Near) -> f32 {
    best_towards = vec3f();
    best_at_most = NEAR_FARTHEST;
    if largest_of(near.t) > NEAR_APART {
        best_towards = scaled_towards(near.t);
        return near_at_least(near, best_towards);
    }
    search_nearest(near, det_neg(1.0f), NEAR_FARTHEST);
    best_at_most = near_at_most(near);
    var way = near.t;
    for (var k = params.zero; k < 6u; k++) {
        way = det_add3(way, det_scale3(generators[k], found_shares[k]));
    }
    let first = select(found_direction, way, all(found_direction == vec3f()));
    if all(first == vec3f()) || found_inside {
        return 0.0f;
    }
    let free = found_free | nearly_across_now(near, first);
    var best = 0.0f;
    for (var k = params.zero; k < 10u; k++) {
        var towards = vec3f();
        if k == 0u {
            towards = first;
        } else if k <= 2u {
            towards = nearest_axis_now(k - 1u, first);
        } else if k == 3u {
            towards = across_now(free, first);
        } else if ((free >> (k - 4u)) & 1u) == 1u {
            let axis = axes_now[k - 4u];
            towards = det_sub3(way, det_scale3(axis, det_dot3(way, axis)));
        }
        if any(towards != vec3f()) {
            towards = scaled_towards(towards);
            let height = near_at_least(near, towards);
            if height > best {
                best = height;
                best_towards = towards;
            }
        }
    }
    return best;
}

struct SweepHit {
    normal: vec3f,
    time: DetDouble,
    state: u32,
    rounds: u32,
}

fn hit_without_time(state: u32) -> SweepHit {
    return SweepHit(vec3f(), DetDouble(0.0f, 0.0f), state, 0u);
}

fn center_of(frame: NearFrame, k: u32, scale: f32) -> DetDouble {
    return DetDouble(det_mul(frame.center[k], scale), det_mul(frame.center_low[k], scale));
}

// From one centre to another, as double words.
struct DoubleVector {
    x: DetDouble,
    y: DetDouble,
    z: DetDouble,
}

// Two moving bodies, scaled: from the first centre to the second at the start, and how that goes on.
struct Both {
    in_domain: bool,
    first: MovingBody,
    second: MovingBody,
    start: DoubleVector,
    way: DoubleVector,
    velocity: vec3f,
    radii: f32,
    error: f32,
    slack: f32,
}

fn both_of(a: NearFrame, course_a: Course, b: NearFrame, course_b: Course) -> Both {
    var outside: Both;
    let size = max(frame_exponent(a), frame_exponent(b));
    let within = frame_has_size_in_domain(a) && frame_has_size_in_domain(b) && size >= NEAR_LEAST_EXPONENT
        && size <= NEAR_MOST_EXPONENT;
    if !within {
        return outside;
    }
    return both_scaled(a, course_a, b, course_b, size, vec2f());
}

// Scaled so that a length of this exponent is from 1 to 2; and the largest sums of coordinates of corners, of hulls.
fn both_scaled(a: NearFrame, course_a: Course, b: NearFrame, course_b: Course, size: u32, corners: vec2f) -> Both {
    var both: Both;
    let furthest = max(course_a.exponent, course_b.exponent);
    if max(a.tag >> 16u, b.tag >> 16u) > size + NEAR_REACH || furthest > size + SWEEP_FURTHEST {
        return both;
    }
    let scale = bitcast<f32>((254u - size) << 23u);
    both.first = moving_body(a, course_a, scale);
    both.second = moving_body(b, course_b, scale);
    both.start = DoubleVector(
        det_sub_double(center_of(b, 0u, scale), center_of(a, 0u, scale)),
        det_sub_double(center_of(b, 1u, scale), center_of(a, 1u, scale)),
        det_sub_double(center_of(b, 2u, scale), center_of(a, 2u, scale)),
    );
    both.way = DoubleVector(
        det_two_sum(both.second.way.x, det_neg(both.first.way.x)),
        det_two_sum(both.second.way.y, det_neg(both.first.way.y)),
        det_two_sum(both.second.way.z, det_neg(both.first.way.z)),
    );
    both.velocity = vec3f(both.way.x.high, both.way.y.high, both.way.z.high);
    let lengths = det_add(
        det_add(sum_of_magnitudes(both.first.half), both.first.radius),
        det_add(sum_of_magnitudes(both.second.half), both.second.radius),
    );
    // (Heights of corners carry twice the share that those of boxes do.)
    let of_corners = det_add(det_mul(corners.x, scale), det_mul(corners.y, scale));
    let sizes = det_add(lengths, det_add(of_corners, of_corners));
    let twice = det_add(NEAR_ERROR, NEAR_ERROR);
    both.error = det_add(det_mul(twice, sizes), det_add(error_of_body(both.first), error_of_body(both.second)));
    both.radii = det_add(both.first.radius, both.second.radius);
    let turns = det_add(det_mul(both.first.angle, both.first.reach), det_mul(both.second.angle, both.second.reach));
    both.slack = det_mul(SWEEP_MORE, det_add(sum_of_magnitudes(both.velocity), turns));
    both.in_domain = true;
    return both;
}

fn gone(start: DetDouble, way: DetDouble, time: DetDouble, shift: f32) -> f32 {
    return det_add_double(det_add_double(start, det_mul_double(way, time)), DetDouble(shift, 0.0f)).high;
}

fn between_at(both: Both, time: DetDouble, shift: vec3f) -> vec3f {
    return vec3f(
        gone(both.start.x, both.way.x, time, shift.x),
        gone(both.start.y, both.way.y, time, shift.y),
        gone(both.start.z, both.way.z, time, shift.z),
    );
}

fn error_at(both: Both, t: vec3f) -> f32 {
    return det_add(both.error, det_mul(det_add(NEAR_ERROR, NEAR_ERROR), sum_of_magnitudes(t)));
}

// More than what is left of the time.
fn remaining_after(time: DetDouble) -> f32 {
    return det_mul(det_sub_double(DetDouble(1.0f, 0.0f), time).high, det_add(1.0f, SWEEP_MORE));
}

fn later(time: DetDouble, gap: f32, closing: f32) -> DetDouble {
    return det_add_double(time, DetDouble(det_mul(det_div(gap, closing), SWEEP_LESS), 0.0f));
}

// What a look at a moment says, from how far all differences are along a normal: that this is the end or, pending, until when the bodies are apart.
fn sweep_step(both: Both, time: DetDouble, normal: vec3f, height: f32, error: f32) -> SweepHit {
    let gap = det_sub(det_sub(height, both.radii), error);
    if !(gap > error) {
        let apart = det_sub(best_at_most, both.radii) > det_mul(4.0f, error);
        return SweepHit(normal, time, select(SWEEP_MEETS, SWEEP_MAY_MEET, apart), 0u);
    }
    let turning = det_add(speed_of_turn(both.first, normal), speed_of_turn(both.second, normal));
    let closing = det_add(det_add(det_neg(det_dot3(both.velocity, normal)), turning), both.slack);
    if det_mul(closing, remaining_after(time)) < gap {
        return hit_without_time(SWEEP_MISSES);
    }
    return SweepHit(normal, later(time, gap, closing), SWEEP_PENDING, 0u);
}

// All other bodies, for some more moments.
fn sweep_any(a: NearFrame, course_a: Course, b: NearFrame, course_b: Course, before: SweepHit) -> SweepHit {
    let both = both_of(a, course_a, b, course_b);
    if !both.in_domain {
        return hit_without_time(SWEEP_OPEN);
    }
    keep_axes(a, both.first, 0u);
    keep_axes(b, both.second, 3u);
    var time = before.time;
    var normal = before.normal;
    for (var moment = params.zero; moment < SWEEP_MOMENTS; moment++) {
        let shift_a = turn_body(both.first, 0u, time.high);
        let shift_b = turn_body(both.second, 3u, time.high);
        let t = between_at(both, time, det_sub3(shift_b, shift_a));
        for (var k = params.zero; k < 6u; k++) {
            generators[k] = det_scale3(axes_now[k], halves[k]);
        }
        let error = error_at(both, t);
        let near = Near(true, t, vec2f(both.first.radius, both.second.radius), both.radii, error);
        let height = best_height(near);
        if any(best_towards != vec3f()) {
            normal = det_scale3(best_towards, det_rsqrt(det_dot3(best_towards, best_towards)));
        }
        let look = sweep_step(both, time, normal, height, error);
        if look.state != SWEEP_PENDING {
            return look;
        }
        time = look.time;
    }
    let rounds = before.rounds + SWEEP_MOMENTS;
    if rounds < SWEEP_ROUNDS {
        return SweepHit(normal, time, SWEEP_PENDING, rounds);
    }
    return SweepHit(normal, time, SWEEP_MAY_MEET, 0u);
}
