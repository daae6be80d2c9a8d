// Where a face of one box and a face of the other meet: the twin of src/manifold/faces.rs, and of the polygons in
// src/manifold/points.rs.
// import: lib/box_edges

const SIDE_SLACK = 0x1.8p-20f;
const CORNER_SLACK = 0x1p-21f;

// The corners of the clipped face: place in the reference face and depth under it, and the two lines that cross in each.
const CANDIDATES = 12u;
var<private> corners: array<vec3f, 12>;
var<private> corner_lines: array<u32, 12>;
var<private> corner_count: u32;

// A face of the reference box, and how the points of the other are moved into it.
struct Reference {
    half: vec2f,
    slope: vec2f,
    // Corners of a lesser depth are not kept.
    least: f32,
}

// A point in the plane of the incident face, moved into the reference face.
fn moved(reference: Reference, at: vec3f) -> vec3f {
    let x = clamped(at.x, reference.half.x);
    let y = clamped(at.y, reference.half.y);
    let deeper = det_add(det_mul(reference.slope.x, det_sub(x, at.x)), det_mul(reference.slope.y, det_sub(y, at.y)));
    return vec3f(x, y, det_add(at.z, deeper));
}

fn keep_corner(reference: Reference, at: vec3f, lines: u32) {
    let corner = moved(reference, at);
    if !(corner.z < reference.least) {
        corners[corner_count] = corner;
        corner_lines[corner_count] = lines;
        corner_count += 1u;
    }
}

// Where an edge enters the sides x or y of the reference face and where it leaves them; -1 and 1 are its ends. And at which sides.
struct Span {
    first: f32,
    last: f32,
    first_side: u32,
    last_side: u32,
    inside: bool,
}

fn span_of(through: f32, along: f32, inverse: f32, side: f32, number: u32) -> Span {
    let flat = along == 0.0f;
    let low = det_mul(det_sub(det_neg(side), through), inverse);
    let high = det_mul(det_sub(side, through), inverse);
    let downwards = select(0u, 1u, along < 0.0f);
    return Span(
        select(det_min(low, high), det_neg(2.0f), flat),
        select(det_max(low, high), 2.0f, flat),
        number + downwards,
        number + 1u - downwards,
        !(flat && side < det_abs(through)),
    );
}

// Keeps where an edge begins within the reference face, and where it ends if it is cut there.
fn keep_edge(reference: Reference, number: u32, through: vec3f, along: vec3f, inverse: vec2f, sides: vec2f) {
    let u = span_of(through.x, along.x, inverse.x, sides.x, 0u);
    let v = span_of(through.y, along.y, inverse.y, sides.y, 2u);
    let first = det_max(u.first, v.first);
    let last = det_min(u.last, v.last);
    let begins = det_max(first, det_neg(1.0f));
    let ends = det_min(last, 1.0f);
    if ends < begins || !u.inside || !v.inside {
        return;
    }
    let first_side = select(u.first_side, v.first_side, u.first < v.first);
    let last_side = select(u.last_side, v.last_side, v.last < u.last);
    // The last two edges are walked backwards.
    let forwards = number < 2u;
    let cut_first = det_neg(1.0f) < first;
    let cut_last = last < 1.0f;
    let start_line = select((number + 3u) % 4u, 4u + select(last_side, first_side, forwards), select(cut_last, cut_first, forwards));
    let start = det_add3(through, det_scale3(along, select(ends, begins, forwards)));
    keep_corner(reference, start, (start_line << 3u) | number);
    if select(cut_first, cut_last, forwards) {
        let end = det_add3(through, det_scale3(along, select(begins, ends, forwards)));
        keep_corner(reference, end, (number << 3u) | (4u + select(first_side, last_side, forwards)));
    }
}

fn product_of(d: vec2f, v: vec3f) -> f32 {
    return det_abs(det_sub(det_mul(d.x, v.y), det_mul(d.y, v.x)));
}

fn towards_depth(v: vec3f) -> vec3f {
    return signed_by3(v, 0.0f < v.z);
}

// The middle of the incident face, and half its sides.
struct Incident {
    middle: vec3f,
    right: vec3f,
    up: vec3f,
}

// Sets the corners of the incident face within the reference face.
fn clip_face(reference: Reference, incident: Incident, size: f32) {
    let middle = incident.middle;
    let right = incident.right;
    let up = incident.up;
    let slack = det_mul(SIDE_SLACK, size);
    let sides = vec2f(det_add(reference.half.x, slack), det_add(reference.half.y, slack));
    let inverse_right = vec2f(det_recip(right.x), det_recip(right.y));
    let inverse_up = vec2f(det_recip(up.x), det_recip(up.y));
    corner_count = 0u;
    // (`zero` keeps compilers from writing loops out four times, which is slower.)
    for (var e = params.zero; e < 4u; e++) {
        let across = e % 2u == 1u;
        let from_middle = select(up, right, across);
        let through = select(det_sub3(middle, from_middle), det_add3(middle, from_middle), e == 1u || e == 2u);
        keep_edge(reference, e, through, select(right, up, across), select(inverse_right, inverse_up, across), sides);
    }
    let near = det_mul(CORNER_SLACK, size);
    let area = product_of(right.xy, up);
    let most_right = det_add(area, det_mul(near, det_add(det_abs(right.x), det_abs(right.y))));
    let most_up = det_add(area, det_mul(near, det_add(det_abs(up.x), det_abs(up.y))));
    let bound_x = det_add(det_add(det_abs(right.x), det_abs(up.x)), near);
    let bound_y = det_add(det_add(det_abs(right.y), det_abs(up.y)), near);
    for (var k = params.zero; k < 4u; k++) {
        let x = signed_by(sides.x, (k & 1u) != 0u);
        let y = signed_by(sides.y, (k & 2u) != 0u);
        let d = vec2f(det_sub(x, middle.x), det_sub(y, middle.y));
        let beside = most_right < product_of(d, right) || most_up < product_of(d, up);
        if !beside && !(bound_x < det_abs(d.x)) && !(bound_y < det_abs(d.y)) {
            let deeper = det_add(det_mul(reference.slope.x, d.x), det_mul(reference.slope.y, d.y));
            keep_corner(reference, vec3f(x, y, det_add(middle.z, deeper)), ((4u + (k & 1u)) << 3u) | (6u + (k >> 1u)));
        }
    }
    if corner_count == 0u {
        corners[0] = moved(reference, det_add3(middle, det_add3(towards_depth(right), towards_depth(up))));
        corner_lines[0] = 0u;
        corner_count = 1u;
    }
}

// The better of two corners: the one of the higher score, of equals the one with the lower feature.
struct Choice {
    corner: u32,
    score: f32,
    lines: u32,
}

fn better_choice(a: Choice, corner: u32, score: f32, lines: u32) -> Choice {
    if a.corner == CANDIDATES || a.score < score || (a.score == score && lines < a.lines) {
        return Choice(corner, score, lines);
    }
    return a;
}

const NO_CHOICE = Choice(CANDIDATES, 0.0f, 0u);

// From a place to a corner.
fn to_corner(place: vec2f, k: u32) -> vec2f {
    return vec2f(det_sub(corners[k].x, place.x), det_sub(corners[k].y, place.y));
}

// Which corners remain, as four bits each, in order: the deepest, the one furthest from it, and the two that span the most area to either
// side; or only the deepest.
fn reduced_corners(most: u32) -> u32 {
    if corner_count <= 4u && (most > 1u || corner_count <= 1u) {
        return 0x3210u;
    }
    var left = (1u << corner_count) - 1u;
    var deepest = NO_CHOICE;
    for (var rest = left; rest != 0u; rest &= rest - 1u) {
        let k = firstTrailingBit(rest);
        deepest = better_choice(deepest, k, corners[k].z, corner_lines[k]);
    }
    if most <= 1u {
        corner_count = 1u;
        return deepest.corner;
    }
    corner_count = 4u;
    left &= ~(1u << deepest.corner);
    let place = corners[deepest.corner].xy;
    var furthest = NO_CHOICE;
    for (var rest = left; rest != 0u; rest &= rest - 1u) {
        let k = firstTrailingBit(rest);
        let d = to_corner(place, k);
        furthest = better_choice(furthest, k, det_add(det_mul(d.x, d.x), det_mul(d.y, d.y)), corner_lines[k]);
    }
    left &= ~(1u << furthest.corner);
    let across = to_corner(place, furthest.corner);
    var on_left = NO_CHOICE;
    var on_right = NO_CHOICE;
    for (var rest = left; rest != 0u; rest &= rest - 1u) {
        let k = firstTrailingBit(rest);
        let d = to_corner(place, k);
        let area = det_sub(det_mul(across.x, d.y), det_mul(across.y, d.x));
        on_left = better_choice(on_left, k, area, corner_lines[k]);
        on_right = better_choice(on_right, k, det_neg(area), corner_lines[k]);
    }
    if on_left.corner == on_right.corner {
        // All areas are equal. (No pair is known for which they are.)
        on_right = NO_CHOICE;
        for (var rest = left & ~(1u << on_left.corner); rest != 0u; rest &= rest - 1u) {
            let k = firstTrailingBit(rest);
            on_right = better_choice(on_right, k, 0.0f, corner_lines[k]);
        }
    }
    return deepest.corner | (furthest.corner << 4u) | (on_left.corner << 8u) | (on_right.corner << 12u);
}

// The contact of the reference face, which is across the first axis of its box as it is given, with the incident box. `face` is its number.
fn meet_face(reference: Solid, incident: Solid, face: u32, depth: f32, most: u32) {
    let of_a = face < 3u;
    let facing = along_axes(reference.x, incident);
    let offset = along_axes(difference_of_centers(reference, incident), reference);
    let half = reference.half;
    let both = size_of_both(reference, incident);
    // (A centre in the middle counts as beyond A's face, and as before B's.)
    let positive = select(0.0f < offset.x, !(offset.x < 0.0f), of_a);
    // The face of the incident box that looks most against the reference face.
    let size = magnitudes(facing);
    let j = select(select(2u, 1u, !(size.y < size.z)), 0u, !(size.x < size.y) && !(size.x < size.z));
    let across = turned(j, facing);
    let along_u = turned(j, along_axes(reference.y, incident));
    let along_v = turned(j, along_axes(reference.z, incident));
    let half_incident = turned(j, incident.half);
    let incident_positive = select(!(across.x < 0.0f), !(0.0f < across.x), positive);
    // Its middle and half its sides: place in the reference face, and depth under it.
    let to_middle = det_scale3(vec3f(along_u.x, along_v.x, across.x), signed_by(half_incident.x, incident_positive));
    let middle = det_add3(offset.yzx, to_middle);
    let right = det_scale3(vec3f(along_u.y, along_v.y, across.y), half_incident.y);
    let up = det_scale3(vec3f(along_u.z, along_v.z, across.z), half_incident.z);
    let other = Incident(
        vec3f(middle.xy, det_sub(half.x, signed_by(middle.z, positive))),
        vec3f(right.xy, signed_by(right.z, !positive)),
        vec3f(up.xy, signed_by(up.z, !positive)),
    );
    let inverse = signed_by(det_recip(across.x), positive);
    let slope = vec2f(det_mul(along_u.x, inverse), det_mul(along_v.x, inverse));
    clip_face(Reference(half.yz, slope, det_sub(least_depth, det_mul(TOLERANCE, both))), other, both);
    var chosen = reduced_corners(most);
    begin_contact(signed_by3(reference.x, positive == of_a), depth, select(CONTACT_FACE_B, CONTACT_FACE_A, of_a));
    let ids = ((2u * (face % 3u) + select(0u, 1u, positive)) << 16u) | ((2u * j + select(0u, 1u, incident_positive)) << 8u);
    for (var k = 0u; k < corner_count; k++) {
        let corner = corners[chosen & 15u];
        // On B: the incident box under a face of A, or a face of B itself.
        let below = select(half.x, det_sub(half.x, corner.z), of_a);
        let local = vec3f(signed_by(below, positive), corner.xy);
        push_point(point_to_world(reference, local), corner.z, ids | corner_lines[chosen & 15u]);
        chosen >>= 4u;
    }
}
