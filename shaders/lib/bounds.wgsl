// Conservative bounds: boxes that certainly contain a body, and may be a little large. Beyond BOUNDS_LARGEST sums might overflow,
// so a body that reaches there gets bounds that contain everything. The slack BOUNDS_REACH is added to |R| e, in U times the sum
// of e; BOUNDS_POSITION to c ± h, in U times |c| + h; BOUNDS_TINY exceeds the sum of all flushed subnormals.
// |c| + h; BOUNDS_TINY is more than flushed subnormals add up to.
// import: lib/real, abi/bounds

struct Bounds {
    low: vec3f,
    high: vec3f,
}

const EVERYWHERE = Bounds(vec3f(-FLT_MAX), vec3f(FLT_MAX));
const NOWHERE = Bounds(vec3f(FLT_MAX), vec3f(-FLT_MAX));

// Which |v| are at most BOUNDS_LARGEST, compared as integers.
fn each_bounded(v: vec3f) -> vec3<bool> {
    return (bitcast<vec3u>(v) & vec3u(0x7fffffffu)) <= vec3u(bitcast<u32>(BOUNDS_LARGEST));
}

fn bounded(v: vec3f) -> bool {
    return all(each_bounded(v));
}

// The box around `center` that reaches `half` to either side.
fn bounds_around(center: vec3f, half: vec3f) -> Bounds {
    if !(bounded(center) && bounded(half)) {
        return EVERYWHERE;
    }
    return widened(center, half);
}

// The box around `center` that reaches `half` to either side, for inputs up to BOUNDS_LARGEST. The slack is relative to the
// numbers that are added, which are inputs and not the result of a cancellation: c - h - slack meets two roundings of at most U
// (|c| + h + slack), in whatever order, and slack itself three of its own, so that 8 U - 2 U (and terms in U U) is left. Each of
// the operations, and each of the inputs, loses less than 2^-126 to flushing; BOUNDS_TINY is 64 times that.
fn widened(center: vec3f, half: vec3f) -> Bounds {
    let slack = (BOUNDS_POSITION * U) * abs(center) + (BOUNDS_POSITION * U) * half + vec3f(BOUNDS_TINY);
    return Bounds(center - half - slack, center + half + slack);
}

// The balls around both ends, and what is between them.
fn capsule_bounds(a: vec3f, b: vec3f, radius: f32) -> Bounds {
    if !(bounded(a) && bounded(b) && bounded(vec3f(radius))) {
        return EVERYWHERE;
    }
    return Bounds(widened(min(a, b), vec3f(radius)).low, widened(max(a, b), vec3f(radius)).high);
}

// A half-space whose border is at right angles to an axis ends there, and a little beyond: a quotient has an error of some units in the last place, and
// what is flushed, of an offset and a normal in the domain, is less than 2^-90. All others are everywhere.
fn half_space_bounds(normal: vec3u, offset: f32) -> Bounds {
    var bounds = EVERYWHERE;
    let along = (normal & vec3u(0x7fffffffu)) != vec3u();
    let count = select(0u, 1u, along.x) + select(0u, 1u, along.y) + select(0u, 1u, along.z);
    if count != 1u {
        return bounds;
    }
    let k = select(select(2u, 1u, along.y), 0u, along.x);
    let n = bitcast<f32>(normal[k]);
    let border = offset / n;
    let slack = abs(border) * 0x1p-20f + 0x1p-90f;
    if !bounded(vec3f(border)) {
        return bounds;
    }
    if n > 0.0f {
        bounds.high[k] = border + slack;
    } else {
        bounds.low[k] = border - slack;
    }
    return bounds;
}

// A coordinate beyond BOUNDS_LARGEST is not widened: it is exact. The other coordinates still need their slack, since they may be
// flushed.
fn aabb_bounds(low: vec3f, high: vec3f) -> Bounds {
    let zero = vec3f(0.0);
    let near_low = each_bounded(low);
    let near_high = each_bounded(high);
    return Bounds(
        select(low, widened(select(zero, low, near_low), zero).low, near_low),
        select(high, widened(select(zero, high, near_high), zero).high, near_high),
    );
}

// The error of an entry of R is at most 14 U however much of it cancels, so the slack of the reach is relative to the extents,
// not to the reach.
fn obb_bounds(center: vec3f, half: vec3f, axes: mat3x3f) -> Bounds {
    if !bounded(half) {
        return EVERYWHERE;
    }
    let sum = half.x + half.y + half.z;
    let reach = abs(axes[0]) * half.x + abs(axes[1]) * half.y + abs(axes[2]) * half.z;
    return bounds_around(center, reach + vec3f((BOUNDS_REACH * U) * sum + BOUNDS_TINY));
}

// The bounds of a box whose quaternion is outside the domain: they hold for every rotation.
fn any_bounds(center: vec3f, half: vec3f) -> Bounds {
    if !bounded(half) {
        return EVERYWHERE;
    }
    let sum = half.x + half.y + half.z;
    return bounds_around(center, vec3f(sum + (BOUNDS_REACH * U) * sum + BOUNDS_TINY));
}

// The bounds of a box in a frame of its own, from `low` to `high`, that is turned and then moved. The middle is off by as much as the reach, relative to
// its coordinates, and the sum with the position by a rounding of what is added, though it may cancel.
// Besides, it is in a ball around the middle, whose radius is a share of half the diagonal. (Squares of small numbers may be lost.)
fn hull_bounds(position: vec3f, low: vec3f, high: vec3f, share: f32, axes: mat3x3f) -> Bounds {
    let middle = 0.5 * low + 0.5 * high;
    let half = 0.5 * high - 0.5 * low;
    if !(bounded(position) && bounded(low) && bounded(high)) {
        return EVERYWHERE;
    }
    let sum = half.x + half.y + half.z + abs(middle.x) + abs(middle.y) + abs(middle.z);
    let radius = select(sqrt(dot(half, half)) * share * (1.0 + 0x1p-16), sum, sum < 0x1p-40);
    let reach = min(abs(axes[0]) * half.x + abs(axes[1]) * half.y + abs(axes[2]) * half.z, vec3f(radius));
    let slack = (BOUNDS_POSITION * U) * abs(position) + vec3f((2.0 * BOUNDS_REACH * U) * sum + BOUNDS_TINY);
    let shift = axes[0] * middle.x + axes[1] * middle.y + axes[2] * middle.z;
    return bounds_around(position + shift, reach + slack);
}
