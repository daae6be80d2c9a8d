// Gathers traits into slots, and computes the lowest and highest world of each cluster.
// import: lib/ledger

var<workgroup> first: array<atomic<u32>, 8>;
var<workgroup> last: array<atomic<u32>, 8>;

@compute @workgroup_size(THREADS)
fn gather_traits(
    @builtin(workgroup_id) group: vec3u,
    @builtin(num_workgroups) groups: vec3u,
    @builtin(local_invocation_index) thread: u32,
) {
    let number = group_number(group, groups);
    let slot = params.first_slot + number * THREADS + thread;
    if thread < 8u {
        atomicStore(&first[thread], ABSENT);
        atomicStore(&last[thread], 0u);
    }
    workgroupBarrier();
    if slot < params.end_slot {
        let id = slot_bounds[2u * slot].w;
        if id != ABSENT {
            let found = traits[id];
            slot_traits[slot] = found;
            // A body in every world meets all of them, from the lowest on.
            atomicMin(&first[thread / WIDTH], select(found.w, 0u, found.w == EVERY_WORLD));
            atomicMax(&last[thread / WIDTH], found.w);
        }
    }
    workgroupBarrier();
    if thread % WIDTH == 0u && slot < params.end_slot {
        nodes[2u * (slot / WIDTH)].w = atomicLoad(&first[thread / WIDTH]);
        nodes[2u * (slot / WIDTH) + 1u].w = atomicLoad(&last[thread / WIDTH]);
        if thread == 0u {
            sign_off(SIGN_GATHER_TRAITS, number);
        }
    }
}
