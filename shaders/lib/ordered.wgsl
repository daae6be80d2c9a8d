// Floats as numbers of the same order, whatever a device makes of subnormals.

fn ordered(bits: u32) -> u32 {
    return select(bits | 0x80000000u, ~bits, (bits & 0x80000000u) != 0u);
}

fn float_of(x: u32) -> f32 {
    return bitcast<f32>(select(~x, x & 0x7fffffffu, (x & 0x80000000u) != 0u));
}
