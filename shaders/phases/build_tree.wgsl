// Builds a level of the tree: each node is the union of 32 nodes of the level below.
// import: lib/ledger, lib/reduce

var<workgroup> first: array<atomic<u32>, 8>;
var<workgroup> last: array<atomic<u32>, 8>;

@compute @workgroup_size(THREADS)
fn build_tree(
    @builtin(workgroup_id) group: vec3u,
    @builtin(num_workgroups) groups: vec3u,
    @builtin(local_invocation_index) thread: u32,
) {
    let number = group_number(group, groups);
    let child = number * THREADS + thread;
    var bounds = NOWHERE;
    if thread < 8u {
        atomicStore(&first[thread], ABSENT);
        atomicStore(&last[thread], 0u);
    }
    workgroupBarrier();
    if child < params.children {
        let low = nodes[2u * (params.first_child + child)];
        let high = nodes[2u * (params.first_child + child) + 1u];
        bounds = Bounds(bitcast<vec3f>(low.xyz), bitcast<vec3f>(high.xyz));
        atomicMin(&first[thread / WIDTH], low.w);
        atomicMax(&last[thread / WIDTH], high.w);
    }
    let all = unite(thread, bounds);
    workgroupBarrier();
    if thread % WIDTH == 0u && child < params.children {
        let node = params.first_node + child / WIDTH;
        nodes[2u * node] = vec4u(bitcast<vec3u>(all.low), atomicLoad(&first[thread / WIDTH]));
        nodes[2u * node + 1u] = vec4u(bitcast<vec3u>(all.high), atomicLoad(&last[thread / WIDTH]));
        if thread == 0u {
            sign_off(SIGN_BUILD_TREE, number);
        }
    }
}
