// Normal, depth and points of each pair that touches or overlaps; or of bodies that may be apart, along the axis that parts them most.
//
// The pairs of a workgroup are evaluated in three steps, as on the CPU (src/manifold/boxes.rs): a first look at each, the edges that can be
// better than the best face, and what of the faces meets. Before each step those pairs that need it are listed, so that threads that run
// side by side take the same way.
// import: lib/ledger, lib/margins, lib/box_faces, lib/capsules, lib/half_space_contacts

// Centres may be this many powers of two further from the origin than the largest length of a pair.
const REACH = 39u;

// What is known of pairs that are not ended yet.
var<workgroup> meetings: array<vec4u, CONTACT_THREADS>;

// The pairs that need a step, as numbers in this workgroup.
var<workgroup> with_edges: array<u32, CONTACT_THREADS>;
var<workgroup> with_faces: array<u32, CONTACT_THREADS>;
var<workgroup> edges_count: atomic<u32>;
var<workgroup> faces_count: atomic<u32>;

// The bodies of a pair, in the order of their kinds.
struct Bodies {
    // Where the frames of A and of B are, and whether B is the first.
    frame_of_a: u32,
    frame_of_b: u32,
    first_is_b: bool,
}

// A vector of the frame of the first body, or of the second.
fn frame_vector(bodies: Bodies, second: bool, number: u32) -> vec4u {
    if bodies.first_is_b != second {
        return frames_b[bodies.frame_of_b + number];
    }
    return frames_a[bodies.frame_of_a + number];
}

fn precise_axis(bodies: Bodies, second: bool, axis: u32) -> PreciseAxis {
    let high = frame_vector(bodies, second, 1u + axis);
    let low = frame_vector(bodies, second, 5u + axis);
    return PreciseAxis(bitcast<vec3f>(high.xyz), bitcast<vec3f>(low.xyz));
}

// One of the bodies, with its axes in turn from `axis` on.
fn solid_of(bodies: Bodies, second: bool, axis: u32, scale: f32) -> Solid {
    let next = next_axis(axis);
    let center = frame_vector(bodies, second, 0u);
    let x = frame_vector(bodies, second, 1u + axis);
    let y = frame_vector(bodies, second, 1u + next);
    let z = frame_vector(bodies, second, 1u + next_axis(next));
    var low = vec4u();
    if (center.w & FRAME_HAS_LOW) != 0u {
        low = frame_vector(bodies, second, 4u);
    }
    return Solid(
        scaled(center.xyz, scale),
        scaled(low.xyz, scale),
        scaled(vec3u(x.w, y.w, z.w), scale),
        bitcast<vec3f>(x.xyz),
        bitcast<vec3f>(y.xyz),
        bitcast<vec3f>(z.xyz),
    );
}

fn scaled(v: vec3u, scale: f32) -> vec3f {
    return det_scale3(bitcast<vec3f>(v), scale);
}

// Two boxes that are to be evaluated, and what a first look at them shows.
struct Meeting {
    ids: vec2u,
    first_is_b: bool,
    touching: bool,
    exponent: u32,
    look: Look,
}

// In one vector: ids, depth, and the rest packed.
const MEETING_CLOSE_SHIFT = 3u;
const MEETING_CLOSE = 511u;
const MEETING_FIRST_IS_B = 0x1000u;
const MEETING_TOUCHING = 0x2000u;
const MEETING_EXPONENT_SHIFT = 16u;

fn packed_meeting(meeting: Meeting) -> vec4u {
    let rest = meeting.look.face
        | (meeting.look.close << MEETING_CLOSE_SHIFT)
        | select(0u, MEETING_FIRST_IS_B, meeting.first_is_b)
        | select(0u, MEETING_TOUCHING, meeting.touching)
        | (meeting.exponent << MEETING_EXPONENT_SHIFT);
    return vec4u(meeting.ids, rest, bitcast<u32>(meeting.look.depth));
}

fn meeting_of(packed: vec4u) -> Meeting {
    let rest = packed.z;
    let face = rest & 7u;
    let close = (rest >> MEETING_CLOSE_SHIFT) & MEETING_CLOSE;
    return Meeting(
        packed.xy,
        (rest & MEETING_FIRST_IS_B) != 0u,
        (rest & MEETING_TOUCHING) != 0u,
        rest >> MEETING_EXPONENT_SHIFT,
        Look(face, bitcast<f32>(packed.w), close),
    );
}

fn bodies_of(meeting: Meeting) -> Bodies {
    return Bodies(FRAME_VECTORS * meeting.ids.x, FRAME_VECTORS * meeting.ids.y, meeting.first_is_b);
}

fn begin_contact_of(pair: u32, meeting: Meeting) {
    contact_to = Target(MANIFOLD_VECTORS * pair, meeting.first_is_b, bitcast<f32>(meeting.exponent << 23u));
    set_least_depth(meeting.ids, meeting.exponent);
}

// The contact of a half-space, unless it is outside the domain.
fn meet_half_space(bodies: Bodies, first_is_half_space: bool, meeting: Meeting) -> bool {
    for (var k = 0u; k < FRAME_VECTORS; k++) {
        half_space_frame[k] = frame_vector(bodies, !first_is_half_space, k);
        body_frame[k] = frame_vector(bodies, first_is_half_space, k);
    }
    if !set_over(meeting.exponent) {
        return false;
    }
    let solid = solid_of(bodies, first_is_half_space, 0u, scale_of(meeting.exponent));
    if over_pair.extents == 3u {
        meet_box_and_half_space(solid, meeting.touching, params.most);
    } else if over_pair.extents == 1u {
        meet_capsule_and_half_space(solid, meeting.touching, params.most);
    } else {
        meet_ball_and_half_space(solid, meeting.touching);
    }
    return true;
}

// Ends the contact of a pair, unless it is one of boxes: then it is listed for the next step.
fn first_look(first_pair: u32, number: u32, a: u32, b: u32, partner: u32) {
    let bodies = Bodies(FRAME_VECTORS * a, FRAME_VECTORS * b, false);
    let tag_a = frames_a[bodies.frame_of_a].w;
    let tag_b = frames_b[bodies.frame_of_b].w;
    let kind_a = tag_a & FRAME_KIND;
    let kind_b = tag_b & FRAME_KIND;
    let exponent_a = (tag_a >> 8u) & 255u;
    let exponent_b = (tag_b >> 8u) & 255u;
    let reach = max(tag_a >> 16u, tag_b >> 16u);
    let exponent = max(exponent_a, exponent_b);
    let may_be_apart = params.may_be_apart != 0u;
    let touching = !may_be_apart && (partner & MARK_TOUCHING) != 0u;
    var meeting = Meeting(vec2u(a, b), kind_b < kind_a, touching, exponent, Look(0u, 0.0f, 0u));
    begin_contact_of(first_pair + number, meeting);
    let with_half_space = max(kind_a, kind_b) == KIND_PLANE;
    let is_known = may_be_apart || (partner & MARK_UNDECIDED) == 0u;
    if with_half_space && is_known && exponent != 0u && meet_half_space(bodies, kind_a == KIND_PLANE, meeting) {
        write_contact(a, b);
        return;
    }
    let outside = with_half_space || exponent_a == 0u || exponent_b == 0u || reach > exponent + REACH;
    if outside || (!may_be_apart && (partner & MARK_UNDECIDED) != 0u) {
        // Without points: the host computes it.
        contact_to = Target(MANIFOLD_VECTORS * (first_pair + number), false, 1.0f);
        begin_contact(vec3f(), 0.0f, 0u);
        write_contact(a, b);
        return;
    }
    let scale = scale_of(exponent);
    // (With `first_is_b` false, so that no thread has to choose where to read.)
    let solid_a = solid_of(bodies, false, 0u, scale);
    let solid_b = solid_of(bodies, true, 0u, scale);
    let first = choose_solid(solid_a, solid_b, meeting.first_is_b);
    let second = choose_solid(solid_b, solid_a, meeting.first_is_b);
    let lower = min(kind_a, kind_b);
    let upper = max(kind_a, kind_b);
    if lower == KIND_SPHERE || upper == KIND_CAPSULE {
        if upper == KIND_SPHERE {
            meet_spheres(first, second, meeting.touching);
        } else if upper != KIND_CAPSULE {
            meet_sphere_and_box(first, second, meeting.touching);
        } else if lower == KIND_SPHERE {
            meet_ball_and_capsule(first, second, meeting.touching);
        } else if lower == KIND_CAPSULE {
            meet_capsules(first, second, meeting.touching, params.most);
        } else {
            meet_box_and_capsule(first, second, meeting.touching, params.most);
        }
        write_contact(a, b);
        return;
    }
    meeting.look = look_at_boxes(first, second);
    meetings[number] = packed_meeting(meeting);
    if meeting.look.close != 0u {
        with_edges[atomicAdd(&edges_count, 1u)] = number;
    } else {
        with_faces[atomicAdd(&faces_count, 1u)] = number;
    }
}

fn choose_solid(no: Solid, yes: Solid, condition: bool) -> Solid {
    return Solid(
        select(no.center, yes.center, condition),
        select(no.center_low, yes.center_low, condition),
        select(no.half, yes.half, condition),
        select(no.x, yes.x, condition),
        select(no.y, yes.y, condition),
        select(no.z, yes.z, condition),
    );
}

// Ends the contact of a pair if edges are its best axis; otherwise it is listed for the next step.
fn try_edges(first_pair: u32, number: u32) {
    let meeting = meeting_of(meetings[number]);
    let bodies = bodies_of(meeting);
    let scale = scale_of(meeting.exponent);
    var least = meeting.look.depth;
    var found = false;
    begin_contact_of(first_pair + number, meeting);
    for (var rest = meeting.look.close; rest != 0u; rest &= rest - 1u) {
        let k = firstTrailingBit(rest);
        let a = solid_of(bodies, false, k / 3u, scale);
        let b = solid_of(bodies, true, k % 3u, scale);
        let size = size_of_both(a, b);
        var edges = edges_of(rough_cosines(a, b));
        if is_too_rough(edges, size) {
            edges = edges_of(precise_cosines(bodies, k));
        }
        let along_a = along_others(a, b);
        let depth = edge_depth(a, b, along_a, edges);
        let tolerance = select(TOLERANCE, EDGE_TOLERANCE, found);
        if edges.inverse != 0.0f && det_add(depth, det_mul(tolerance, size)) < least {
            least = depth;
            found = true;
            meet_edges(a, b, along_a, k, edges, depth_of(depth, meeting.touching));
        }
    }
    if found {
        write_contact(meeting.ids.x, meeting.ids.y);
    } else {
        with_faces[atomicAdd(&faces_count, 1u)] = number;
    }
}

// The cosines that `rough_cosines` has, from axes in double words.
fn precise_cosines(bodies: Bodies, k: u32) -> vec4f {
    var cosines: vec4f;
    // (`zero` keeps compilers from writing this out four times, which is slower.)
    for (var c = params.zero; c < 4u; c++) {
        let by_a = c < 2u;
        let after = 1u + c % 2u;
        let of_a = precise_axis(bodies, false, (k / 3u + select(0u, after, by_a)) % 3u);
        let of_b = precise_axis(bodies, true, (k % 3u + select(after, 0u, by_a)) % 3u);
        cosines[c] = precise_cosine(of_a, of_b);
    }
    return cosines;
}

// Ends the contact of a pair of which a face is the best axis.
fn take_face(first_pair: u32, number: u32) {
    let meeting = meeting_of(meetings[number]);
    let face = meeting.look.face;
    let scale = scale_of(meeting.exponent);
    let reference = solid_of(bodies_of(meeting), face >= 3u, face % 3u, scale);
    let incident = solid_of(bodies_of(meeting), face < 3u, 0u, scale);
    begin_contact_of(first_pair + number, meeting);
    meet_face(reference, incident, face, depth_of(meeting.look.depth, meeting.touching), params.most);
    write_contact(meeting.ids.x, meeting.ids.y);
}

@compute @workgroup_size(CONTACT_THREADS)
fn contacts(
    @builtin(workgroup_id) id: vec3u,
    @builtin(num_workgroups) groups: vec3u,
    @builtin(local_invocation_index) lane: u32,
) {
    let number = group_number(id, groups);
    let first_pair = number * CONTACT_THREADS;
    let pair = first_pair + lane;
    // (Read before it is known whether there are so many, so as not to wait twice.)
    let found = pairs[min(pair, params.room - 1u)];
    // Where bins overflowed there are no pairs, and the attempt is repeated.
    let count = select(0u, min(rows[params.rows], params.room), atomicLoad(&status[STATUS_BINS_OVERFLOWED]) == 0u);
    if lane == 0u {
        atomicStore(&edges_count, 0u);
        atomicStore(&faces_count, 0u);
    }
    workgroupBarrier();
    if pair < count {
        first_look(first_pair, lane, found.x, found.y & PARTNER_ID, found.y);
    }
    workgroupBarrier();
    if lane < atomicLoad(&edges_count) {
        try_edges(first_pair, with_edges[lane]);
    }
    workgroupBarrier();
    if lane < atomicLoad(&faces_count) {
        take_face(first_pair, with_faces[lane]);
    }
    if lane == 0u && first_pair < params.room {
        sign_off(SIGN_CONTACTS, number);
    }
}
