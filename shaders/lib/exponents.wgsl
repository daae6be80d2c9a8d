// Exponents of numbers, as their bits hold them.

fn exponent_of(bits: u32) -> u32 {
    return (bits >> 23u) & 255u;
}

fn largest_exponent(v: vec3u) -> u32 {
    return max(max(exponent_of(v.x), exponent_of(v.y)), exponent_of(v.z));
}

fn largest_of(v: vec3f) -> u32 {
    return largest_exponent(bitcast<vec3u>(v));
}
