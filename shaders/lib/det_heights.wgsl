// Directions, and how high points are along them, in double words: as in src/near/precise.rs.
// import: lib/det_roots, lib/exponents

fn single(x: f32) -> DetDouble {
    return DetDouble(x, 0.0f);
}

fn dot_double(n: vec3f, x: DetDouble, y: DetDouble, z: DetDouble) -> DetDouble {
    let sum = det_add_double(det_mul_double(single(n.x), x), det_mul_double(single(n.y), y));
    return det_add_double(sum, det_mul_double(single(n.z), z));
}

fn square_double(n: vec3f) -> DetDouble {
    return det_add_double(det_add_double(det_two_prod(n.x, n.x), det_two_prod(n.y, n.y)), det_two_prod(n.z, n.z));
}

// A direction scaled by a power of two so that its largest number is from 1 to 2.
fn scaled_direction(towards: vec3f) -> vec3f {
    return det_scale3(towards, bitcast<f32>((254u - largest_of(towards)) << 23u));
}

// So far along a direction that is not 0.
fn step_along(towards: vec3f, far: f32) -> vec3f {
    if far == 0.0f {
        return vec3f();
    }
    let n = scaled_direction(towards);
    let factor = det_mul_double(single(far), rsqrt_double(square_double(n)));
    return vec3f(
        det_mul_double(single(n.x), factor).high,
        det_mul_double(single(n.y), factor).high,
        det_mul_double(single(n.z), factor).high,
    );
}

fn abs_double(x: DetDouble) -> DetDouble {
    if x.high < 0.0f {
        return det_neg_double(x);
    }
    return x;
}

fn cross_doubles(a: array<DetDouble, 3>, b: array<DetDouble, 3>) -> array<DetDouble, 3> {
    return array<DetDouble, 3>(
        det_sub_double(det_mul_double(a[1], b[2]), det_mul_double(a[2], b[1])),
        det_sub_double(det_mul_double(a[2], b[0]), det_mul_double(a[0], b[2])),
        det_sub_double(det_mul_double(a[0], b[1]), det_mul_double(a[1], b[0])),
    );
}

fn dot_doubles(a: array<DetDouble, 3>, b: array<DetDouble, 3>) -> DetDouble {
    let sum = det_add_double(det_mul_double(a[0], b[0]), det_mul_double(a[1], b[1]));
    return det_add_double(sum, det_mul_double(a[2], b[2]));
}
