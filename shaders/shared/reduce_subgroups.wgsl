// The union of the boxes of a subgroup: see `reduce.wgsl`.

fn unite(thread: u32, bounds: Bounds) -> Bounds {
    return Bounds(subgroupMin(bounds.low), subgroupMax(bounds.high));
}
