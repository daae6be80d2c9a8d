// Lists the pairs that are still undecided: where each is among the partners, its row, and its partner.
// import: lib/ledger

@compute @workgroup_size(THREADS)
fn list_undecided(
    @builtin(workgroup_id) group: vec3u,
    @builtin(num_workgroups) groups: vec3u,
    @builtin(local_invocation_index) thread: u32,
) {
    let number = group_number(group, groups);
    let row = number * THREADS + thread;
    if row < params.rows && summary[4] > 0u {
        for (var k = rows[row]; k < rows[row + 1u]; k++) {
            let partner = partners[k];
            if (partner & MARK_UNDECIDED) != 0u {
                let place = atomicAdd(&status[STATUS_LISTED], 1u);
                if place < params.room {
                    undecided[place] = vec4u(k, row, partner & PARTNER_ID, 0u);
                }
            }
        }
    }
    if thread == 0u && row < params.rows {
        sign_off(SIGN_LIST_UNDECIDED, number);
    }
}
