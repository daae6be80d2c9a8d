// When a ray enters an oriented box that it certainly meets. It enters through the face that it comes to last, and which that is single precision tells of
// most rays: double words are computed along that axis only. The bits are those of `box_meeting`, which computes the times of all axes.
// import: lib/det_cast

// More than the errors of offsets and rates along the axes in single precision: lengths are at most 2, so that the entries of the rotation have errors of
// 16 units of 2^-24, sums of three products 110, and the offset of a face 120. This is 512.
const ENTRY_ERROR = 0x1p-15f;

// The axis of a box that turns by a quaternion, given the inverse of the square of its length.
fn single_axis(q: vec4f, inverse: f32, a: u32) -> vec3f {
    let b = (a + 1u) % 3u;
    let c = (a + 2u) % 3u;
    let twice = det_add(inverse, inverse);
    let same = det_add(det_mul(q.w, q.w), det_mul(q[a], q[a]));
    let other = det_add(det_mul(q[b], q[b]), det_mul(q[c], q[c]));
    var axis: vec3f;
    axis[a] = det_mul(det_sub(same, other), inverse);
    axis[b] = det_mul(det_add(det_mul(q[a], q[b]), det_mul(q.w, q[c])), twice);
    axis[c] = det_mul(det_sub(det_mul(q[a], q[c]), det_mul(q.w, q[b])), twice);
    return axis;
}

// The same in double words, as an axis of `set_rotation`.
fn set_axis(q: vec4f, inverse: DetDouble, squares: array<DetDouble, 4>, a: u32) {
    var all = squares;
    let b = (a + 1u) % 3u;
    let c = (a + 2u) % 3u;
    let twice = DetDouble(det_add(inverse.high, inverse.high), det_add(inverse.low, inverse.low));
    let ab = det_two_prod(q[min(a, b)], q[max(a, b)]);
    let ac = det_two_prod(q[min(a, c)], q[max(a, c)]);
    set_entry(3u * a + a, diagonal(all[3], all[a], all[min(b, c)], all[max(b, c)], inverse));
    set_entry(3u * a + b, det_mul_double(det_add_double(ab, det_two_prod(q.w, q[c])), twice));
    set_entry(3u * a + c, det_mul_double(det_sub_double(ac, det_two_prod(q.w, q[b])), twice));
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
    let square = det_add(det_dot3(q.xyz, q.xyz), det_mul(q.w, q.w));
    let inverse = det_recip(square);
    // How far the face at which the ray would enter is along each axis, and what the ray moves along that in a unit of time.
    var nears: vec3f;
    var rates: vec3f;
    for (var k = params.zero; k < 3u; k++) {
        let axis = single_axis(q, inverse, k);
        let place = det_dot3(axis, vec3f(x.high, y.high, z.high));
        let rate = det_dot3(axis, shot.direction);
        nears[k] = det_sub(select(place, det_neg(place), rate < 0.0f), reaches[k]);
        rates[k] = det_abs(rate);
    }
    var squares: array<DetDouble, 4>;
    for (var k = params.zero; k < 4u; k++) {
        squares[k] = det_two_prod(q[k], q[k]);
    }
    let inverse_double = recip_double(
        det_add_double(det_add_double(squares[0], squares[1]), det_add_double(squares[2], squares[3])),
    );
    var time = 0.0f;
    for (var k = params.zero; k < 3u; k++) {
        // Whether it passes the face before it starts, or before that of another axis. (If it may not move along the axis at all, only the former.)
        let latest = det_add(nears[k], ENTRY_ERROR);
        let least_rate = det_sub(rates[k], ENTRY_ERROR);
        var before = latest < 0.0f;
        for (var j = 0u; j < 3u; j++) {
            let earliest = det_sub(nears[j], ENTRY_ERROR);
            let later = det_mul(latest, det_add(rates[j], ENTRY_ERROR)) < det_mul(earliest, least_rate);
            before = before || (later && earliest > 0.0f && rates[j] > ENTRY_ERROR);
        }
        if before {
            continue;
        }
        set_axis(q, inverse_double, squares, k);
        let place = along_axis(k, x, y, z);
        let rate = along_axis(k, single(shot.direction.x), single(shot.direction.y), single(shot.direction.z));
        let reach = single(reaches[k]);
        let slab = Slab(det_sub_double(place, reach), det_add_double(place, reach), rate, false, false);
        time = det_max(time, slab_entry(slab, false));
    }
    return Meeting(HIT, unscaled(shot, time, size));
}
