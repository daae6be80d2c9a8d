// How far the nearest bodies of each point are at most: each thread descends the tree with one point, nearest nodes first. The distance is
// the point's margin from then on, with which the search for near pairs goes on: that finds these bodies, and others that are as near.
//
// It need not be the least that is possible, as long as so many bodies are within it: whatever is left out of the search makes it larger.
// So a thread may stop at any time, and rounding matters only in `furthest`.
// import: lib/ledger, lib/filters

// Numbers whose squares are neither lost nor infinite; those with which sums are not infinite; and more than all distances.
const REACH_LEAST = 0x1p-50f;
const REACH_MOST = 0x1p+60f;
const REACH_VAST = 0x1p+100f;
const REACH_NEVER = 0x1.fffffep+127f;
// More than what rounding takes off a distance: a share of all numbers, and what is lost to flushed subnormals.
const REACH_ERROR = 0x1p-17f;
const REACH_TINY = 0x1p-118f;

struct Point {
    at: vec3f,
    // The sum of its coordinates.
    size: f32,
    traits: vec4u,
    is_fixed: bool,
}

fn first_of_level(level: u32) -> u32 {
    return params.level_first[level / 4u][level % 4u];
}

fn count_of_level(level: u32) -> u32 {
    return params.level_count[level / 4u][level % 4u];
}

// Which children of a node of this level there are.
fn children_of(level: u32, node: u32) -> u32 {
    return (1u << min(4u, count_of_level(level - 1u) - 4u * node)) - 1u;
}

// A length that is at least that of a vector without negative numbers, but for rounding.
fn length_of(v: vec3f) -> f32 {
    let largest = largest3(v);
    if largest < REACH_LEAST || largest > REACH_MOST {
        // Squares would be lost.
        return sum3(v);
    }
    return length(v);
}

// How far a node is away, or REACH_NEVER if it is empty or in other worlds.
fn distance_of_node(point: Point, at: u32, level: u32) -> f32 {
    let lower = tree[2u * at];
    let upper = tree[2u * at + 1u];
    let low = bitcast<vec3f>(lower.xyz);
    let high = bitcast<vec3f>(upper.xyz);
    if !(low.x <= high.x) {
        return REACH_NEVER;
    }
    if level > 1u && (params.flags & WORLDS) != 0u {
        let world = point.traits.w;
        if !(world == EVERY_WORLD || (lower.w <= world && world <= upper.w)) {
            return REACH_NEVER;
        }
    }
    if max(max(largest3(abs(low)), largest3(abs(high))), point.size) > REACH_VAST {
        return 0.0f;
    }
    let outside = max(max(low - point.at, point.at - high), vec3f());
    let largest = largest3(outside);
    if largest < REACH_LEAST || largest > REACH_MOST {
        return largest;
    }
    return length(outside);
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

// A distance that a body is certainly not beyond. (src/exact/closest.rs counts the roundings.)
fn furthest(point: Point, slot: u32) -> f32 {
    let first = slot_shapes[2u * slot];
    let second = slot_shapes[2u * slot + 1u];
    let kind = tree[2u * slot + 1u].w & TAG_KIND;
    let place = bitcast<vec3f>(first.xyz);
    let extents = select(bitcast<vec3f>(second.xyz), vec3f(bitcast<f32>(second.x), 0.0f, 0.0f), kind == KIND_SPHERE);
    if max(max(largest3(abs(place)), largest3(abs(extents))), point.size) > REACH_VAST {
        return REACH_NEVER;
    }
    let slack = (point.size + sum3(abs(place)) + sum3(abs(extents))) * REACH_ERROR + REACH_TINY;
    let t = point.at - place;
    if (first.w & OUTSIDE_DOMAIN) != 0u || (kind == KIND_OBB && largest3(abs(t)) > REACH_MOST) {
        // The centre of a ball or a box, or a corner of a box, belongs to it.
        return sum3(abs(t)) + slack;
    }
    if kind == KIND_SPHERE {
        return max(length_of(abs(t)) - extents.x, 0.0f) + slack;
    }
    if kind == KIND_AABB {
        return length_of(max(max(-t, point.at - extents), vec3f())) + slack;
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

fn reach_of(point: Point, list: u32) -> f32 {
    var level = params.top;
    var node = 0u;
    // The children that are left, four bits for each level.
    var left = vec2u(0u, 0u);
    left[level / 8u] = children_of(level, 0u) << (4u * (level % 8u));
    // Nothing beyond this matters; how many bodies were found, and the furthest of them.
    var last = params.within;
    var count = 0u;
    var all = 0.0f;
    for (var step = 0u; step < params.steps; step++) {
        let shift = 4u * (level % 8u);
        let mask = (left[level / 8u] >> shift) & 15u;
        let base = first_of_level(level - 1u) + 4u * node;
        var away = vec4f(REACH_NEVER);
        if (mask & 1u) != 0u { away.x = distance_of_node(point, base, level); }
        if (mask & 2u) != 0u { away.y = distance_of_node(point, base + 1u, level); }
        if (mask & 4u) != 0u { away.z = distance_of_node(point, base + 2u, level); }
        if (mask & 8u) != 0u { away.w = distance_of_node(point, base + 3u, level); }
        let first = min(min(away.x, away.y), min(away.z, away.w));
        let near = (away < vec4f(REACH_NEVER)) & (away <= vec4f(last));
        let is_first = (away == vec4f(first)) & near;
        var rest = dot(select(vec4u(0u), vec4u(1u, 2u, 4u, 8u), near), vec4u(1u));
        let bits = dot(select(vec4u(0u), vec4u(1u, 2u, 4u, 8u), is_first), vec4u(1u));
        let chosen = firstTrailingBit(bits);
        let found = bits != 0u;
        if found {
            rest &= ~(1u << chosen);
        }
        left[level / 8u] = (left[level / 8u] & ~(15u << shift)) | (rest << shift);
        if found && level > 1u {
            level -= 1u;
            node = 4u * node + chosen;
            left[level / 8u] |= children_of(level, node) << (4u * (level % 8u));
        } else if found {
            let slot = 4u * node + chosen;
            if may_meet(point, slot) {
                let distance_found = furthest(point, slot);
                if count < params.count || distance_found < last {
                    last = keep(list, count, distance_found, last);
                    count = min(count + 1u, params.count);
                    all = max(all, distance_found);
                }
            }
        } else {
            // To the lowest level with children left.
            if (left.x | left.y) == 0u {
                // Without a limit everything was looked at, and there is no more than was found.
                let is_all = count < params.count && params.within == REACH_NEVER;
                return select(last, all, is_all);
            }
            let next = select(8u + firstTrailingBit(left.y) / 4u, firstTrailingBit(left.x) / 4u, left.x != 0u);
            node = node >> (2u * (next - level));
            level = next;
        }
    }
    return last;
}

@compute @workgroup_size(BODY_THREADS)
fn reach_nearest(
    @builtin(workgroup_id) id: vec3u,
    @builtin(num_workgroups) groups: vec3u,
    @builtin(local_invocation_index) lane: u32,
) {
    let group = group_number(id, groups);
    let number = group * BODY_THREADS + lane;
    let slot = params.first_slot + number;
    if slot < params.end_slot {
        let body = slot_bounds[2u * slot].w;
        if body != ABSENT {
            var point: Point;
            point.at = bitcast<vec3f>(slot_shapes[2u * slot].xyz);
            // (Capped: a sum that is not finite must not arise.)
            point.size = sum3(min(abs(point.at), vec3f(2.0f * REACH_VAST)));
            point.is_fixed = (slot_bounds[2u * slot + 1u].w & TAG_FIXED) != 0u;
            if (params.flags & (HAS_FILTERS | WORLDS)) != 0u {
                point.traits = slot_traits[slot];
            }
            margins[body] = bitcast<u32>(reach_of(point, params.count * number));
        }
    }
    if lane == 0u && slot < params.end_slot {
        sign_off(SIGN_REACH_NEAREST, group);
    }
}
