// When two moving bodies first touch, with the same bits on every adapter and on the CPU: the twin of src/near/sweep.rs, where the errors
// are explained. For modules with arrays `frames_a`, `frames_b`, `courses_a` and `courses_b`.
// import: lib/near

const SWEEP_OUTSIDE = 255u;
const SWEEP_FURTHEST = 30u;
const SWEEP_ROUNDS = 128u;
const SWEEP_MOMENTS = 4u;
const SWEEP_STRAIGHT_ROUNDS = 16u;
const SWEEP_PARALLEL = 0.25f;
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
const SWEEP_PENDING = 4u;

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
    rounds: u32,
}

fn hit_without_time(state: u32) -> SweepHit {
    return SweepHit(vec3f(), DetDouble(0.0f, 0.0f), state, 0u);
}

fn center_of(frame: NearFrame, k: u32, scale: f32) -> DetDouble {
    return DetDouble(det_mul(frame.center[k], scale), det_mul(frame.center_low[k], scale));
}

// Two moving bodies, scaled: from the first centre to the second at the start, and how that goes on.
var<private> start_between: array<DetDouble, 3>;
var<private> way_between: array<DetDouble, 3>;

struct Both {
    in_domain: bool,
    first: MovingBody,
    second: MovingBody,
    velocity: vec3f,
    radii: f32,
    error: f32,
    slack: f32,
}

fn both_of(a: NearFrame, course_a: Course, b: NearFrame, course_b: Course) -> Both {
    var both: Both;
    let size = max(frame_exponent(a), frame_exponent(b));
    let within = frame_has_size_in_domain(a) && frame_has_size_in_domain(b) && size >= NEAR_LEAST_EXPONENT
        && size <= NEAR_MOST_EXPONENT;
    let furthest = max(course_a.exponent, course_b.exponent);
    if !within || max(a.tag >> 16u, b.tag >> 16u) > size + NEAR_REACH || furthest > size + SWEEP_FURTHEST {
        return both;
    }
    let scale = bitcast<f32>((254u - size) << 23u);
    both.first = moving_body(a, course_a, 0u, scale);
    both.second = moving_body(b, course_b, 3u, scale);
    for (var k = 0u; k < 3u; k++) {
        start_between[k] = det_sub_double(center_of(b, k, scale), center_of(a, k, scale));
        way_between[k] = det_two_sum(both.second.way[k], det_neg(both.first.way[k]));
        both.velocity[k] = way_between[k].high;
    }
    let sizes = det_add(
        det_add(sum_of_magnitudes(both.first.half), both.first.radius),
        det_add(sum_of_magnitudes(both.second.half), both.second.radius),
    );
    let twice = det_add(NEAR_ERROR, NEAR_ERROR);
    both.error = det_add(det_mul(twice, sizes), det_add(error_of_body(both.first), error_of_body(both.second)));
    both.radii = det_add(both.first.radius, both.second.radius);
    let turns = det_add(det_mul(both.first.angle, both.first.reach), det_mul(both.second.angle, both.second.reach));
    both.slack = det_mul(SWEEP_MORE, det_add(sum_of_magnitudes(both.velocity), turns));
    both.in_domain = true;
    return both;
}

fn between_at(time: DetDouble, shift: vec3f) -> vec3f {
    var t: vec3f;
    for (var k = params.zero; k < 3u; k++) {
        let gone = det_add_double(start_between[k], det_mul_double(way_between[k], time));
        t[k] = det_add_double(gone, DetDouble(shift[k], 0.0f)).high;
    }
    return t;
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

// Boxes that do not turn.

// The axis that parts two boxes longest, of those that were looked at: the gap along it, and the speed at which it closes.
struct Last {
    found: bool,
    gap: f32,
    closing: f32,
    axis: u32,
    backwards: bool,
    never: bool,
    unsure: bool,
}

struct Glance {
    error: f32,
    slack: f32,
    left: f32,
}

fn look_along(before: Last, glance: Glance, axis: u32, offset: f32, speed: f32, reach: f32, is_rough: bool) -> Last {
    var last = before;
    let backwards = offset < 0.0f;
    let whole = det_sub(det_abs(offset), reach);
    let gap = det_sub(whole, glance.error);
    last.unsure = last.unsure || (is_rough && whole > det_neg(det_add(glance.error, glance.error)));
    if gap > glance.error {
        let closing = det_add(select(det_neg(speed), speed, backwards), glance.slack);
        last.never = last.never || det_mul(closing, glance.left) < gap;
        if !last.found || det_mul(gap, last.closing) > det_mul(last.gap, closing) {
            last.found = true;
            last.gap = gap;
            last.closing = closing;
            last.axis = axis;
            last.backwards = backwards;
        }
    }
    return last;
}

fn along_three(first: u32, v: vec3f) -> vec3f {
    return vec3f(
        det_dot3(axes_at_start[first], v),
        det_dot3(axes_at_start[first + 1u], v),
        det_dot3(axes_at_start[first + 2u], v),
    );
}

// The cosines of the axes of A with those of B.
var<private> cosine_rows: array<vec3f, 3>;

fn straight_normal(last: Last) -> vec3f {
    var normal: vec3f;
    if last.axis < 6u {
        normal = axes_at_start[last.axis];
    } else {
        let product = det_cross3(axes_at_start[(last.axis - 6u) / 3u], axes_at_start[3u + (last.axis - 6u) % 3u]);
        normal = det_scale3(product, det_rsqrt(det_dot3(product, product)));
    }
    return select(normal, det_neg3(normal), last.backwards);
}

fn sum3_in_order(v: vec3f) -> f32 {
    return det_add(det_add(v.x, v.y), v.z);
}

fn products3(a: vec3f, b: vec3f) -> vec3f {
    return vec3f(det_mul(a.x, b.x), det_mul(a.y, b.y), det_mul(a.z, b.z));
}

fn magnitudes3(v: vec3f) -> vec3f {
    return vec3f(det_abs(v.x), det_abs(v.y), det_abs(v.z));
}

// Along all axes, from one centre to the other.
fn seen_straight(both: Both, t: vec3f, left: f32) -> Last {
    let glance = Glance(error_at(both, t), both.slack, left);
    let t_a = along_three(0u, t);
    let v_a = along_three(0u, both.velocity);
    let t_b = along_three(3u, t);
    let v_b = along_three(3u, both.velocity);
    let half_a = both.first.half;
    let half_b = both.second.half;
    var last = Last(false, 0.0f, 0.0f, 0u, false, false, false);
    for (var k = params.zero; k < 3u; k++) {
        let reach = det_add(half_a[k], sum3_in_order(products3(half_b, magnitudes3(cosine_rows[k]))));
        last = look_along(last, glance, k, t_a[k], v_a[k], reach, false);
    }
    for (var k = params.zero; k < 3u; k++) {
        let column = vec3f(cosine_rows[0][k], cosine_rows[1][k], cosine_rows[2][k]);
        let reach = det_add(half_b[k], sum3_in_order(products3(half_a, magnitudes3(column))));
        last = look_along(last, glance, 3u + k, t_b[k], v_b[k], reach, false);
    }
    for (var e = params.zero; e < 9u; e++) {
        let i = e / 3u;
        let j = e % 3u;
        let i1 = (i + 1u) % 3u;
        let i2 = (i + 2u) % 3u;
        let j1 = (j + 1u) % 3u;
        let j2 = (j + 2u) % 3u;
        let first = cosine_rows[i1][j];
        let second = cosine_rows[i2][j];
        let offset = det_sub(det_mul(t_a[i2], first), det_mul(t_a[i1], second));
        let speed = det_sub(det_mul(v_a[i2], first), det_mul(v_a[i1], second));
        let reach_a = det_add(det_mul(half_a[i1], det_abs(second)), det_mul(half_a[i2], det_abs(first)));
        let reach_b = det_add(
            det_mul(half_b[j1], det_abs(cosine_rows[i][j2])),
            det_mul(half_b[j2], det_abs(cosine_rows[i][j1])),
        );
        let sine_squared = det_add(det_mul(first, first), det_mul(second, second));
        last = look_along(last, glance, 6u + e, offset, speed, det_add(reach_a, reach_b), sine_squared < SWEEP_PARALLEL);
    }
    return last;
}

fn sweep_straight(a: NearFrame, course_a: Course, b: NearFrame, course_b: Course) -> SweepHit {
    let both = both_of(a, course_a, b, course_b);
    if !both.in_domain {
        return hit_without_time(SWEEP_OPEN);
    }
    let turns = both.first.angle > 0.0f || both.second.angle > 0.0f;
    if turns || !both.first.is_box || !both.second.is_box {
        return hit_without_time(SWEEP_PENDING);
    }
    for (var k = params.zero; k < 3u; k++) {
        cosine_rows[k] = along_three(3u, axes_at_start[k]);
    }
    var time = DetDouble(0.0f, 0.0f);
    var normal = vec3f();
    for (var moment = params.zero; moment < SWEEP_STRAIGHT_ROUNDS; moment++) {
        let last = seen_straight(both, between_at(time, vec3f()), remaining_after(time));
        if last.never {
            return hit_without_time(SWEEP_MISSES);
        }
        if !last.found {
            if last.unsure {
                return hit_without_time(SWEEP_PENDING);
            }
            return SweepHit(normal, time, SWEEP_MEETS, 0u);
        }
        normal = straight_normal(last);
        time = later(time, last.gap, last.closing);
    }
    return hit_without_time(SWEEP_PENDING);
}

// All other bodies, for some more moments.
fn sweep_any(a: NearFrame, course_a: Course, b: NearFrame, course_b: Course, before: SweepHit) -> SweepHit {
    let both = both_of(a, course_a, b, course_b);
    if !both.in_domain {
        return hit_without_time(SWEEP_OPEN);
    }
    var time = before.time;
    var normal = before.normal;
    for (var moment = params.zero; moment < SWEEP_MOMENTS; moment++) {
        let shift_a = turn_body(both.first, 0u, time.high);
        let shift_b = turn_body(both.second, 3u, time.high);
        let t = between_at(time, det_sub3(shift_b, shift_a));
        for (var k = params.zero; k < 6u; k++) {
            generators[k] = det_scale3(axes_now[k], halves[k]);
        }
        let error = error_at(both, t);
        let near = Near(true, t, vec2f(both.first.radius, both.second.radius), both.radii, error);
        let height = best_height(near);
        if any(best_towards != vec3f()) {
            normal = det_scale3(best_towards, det_rsqrt(det_dot3(best_towards, best_towards)));
        }
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
        time = later(time, gap, closing);
    }
    let rounds = before.rounds + SWEEP_MOMENTS;
    if rounds < SWEEP_ROUNDS {
        return SweepHit(normal, time, SWEEP_PENDING, rounds);
    }
    return SweepHit(normal, time, SWEEP_MAY_MEET, 0u);
}
