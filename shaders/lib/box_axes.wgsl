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

// A depth with which those along products of edges are compared without a root, by signs and squares.
struct Limit {
    is_positive: bool,
    square: f32,
}

fn limit_of(depth: f32) -> Limit {
    return Limit(0.0f < depth, det_mul(depth, depth));
}

// Whether depths, given times sines whose squares are given, are less.
fn is_above(limit: Limit, room: vec3f, sine_squared: vec3f) -> vec3<bool> {
    let ours = products(room, room);
    let theirs = det_scale3(sine_squared, limit.square);
    let below_zero = room < vec3f();
    return select(below_zero & (theirs < ours), below_zero | (ours < theirs), limit.is_positive);
}

// The axis along which the depth is at most the least of all so far: that depth times a sine, the squares of both.
struct Leader {
    room: f32,
    room_squared: f32,
    sine_squared: f32,
}

fn leading(best: Leader, contends: bool, room: f32, sine_squared: f32) -> Leader {
    let square = det_mul(room, room);
    if contends && det_mul(square, best.sine_squared) < det_mul(best.room_squared, sine_squared) {
        return Leader(room, square, sine_squared);
    }
    return best;
}

fn leading_of_row(best: Leader, contend: vec3<bool>, room: vec3f, sine_squared: vec3f) -> Leader {
    let x = leading(best, contend.x, room.x, sine_squared.x);
    let y = leading(x, contend.y, room.y, sine_squared.y);
    return leading(y, contend.z, room.z, sine_squared.z);
}

fn bits_of(which: vec3<bool>) -> u32 {
    return select(0u, 1u, which.x) | select(0u, 2u, which.y) | select(0u, 4u, which.z);
}

// The pairs of edges, as bits 3 i + j, that can be the best of all axes.
fn close_edges(seen: Relative, depth: f32, tolerance: f32) -> u32 {
    let bound = vec3f(det_mul(EDGE_BOUND, seen.size));
    let half = seen.half_a;
    let along = seen.along_a;
    let x = edges_of_row(seen.row_x, seen.row_y, seen.row_z, half.y, half.z, along.y, along.z, seen.half_b);
    let y = edges_of_row(seen.row_y, seen.row_z, seen.row_x, half.z, half.x, along.z, along.x, seen.half_b);
    let z = edges_of_row(seen.row_z, seen.row_x, seen.row_y, half.x, half.y, along.x, along.y, seen.half_b);
    let smallest = vec3f(SMALLEST_SINE_SQUARED);
    let below_face = limit_of(det_sub(depth, tolerance));
    let least_x = det_sub3(x.room, bound);
    let least_y = det_sub3(y.room, bound);
    let least_z = det_sub3(z.room, bound);
    let contend_x = is_above(below_face, least_x, x.sine_squared) & !(x.sine_squared < smallest);
    let contend_y = is_above(below_face, least_y, y.sine_squared) & !(y.sine_squared < smallest);
    let contend_z = is_above(below_face, least_z, z.sine_squared) & !(z.sine_squared < smallest);
    if !any(contend_x | contend_y | contend_z) {
        return 0u;
    }
    let face = det_max(depth, 0.0f);
    var best = Leader(face, det_mul(face, face), 1.0f);
    best = leading_of_row(best, contend_x, det_add3(x.room, bound), x.sine_squared);
    best = leading_of_row(best, contend_y, det_add3(y.room, bound), y.sine_squared);
    best = leading_of_row(best, contend_z, det_add3(z.room, bound), z.sine_squared);
    let near_best = limit_of(det_add(det_mul(best.room, det_rsqrt(best.sine_squared)), tolerance));
    return bits_of(contend_x & is_above(near_best, least_x, x.sine_squared))
        | (bits_of(contend_y & is_above(near_best, least_y, y.sine_squared)) << 3u)
        | (bits_of(contend_z & is_above(near_best, least_z, z.sine_squared)) << 6u);
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
