// When a ray enters a box that it meets, if that can be told without double words: on devices without `f64` it cannot.

fn known_entry(q: vec4f, center: Doubles, reaches: vec3f, direction: vec3f) -> Known {
    return Known(false, 0.0f);
}
