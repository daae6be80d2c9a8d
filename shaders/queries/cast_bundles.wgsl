// Casts rays that go nearly the same way together, those of 16 by 16 pixels of a picture for example: a workgroup descends the tree with all of them at
// once, nearest nodes first, and tests each with the bodies that any of them may meet. Their bounds steer only: a node is left out if no ray between the
// least and the greatest origin and direction enters it.
//
// Rays that do not go the same way begin in `cast_rays`, and those of a bundle that would visit too much begin there once more.
// import: lib/ledger, lib/descent, lib/ray_bodies, lib/ordered

const BUNDLE_RAYS = BUNDLE_SIDE * BUNDLE_SIDE;
// The rays of a thread.
const EACH = BUNDLE_RAYS / BODY_THREADS;
// Bodies that are tested at once; and how many bodies and nodes a bundle may come to, which is far more than rays that meet the same bodies do.
const BODIES_AT_ONCE = 4u;
const MOST_BODIES = 512u;
const MOST_NODES = 2048u;
// How much directions, which are 1 to 2 long, may differ along an axis.
const WIDEST = 0.0625;

// Between which numbers the origins and directions of all rays are.
struct Beam {
    first: vec3f,
    last: vec3f,
    slowest: vec3f,
    fastest: vec3f,
}

// How rays move along each axis: whether up or down, or neither for all of them; and the inverses of their greatest and least rates.
struct Rates {
    is_down: vec3<bool>,
    is_mixed: vec3<bool>,
    least_inverse: vec3f,
    greatest_inverse: vec3f,
}

// The bounds of the beam: the least of six numbers, then the greatest.
var<workgroup> ends: array<atomic<u32>, 12>;
// What is found of each ray.
var<workgroup> pending: array<u32, BUNDLE_RAYS>;
var<workgroup> earliest: array<f32, BUNDLE_RAYS>;
var<workgroup> latest: array<f32, BUNDLE_RAYS>;
// After when no body matters to any ray: the bits of that time and 1, or 0 if there is no ray for which any does.
var<workgroup> latest_of_all: atomic<u32>;
// Where the first thread goes on in the tree. (It is the only one that does; memory of its own would be cleared for all of them.)
var<workgroup> stack: array<vec2u, RAY_STACK>;
// The bodies that are tested next.
var<workgroup> bodies: array<u32, BODIES_AT_ONCE>;
var<workgroup> body_count: u32;
var<workgroup> is_given_up: u32;

// Where the first thread is in the tree, and what it has visited.
var<private> current: u32;
var<private> visited: u32;
var<private> tested: u32;

// The number of one of the rays of a workgroup, or ABSENT: of a picture those of a square.
fn ray_of(group: u32, k: u32) -> u32 {
    if params.width == 0u {
        let number = group * BUNDLE_RAYS + k;
        return select(ABSENT, number, number < params.rays);
    }
    let across = (params.width + BUNDLE_SIDE - 1u) / BUNDLE_SIDE;
    let x = (group % across) * BUNDLE_SIDE + k % BUNDLE_SIDE;
    let number = ((group / across) * BUNDLE_SIDE + k / BUNDLE_SIDE) * params.width + x;
    return select(ABSENT, number, x < params.width && number < params.rays);
}

// Notes the least and the greatest numbers of a thread among those of the beam.
fn widen(k: u32, low: vec3f, high: vec3f) {
    for (var axis = 0u; axis < 3u; axis++) {
        atomicMin(&ends[k + axis], ordered(bitcast<u32>(low[axis])));
        atomicMax(&ends[6u + k + axis], ordered(bitcast<u32>(high[axis])));
    }
}

fn end_of(k: u32) -> vec3f {
    return vec3f(float_of(atomicLoad(&ends[k])), float_of(atomicLoad(&ends[k + 1u])), float_of(atomicLoad(&ends[k + 2u])));
}

// Which children of a node any ray may enter, and when at the earliest: their keys.
fn enter_children(beam: Beam, rates: Rates, node: Node, last: f32) -> vec4u {
    let extent = 256.0 * node.step;
    let from_first = opaque(node.corner - beam.first);
    let from_last = opaque(node.corner - beam.last);
    let reach = largest3(max(
        max(abs(from_first), abs(from_last)),
        max(abs(from_first + extent), abs(from_last + extent)),
    ));
    let pad = reach * (2.0 * RAY_NODE_PAD) + 2.0 * TINY;
    let up = select(vec3f(1.0), vec3f(-1.0), rates.is_down);
    // How far along an axis the ends of children are from the origin for which that is least or most, as if all rays went up. (Bytes come with 1 more.)
    let scale = up * extent;
    let near_base = up * (select(from_last, from_first, rates.is_down) - extent) - vec3f(pad);
    let far_base = up * (select(from_first, from_last, rates.is_down) - extent) + vec3f(pad);
    let nears = select(node.begins, node.ends, rates.is_down);
    let fars = select(node.ends, node.begins, rates.is_down);
    var near = vec4f();
    var far = vec4f(last);
    for (var axis = 0u; axis < 3u; axis++) {
        if rates.is_mixed[axis] {
            continue;
        }
        let begins = scale[axis] * parts(nears[axis]) + near_base[axis];
        let ends = scale[axis] * parts(fars[axis]) + far_base[axis];
        near = max(near, min(begins * rates.least_inverse[axis], begins * rates.greatest_inverse[axis]));
        far = min(far, max(ends * rates.least_inverse[axis], ends * rates.greatest_inverse[axis]));
    }
    var met = near <= far;
    // Along other axes: where rays may be until then.
    let end = min(far, vec4f(RAY_VAST));
    for (var axis = 0u; axis < 3u; axis++) {
        if !rates.is_mixed[axis] {
            continue;
        }
        let low = extent[axis] * (parts(node.begins[axis]) - vec4f(1.0)) + vec4f(from_last[axis] - pad);
        let high = extent[axis] * (parts(node.ends[axis]) - vec4f(1.0)) + vec4f(from_first[axis] + pad);
        met &= (high >= end * min(beam.slowest[axis], 0.0)) & (low <= end * max(beam.fastest[axis], 0.0));
    }
    if !(reach <= RAY_VAST) {
        // Products may have overflowed.
        near = vec4f();
        met = vec4<bool>(true);
    }
    return keys(near, met & are_set(node.present));
}

// Visits nodes until some bodies are found, or none are left.
fn find_bodies(beam: Beam, rates: Rates) {
    var count = 0u;
    let word = atomicLoad(&latest_of_all);
    if word != 0u {
        let last = bitcast<f32>(word - 1u);
        while current != ABSENT && count < BODIES_AT_ONCE && visited < MOST_NODES {
            if is_body(current) {
                bodies[count] = current;
                count += 1u;
                current = pop(last);
                continue;
            }
            visited += 1u;
            var next = ABSENT;
            if has_world(current, params.traits.w) {
                let node = load_node(current);
                next = stack_children(node.children, enter_children(beam, rates, node, last));
            }
            current = next;
            if current == ABSENT {
                current = pop(last);
            }
        }
        tested += count;
        if visited == MOST_NODES || tested > MOST_BODIES {
            count = 0u;
            is_given_up = 1u;
        }
    }
    body_count = count;
    atomicStore(&latest_of_all, 0u);
}

// Whether bodies still matter to a ray.
fn is_open(k: u32) -> bool {
    return !(params.mode == RAYS_ANY && is_certain(pending[k]));
}

// Tests a ray with the bodies that were found. Returns the bits of the time after when no body matters and 1, or 0 if none does.
fn test_bodies(number: u32, k: u32, count: u32) -> u32 {
    let ray = load_ray(number);
    var found = Found(pending[k], earliest[k], latest[k]);
    for (var body = 0u; body < count && is_open(k); body++) {
        let slot = slot_of(bodies[body]);
        if may_meet(ray, slot) {
            found = noted(number, found, slot, test_body(ray, slot, bodies[body] >> RAY_KIND_SHIFT));
            pending[k] = found.pending;
        }
    }
    earliest[k] = found.earliest;
    latest[k] = found.latest;
    return select(0u, bitcast<u32>(found.latest) + 1u, is_open(k));
}

fn is_skipped(number: u32) -> bool {
    return (rays[params.ray_vectors * number + 1u].w & RAY_SKIPPED) != 0u;
}

@compute @workgroup_size(BODY_THREADS)
fn cast_bundles(
    @builtin(workgroup_id) id: vec3u,
    @builtin(num_workgroups) groups: vec3u,
    @builtin(local_invocation_index) lane: u32,
) {
    let group = group_number(id, groups);
    if lane < 12u {
        atomicStore(&ends[lane], select(0u, 0xffffffffu, lane < 6u));
    }
    if lane == 0u {
        atomicStore(&latest_of_all, 0u);
        is_given_up = 0u;
    }
    var own = Beam(vec3f(FLT_MAX), vec3f(-FLT_MAX), vec3f(FLT_MAX), vec3f(-FLT_MAX));
    var last = 0u;
    for (var r = 0u; r < EACH; r++) {
        let k = r * BODY_THREADS + lane;
        let number = ray_of(group, k);
        if number != ABSENT && !is_skipped(number) {
            let ray = load_ray(number);
            own.first = min(own.first, ray.origin);
            own.last = max(own.last, ray.origin);
            own.slowest = min(own.slowest, ray.direction);
            own.fastest = max(own.fastest, ray.direction);
            pending[k] = ABSENT;
            earliest[k] = RAY_NEVER;
            latest[k] = last_of(ray);
            last = max(last, bitcast<u32>(latest[k]) + 1u);
        }
    }
    workgroupBarrier();
    widen(0u, own.first, own.last);
    widen(3u, own.slowest, own.fastest);
    atomicMax(&latest_of_all, last);
    workgroupBarrier();
    let beam = Beam(end_of(0u), end_of(6u), end_of(3u), end_of(9u));
    let is_down = beam.fastest <= vec3f(-RAY_NODE_RATE);
    let is_up = beam.slowest >= vec3f(RAY_NODE_RATE);
    let least = max(select(beam.slowest, -beam.fastest, is_down), vec3f(RAY_NODE_RATE));
    let most = max(select(beam.fastest, -beam.slowest, is_down), vec3f(RAY_NODE_RATE));
    let rates = Rates(is_down, !(is_down | is_up), 1.0 / most, 1.0 / least);
    if lane == 0u {
        current = RAY_NODE;
        visited = 0u;
        tested = 0u;
        stacked = 0u;
        if !(largest3(beam.fastest - beam.slowest) <= WIDEST) {
            is_given_up = 1u;
            atomicStore(&latest_of_all, 0u);
        }
    }
    loop {
        if lane == 0u {
            find_bodies(beam, rates);
        }
        let count = workgroupUniformLoad(&body_count);
        if count == 0u {
            break;
        }
        last = 0u;
        for (var r = 0u; r < EACH; r++) {
            let k = r * BODY_THREADS + lane;
            let number = ray_of(group, k);
            if number != ABSENT && !is_skipped(number) && is_open(k) {
                last = max(last, test_bodies(number, k, count));
            }
        }
        atomicMax(&latest_of_all, last);
        workgroupBarrier();
    }
    let is_left = workgroupUniformLoad(&is_given_up) != 0u;
    for (var r = 0u; r < EACH; r++) {
        let k = r * BODY_THREADS + lane;
        let number = ray_of(group, k);
        if number == ABSENT {
            continue;
        }
        var found = vec4u(number, ABSENT, 0u, 0u);
        var state = vec4u(ABSENT, 0u, 0u, 0u);
        if !is_skipped(number) {
            if is_left && is_open(k) {
                // What was found is kept, and tells where the ray need not look.
                if pending[k] != ABSENT {
                    list_extra(number, pending[k]);
                }
                found.z = bitcast<u32>(latest[k]);
                state.x = RAY_NODE;
            } else {
                found.y = pending[k];
            }
        }
        hits[number] = found;
        states[number] = state;
    }
    if lane == 0u && group < params.groups {
        sign_off(SIGN_CAST_BUNDLES, group);
    }
}
