// Hits in their rows, each row in the order of the second ids.

@group(0) @binding(1) var<uniform> step: Step; // for `place`: rows from a to b
// Before a row is placed, the word after its own says where it begins; when it is, where it ends, which is where the next begins.
@group(0) @binding(2) var<storage, read_write> rows: array<atomic<u32>>;
@group(0) @binding(3) var<storage, read> hits: array<u32>; // a, b with its marks; two words a hit
@group(0) @binding(4) var<storage, read_write> partners: array<u32>; // b with its marks
@group(0) @binding(5) var<storage, read_write> status: array<atomic<u32>>;

const ID = 0x3fffffffu; // of a partner with marks
// Rows up to this length are sorted each by a thread; longer ones otherwise.
const SHORT_ROW = 32u;

var<workgroup> number_of_hits: u32;

// None if there was no room for all of them: the call is repeated then.
fn hit_count(thread: u32) -> u32 {
    if thread == 0u {
        let count = atomicLoad(&status[STATUS_HITS]);
        number_of_hits = select(count, 0u, count > params.hits);
    }
    return workgroupUniformLoad(&number_of_hits);
}

// Some rows at a time, so that what is written to lies in the device's cache.
@compute @workgroup_size(256)
fn place(
    @builtin(workgroup_id) group: vec3u,
    @builtin(num_workgroups) groups: vec3u,
    @builtin(local_invocation_index) thread: u32,
) {
    let k = group_number(group, groups) * 256u + thread;
    if k < hit_count(thread) {
        let row = hits[2u * k];
        if row >= step.a && row < step.b {
            partners[atomicAdd(&rows[row + 1u], 1u)] = hits[2u * k + 1u];
        }
    }
}

// Sorts the short rows. One thread a row.
@compute @workgroup_size(256)
fn order_rows(
    @builtin(workgroup_id) group: vec3u,
    @builtin(num_workgroups) groups: vec3u,
    @builtin(local_invocation_index) thread: u32,
) {
    let row = group_number(group, groups) * 256u + thread;
    let all = hit_count(thread);
    if all == 0u || row >= params.rows {
        return;
    }
    let first = atomicLoad(&rows[row]);
    let end = atomicLoad(&rows[row + 1u]);
    if end - first > SHORT_ROW {
        return;
    }
    for (var next = first + 1u; next < end; next++) {
        let partner = partners[next];
        var to = next;
        while to > first {
            let before = partners[to - 1u];
            if (before & ID) < (partner & ID) {
                break;
            }
            partners[to] = before;
            to -= 1u;
        }
        partners[to] = partner;
    }
}
