// Hits to rows: counts added up to offsets, hits placed in their rows, rows sorted.

@group(0) @binding(1) var<storage, read_write> rows: array<u32>; // counts, then offsets; one more than rows
@group(0) @binding(2) var<storage, read_write> blocks: array<u32>; // the sum of each block of rows, then of those before it

const BLOCK = 2048u; // rows
const THREADS = 256u;
const EACH = 8u;

fn row_count(row: u32) -> u32 {
    if row < params.rows {
        return rows[row];
    }
    return 0u;
}

// The sum of each block.
@compute @workgroup_size(256)
fn rows_sum(
    @builtin(workgroup_id) group: vec3u,
    @builtin(num_workgroups) groups: vec3u,
    @builtin(local_invocation_index) thread: u32,
) {
    let block = group_number(group, groups);
    var sum = 0u;
    for (var k = 0u; k < EACH; k++) {
        sum += row_count(block * BLOCK + k * THREADS + thread);
    }
    let before = sum_before(thread, sum);
    if thread == THREADS - 1u && block * BLOCK < params.rows {
        blocks[block] = before + sum;
    }
}

// The sums of the blocks before each block. One workgroup.
@compute @workgroup_size(256)
fn rows_add(@builtin(local_invocation_index) thread: u32) {
    let count = (params.rows + BLOCK - 1u) / BLOCK;
    var before = 0u;
    for (var first = 0u; first < count; first += THREADS) {
        let block = first + thread;
        var value = 0u;
        if block < count {
            value = blocks[block];
        }
        let sum = sum_before(thread, value);
        if block < count {
            blocks[block] = before + sum;
        }
        before += workgroupUniformLoad(&sums[255]);
        workgroupBarrier();
    }
    if thread == 0u {
        rows[params.rows] = before;
    }
}

// Counts to offsets.
@compute @workgroup_size(256)
fn rows_offset(
    @builtin(workgroup_id) group: vec3u,
    @builtin(num_workgroups) groups: vec3u,
    @builtin(local_invocation_index) thread: u32,
) {
    let block = group_number(group, groups);
    let first = block * BLOCK + thread * EACH;
    var counts: array<u32, 8>;
    var sum = 0u;
    for (var k = 0u; k < EACH; k++) {
        counts[k] = row_count(first + k);
        sum += counts[k];
    }
    var next = sum_before(thread, sum);
    if first < params.rows {
        next += blocks[block];
        for (var k = 0u; k < EACH; k++) {
            if first + k < params.rows {
                rows[first + k] = next;
                next += counts[k];
            }
        }
    }
}
