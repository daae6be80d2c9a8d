// The words of a hull's record between its position and its quaternion: the number of its local form and the step of its bounds, and then the
// bounds of the local form. (src/shape/hull_record.rs)

// The step, in which bounds are whole numbers from -255 to 255.
fn hull_step(word: u32) -> f32 {
    return bitcast<f32>((word >> HULL_FORM_BITS) << 23u);
}

fn hull_corner(packed: u32, step: f32) -> vec3f {
    let bits = vec3u(packed, packed >> HULL_STEP_BITS, packed >> (2u * HULL_STEP_BITS)) & vec3u((1u << HULL_STEP_BITS) - 1u);
    return (vec3f(bits) - vec3f(f32(HULL_STEP_ZERO))) * step;
}

// More than any coordinate of a local corner.
fn hull_reach(word: u32) -> f32 {
    return hull_step(word) * f32(HULL_STEP_ZERO);
}

// The share of half the diagonal of the bounds that is the radius around their middle.
fn hull_radius_share(low: u32, high: u32) -> f32 {
    let share = ((low >> HULL_RADIUS_SHIFT) & 7u) + 8u * ((high >> HULL_RADIUS_SHIFT) & 7u);
    return f32(share + 1u) * 0x1p-6;
}
