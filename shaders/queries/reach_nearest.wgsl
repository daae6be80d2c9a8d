// How far the nearest bodies of each point are at most: each thread descends the tree with one point, nearest nodes first. The distance is
// the point's margin from then on, with which the search for near pairs goes on: that finds these bodies, and others that are as near.
//
// It need not be the least that is possible, as long as so many bodies are within it: whatever is left out of the search makes it larger.
// So a thread may stop at any time, and rounding matters only in `furthest`.
//
// Of most points one body is certainly the nearest: all others, and all nodes that were left out, are certainly further away. Such a point takes no part in
// the search for near pairs, and its margin is marked.
// import: lib/ledger, lib/descent, lib/own_stack, lib/filters, lib/hull_record

// Numbers whose squares are neither lost nor infinite; those with which sums are not infinite; and more than all distances.
const REACH_LEAST = 0x1p-50f;
const REACH_MOST = 0x1p+60f;
const REACH_VAST = 0x1p+100f;
const REACH_MOST_SQUARED = 0x1p+126f;
const REACH_NEVER = 0x1.fffffep+127f;
// More than what rounding takes off a distance: a share of all numbers, and what is lost to flushed subnormals.
const REACH_ERROR = 0x1p-17f;
const REACH_TINY = 0x1p-118f;
// The same of how far a node is away; and by what squares of limits are multiplied, so that rounding leaves nothing out that is as near.
const REACH_NODE_ERROR = 0x1p-20f;
const REACH_SQUARE_MORE = 1.0f + 0x1p-20f;

// By how much the body that `furthest` was asked about last may be nearer; REACH_NEVER if nothing is known of that.
var<private> doubt: f32;

struct Point {
    at: vec3f,
    // The sum of its coordinates.
    size: f32,
    traits: vec4u,
    is_fixed: bool,
}

// A length that is at least that of a vector without negative numbers, but for rounding.
fn length_of(v: vec3f) -> f32 {
    let largest = largest3(v);
    if largest < REACH_LEAST || largest > REACH_MOST {
        // Squares would be lost.
        doubt = select(REACH_NEVER, doubt, largest == 0.0f);
        return sum3(v);
    }
    return length(v);
}

// The squares of how far the children of a node are away at least, along one axis: from the bytes of their lower and their upper ends. The point is
// `above` the corner of the node, but for `error`.
fn outside(begins: u32, ends: u32, step: f32, above: f32, error: f32) -> vec4f {
    let low = (parts(begins) - vec4f(1.0f)) * (256.0f * step);
    let high = (parts(ends) - vec4f(1.0f)) * (256.0f * step);
    let distance = max(max(low - vec4f(above + error), vec4f(above - error) - high), vec4f());
    return distance * distance;
}

// Opens a node: the nearest of its children that are no further than `last` is returned, and the others wait. Keys are the squares of how far they
// are away. (Squares that are too large for numbers are taken for the largest that matters, small ones for 0.)
fn open_node(point: Point, place: u32, last: f32) -> u32 {
    if !has_world(place, point.traits.w) {
        return ABSENT;
    }
    let node = load_node(place);
    let above = point.at - node.corner;
    let error = (abs(point.at) + abs(node.corner) + 256.0f * node.step) * REACH_NODE_ERROR + vec3f(REACH_TINY);
    var squares = outside(node.begins.x, node.ends.x, node.step.x, above.x, error.x)
        + outside(node.begins.y, node.ends.y, node.step.y, above.y, error.y)
        + outside(node.begins.z, node.ends.z, node.step.z, above.z, error.z);
    if !(max(largest3(abs(node.corner)), max(largest3(node.step), point.size)) <= REACH_VAST) {
        // Differences may have overflowed.
        squares = vec4f();
    }
    squares = min(squares, vec4f(REACH_MOST_SQUARED));
    return stack_children(node.children, keys(squares, (squares <= vec4f(last)) & are_set(node.present)));
}

fn may_meet(point: Point, slot: u32) -> bool {
    if (params.flags & (HAS_FILTERS | WORLDS)) == 0u {
        return true;
    }
    let a = point.traits;
    let b = slot_traits[slot];
    let together = a.w == b.w || a.w == EVERY_WORLD || b.w == EVERY_WORLD;
    let agree = together && (a.x & b.y) != 0u && (b.x & a.y) != 0u && (a.z == 0u || a.z != b.z);
    return agree && !(point.is_fixed && (tree[2u * slot + 1u].w & TAG_FIXED) != 0u);
}

// The square of a distance or a little more, or what stands for one that is too large.
fn square_of(distance: f32) -> f32 {
    let more = select(REACH_SQUARE_MORE, 64.0f, distance >= REACH_MOST);
    return min(distance, REACH_MOST) * min(distance, REACH_MOST) * more;
}

// The same of a half-space.
fn furthest_half_space(point: Point, first: vec4u, offset: f32) -> f32 {
    if (first.w & OUTSIDE_DOMAIN) != 0u || !(point.size <= REACH_MOST) {
        return REACH_NEVER;
    }
    let normal = bitcast<vec3f>(first.xyz);
    let sizes = dot(abs(normal), abs(point.at)) + abs(offset);
    let error = sizes * REACH_ERROR + REACH_TINY;
    // (A component of a normal in the domain is 0, or its square a normal number.)
    let length = sqrt(dot(normal, normal));
    let found = min((max(dot(normal, point.at) - offset, 0.0f) + error) / length * (1.0f + REACH_ERROR), REACH_NEVER);
    if found < REACH_VAST {
        doubt = 2.25f * (error / length + found * REACH_ERROR);
    }
    return found;
}

// The same of a hull. Each face of its bounds has a corner of the hull within a step: that is no further away along the face's axis than the face
// and the step, and along the others than the far ends. And all of it is in a ball around the middle.
fn furthest_hull(point: Point, slot: u32, first: vec4u, second: vec4u) -> f32 {
    let place = bitcast<vec3f>(first.xyz);
    // No point of it is further from its position than that.
    let reach = 3.0f * hull_reach(second.x);
    if max(max(largest3(abs(place)), reach), point.size) > REACH_VAST {
        return REACH_NEVER;
    }
    let slack = (point.size + sum3(abs(place)) + reach) * REACH_ERROR + REACH_TINY;
    let t = point.at - place;
    if (first.w & OUTSIDE_DOMAIN) != 0u || largest3(abs(t)) > REACH_MOST || !(reach < REACH_MOST) {
        return sum3(abs(t)) + reach + slack;
    }
    let axes = rotation(scaled_quaternion(slot_rotations[slot]));
    let along = vec3f(dot(axes[0], t), dot(axes[1], t), dot(axes[2], t));
    let step = hull_step(second.x);
    let below = abs(along - hull_corner(second.y, step));
    let above = abs(along - hull_corner(second.z, step));
    let near = min(below, above) + vec3f(step);
    let far = max(below, above);
    let by_faces = min(
        length_of(vec3f(near.x, far.y, far.z)),
        min(length_of(vec3f(far.x, near.y, far.z)), length_of(vec3f(far.x, far.y, near.z))),
    );
    let half = 0.5f * (hull_corner(second.z, step) - hull_corner(second.y, step));
    let middle = 0.5f * (hull_corner(second.z, step) + hull_corner(second.y, step));
    let radius = length_of(half) * hull_radius_share(second.y, second.z);
    return min(by_faces, length_of(abs(along - middle)) + radius) + slack;
}

// A distance that a body is certainly not beyond. (src/exact/closest.rs counts the roundings.)
fn furthest(point: Point, place_of_body: u32) -> f32 {
    doubt = REACH_NEVER;
    let slot = slot_of(place_of_body);
    let first = slot_shapes[2u * slot];
    let second = slot_shapes[2u * slot + 1u];
    let kind = place_of_body >> RAY_KIND_SHIFT;
    let place = bitcast<vec3f>(first.xyz);
    let extents = select(bitcast<vec3f>(second.xyz), vec3f(bitcast<f32>(second.x), 0.0f, 0.0f), kind == KIND_SPHERE);
    if kind == KIND_CONVEX_HULL {
        return furthest_hull(point, slot, first, second);
    }
    if kind == KIND_PLANE {
        return furthest_half_space(point, first, bitcast<f32>(second.x));
    }
    // (Of a capsule; of others 0.)
    let radius = bitcast<f32>(second.w);
    if max(max(largest3(abs(place)), largest3(abs(extents))), max(point.size, radius)) > REACH_VAST {
        return REACH_NEVER;
    }
    let slack = (point.size + sum3(abs(place)) + sum3(abs(extents)) + radius) * REACH_ERROR + REACH_TINY;
    let t = point.at - place;
    if (first.w & OUTSIDE_DOMAIN) != 0u || (kind == KIND_OBB && largest3(abs(t)) > REACH_MOST) {
        // The centre of a ball or a box, a corner of a box, or an end of a capsule's segment belongs to it.
        return sum3(abs(t)) + slack;
    }
    // (A little more than twice as much: the sum is rounded.)
    doubt = 2.25f * slack;
    if kind == KIND_SPHERE {
        return max(length_of(abs(t)) - extents.x, 0.0f) + slack;
    }
    if kind == KIND_AABB {
        return length_of(max(max(-t, point.at - extents), vec3f())) + slack;
    }
    if kind == KIND_CAPSULE {
        let way = extents - place;
        if !(max(largest3(abs(t)), largest3(abs(way))) <= REACH_MOST && largest3(abs(way)) >= REACH_LEAST) {
            doubt = REACH_NEVER;
        }
        // (The distance from any point of the segment would do.)
        let share = clamp(dot(t, way) / max(dot(way, way), REACH_TINY), 0.0f, 1.0f);
        return max(length_of(abs(t - share * way)) - radius, 0.0f) + slack;
    }
    let axes = rotation(scaled_quaternion(slot_rotations[slot]));
    let along = vec3f(dot(axes[0], t), dot(axes[1], t), dot(axes[2], t));
    return length_of(max(abs(along) - extents, vec3f())) + slack;
}

// Notes a distance in the list of the least ones of a point. Returns the last of them, once there are enough.
fn keep(list: u32, count: u32, found: f32, last: f32) -> f32 {
    if params.count == 1u {
        return min(found, last);
    }
    if count < params.count {
        nearest[list + count] = bitcast<u32>(found);
        if count + 1u < params.count {
            return last;
        }
    }
    var worst = 0u;
    var at = 0u;
    // (The bits of numbers that are not negative are in their order.)
    for (var k = 0u; k < params.count; k++) {
        let other = nearest[list + k];
        if other >= worst {
            worst = other;
            at = k;
        }
    }
    if count < params.count {
        return min(last, bitcast<f32>(worst));
    }
    nearest[list + at] = bitcast<u32>(found);
    worst = 0u;
    for (var k = 0u; k < params.count; k++) {
        worst = max(worst, nearest[list + k]);
    }
    return min(last, bitcast<f32>(worst));
}

// The margin of a point. Notes the place of the last body that was nearest so far, and whether it is certainly the only nearest one.
fn reach_of(point: Point, list: u32, nearest_slot: ptr<function, u32>, is_known: ptr<function, bool>) -> f32 {
    // Nothing beyond this matters; how many bodies were found, and the furthest of them.
    var last = params.within;
    var count = 0u;
    var all = 0.0f;
    // How far away the others are at least that were looked at.
    var others = REACH_NEVER;
    var nearest_doubt = 0.0f;
    var square = square_of(last);
    var current = RAY_NODE;
    stacked = 0u;
    // The nearest body of the point before is near this one too, as points are in the order of the curve.
    let seed = *nearest_slot;
    if seed != ABSENT && may_meet(point, slot_of(seed)) {
        all = furthest(point, seed);
        nearest_doubt = doubt;
        last = min(last, all);
        count = 1u;
        square = square_of(last);
    }
    var nearest_found = select(REACH_NEVER, all, count == 1u);
    var step = 0u;
    while current != ABSENT && step < params.steps {
        // Threads that have come to a body wait for the others, for one node at most, and look at their bodies together.
        for (var k = 0u; k < NODES_AT_ONCE && is_inner(current); k++) {
            step += 1u;
            current = open_node(point, current, square);
            if current == ABSENT {
                current = pop(square);
            }
        }
        if !is_body(current) {
            continue;
        }
        if may_meet(point, slot_of(current)) {
            let distance_found = furthest(point, current);
            if count < params.count || distance_found < last {
                last = keep(list, count, distance_found, last);
                count = min(count + 1u, params.count);
                all = max(all, distance_found);
                square = square_of(last);
                others = min(others, nearest_found - nearest_doubt);
                nearest_found = distance_found;
                nearest_doubt = doubt;
                *nearest_slot = current;
            } else if current != *nearest_slot {
                others = min(others, distance_found - doubt);
            }
        }
        current = pop(square);
    }
    *is_known = params.count == 1u && current == ABSENT && count == 1u && nearest_found == last && others > last
        && last >= REACH_LEAST && last < REACH_MOST;
    // Without a limit everything was looked at, and there is no more than was found.
    let is_all = current == ABSENT && count < params.count && params.within == REACH_NEVER;
    return select(last, all, is_all);
}

@compute @workgroup_size(BODY_THREADS)
fn reach_nearest(
    @builtin(workgroup_id) id: vec3u,
    @builtin(num_workgroups) groups: vec3u,
    @builtin(local_invocation_index) lane: u32,
) {
    let group = group_number(id, groups);
    // Points that are next to each other.
    let first = (group * BODY_THREADS + lane) * params.each;
    var nearest_slot = ABSENT;
    for (var number = first; number < first + params.each; number++) {
        let slot = params.first_slot + number;
        if slot >= params.end_slot {
            break;
        }
        let body = slot_bounds[2u * slot].w;
        if body == ABSENT {
            if params.count == 1u {
                nearest[number] = ABSENT;
            }
            continue;
        }
        var point: Point;
        point.at = bitcast<vec3f>(slot_shapes[2u * slot].xyz);
        // (Capped: a sum that is not finite must not arise.)
        point.size = sum3(min(abs(point.at), vec3f(2.0f * REACH_VAST)));
        point.is_fixed = (slot_bounds[2u * slot + 1u].w & TAG_FIXED) != 0u;
        if (params.flags & (HAS_FILTERS | WORLDS)) != 0u {
            point.traits = slot_traits[slot];
        }
        var is_known = false;
        let margin = bitcast<u32>(reach_of(point, params.count * number, &nearest_slot, &is_known));
        margins[body] = margin | select(0u, MARGIN_KNOWN, is_known);
        if params.count == 1u {
            var known = ABSENT;
            if is_known {
                known = tree[2u * slot_of(nearest_slot)].w;
            }
            nearest[number] = known;
        }
    }
    if lane == 0u && params.first_slot + first < params.end_slot {
        sign_off(SIGN_REACH_NEAREST, group);
    }
}
