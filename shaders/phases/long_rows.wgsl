// Long rows, sorted by the radix sort: their hits become one list, row by row, and go back to where their partners lie.
// import: lib/ledger, lib/scan

// Rows of a thread.
const EACH = BLOCK / THREADS;

// How many long rows there are; 0 if there is too little room for them, since they are sorted later then.
fn listed_rows() -> u32 {
    let count = atomicLoad(&status[STATUS_LONG_ROWS]);
    let fit = count <= params.rows_room && atomicLoad(&status[STATUS_LONG_HITS]) <= params.hits_room;
    return select(0u, count, fit && atomicLoad(&status[STATUS_BINS_OVERFLOWED]) == 0u);
}

// How many hits a row has if it is long.
fn long_length(row: u32) -> u32 {
    if row < params.rows {
        let count = rows[row + 1u] - rows[row];
        return select(0u, count, count > SHORT_ROW);
    }
    return 0u;
}

// Which of `count` long rows has an entry of the list.
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

// Lists the long rows. One workgroup for each block of rows; most blocks have no long row, and their workgroups return at once.
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

// The entries of the list. Entries beyond the last hit get the greatest partner and row, so that they stay the last.
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

// Entries in order, back to their rows. Where in the list the entries of a row lie has not changed.
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
