// Bounds of slots, and access to those of a cluster by the 32 threads of a subgroup: see `lane_bounds.wgsl`.

// The bounds of a body, as bits: lower corner and id, upper corner and tag.
struct Box {
    low: vec4u,
    high: vec4u,
}

// The bounds of the body of a cluster that belongs to another lane, without id and tag; this thread has `mine`.
fn box_of_lane(cluster: u32, mine: Box, lane: u32) -> Box {
    return Box(vec4u(subgroupShuffle(mine.low.xyz, lane), 0u), vec4u(subgroupShuffle(mine.high.xyz, lane), 0u));
}
