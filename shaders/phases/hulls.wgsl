// Decides the candidates of one bucket of which one is a hull, as far as single words can: whether they meet, or are nearer than a margin. The rest is left
// open.
// import: lib/hull_slots

@compute @workgroup_size(NARROW_THREADS)
fn hull_pairs(
    @builtin(workgroup_id) id: vec3u,
    @builtin(num_workgroups) groups: vec3u,
    @builtin(local_invocation_index) lane: u32,
) {
    let count = candidate_count(lane);
    let group = group_number(id, groups);
    let first = first_of(group) + lane;
    let kind = other_kind();
    for (var k = 0u; k < NARROW_EACH; k++) {
        let pair = pair_of(first + k * NARROW_THREADS, count);
        var verdict = UNDECIDED;
        // (Heights over a half-space are looked at in double words alone.)
        if pair.exists && kind != KIND_PLANE {
            verdict = search_pair(pair, kind).verdict;
        }
        note_or_leave_open(pair, verdict);
    }
    leave_open(group, lane);
    report(lane);
    sign_decided(SIGN_HULL_PAIRS, group, count, lane);
}
