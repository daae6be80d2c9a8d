// Numbers as deterministic arithmetic takes them, and how large they may be.
// import: lib/det, lib/exponents

// The least and the greatest exponent of a body's largest length, and of a quaternion's largest number.
const LEAST_EXPONENT = 67u;
const GREATEST_EXPONENT = 187u;

fn is_in_domain(exponent: u32) -> bool {
    return exponent >= LEAST_EXPONENT && exponent <= GREATEST_EXPONENT;
}

fn cleaned(v: vec3u) -> vec3f {
    return vec3f(det_clean(bitcast<f32>(v.x)), det_clean(bitcast<f32>(v.y)), det_clean(bitcast<f32>(v.z)));
}
