// Bodies as contacts see them: centre, half extents and axes in double words, made once a body. The twin of src/manifold/frame.rs.
// import: lib/ledger, lib/tags, lib/det_rotation, lib/det_roots

// Numbers with a greater exponent are not computed with.
const MOST_EXPONENT = 227u;
// An offset may be this many powers of two larger than the largest component of the normal.
const MOST_OFFSET = 60u;

fn words(at: u32) -> vec3u {
    return vec3u(shapes[at], shapes[at + 1u], shapes[at + 2u]);
}

struct Place {
    center: vec3f,
    center_low: vec3f,
    half: vec3f,
    half_low: vec3f,
    exponent: u32,
    reach: u32,
    is_point: bool,
    is_half_space: bool,
    // Of a hull in the domain: the word of its record that names its local form.
    is_hull: bool,
    form: u32,
}

// Sets the only axis of a capsule from half of its segment. Returns the length of that.
fn set_segment(half: vec3f, half_low: vec3f) -> DetDouble {
    let largest = largest_exponent(bitcast<vec3u>(half));
    if largest == 0u {
        return DetDouble(0.0f, 0.0f);
    }
    let scale = bitcast<f32>((254u - largest) << 23u);
    let x = DetDouble(det_mul(half.x, scale), det_mul(half_low.x, scale));
    let y = DetDouble(det_mul(half.y, scale), det_mul(half_low.y, scale));
    let z = DetDouble(det_mul(half.z, scale), det_mul(half_low.z, scale));
    let square = det_add_double(det_add_double(det_mul_double(x, x), det_mul_double(y, y)), det_mul_double(z, z));
    let inverse = rsqrt_double(square);
    set_entry(0u, det_mul_double(x, inverse));
    set_entry(1u, det_mul_double(y, inverse));
    set_entry(2u, det_mul_double(z, inverse));
    let half_way = det_mul_double(square, inverse);
    let back = bitcast<f32>(largest << 23u);
    return DetDouble(det_mul(half_way.high, back), det_mul(half_way.low, back));
}

fn is_half_space_in_domain(at: u32) -> bool {
    let largest = largest_exponent(words(at));
    return is_in_domain(largest) && exponent_of(shapes[at + 3u]) <= largest + MOST_OFFSET;
}

// Sets the unit normal of a half-space in the domain. Returns the offset of its border from the origin.
fn set_half_space(at: u32) -> DetDouble {
    let normal = words(at);
    let offset = shapes[at + 3u];
    let largest = largest_exponent(normal);
    let scale = bitcast<f32>((254u - largest) << 23u);
    let n = det_scale3(cleaned(normal), scale);
    let d = det_mul(det_clean(bitcast<f32>(offset)), scale);
    let square = det_add_double(det_add_double(det_two_prod(n.x, n.x), det_two_prod(n.y, n.y)), det_two_prod(n.z, n.z));
    let inverse = rsqrt_double(square);
    set_entry(0u, det_mul_double(DetDouble(n.x, 0.0f), inverse));
    set_entry(1u, det_mul_double(DetDouble(n.y, 0.0f), inverse));
    set_entry(2u, det_mul_double(DetDouble(n.z, 0.0f), inverse));
    return det_mul_double(DetDouble(d, 0.0f), inverse);
}

// Everything but the rotation, which is set. What is outside the domain has the exponent 0.
fn place_of(kind: u32, at: u32) -> Place {
    var place = Place(vec3f(), vec3f(), vec3f(), vec3f(), 0u, 0u, false, false, false, 0u);
    for (var k = 0u; k < 9u; k++) {
        high[k] = 0.0f;
        low[k] = 0.0f;
    }
    if kind == KIND_PLANE {
        place.is_half_space = is_half_space_in_domain(at);
        if !place.is_half_space {
            return place;
        }
        let offset = set_half_space(at);
        place.half.x = offset.high;
        place.half_low.x = offset.low;
        place.reach = exponent_of(bitcast<u32>(offset.high));
        return place;
    }
    let first = words(at);
    let second = select(words(at + 3u), vec3u(shapes[at + 3u]), kind == KIND_SPHERE);
    var radius = 0u;
    if kind == KIND_CAPSULE {
        radius = shapes[at + 6u];
    }
    var largest = max(largest_exponent(first), exponent_of(radius));
    if kind != KIND_CONVEX_HULL {
        largest = max(largest, largest_exponent(second));
    }
    if largest > MOST_EXPONENT {
        return place;
    }
    var is_turned = false;
    if kind == KIND_OBB || kind == KIND_CONVEX_HULL {
        is_turned = set_rotation_of(vec4u(words(at + 6u), shapes[at + 9u]));
    }
    if kind == KIND_CONVEX_HULL {
        place.is_hull = is_turned;
        if is_turned {
            place.center = cleaned(first);
            place.form = shapes[at + HULL_FORM_WORD];
            place.reach = largest_exponent(bitcast<vec3u>(place.center));
        }
        return place;
    }
    let has_corners = kind == KIND_AABB || kind == KIND_CAPSULE;
    place.center = cleaned(first);
    place.half = cleaned(second);
    if has_corners {
        let x = det_two_sum(place.center.x, place.half.x);
        let y = det_two_sum(place.center.y, place.half.y);
        let z = det_two_sum(place.center.z, place.half.z);
        let lower = det_neg3(place.center);
        let side_x = det_two_sum(place.half.x, lower.x);
        let side_y = det_two_sum(place.half.y, lower.y);
        let side_z = det_two_sum(place.half.z, lower.z);
        place.center = det_scale3(vec3f(x.high, y.high, z.high), 0.5f);
        place.center_low = det_scale3(vec3f(x.low, y.low, z.low), 0.5f);
        place.half = det_scale3(vec3f(side_x.high, side_y.high, side_z.high), 0.5f);
        place.half_low = det_scale3(vec3f(side_x.low, side_y.low, side_z.low), 0.5f);
    }
    if kind == KIND_CAPSULE {
        let half_way = set_segment(place.half, place.half_low);
        place.half = vec3f(half_way.high, vec2f(det_clean(bitcast<f32>(radius))));
        place.half_low = vec3f(half_way.low, 0.0f, 0.0f);
    } else if kind == KIND_OBB {
        if !is_turned {
            return place;
        }
    } else {
        high[0] = 1.0f;
        high[4] = 1.0f;
        high[8] = 1.0f;
    }
    place.reach = largest_exponent(bitcast<vec3u>(place.center));
    let size = largest_exponent(bitcast<vec3u>(place.half));
    place.exponent = select(0u, size, is_in_domain(size));
    // Compared as integers: floats that are subnormal may be taken for 0.
    let same = (first == second) | (((first | second) << vec3u(1u)) == vec3u());
    place.is_point = select(all((second << vec3u(1u)) == vec3u()), all(same) && (radius << 1u) == 0u, has_corners);
    return place;
}

// The frames of this workgroup, until they are written side by side.
var<workgroup> frame_words: array<vec4u, BODY_THREADS * FRAME_VECTORS>;

fn put_frame(body: u32, to: u32) {
    let kind = tag_of(body) & TAG_KIND;
    let place = place_of(kind, RECORD_WORDS * body);
    let low_center = select(0u, FRAME_HAS_LOW, any(place.center_low != vec3f()));
    var point = select(select(0u, FRAME_IS_POINT, place.is_point), FRAME_IS_HALF_SPACE, place.is_half_space);
    point |= select(0u, FRAME_IS_HULL, place.is_hull);
    frame_words[to] = vec4u(bitcast<vec3u>(place.center), kind | low_center | point | (place.exponent << 8u) | (place.reach << 16u));
    let extent = select(bitcast<u32>(place.half.x), place.form, place.is_hull);
    frame_words[to + 1u] = vec4u(bitcast<vec3u>(vec3f(high[0], high[1], high[2])), extent);
    frame_words[to + 2u] = bitcast<vec4u>(vec4f(high[3], high[4], high[5], place.half.y));
    frame_words[to + 3u] = bitcast<vec4u>(vec4f(high[6], high[7], high[8], place.half.z));
    var margin = 0u;
    if params.has_margins != 0u {
        margin = margins[body];
    }
    frame_words[to + 4u] = vec4u(bitcast<vec3u>(place.center_low), margin);
    frame_words[to + 5u] = bitcast<vec4u>(vec4f(low[0], low[1], low[2], place.half_low.x));
    frame_words[to + 6u] = bitcast<vec4u>(vec4f(low[3], low[4], low[5], place.half_low.y));
    frame_words[to + 7u] = bitcast<vec4u>(vec4f(low[6], low[7], low[8], place.half_low.z));
}

@compute @workgroup_size(BODY_THREADS)
fn frames(
    @builtin(workgroup_id) id: vec3u,
    @builtin(num_workgroups) groups: vec3u,
    @builtin(local_invocation_index) lane: u32,
) {
    let number = group_number(id, groups);
    let first = number * BODY_THREADS;
    if first + lane < params.bodies {
        put_frame(first + lane, FRAME_VECTORS * lane);
    }
    workgroupBarrier();
    let vectors = FRAME_VECTORS * min(BODY_THREADS, max(params.bodies, first) - first);
    for (var k = lane; k < vectors; k += BODY_THREADS) {
        frame[FRAME_VECTORS * first + k] = frame_words[k];
    }
    if lane == 0u && first < params.bodies {
        sign_off(SIGN_FRAMES, number);
    }
}
