// Reductions by subgroups of 32 threads: see `reduce.wgsl`.
// import: lib/bounds

var<workgroup> totals: array<u32, 8>;

// The sum over the workgroup; valid in its first thread.
fn sum_over_workgroup(thread: u32, value: u32) -> u32 {
    let of_group = subgroupAdd(value);
    if thread % 32u == 0u {
        totals[thread / 32u] = of_group;
    }
    workgroupBarrier();
    var sum = 0u;
    for (var k = 0u; k < 8u; k++) {
        sum += totals[k];
    }
    return sum;
}

fn unite(thread: u32, bounds: Bounds) -> Bounds {
    return Bounds(subgroupMin(bounds.low), subgroupMax(bounds.high));
}
