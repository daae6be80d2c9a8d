// When a ray enters a body, in double words, and whether it certainly does. The twin of src/cast, where errors are derived.
// import: lib/det_rotation

const CAST_GROWTH = 0x1p-38f;
const CAST_LAST = 8.0f;
const CAST_LEAST_SIZE = 67u;
const CAST_GREATEST_SIZE = 169u;
const CAST_LEAST_LENGTH = 27u;
const CAST_GREATEST_LENGTH = 167u;
const BOX_FACE_ERROR = 0x1p-35f;
const BOX_EDGE_ERROR = 0x1p-33f;
const BOX_END_ERROR = 0x1p-40f;
const BOX_LEAST_END_ERROR = 0x1p-90f;
const BOX_LEAST_RATE = 0x1p-36f;
const BALL_LINE_ERROR = 0x1p-39f;
const BALL_LEAST_LINE_ERROR = 0x1p-90f;
const BALL_ORIGIN_ERROR = 0x1p-38f;
const BALL_END_ERROR = 0x1p-32f;
const BALL_TIME_ERROR = 0x1p-38f;

struct Shot {
    origin: vec3f,
    direction: vec3f,
    last: f32,
}

// A verdict (MISS, HIT or UNDECIDED), and the time in units of the shot's direction.
struct Meeting {
    verdict: u32,
    time: f32,
}

const CAST_OUTSIDE = Meeting(UNDECIDED, 0.0f);

fn is_length(bits: u32) -> bool {
    let exponent = exponent_of(bits);
    return (bits & ~DET_SIGN) == 0u || (exponent >= CAST_LEAST_LENGTH && exponent <= CAST_GREATEST_LENGTH);
}

fn are_lengths(v: vec3u) -> bool {
    return is_length(v.x) && is_length(v.y) && is_length(v.z);
}

fn is_size(exponent: u32) -> bool {
    return exponent >= CAST_LEAST_SIZE && exponent <= CAST_GREATEST_SIZE;
}

fn power_of(exponent: u32) -> f32 {
    return bitcast<f32>(exponent << 23u);
}

fn single(x: f32) -> DetDouble {
    return DetDouble(x, 0.0f);
}

fn scaled_double(x: DetDouble, scale: f32) -> DetDouble {
    return DetDouble(det_mul(x.high, scale), det_mul(x.low, scale));
}

fn sqrt_double(x: DetDouble) -> DetDouble {
    let guess = det_sqrt(x.high);
    let rest = det_sub_double(x, det_two_prod(guess, guess));
    return det_quick_two_sum(guess, det_mul(rest.high, det_mul(0.5f, det_rsqrt(x.high))));
}

fn sum3_double(a: DetDouble, b: DetDouble, c: DetDouble) -> DetDouble {
    return det_add_double(det_add_double(a, b), c);
}

fn difference(a: f32, b: f32) -> DetDouble {
    return det_two_sum(det_clean(a), det_neg(det_clean(b)));
}

fn abs_double(x: DetDouble) -> DetDouble {
    if x.high < 0.0f {
        return det_neg_double(x);
    }
    return x;
}

fn high_exponent(x: DetDouble) -> u32 {
    return exponent_of(bitcast<u32>(x.high));
}

fn unscaled(shot: Shot, time: f32, size: u32) -> f32 {
    return det_min(det_mul(det_max(time, 0.0f), power_of(size)), shot.last);
}

fn verdict_of(missed: bool, met: bool) -> u32 {
    return select(select(UNDECIDED, HIT, met), MISS, missed);
}

// A pair of faces: see src/cast/boxes.rs.
struct Slab {
    low: DetDouble,
    high: DetDouble,
    rate: DetDouble,
    above_low: bool,
    below_high: bool,
}

// Whether the ray certainly stays on one side of a pair of faces, and whether it certainly does not.
fn face_test(slab: Slab, exact: bool, last: f32) -> vec2<bool> {
    let end = det_mul_double(single(last), slab.rate);
    let error = select(BOX_FACE_ERROR, det_add(det_mul(det_abs(end.high), BOX_END_ERROR), BOX_LEAST_END_ERROR), exact);
    var up = single(0.0f);
    var down = single(0.0f);
    if end.high > 0.0f {
        up = end;
    } else {
        down = end;
    }
    let below = det_sub_double(slab.low, up).high;
    let above = det_sub_double(down, slab.high).high;
    let reaches_low = slab.above_low || det_neg(below) > error;
    let reaches_high = slab.below_high || det_neg(above) > error;
    return vec2<bool>(below > error || above > error, reaches_low && reaches_high);
}

fn edge_gap(a: Slab, b: Slab) -> f32 {
    let center_a = det_add_double(a.low, a.high);
    let center_b = det_add_double(b.low, b.high);
    let size_a = det_sub_double(a.high, a.low);
    let size_b = det_sub_double(b.high, b.low);
    let cross_part = det_sub_double(det_mul_double(a.rate, center_b), det_mul_double(b.rate, center_a));
    let reach = det_add_double(det_mul_double(abs_double(a.rate), size_b), det_mul_double(abs_double(b.rate), size_a));
    return det_sub_double(abs_double(cross_part), reach).high;
}

fn edge_test(a: Slab, b: Slab, exact: bool) -> vec2<bool> {
    if exact && (a.rate.high == 0.0f || b.rate.high == 0.0f) {
        return vec2<bool>(false, true);
    }
    let gap = edge_gap(a, b);
    return vec2<bool>(gap > BOX_EDGE_ERROR, det_neg(gap) > BOX_EDGE_ERROR);
}

fn slab_entry(slab: Slab, exact: bool) -> f32 {
    let rate = abs_double(slab.rate);
    if rate.high < BOX_LEAST_RATE {
        return 0.0f;
    }
    var near = slab.low;
    if !(slab.rate.high > 0.0f) {
        near = det_neg_double(slab.high);
    }
    if !exact {
        near = det_sub_double(near, single(CAST_GROWTH));
    }
    return det_mul_double(near, recip_double(rate)).high;
}

// The three pairs of faces of the box that is tested. (In loops over them each function has one caller: drivers compile every call anew.)
var<private> slabs: array<Slab, 3>;

fn box_meeting(shot: Shot, exact: bool, size: u32) -> Meeting {
    let last = det_min(det_mul(shot.last, power_of(254u - size)), CAST_LAST);
    var missed = false;
    var met = true;
    var time = 0.0f;
    for (var k = 0u; k < 3u; k++) {
        let faces = face_test(slabs[k], exact, last);
        let edges = edge_test(slabs[k], slabs[(k + 1u) % 3u], exact);
        missed = missed || faces.x || edges.x;
        met = met && faces.y && edges.y;
        time = det_max(time, slab_entry(slabs[k], exact));
    }
    return Meeting(verdict_of(missed, met), unscaled(shot, time, size));
}

// Sets the faces of a box with fixed axes, scaled by a power of two, whose exponent is returned; 0 if the box is outside the domain.
fn set_aabb_slabs(shot: Shot, first: vec3u, second: vec3u) -> u32 {
    var size = 0u;
    for (var k = 0u; k < 3u; k++) {
        let low_k = difference(bitcast<f32>(first[k]), shot.origin[k]);
        let high_k = difference(bitcast<f32>(second[k]), shot.origin[k]);
        slabs[k] = Slab(low_k, high_k, single(shot.direction[k]), low_k.high <= 0.0f, high_k.high >= 0.0f);
        size = max(size, max(high_exponent(low_k), high_exponent(high_k)));
    }
    if !is_size(size) {
        return 0u;
    }
    let scale = power_of(254u - size);
    for (var k = 0u; k < 3u; k++) {
        slabs[k].low = scaled_double(slabs[k].low, scale);
        slabs[k].high = scaled_double(slabs[k].high, scale);
    }
    return size;
}

// The sum of products of an axis of the box with three double words.
fn along_axis(axis: u32, x: DetDouble, y: DetDouble, z: DetDouble) -> DetDouble {
    let k = 3u * axis;
    return sum3_double(
        det_mul_double(DetDouble(high[k], low[k]), x),
        det_mul_double(DetDouble(high[k + 1u], low[k + 1u]), y),
        det_mul_double(DetDouble(high[k + 2u], low[k + 2u]), z),
    );
}

// Sets the faces of an oriented box in the same way.
fn set_obb_slabs(shot: Shot, center: vec3u, half: vec3u, quaternion: vec4u) -> u32 {
    let c = bitcast<vec3f>(center);
    var x = difference(c.x, shot.origin.x);
    var y = difference(c.y, shot.origin.y);
    var z = difference(c.z, shot.origin.z);
    let size = max(max(high_exponent(x), high_exponent(y)), max(high_exponent(z), largest_exponent(half)));
    if !set_rotation_of(quaternion) || !is_size(size) {
        return 0u;
    }
    let scale = power_of(254u - size);
    x = scaled_double(x, scale);
    y = scaled_double(y, scale);
    z = scaled_double(z, scale);
    for (var k = 0u; k < 3u; k++) {
        let place = along_axis(k, x, y, z);
        let rate = along_axis(k, single(shot.direction.x), single(shot.direction.y), single(shot.direction.z));
        let reach = single(det_mul(bitcast<f32>(half[k]), scale));
        slabs[k] = Slab(det_sub_double(place, reach), det_add_double(place, reach), rate, false, false);
    }
    return size;
}

// The sum of a first number, and of those that follow.
fn summed(k: u32, sum: DetDouble, x: DetDouble) -> DetDouble {
    if k == 0u {
        return x;
    }
    return det_add_double(sum, x);
}

// (In loops over the coordinates, for the same reason as those over faces.)
fn ball_meeting(shot: Shot, center: vec3u, radius_bits: u32) -> Meeting {
    let c = bitcast<vec3f>(center);
    var apart: array<DetDouble, 3>;
    var size = exponent_of(radius_bits);
    for (var k = 0u; k < 3u; k++) {
        apart[k] = difference(c[k], shot.origin[k]);
        size = max(size, high_exponent(apart[k]));
    }
    if !is_size(size) {
        return CAST_OUTSIDE;
    }
    let scale = power_of(254u - size);
    let radius = det_mul(bitcast<f32>(radius_bits), scale);
    let last = det_min(det_mul(shot.last, scale), CAST_LAST);
    var direction_square = single(0.0f);
    var along = single(0.0f);
    var apart_square = single(0.0f);
    for (var k = 0u; k < 3u; k++) {
        let t = scaled_double(apart[k], scale);
        let d = single(shot.direction[k]);
        apart[k] = t;
        direction_square = summed(k, direction_square, det_mul_double(d, d));
        along = summed(k, along, det_mul_double(t, d));
        apart_square = summed(k, apart_square, det_mul_double(t, t));
    }
    let inverse = recip_double(direction_square);
    let nearest = det_mul_double(along, inverse);
    var offset_square = single(0.0f);
    var end_square = single(0.0f);
    var offsets: vec3f;
    for (var k = 0u; k < 3u; k++) {
        let d = single(shot.direction[k]);
        // From the nearest point of the line, and from the ray's end.
        let off = det_sub_double(apart[k], det_mul_double(nearest, d));
        let end = det_sub_double(apart[k], det_mul_double(single(last), d));
        offset_square = summed(k, offset_square, det_mul_double(off, off));
        end_square = summed(k, end_square, det_mul_double(end, end));
        offsets[k] = det_abs(off.high);
    }
    let limit = det_two_prod(radius, radius);
    let line = det_sub_double(offset_square, limit).high;
    let from_origin = det_sub_double(apart_square, limit).high;
    let from_end = det_sub_double(end_square, limit).high;
    let sides = det_add(det_add(offsets.x, offsets.y), det_add(offsets.z, radius));
    let line_error = det_add(det_mul(sides, BALL_LINE_ERROR), BALL_LEAST_LINE_ERROR);
    let past_end = det_sub(nearest.high, last);
    let missed = line > line_error
        || (det_neg(nearest.high) > BALL_TIME_ERROR && from_origin > BALL_ORIGIN_ERROR)
        || (past_end > BALL_TIME_ERROR && from_end > BALL_END_ERROR);
    let met = (det_neg(line) > line_error && nearest.high > BALL_TIME_ERROR && det_neg(past_end) > BALL_TIME_ERROR)
        || det_neg(from_origin) > BALL_ORIGIN_ERROR
        || det_neg(from_end) > BALL_END_ERROR;
    let grown = det_two_sum(radius, CAST_GROWTH);
    let chord = det_mul_double(det_sub_double(det_mul_double(grown, grown), offset_square), inverse);
    var half = single(0.0f);
    if chord.high > 0.0f {
        half = sqrt_double(chord);
    }
    let time = det_sub_double(nearest, half).high;
    return Meeting(verdict_of(missed, met), unscaled(shot, time, size));
}
