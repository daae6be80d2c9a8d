// Writes the worlds of bodies, which are already sorted along the curve, as keys for a stable sort.
// import: lib/ledger

@compute @workgroup_size(THREADS)
fn world_keys(
    @builtin(workgroup_id) group: vec3u,
    @builtin(num_workgroups) groups: vec3u,
    @builtin(local_invocation_index) thread: u32,
) {
    let number = group_number(group, groups);
    let k = number * THREADS + thread;
    if k < params.bodies {
        keys_out[k] = traits[order[k]].w;
        if thread == 0u {
            sign_off(SIGN_WORLD_KEYS, number);
        }
    }
}
