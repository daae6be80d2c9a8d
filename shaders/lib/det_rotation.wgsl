// Rotations in double words, for boxes as contacts and rays see them. The twin of src/manifold/frame.rs.
// import: lib/det_domain

fn recip_double(x: DetDouble) -> DetDouble {
    let guess = det_recip(x.high);
    let rest = det_sub_double(DetDouble(1.0f, 0.0f), det_mul_double(x, DetDouble(guess, 0.0f)));
    return det_quick_two_sum(guess, det_mul(guess, rest.high));
}

// The nine entries of a rotation, column by column.
var<private> high: array<f32, 9>;
var<private> low: array<f32, 9>;

fn set_entry(k: u32, x: DetDouble) {
    high[k] = x.high;
    low[k] = x.low;
}

// (a + b) - (c + d), times a number.
fn diagonal(a: DetDouble, b: DetDouble, c: DetDouble, d: DetDouble, times: DetDouble) -> DetDouble {
    return det_mul_double(det_sub_double(det_add_double(a, b), det_add_double(c, d)), times);
}

fn set_rotation(q: vec4f) {
    let xx = det_two_prod(q.x, q.x);
    let yy = det_two_prod(q.y, q.y);
    let zz = det_two_prod(q.z, q.z);
    let ww = det_two_prod(q.w, q.w);
    let xy = det_two_prod(q.x, q.y);
    let xz = det_two_prod(q.x, q.z);
    let yz = det_two_prod(q.y, q.z);
    let wx = det_two_prod(q.w, q.x);
    let wy = det_two_prod(q.w, q.y);
    let wz = det_two_prod(q.w, q.z);
    let inverse = recip_double(det_add_double(det_add_double(xx, yy), det_add_double(zz, ww)));
    let twice = DetDouble(det_add(inverse.high, inverse.high), det_add(inverse.low, inverse.low));
    set_entry(0u, diagonal(ww, xx, yy, zz, inverse));
    set_entry(1u, det_mul_double(det_add_double(xy, wz), twice));
    set_entry(2u, det_mul_double(det_sub_double(xz, wy), twice));
    set_entry(3u, det_mul_double(det_sub_double(xy, wz), twice));
    set_entry(4u, diagonal(ww, yy, xx, zz, inverse));
    set_entry(5u, det_mul_double(det_add_double(yz, wx), twice));
    set_entry(6u, det_mul_double(det_add_double(xz, wy), twice));
    set_entry(7u, det_mul_double(det_sub_double(yz, wx), twice));
    set_entry(8u, diagonal(ww, zz, xx, yy, inverse));
}

// Sets the rotation of a quaternion, unless it is outside the domain. Returns whether it is inside.
fn set_rotation_of(q: vec4u) -> bool {
    let largest = max(largest_exponent(q.xyz), exponent_of(q.w));
    if !is_in_domain(largest) {
        return false;
    }
    let scale = bitcast<f32>((254u - largest) << 23u);
    set_rotation(vec4f(det_scale3(cleaned(q.xyz), scale), det_mul(det_clean(bitcast<f32>(q.w)), scale)));
    return true;
}
