// Lists the pairs of all rows, so that `contacts` does not have to search for the row of each.
// import: lib/ledger

// Where the rows of this workgroup begin, and where the last one ends.
var<workgroup> starts: array<u32, THREADS + 1u>;
var<workgroup> bins_overflowed: u32;

// The row of a pair, counted from the first of this workgroup: the last one that begins with it or before.
fn row_of_pair(pair: u32) -> u32 {
    var low = 0u;
    var high = THREADS;
    while high - low > 1u {
        let middle = (low + high) / 2u;
        if starts[middle] <= pair {
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
    let first_row = number * THREADS;
    starts[thread] = rows[min(first_row + thread, params.rows)];
    if thread == 0u {
        starts[THREADS] = rows[min(first_row + THREADS, params.rows)];
        bins_overflowed = atomicLoad(&status[STATUS_BINS_OVERFLOWED]);
    }
    // Where bins overflowed there are no rows, and the attempt is repeated.
    if workgroupUniformLoad(&bins_overflowed) == 0u {
        let end = min(starts[THREADS], params.room);
        for (var pair = starts[0] + thread; pair < end; pair += THREADS) {
            pairs[pair] = vec2u(first_row + row_of_pair(pair), partners[pair]);
        }
    }
    if thread == 0u && first_row < params.rows {
        sign_off(SIGN_LIST_PAIRS, number);
    }
}
