// Descends the tree of `queries/ray_tree` with one thread: of each node that is opened, the nearest child is next, and the others that matter wait on a
// stack. For modules with the buffer `tree`, and with the places of nodes and of their bounds in their params; and with a `stack` of RAY_STACK vectors:
// places that wait, and how near they are. (Each level leaves three at most.) A stack of each thread is in `lib/own_stack`.
//
// A place in the tree is the number of a slot with the kind of its body, or that of a node with the bit RAY_NODE.

// What stands for a child that does not matter. Others are by how near they are: the bits of a number that is not negative, the last two of which
// are the child's.
const NO_CHILD = 0xffffffffu;
// Nodes that threads open before they look at bodies together.
const NODES_AT_ONCE = 2u;

// How many places wait.
var<private> stacked: u32;

// A node: its lower corner, what a step of its bytes is along each axis, which children there are, for each axis the bytes of their lower
// and their upper ends, and their places.
struct Node {
    corner: vec3f,
    step: vec3f,
    present: u32,
    begins: vec3u,
    ends: vec3u,
    children: vec4u,
}

fn is_inner(place: u32) -> bool {
    return (place & RAY_NODE) != 0u && place != ABSENT;
}

// (ABSENT has the bit too.)
fn is_body(place: u32) -> bool {
    return (place & RAY_NODE) == 0u;
}

fn slot_of(place: u32) -> u32 {
    return place & (RAY_NODE - 1u);
}

fn load_node(place: u32) -> Node {
    let at = params.nodes + 4u * (place & ~RAY_NODE);
    // (All at once, so as to wait once.)
    let head = tree[at];
    let first = tree[at + 1u];
    let second = tree[at + 2u];
    let children = tree[at + 3u];
    let steps = (vec3u(head.w) << vec3u(23u, 15u, 7u)) & vec3u(0x7f800000u);
    return Node(
        bitcast<vec3f>(head.xyz),
        bitcast<vec3f>(steps),
        head.w >> 24u,
        first.xyz,
        vec3u(first.w, second.xy),
        children,
    );
}

// Whether a node has bodies that a world meets.
fn has_world(place: u32, world: u32) -> bool {
    if (params.flags & WORLDS) == 0u || world == EVERY_WORLD {
        return true;
    }
    let at = params.bounds + 2u * (place & ~RAY_NODE);
    return tree[at].w <= world && world <= tree[at + 1u].w;
}

// The node above a node, or ABSENT.
fn parent_of(node: u32) -> u32 {
    return tree[params.nodes + 4u * node + 2u].z;
}

// Four bytes, each as 1 plus so many of 256 parts: that is exact, and faster than a conversion.
fn parts(bytes: u32) -> vec4f {
    let shifted = vec4u(bytes << 15u, bytes << 7u, bytes >> 1u, bytes >> 9u);
    return bitcast<vec4f>((shifted & vec4u(0x007f8000u)) | vec4u(0x3f800000u));
}

// The keys of children that are so near; those that do not matter have none.
fn keys(near: vec4f, matter: vec4<bool>) -> vec4u {
    return select(vec4u(NO_CHILD), (bitcast<vec4u>(near) & vec4u(0xfffffffcu)) | vec4u(0u, 1u, 2u, 3u), matter);
}

fn are_set(bits: u32) -> vec4<bool> {
    return (vec4u(bits) & vec4u(1u, 2u, 4u, 8u)) != vec4u(0u);
}

fn sorted(keys: vec4u) -> vec4u {
    let low = min(keys.xz, keys.yw);
    let high = max(keys.xz, keys.yw);
    let inner = vec2u(max(low.x, low.y), min(high.x, high.y));
    return vec4u(min(low.x, low.y), min(inner.x, inner.y), max(inner.x, inner.y), max(high.x, high.y));
}

// The place of the child with this key.
fn child_of(children: vec4u, key: u32) -> u32 {
    let pair = select(children.xz, children.yw, (key & 1u) != 0u);
    return select(pair.x, pair.y, (key & 2u) != 0u);
}

fn push(children: vec4u, key: u32) {
    stack[stacked] = vec2u(child_of(children, key), key);
    stacked += 1u;
}

// Lays all children with keys but the nearest on the stack, and returns that, or ABSENT.
fn stack_children(children: vec4u, keys: vec4u) -> u32 {
    let all = sorted(keys);
    if all.y != NO_CHILD {
        if all.z != NO_CHILD {
            if all.w != NO_CHILD {
                push(children, all.w);
            }
            push(children, all.z);
        }
        push(children, all.y);
    }
    return select(child_of(children, all.x), ABSENT, all.x == NO_CHILD);
}

// The next place that is no further than this, or ABSENT.
fn pop(furthest: f32) -> u32 {
    let limit = bitcast<u32>(furthest) | 3u;
    while stacked > 0u {
        stacked -= 1u;
        let next = stack[stacked];
        if next.y <= limit {
            return next.x;
        }
    }
    return ABSENT;
}
