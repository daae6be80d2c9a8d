// Pairs of a hull and another body as slots have them, in single words: the twin of src/near/hull. For modules with params `bucket` and `margin`.
// import: lib/verdicts, lib/hulls

var<private> hull_turns: array<vec4u, 2>;

fn set_hull_part(body: u32, kind: u32, first: vec4u, second: vec4u, searches: bool) {
    var part = HullPart(kind, kind == KIND_OBB || kind == KIND_CONVEX_HULL, 8u, 0u, bitcast<vec3f>(first.xyz), bitcast<vec3f>(second.xyz), 0.0f, searches, 0.0f);
    if kind == KIND_SPHERE {
        part.count = 1u;
        part.radius = bitcast<f32>(second.x);
    } else if kind == KIND_CAPSULE {
        part.count = 2u;
        part.radius = bitcast<f32>(second.w);
    } else if kind == KIND_CONVEX_HULL {
        let form = form_vector(searches, second.x & ((1u << HULL_FORM_BITS) - 1u));
        part.begin = form.x;
        part.count = form.y;
        part.largest_sum = bitcast<f32>(form.z);
    }
    hull_parts[body] = part;
}

fn rough_diagonal(a: f32, b: f32, twice: f32) -> f32 {
    return det_sub(1.0f, det_mul(det_add(a, b), twice));
}

// Sets the axes of a body by its quaternion, in single words. Returns whether that is in the domain.
fn set_rough_axes(body: u32, turn: vec4u) -> bool {
    let largest = max(largest_exponent(turn.xyz), exponent_of(turn.w));
    if !is_in_domain(largest) {
        return false;
    }
    hull_turns[body] = turn;
    let scale = bitcast<f32>((254u - largest) << 23u);
    let v = det_scale3(cleaned(turn.xyz), scale);
    let w = det_mul(det_clean(bitcast<f32>(turn.w)), scale);
    let xx = det_mul(v.x, v.x);
    let yy = det_mul(v.y, v.y);
    let zz = det_mul(v.z, v.z);
    let twice = det_mul(2.0f, det_recip(det_add(det_add(xx, yy), det_add(zz, det_mul(w, w)))));
    let xy = det_mul(v.x, v.y);
    let xz = det_mul(v.x, v.z);
    let yz = det_mul(v.y, v.z);
    let wx = det_mul(w, v.x);
    let wy = det_mul(w, v.y);
    let wz = det_mul(w, v.z);
    hull_axes[3u * body] = vec3f(
        rough_diagonal(yy, zz, twice),
        det_mul(det_add(xy, wz), twice),
        det_mul(det_sub(xz, wy), twice),
    );
    hull_axes[3u * body + 1u] = vec3f(
        det_mul(det_sub(xy, wz), twice),
        rough_diagonal(xx, zz, twice),
        det_mul(det_add(yz, wx), twice),
    );
    hull_axes[3u * body + 2u] = vec3f(
        det_mul(det_add(xz, wy), twice),
        det_mul(det_sub(yz, wx), twice),
        rough_diagonal(xx, yy, twice),
    );
    return true;
}

// The exponent of a body's largest length.
fn part_exponent(body: u32) -> u32 {
    let part = hull_parts[body];
    if part.kind == KIND_SPHERE {
        return exponent_of(bitcast<u32>(part.radius));
    }
    if part.kind == KIND_OBB {
        return largest_of(part.second);
    }
    if part.kind == KIND_CONVEX_HULL {
        return ((bitcast<u32>(part.second.x) >> HULL_FORM_BITS) & 255u) + HULL_STEP_BITS - 1u;
    }
    return max(largest_of(det_sub3(part.second, part.place)), exponent_of(bitcast<u32>(part.radius)));
}

// The lower kind of the bucket: the other one is that of hulls.
fn other_kind() -> u32 {
    var kind = 0u;
    for (var k = 0u; k < KINDS; k++) {
        if bucket_of(k, KIND_CONVEX_HULL) == params.bucket {
            kind = k;
        }
    }
    return kind;
}

// How far apart the bodies of the pair may be, and the margins of both.
var<private> hull_margins: vec3f;

fn slot_margin(slot: u32, kind: u32) -> f32 {
    if kind == KIND_CAPSULE {
        return bitcast<f32>(slot_rotations[slot].x);
    }
    return bitcast<f32>(slot_shapes[2u * slot + 1u].w);
}

// How far apart the cores may be: the radius of the other body and all margins, scaled.
fn hull_reach() -> vec4f {
    let margins = det_scale3(cleaned(bitcast<vec3u>(hull_margins)), hull_scale);
    return vec4f(det_mul(det_clean(hull_parts[0].radius), hull_scale), margins);
}

// Sets both bodies of a pair of a body of this kind and a hull. Returns whether both are in the domain.
fn set_hull_pair(pair: Pair, kind: u32) -> bool {
    set_hull_part(0u, kind, pair.a, slot_shapes[2u * pair.slot_a + 1u], !pair.b_searches);
    set_hull_part(1u, KIND_CONVEX_HULL, pair.b, slot_shapes[2u * pair.slot_b + 1u], pair.b_searches);
    hull_margins = vec3f(params.margin, slot_margin(pair.slot_a, kind), slot_margin(pair.slot_b, KIND_CONVEX_HULL));
    return ((pair.a.w | pair.b.w) & OUTSIDE_DOMAIN) == 0u;
}

// Sets a pair of a body of this kind, which is no half-space, and a hull, and returns what is certain of it in single words.
fn search_pair(pair: Pair, kind: u32) -> HullSearch {
    let nothing = HullSearch(UNDECIDED, vec3f(), 0.0f, false, vec4u());
    if !set_hull_pair(pair, kind) {
        return nothing;
    }
    let a = hull_parts[0].place;
    let b = hull_parts[1].place;
    hull_scale = 1.0f;
    let lengths = max(max(part_exponent(0u), part_exponent(1u)), largest_of(hull_margins));
    let size = max(largest_of(way_between(a, b)), lengths);
    if !is_in_domain(size) || !set_rough_axes(1u, slot_rotations[pair.slot_b]) {
        return nothing;
    }
    if hull_parts[0].turns && !set_rough_axes(0u, slot_rotations[pair.slot_a]) {
        return nothing;
    }
    hull_scale = bitcast<f32>((254u - size) << 23u);
    hull_t = way_between(a, b);
    set_hull_error();
    // (Devices may round to either neighbour.)
    hull_error = det_mul(2.0f, hull_error);
    let reach = hull_reach();
    let sum = det_add(det_add(reach.x, reach.y), det_add(reach.z, reach.w));
    let slack = det_mul(sum, HULL_OF_REACH);
    return search_hull(det_sub(sum, slack), det_add(sum, slack));
}
