// Scatters changed records. A patch is a heading, then a record. The heading is the id of the body and, if it has a second word,
// the word of four tags that contains the body's tag.
// import: lib/ledger

@compute @workgroup_size(THREADS)
fn patch_records(
    @builtin(workgroup_id) group: vec3u,
    @builtin(num_workgroups) groups: vec3u,
    @builtin(local_invocation_index) thread: u32,
) {
    // One word per thread.
    let number = group_number(group, groups);
    let k = number * THREADS + thread;
    if k >= params.words {
        return;
    }
    let size = params.heading_words + params.record_words;
    let word = k % size;
    let id = patches[k - word];
    if word >= params.heading_words {
        records[id * params.record_words + word - params.heading_words] = patches[k];
    } else if word == 1u {
        atomicStore(&tags[id / 4u], patches[k]);
    }
    if thread == 0u {
        sign_off(SIGN_PATCH_RECORDS, number);
    }
}
