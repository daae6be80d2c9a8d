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
