// When two boxes that do not turn first touch: the twin of src/near/sweep/straight.rs.
// import: lib/sweep

const SWEEP_STRAIGHT_ROUNDS = 16u;
const SWEEP_PARALLEL = 0.25f;

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

// What is the same for all axes at a moment.
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

// Along three axes, from number `first` on.
fn look_along_three(
    before: Last,
    glance: Glance,
    first: u32,
    offset: vec3f,
    speed: vec3f,
    reach: vec3f,
    is_rough: vec3<bool>,
) -> Last {
    let x = look_along(before, glance, first, offset.x, speed.x, reach.x, is_rough.x);
    let y = look_along(x, glance, first + 1u, offset.y, speed.y, reach.y, is_rough.y);
    return look_along(y, glance, first + 2u, offset.z, speed.z, reach.z, is_rough.z);
}

fn products3(a: vec3f, b: vec3f) -> vec3f {
    return vec3f(det_mul(a.x, b.x), det_mul(a.y, b.y), det_mul(a.z, b.z));
}

fn magnitudes3(v: vec3f) -> vec3f {
    return vec3f(det_abs(v.x), det_abs(v.y), det_abs(v.z));
}

fn sum3_in_order(v: vec3f) -> f32 {
    return det_add(det_add(v.x, v.y), v.z);
}

// One of three vectors.
fn one_of(k: u32, x: vec3f, y: vec3f, z: vec3f) -> vec3f {
    return select(select(z, y, k == 1u), x, k == 0u);
}

// The rows of the rotation from B to A.
struct Turned {
    row_x: vec3f,
    row_y: vec3f,
    row_z: vec3f,
}

fn along_frame(frame: NearFrame, v: vec3f) -> vec3f {
    return vec3f(det_dot3(frame.x.xyz, v), det_dot3(frame.y.xyz, v), det_dot3(frame.z.xyz, v));
}

// The products of an edge of A and the edges of B. `row` is a row of the rotation, and what follows belongs to the two axes of A after it.
fn look_along_edges(
    before: Last,
    glance: Glance,
    first: u32,
    row: vec3f,
    row_1: vec3f,
    row_2: vec3f,
    half: vec2f,
    t: vec2f,
    speed: vec2f,
    half_b: vec3f,
) -> Last {
    let offset = det_sub3(det_scale3(row_1, t.y), det_scale3(row_2, t.x));
    let closing = det_sub3(det_scale3(row_1, speed.y), det_scale3(row_2, speed.x));
    let reach_a = det_add3(det_scale3(magnitudes3(row_2), half.x), det_scale3(magnitudes3(row_1), half.y));
    let own = magnitudes3(row);
    let reach_b = det_add3(products3(half_b.yzx, own.zxy), products3(half_b.zxy, own.yzx));
    let sine_squared = det_add3(products3(row_1, row_1), products3(row_2, row_2));
    let is_rough = sine_squared < vec3f(SWEEP_PARALLEL);
    return look_along_three(before, glance, first, offset, closing, det_add3(reach_a, reach_b), is_rough);
}

// Along all axes, from one centre to the other.
fn seen_straight(both: Both, a: NearFrame, b: NearFrame, turned: Turned, t: vec3f, left: f32) -> Last {
    let glance = Glance(error_at(both, t), both.slack, left);
    let t_a = along_frame(a, t);
    let v_a = along_frame(a, both.velocity);
    let half_a = both.first.half;
    let half_b = both.second.half;
    let x = turned.row_x;
    let y = turned.row_y;
    let z = turned.row_z;
    var last = Last(false, 0.0f, 0.0f, 0u, false, false, false);
    let none = vec3<bool>();
    let reach_a = det_add3(
        half_a,
        vec3f(
            sum3_in_order(products3(half_b, magnitudes3(x))),
            sum3_in_order(products3(half_b, magnitudes3(y))),
            sum3_in_order(products3(half_b, magnitudes3(z))),
        ),
    );
    last = look_along_three(last, glance, 0u, t_a, v_a, reach_a, none);
    let of_a = det_add3(
        det_add3(det_scale3(magnitudes3(x), half_a.x), det_scale3(magnitudes3(y), half_a.y)),
        det_scale3(magnitudes3(z), half_a.z),
    );
    last = look_along_three(last, glance, 3u, along_frame(b, t), along_frame(b, both.velocity), det_add3(half_b, of_a), none);
    if last.never {
        return last;
    }
    last = look_along_edges(last, glance, 6u, x, y, z, half_a.yz, t_a.yz, v_a.yz, half_b);
    last = look_along_edges(last, glance, 9u, y, z, x, half_a.zx, t_a.zx, v_a.zx, half_b);
    return look_along_edges(last, glance, 12u, z, x, y, half_a.xy, t_a.xy, v_a.xy, half_b);
}

fn straight_normal(a: NearFrame, b: NearFrame, last: Last) -> vec3f {
    let edges = last.axis - 6u;
    let of_a = one_of(select(edges / 3u, last.axis, last.axis < 3u), a.x.xyz, a.y.xyz, a.z.xyz);
    let of_b = one_of(select(edges % 3u, last.axis - 3u, last.axis < 6u), b.x.xyz, b.y.xyz, b.z.xyz);
    var normal = select(of_b, of_a, last.axis < 3u);
    if last.axis >= 6u {
        let product = det_cross3(of_a, of_b);
        normal = det_scale3(product, det_rsqrt(det_dot3(product, product)));
    }
    return select(normal, det_neg3(normal), last.backwards);
}

fn turned_of(a: NearFrame, b: NearFrame) -> Turned {
    return Turned(along_frame(b, a.x.xyz), along_frame(b, a.y.xyz), along_frame(b, a.z.xyz));
}

// Whether both are boxes that do not turn.
fn are_straight(both: Both) -> bool {
    let turn = both.first.angle > 0.0f || both.second.angle > 0.0f;
    return both.first.extents == 3u && both.second.extents == 3u && !turn;
}

// Whether an axis parts two boxes that do not turn from the start to the end. Then `sweep_straight` finds that they miss each other.
fn pass_by(a: NearFrame, course_a: Course, b: NearFrame, course_b: Course) -> bool {
    let both = both_of(a, course_a, b, course_b);
    if !both.in_domain || !are_straight(both) {
        return false;
    }
    let start = DetDouble(0.0f, 0.0f);
    return seen_straight(both, a, b, turned_of(a, b), between_at(both, start, vec3f()), remaining_after(start)).never;
}

fn sweep_straight(a: NearFrame, course_a: Course, b: NearFrame, course_b: Course) -> SweepHit {
    let both = both_of(a, course_a, b, course_b);
    if !both.in_domain {
        return hit_without_time(SWEEP_OPEN);
    }
    if !are_straight(both) {
        return hit_without_time(SWEEP_PENDING);
    }
    let turned = turned_of(a, b);
    var time = DetDouble(0.0f, 0.0f);
    var normal = vec3f();
    for (var moment = params.zero; moment < SWEEP_STRAIGHT_ROUNDS; moment++) {
        let last = seen_straight(both, a, b, turned, between_at(both, time, vec3f()), remaining_after(time));
        if last.never {
            return hit_without_time(SWEEP_MISSES);
        }
        if !last.found {
            if last.unsure {
                return hit_without_time(SWEEP_PENDING);
            }
            return SweepHit(normal, time, SWEEP_MEETS, 0u);
        }
        normal = straight_normal(a, b, last);
        time = later(time, last.gap, last.closing);
    }
    return hit_without_time(SWEEP_PENDING);
}
