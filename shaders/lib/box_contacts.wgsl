// Contacts of two boxes: the twin of src/manifold/boxes.rs.
// import: lib/box_faces

fn meet_face(reference: Solid, seen: Relative, best: Face, depth: f32, most: u32) {
    let of_a = best.face < 3u;
    let axis = select(best.face - 3u, best.face, of_a);
    // Rows and columns in turn: of the reference box from the face's axis on, of the incident one likewise.
    let row_x = select(vec3f(seen.row_x.x, seen.row_y.x, seen.row_z.x), seen.row_x, of_a);
    let row_y = select(vec3f(seen.row_x.y, seen.row_y.y, seen.row_z.y), seen.row_y, of_a);
    let row_z = select(vec3f(seen.row_x.z, seen.row_y.z, seen.row_z.z), seen.row_z, of_a);
    let facing = pick3(axis, row_x, row_y, row_z);
    let offset = turned(axis, select(det_neg3(seen.along_b), seen.along_a, of_a));
    let half = turned(axis, select(seen.half_b, seen.half_a, of_a));
    // (A centre in the middle counts as beyond A's face, and as before B's.)
    let positive = select(0.0f < offset.x, !(offset.x < 0.0f), of_a);
    // The face of the incident box that looks most against the reference face.
    let size = magnitudes(facing);
    let j = select(select(2u, 1u, !(size.y < size.z)), 0u, !(size.x < size.y) && !(size.x < size.z));
    let across = turned(j, facing);
    let along_u = turned(j, pick3(axis, row_y, row_z, row_x));
    let along_v = turned(j, pick3(axis, row_z, row_x, row_y));
    let half_incident = turned(j, select(seen.half_a, seen.half_b, of_a));
    let incident_positive = select(!(across.x < 0.0f), !(0.0f < across.x), positive);
    // Its middle and half its sides: place in the reference face, and depth under it.
    let to_middle = det_scale3(vec3f(along_u.x, along_v.x, across.x), signed_by(half_incident.x, incident_positive));
    let middle = det_add3(offset.yzx, to_middle);
    let right = det_scale3(vec3f(along_u.y, along_v.y, across.y), half_incident.y);
    let up = det_scale3(vec3f(along_u.z, along_v.z, across.z), half_incident.z);
    let incident = Incident(
        vec3f(middle.xy, det_sub(half.x, signed_by(middle.z, positive))),
        vec3f(right.xy, signed_by(right.z, !positive)),
        vec3f(up.xy, signed_by(up.z, !positive)),
    );
    let inverse = signed_by(det_recip(across.x), positive);
    let slope = vec2f(det_mul(along_u.x, inverse), det_mul(along_v.x, inverse));
    clip_face(Reference(half.yz, slope, det_neg(det_mul(TOLERANCE, seen.size))), incident, seen.size);
    var chosen = reduced_corners(most);
    let along = axis_of(reference, axis);
    begin_contact(signed_by3(along, positive == of_a), depth, select(CONTACT_FACE_B, CONTACT_FACE_A, of_a));
    let ids = ((2u * axis + select(0u, 1u, positive)) << 16u) | ((2u * j + select(0u, 1u, incident_positive)) << 8u);
    for (var k = 0u; k < corner_count; k++) {
        let corner = corners[chosen & 15u];
        // On B: the incident box under a face of A, or a face of B itself.
        let below = select(half.x, det_sub(half.x, corner.z), of_a);
        let local = placed(axis, signed_by(below, positive), corner.x, corner.y);
        push_point(point_to_world(reference, local), corner.z, ids | corner_lines[chosen & 15u]);
        chosen >>= 4u;
    }
}

fn meet_edges(a: Solid, b: Solid, seen: Relative, least: Least, depth: f32) {
    let i = least.pair / 3u;
    let j = least.pair % 3u;
    let i1 = next_axis(i);
    let i2 = next_axis(i1);
    let j1 = next_axis(j);
    let j2 = next_axis(j1);
    let edges = least.edges;
    let positive = !(edge_distance(seen.along_a, i, edges) < 0.0f);
    let first = signed_by(det_mul(det_neg(edges.of_b.y), edges.inverse), positive);
    let second = signed_by(det_mul(edges.of_b.x, edges.inverse), positive);
    let normal = det_add3(det_scale3(axis_of(a, i1), first), det_scale3(axis_of(a, i2), second));
    let a1 = !(signed_by(det_neg(edges.of_b.y), positive) < 0.0f);
    let a2 = !(signed_by(edges.of_b.x, positive) < 0.0f);
    let b1 = !(signed_by(det_neg(edges.of_a.y), positive) < 0.0f);
    let b2 = !(signed_by(edges.of_a.x, positive) < 0.0f);
    let to_1 = signed_by(entry(b.half, j1), b1);
    let to_2 = signed_by(entry(b.half, j2), b2);
    let row_1 = row_of_cosines(seen, i1);
    let row_2 = row_of_cosines(seen, i2);
    let middle_1 = det_add(det_add(entry(seen.along_a, i1), det_mul(to_1, entry(row_1, j1))), det_mul(to_2, entry(row_1, j2)));
    let middle_2 = det_add(det_add(entry(seen.along_a, i2), det_mul(to_1, entry(row_2, j1))), det_mul(to_2, entry(row_2, j2)));
    let d1 = det_sub(middle_1, signed_by(entry(a.half, i1), a1));
    let d2 = det_sub(middle_2, signed_by(entry(a.half, i2), a2));
    let across = det_add(det_mul(d1, edges.of_b.x), det_mul(d2, edges.of_b.y));
    let along = det_neg(det_mul(across, det_mul(edges.inverse, edges.inverse)));
    let local = placed(j, clamped(along, entry(b.half, j)), to_1, to_2);
    let id_a = 4u * i + select(0u, 1u, a1) + select(0u, 2u, a2);
    let id_b = 4u * j + select(0u, 1u, b1) + select(0u, 2u, b2);
    begin_contact(normal, depth, CONTACT_EDGES);
    push_point(point_to_world(b, local), depth, (id_a << 8u) | id_b);
}

fn meet_boxes(a: Solid, b: Solid, between: vec3f, touching: bool, most: u32) {
    let seen = seen_from_each_other(a, b, between);
    let tolerance = det_mul(TOLERANCE, seen.size);
    let best = least_face(seen, tolerance);
    let least = least_edges(seen, close_edges(seen, best.depth, tolerance), best.depth, tolerance);
    let depth = depth_of(least.depth, touching);
    if least.pair != NO_EDGES {
        meet_edges(a, b, seen, least, depth);
    } else {
        meet_face(choose_solid(b, a, best.face < 3u), seen, best, depth, most);
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
