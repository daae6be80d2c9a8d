// The axis along which two boxes are parted soonest: the best of six faces, and which products of two edges can be better. The twin of
// src/manifold/axes.rs.
// import: lib/manifold

const EDGE_BOUND = 0x1.4p-19f;
const SMALLEST_SINE_SQUARED = 0x1p-42f;

// Two boxes seen from each other.
struct Relative {
    // Rows of the rotation from B to A.
    row_x: vec3f,
    row_y: vec3f,
    row_z: vec3f,
    along_a: vec3f,
    along_b: vec3f,
    half_a: vec3f,
    half_b: vec3f,
    size: f32,
}

// Component by component.
fn products(a: vec3f, b: vec3f) -> vec3f {
    return vec3f(det_mul(a.x, b.x), det_mul(a.y, b.y), det_mul(a.z, b.z));
}

fn magnitudes(v: vec3f) -> vec3f {
    return vec3f(det_abs(v.x), det_abs(v.y), det_abs(v.z));
}

fn along_axes(v: vec3f, solid: Solid) -> vec3f {
    return vec3f(det_dot3(solid.x, v), det_dot3(solid.y, v), det_dot3(solid.z, v));
}

fn seen_from_each_other(a: Solid, b: Solid) -> Relative {
    let between = difference_of_centers(a, b);
    return Relative(
        along_axes(a.x, b),
        along_axes(a.y, b),
        along_axes(a.z, b),
        along_axes(between, a),
        along_axes(between, b),
        a.half,
        b.half,
        det_add(size_of_solid(a), size_of_solid(b)),
    );
}

struct Face {
    // 0-2 are those of A, 3-5 those of B.
    face: u32,
    depth: f32,
}

fn better_face(best: Face, face: u32, depth: f32, tolerance: f32) -> Face {
    if det_add(depth, tolerance) < best.depth {
        return Face(face, depth);
    }
    return best;
}

fn least_face(seen: Relative, tolerance: f32) -> Face {
    let x = magnitudes(seen.row_x);
    let y = magnitudes(seen.row_y);
    let z = magnitudes(seen.row_z);
    let reach_b = vec3f(det_dot3(seen.half_b, x), det_dot3(seen.half_b, y), det_dot3(seen.half_b, z));
    let reach_a = det_add3(
        det_add3(det_scale3(x, seen.half_a.x), det_scale3(y, seen.half_a.y)),
        det_scale3(z, seen.half_a.z),
    );
    let of_a = det_sub3(det_add3(seen.half_a, reach_b), magnitudes(seen.along_a));
    let of_b = det_sub3(det_add3(seen.half_b, reach_a), magnitudes(seen.along_b));
    var best = Face(0u, of_a.x);
    best = better_face(best, 1u, of_a.y, tolerance);
    best = better_face(best, 2u, of_a.z, tolerance);
    best = better_face(best, 3u, of_b.x, tolerance);
    best = better_face(best, 4u, of_b.y, tolerance);
    return better_face(best, 5u, of_b.z, tolerance);
}

// The products of an edge of A and the edges of B.
struct EdgesOfRow {
    // How deep the boxes are in each other along each, times the sine.
    room: vec3f,
    sine_squared: vec3f,
}

// `row` is a row of the cosines, and what follows belongs to the two axes of A after it.
fn edges_of_row(
    row: vec3f,
    row_1: vec3f,
    row_2: vec3f,
    half_1: f32,
    half_2: f32,
    along_1: f32,
    along_2: f32,
    half_b: vec3f,
) -> EdgesOfRow {
    let reach_a = det_add3(det_scale3(magnitudes(row_2), half_1), det_scale3(magnitudes(row_1), half_2));
    let own = magnitudes(row);
    let reach_b = det_add3(products(half_b.yzx, own.zxy), products(half_b.zxy, own.yzx));
    let apart = magnitudes(det_sub3(det_scale3(row_1, along_2), det_scale3(row_2, along_1)));
    let room = det_sub3(det_add3(reach_a, reach_b), apart);
    return EdgesOfRow(room, det_add3(products(row_1, row_1), products(row_2, row_2)));
}

// What depths along products of edges are compared with.
struct Limits {
    bound: f32,
    depth: f32,
    square: f32,
}

// Which of the products can be better than the best face.
fn contend(edges: EdgesOfRow, limits: Limits) -> vec3<bool> {
    let room = det_sub3(edges.room, vec3f(limits.bound));
    // Without a root, by signs and squares.
    let ours = products(room, room);
    let theirs = det_scale3(edges.sine_squared, limits.square);
    let below_zero = room < vec3f();
    let shallower = select(below_zero & (theirs < ours), below_zero | (ours < theirs), 0.0f < limits.depth);
    return shallower & !(edges.sine_squared < vec3f(SMALLEST_SINE_SQUARED));
}

// The depths along products in single words: what they can be at least, and at most.
struct Depths {
    least: vec3f,
    most: vec3f,
}

fn depths_of(edges: EdgesOfRow, bound: f32) -> Depths {
    let sine_squared = edges.sine_squared;
    let inverse = vec3f(det_rsqrt(sine_squared.x), det_rsqrt(sine_squared.y), det_rsqrt(sine_squared.z));
    let guess = products(edges.room, inverse);
    let error = det_scale3(inverse, bound);
    return Depths(det_sub3(guess, error), det_add3(guess, error));
}

fn least_of(least: f32, which: vec3<bool>, depths: vec3f) -> f32 {
    let x = det_min(least, select(least, depths.x, which.x));
    let y = det_min(x, select(x, depths.y, which.y));
    return det_min(y, select(y, depths.z, which.z));
}

fn bits_of(which: vec3<bool>) -> u32 {
    return select(0u, 1u, which.x) | select(0u, 2u, which.y) | select(0u, 4u, which.z);
}

// The pairs of edges, as bits 3 i + j, that can be the best of all axes.
fn close_edges(seen: Relative, least: f32, tolerance: f32) -> u32 {
    let depth = det_sub(least, tolerance);
    let limits = Limits(det_mul(EDGE_BOUND, seen.size), depth, det_mul(depth, depth));
    let half = seen.half_a;
    let along = seen.along_a;
    let x = edges_of_row(seen.row_x, seen.row_y, seen.row_z, half.y, half.z, along.y, along.z, seen.half_b);
    let y = edges_of_row(seen.row_y, seen.row_z, seen.row_x, half.z, half.x, along.z, along.x, seen.half_b);
    let z = edges_of_row(seen.row_z, seen.row_x, seen.row_y, half.x, half.y, along.x, along.y, seen.half_b);
    let contends_x = contend(x, limits);
    let contends_y = contend(y, limits);
    let contends_z = contend(z, limits);
    if !any(contends_x | contends_y | contends_z) {
        return 0u;
    }
    let depths_x = depths_of(x, limits.bound);
    let depths_y = depths_of(y, limits.bound);
    let depths_z = depths_of(z, limits.bound);
    // The least that the depth along any axis can be.
    let bound = least_of(
        least_of(least_of(least, contends_x, depths_x.most), contends_y, depths_y.most),
        contends_z,
        depths_z.most,
    );
    let near = vec3f(det_add(bound, tolerance));
    return bits_of(contends_x & !(near < depths_x.least))
        | (bits_of(contends_y & !(near < depths_y.least)) << 3u)
        | (bits_of(contends_z & !(near < depths_z.least)) << 6u);
}

// What a first look at two boxes shows.
struct Look {
    face: u32,
    depth: f32,
    // The pairs of edges that can be better, as bits 3 i + j.
    close: u32,
}

fn look_at_boxes(a: Solid, b: Solid) -> Look {
    let seen = seen_from_each_other(a, b);
    let tolerance = det_mul(TOLERANCE, seen.size);
    let best = least_face(seen, tolerance);
    return Look(best.face, best.depth, close_edges(seen, best.depth, tolerance));
}
