// Sums over the threads of a workgroup of 256, whose subgroups have 32 threads: see `scan.wgsl`.

var<workgroup> sums: array<u32, 8>;
// After `sum_before`, the sum over all threads.
var<private> sum_of_all: u32;

// The sum of `value` over the threads before this one.
fn sum_before(thread: u32, value: u32) -> u32 {
    let group = thread / 32u;
    var before = subgroupExclusiveAdd(value);
    if thread % 32u == 31u {
        sums[group] = before + value;
    }
    workgroupBarrier();
    sum_of_all = 0u;
    for (var g = 0u; g < 8u; g++) {
        before += select(0u, sums[g], g < group);
        sum_of_all += sums[g];
    }
    workgroupBarrier();
    return before;
}
