// Writes the order 0, 1, … for bodies that are not sorted.
// import: lib/ledger

@compute @workgroup_size(THREADS)
fn identity_order(
    @builtin(workgroup_id) group: vec3u,
    @builtin(num_workgroups) groups: vec3u,
    @builtin(local_invocation_index) thread: u32,
) {
    let group_of_bodies = group_number(group, groups);
    let k = group_of_bodies * THREADS + thread;
    if k < params.bodies {
        order[k] = k;
        if thread == 0u {
            sign_off(SIGN_IDENTITY_ORDER, group_of_bodies);
        }
    }
}
