// The axis along which two boxes are parted soonest: the twin of src/manifold/axes.rs.
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

fn seen_from_each_other(a: Solid, b: Solid, between: vec3f) -> Relative {
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

fn row_of_cosines(seen: Relative, i: u32) -> vec3f {
    return pick3(i, seen.row_x, seen.row_y, seen.row_z);
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

// What depths along products of edges are compared with.
struct Limits {
    bound: f32,
    depth: f32,
    square: f32,
}

// Which of the products of edge i of A and the edges of B can be better than the best face: a bit for each. `row` is row i of the
// cosines, and what follows belongs to the two axes of A after it.
fn contenders_of_row(
    row: vec3f,
    row_1: vec3f,
    row_2: vec3f,
    half_1: f32,
    half_2: f32,
    along_1: f32,
    along_2: f32,
    half_b: vec3f,
    limits: Limits,
) -> u32 {
    let sine_squared = det_add3(products(row_1, row_1), products(row_2, row_2));
    let reach_a = det_add3(det_scale3(magnitudes(row_2), half_1), det_scale3(magnitudes(row_1), half_2));
    let own = magnitudes(row);
    let reach_b = det_add3(products(half_b.yzx, own.zxy), products(half_b.zxy, own.yzx));
    let apart = magnitudes(det_sub3(det_scale3(row_1, along_2), det_scale3(row_2, along_1)));
    let room = det_sub3(det_sub3(det_add3(reach_a, reach_b), apart), vec3f(limits.bound));
    // Without a root, by signs and squares.
    let ours = products(room, room);
    let theirs = det_scale3(sine_squared, limits.square);
    let below_zero = room < vec3f();
    let shallower = select(below_zero & (theirs < ours), below_zero | (ours < theirs), 0.0f < limits.depth);
    let parallel = sine_squared < vec3f(SMALLEST_SINE_SQUARED);
    let bits = select(vec3u(), vec3u(1u, 2u, 4u), shallower & !parallel);
    return bits.x | bits.y | bits.z;
}

fn contenders(seen: Relative, least: f32, tolerance: f32) -> u32 {
    let depth = det_sub(least, tolerance);
    let limits = Limits(det_mul(EDGE_BOUND, seen.size), depth, det_mul(depth, depth));
    let half = seen.half_a;
    let along = seen.along_a;
    return contenders_of_row(seen.row_x, seen.row_y, seen.row_z, half.y, half.z, along.y, along.z, seen.half_b, limits)
        | (contenders_of_row(seen.row_y, seen.row_z, seen.row_x, half.z, half.x, along.z, along.x, seen.half_b, limits) << 3u)
        | (contenders_of_row(seen.row_z, seen.row_x, seen.row_y, half.x, half.y, along.x, along.y, seen.half_b, limits) << 6u);
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
    let row = turned(j, row_of_cosines(seen, i));
    let of_b = vec2f(entry(row_of_cosines(seen, i1), j), entry(row_of_cosines(seen, next_axis(i1)), j));
    return Edges(of_b, row.yz, 0.0f);
}

fn edge_distance(along: vec3f, i: u32, edges: Edges) -> f32 {
    let from_i = turned(i, along);
    return det_sub(det_mul(from_i.z, edges.of_b.x), det_mul(from_i.y, edges.of_b.y));
}

// The depth along the product of edges i and j, times the sine.
fn edge_room(seen: Relative, i: u32, j: u32, edges: Edges) -> f32 {
    let half_a = turned(i, seen.half_a);
    let half_b = turned(j, seen.half_b);
    let reach_a = det_add(det_mul(half_a.y, det_abs(edges.of_b.y)), det_mul(half_a.z, det_abs(edges.of_b.x)));
    let reach_b = det_add(det_mul(half_b.y, det_abs(edges.of_a.y)), det_mul(half_b.z, det_abs(edges.of_a.x)));
    return det_sub(det_add(reach_a, reach_b), det_abs(edge_distance(seen.along_a, i, edges)));
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
    // 0-8: 3 i + j for edge i of A and edge j of B; NO_EDGES if a face is better.
    pair: u32,
    depth: f32,
    edges: Edges,
}

const NO_EDGES = 9u;

// The best pair of edges of those that contend, if it is better than the best face.
fn least_edges(seen: Relative, contending: u32, depth_of_face: f32, tolerance: f32) -> Least {
    var least = Least(NO_EDGES, depth_of_face, Edges(vec2f(), vec2f(), 0.0f));
    let bound = det_mul(EDGE_BOUND, seen.size);
    // The least that the depth along any axis can be, all in single words.
    var least_bound = depth_of_face;
    // Of those that contend, the ones that can be the least.
    var close = 0u;
    // First what the least bound is, then which are close to it, then their depths: as one loop, since some drivers take long to compile
    // what is written out several times.
    for (var turn = 0u; turn < 3u; turn++) {
        for (var rest = select(contending, close, turn == 2u); rest != 0u; rest &= rest - 1u) {
            let k = firstTrailingBit(rest);
            let i = k / 3u;
            let j = k % 3u;
            var edges = rough_edges(seen, i, j);
            let inverse = det_rsqrt(sine_squared_of(edges.of_b));
            let error = det_mul(bound, inverse);
            // Where single words are precise enough, they are used.
            if turn == 2u && tolerance < error {
                let i1 = next_axis(i);
                let j1 = next_axis(j);
                var cosines: vec4f;
                for (var c = 0u; c < 4u; c++) {
                    let first = select(i, select(next_axis(i1), i1, c == 0u), c < 2u);
                    let second = select(select(next_axis(j1), j1, c == 2u), j, c < 2u);
                    cosines[c] = precise_cosine(precise_axis_of_a(first), precise_axis_of_b(second));
                }
                edges = Edges(cosines.xy, cosines.zw, 0.0f);
            }
            edges = edges_of(edges.of_b, edges.of_a);
            let depth = det_mul(edge_room(seen, i, j, edges), edges.inverse);
            if turn == 0u {
                least_bound = det_min(least_bound, det_add(depth, error));
            } else if turn == 1u {
                close |= select(1u << k, 0u, det_add(least_bound, tolerance) < det_sub(depth, error));
            } else if edges.inverse != 0.0f && det_add(depth, tolerance) < least.depth {
                least = Least(k, depth, edges);
            }
        }
    }
    return least;
}
