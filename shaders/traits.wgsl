// Traits in the order of the slots, and the worlds of each 32 of them.

@group(0) @binding(1) var<storage, read> traits: array<vec4u>; // layer, mask, group, world
@group(0) @binding(2) var<storage, read> boxes: array<vec4u>;
@group(0) @binding(3) var<storage, read_write> traits_out: array<vec4u>;
@group(0) @binding(4) var<storage, read_write> nodes: array<vec4u>;
@group(0) @binding(5) var<storage, read_write> status: array<atomic<u32>>;

var<workgroup> first: array<atomic<u32>, 8>;
var<workgroup> last: array<atomic<u32>, 8>;

@compute @workgroup_size(256)
fn traits_gather(
    @builtin(workgroup_id) group: vec3u,
    @builtin(num_workgroups) groups: vec3u,
    @builtin(local_invocation_index) thread: u32,
) {
    let number = group_number(group, groups);
    let slot = params.first_slot + number * 256u + thread;
    if thread < 8u {
        atomicStore(&first[thread], NONE);
        atomicStore(&last[thread], 0u);
    }
    workgroupBarrier();
    if slot < params.end_slot {
        let id = boxes[2u * slot].w;
        if id != NONE {
            let found = traits[id];
            traits_out[slot] = found;
            atomicMin(&first[thread / WIDTH], found.w);
            atomicMax(&last[thread / WIDTH], found.w);
        }
    }
    workgroupBarrier();
    if thread % WIDTH == 0u && slot < params.end_slot {
        nodes[2u * (slot / WIDTH)].w = atomicLoad(&first[thread / WIDTH]);
        nodes[2u * (slot / WIDTH) + 1u].w = atomicLoad(&last[thread / WIDTH]);
        if thread == 0u {
            sign_off(SIGN_TRAITS_GATHER, number);
        }
    }
}
