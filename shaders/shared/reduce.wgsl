// The union of 32 boxes that lie side by side.

var<workgroup> lows: array<vec3f, 256>;
var<workgroup> highs: array<vec3f, 256>;

// After this, the first thread of every 32 has their union in `lows` and `highs`.
fn unite(thread: u32, low: vec3f, high: vec3f) {
    lows[thread] = low;
    highs[thread] = high;
    workgroupBarrier();
    for (var reach = 16u; reach > 0u; reach >>= 1u) {
        if thread % 32u < reach {
            lows[thread] = min(lows[thread], lows[thread + reach]);
            highs[thread] = max(highs[thread], highs[thread + reach]);
        }
        workgroupBarrier();
    }
}
