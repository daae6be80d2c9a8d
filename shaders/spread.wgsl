// Long rows, sorted as one list: numbers 0, 1, … to begin with, and the partners in the order that was found.

@group(0) @binding(1) var<storage, read> hits: array<u32>; // two words a hit, the second is the partner
@group(0) @binding(2) var<storage, read_write> order: array<u32>;
@group(0) @binding(3) var<storage, read_write> partners: array<u32>;

@compute @workgroup_size(256)
fn number_hits(
    @builtin(workgroup_id) group: vec3u,
    @builtin(num_workgroups) groups: vec3u,
    @builtin(local_invocation_index) thread: u32,
) {
    let k = group_number(group, groups) * 256u + thread;
    if k < params.keys {
        order[k] = k;
    }
}

@compute @workgroup_size(256)
fn collect_hits(
    @builtin(workgroup_id) group: vec3u,
    @builtin(num_workgroups) groups: vec3u,
    @builtin(local_invocation_index) thread: u32,
) {
    let k = group_number(group, groups) * 256u + thread;
    if k < params.keys {
        partners[k] = hits[2u * order[k] + 1u];
    }
}
