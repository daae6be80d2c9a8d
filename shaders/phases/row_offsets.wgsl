// Turns hit counts into CSR offsets: an exclusive prefix sum, block by block.
// import: lib/ledger, lib/scan

// Rows per thread.
const EACH = BLOCK / THREADS;

fn row_count(row: u32) -> u32 {
    if row < params.rows {
        return rows[row + 1u];
    }
    return 0u;
}

var<workgroup> long_rows: atomic<u32>;
var<workgroup> long_hits: atomic<u32>;

// The number of hits of each block of rows, the number of its long rows, and the number of their hits.
@compute @workgroup_size(THREADS)
fn row_offsets_sum(
    @builtin(workgroup_id) group: vec3u,
    @builtin(num_workgroups) groups: vec3u,
    @builtin(local_invocation_index) thread: u32,
) {
    let block = group_number(group, groups);
    if thread == 0u {
        atomicStore(&long_rows, 0u);
        atomicStore(&long_hits, 0u);
    }
    workgroupBarrier();
    var sum = 0u;
    var mine = vec2u(0u);
    for (var k = 0u; k < EACH; k++) {
        let count = row_count(block * BLOCK + k * THREADS + thread);
        sum += count;
        if count > SHORT_ROW {
            mine += vec2u(1u, count);
        }
    }
    if mine.x > 0u {
        atomicAdd(&long_rows, mine.x);
        atomicAdd(&long_hits, mine.y);
    }
    let before = sum_before(thread, sum);
    if thread == THREADS - 1u && block * BLOCK < params.rows {
        blocks[block] = before + sum;
        let long = vec2u(atomicLoad(&long_rows), atomicLoad(&long_hits));
        long_blocks[block] = long;
        if long.x > 0u {
            atomicAdd(&status[STATUS_LONG_ROWS], long.x);
            atomicAdd(&status[STATUS_LONG_HITS], long.y);
        }
        sign_off(SIGN_ROW_OFFSETS_SUM, block);
    }
}

var<workgroup> in_block: array<u32, BLOCK>;

// Rows per word of lengths.
const PACKED = 4u;

// Turns the counts of a block into offsets, starting from the sum of all blocks before it.
@compute @workgroup_size(THREADS)
fn row_offsets(
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
    // Consecutive threads read and write consecutive words, but each thread sums up eight consecutive ones.
    for (var k = 0u; k < EACH; k++) {
        let row = k * THREADS + thread;
        in_block[row] = row_count(block * BLOCK + row);
    }
    workgroupBarrier();
    var sum = 0u;
    var wide = 0u;
    for (var word = 0u; word < EACH / PACKED; word++) {
        var packed = 0u;
        for (var k = 0u; k < PACKED; k++) {
            let count = in_block[thread * EACH + word * PACKED + k];
            sum += count;
            wide += select(0u, 1u, count >= WIDE_ROW);
            packed |= min(count, WIDE_ROW) << (8u * k);
        }
        let at = (block * BLOCK + thread * EACH) / PACKED + word;
        if at * PACKED < params.rows {
            lengths[at] = packed;
        }
    }
    if wide > 0u {
        atomicAdd(&status[STATUS_WIDE_ROWS], wide);
    }
    var next = before + sum_before(thread, sum);
    for (var k = 0u; k < EACH; k++) {
        let count = in_block[thread * EACH + k];
        in_block[thread * EACH + k] = next;
        next += count;
    }
    workgroupBarrier();
    for (var k = 0u; k < EACH; k++) {
        let row = k * THREADS + thread;
        if block * BLOCK + row < params.rows {
            rows[block * BLOCK + row + 1u] = in_block[row];
        }
    }
    if thread == 0u && block * BLOCK < params.rows {
        sign_off(SIGN_ROW_OFFSETS, block);
    }
}
