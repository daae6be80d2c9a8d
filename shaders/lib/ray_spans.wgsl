// Rays against boxes and balls, as in src/filter/ray.rs: whether they certainly meet, and between which times a ray certainly enters.
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
