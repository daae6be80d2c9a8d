// Hits to rows: counts added up to offsets, hits placed in their rows, rows sorted.

@group(0) @binding(1) var<storage, read_write> rows: array<u32>; // counts, then offsets; one more than rows
@group(0) @binding(2) var<storage, read_write> blocks: array<u32>; // the sum of each block of rows

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

// Counts to offsets.
@compute @workgroup_size(256)
fn rows_offset(
    @builtin(workgroup_id) group: vec3u,
    @builtin(num_workgroups) groups: vec3u,
    @builtin(local_invocation_index) thread: u32,
) {
    let block = group_number(group, groups);
    var before = 0u;
    for (var k = thread; k < block && k * BLOCK < params.rows; k += THREADS) {
        before += blocks[k];
    }
    sum_before(thread, before);
    before = sum_of_all;
    let first = block * BLOCK + thread * EACH;
    var counts: array<u32, 8>;
    var sum = 0u;
    for (var k = 0u; k < EACH; k++) {
        counts[k] = row_count(first + k);
        sum += counts[k];
    }
    var next = before + sum_before(thread, sum);
    if first < params.rows {
        for (var k = 0u; k < EACH; k++) {
            if first + k < params.rows {
                rows[first + k] = next;
                next += counts[k];
            }
        }
        if params.rows - first <= EACH {
            rows[params.rows] = next;
        }
    }
}
