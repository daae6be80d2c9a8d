// Reductions: the sum over a workgroup, and the union of the boxes of 32 consecutive threads. `reduce_subgroups.wgsl` replaces
// this on devices with subgroups of 32 threads.
// import: lib/bounds

var<workgroup> lows: array<vec3f, 256>;
var<workgroup> highs: array<vec3f, 256>;

var<workgroup> total: atomic<u32>;

// The sum over the workgroup; valid in its first thread.
fn sum_over_workgroup(thread: u32, value: u32) -> u32 {
    if thread == 0u {
        atomicStore(&total, 0u);
    }
    workgroupBarrier();
    atomicAdd(&total, value);
    workgroupBarrier();
    return atomicLoad(&total);
}

// The union of the boxes of 32 consecutive threads; valid in the first of them.
fn unite(thread: u32, bounds: Bounds) -> Bounds {
    lows[thread] = bounds.low;
    highs[thread] = bounds.high;
    workgroupBarrier();
    for (var reach = 16u; reach > 0u; reach >>= 1u) {
        if thread % 32u < reach {
            lows[thread] = min(lows[thread], lows[thread + reach]);
            highs[thread] = max(highs[thread], highs[thread + reach]);
        }
        workgroupBarrier();
    }
    return Bounds(lows[thread], highs[thread]);
}
