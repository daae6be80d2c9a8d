// Contacts of two boxes: the twin of src/manifold/boxes.rs and of the polygons in src/manifold/points.rs.
// import: lib/box_axes

// By how much a face is made larger before the other is clipped to it, as a share of the size.
const SIDE_SLACK = 0x1p-20f;

// The corners of the clipped polygon: place in the reference face and depth under it, and the two lines that cross in each.
const CORNERS = 8u;
var<private> corners: array<vec3f, 8>;
var<private> corner_lines: array<u32, 8>;
var<private> corner_count: u32;
var<private> kept_corners: array<vec3f, 8>;
var<private> kept_lines: array<u32, 8>;
var<private> kept_count: u32;

fn keep_corner(at: vec3f, lines: u32) {
    if kept_count < CORNERS {
        kept_corners[kept_count] = at;
        kept_lines[kept_count] = lines;
        kept_count += 1u;
    }
}

// What was kept is the polygon from now on.
fn take_kept() {
    for (var k = 0u; k < kept_count; k++) {
        corners[k] = kept_corners[k];
        corner_lines[k] = kept_lines[k];
    }
    corner_count = kept_count;
    kept_count = 0u;
}

// How far a corner is beyond side 0-3 of the reference face: -x, +x, -y, +y.
fn beyond(corner: vec3f, side: u32, half: f32) -> f32 {
    return det_sub(signed_by(select(corner.y, corner.x, side < 2u), side % 2u == 1u), half);
}

fn clip(side: u32, half: f32) {
    for (var k = 0u; k < corner_count; k++) {
        let start = corners[k];
        let lines = corner_lines[k];
        let end = corners[select(0u, k + 1u, k + 1u < corner_count)];
        let a = beyond(start, side, half);
        let b = beyond(end, side, half);
        if !(0.0f < a) {
            keep_corner(start, lines);
        }
        if (a < 0.0f && 0.0f < b) || (0.0f < a && b < 0.0f) {
            let share = det_div(a, det_sub(a, b));
            let at = det_add3(start, det_scale3(det_sub3(end, start), share));
            // Leaving, the way goes on along the side; entering, it comes from there.
            let edge = lines & 7u;
            keep_corner(at, select(((4u + side) << 3u) | edge, (edge << 3u) | (4u + side), 0.0f < b));
        }
    }
    take_kept();
}

// Keeps the corner of the highest score, of equals the one with the lower feature; it is taken from the polygon. The score is the depth,
// the distance from the first kept corner, or the area to the left or to the right of the first two.
const BY_DEPTH = 0u;
const BY_DISTANCE = 1u;
const TO_THE_LEFT = 2u;
const TO_THE_RIGHT = 3u;

fn score(by: u32, corner: vec3f) -> f32 {
    let x = det_sub(corner.x, kept_corners[0].x);
    let y = det_sub(corner.y, kept_corners[0].y);
    if by == BY_DEPTH {
        return corner.z;
    }
    if by == BY_DISTANCE {
        return det_add(det_mul(x, x), det_mul(y, y));
    }
    let across_x = det_sub(kept_corners[1].x, kept_corners[0].x);
    let across_y = det_sub(kept_corners[1].y, kept_corners[0].y);
    let area = det_sub(det_mul(across_x, y), det_mul(across_y, x));
    return select(det_sub(0.0f, area), area, by == TO_THE_LEFT);
}

fn keep_best(by: u32) {
    var best = 0u;
    var highest = 0.0f;
    for (var k = 0u; k < corner_count; k++) {
        let here = score(by, corners[k]);
        if k == 0u || highest < here || (highest == here && corner_lines[k] < corner_lines[best]) {
            best = k;
            highest = here;
        }
    }
    let at = corners[best];
    let lines = corner_lines[best];
    corner_count -= 1u;
    corners[best] = corners[corner_count];
    corner_lines[best] = corner_lines[corner_count];
    keep_corner(at, lines);
}

// At most four corners, or one.
fn reduce_corners(most: u32) {
    if corner_count <= 4u && (most > 1u || corner_count <= 1u) {
        return;
    }
    kept_corners[0] = vec3f();
    kept_corners[1] = vec3f();
    for (var by = BY_DEPTH; by < select(1u, 4u, most > 1u); by++) {
        keep_best(by);
    }
    take_kept();
}

// A face of the reference box, and the box that meets it, in the frame of the first.
struct Faces {
    row_x: vec3f,
    row_y: vec3f,
    row_z: vec3f,
    // The centre of the incident box.
    offset: vec3f,
    axis: u32,
    positive: bool,
}

fn edge_of_incident(faces: Faces, j: u32, extent: f32) -> vec3f {
    return det_scale3(vec3f(entry(faces.row_x, j), entry(faces.row_y, j), entry(faces.row_z, j)), extent);
}

fn corner_of_polygon(faces: Faces, half: vec3f, at: vec3f) -> vec3f {
    let u = next_axis(faces.axis);
    let v = next_axis(u);
    let depth = det_sub(entry(half, faces.axis), signed_by(entry(at, faces.axis), faces.positive));
    return vec3f(entry(at, u), entry(at, v), depth);
}

fn meet_face(reference: Solid, incident: Solid, faces: Faces, size: f32, most: u32) {
    let axis = faces.axis;
    let u = next_axis(axis);
    let v = next_axis(u);
    let height = entry(reference.half, axis);
    let side_u = det_add(entry(reference.half, u), det_mul(SIDE_SLACK, size));
    let side_v = det_add(entry(reference.half, v), det_mul(SIDE_SLACK, size));
    // The face of the incident box that looks most against the reference face.
    let row = select(select(faces.row_z, faces.row_y, axis == 1u), faces.row_x, axis == 0u);
    let x = det_abs(row.x);
    let y = det_abs(row.y);
    let z = det_abs(row.z);
    let j = select(select(2u, 1u, !(y < z)), 0u, !(x < y) && !(x < z));
    let cosine = entry(row, j);
    let incident_positive = select(!(cosine < 0.0f), !(0.0f < cosine), faces.positive);
    let ju = next_axis(j);
    let jv = next_axis(ju);
    let middle = det_add3(faces.offset, edge_of_incident(faces, j, signed_by(entry(incident.half, j), incident_positive)));
    let right = edge_of_incident(faces, ju, entry(incident.half, ju));
    let up = edge_of_incident(faces, jv, entry(incident.half, jv));
    let low = det_sub3(middle, up);
    let high = det_add3(middle, up);
    kept_count = 0u;
    for (var k = 0u; k < 4u; k++) {
        let across = select(low, high, k >= 2u);
        let corner = select(det_sub3(across, right), det_add3(across, right), k == 1u || k == 2u);
        keep_corner(corner_of_polygon(faces, reference.half, corner), (((k + 3u) % 4u) << 3u) | k);
    }
    var deepest = kept_corners[0];
    for (var k = 1u; k < 4u; k++) {
        if deepest.z < kept_corners[k].z {
            deepest = kept_corners[k];
        }
    }
    take_kept();
    for (var side = 0u; side < 4u; side++) {
        clip(side, select(side_v, side_u, side < 2u));
    }
    let least = det_neg(det_mul(TOLERANCE, size));
    for (var k = 0u; k < corner_count; k++) {
        if !(corners[k].z < least) {
            keep_corner(corners[k], corner_lines[k]);
        }
    }
    if kept_count == 0u {
        keep_corner(vec3f(clamped(deepest.x, side_u), clamped(deepest.y, side_v), deepest.z), 0u);
    }
    take_kept();
    reduce_corners(most);
    let ids = ((2u * axis + select(0u, 1u, faces.positive)) << 16u) | ((2u * j + select(0u, 1u, incident_positive)) << 8u);
    for (var k = 0u; k < corner_count; k++) {
        let corner = corners[k];
        // On B: the incident box under a face of A, or a face of B itself.
        let below = select(height, det_sub(height, corner.z), contact.kind == CONTACT_FACE_A);
        let local = placed(axis, signed_by(below, faces.positive), corner.x, corner.y);
        push_point(point_to_world(reference, local), corner.z, ids | corner_lines[k]);
    }
}

fn meet_edges(a: Solid, b: Solid, seen: Relative, least: Least, depth: f32) {
    let i = (least.axis - 6u) / 3u;
    let j = least.axis % 3u;
    let i1 = next_axis(i);
    let i2 = next_axis(i1);
    let j1 = next_axis(j);
    let j2 = next_axis(j1);
    let edges = least.edges;
    let positive = !(edge_distance(seen.along_a, i1, i2, edges) < 0.0f);
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
    let least = least_axis(a, b, seen, tolerance);
    let depth = depth_of(least.depth, touching);
    if least.axis >= 6u {
        meet_edges(a, b, seen, least, depth);
        return;
    }
    let of_a = least.axis < 3u;
    let axis = select(least.axis - 3u, least.axis, of_a);
    let positive = !(select(entry(seen.along_b, axis), entry(seen.along_a, axis), of_a) < 0.0f);
    let reference = choose_solid(b, a, of_a);
    let incident = choose_solid(a, b, of_a);
    begin_contact(
        signed_by3(axis_of(reference, axis), positive),
        depth,
        select(CONTACT_FACE_B, CONTACT_FACE_A, of_a),
    );
    let faces = Faces(
        select(column_of_cosines(seen, 0u), seen.row_x, of_a),
        select(column_of_cosines(seen, 1u), seen.row_y, of_a),
        select(column_of_cosines(seen, 2u), seen.row_z, of_a),
        select(det_neg3(seen.along_b), seen.along_a, of_a),
        axis,
        positive == of_a,
    );
    meet_face(reference, incident, faces, seen.size, most);
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
