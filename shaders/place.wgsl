// Hits to their rows.

@group(0) @binding(1) var<uniform> step: Step; // rows from a to b
// Before a row is placed, the word after its own says where it begins; when it is, where it ends, which is where the next begins.
@group(0) @binding(2) var<storage, read_write> rows: array<atomic<u32>>;
@group(0) @binding(3) var<storage, read> hits: array<vec2u>; // row, partner with its marks
@group(0) @binding(4) var<storage, read_write> partners: array<u32>;
@group(0) @binding(5) var<storage, read> status: array<u32>;

const EACH = 4u; // hits of a thread

// Some rows at a time, so that what is written to lies in the device's cache.
@compute @workgroup_size(256)
fn place(
    @builtin(workgroup_id) group: vec3u,
    @builtin(num_workgroups) groups: vec3u,
    @builtin(local_invocation_index) thread: u32,
) {
    let first = group_number(group, groups) * (256u * EACH) + thread;
    let count = placed_hits(status[STATUS_HITS]);
    var found: array<vec2u, 4>;
    for (var k = 0u; k < EACH; k++) {
        found[k] = vec2u(NONE);
        if first + k * 256u < count {
            found[k] = hits[first + k * 256u];
        }
    }
    for (var k = 0u; k < EACH; k++) {
        let row = found[k].x;
        if row >= step.a && row < step.b {
            partners[atomicAdd(&rows[row + 1u], 1u)] = found[k].y;
        }
    }
}
