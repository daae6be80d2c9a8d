// For each workgroup of the kernel `contacts` the rows of its first pair and of its last, where its contacts will be. (Each search is a
// chain of reads, for which a whole workgroup would have to wait there.)
// import: lib/ledger, lib/row_of_pair

@compute @workgroup_size(THREADS)
fn pair_rows(
    @builtin(workgroup_id) id: vec3u,
    @builtin(num_workgroups) groups: vec3u,
    @builtin(local_invocation_index) lane: u32,
) {
    let number = group_number(id, groups);
    let first = (number * THREADS + lane) * CONTACT_THREADS;
    // Where bins overflowed there are no rows, and the attempt is repeated.
    let pairs = select(0u, min(rows[params.rows], params.room), atomicLoad(&status[STATUS_BINS_OVERFLOWED]) == 0u);
    if first < pairs {
        let row = row_of_pair(first, 0u, params.rows);
        manifolds[MANIFOLD_VECTORS * first].x = row;
        manifolds[MANIFOLD_VECTORS * first + 1u].x = row_of_pair(min(first + CONTACT_THREADS, pairs) - 1u, row, params.rows);
    }
    if lane == 0u && number * THREADS * CONTACT_THREADS < params.room {
        sign_off(SIGN_PAIR_ROWS, number);
    }
}
