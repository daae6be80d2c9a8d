// Lists the nearest bodies that `reach_nearest` knows, as hits of their points: the search for near pairs leaves these points out.
// import: lib/ledger, lib/bins

// For each bin, the number of hits of this workgroup, and the position of the next one.
var<workgroup> bin_counts: array<atomic<u32>, BINS>;
var<workgroup> bin_next: array<atomic<u32>, BINS>;

@compute @workgroup_size(THREADS)
fn list_nearest(
    @builtin(workgroup_id) id: vec3u,
    @builtin(num_workgroups) groups: vec3u,
    @builtin(local_invocation_index) thread: u32,
) {
    let group = group_number(id, groups);
    if thread < BINS {
        atomicStore(&bin_counts[thread], 0u);
    }
    workgroupBarrier();
    let first = params.first_slot + group * THREADS;
    let slot = first + thread;
    var body = ABSENT;
    var point = 0u;
    if slot < params.end_slot {
        body = nearest[slot - params.points];
        point = slot_shapes[2u * slot].w & ~OUTSIDE_DOMAIN;
    }
    let bin = point >> params.bin_bits;
    if body != ABSENT {
        atomicAdd(&bin_counts[bin], 1u);
    }
    workgroupBarrier();
    if thread < BINS {
        let of_bin = atomicLoad(&bin_counts[thread]);
        if of_bin != 0u {
            let next = atomicAdd(&status[STATUS_HITS + thread], of_bin);
            atomicStore(&bin_next[thread], next);
            if next + of_bin > bin_room(thread) {
                atomicMax(&status[STATUS_BINS_OVERFLOWED], 1u);
            }
        }
    }
    workgroupBarrier();
    if body != ABSENT {
        let at = atomicAdd(&bin_next[bin], 1u);
        if at < bin_room(bin) {
            hits[bin_start(bin) + at] = vec2u(point, body);
        }
        atomicAdd(&rows[point + 1u], 1u);
    }
    if thread == 0u && first < params.end_slot {
        sign_off(SIGN_LIST_NEAREST, group);
    }
}
