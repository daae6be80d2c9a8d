// When a ray enters a capsule, in double words: the twin of src/cast/capsule.rs, where errors are derived.
// import: lib/det_cast, lib/det_roots

const LIMB_GROWTH = 0x1p-35f;
const LIMB_LEAST_RATE = 0x1p-40f;
const LIMB_LEAST_LENGTH = 107u;

struct Vector {
    x: DetDouble,
    y: DetDouble,
    z: DetDouble,
}

fn dot_vectors(a: Vector, b: Vector) -> DetDouble {
    return sum3_double(det_mul_double(a.x, b.x), det_mul_double(a.y, b.y), det_mul_double(a.z, b.z));
}

fn scaled_vector(v: Vector, scale: f32) -> Vector {
    return Vector(scaled_double(v.x, scale), scaled_double(v.y, scale), scaled_double(v.z, scale));
}

fn times_vector(v: Vector, by: DetDouble) -> Vector {
    return Vector(det_mul_double(v.x, by), det_mul_double(v.y, by), det_mul_double(v.z, by));
}

// a - by * b.
fn minus_vector(a: Vector, by: DetDouble, b: Vector) -> Vector {
    let part = times_vector(b, by);
    return Vector(det_sub_double(a.x, part.x), det_sub_double(a.y, part.y), det_sub_double(a.z, part.z));
}

fn differences(a: vec3u, b: vec3f) -> Vector {
    let from_a = bitcast<vec3f>(a);
    return Vector(difference(from_a.x, b.x), difference(from_a.y, b.y), difference(from_a.z, b.z));
}

fn largest_of_vector(v: Vector) -> u32 {
    return max(max(high_exponent(v.x), high_exponent(v.y)), high_exponent(v.z));
}

// The times from one to another; none if the first is the later one.
struct Times {
    enter: DetDouble,
    exit: DetDouble,
}

fn is_empty(times: Times) -> bool {
    return det_less_double(times.exit, times.enter);
}

fn lesser(a: DetDouble, b: DetDouble) -> DetDouble {
    if det_less_double(b, a) {
        return b;
    }
    return a;
}

fn greater(a: DetDouble, b: DetDouble) -> DetDouble {
    if det_less_double(a, b) {
        return b;
    }
    return a;
}

fn joined_times(a: Times, b: Times) -> Times {
    if is_empty(a) {
        return b;
    }
    if is_empty(b) {
        return a;
    }
    return Times(lesser(a.enter, b.enter), greater(a.exit, b.exit));
}

fn chord_times(nearest: DetDouble, offset: Vector, most: DetDouble, inverse: DetDouble) -> Times {
    let inside = det_sub_double(most, dot_vectors(offset, offset));
    if inside.high < 0.0f {
        return Times(single(1.0f), single(0.0f));
    }
    let half = sqrt_double(det_mul_double(inside, inverse));
    return Times(det_sub_double(nearest, half), det_add_double(nearest, half));
}

// A ray and a capsule's segment, scaled, from the origin of the ray.
struct Limb {
    a: Vector,
    b: Vector,
    towards: Vector,
    inverse: DetDouble,
    start: DetDouble,
    far: DetDouble,
    rate: DetDouble,
    across: Vector,
    sideways: Vector,
}

fn ball_times(limb: Limb, end: Vector, most: DetDouble) -> Times {
    let nearest = det_mul_double(dot_vectors(end, limb.towards), limb.inverse);
    return chord_times(nearest, minus_vector(end, nearest, limb.towards), most, limb.inverse);
}

fn cylinder_times(limb: Limb, most: DetDouble, longer: f32) -> Times {
    var rate = abs_double(limb.rate);
    if rate.high < LIMB_LEAST_RATE {
        rate = single(LIMB_LEAST_RATE);
    }
    let inverse_rate = recip_double(rate);
    let low_end = det_sub_double(limb.start, single(longer));
    let high_end = det_add_double(det_add_double(limb.start, limb.far), single(longer));
    var between = Times(det_mul_double(low_end, inverse_rate), det_mul_double(high_end, inverse_rate));
    if limb.rate.high < 0.0f {
        between = Times(
            det_mul_double(det_neg_double(high_end), inverse_rate),
            det_mul_double(det_neg_double(low_end), inverse_rate),
        );
    }
    let square = dot_vectors(limb.sideways, limb.sideways);
    let least = det_mul(LIMB_LEAST_RATE, LIMB_LEAST_RATE);
    var around: Times;
    if square.high < least {
        around = chord_times(single(0.0f), limb.across, most, recip_double(single(least)));
    } else {
        let inverse = recip_double(square);
        let nearest = det_mul_double(dot_vectors(limb.across, limb.sideways), inverse);
        around = chord_times(nearest, minus_vector(limb.across, nearest, limb.sideways), most, inverse);
    }
    if is_empty(around) {
        return around;
    }
    return Times(greater(between.enter, around.enter), lesser(between.exit, around.exit));
}

fn limb_times(limb: Limb, radius: DetDouble, longer: f32) -> Times {
    let most = det_mul_double(radius, radius);
    let ends = joined_times(ball_times(limb, limb.a, most), ball_times(limb, limb.b, most));
    return joined_times(ends, cylinder_times(limb, most, longer));
}

fn capsule_meeting(shot: Shot, a: vec3u, b: vec3u, radius_bits: u32) -> Meeting {
    let to_a = differences(a, shot.origin);
    let to_b = differences(b, shot.origin);
    let way = differences(b, bitcast<vec3f>(a));
    let size = max(max(largest_of_vector(to_a), largest_of_vector(to_b)), exponent_of(radius_bits));
    let long = largest_of_vector(way);
    if !is_size(size) || long + 127u < size + LIMB_LEAST_LENGTH {
        return CAST_OUTSIDE;
    }
    let scale = power_of(254u - size);
    let last = det_min(det_mul(shot.last, scale), CAST_LAST);
    let towards = Vector(single(shot.direction.x), single(shot.direction.y), single(shot.direction.z));
    let along = scaled_vector(way, power_of(254u - long));
    let square = dot_vectors(along, along);
    let root = rsqrt_double(square);
    let axis = times_vector(along, root);
    let first = scaled_vector(to_a, scale);
    let start = dot_vectors(first, axis);
    let rate = dot_vectors(towards, axis);
    let limb = Limb(
        first,
        scaled_vector(to_b, scale),
        towards,
        recip_double(dot_vectors(towards, towards)),
        start,
        scaled_double(det_mul_double(square, root), power_of(long + 127u - size)),
        rate,
        minus_vector(first, start, axis),
        minus_vector(towards, rate, axis),
    );
    let radius = det_mul(bitcast<f32>(radius_bits), scale);
    // (Grown, then shrunk: `zero` keeps compilers from writing this out twice.)
    var grown: Times;
    var shrunk: Times;
    var inner = 0.0f;
    for (var k = params.zero; k < 2u; k++) {
        let by = select(LIMB_GROWTH, det_neg(LIMB_GROWTH), k == 1u);
        let changed = det_two_sum(radius, by);
        let times = limb_times(limb, changed, by);
        if k == 0u {
            grown = times;
        } else {
            shrunk = times;
            inner = changed.high;
        }
    }
    let missed = is_empty(grown) || grown.exit.high < 0.0f || grown.enter.high > last;
    let inside = det_less_double(shrunk.enter, shrunk.exit) && shrunk.exit.high > 0.0f && shrunk.enter.high < last;
    return Meeting(verdict_of(missed, inner > 0.0f && inside), unscaled(shot, grown.enter.high, size));
}
