// Prefix sum over a workgroup of 256 threads, by subgroups of 32 threads: see `scan.wgsl`.

var<workgroup> sums: array<u32, 8>;
// The sum over all threads, after a call of `sum_before`.
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
