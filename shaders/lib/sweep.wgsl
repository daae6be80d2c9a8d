// When two moving bodies first touch, with the same bits on every adapter and on the CPU: the twin of src/near/sweep.rs, where the errors
// are explained. For modules with arrays `frames_a`, `frames_b`, `courses_a` and `courses_b`.
// import: lib/near

const SWEEP_OUTSIDE = 255u;
const SWEEP_FURTHEST = 30u;
const SWEEP_ROUNDS = 64u;
const SWEEP_TURNED = 0x1p-20f;
const SWEEP_ANGLE = 0x1p-22f;
const SWEEP_WAY = 0x1p-40f;
const SWEEP_LESS = 0x1.ffffep-1f;
const SWEEP_MORE = 0x1p-18f;
const SWEEP_NEARLY = 0x1p-14f;

const SWEEP_MEETS = 0u;
const SWEEP_MAY_MEET = 1u;
const SWEEP_MISSES = 2u;
const SWEEP_OPEN = 3u;

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
    is_box: bool,
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
var<private> is_box_of: array<bool, 2>;

fn moving_body(frame: NearFrame, course: Course, first: u32, scale: f32) -> MovingBody {
    axes_at_start[first] = frame.x.xyz;
    axes_at_start[first + 1u] = frame.y.xyz;
    axes_at_start[first + 2u] = frame.z.xyz;
    let is_box = (frame.tag & FRAME_KIND) != KIND_SPHERE;
    let lengths = det_scale3(vec3f(frame.x.w, frame.y.w, frame.z.w), scale);
    let half = select(vec3f(), lengths, is_box);
    halves[first] = half.x;
    halves[first + 1u] = half.y;
    halves[first + 2u] = half.z;
    is_box_of[first / 3u] = is_box;
    return MovingBody(
        half,
        select(lengths.x, 0.0f, is_box),
        is_box,
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
    var nearest = towards;
    var largest = 0.0f;
    if is_box_of[body] {
        for (var k = 3u * body + params.zero; k < 3u * body + 3u; k++) {
            let along = det_dot3(axes_now[k], towards);
            if det_abs(along) > largest {
                largest = det_abs(along);
                nearest = select(axes_now[k], det_neg3(axes_now[k]), along < 0.0f);
            }
        }
    }
    return nearest;
}

fn nearly_across_now(near: Near, towards: vec3f) -> u32 {
    let least = det_max(det_mul(SWEEP_NEARLY, det_dot3(towards, towards)), det_mul(near.error, near.error));
    var found = 0u;
    for (var k = params.zero; k < 6u; k++) {
        let along = det_dot3(towards, axes_now[k]);
        found |= select(0u, 1u << k, is_box_of[k / 3u] && det_mul(along, along) < least);
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
    if all(first == vec3f()) || found_simplex.count == 4u {
        return 0.0f;
    }
    var free = nearly_across_now(near, first);
    for (var k = 1u; k < found_simplex.count; k++) {
        free |= found_simplex.signs[k] ^ found_simplex.signs[0];
    }
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
}

const SWEEP_MISS = SweepHit(vec3f(), DetDouble(0.0f, 0.0f), SWEEP_MISSES);

fn center_of(frame: NearFrame, k: u32, scale: f32) -> DetDouble {
    return DetDouble(det_mul(frame.center[k], scale), det_mul(frame.center_low[k], scale));
}

fn sweep_pair(a: NearFrame, course_a: Course, b: NearFrame, course_b: Course) -> SweepHit {
    let size = max(frame_exponent(a), frame_exponent(b));
    let within = frame_has_size_in_domain(a) && frame_has_size_in_domain(b) && size >= NEAR_LEAST_EXPONENT
        && size <= NEAR_MOST_EXPONENT;
    let furthest = max(course_a.exponent, course_b.exponent);
    if !within || max(a.tag >> 16u, b.tag >> 16u) > size + NEAR_REACH || furthest > size + SWEEP_FURTHEST {
        return SweepHit(vec3f(), DetDouble(0.0f, 0.0f), SWEEP_OPEN);
    }
    let scale = bitcast<f32>((254u - size) << 23u);
    let first = moving_body(a, course_a, 0u, scale);
    let second = moving_body(b, course_b, 3u, scale);
    var start: array<DetDouble, 3>;
    var way: array<DetDouble, 3>;
    var velocity: vec3f;
    for (var k = 0u; k < 3u; k++) {
        start[k] = det_sub_double(center_of(b, k, scale), center_of(a, k, scale));
        way[k] = det_two_sum(second.way[k], det_neg(first.way[k]));
        velocity[k] = way[k].high;
    }
    let sizes = det_add(
        det_add(sum_of_magnitudes(first.half), first.radius),
        det_add(sum_of_magnitudes(second.half), second.radius),
    );
    let twice = det_add(NEAR_ERROR, NEAR_ERROR);
    let constant = det_add(det_mul(twice, sizes), det_add(error_of_body(first), error_of_body(second)));
    let radii = det_add(first.radius, second.radius);
    let turns = det_add(det_mul(first.angle, first.reach), det_mul(second.angle, second.reach));
    let slack = det_mul(SWEEP_MORE, det_add(sum_of_magnitudes(velocity), turns));
    var time = DetDouble(0.0f, 0.0f);
    var normal = vec3f();
    for (var moment = params.zero; moment < SWEEP_ROUNDS; moment++) {
        let shift_a = turn_body(first, 0u, time.high);
        let shift_b = turn_body(second, 3u, time.high);
        let shift = det_sub3(shift_b, shift_a);
        var t: vec3f;
        for (var k = params.zero; k < 3u; k++) {
            let gone = det_add_double(start[k], det_mul_double(way[k], time));
            t[k] = det_add_double(gone, DetDouble(shift[k], 0.0f)).high;
        }
        for (var k = params.zero; k < 6u; k++) {
            generators[k] = det_scale3(axes_now[k], halves[k]);
        }
        let error = det_add(constant, det_mul(twice, sum_of_magnitudes(t)));
        let near = Near(true, t, vec2f(first.radius, second.radius), radii, error);
        let height = best_height(near);
        if any(best_towards != vec3f()) {
            normal = det_scale3(best_towards, det_rsqrt(det_dot3(best_towards, best_towards)));
        }
        let gap = det_sub(det_sub(height, radii), error);
        if !(gap > error) {
            let apart = det_sub(best_at_most, radii) > det_mul(4.0f, error);
            return SweepHit(normal, time, select(SWEEP_MEETS, SWEEP_MAY_MEET, apart));
        }
        let turning = det_add(speed_of_turn(first, normal), speed_of_turn(second, normal));
        let closing = det_add(det_add(det_neg(det_dot3(velocity, normal)), turning), slack);
        let remaining = det_sub_double(DetDouble(1.0f, 0.0f), time).high;
        if det_mul(closing, det_mul(remaining, det_add(1.0f, SWEEP_MORE))) < gap {
            return SWEEP_MISS;
        }
        time = det_add_double(time, DetDouble(det_mul(det_div(gap, closing), SWEEP_LESS), 0.0f));
    }
    return SweepHit(normal, time, SWEEP_MAY_MEET);
}
