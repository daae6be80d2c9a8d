// Builds the tree that rays descend: a node is of consecutive slots and has up to four children, each a slot or a node, whose boxes are kept in bytes.
//
// Slots are cut where cells of the curve end, so that boxes of nodes overlap little: `ray_split` does so level by level from the highest on, and
// `ray_nodes` makes the boxes level by level from the lowest on. The nodes of a level are consecutive, and the status block says how many there are.
//
// A node has four vectors:
// - its lower corner, and in the last word what a step of its bytes is along each axis, as the exponent of a power of two, and which children
//   have bodies (before its boxes are made, its first slot and the one after its last);
// - the bytes of the lower ends of its children along each axis, in steps from the corner, rounded outward, and those of the upper ends along x;
// - the bytes of the upper ends along y and z, and the number of the node above it;
// - its children: numbers of slots with the kinds of their bodies (until its boxes are made, without), or numbers of nodes with the bit RAY_NODE, or ABSENT.
// Its own bounds are in two vectors apart, with the lowest and the highest world of its bodies.
// import: lib/ledger, lib/bounds

// Sizes with which sums may overflow, and exponents: of such a node, and the least of all.
const VAST_SIZE = 0x1p+100f;
const VAST_STEP = 254u;
const LEAST_STEP = 27u;
// Bytes are rounded by more of a step than need be: errors of differences are less.
const BYTE_SLACK = 0x1p-10f;

// The first node of the level, and how many there are, for all threads of the workgroup.
var<workgroup> level_first: u32;
var<workgroup> level_count: u32;
// The nodes that the children of this workgroup's nodes need, and where they begin.
var<workgroup> wanted: atomic<u32>;
var<workgroup> wanted_first: u32;

fn load_level(lane: u32) {
    if lane == 0u {
        var first = 0u;
        for (var level = 0u; level < params.level; level++) {
            first += atomicLoad(&status[STATUS_RAY_LEVELS + level]);
        }
        level_first = first;
        level_count = atomicLoad(&status[STATUS_RAY_LEVELS + params.level]);
    }
    workgroupBarrier();
}

// The world and the key of a slot.
fn key_of(slot: u32) -> vec2u {
    let both = tree[params.keys + slot / 2u];
    return select(both.xy, both.zw, (slot & 1u) != 0u);
}

// Whether a slot comes after a border: that of a world, or of a cell.
fn is_beyond(slot: u32, border: vec2u, by_world: bool) -> bool {
    let key = key_of(slot);
    return select(key.y >= border.y, key.x >= border.x, by_world);
}

// The slot before which a range of at least two is cut: where the largest cell of the curve ends that begins in it. (Where slots are not in order, that is
// somewhere in the range.)
fn cut_of(begin: u32, end: u32) -> u32 {
    let first = key_of(begin);
    let last = key_of(end - 1u);
    let middle = begin + (end - begin) / 2u;
    let by_world = first.x != last.x;
    var border = vec2u();
    if by_world {
        let world = key_of(middle).x;
        border.x = select(world, first.x + 1u, world == first.x);
    } else if first.y == last.y {
        return middle;
    } else {
        let bit = firstLeadingBit(first.y ^ last.y);
        border.y = (max(first.y, last.y) >> bit) << bit;
    }
    var low = begin + 1u;
    var high = end - 1u;
    while low < high {
        let at = low + (high - low) / 2u;
        if is_beyond(at, border, by_world) {
            high = at;
        } else {
            low = at + 1u;
        }
    }
    return low;
}

// Where the children of the node begin that a thread splits, and where the last one ends; and how many there are.
var<private> cuts: array<u32, 5>;
var<private> parts: u32;

fn cut(k: u32) {
    let at = cut_of(cuts[k], cuts[k + 1u]);
    for (var j = parts; j > k; j--) {
        cuts[j + 1u] = cuts[j];
    }
    cuts[k + 1u] = at;
    parts += 1u;
}

// Which child is cut next, or ABSENT: the largest, if it has more than four slots; else one of which each slot can become a child.
fn next_cut() -> u32 {
    var found = 0u;
    var most = 0u;
    var small = ABSENT;
    for (var k = 0u; k < parts; k++) {
        let size = cuts[k + 1u] - cuts[k];
        if size > most {
            most = size;
            found = k;
        }
        if size > 1u && size - 1u <= 4u - parts {
            small = k;
        }
    }
    return select(small, found, most > 4u);
}

fn split(begin: u32, end: u32) {
    let size = end - begin;
    cuts[0] = begin;
    cuts[1] = end;
    parts = 1u;
    for (var k = 0u; k < 3u; k++) {
        let next = next_cut();
        if next != ABSENT {
            cut(next);
        }
    }
    var most = 0u;
    for (var k = 0u; k < parts; k++) {
        most = max(most, cuts[k + 1u] - cuts[k]);
    }
    if most > params.most {
        // The levels below have no room for so many: equal parts always do.
        parts = 4u;
        for (var k = 0u; k <= 4u; k++) {
            cuts[k] = begin + (size * k) / 4u;
        }
    }
}

// Cuts the nodes of a level into children.
@compute @workgroup_size(BODY_THREADS)
fn ray_split(
    @builtin(workgroup_id) id: vec3u,
    @builtin(num_workgroups) groups: vec3u,
    @builtin(local_invocation_index) lane: u32,
) {
    let group = group_number(id, groups);
    load_level(lane);
    let below = level_first + level_count;
    for (var round = 0u; round < params.rounds; round++) {
        if lane == 0u {
            atomicStore(&wanted, 0u);
        }
        workgroupBarrier();
        let number = (round * params.groups + group) * BODY_THREADS + lane;
        let is_here = group < params.groups && number < level_count;
        let at = params.nodes + 4u * (level_first + number);
        var children = 0u;
        var place = 0u;
        if is_here {
            let range = tree[at];
            split(range.x, range.y);
            for (var k = 0u; k < parts; k++) {
                children += select(0u, 1u, cuts[k + 1u] - cuts[k] > 1u);
            }
            place = atomicAdd(&wanted, children);
        }
        workgroupBarrier();
        if lane == 0u {
            let all = atomicLoad(&wanted);
            wanted_first = below;
            if all > 0u {
                wanted_first = below + atomicAdd(&status[STATUS_RAY_LEVELS + params.level + 1u], all);
            }
        }
        workgroupBarrier();
        if is_here {
            var child = wanted_first + place;
            var all = vec4u(ABSENT);
            for (var k = 0u; k < parts; k++) {
                if cuts[k + 1u] - cuts[k] == 1u {
                    all[k] = cuts[k];
                } else {
                    all[k] = RAY_NODE | child;
                    tree[params.nodes + 4u * child] = vec4u(cuts[k], cuts[k + 1u], 0u, 0u);
                    tree[params.nodes + 4u * child + 2u] = vec4u(0u, 0u, level_first + number, 0u);
                    child += 1u;
                }
            }
            tree[at + 3u] = all;
        }
    }
    if lane == 0u && group < params.groups {
        sign_off(SIGN_RAY_SPLIT, group);
    }
}

// The children of the node that a thread makes: bounds, which are empty where there is no body, and the lowest and the highest world.
var<private> child_lows: array<vec3f, 4>;
var<private> child_highs: array<vec3f, 4>;
var<private> child_worlds: array<vec2u, 4>;

// Returns the place of the child.
fn load_child(child: u32, k: u32) -> u32 {
    child_lows[k] = NOWHERE.low;
    child_highs[k] = NOWHERE.high;
    child_worlds[k] = vec2u(ABSENT, 0u);
    if child == ABSENT {
        return child;
    }
    let is_node = (child & RAY_NODE) != 0u;
    let at = select(2u * child, params.bounds + 2u * (child & ~RAY_NODE), is_node);
    let low = tree[at];
    let high = tree[at + 1u];
    if !is_node && low.w == ABSENT {
        return child;
    }
    child_lows[k] = bitcast<vec3f>(low.xyz);
    child_highs[k] = bitcast<vec3f>(high.xyz);
    if (params.flags & WORLDS) == 0u {
        child_worlds[k] = vec2u();
    } else if is_node {
        child_worlds[k] = vec2u(low.w, high.w);
    } else {
        // A body in every world meets all of them, from the lowest on.
        let world = slot_traits[child].w;
        child_worlds[k] = vec2u(select(world, 0u, world == EVERY_WORLD), world);
    }
    return select(child | ((high.w & TAG_KIND) << RAY_KIND_SHIFT), child, is_node);
}

// The exponent of a step with which no child of a node so large is more than 253 steps from its corner.
fn step_of(size: f32) -> u32 {
    // (A power of two above the quotient.)
    let step = max((bitcast<u32>(size * (1.0f / 252.0f)) >> 23u) + 1u, LEAST_STEP);
    return select(VAST_STEP, step, size < VAST_SIZE);
}

fn power_of_two(exponents: vec3u) -> vec3f {
    return bitcast<vec3f>(exponents << vec3u(23u));
}

fn make_node(number: u32) {
    let at = params.nodes + 4u * number;
    let children = tree[at + 3u];
    var places = children;
    var low = NOWHERE.low;
    var high = NOWHERE.high;
    var range = vec2u(ABSENT, 0u);
    for (var k = 0u; k < 4u; k++) {
        places[k] = load_child(children[k], k);
        low = min(low, child_lows[k]);
        high = max(high, child_highs[k]);
        range = vec2u(min(range.x, child_worlds[k].x), max(range.y, child_worlds[k].y));
    }
    let size = high - low;
    let steps = vec3u(step_of(size.x), step_of(size.y), step_of(size.z));
    let inverse = power_of_two(vec3u(254u) - steps);
    var present = 0u;
    var begins: vec3u;
    var ends: vec3u;
    for (var k = 0u; k < 4u; k++) {
        if !(child_lows[k].x <= child_highs[k].x) {
            continue;
        }
        present |= 1u << k;
        let below = floor((child_lows[k] - low) * inverse - vec3f(BYTE_SLACK));
        let above = ceil((child_highs[k] - low) * inverse + vec3f(BYTE_SLACK));
        let shift = vec3u(8u * k);
        begins |= vec3u(clamp(below, vec3f(), vec3f(255.0f))) << shift;
        ends |= vec3u(clamp(above, vec3f(), vec3f(255.0f))) << shift;
    }
    let parent = tree[at + 2u].z;
    tree[at] = vec4u(bitcast<vec3u>(low), steps.x | (steps.y << 8u) | (steps.z << 16u) | (present << 24u));
    tree[at + 1u] = vec4u(begins, ends.x);
    tree[at + 2u] = vec4u(ends.yz, parent, 0u);
    tree[at + 3u] = places;
    tree[params.bounds + 2u * number] = vec4u(bitcast<vec3u>(low), range.x);
    tree[params.bounds + 2u * number + 1u] = vec4u(bitcast<vec3u>(high), range.y);
}

// Makes the boxes of the nodes of a level.
@compute @workgroup_size(BODY_THREADS)
fn ray_nodes(
    @builtin(workgroup_id) id: vec3u,
    @builtin(num_workgroups) groups: vec3u,
    @builtin(local_invocation_index) lane: u32,
) {
    let group = group_number(id, groups);
    load_level(lane);
    for (var round = 0u; round < params.rounds; round++) {
        let number = (round * params.groups + group) * BODY_THREADS + lane;
        if group < params.groups && number < level_count {
            make_node(level_first + number);
        }
    }
    if lane == 0u && group < params.groups {
        sign_off(SIGN_RAY_NODES, group);
    }
}
