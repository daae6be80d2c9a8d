// The contact of each pair of which one is a hull and none a half-space, along the direction that `hull_directions` has left: the twin of
// src/near/hull/contact.rs, where it is explained.
// import: lib/ledger, lib/margins, lib/hull_faces

// What can be a point of a contact: where it is, how deep, and what meets there. Not if it is invalid.
struct Candidate {
    valid: bool,
    at: vec3f,
    depth: f32,
    feature: u32,
}

// A face of one body and what of the other one looks towards it, as numbers of faces.
struct Meeting {
    reference: u32,
    // The reference face is of the first body.
    of_first: bool,
    // The height of the reference face.
    height: f32,
    radius: f32,
    slack: f32,
    // The least depth of a point.
    least: f32,
}

var<private> meeting: Meeting;

// How far a place is outside an edge of a face.
fn outside_edge(face: u32, edge: u32, at: vec3f) -> f32 {
    let first = face * FACE_CORNERS;
    let origin = face_at[first + edge];
    let way = det_sub3(face_at[first + select(edge + 1u, 0u, edge + 1u == face_count[face])], origin);
    let off = det_sub3(at, origin);
    return det_mul(cross2(off, way), det_rsqrt(square2(way)));
}

fn no_candidate() -> Candidate {
    return Candidate(false, vec3f(), 0.0f, 0u);
}

// A point of the incident face.
fn candidate_at(valid: bool, found: vec3f, feature: u32) -> Candidate {
    let above = select(det_sub(found.z, meeting.height), det_sub(meeting.height, found.z), meeting.of_first);
    let depth = det_add(above, meeting.radius);
    // (On the hull: of a face of the other body, or the face itself.)
    let at = select(vec3f(found.xy, meeting.height), found, meeting.of_first);
    return Candidate(valid && !(depth < meeting.least), at, depth, feature);
}

// Where an edge of the incident face begins in the reference face, or where it ends if it is cut there.
fn candidate_of_edge(edge: u32, is_end: bool) -> Candidate {
    let incident = FACING * FACE_CORNERS;
    let incident_count = face_count[FACING];
    let count = face_count[meeting.reference];
    let next = select(edge + 1u, 0u, edge + 1u == incident_count);
    let origin = face_at[incident + edge];
    let end = face_at[incident + next];
    var first = 0.0f;
    var last = 1.0f;
    var cuts = vec2u(count);
    for (var side = 0u; side < count; side++) {
        var outside: vec2f;
        for (var k = params.zero; k < 2u; k++) {
            outside[k] = det_sub(outside_edge(meeting.reference, side, select(origin, end, vec3<bool>(k == 1u))), meeting.slack);
        }
        if outside.x > 0.0f && outside.y > 0.0f {
            return no_candidate();
        }
        if outside.x > 0.0f || outside.y > 0.0f {
            let share = det_div(outside.x, det_sub(outside.x, outside.y));
            if outside.x > 0.0f && share > first {
                first = share;
                cuts.x = side;
            } else if outside.y > 0.0f && share < last {
                last = share;
                cuts.y = side;
            }
        }
    }
    let share = select(first, last, is_end);
    let cut = select(cuts.x, cuts.y, is_end);
    // (Ends that are not cut are where the next edge begins; a segment has no next one.)
    let valid = !(last < first) && (!is_end || cut < count || incident_count == 2u);
    var at = end;
    if !is_end || cut != count {
        at = det_add3(origin, det_scale3(det_sub3(end, origin), share));
    }
    var feature = face_corners[incident + select(edge, next, is_end)] << 8u;
    if cut < count {
        let of_reference = face_corners[meeting.reference * FACE_CORNERS + cut];
        feature = (of_reference << 16u) | (face_corners[incident + edge] << 8u) | select(1u, 2u, is_end);
    }
    return candidate_at(valid, at, feature);
}

fn candidate_count() -> u32 {
    let incident = face_count[FACING];
    return select(2u * incident + face_count[meeting.reference], incident, incident < 3u);
}

// Of each edge of the incident face where it begins in the reference face, and where it ends if it is cut there; then corners of the reference face that are in
// the incident one.
fn candidate_of(k: u32) -> Candidate {
    let incident = face_count[FACING];
    let corners = select(2u * incident, incident, incident < 3u);
    if k < corners {
        return candidate_of_edge(select(k / 2u, 0u, incident < 3u), k % 2u == 1u);
    }
    let corner = meeting.reference * FACE_CORNERS + k - corners;
    let at = face_at[corner];
    var inside = true;
    let slack = det_neg(det_mul(0.5f, meeting.slack));
    for (var edge = 0u; edge < incident; edge++) {
        inside = inside && outside_edge(FACING, edge, at) < slack;
    }
    let origin = face_at[FACING * FACE_CORNERS];
    let rise = det_add(
        det_mul(face_slope.x, det_sub(at.x, origin.x)),
        det_mul(face_slope.y, det_sub(at.y, origin.y)),
    );
    return candidate_at(inside, vec3f(at.xy, det_add(origin.z, rise)), (face_corners[corner] << 16u) | 3u);
}

// A point as it is seen, from the hull's foremost corner.
fn push_seen(hull_is_b: bool, at: vec3f, depth: f32, feature: u32) {
    let place = view_back(at);
    var point: vec3f;
    for (var k = params.zero; k < 3u; k++) {
        let center = place_along(hull_is_b, k, hull_scale);
        point[k] = det_add_double(det_add_double(center, view_origin[k]), single(place[k])).high;
    }
    push_point(point, depth, feature);
}

// Where two edges, an edge and a corner, or two corners meet, seen along the normal: on the hull. Not valid if they are beside each other.
fn crossing(slack: f32) -> Candidate {
    let hull = OF_HULL * FACE_CORNERS;
    let p = select(det_sub3(face_at[1], face_at[0]), vec3f(), face_count[OF_FIRST] == 1u);
    let q = select(det_sub3(face_at[hull + 1u], face_at[hull]), vec3f(), face_count[OF_HULL] == 1u);
    let between = det_sub3(face_at[hull], face_at[0]);
    let pp = square2(p);
    let qq = square2(q);
    let sine = cross2(p, q);
    var shares: vec2f;
    if det_mul(sine, sine) > det_mul(det_mul(HULL_PARALLEL, HULL_PARALLEL), det_mul(pp, qq)) {
        let inverse = det_div(1.0f, sine);
        shares = vec2f(
            share_of(det_mul(cross2(between, q), inverse)),
            share_of(det_mul(cross2(between, p), inverse)),
        );
    } else {
        // (The middle of what they have in common.)
        let ends = vec2f(
            share_of(det_div(dot2(p, between), pp)),
            share_of(det_div(dot2(p, det_add3(between, q)), pp)),
        );
        let middle = det_mul(0.5f, det_add(ends.x, ends.y));
        let rest = det_neg(dot2(q, det_sub3(between, det_scale3(p, middle))));
        shares = vec2f(middle, share_of(det_div(rest, qq)));
    }
    let at = det_add3(face_at[hull], det_scale3(q, shares.y));
    let off = det_sub3(at, det_add3(face_at[0], det_scale3(p, shares.x)));
    var feature = vec2u(255u);
    for (var body = 0u; body < 2u; body++) {
        for (var k = 0u; k < face_count[body]; k++) {
            feature[body] = min(feature[body], face_corners[body * FACE_CORNERS + k]);
        }
    }
    let beside = square2(off) > det_mul(slack, slack);
    return Candidate(!beside, at, 0.0f, (feature.y << 16u) | (feature.x << 8u));
}

fn share_of(x: f32) -> f32 {
    return det_min(det_max(x, 0.0f), 1.0f);
}

fn dot2(a: vec3f, b: vec3f) -> f32 {
    return det_add(det_mul(a.x, b.x), det_mul(a.y, b.y));
}

// At most four points: the deepest, the one furthest from it, and the two that span the most area to either side, seen along the normal. At most one: the deepest.
// Of equals the first. Returns the depth of the deepest; without one, less than any.
fn choose_points(hull_is_b: bool) -> f32 {
    let count = candidate_count();
    var taken = vec4u(count);
    var chosen: array<vec3f, 2>;
    var deepest = det_neg(NEAR_FARTHEST);
    for (var turn = params.zero; turn < 4u; turn++) {
        var best = no_candidate();
        var at = count;
        var highest = det_neg(NEAR_FARTHEST);
        for (var k = 0u; k < count; k++) {
            if any(taken == vec4u(k)) {
                continue;
            }
            let found = candidate_of(k);
            if !found.valid {
                continue;
            }
            let way = det_sub3(found.at, chosen[0]);
            let area = cross2(det_sub3(chosen[1], chosen[0]), way);
            var score = found.depth;
            if turn == 1u {
                score = square2(way);
            } else if turn > 1u {
                score = select(det_neg(area), area, turn == 2u);
            }
            if score > highest {
                best = found;
                at = k;
                highest = score;
            }
        }
        if at == count {
            break;
        }
        taken[turn] = at;
        if turn < 2u {
            chosen[turn] = best.at;
        }
        if turn == 0u {
            deepest = best.depth;
        }
        push_seen(hull_is_b, best.at, best.depth, best.feature);
        if params.most == 1u {
            break;
        }
    }
    return deepest;
}

// The contact along a direction; false if the host has to compute it.
fn meet_along(hull_is_b: bool, height: f32) -> bool {
    if !find_faces() {
        return false;
    }
    let part = hull_parts[0];
    let size = det_add(size_of_body(0u), size_of_body(1u));
    let close = det_mul(HULL_CLOSE, size);
    let of_first = face_count[OF_FIRST] > 2u;
    let of_hull = face_count[OF_HULL] > 2u;
    contact.kind = select(select(CONTACT_DEEPEST, CONTACT_FACE_B, of_hull), CONTACT_FACE_A, of_first);
    if part.count < 3u && part.kind != KIND_CONVEX_HULL {
        contact.kind = CONTACT_ROUND;
    }
    if !of_first && !of_hull {
        let found = crossing(close);
        if !found.valid {
            return false;
        }
        push_seen(hull_is_b, found.at, contact.depth, found.feature);
        return true;
    }
    meeting.of_first = of_first;
    meeting.reference = select(OF_HULL, OF_FIRST, of_first);
    let first = meeting.reference * FACE_CORNERS;
    meeting.height = face_at[first].z;
    for (var k = 1u; k < face_count[meeting.reference]; k++) {
        let z = face_at[first + k].z;
        meeting.height = select(det_min(meeting.height, z), det_max(meeting.height, z), of_first);
    }
    meeting.radius = det_mul(part.radius, hull_scale);
    meeting.slack = det_mul(HULL_SLACK, size);
    meeting.least = det_sub(least_depth, close);
    let deepest = choose_points(hull_is_b);
    // (Where the deepest point is not in the face, the face is not what meets.)
    return contact.count > 0u && !(det_add(deepest, height) < det_neg(close));
}

fn meet_hull(pair: u32, listed: vec2u, hull_is_b: bool) {
    let to = MANIFOLD_VECTORS * pair;
    let axis = bitcast<vec4f>(manifolds[to + 3u]);
    let height = bitcast<f32>(manifolds[to + 4u].x);
    let partner = listed.y & PARTNER_ID;
    let size = set_away_pair(hull_is_b);
    contact_to = Target(to, !hull_is_b, bitcast<f32>(size << 23u));
    set_least_depth(vec2u(listed.x, partner), size);
    let raw = det_neg(height);
    var depth = depth_of(raw, (listed.y & MARK_TOUCHING) != 0u);
    if params.may_be_apart != 0u {
        depth = select(det_max(raw, 0.0f), det_neg(axis.w), axis.w > 0.0f);
    }
    begin_contact(axis.xyz, depth, 0u);
    set_view(axis.xyz);
    if !meet_along(hull_is_b, height) {
        contact_to = Target(to, false, 1.0f);
        begin_contact(vec3f(), 0.0f, 0u);
    }
    write_contact(listed.x, partner);
}

@compute @workgroup_size(CONTACT_THREADS)
fn hull_contacts(
    @builtin(workgroup_id) id: vec3u,
    @builtin(num_workgroups) groups: vec3u,
    @builtin(local_invocation_index) lane: u32,
) {
    let number = group_number(id, groups);
    let first_pair = number * CONTACT_THREADS;
    let pair = first_pair + lane;
    // (Read before it is known whether there are so many, so as not to wait twice.)
    let listed = pairs[min(pair, params.room - 1u)];
    // Where bins overflowed there are no pairs, and the attempt is repeated.
    let count = select(0u, min(rows[params.rows], params.room), atomicLoad(&status[STATUS_BINS_OVERFLOWED]) == 0u);
    if pair < count {
        frames_at = FRAME_VECTORS * vec2u(listed.x, listed.y & PARTNER_ID);
        let kind_a = kind_of_frame(false);
        let kind_b = kind_of_frame(true);
        let has_hull = kind_a == KIND_CONVEX_HULL || kind_b == KIND_CONVEX_HULL;
        if has_hull && kind_a != KIND_PLANE && kind_b != KIND_PLANE && manifolds[MANIFOLD_VECTORS * pair + 4u].w == 1u {
            meet_hull(pair, listed, kind_b == KIND_CONVEX_HULL);
        }
    }
    if lane == 0u && first_pair < params.room {
        sign_off(SIGN_HULL_CONTACTS, number);
    }
}
