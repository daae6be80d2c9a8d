// The union of 32 boxes that lie side by side. `reduce_subgroups.wgsl` is the same for devices whose subgroups have 32 threads.

var<workgroup> lows: array<vec3f, 256>;
var<workgroup> highs: array<vec3f, 256>;

// The union, for the first thread of every 32.
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
