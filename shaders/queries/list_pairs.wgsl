// Lists the pairs of all rows, so that `contacts` does not have to search for the row of each. Each workgroup lists as many pairs, however
// long rows are: some drivers end long loops silently.
// import: lib/ledger

// The rows of the first pair of this workgroup, and of its last.
var<workgroup> first_row: u32;
var<workgroup> last_row: u32;

// The row of a pair: the last one that begins with it or before, of those from `first` to before `end`.
fn row_of_pair(pair: u32, first: u32, end: u32) -> u32 {
    var low = first;
    var high = end;
    while high - low > 1u {
        let middle = (low + high) / 2u;
        if rows[middle] <= pair {
            low = middle;
        } else {
            high = middle;
        }
    }
    return low;
}

@compute @workgroup_size(THREADS)
fn list_pairs(
    @builtin(workgroup_id) id: vec3u,
    @builtin(num_workgroups) groups: vec3u,
    @builtin(local_invocation_index) thread: u32,
) {
    let number = group_number(id, groups);
    let first = number * LISTED_PAIRS;
    // Where bins overflowed there are no rows, and the attempt is repeated.
    let count = select(0u, min(rows[params.rows], params.room), atomicLoad(&status[STATUS_BINS_OVERFLOWED]) == 0u);
    let end = min(first + LISTED_PAIRS, count);
    if first < end && thread == 0u {
        first_row = row_of_pair(first, 0u, params.rows);
    }
    if first < end && thread == 1u {
        last_row = row_of_pair(end - 1u, 0u, params.rows);
    }
    workgroupBarrier();
    for (var pair = first + thread; pair < end; pair += THREADS) {
        pairs[pair] = vec2u(row_of_pair(pair, first_row, last_row + 1u), partners[pair]);
    }
    if thread == 0u && first < params.room {
        sign_off(SIGN_LIST_PAIRS, number);
    }
}
