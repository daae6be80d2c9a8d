// Long rows, which the radix sort sorts: their hits are collected into one list, row by row, and the sorted list is spread back
// to the rows.
// import: lib/ledger, lib/scan

// Rows per thread.
const EACH = BLOCK / THREADS;

// The number of long rows; 0 if they exceed the capacity, since they are then sorted in a second submission.
fn listed_rows() -> u32 {
    let count = atomicLoad(&status[STATUS_LONG_ROWS]);
    let fit = count <= params.rows_room && atomicLoad(&status[STATUS_LONG_HITS]) <= params.hits_room;
    return select(0u, count, fit && atomicLoad(&status[STATUS_BINS_OVERFLOWED]) == 0u);
}

// The number of hits of a row if it is long, else 0.
fn long_length(row: u32) -> u32 {
    if row < params.rows {
        let count = rows[row + 1u] - rows[row];
        return select(0u, count, count > SHORT_ROW);
    }
    return 0u;
}

// The rank, among `count` long rows, of the row of an entry of the list: a binary search.
fn rank_of(entry: u32, count: u32) -> u32 {
    var low = 0u;
    var high = count;
    while high - low > 1u {
        let middle = (low + high) / 2u;
        if starts[middle].y <= entry {
            low = middle;
        } else {
            high = middle;
        }
    }
    return low;
}

var<workgroup> same_for_all: u32;

// Lists the long rows. One workgroup per block of rows; most blocks have no long row, and their workgroups return at once.
@compute @workgroup_size(THREADS)
fn long_rows_list(
    @builtin(workgroup_id) group: vec3u,
    @builtin(num_workgroups) groups: vec3u,
    @builtin(local_invocation_index) thread: u32,
) {
    let block = group_number(group, groups);
    if block * BLOCK >= params.rows {
        return;
    }
    if thread == 0u {
        sign_off(SIGN_LONG_ROWS_LIST, block);
        same_for_all = listed_rows();
    }
    if workgroupUniformLoad(&same_for_all) == 0u || long_blocks[block].x == 0u {
        return;
    }
    var before = vec2u(0u);
    for (var k = thread; k < block; k += THREADS) {
        before += long_blocks[k];
    }
    sum_before(thread, before.x);
    before.x = sum_of_all;
    sum_before(thread, before.y);
    before.y = sum_of_all;
    let first = block * BLOCK + thread * EACH;
    var here = vec2u(0u);
    for (var k = 0u; k < EACH; k++) {
        let length = long_length(first + k);
        here += vec2u(select(0u, 1u, length > 0u), length);
    }
    var next = before + vec2u(sum_before(thread, here.x), sum_before(thread, here.y));
    for (var k = 0u; k < EACH; k++) {
        let length = long_length(first + k);
        if length > 0u {
            starts[next.x] = vec2u(rows[first + k], next.y);
            next += vec2u(1u, length);
        }
    }
}

// Collects the hits of long rows into the list. Entries beyond the last hit get the greatest partner and row, so that they stay
// behind all others.
@compute @workgroup_size(THREADS)
fn long_rows_collect(
    @builtin(workgroup_id) group: vec3u,
    @builtin(num_workgroups) groups: vec3u,
    @builtin(local_invocation_index) thread: u32,
) {
    let number = group_number(group, groups);
    let entry = number * THREADS + thread;
    if entry >= params.hits_room {
        return;
    }
    let count = listed_rows();
    var partner = ABSENT;
    var rank = ABSENT;
    if count > 0u && entry < atomicLoad(&status[STATUS_LONG_HITS]) {
        rank = rank_of(entry, count);
        partner = partners[starts[rank].x + entry - starts[rank].y];
    }
    keys[entry] = partner;
    ranks[entry] = rank;
    if thread == 0u {
        sign_off(SIGN_LONG_ROWS_COLLECT, number);
    }
}

// Spreads the sorted list back to the rows. The sort does not change where the entries of a row begin.
@compute @workgroup_size(THREADS)
fn long_rows_spread(
    @builtin(workgroup_id) group: vec3u,
    @builtin(num_workgroups) groups: vec3u,
    @builtin(local_invocation_index) thread: u32,
) {
    let number = group_number(group, groups);
    let entry = number * THREADS + thread;
    let count = listed_rows();
    if count > 0u && entry < atomicLoad(&status[STATUS_LONG_HITS]) {
        let start = starts[rank_of(entry, count)];
        partners[start.x + entry - start.y] = keys[entry];
    }
    if thread == 0u && entry < params.hits_room {
        sign_off(SIGN_LONG_ROWS_SPREAD, number);
    }
}
