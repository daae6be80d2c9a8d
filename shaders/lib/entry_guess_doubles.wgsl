// When a ray enters a box that it meets, if that can be told without double words: `f64` is faster, and tells nearly always what double words are rounded to.

// The errors of offsets of faces and of rates in double words (src/cast/boxes.rs), which those in f64 are far below.
const OFFSET_ERROR = 0x1p-38lf;
const RATE_ERROR = 0x1p-40lf;
const GROWTH = 0x1p-38lf;
// Below the one a rate is none in double words either, and above the other it is one.
const NO_RATE = 0x1p-37lf;
const SOME_RATE = 0x1p-35lf;

// (What divides need not be as precise as sums and products, which are tested.)
fn inverse_of(x: f64) -> f64 {
    let guess = f64(1.0f / f32(x));
    let better = guess + guess * (1.0lf - x * guess);
    return better + better * (1.0lf - x * better);
}

// The earliest and the latest that the time of an axis may be, given a multiple of the axis. The earlier one is the greater if double words are to tell.
fn entry_along(axis: vec3<f64>, inverse: f64, center: vec3<f64>, reach: f64, direction: vec3<f64>) -> vec2<f64> {
    let place = dot(axis, center) * inverse;
    let rate = dot(axis, direction) * inverse;
    let near = select(place, -place, rate < 0.0lf) - reach - GROWTH;
    let size = abs(rate);
    if size < SOME_RATE {
        return vec2<f64>(select(1.0lf, 0.0lf, size < NO_RATE), 0.0lf);
    }
    let per_rate = inverse_of(size);
    let time = near * per_rate;
    let error = (OFFSET_ERROR + abs(time) * RATE_ERROR) * per_rate;
    return vec2<f64>(time - error, time + error);
}

fn known_entry(q: vec4f, center: Doubles, reaches: vec3f, direction: vec3f) -> Known {
    let p = vec4<f64>(q);
    let c = vec3<f64>(center.high) + vec3<f64>(center.low);
    let r = vec3<f64>(reaches);
    let d = vec3<f64>(direction);
    let inverse = inverse_of(dot(p, p));
    let squares = p * p;
    let mixed = 2.0lf * p.xyz * p.yzx;
    let turn = 2.0lf * p.xyz * p.w;
    let x = entry_along(
        vec3<f64>(squares.w + squares.x - squares.y - squares.z, mixed.x + turn.z, mixed.z - turn.y),
        inverse,
        c,
        r.x,
        d,
    );
    let y = entry_along(
        vec3<f64>(mixed.x - turn.z, squares.w + squares.y - squares.z - squares.x, mixed.y + turn.x),
        inverse,
        c,
        r.y,
        d,
    );
    let z = entry_along(
        vec3<f64>(mixed.z + turn.y, mixed.y - turn.x, squares.w + squares.z - squares.x - squares.y),
        inverse,
        c,
        r.z,
        d,
    );
    let first = max(max(x.x, y.x), max(z.x, 0.0lf));
    let last = max(max(x.y, y.y), max(z.y, 0.0lf));
    let time = f32(last);
    // Half of what is between two numbers there, or less.
    let bits = bitcast<u32>(time);
    let half = f64(bitcast<f32>(bits & 0x7f800000u)) * select(0x1p-24lf, 0x1p-25lf, (bits & 0x007fffffu) == 0u);
    let is_known = last == 0.0lf || (abs(first - f64(time)) < half && abs(last - f64(time)) < half);
    return Known(is_known && x.x <= x.y && y.x <= y.y && z.x <= z.y, time);
}
