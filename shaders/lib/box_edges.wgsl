// Where an edge of one box and an edge of the other cross: the twin of src/manifold/edges.rs. The edges are along the first axes of the
// boxes as they are given.
// import: lib/box_axes

const ROUGH = 0x1p-18f;
// Later edges win over edges before them by more than this share of the size.
const EDGE_TOLERANCE = 0x1.8p-22f;

// Two edges: entries of the rotation, and one over the sine between them; 0 if they are parallel.
struct Edges {
    of_b: vec2f,
    of_a: vec2f,
    inverse: f32,
}

fn edges_of(cosines: vec4f) -> Edges {
    let of_b = cosines.xy;
    let sine_squared = det_add(det_mul(of_b.x, of_b.x), det_mul(of_b.y, of_b.y));
    return Edges(of_b, cosines.zw, select(det_rsqrt(sine_squared), 0.0f, sine_squared < SMALLEST_SINE_SQUARED));
}

// The cosines of two edges with the other axes of the other box, in single words: of B's with A's, of A's with B's.
fn rough_cosines(a: Solid, b: Solid) -> vec4f {
    return vec4f(det_dot3(a.y, b.x), det_dot3(a.z, b.x), det_dot3(a.x, b.y), det_dot3(a.x, b.z));
}

fn size_of_both(a: Solid, b: Solid) -> f32 {
    return det_add(size_of_solid(a), size_of_solid(b));
}

// Whether single words are not precise enough for the depth along the product of two edges.
fn is_too_rough(edges: Edges, size: f32) -> bool {
    return det_mul(ROUGH, size) < det_mul(det_mul(EDGE_BOUND, size), edges.inverse);
}

// An axis in double words.
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

// The distance of the centres along the product of the edges, times the sine.
fn edge_distance(along_a: vec2f, edges: Edges) -> f32 {
    return det_sub(det_mul(along_a.y, edges.of_b.x), det_mul(along_a.x, edges.of_b.y));
}

// From A's centre to B's along the axes of A that are not the edge.
fn along_others(a: Solid, b: Solid) -> vec2f {
    let between = difference_of_centers(a, b);
    return vec2f(det_dot3(a.y, between), det_dot3(a.z, between));
}

// The depth along the product of the edges.
fn edge_depth(a: Solid, b: Solid, along_a: vec2f, edges: Edges) -> f32 {
    let reach_a = det_add(det_mul(a.half.y, det_abs(edges.of_b.y)), det_mul(a.half.z, det_abs(edges.of_b.x)));
    let reach_b = det_add(det_mul(b.half.y, det_abs(edges.of_a.y)), det_mul(b.half.z, det_abs(edges.of_a.x)));
    return det_mul(det_sub(det_add(reach_a, reach_b), det_abs(edge_distance(along_a, edges))), edges.inverse);
}

fn is_foremost(x: f32, positive: bool) -> bool {
    return !(signed_by(x, positive) < 0.0f);
}

// The middle of B's edge along an axis of A.
fn middle_of_edge(axis: vec3f, b: Solid, along: f32, to: vec2f) -> f32 {
    return det_add(det_add(along, det_mul(to.x, det_dot3(axis, b.y))), det_mul(to.y, det_dot3(axis, b.z)));
}

fn edge_id(axis: u32, first: bool, second: bool) -> u32 {
    return 4u * axis + select(0u, 1u, first) + select(0u, 2u, second);
}

// The contact of edges 3 i + j.
fn meet_edges(a: Solid, b: Solid, along_a: vec2f, number: u32, edges: Edges, depth: f32) {
    let positive = !(edge_distance(along_a, edges) < 0.0f);
    let first = signed_by(det_mul(det_neg(edges.of_b.y), edges.inverse), positive);
    let second = signed_by(det_mul(edges.of_b.x, edges.inverse), positive);
    let normal = det_add3(det_scale3(a.y, first), det_scale3(a.z, second));
    let a1 = is_foremost(det_neg(edges.of_b.y), positive);
    let a2 = is_foremost(edges.of_b.x, positive);
    let b1 = is_foremost(det_neg(edges.of_a.y), positive);
    let b2 = is_foremost(edges.of_a.x, positive);
    let to = vec2f(signed_by(b.half.y, b1), signed_by(b.half.z, b2));
    let d1 = det_sub(middle_of_edge(a.y, b, along_a.x, to), signed_by(a.half.y, a1));
    let d2 = det_sub(middle_of_edge(a.z, b, along_a.y, to), signed_by(a.half.z, a2));
    let across = det_add(det_mul(d1, edges.of_b.x), det_mul(d2, edges.of_b.y));
    let along = det_neg(det_mul(across, det_mul(edges.inverse, edges.inverse)));
    let ids = (edge_id(number / 3u, a1, a2) << 8u) | edge_id(number % 3u, b1, b2);
    begin_contact(normal, depth, CONTACT_EDGES);
    push_point(point_to_world(b, vec3f(clamped(along, b.half.x), to)), depth, ids);
}
