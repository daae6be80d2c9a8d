// Boxes that certainly contain a body. They may be a little large.

// What is added to |R| e, in U times the sum of e, and to c ± h, in U times |c| + h; and more than flushed subnormals add up to.
const BOUNDS_REACH: f32 = 20.0;
const BOUNDS_POSITION: f32 = 8.0;
const BOUNDS_TINY = 0x1p-120f;
// Beyond this, sums might overflow: such a body is everywhere.
const BOUNDS_LARGEST = 0x1p120f;

struct Bounds {
    low: vec3f,
    high: vec3f,
}

const EVERYWHERE = Bounds(vec3f(-FLT_MAX), vec3f(FLT_MAX));
const NOWHERE = Bounds(vec3f(FLT_MAX), vec3f(-FLT_MAX));

// Whether all |v| are at most BOUNDS_LARGEST, by the order of the bits.
fn bounded(v: vec3f) -> bool {
    return all((bitcast<vec3u>(v) & vec3u(0x7fffffffu)) <= vec3u(bitcast<u32>(BOUNDS_LARGEST)));
}

// The box around `center` that reaches `half` to either side.
fn bounds_around(center: vec3f, half: vec3f) -> Bounds {
    if !(bounded(center) && bounded(half)) {
        return EVERYWHERE;
    }
    let slack = (BOUNDS_POSITION * U) * abs(center) + (BOUNDS_POSITION * U) * half + vec3f(BOUNDS_TINY);
    return Bounds(center - half - slack, center + half + slack);
}

fn aabb_bounds(low: vec3f, high: vec3f) -> Bounds {
    let none = vec3f(0.0);
    return Bounds(
        select(low, bounds_around(low, none).low, bounded(low)),
        select(high, bounds_around(high, none).high, bounded(high)),
    );
}

fn obb_bounds(center: vec3f, half: vec3f, axes: mat3x3f) -> Bounds {
    if !bounded(half) {
        return EVERYWHERE;
    }
    let sum = half.x + half.y + half.z;
    let reach = abs(axes[0]) * half.x + abs(axes[1]) * half.y + abs(axes[2]) * half.z;
    return bounds_around(center, reach + vec3f((BOUNDS_REACH * U) * sum + BOUNDS_TINY));
}

// For a rotation that could be any.
fn any_bounds(center: vec3f, half: vec3f) -> Bounds {
    if !bounded(half) {
        return EVERYWHERE;
    }
    let sum = half.x + half.y + half.z;
    return bounds_around(center, vec3f(sum + (BOUNDS_REACH * U) * sum + BOUNDS_TINY));
}
