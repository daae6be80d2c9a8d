// A level of the tree: each node is the union of 32 nodes of the level below.

@group(0) @binding(1) var<uniform> step: Step; // a: first node below, b: how many, c: first node of this level
@group(0) @binding(2) var<storage, read_write> nodes: array<vec4u>;
@group(0) @binding(3) var<storage, read_write> status: array<atomic<u32>>;

var<workgroup> first: array<atomic<u32>, 8>;
var<workgroup> last: array<atomic<u32>, 8>;

@compute @workgroup_size(256)
fn tree(
    @builtin(workgroup_id) group: vec3u,
    @builtin(num_workgroups) groups: vec3u,
    @builtin(local_invocation_index) thread: u32,
) {
    let number = group_number(group, groups);
    let child = number * 256u + thread;
    var bounds = NOWHERE;
    if thread < 8u {
        atomicStore(&first[thread], NONE);
        atomicStore(&last[thread], 0u);
    }
    workgroupBarrier();
    if child < step.b {
        let low = nodes[2u * (step.a + child)];
        let high = nodes[2u * (step.a + child) + 1u];
        bounds = Bounds(bitcast<vec3f>(low.xyz), bitcast<vec3f>(high.xyz));
        atomicMin(&first[thread / WIDTH], low.w);
        atomicMax(&last[thread / WIDTH], high.w);
    }
    let all = unite(thread, bounds);
    workgroupBarrier();
    if thread % WIDTH == 0u && child < step.b {
        let node = step.c + child / WIDTH;
        nodes[2u * node] = vec4u(bitcast<vec3u>(all.low), atomicLoad(&first[thread / WIDTH]));
        nodes[2u * node + 1u] = vec4u(bitcast<vec3u>(all.high), atomicLoad(&last[thread / WIDTH]));
        if thread == 0u {
            sign_off(SIGN_TREE, number);
        }
    }
}
