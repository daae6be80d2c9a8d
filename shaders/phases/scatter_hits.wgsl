// Hits to their rows, bin by bin, so that what is written to lies in the cache.
// import: lib/ledger, lib/bins

// Hits of a thread.
const EACH = SCATTERED / THREADS;

// Where the hits of the bin that contains the place `first` end.
fn end_of_bin(first: u32) -> u32 {
    var bin = 0u;
    while bin + 1u < BINS && bin_start(bin + 1u) <= first {
        bin++;
    }
    return bin_start(bin) + atomicLoad(&status[STATUS_HITS + bin]);
}

// Read by one thread for all: the status block is one place in memory.
var<workgroup> end_for_all: u32;

@compute @workgroup_size(THREADS)
fn scatter_hits(
    @builtin(workgroup_id) group: vec3u,
    @builtin(num_workgroups) groups: vec3u,
    @builtin(local_invocation_index) thread: u32,
) {
    // All of one bin.
    let number = group_number(group, groups);
    let first = number * SCATTERED;
    // Read before it is known how many there are: the two do not wait for each other.
    var found: array<vec2u, EACH>;
    for (var k = 0u; k < EACH; k++) {
        found[k] = hits[first + k * THREADS + thread];
    }
    if thread == 0u {
        end_for_all = select(0u, end_of_bin(first), atomicLoad(&status[STATUS_BINS_OVERFLOWED]) == 0u);
    }
    let end = workgroupUniformLoad(&end_for_all);
    for (var k = 0u; k < EACH; k++) {
        if first + k * THREADS + thread < end {
            partners[atomicAdd(&rows[found[k].x + 1u], 1u)] = found[k].y;
        }
    }
    if thread == 0u && first < bin_start(BINS - 1u) + bin_room(BINS - 1u) {
        // Together with how many there were.
        atomicAdd(&status[SIGN_SCATTER_HITS], signature(number) + min(max(end, first) - first, SCATTERED));
    }
}
