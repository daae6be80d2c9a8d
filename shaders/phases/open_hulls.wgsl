// Decides the candidates with hulls that were left open or, of listed pairs, those that are undecided. What is not certain is for the host.
// import: lib/open_parts, lib/precise_hulls

@compute @workgroup_size(NARROW_THREADS)
fn open_hull_pairs(
    @builtin(workgroup_id) id: vec3u,
    @builtin(num_workgroups) groups: vec3u,
    @builtin(local_invocation_index) lane: u32,
) {
    let group = group_number(id, groups);
    let kind = other_kind();
    let listed = params.mode == REPORT_VERDICTS;
    var parts = find_open_parts(group, lane);
    if listed {
        parts = (1u << SETTLE_PARTS) - 1u;
    }
    var settled = 0u;
    while parts != 0u {
        let part = group * SETTLE_PARTS + firstTrailingBit(parts);
        parts &= parts - 1u;
        let first = first_of(part);
        var count = min(max(bucket_candidates, first) - first, NARROW_CANDIDATES);
        if !listed {
            count = open_count(part, lane);
            settled += count;
        }
        for (var k = 0u; k < NARROW_EACH; k++) {
            var pair = pair_of(first + k * NARROW_THREADS + lane, first + count);
            if listed && pair.exists {
                pair.exists = hits[pair.place].x == UNDECIDED;
            }
            var verdict = UNDECIDED;
            if pair.exists {
                verdict = precise_verdict(pair, kind);
            }
            note(pair, verdict);
        }
        report(lane);
        reset_counts(lane);
    }
    sign_settled(SIGN_OPEN_HULL_PAIRS, group, settled, lane);
}
