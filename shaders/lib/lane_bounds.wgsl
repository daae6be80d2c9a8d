// Bounds of slots, and access to those of a cluster by its 32 threads: each thread reads them from memory, as every device can.
// `lane_bounds_subgroups.wgsl` replaces this on devices with subgroups of 32 threads. For modules with the binding `slot_bounds`.

// The bounds of a body, as bits: lower corner and id, upper corner and tag.
struct Box {
    low: vec4u,
    high: vec4u,
}

// The bounds of the body of a cluster that belongs to another lane; this thread has `mine`.
fn box_of_lane(cluster: u32, mine: Box, lane: u32) -> Box {
    let at = 2u * (cluster * WIDTH + lane);
    return Box(slot_bounds[at], slot_bounds[at + 1u]);
}
