// Builds three levels of the tree that rays descend: each node has eight children, whose boxes are kept in bytes. A workgroup makes 64 nodes of
// the first level, 8 of the second and one of the third. Level 0 are the slots, which are copied, so that a ray finds everything in one buffer.
//
// A node has four vectors. The first is its lower corner, and in the last word what a step of its bytes is along each axis, as the exponent of
// a power of two, and which children there are. Then for each axis the bytes of the lower and the upper ends of its children, in steps from the
// corner, rounded outward. The worlds of children are apart from that, since few queries need them.
// import: lib/ledger, lib/bounds

// Nodes that were made: their bounds, and the lowest and the highest world.
var<workgroup> lows: array<vec3f, BODY_THREADS>;
var<workgroup> highs: array<vec3f, BODY_THREADS>;
var<workgroup> worlds: array<vec2u, BODY_THREADS>;

// The eight children of the node that a thread makes, which are not there if their boxes are empty.
var<private> child_lows: array<vec3f, 8>;
var<private> child_highs: array<vec3f, 8>;
var<private> child_worlds: array<vec2u, 8>;

// Sizes with which sums may overflow, and exponents: of such a node, and the least of all.
const VAST_SIZE = 0x1p+100f;
const VAST_STEP = 254u;
const LEAST_STEP = 27u;
// Bytes are rounded by more of a step than need be: errors of differences are less.
const BYTE_SLACK = 0x1p-10f;

// The exponent of a step with which no child of a node so large is more than 253 steps from its corner.
fn step_of(size: f32) -> u32 {
    // (A power of two above the quotient.)
    let step = max((bitcast<u32>(size * (1.0f / 252.0f)) >> 23u) + 1u, LEAST_STEP);
    return select(VAST_STEP, step, size < VAST_SIZE);
}

fn power_of_two(exponents: vec3u) -> vec3f {
    return bitcast<vec3f>(exponents << vec3u(23u));
}

// Makes a node of a level, 1 to 3 above the children of this dispatch.
fn make_node(level: u32, number: u32, thread: u32) {
    var low = NOWHERE.low;
    var high = NOWHERE.high;
    var range = vec2u(ABSENT, 0u);
    for (var k = 0u; k < 8u; k++) {
        low = min(low, child_lows[k]);
        high = max(high, child_highs[k]);
        range = vec2u(min(range.x, child_worlds[k].x), max(range.y, child_worlds[k].y));
    }
    lows[thread] = low;
    highs[thread] = high;
    worlds[thread] = range;
    if number >= params.level_count[level] {
        return;
    }
    let size = high - low;
    let steps = vec3u(step_of(size.x), step_of(size.y), step_of(size.z));
    let inverse = power_of_two(vec3u(254u) - steps);
    var present = 0u;
    // The bytes of the lower ends along all axes, of the first and of the last four children, and those of the upper ends.
    var begins: vec3u;
    var last_begins: vec3u;
    var ends: vec3u;
    var last_ends: vec3u;
    for (var k = 0u; k < 8u; k++) {
        if !(child_lows[k].x <= child_highs[k].x) {
            continue;
        }
        present |= 1u << k;
        let below = floor((child_lows[k] - low) * inverse - vec3f(BYTE_SLACK));
        let above = ceil((child_highs[k] - low) * inverse + vec3f(BYTE_SLACK));
        let shift = vec3u(8u * (k % 4u));
        let begin = vec3u(clamp(below, vec3f(), vec3f(255.0f))) << shift;
        let end = vec3u(clamp(above, vec3f(), vec3f(255.0f))) << shift;
        if k < 4u {
            begins |= begin;
            ends |= end;
        } else {
            last_begins |= begin;
            last_ends |= end;
        }
    }
    let at = params.level_first[level] + 4u * number;
    tree[at] = vec4u(bitcast<vec3u>(low), steps.x | (steps.y << 8u) | (steps.z << 16u) | (present << 24u));
    tree[at + 1u] = vec4u(begins.x, last_begins.x, ends.x, last_ends.x);
    tree[at + 2u] = vec4u(begins.y, last_begins.y, ends.y, last_ends.y);
    tree[at + 3u] = vec4u(begins.z, last_begins.z, ends.z, last_ends.z);
    if (params.flags & WORLDS) != 0u {
        for (var k = 0u; k < 4u; k++) {
            tree[at + params.worlds + k] = vec4u(child_worlds[2u * k], child_worlds[2u * k + 1u]);
        }
    }
    if level == 3u {
        // For the next dispatch, whose children these are.
        tree[params.bounds + 2u * number] = vec4u(bitcast<vec3u>(low), range.x);
        tree[params.bounds + 2u * number + 1u] = vec4u(bitcast<vec3u>(high), range.y);
    }
}

// A child of this dispatch: a slot, or a node of which the last dispatch has left the bounds.
fn load_child(child: u32, k: u32) {
    child_lows[k] = NOWHERE.low;
    child_highs[k] = NOWHERE.high;
    child_worlds[k] = vec2u(ABSENT, 0u);
    if child >= params.level_count[0] {
        return;
    }
    let at = params.level_first[0] + 2u * child;
    if params.from_slots == 0u {
        let low = tree[at];
        let high = tree[at + 1u];
        child_lows[k] = bitcast<vec3f>(low.xyz);
        child_highs[k] = bitcast<vec3f>(high.xyz);
        child_worlds[k] = vec2u(low.w, high.w);
        return;
    }
    let low = slot_bounds[2u * child];
    let high = slot_bounds[2u * child + 1u];
    tree[at] = low;
    tree[at + 1u] = high;
    if low.w == ABSENT {
        return;
    }
    child_lows[k] = bitcast<vec3f>(low.xyz);
    child_highs[k] = bitcast<vec3f>(high.xyz);
    child_worlds[k] = vec2u(0u, 0u);
    if (params.flags & WORLDS) != 0u {
        // A body in every world meets all of them, from the lowest on.
        let world = slot_traits[child].w;
        child_worlds[k] = vec2u(select(world, 0u, world == EVERY_WORLD), world);
    }
}

@compute @workgroup_size(BODY_THREADS)
fn ray_tree(
    @builtin(workgroup_id) group: vec3u,
    @builtin(num_workgroups) groups: vec3u,
    @builtin(local_invocation_index) thread: u32,
) {
    let number = group_number(group, groups);
    let node = number * BODY_THREADS + thread;
    for (var k = 0u; k < 8u; k++) {
        load_child(8u * node + k, k);
    }
    make_node(1u, node, thread);
    for (var level = 2u; level <= 3u; level++) {
        workgroupBarrier();
        for (var k = 0u; k < 8u; k++) {
            let child = (8u * thread + k) % BODY_THREADS;
            child_lows[k] = lows[child];
            child_highs[k] = highs[child];
            child_worlds[k] = worlds[child];
        }
        workgroupBarrier();
        // So many nodes of this level are of this workgroup.
        let nodes = BODY_THREADS >> (3u * (level - 1u));
        if thread < nodes {
            make_node(level, number * nodes + thread, thread);
        }
    }
    if thread == 0u && number < (params.level_count[1] + BODY_THREADS - 1u) / BODY_THREADS {
        sign_off(SIGN_RAY_TREE, number);
    }
}
