// Scatters changed records. A patch is a heading, then a record. The heading is the id of the body and, if it has a second word,
// the word of four tags that contains the body's tag. Without a heading, patches are the poses of consecutive bodies: position, then
// rotation.
// import: lib/ledger

// Writes a number of a body's pose, if shapes of its kind have it.
fn place(id: u32, word: u32, value: u32) {
    let kind = (atomicLoad(&tags[id / 4u]) >> (8u * (id % 4u))) & TAG_KIND;
    let rotation = (ROTATION_WORDS >> (4u * kind)) & 15u;
    if word < 3u {
        if ((POSED_KINDS >> kind) & 1u) != 0u {
            records[id * RECORD_WORDS + word] = value;
        }
    } else if rotation != 0u {
        records[id * RECORD_WORDS + rotation + word - 3u] = value;
    }
}

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
    if params.heading_words == 0u {
        place(params.first + k / size, word, patches[k]);
    } else {
        let id = patches[k - word];
        if word >= params.heading_words {
            records[id * params.record_words + word - params.heading_words] = patches[k];
        } else if word == 1u {
            atomicStore(&tags[id / 4u], patches[k]);
        }
    }
    if thread == 0u {
        sign_off(SIGN_PATCH_RECORDS, number);
    }
}
