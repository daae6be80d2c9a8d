// Builds four levels of the tree that rays descend: each node is the union of four nodes of the level below. Level 0 are the slots,
// which are copied, so that a ray finds everything in one buffer.
// import: lib/ledger, lib/bounds

var<workgroup> lows: array<vec3f, THREADS>;
var<workgroup> highs: array<vec3f, THREADS>;
// The lowest and the highest world.
var<workgroup> worlds: array<vec2u, THREADS>;

fn set_node(at: u32, thread: u32) {
    tree[2u * at] = vec4u(bitcast<vec3u>(lows[thread]), worlds[thread].x);
    tree[2u * at + 1u] = vec4u(bitcast<vec3u>(highs[thread]), worlds[thread].y);
}

@compute @workgroup_size(THREADS)
fn ray_tree(
    @builtin(workgroup_id) group: vec3u,
    @builtin(num_workgroups) groups: vec3u,
    @builtin(local_invocation_index) thread: u32,
) {
    let number = group_number(group, groups);
    let child = number * THREADS + thread;
    lows[thread] = NOWHERE.low;
    highs[thread] = NOWHERE.high;
    worlds[thread] = vec2u(ABSENT, 0u);
    if child < params.children {
        let at = params.level_first[0][0] + child;
        if params.from_slots == 1u {
            let low = slot_bounds[2u * child];
            let high = slot_bounds[2u * child + 1u];
            tree[2u * at] = low;
            tree[2u * at + 1u] = high;
            if low.w != ABSENT {
                lows[thread] = bitcast<vec3f>(low.xyz);
                highs[thread] = bitcast<vec3f>(high.xyz);
                worlds[thread] = vec2u(0u, 0u);
                if (params.flags & WORLDS) != 0u {
                    // A body in every world meets all of them, from the lowest on.
                    let world = slot_traits[child].w;
                    worlds[thread] = vec2u(select(world, 0u, world == EVERY_WORLD), world);
                }
            }
        } else {
            let low = tree[2u * at];
            let high = tree[2u * at + 1u];
            lows[thread] = bitcast<vec3f>(low.xyz);
            highs[thread] = bitcast<vec3f>(high.xyz);
            worlds[thread] = vec2u(low.w, high.w);
        }
    }
    workgroupBarrier();
    for (var step = 1u; step <= 4u; step++) {
        let reach = 1u << (2u * step);
        if thread % reach == 0u {
            for (var k = 1u; k < 4u; k++) {
                let other = thread + k * (reach / 4u);
                lows[thread] = min(lows[thread], lows[other]);
                highs[thread] = max(highs[thread], highs[other]);
                worlds[thread] = vec2u(min(worlds[thread].x, worlds[other].x), max(worlds[thread].y, worlds[other].y));
            }
            let node = child / reach;
            if node < params.level_count[step / 4u][step % 4u] {
                set_node(params.level_first[step / 4u][step % 4u] + node, thread);
            }
        }
        workgroupBarrier();
    }
    if thread == 0u && child < params.children {
        sign_off(SIGN_RAY_TREE, number);
    }
}
