// Sums over the threads of a workgroup of 256. `scan_subgroups.wgsl` is the same for devices whose subgroups have 32 threads.

var<workgroup> sums: array<u32, 256>;
// After `sum_before`, the sum over all threads.
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
