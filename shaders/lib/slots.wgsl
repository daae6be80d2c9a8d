// The shapes of candidates, as the filters take them.
// import: lib/verdicts, lib/filters

// Whether both shapes are in the filters' domain.
fn in_domain(pair: Pair) -> bool {
    return ((pair.a.w | pair.b.w) & OUTSIDE_DOMAIN) == 0u;
}

fn cuboid(slot: u32, center: vec3u) -> Cuboid {
    let axes = rotation(scaled_quaternion(slot_rotations[slot]));
    return Cuboid(reals(center), reals(slot_shapes[2u * slot + 1u].xyz), axes);
}

fn radius(slot: u32) -> Real {
    return Real(bitcast<f32>(slot_shapes[2u * slot + 1u].x));
}

fn upper_corner(slot: u32) -> vec3u {
    return slot_shapes[2u * slot + 1u].xyz;
}
