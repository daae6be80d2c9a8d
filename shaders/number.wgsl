// The order of bodies that are not sorted: 0, 1, …

@group(0) @binding(1) var<storage, read_write> order: array<u32>;
@group(0) @binding(2) var<storage, read_write> status: array<atomic<u32>>;

@compute @workgroup_size(256)
fn number(
    @builtin(workgroup_id) group: vec3u,
    @builtin(num_workgroups) groups: vec3u,
    @builtin(local_invocation_index) thread: u32,
) {
    let group_of_bodies = group_number(group, groups);
    let k = group_of_bodies * 256u + thread;
    if k < params.keys {
        order[k] = k;
        if thread == 0u {
            sign_off(SIGN_NUMBER, group_of_bodies);
        }
    }
}
