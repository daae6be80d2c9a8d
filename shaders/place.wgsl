// Hits to their rows, bin by bin.

// Before a row is placed, the word after its own says where it begins; when it is, where it ends, which is where the next begins.
@group(0) @binding(1) var<storage, read_write> rows: array<atomic<u32>>;
@group(0) @binding(2) var<storage, read> hits: array<vec2u>; // row, partner with its marks; by bins
@group(0) @binding(3) var<storage, read_write> partners: array<u32>;
@group(0) @binding(4) var<storage, read_write> status: array<atomic<u32>>;

const PLACED = 1024u; // hits of a workgroup
const EACH = 4u; // and of a thread

// Where the hits end of the bin that has the place `first`.
fn end_of_bin(first: u32) -> u32 {
    var bin = 0u;
    while bin + 1u < BINS && bin_start(bin + 1u) <= first {
        bin++;
    }
    return bin_start(bin) + atomicLoad(&status[STATUS_HITS + bin]);
}

// Read by one thread for all: the status block is one place in memory.
var<workgroup> end_for_all: u32;

@compute @workgroup_size(256)
fn place(
    @builtin(workgroup_id) group: vec3u,
    @builtin(num_workgroups) groups: vec3u,
    @builtin(local_invocation_index) thread: u32,
) {
    // All of one bin.
    let number = group_number(group, groups);
    let first = number * PLACED;
    // Read before it is known how many there are: the two do not wait for each other.
    var found: array<vec2u, 4>;
    for (var k = 0u; k < EACH; k++) {
        found[k] = hits[first + k * 256u + thread];
    }
    if thread == 0u {
        end_for_all = select(0u, end_of_bin(first), atomicLoad(&status[STATUS_CROWDED]) == 0u);
    }
    let end = workgroupUniformLoad(&end_for_all);
    for (var k = 0u; k < EACH; k++) {
        if first + k * 256u + thread < end {
            partners[atomicAdd(&rows[found[k].x + 1u], 1u)] = found[k].y;
        }
    }
    if thread == 0u && first < bin_start(BINS - 1u) + bin_room(BINS - 1u) {
        // Together with how many there were.
        atomicAdd(&status[SIGN_PLACE], signature(number) + min(max(end, first) - first, PLACED));
    }
}
