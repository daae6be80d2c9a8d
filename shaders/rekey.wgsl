// New keys for what is already sorted by others: word b of a record of a words per item.

@group(0) @binding(1) var<uniform> step: Step;
@group(0) @binding(2) var<storage, read> order: array<u32>;
@group(0) @binding(3) var<storage, read> words: array<u32>;
@group(0) @binding(4) var<storage, read_write> keys_out: array<u32>;
@group(0) @binding(5) var<storage, read_write> status: array<atomic<u32>>;

@compute @workgroup_size(256)
fn rekey(
    @builtin(workgroup_id) group: vec3u,
    @builtin(num_workgroups) groups: vec3u,
    @builtin(local_invocation_index) thread: u32,
) {
    let number = group_number(group, groups);
    let k = number * 256u + thread;
    if k < params.keys {
        keys_out[k] = words[order[k] * step.a + step.b];
        if thread == 0u {
            sign_off(SIGN_REKEY, number);
        }
    }
}
