// Sums over the threads of a workgroup of 256.

var<workgroup> sums: array<u32, 256>;

// The sum of `value` over the threads before this one; `sums[255]` is left with the sum over all.
fn sum_before(thread: u32, value: u32) -> u32 {
    sums[thread] = value;
    workgroupBarrier();
    for (var reach = 1u; reach < 256u; reach <<= 1u) {
        var below = 0u;
        if thread >= reach {
            below = sums[thread - reach];
        }
        workgroupBarrier();
        sums[thread] += below;
        workgroupBarrier();
    }
    return sums[thread] - value;
}
