// Says how a recorded query has ended whose results are a list, for the shaders that use them: how many there are, the workgroups of 64 threads that
// have one result each, how many are undecided, and whether all had room.
// import: lib/ledger

fn is_complete() -> bool {
    return atomicLoad(&status[STATUS_RAYS_UNFINISHED]) == 0u
        && atomicLoad(&status[STATUS_CARRY]) == 0u
        && atomicLoad(&status[STATUS_RAY_EXTRAS]) <= params.extra_room;
}

// The number of results; none if they are not complete.
fn number_of_results() -> u32 {
    let extras = select(0u, atomicLoad(&status[STATUS_RAY_EXTRAS]), params.has_extras == 1u);
    return select(0u, params.results + extras, is_complete());
}

@compute @workgroup_size(THREADS)
fn count_undecided(
    @builtin(workgroup_id) group: vec3u,
    @builtin(num_workgroups) groups: vec3u,
    @builtin(local_invocation_index) thread: u32,
) {
    let number = group_number(group, groups);
    let k = number * THREADS + thread;
    if k < number_of_results() && list[k * params.words + params.word] == params.open {
        atomicAdd(&status[STATUS_UNDECIDED], 1u);
    }
    if thread == 0u && k < params.results + params.has_extras * params.extra_room {
        sign_off(SIGN_COUNT_UNDECIDED, number);
    }
}

@compute @workgroup_size(THREADS)
fn summarize_list(@builtin(local_invocation_index) thread: u32) {
    if thread != 0u {
        return;
    }
    let results = number_of_results();
    let groups = results / 64u + select(0u, 1u, results % 64u > 0u);
    let rows = max((groups + 65534u) / 65535u, 1u);
    summary[0] = (groups + rows - 1u) / rows;
    summary[1] = select(0u, rows, groups > 0u);
    summary[2] = 1u;
    summary[3] = results;
    summary[4] = atomicLoad(&status[STATUS_UNDECIDED]);
    summary[5] = select(0u, 1u, is_complete());
    summary[6] = ~atomicLoad(&status[STATUS_BAD_BODY]);
    summary[7] = 0u;
    sign_off(SIGN_SUMMARIZE_LIST, 0u);
}
