// Bounds of slots, and how 32 threads share those of a cluster: each reads them, as every device can. `lane_bounds_subgroups.wgsl` is the
// same for devices whose subgroups have 32 threads. For modules with the binding `slot_bounds`.

// The bounds of a body, as bits: lower corner and id, upper corner and tag.
struct Box {
    low: vec4u,
    high: vec4u,
}

// The bounds of another thread's body of a cluster, of which this thread has `mine`.
fn box_of_lane(cluster: u32, mine: Box, lane: u32) -> Box {
    let at = 2u * (cluster * WIDTH + lane);
    return Box(slot_bounds[at], slot_bounds[at + 1u]);
}
