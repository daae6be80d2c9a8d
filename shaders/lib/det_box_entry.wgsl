// When a ray enters an oriented box that it certainly meets. It enters through the face that it comes to last, and which that is single precision tells of
// most rays: double words are computed along that axis only. The bits are those of `box_meeting`, which computes the times of all axes.
// import: lib/det_cast, lib/entry_guess

// More than the errors of offsets and rates along the axes in single precision: lengths are at most 2, so that the entries of the rotation have errors of
// 16 units of 2^-24, sums of three products 110, and the offset of a face 120. This is 512.
const ENTRY_ERROR = 0x1p-15f;

// The components of a vector from that of one axis on, in the order in which the axes follow one another; and the inverse of that.
fn turned(v: vec3f, axis: u32) -> vec3f {
    return select(select(v, v.yzx, axis == 1u), v.zxy, axis == 2u);
}

fn turned_back(v: vec3f, axis: u32) -> vec3f {
    return select(select(v, v.zxy, axis == 1u), v.yzx, axis == 2u);
}

// How far the face at which the ray would enter is along an axis, and what the ray moves along that in a unit of time. The inverse is that of the
// square of the quaternion's length.
fn single_face(q: vec4f, inverse: f32, center: vec3f, reaches: vec3f, direction: vec3f, axis: u32) -> vec2f {
    let p = turned(q.xyz, axis);
    let twice = det_add(inverse, inverse);
    let same = det_add(det_mul(q.w, q.w), det_mul(p.x, p.x));
    let other = det_add(det_mul(p.y, p.y), det_mul(p.z, p.z));
    let entries = vec3f(
        det_mul(det_sub(same, other), inverse),
        det_mul(det_add(det_mul(p.x, p.y), det_mul(q.w, p.z)), twice),
        det_mul(det_sub(det_mul(p.x, p.z), det_mul(q.w, p.y)), twice),
    );
    let place = det_dot3(entries, turned(center, axis));
    let rate = det_dot3(entries, turned(direction, axis));
    return vec2f(det_sub(select(place, det_neg(place), rate < 0.0f), turned(reaches, axis).x), det_abs(rate));
}

// Whether the ray passes a face before it starts, or before that of another axis. (If it may not move along the axis at all, only the former.)
fn is_passed_before(near: f32, rate: f32, nears: vec3f, rates: vec3f) -> bool {
    let latest = det_add(near, ENTRY_ERROR);
    let least_rate = det_sub(rate, ENTRY_ERROR);
    let earliest = det_sub3(nears, vec3f(ENTRY_ERROR));
    let later = det_scale3(det_add3(rates, vec3f(ENTRY_ERROR)), latest) < det_scale3(earliest, least_rate);
    return latest < 0.0f || any(later & (earliest > vec3f()) & (rates > vec3f(ENTRY_ERROR)));
}

// A time, if it is certain.
struct Known {
    is_certain: bool,
    time: f32,
}

// Three double words: their highs and their lows.
struct Doubles {
    high: vec3f,
    low: vec3f,
}

fn doubles(x: DetDouble, y: DetDouble, z: DetDouble) -> Doubles {
    return Doubles(vec3f(x.high, y.high, z.high), vec3f(x.low, y.low, z.low));
}

fn dot_doubles(a: Doubles, x: DetDouble, y: DetDouble, z: DetDouble) -> DetDouble {
    return sum3_double(
        det_mul_double(DetDouble(a.high.x, a.low.x), x),
        det_mul_double(DetDouble(a.high.y, a.low.y), y),
        det_mul_double(DetDouble(a.high.z, a.low.z), z),
    );
}

// An axis as `set_rotation` computes it, given the squares of the quaternion's components and the inverse of their sum.
fn double_axis(q: vec4f, squares: Doubles, square: DetDouble, inverse: DetDouble, axis: u32) -> Doubles {
    let p = turned(q.xyz, axis);
    let h = turned(squares.high, axis);
    let l = turned(squares.low, axis);
    let twice = DetDouble(det_add(inverse.high, inverse.high), det_add(inverse.low, inverse.low));
    let first = diagonal(square, DetDouble(h.x, l.x), DetDouble(h.y, l.y), DetDouble(h.z, l.z), inverse);
    let second = det_mul_double(det_add_double(det_two_prod(p.x, p.y), det_two_prod(q.w, p.z)), twice);
    let third = det_mul_double(det_sub_double(det_two_prod(p.x, p.z), det_two_prod(q.w, p.y)), twice);
    let entries = doubles(first, second, third);
    return Doubles(turned_back(entries.high, axis), turned_back(entries.low, axis));
}

fn certain_obb(shot: Shot, center: vec3u, half: vec3u, quaternion: vec4u) -> Meeting {
    let c = bitcast<vec3f>(center);
    var x = difference(c.x, shot.origin.x);
    var y = difference(c.y, shot.origin.y);
    var z = difference(c.z, shot.origin.z);
    let size = max(max(high_exponent(x), high_exponent(y)), max(high_exponent(z), largest_exponent(half)));
    let largest = max(largest_exponent(quaternion.xyz), exponent_of(quaternion.w));
    if !is_in_domain(largest) || !is_size(size) {
        return CAST_OUTSIDE;
    }
    let turn = bitcast<f32>((254u - largest) << 23u);
    let q = vec4f(det_scale3(cleaned(quaternion.xyz), turn), det_mul(det_clean(bitcast<f32>(quaternion.w)), turn));
    let scale = power_of(254u - size);
    x = scaled_double(x, scale);
    y = scaled_double(y, scale);
    z = scaled_double(z, scale);
    let reaches = det_scale3(bitcast<vec3f>(half), scale);
    let known = known_entry(q, doubles(x, y, z), reaches, shot.direction);
    if known.is_certain {
        return Meeting(HIT, unscaled(shot, known.time, size));
    }
    let square = det_add(det_dot3(q.xyz, q.xyz), det_mul(q.w, q.w));
    let inverse = det_recip(square);
    let single_center = vec3f(x.high, y.high, z.high);
    let face_x = single_face(q, inverse, single_center, reaches, shot.direction, 0u);
    let face_y = single_face(q, inverse, single_center, reaches, shot.direction, 1u);
    let face_z = single_face(q, inverse, single_center, reaches, shot.direction, 2u);
    let nears = vec3f(face_x.x, face_y.x, face_z.x);
    let rates = vec3f(face_x.y, face_y.y, face_z.y);
    // The axes that may decide, one bit each: threads wait for one another, so that each computes with the first that is left of its own.
    var open = select(1u, 0u, is_passed_before(nears.x, rates.x, nears, rates))
        | select(2u, 0u, is_passed_before(nears.y, rates.y, nears, rates))
        | select(4u, 0u, is_passed_before(nears.z, rates.z, nears, rates));
    let square_w = det_two_prod(q.w, q.w);
    let square_x = det_two_prod(q.x, q.x);
    let square_y = det_two_prod(q.y, q.y);
    let square_z = det_two_prod(q.z, q.z);
    let squares = doubles(square_x, square_y, square_z);
    let inverse_double = recip_double(
        det_add_double(det_add_double(square_x, square_y), det_add_double(square_z, square_w)),
    );
    var time = 0.0f;
    while open != 0u {
        let axis = firstTrailingBit(open);
        open &= open - 1u;
        let entries = double_axis(q, squares, square_w, inverse_double, axis);
        let place = dot_doubles(entries, x, y, z);
        let direction = shot.direction;
        let rate = dot_doubles(entries, single(direction.x), single(direction.y), single(direction.z));
        let reach = single(turned(reaches, axis).x);
        let slab = Slab(det_sub_double(place, reach), det_add_double(place, reach), rate, false, false);
        time = det_max(time, slab_entry(slab, false));
    }
    return Meeting(HIT, unscaled(shot, time, size));
}
