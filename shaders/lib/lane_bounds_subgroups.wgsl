// Bounds of slots, and how the 32 threads of a subgroup share those of a cluster: see `lane_bounds.wgsl`.

// The bounds of a body, as bits: lower corner and id, upper corner and tag.
struct Box {
    low: vec4u,
    high: vec4u,
}

// The bounds of another thread's body of a cluster, of which this thread has `mine`. Without id and tag.
fn box_of_lane(cluster: u32, mine: Box, lane: u32) -> Box {
    return Box(vec4u(subgroupShuffle(mine.low.xyz, lane), 0u), vec4u(subgroupShuffle(mine.high.xyz, lane), 0u));
}
