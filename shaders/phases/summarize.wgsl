// Says how a recorded search has ended, for the shaders that use its result: how many pairs there are, the workgroups of 64 threads that have one
// pair each, and whether all had room.
// import: lib/ledger

@compute @workgroup_size(THREADS)
fn summarize(@builtin(local_invocation_index) thread: u32) {
    if thread != 0u {
        return;
    }
    var complete = atomicLoad(&status[STATUS_CARRY]) == 0u;
    for (var k = 0u; k < BUCKETS; k++) {
        complete = complete && atomicLoad(&status[STATUS_CANDIDATES + k]) <= params.bucket_size[k / 4u][k % 4u];
    }
    var pairs = 0u;
    for (var k = 0u; k < BINS; k++) {
        let hits = atomicLoad(&status[STATUS_HITS + k]);
        complete = complete && hits <= params.bin_size[k / 4u][k % 4u];
        pairs += hits;
    }
    complete = complete
        && atomicLoad(&status[STATUS_LONG_ROWS]) <= params.long_rows_room
        && atomicLoad(&status[STATUS_LONG_HITS]) <= params.long_hits_room
        && atomicLoad(&status[STATUS_UNFINISHED]) <= params.unfinished_room
        && pairs <= params.pairs_room;
    if !complete {
        pairs = 0u;
    }
    let groups = (pairs + 63u) / 64u;
    let rows = max((groups + 65534u) / 65535u, 1u);
    summary[0] = (groups + rows - 1u) / rows;
    summary[1] = select(0u, rows, groups > 0u);
    summary[2] = 1u;
    summary[3] = pairs;
    summary[4] = select(0u, atomicLoad(&status[STATUS_UNDECIDED]), complete);
    summary[5] = select(0u, 1u, complete);
    summary[6] = ~atomicLoad(&status[STATUS_BAD_BODY]);
    summary[7] = 0u;
    sign_off(SIGN_SUMMARIZE, 0u);
}
