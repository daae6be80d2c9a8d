// Descends the tree of `queries/ray_tree` with a thread of its own: of each node that is opened, the nearest child is next, and the others that
// matter wait on a stack. For modules with the buffer `tree`, and with the places of levels in their params.
//
// A place in the tree is a level, in the upper four bits, and a number on that level. Level 0 are the slots.
const FIRST_INNER = 0x10000000u;
const NUMBER_BITS = 0x0fffffffu;
// What stands for a child that does not matter. Others are by how near they are: the bits of a number that is not negative, the last three of which
// are the child's.
const NO_CHILD = 0xffffffffu;
// Nodes that threads open before they look at bodies together.
const NODES_AT_ONCE = 2u;

// Where the nodes of each level begin. (Threads are on different levels: uniforms are slow where they ask for different words.)
var<workgroup> level_places: array<u32, RAY_LEVELS>;
// Children that wait, and how near they are. Each level leaves seven at most.
var<private> stack: array<vec2u, RAY_STACK>;
var<private> stacked: u32;

// Eight children.
struct Children {
    first: vec4u,
    second: vec4u,
}

// A node: its lower corner, what a step of its bytes is along each axis, which children there are, and for each axis the bytes of their lower
// and their upper ends.
struct Node {
    corner: vec3f,
    step: vec3f,
    present: u32,
    x: vec4u,
    y: vec4u,
    z: vec4u,
}

// To be called by all threads of a workgroup.
fn load_levels(lane: u32) {
    if lane < RAY_LEVELS {
        level_places[lane] = params.level_first[lane / 4u][lane % 4u];
    }
    workgroupBarrier();
}

fn is_inner(place: u32) -> bool {
    return place >= FIRST_INNER && place != ABSENT;
}

fn load_node(place: u32) -> Node {
    let at = level_places[place >> 28u] + 4u * (place & NUMBER_BITS);
    // (All at once, so as to wait once.)
    let head = tree[at];
    let x = tree[at + 1u];
    let y = tree[at + 2u];
    let z = tree[at + 3u];
    let steps = (vec3u(head.w) << vec3u(23u, 15u, 7u)) & vec3u(0x7f800000u);
    return Node(bitcast<vec3f>(head.xyz), bitcast<vec3f>(steps), head.w >> 24u, x, y, z);
}

// Which children of a node have bodies that a world meets.
fn in_world(place: u32, world: u32) -> u32 {
    let at = level_places[place >> 28u] + 4u * (place & NUMBER_BITS) + params.worlds;
    var met = 0u;
    for (var k = 0u; k < 4u; k++) {
        let ranges = tree[at + k];
        met |= select(0u, 1u << (2u * k), ranges.x <= world && world <= ranges.y);
        met |= select(0u, 2u << (2u * k), ranges.z <= world && world <= ranges.w);
    }
    // (The highest number stands for every world, which the last of the worlds of a node need not reach.)
    return select(met, 255u, world == EVERY_WORLD);
}

// The first or the last four of the eight bytes, each as 1 plus so many of 256 parts: that is exact, and faster than a conversion.
fn parts(bytes: u32) -> vec4f {
    let shifted = vec4u(bytes << 15u, bytes << 7u, bytes >> 1u, bytes >> 9u);
    return bitcast<vec4f>((shifted & vec4u(0x007f8000u)) | vec4u(0x3f800000u));
}

// The keys of four children that are so near; those that do not matter have none.
fn keys(near: vec4f, matter: vec4<bool>, first: u32) -> vec4u {
    let numbers = vec4u(first) + vec4u(0u, 1u, 2u, 3u);
    return select(vec4u(NO_CHILD), (bitcast<vec4u>(near) & vec4u(0xfffffff8u)) | numbers, matter);
}

fn are_set(bits: u32) -> vec4<bool> {
    return (vec4u(bits) & vec4u(1u, 2u, 4u, 8u)) != vec4u(0u);
}

fn sorted(children: Children) -> Children {
    // Pairs, fours, then all eight (Batcher's odd-even merges).
    let a = min(vec4u(children.first.xz, children.second.xz), vec4u(children.first.yw, children.second.yw));
    let b = max(vec4u(children.first.xz, children.second.xz), vec4u(children.first.yw, children.second.yw));
    // 0 and 2, 1 and 3, 4 and 6, 5 and 7.
    let c = min(vec4u(a.xz, b.xz), vec4u(a.yw, b.yw));
    let d = max(vec4u(a.xz, b.xz), vec4u(a.yw, b.yw));
    // Now c has 0, 4, 1, 5 and d has 2, 6, 3, 7. Then 1 and 2, 5 and 6.
    let e = min(c.zw, d.xy);
    let f = max(c.zw, d.xy);
    // 0 and 4, 1 and 5, 2 and 6, 3 and 7.
    let g = min(vec4u(c.x, e.x, f.x, d.z), vec4u(c.y, e.y, f.y, d.w));
    let h = max(vec4u(c.x, e.x, f.x, d.z), vec4u(c.y, e.y, f.y, d.w));
    // 2 and 4, 3 and 5.
    let i = min(g.zw, h.xy);
    let j = max(g.zw, h.xy);
    // 1 and 2, 3 and 4, 5 and 6.
    let k = min(vec3u(g.y, i.y, j.y), vec3u(i.x, j.x, h.z));
    let l = max(vec3u(g.y, i.y, j.y), vec3u(i.x, j.x, h.z));
    return Children(vec4u(g.x, k.x, l.x, k.y), vec4u(l.y, k.z, l.z, h.w));
}

fn push(first: u32, key: u32) {
    if key != NO_CHILD {
        stack[stacked] = vec2u(first | (key & 7u), key);
        stacked += 1u;
    }
}

// Lays all children of a node but the nearest on the stack, and returns that, or ABSENT.
fn stack_children(place: u32, children: Children) -> u32 {
    let first = ((place & ~NUMBER_BITS) - FIRST_INNER) | ((place << 3u) & NUMBER_BITS);
    let all = sorted(children);
    push(first, all.second.w);
    push(first, all.second.z);
    push(first, all.second.y);
    push(first, all.second.x);
    push(first, all.first.w);
    push(first, all.first.z);
    push(first, all.first.y);
    return select(first | (all.first.x & 7u), ABSENT, all.first.x == NO_CHILD);
}

// The next place that is no further than this, or ABSENT.
fn pop(furthest: f32) -> u32 {
    let limit = bitcast<u32>(furthest) | 7u;
    while stacked > 0u {
        stacked -= 1u;
        let next = stack[stacked];
        if next.y <= limit {
            return next.x;
        }
    }
    return ABSENT;
}
