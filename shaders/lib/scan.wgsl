// Prefix sum over a workgroup of 256 threads. `scan_subgroups.wgsl` replaces this on devices with subgroups of 32 threads.

var<workgroup> sums: array<u32, 256>;
// The sum over all threads, after a call of `sum_before`.
var<private> sum_of_all: u32;

// The sum of `value` over the threads before this one.
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
    let before = sums[thread] - value;
    sum_of_all = sums[255];
    workgroupBarrier();
    return before;
}
