// Rays against boxes, balls and capsules, as in src/filter/ray.rs: whether they certainly meet, and between which times a ray certainly enters.
// import: lib/filters, abi/rays

// A verdict (MISS, HIT or UNDECIDED), and the first and the last time at which the ray may enter.
struct Span {
    verdict: u32,
    first: f32,
    last: f32,
}

// From the part of the ray in the grown shape, and that in the shrunk shape.
fn span_of(grown: vec2f, shrunk: vec2f, limit: f32) -> Span {
    if grown.x > grown.y || grown.y < 0.0 || grown.x > limit {
        return Span(MISS, 0.0, 0.0);
    }
    let first = max(grown.x, 0.0) * (1.0 - RAY_SLACK);
    if shrunk.x < shrunk.y && shrunk.y > 0.0 && shrunk.x < limit {
        return Span(HIT, first, max(shrunk.x, 0.0) * (1.0 + RAY_SLACK));
    }
    return Span(UNDECIDED, first, FLT_MAX);
}

// A ray that passes rate * time along each axis, and the box of the offsets from low to high.
fn slab_span(low: vec3f, high: vec3f, rate: vec3f, reach: f32, limit: f32) -> Span {
    let pad = reach * RAY_PAD + TINY;
    let inverse = 1.0 / max(abs(rate), vec3f(RAY_LEAST_RATE));
    // The side that the ray comes from, as if it went up.
    let down = rate < vec3f(0.0);
    let near = select(low, -high, down);
    let far = select(high, -low, down);
    let grown = vec2f(largest3((near - pad) * inverse), least3((far + pad) * inverse));
    let shrunk = vec2f(largest3((near + pad) * inverse), least3((far - pad) * inverse));
    return span_of(grown, shrunk, limit);
}

fn least3(v: vec3f) -> f32 {
    return min(min(v.x, v.y), v.z);
}

fn aabb_span(origin: vec3f, direction: vec3f, limit: f32, low: vec3f, high: vec3f) -> Span {
    let below = opaque(low - origin);
    let above = opaque(high - origin);
    return slab_span(below, above, direction, sum3(max(abs(below), abs(above))), limit);
}

fn obb_span(origin: vec3f, direction: vec3f, limit: f32, b: Cuboid) -> Span {
    let t = opaque(b.center - origin);
    let place = t * b.axes;
    return slab_span(place - b.half, place + b.half, direction * b.axes, sum3(abs(t)) + sum3(b.half), limit);
}

fn sphere_span(origin: vec3f, direction: vec3f, limit: f32, center: vec3f, radius: f32) -> Span {
    let t = opaque(center - origin);
    let pad = (sum3(abs(t)) + radius) * RAY_PAD + TINY;
    let inverse = 1.0 / dot(direction, direction);
    let nearest = dot(t, direction) * inverse;
    let offset = t - nearest * direction;
    let square = dot(offset, offset);
    let outer = (radius + pad) * (radius + pad);
    if square > outer + TINY_SQUARED {
        return Span(MISS, 0.0, 0.0);
    }
    // (Squares that are flushed make a half of up to the root of TINY_SQUARED.)
    let reach = sqrt(max(outer + TINY_SQUARED - square, 0.0) * inverse);
    let inner = max(radius - pad, 0.0) * max(radius - pad, 0.0);
    var shrunk = vec2f(1.0, 0.0);
    if inner > square + TINY_SQUARED {
        let half = sqrt(max(inner - TINY_SQUARED - square, 0.0) * inverse);
        shrunk = vec2f(nearest - half, nearest + half);
    }
    return span_of(vec2f(nearest - reach, nearest + reach), shrunk, limit);
}

// A ray and a half-space: n·x - d is `height` at its origin, and falls by `falls` in a unit of time. A ray that lasts as long as RAY_LATEST may last
// longer.
fn half_space_span(origin: vec3f, direction: vec3f, limit: f32, n: vec3f, d: f32) -> Span {
    let height = dot(n, origin) - d;
    let falls = -dot(n, direction);
    let of_height = (dot(abs(n), abs(origin)) + abs(d)) * RAY_PAD + TINY;
    let of_fall = dot(abs(n), abs(direction)) * RAY_PAD + TINY;
    let low = height - of_height;
    let high = height + of_height;
    let slow = falls - of_fall;
    let fast = falls + of_fall;
    var first = 0.0;
    if low > 0.0 {
        if !(fast > 0.0) {
            return Span(MISS, 0.0, 0.0);
        }
        // (What is too large for numbers comes late enough.)
        first = min(low / fast, FLT_MAX) * (1.0 - RAY_SLACK);
    }
    if first > limit && limit < RAY_LATEST {
        return Span(MISS, 0.0, 0.0);
    }
    if !(high > 0.0) {
        return Span(HIT, 0.0, 0.0);
    }
    if slow > 0.0 {
        let last = high / slow * (1.0 + RAY_SLACK);
        if last < limit {
            return Span(HIT, first, last);
        }
    }
    return Span(UNDECIDED, first, FLT_MAX);
}

// A ray and the line that a capsule is around, as the ray sees them from its origin.
struct Limb {
    a: vec3f,
    b: vec3f,
    towards: vec3f,
    // Along the axis: the first end, the length, and the rate.
    start: f32,
    far: f32,
    rate: f32,
    // Across the axis: the first end, and the direction.
    across: vec3f,
    sideways: vec3f,
}

// The times at which a point that is nearest to 0 at this time, and then so far from it, is nearer to 0 than the root of a number.
fn chord(nearest: f32, offset: vec3f, most: f32, inverse: f32) -> vec2f {
    let square = dot(offset, offset);
    if square > most {
        return vec2f(1.0, 0.0);
    }
    let half = sqrt((most - square) * inverse);
    return vec2f(nearest - half, nearest + half);
}

// The times inside a ball around the end of a capsule.
fn ball_times(t: vec3f, towards: vec3f, most: f32) -> vec2f {
    let inverse = 1.0 / dot(towards, towards);
    let nearest = dot(t, towards) * inverse;
    return chord(nearest, t - nearest * towards, most, inverse);
}

// The times inside the cylinder, which is this much longer than the segment at both ends.
fn cylinder_times(limb: Limb, most: f32, longer: f32) -> vec2f {
    let inverse_rate = 1.0 / max(abs(limb.rate), RAY_LEAST_RATE);
    let low = limb.start - longer;
    let high = limb.start + limb.far + longer;
    // As if the ray went up.
    let near = select(low, -high, limb.rate < 0.0) * inverse_rate;
    let beyond = select(high, -low, limb.rate < 0.0) * inverse_rate;
    let square = dot(limb.sideways, limb.sideways);
    let least = RAY_LEAST_RATE * RAY_LEAST_RATE;
    var around: vec2f;
    if square < least {
        // It stays as far from the axis as it is.
        around = chord(0.0, limb.across, most, 1.0 / least);
    } else {
        let inverse = 1.0 / square;
        let nearest = dot(limb.across, limb.sideways) * inverse;
        around = chord(nearest, limb.across - nearest * limb.sideways, most, inverse);
    }
    return vec2f(max(near, around.x), min(beyond, around.y));
}

// The times inside one of two parts, or between them.
fn joined(a: vec2f, b: vec2f) -> vec2f {
    if a.x > a.y {
        return b;
    }
    if b.x > b.y {
        return a;
    }
    return vec2f(min(a.x, b.x), max(a.y, b.y));
}

fn limb_times(limb: Limb, most: f32, longer: f32) -> vec2f {
    let ends = joined(ball_times(limb.a, limb.towards, most), ball_times(limb.b, limb.towards, most));
    return joined(ends, cylinder_times(limb, most, longer));
}

// The second end of a capsule comes with its radius.
fn capsule_span(origin: vec3f, direction: vec3f, limit: f32, a: vec3f, b: vec4f) -> Span {
    let radius = b.w;
    let to_a = opaque(a - origin);
    let to_b = opaque(b.xyz - origin);
    let way = opaque(b.xyz - a);
    let pad = (max(sum3(abs(to_a)), sum3(abs(to_b))) + radius) * (2.0 * RAY_PAD) + 2.0 * TINY;
    let outer = radius + pad;
    let inner = max(radius - pad, 0.0);
    let least = inner * inner - TINY_SQUARED - TINY_SQUARED;
    let short = sum3(abs(way));
    var grown: vec2f;
    var shrunk = vec2f(1.0, 0.0);
    if short < pad {
        // All but a ball.
        grown = ball_times(to_a, direction, (outer + short) * (outer + short) + TINY_SQUARED);
        if least > 0.0 {
            shrunk = ball_times(to_a, direction, least);
        }
        return span_of(grown, shrunk, limit);
    }
    let far = length(way);
    let axis = way / far;
    let start = dot(to_a, axis);
    let rate = dot(direction, axis);
    let limb = Limb(to_a, to_b, direction, start, far, rate, to_a - start * axis, direction - rate * axis);
    grown = limb_times(limb, outer * outer + TINY_SQUARED, pad);
    if least > 0.0 {
        shrunk = limb_times(limb, least, -pad);
    }
    return span_of(grown, shrunk, limit);
}
