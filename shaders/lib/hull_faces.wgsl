// What of a hull and another body lies across the normal of their contact: the twin of src/near/hull/faces.rs, where it is explained.
// import: lib/hull_away, lib/aside

// What is foremost of both bodies, and what of one of them looks towards the other.
const OF_FIRST = 0u;
const OF_HULL = 1u;
const FACING = 2u;

// Corners of faces: across the normal and along it, and which of the body's they are. How many there are; and how the height changes across the normal
// of the last face.
var<private> face_at: array<vec3f, 3u * FACE_CORNERS>;
var<private> face_corners: array<u32, 3u * FACE_CORNERS>;
var<private> face_count: vec3u;
var<private> face_slope: vec2f;

// How places are seen: from the hull's foremost corner, in two directions across the normal, and along it.
var<private> view_normal: vec3f;
var<private> view_sides: array<vec3f, 2>;
var<private> view_origin: array<DetDouble, 3>;

fn set_view(normal: vec3f) {
    view_normal = normal;
    view_sides[0] = aside(normal);
    view_sides[1] = det_cross3(normal, view_sides[0]);
    view_origin = away_corner(1u, lowest_corner(1u, normal).corner);
}

// The place of a corner from the origin.
fn view_place(body: u32, i: u32) -> vec3f {
    var corner = away_corner(body, i);
    if body == 0u {
        corner = add_doubles(corner, away_t);
    }
    return high_part(add_doubles(corner, negated(view_origin)));
}

fn as_seen(place: vec3f) -> vec3f {
    return vec3f(det_dot3(view_sides[0], place), det_dot3(view_sides[1], place), det_dot3(view_normal, place));
}

// What is seen so, in the world.
fn view_back(at: vec3f) -> vec3f {
    let across = det_add3(det_scale3(view_sides[0], at.x), det_scale3(view_sides[1], at.y));
    return det_add3(across, det_scale3(view_normal, at.z));
}

fn size_of_body(body: u32) -> f32 {
    return det_mul(largest_sum_of(body), hull_scale);
}

fn square2(v: vec3f) -> f32 {
    return det_add(det_mul(v.x, v.x), det_mul(v.y, v.y));
}

fn cross2(a: vec3f, b: vec3f) -> f32 {
    return det_sub(det_mul(a.x, b.y), det_mul(a.y, b.x));
}

fn swap_corners(i: u32, j: u32) {
    let at = face_at[i];
    let corner = face_corners[i];
    face_at[i] = face_at[j];
    face_corners[i] = face_corners[j];
    face_at[j] = at;
    face_corners[j] = corner;
}

// Puts the corners of a face that are not between others in order around the normal. Corners that are nearer to each other than this are one; what is no
// wider is an edge.
fn order_face(face: u32, near: f32) {
    let first = face * FACE_CORNERS;
    let end = first + face_count[face];
    let square = det_mul(near, near);
    for (var k = first + 1u; k < end; k++) {
        let at = face_at[k];
        let least = face_at[first];
        if at.x < least.x || at.x == least.x && at.y < least.y {
            swap_corners(first, k);
        }
    }
    let origin = face_at[first];
    var kept = first + 1u;
    var furthest = 0.0f;
    var furthest_at = first;
    var area = 0.0f;
    while kept < end {
        let before = face_at[kept - 1u];
        // (The first one, where the way around ends, but for the first step.)
        var next = first;
        for (var k = kept; k < end; k++) {
            let way = det_sub3(face_at[k], before);
            let span = square2(way);
            if !(span > square) || !(square2(det_sub3(face_at[k], origin)) > square) {
                continue;
            }
            let best = det_sub3(face_at[next], before);
            let turn = cross2(best, way);
            let is_first = next == first && kept == first + 1u;
            if is_first || turn < 0.0f || turn == 0.0f && span > square2(best) {
                next = k;
            }
        }
        if next == first {
            break;
        }
        swap_corners(kept, next);
        let way = det_sub3(face_at[kept], origin);
        area = det_add(area, cross2(det_sub3(before, origin), way));
        let span = square2(way);
        if span > furthest {
            furthest = span;
            furthest_at = kept;
        }
        kept += 1u;
    }
    face_count[face] = kept - first;
    let span = det_mul(furthest, det_rsqrt(furthest));
    if face_count[face] > 2u && !(area > det_mul(4.0f, det_mul(near, span))) {
        swap_corners(first + 1u, furthest_at);
        face_count[face] = 2u;
    }
}

// Finds the corners of a body that are lowest along a direction. Whether there is room for them.
fn find_lowest(face: u32, body: u32, towards: vec3f) -> bool {
    let seen = seen_by(body, towards);
    let size = size_of_body(body);
    let limit = det_add(lowest_corner(body, towards).height, det_mul(HULL_LOW, size));
    let flat = det_mul(HULL_FLAT, size);
    var lowest = NEAR_FARTHEST;
    var found = 0u;
    for (var turn = params.zero; turn < 2u; turn++) {
        for (var i = 0u; i < hull_parts[body].count; i++) {
            if corner_height(body, i, seen) > limit {
                continue;
            }
            let place = view_place(body, i);
            let height = det_dot3(towards, place);
            if turn == 0u {
                lowest = select(lowest, height, height < lowest);
            } else if !(det_sub(height, lowest) > flat) {
                if found == FACE_CORNERS {
                    return false;
                }
                face_at[face * FACE_CORNERS + found] = as_seen(place);
                face_corners[face * FACE_CORNERS + found] = i;
                found += 1u;
            }
        }
    }
    face_count[face] = found;
    order_face(face, flat);
    return true;
}

// The normal, inwards and as it is seen, of a face next to a corner or an edge that is foremost; 0 if there is none that is turned by less than 60°.
fn tilted(body: u32) -> vec3f {
    let foremost = body * FACE_CORNERS;
    let up = select(view_normal, det_neg3(view_normal), body == 0u);
    let seen_x = seen_by(body, view_sides[0]);
    let seen_y = seen_by(body, view_sides[1]);
    let seen_z = seen_by(body, up);
    let least = det_mul(4.0f, det_mul(HULL_FLAT, size_of_body(body)));
    let count = hull_parts[body].count;
    let origin = local_corner(body, face_corners[foremost]);
    let rough_origin = vec3f(det_dot3(seen_x, origin), det_dot3(seen_y, origin), det_dot3(seen_z, origin));
    var ends = vec2u(face_corners[foremost + 1u], count);
    var across = vec3f();
    var upwards = vec3f(0.0f, 0.0f, 1.0f);
    // (An end that is there is not looked for.)
    for (var turn = params.zero + select(0u, 1u, face_count[body] == 2u); turn < 2u; turn++) {
        if turn == 1u {
            let end = local_corner(body, ends.x);
            let rough = vec3f(det_dot3(seen_x, end), det_dot3(seen_y, end), det_dot3(seen_z, end));
            let way = det_sub3(rough, rough_origin);
            let along = det_scale3(way, det_rsqrt(det_dot3(way, way)));
            let straight = det_sub3(vec3f(0.0f, 0.0f, 1.0f), det_scale3(along, along.z));
            upwards = det_scale3(straight, det_rsqrt(det_dot3(straight, straight)));
            across = det_cross3(upwards, along);
        }
        var best = count;
        var slope = NEAR_FARTHEST;
        for (var i = 0u; i < count; i++) {
            let at = local_corner(body, i);
            let rough = vec3f(det_dot3(seen_x, at), det_dot3(seen_y, at), det_dot3(seen_z, at));
            let way = det_sub3(rough, rough_origin);
            var off: f32;
            if turn == 0u {
                let square = square2(way);
                off = det_mul(square, det_rsqrt(square));
            } else {
                off = det_abs(det_dot3(across, way));
            }
            if !(off > least) {
                continue;
            }
            let rises = det_div(det_max(det_dot3(upwards, way), 0.0f), off);
            if rises < slope {
                best = i;
                slope = rises;
            }
        }
        if best == count {
            return vec3f();
        }
        ends[turn] = best;
    }
    let place = as_seen(view_place(body, face_corners[foremost]));
    var ways: array<vec3f, 2>;
    for (var k = params.zero; k < 2u; k++) {
        ways[k] = det_sub3(as_seen(view_place(body, ends[k])), place);
    }
    let straight = det_cross3(ways[0], ways[1]);
    let normal = det_scale3(straight, det_rsqrt(det_dot3(straight, straight)));
    if !(det_abs(normal.z) > HULL_LEAST_COSINE) {
        return vec3f();
    }
    return select(det_neg3(normal), normal, (normal.z > 0.0f) == (body == 1u));
}

fn copy_face(to: u32, origin: u32) {
    for (var k = 0u; k < face_count[origin]; k++) {
        face_at[to * FACE_CORNERS + k] = face_at[origin * FACE_CORNERS + k];
        face_corners[to * FACE_CORNERS + k] = face_corners[origin * FACE_CORNERS + k];
    }
    face_count[to] = face_count[origin];
}

// Finds what is foremost of both bodies: of the first upwards, of the hull downwards; and, if that is a face of one of them, what of the other one looks towards it
// most: a face next to what is foremost, unless that is one, or there is none that is turned by less than 60°. All of a segment. Whether there was room.
fn find_faces() -> bool {
    face_slope = vec2f();
    // (One call of each function that is long: compilers write out every one.)
    for (var face = params.zero; face < 3u; face++) {
        var body = face;
        var towards = select(view_normal, det_neg3(view_normal), face == OF_FIRST);
        if face == FACING {
            if face_count[OF_FIRST] < 3u && face_count[OF_HULL] < 3u {
                return true;
            }
            body = select(OF_FIRST, OF_HULL, face_count[OF_FIRST] > 2u);
            let count = hull_parts[body].count;
            copy_face(FACING, body);
            if face_count[body] > 2u || count == 1u {
                return true;
            }
            if count == 2u {
                for (var i = params.zero; i < 2u; i++) {
                    face_at[FACING * FACE_CORNERS + i] = as_seen(view_place(body, i));
                    face_corners[FACING * FACE_CORNERS + i] = i;
                }
                face_count[FACING] = 2u;
                return true;
            }
            let tilt = tilted(body);
            if all(tilt == vec3f()) {
                return true;
            }
            towards = view_back(tilt);
            face_slope = vec2f(det_neg(det_div(tilt.x, tilt.z)), det_neg(det_div(tilt.y, tilt.z)));
        }
        if !find_lowest(face, body, towards) {
            return false;
        }
    }
    let body = select(OF_FIRST, OF_HULL, face_count[OF_FIRST] > 2u);
    let foremost = signed_height(body, face_at[body * FACE_CORNERS].z);
    let near = det_mul(HULL_CLOSE, size_of_body(body));
    var touches = false;
    for (var k = 0u; k < face_count[FACING]; k++) {
        let z = signed_height(body, face_at[FACING * FACE_CORNERS + k].z);
        touches = touches || !(det_sub(z, foremost) > near);
    }
    if face_count[FACING] < 3u || !touches {
        copy_face(FACING, body);
        face_slope = vec2f();
    }
    return true;
}

fn signed_height(body: u32, z: f32) -> f32 {
    return select(z, det_neg(z), body == 0u);
}
