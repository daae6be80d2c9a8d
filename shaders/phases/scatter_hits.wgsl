// Scatters hits to their rows, bin by bin, so that the rows being written fit into the cache.
// import: lib/ledger, lib/bins

// Hits per thread.
const EACH = SCATTERED / THREADS;

// The end of the hits in the bin that contains position `first`.
fn end_of_bin(first: u32) -> u32 {
    var bin = 0u;
    while bin + 1u < BINS && bin_start(bin + 1u) <= first {
        bin++;
    }
    return bin_start(bin) + atomicLoad(&status[STATUS_HITS + bin]);
}

// Loaded by one thread for all, to avoid contention on the status block.
var<workgroup> end_for_all: u32;

@compute @workgroup_size(THREADS)
fn scatter_hits(
    @builtin(workgroup_id) group: vec3u,
    @builtin(num_workgroups) groups: vec3u,
    @builtin(local_invocation_index) thread: u32,
) {
    // All hits of a workgroup belong to one bin.
    let number = group_number(group, groups);
    let first = number * SCATTERED;
    // These loads do not wait for the number of hits, which is loaded at the same time.
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
        // The number of hits is part of the signature.
        atomicAdd(&status[SIGN_SCATTER_HITS], signature(number) + min(max(end, first) - first, SCATTERED));
    }
}
