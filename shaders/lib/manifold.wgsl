// How two bodies meet, with the same bits on every adapter and on the CPU: the twins of src/manifold, where choices and errors are
// explained. For modules with the binding `manifolds`, and with functions that give the axes of both bodies
// in double words.
// import: lib/det

// A body as one pair sees it: scaled by a power of two.
struct Solid {
    center: vec3f,
    center_low: vec3f,
    half: vec3f,
    x: vec3f,
    y: vec3f,
    z: vec3f,
}

// Component k of a vector.
fn entry(v: vec3f, k: u32) -> f32 {
    return select(select(v.z, v.y, k == 1u), v.x, k == 0u);
}

// A vector with these components, k being the place of the first; the others follow in turn.
fn placed(k: u32, first: f32, second: f32, third: f32) -> vec3f {
    let v = vec3f(first, second, third);
    return select(select(v.yzx, v.zxy, k == 1u), v, k == 0u);
}

fn axis_of(solid: Solid, k: u32) -> vec3f {
    return select(select(solid.z, solid.y, k == 1u), solid.x, k == 0u);
}

fn next_axis(k: u32) -> u32 {
    return select(k + 1u, 0u, k == 2u);
}

fn size_of_solid(solid: Solid) -> f32 {
    return det_max(det_max(solid.half.x, solid.half.y), solid.half.z);
}

fn signed_by(x: f32, positive: bool) -> f32 {
    return select(det_neg(x), x, positive);
}

fn signed_by3(v: vec3f, positive: bool) -> vec3f {
    return select(det_neg3(v), v, positive);
}

fn clamped(x: f32, most: f32) -> f32 {
    return select(signed_by(most, !(x < 0.0f)), x, det_abs(x) < most);
}

fn difference_of_centers(a: Solid, b: Solid) -> vec3f {
    var found: vec3f;
    for (var k = 0u; k < 3u; k++) {
        let from_a = DetDouble(entry(a.center, k), entry(a.center_low, k));
        let to_b = DetDouble(entry(b.center, k), entry(b.center_low, k));
        found[k] = det_sub_double(to_b, from_a).high;
    }
    return found;
}

// A direction in the frame of a box, in the world.
fn direction_to_world(solid: Solid, local: vec3f) -> vec3f {
    return det_add3(det_add3(det_scale3(solid.x, local.x), det_scale3(solid.y, local.y)), det_scale3(solid.z, local.z));
}

fn point_to_world(solid: Solid, local: vec3f) -> vec3f {
    return det_add3(solid.center, det_add3(solid.center_low, direction_to_world(solid, local)));
}

// Normal, depth, kind and number of points of a contact: scaled, and with the bodies in the order of their kinds.
struct Contact {
    normal: vec3f,
    depth: f32,
    kind: u32,
    count: u32,
}

// Points are written as they are found: on the second body of the pair, as it was asked for.
struct Target {
    // Where the contact goes.
    at: u32,
    // Whether the bodies are the other way round.
    swapped: bool,
    // What the contact is scaled by.
    back: f32,
}

var<private> contact: Contact;
var<private> contact_to: Target;
var<private> point_features: vec4u;

fn begin_contact(normal: vec3f, depth: f32, kind: u32) {
    contact = Contact(normal, depth, kind, 0u);
    point_features = vec4u();
}

// The kind with the bodies the other way round.
fn swapped_kind(kind: u32) -> u32 {
    return select(select(kind, CONTACT_FACE_A, kind == CONTACT_FACE_B), CONTACT_FACE_B, kind == CONTACT_FACE_A);
}

// A point on B, with a depth from 0 to the contact's.
fn push_point(at: vec3f, raw_depth: f32, raw_feature: u32) {
    let k = contact.count;
    let depth = det_min(det_max(raw_depth, 0.0f), contact.depth);
    var place = at;
    var kind = contact.kind;
    var feature = raw_feature;
    if contact_to.swapped {
        place = det_add3(at, det_scale3(contact.normal, depth));
        if kind == CONTACT_EDGES {
            feature = ((feature & 255u) << 8u) | (feature >> 8u);
        }
        kind = swapped_kind(kind);
    }
    let back = contact_to.back;
    manifolds[contact_to.at + 3u + k] = bitcast<vec4u>(vec4f(det_scale3(place, back), det_mul(depth, back)));
    let filled = vec4u(feature | (kind << 24u));
    point_features = select(point_features, filled, vec4u(k) == vec4u(0u, 1u, 2u, 3u));
    contact.count = k + 1u;
}

// All but the points, and zeros for those that there are not.
fn write_contact(a: u32, b: u32) {
    let normal = select(contact.normal, det_neg3(contact.normal), contact_to.swapped);
    let kind = select(contact.kind, swapped_kind(contact.kind), contact_to.swapped);
    let to = contact_to.at;
    manifolds[to] = bitcast<vec4u>(vec4f(normal, det_mul(contact.depth, contact_to.back)));
    manifolds[to + 1u] = vec4u(a, b, kind, contact.count);
    manifolds[to + 2u] = point_features;
    for (var k = contact.count; k < 4u; k++) {
        manifolds[to + 3u + k] = vec4u();
    }
}

fn depth_of(depth: f32, touching: bool) -> f32 {
    return select(det_max(depth, 0.0f), 0.0f, touching);
}

// Spheres.

const LEAST_SQUARE = 0x1p-70f;

// x - a b.
fn rest_of(x: f32, a: f32, b: f32) -> f32 {
    let product = det_two_prod(a, b);
    return det_sub(det_sub(x, product.high), product.low);
}

fn over(x: f32, inverse: f32, size: f32) -> f32 {
    let guess = det_mul(x, inverse);
    return det_add(guess, det_mul(inverse, rest_of(x, guess, size)));
}

// The unit vector along a vector, and its length, from the square of that.
fn direction(v: vec3f, square: f32) -> vec4f {
    let inverse = det_rsqrt(square);
    let guess = det_mul(square, inverse);
    let size = det_add(guess, det_mul(det_mul(0.5f, inverse), rest_of(square, guess, guess)));
    return vec4f(over(v.x, inverse, size), over(v.y, inverse, size), over(v.z, inverse, size), size);
}

fn meet_spheres(a: Solid, b: Solid, between: vec3f, touching: bool) {
    let square = det_length_squared3(between);
    let apart = !(square < LEAST_SQUARE);
    let found = direction(between, square);
    let normal = select(vec3f(1.0f, 0.0f, 0.0f), found.xyz, apart);
    let apart_by = select(0.0f, found.w, apart);
    let depth = depth_of(det_sub(det_add(a.half.x, b.half.x), apart_by), touching);
    begin_contact(normal, depth, CONTACT_ROUND);
    push_point(det_sub3(b.center, det_scale3(normal, b.half.x)), depth, 0u);
}

fn meet_sphere_and_box(sphere: Solid, cuboid: Solid, between: vec3f, touching: bool) {
    let local = det_neg3(vec3f(det_dot3(cuboid.x, between), det_dot3(cuboid.y, between), det_dot3(cuboid.z, between)));
    let half = cuboid.half;
    var nearest = vec3f(clamped(local.x, half.x), clamped(local.y, half.y), clamped(local.z, half.z));
    let outward = det_sub3(local, nearest);
    let square = det_length_squared3(outward);
    var normal: vec3f;
    var out: f32;
    if square < LEAST_SQUARE {
        let tolerance = det_mul(TOLERANCE, det_add(size_of_solid(sphere), size_of_solid(cuboid)));
        var axis = 0u;
        var least = det_sub(half.x, det_abs(local.x));
        for (var k = 1u; k < 3u; k++) {
            let depth = det_sub(entry(half, k), det_abs(entry(local, k)));
            if det_add(depth, tolerance) < least {
                axis = k;
                least = depth;
            }
        }
        let positive = !(entry(local, axis) < 0.0f);
        let side = signed_by(entry(half, axis), positive);
        nearest = vec3f(
            select(nearest.x, side, axis == 0u),
            select(nearest.y, side, axis == 1u),
            select(nearest.z, side, axis == 2u),
        );
        normal = signed_by3(axis_of(cuboid, axis), !positive);
        out = det_neg(least);
    } else {
        let found = direction(outward, square);
        normal = det_neg3(direction_to_world(cuboid, found.xyz));
        out = found.w;
    }
    let depth = depth_of(det_sub(sphere.half.x, out), touching);
    begin_contact(normal, depth, CONTACT_ROUND);
    push_point(point_to_world(cuboid, nearest), depth, 0u);
}

// Boxes: the axis of least depth.

const TOLERANCE = 0x1.8p-19f;
const EDGE_BOUND = 0x1.4p-19f;
const SIDE_SLACK = 0x1p-20f;
const SMALLEST_SINE_SQUARED = 0x1p-42f;

// Two boxes seen from each other.
struct Relative {
    // Rows of the rotation from B to A.
    row_x: vec3f,
    row_y: vec3f,
    row_z: vec3f,
    along_a: vec3f,
    along_b: vec3f,
    size: f32,
}

fn products(axis: vec3f, other: Solid) -> vec3f {
    return vec3f(det_dot3(axis, other.x), det_dot3(axis, other.y), det_dot3(axis, other.z));
}

fn seen_from_each_other(a: Solid, b: Solid, between: vec3f) -> Relative {
    return Relative(
        products(a.x, b),
        products(a.y, b),
        products(a.z, b),
        products(between, a),
        products(between, b),
        det_add(size_of_solid(a), size_of_solid(b)),
    );
}

fn row_of_cosines(seen: Relative, i: u32) -> vec3f {
    return select(select(seen.row_z, seen.row_y, i == 1u), seen.row_x, i == 0u);
}

fn column_of_cosines(seen: Relative, j: u32) -> vec3f {
    return vec3f(entry(seen.row_x, j), entry(seen.row_y, j), entry(seen.row_z, j));
}

fn reach(half: vec3f, cosines: vec3f) -> f32 {
    return det_add(
        det_add(det_mul(half.x, det_abs(cosines.x)), det_mul(half.y, det_abs(cosines.y))),
        det_mul(half.z, det_abs(cosines.z)),
    );
}

// Two edges: entries of the rotation, and one over the sine between them.
struct Edges {
    of_b: vec2f,
    of_a: vec2f,
    inverse: f32,
}

fn sine_squared_of(of_b: vec2f) -> f32 {
    return det_add(det_mul(of_b.x, of_b.x), det_mul(of_b.y, of_b.y));
}

fn edges_of(of_b: vec2f, of_a: vec2f) -> Edges {
    let sine_squared = sine_squared_of(of_b);
    return Edges(of_b, of_a, select(det_rsqrt(sine_squared), 0.0f, sine_squared < SMALLEST_SINE_SQUARED));
}

// Edges i and j by cosines in single words, without the sine.
fn rough_edges(seen: Relative, i: u32, j: u32) -> Edges {
    let i1 = next_axis(i);
    let j1 = next_axis(j);
    let column = column_of_cosines(seen, j);
    let row = row_of_cosines(seen, i);
    let of_b = vec2f(entry(column, i1), entry(column, next_axis(i1)));
    return Edges(of_b, vec2f(entry(row, j1), entry(row, next_axis(j1))), 0.0f);
}

fn edge_distance(along: vec3f, i1: u32, i2: u32, edges: Edges) -> f32 {
    return det_sub(det_mul(entry(along, i2), edges.of_b.x), det_mul(entry(along, i1), edges.of_b.y));
}

// The depth along the product of edges i and j, times the sine.
fn edge_room(half_a: vec3f, half_b: vec3f, along: vec3f, i: u32, j: u32, edges: Edges) -> f32 {
    let i1 = next_axis(i);
    let i2 = next_axis(i1);
    let j1 = next_axis(j);
    let j2 = next_axis(j1);
    let reach_a = det_add(det_mul(entry(half_a, i1), det_abs(edges.of_b.y)), det_mul(entry(half_a, i2), det_abs(edges.of_b.x)));
    let reach_b = det_add(det_mul(entry(half_b, j1), det_abs(edges.of_a.y)), det_mul(entry(half_b, j2), det_abs(edges.of_a.x)));
    return det_sub(det_add(reach_a, reach_b), det_abs(edge_distance(along, i1, i2, edges)));
}

struct PreciseAxis {
    high: vec3f,
    low: vec3f,
}

fn precise_cosine(a: PreciseAxis, b: PreciseAxis) -> f32 {
    let x = det_two_prod(a.high.x, b.high.x);
    let y = det_two_prod(a.high.y, b.high.y);
    let z = det_two_prod(a.high.z, b.high.z);
    let xy = det_two_sum(x.high, y.high);
    let xyz = det_two_sum(xy.high, z.high);
    var low = det_add(det_add(det_add(x.low, y.low), z.low), det_add(xy.low, xyz.low));
    low = det_add(low, det_add(det_mul(a.high.x, b.low.x), det_mul(a.low.x, b.high.x)));
    low = det_add(low, det_add(det_mul(a.high.y, b.low.y), det_mul(a.low.y, b.high.y)));
    low = det_add(low, det_add(det_mul(a.high.z, b.low.z), det_mul(a.low.z, b.high.z)));
    return det_add(xyz.high, low);
}

struct Least {
    // 0-2 are faces of A, 3-5 faces of B, and 6 + 3 i + j the product of edge i of A and edge j of B.
    axis: u32,
    depth: f32,
    edges: Edges,
}

fn least_axis(a: Solid, b: Solid, seen: Relative, tolerance: f32) -> Least {
    var least = Least(0u, 0.0f, Edges(vec2f(), vec2f(), 0.0f));
    for (var k = 0u; k < 6u; k++) {
        let of_a = k < 3u;
        let i = select(k - 3u, k, of_a);
        let cosines = select(column_of_cosines(seen, i), row_of_cosines(seen, i), of_a);
        let own = entry(select(b.half, a.half, of_a), i);
        let reached = det_add(own, reach(select(a.half, b.half, of_a), cosines));
        let depth = det_sub(reached, det_abs(entry(select(seen.along_b, seen.along_a, of_a), i)));
        if k == 0u || det_add(depth, tolerance) < least.depth {
            least.axis = k;
            least.depth = depth;
        }
    }
    let limit = det_sub(least.depth, tolerance);
    let square = det_mul(limit, limit);
    let bound = det_mul(EDGE_BOUND, seen.size);
    // The pairs of edges, as bits, along whose product the boxes may be less deep in each other.
    var contending = 0u;
    // The least that the depth along any axis can be, all in single words.
    var least_bound = least.depth;
    // First which edges contend, then what the least bound is, then the depths in double words: as one loop, since some drivers take
    // long to compile what is written out three times.
    for (var turn = 0u; turn < 3u; turn++) {
        for (var rest = select(contending, 511u, turn == 0u); rest != 0u; rest &= rest - 1u) {
            let k = firstTrailingBit(rest);
            let i = k / 3u;
            let j = k % 3u;
            let rough = rough_edges(seen, i, j);
            let sine_squared = sine_squared_of(rough.of_b);
            let room = edge_room(a.half, b.half, seen.along_a, i, j, rough);
            if turn == 0u {
                let under = det_sub(room, bound);
                let shallower = under < 0.0f || (0.0f < limit && det_mul(under, under) < det_mul(square, sine_squared));
                contending |= select(0u, 1u << k, shallower && !(sine_squared < SMALLEST_SINE_SQUARED));
                continue;
            }
            let inverse = det_rsqrt(sine_squared);
            let guess = det_mul(room, inverse);
            let error = det_mul(bound, inverse);
            if turn == 1u {
                least_bound = det_min(least_bound, det_add(guess, error));
                continue;
            }
            if det_add(least_bound, tolerance) < det_sub(guess, error) {
                continue;
            }
            let i1 = next_axis(i);
            let j1 = next_axis(j);
            var cosines: vec4f;
            for (var c = 0u; c < 4u; c++) {
                let first = select(i, select(next_axis(i1), i1, c == 0u), c < 2u);
                let second = select(select(next_axis(j1), j1, c == 2u), j, c < 2u);
                cosines[c] = precise_cosine(precise_axis_of_a(first), precise_axis_of_b(second));
            }
            let edges = edges_of(cosines.xy, cosines.zw);
            let depth = det_mul(edge_room(a.half, b.half, seen.along_a, i, j, edges), edges.inverse);
            if edges.inverse != 0.0f && det_add(depth, tolerance) < least.depth {
                least = Least(6u + k, depth, edges);
            }
        }
    }
    return least;
}

// Boxes: the points.

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
