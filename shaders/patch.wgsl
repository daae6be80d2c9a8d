// Changed records to where they belong: b words of heading and a words of record each. The heading is the id of the body, and if
// there is a second word of it, the word of four tags that contains its own.

@group(0) @binding(1) var<uniform> step: Step;
@group(0) @binding(2) var<storage, read> patches: array<u32>;
@group(0) @binding(3) var<storage, read_write> records: array<u32>;
// Several bodies may have the same word, and bring the same value.
@group(0) @binding(4) var<storage, read_write> tags: array<atomic<u32>>;
@group(0) @binding(5) var<storage, read_write> status: array<atomic<u32>>;

@compute @workgroup_size(256)
fn patch_records(
    @builtin(workgroup_id) group: vec3u,
    @builtin(num_workgroups) groups: vec3u,
    @builtin(local_invocation_index) thread: u32,
) {
    // A word a thread.
    let number = group_number(group, groups);
    let k = number * 256u + thread;
    if k >= params.keys {
        return;
    }
    let size = step.a + step.b;
    let word = k % size;
    let id = patches[k - word];
    if word >= step.b {
        records[id * step.a + word - step.b] = patches[k];
    } else if word == 1u {
        atomicStore(&tags[id / 4u], patches[k]);
    }
    if thread == 0u {
        sign_off(SIGN_PATCH_RECORDS, number);
    }
}
