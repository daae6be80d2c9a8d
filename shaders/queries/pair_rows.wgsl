// For each workgroup of the kernel `contacts` the rows of its first pair and of its last, where its contacts will be. (Without them each
// workgroup would search for its rows, one read after the other.)
// import: lib/ledger

@compute @workgroup_size(THREADS)
fn pair_rows(
    @builtin(workgroup_id) id: vec3u,
    @builtin(num_workgroups) groups: vec3u,
    @builtin(local_invocation_index) lane: u32,
) {
    let number = group_number(id, groups);
    let row = number * THREADS + lane;
    // Where bins overflowed there are no rows, and the attempt is repeated.
    if row < params.rows && atomicLoad(&status[STATUS_BINS_OVERFLOWED]) == 0u {
        let pairs = min(rows[params.rows], params.room);
        let begin = rows[row];
        let end = min(rows[row + 1u], pairs);
        for (var group = begin / CONTACT_THREADS; group * CONTACT_THREADS < end; group++) {
            let first = group * CONTACT_THREADS;
            let last = min(first + CONTACT_THREADS, pairs) - 1u;
            if begin <= first {
                manifolds[MANIFOLD_VECTORS * first].x = row;
            }
            if begin <= last && last < end {
                manifolds[MANIFOLD_VECTORS * first + 1u].x = row;
            }
        }
    }
    if lane == 0u {
        sign_off(SIGN_PAIR_ROWS, number);
    }
}
