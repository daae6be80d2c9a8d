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
