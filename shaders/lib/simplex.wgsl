// The point nearest to 0 of a segment, a triangle or a tetrahedron: the twin of src/near/simplex.rs.
// import: lib/det

const NEAR_LEAST_VOLUME = 0x1p-60f;
const NEAR_FARTHEST = 0x1.fffffep+127f;

struct Simplex {
    count: u32,
    corners: array<vec3f, 4>,
    // What tells corners apart.
    signs: array<u32, 4>,
    weights: array<f32, 4>,
}

struct Corner {
    at: vec3f,
    signs: u32,
}

fn point_of_simplex(corners: array<vec3f, 4>, weights: vec4f) -> vec3f {
    var sum = vec3f();
    var all = corners;
    for (var k = 0u; k < 4u; k++) {
        sum = det_add3(sum, det_scale3(all[k], weights[k]));
    }
    return sum;
}

fn weights_of_segment(a: vec3f, b: vec3f) -> vec2f {
    let way = det_sub3(b, a);
    let along = det_neg(det_dot3(a, way));
    let square = det_dot3(way, way);
    if !(along > 0.0f) {
        return vec2f(1.0f, 0.0f);
    }
    if !(along < square) {
        return vec2f(0.0f, 1.0f);
    }
    let share = det_div(along, square);
    return vec2f(det_sub(1.0f, share), share);
}

fn weights_of_triangle(a: vec3f, b: vec3f, c: vec3f) -> vec3f {
    let normal = det_cross3(det_sub3(b, a), det_sub3(c, a));
    let of_a = det_dot3(normal, det_cross3(b, c));
    let of_b = det_dot3(normal, det_cross3(c, a));
    let of_c = det_dot3(normal, det_cross3(a, b));
    if of_a > 0.0f && of_b > 0.0f && of_c > 0.0f {
        let all = det_add(det_add(of_a, of_b), of_c);
        return vec3f(det_div(of_a, all), det_div(of_b, all), det_div(of_c, all));
    }
    var best = vec3f();
    var least = NEAR_FARTHEST;
    for (var k = 0u; k < 3u; k++) {
        let first = select(a, b, k == 2u);
        let second = select(c, b, k == 0u);
        let found = weights_of_segment(first, second);
        let point = det_add3(det_scale3(first, found.x), det_scale3(second, found.y));
        let square = det_dot3(point, point);
        if square < least {
            least = square;
            best = select(
                select(vec3f(0.0f, found.x, found.y), vec3f(found.x, 0.0f, found.y), k == 1u),
                vec3f(found.x, found.y, 0.0f),
                k == 0u,
            );
        }
    }
    return best;
}

fn weights_of_tetrahedron(given: array<vec3f, 4>) -> vec4f {
    var corners = given;
    var inside = vec4f();
    var best = vec4f();
    var least = NEAR_FARTHEST;
    for (var k = 0u; k < 4u; k++) {
        let across = 3u - k;
        let i = select(0u, 1u, across == 0u);
        let j = select(1u, 2u, across <= 1u);
        let l = select(2u, 3u, across <= 2u);
        let a = corners[i];
        let normal = det_cross3(det_sub3(corners[j], a), det_sub3(corners[l], a));
        let of_zero = det_neg(det_dot3(a, normal));
        let of_corner = det_dot3(det_sub3(corners[across], a), normal);
        var share = 0.0f;
        if !(det_abs(of_corner) < NEAR_LEAST_VOLUME) {
            share = det_div(of_zero, of_corner);
        }
        inside[across] = share;
        if share > 0.0f {
            continue;
        }
        let found = weights_of_triangle(a, corners[j], corners[l]);
        var weights = vec4f();
        weights[i] = found.x;
        weights[j] = found.y;
        weights[l] = found.z;
        let point = point_of_simplex(given, weights);
        let square = det_dot3(point, point);
        if square < least {
            best = weights;
            least = square;
        }
    }
    return select(inside, best, least < NEAR_FARTHEST);
}

// With another corner, and without those that are not in the point nearest to 0.
fn simplex_with(before: Simplex, corner: Corner) -> Simplex {
    var simplex = before;
    simplex.corners[simplex.count] = corner.at;
    simplex.signs[simplex.count] = corner.signs;
    simplex.count += 1u;
    var weights: vec4f;
    if simplex.count == 2u {
        weights = vec4f(weights_of_segment(simplex.corners[0], simplex.corners[1]), 0.0f, 0.0f);
    } else if simplex.count == 3u {
        weights = vec4f(weights_of_triangle(simplex.corners[0], simplex.corners[1], simplex.corners[2]), 0.0f);
    } else {
        weights = weights_of_tetrahedron(simplex.corners);
    }
    var kept = 0u;
    for (var k = 0u; k < simplex.count; k++) {
        if weights[k] != 0.0f {
            simplex.corners[kept] = simplex.corners[k];
            simplex.signs[kept] = simplex.signs[k];
            simplex.weights[kept] = weights[k];
            kept += 1u;
        }
    }
    for (var k = kept; k < 4u; k++) {
        simplex.weights[k] = 0.0f;
    }
    simplex.count = kept;
    return simplex;
}

fn simplex_has(given: Simplex, signs: u32) -> bool {
    var simplex = given;
    var found = false;
    for (var k = 0u; k < simplex.count; k++) {
        found = found || simplex.signs[k] == signs;
    }
    return found;
}
