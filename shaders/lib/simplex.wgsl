// The point nearest to 0 of a segment, a triangle or a tetrahedron: the twin of src/near/simplex.rs.
// import: lib/det

const NEAR_LEAST_VOLUME = 0x1p-60f;
const NEAR_FARTHEST = 0x1.fffffep+127f;

// (Corners by name: what is indexed by a variable would be kept in memory.)
struct Simplex {
    count: u32,
    a: vec3f,
    b: vec3f,
    c: vec3f,
    d: vec3f,
    // What tells corners apart.
    signs: vec4u,
    // How much of each is in the point that is nearest to 0; 0 beyond the last.
    weights: vec4f,
}

struct Corner {
    at: vec3f,
    signs: u32,
}

fn simplex_of(corner: Corner) -> Simplex {
    return Simplex(1u, corner.at, vec3f(), vec3f(), vec3f(), vec4u(corner.signs, 0u, 0u, 0u), vec4f(1.0f, 0.0f, 0.0f, 0.0f));
}

fn weighted_sum(simplex: Simplex, weights: vec4f) -> vec3f {
    let first = det_add3(det_scale3(simplex.a, weights.x), det_scale3(simplex.b, weights.y));
    return det_add3(det_add3(first, det_scale3(simplex.c, weights.z)), det_scale3(simplex.d, weights.w));
}

// The point nearest to 0.
fn point_of_simplex(simplex: Simplex) -> vec3f {
    return weighted_sum(simplex, simplex.weights);
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

// The weights of three corners of four: all but one.
fn weights_without(across: u32, found: vec3f) -> vec4f {
    if across == 3u {
        return vec4f(found, 0.0f);
    }
    if across == 2u {
        return vec4f(found.xy, 0.0f, found.z);
    }
    return select(vec4f(0.0f, found), vec4f(found.x, 0.0f, found.yz), across == 1u);
}

fn weights_of_tetrahedron(simplex: Simplex) -> vec4f {
    var inside = vec4f();
    var best = vec4f();
    var least = NEAR_FARTHEST;
    for (var k = 0u; k < 4u; k++) {
        let across = 3u - k;
        let a = select(simplex.a, simplex.b, across == 0u);
        let b = select(simplex.b, simplex.c, across <= 1u);
        let c = select(simplex.c, simplex.d, across <= 2u);
        let d = select(select(select(simplex.a, simplex.b, across == 1u), simplex.c, across == 2u), simplex.d, across == 3u);
        let normal = det_cross3(det_sub3(b, a), det_sub3(c, a));
        let of_zero = det_neg(det_dot3(a, normal));
        let of_corner = det_dot3(det_sub3(d, a), normal);
        var share = 0.0f;
        if !(det_abs(of_corner) < NEAR_LEAST_VOLUME) {
            share = det_div(of_zero, of_corner);
        }
        inside = select(inside, vec4f(share), vec4u(0u, 1u, 2u, 3u) == vec4u(across));
        if share > 0.0f {
            continue;
        }
        let weights = weights_without(across, weights_of_triangle(a, b, c));
        let point = weighted_sum(simplex, weights);
        let square = det_dot3(point, point);
        if square < least {
            best = weights;
            least = square;
        }
    }
    return select(inside, best, least < NEAR_FARTHEST);
}

// With a corner at a place.
fn simplex_set(before: Simplex, place: u32, at: vec3f, signs: u32) -> Simplex {
    var simplex = before;
    simplex.a = select(simplex.a, at, place == 0u);
    simplex.b = select(simplex.b, at, place == 1u);
    simplex.c = select(simplex.c, at, place == 2u);
    simplex.d = select(simplex.d, at, place == 3u);
    simplex.signs = select(simplex.signs, vec4u(signs), vec4u(0u, 1u, 2u, 3u) == vec4u(place));
    return simplex;
}

// With one of its corners at its next place, if it is in the point nearest to 0.
fn simplex_keep(before: Simplex, at: vec3f, signs: u32, weight: f32) -> Simplex {
    if weight == 0.0f {
        return before;
    }
    var simplex = simplex_set(before, before.count, at, signs);
    simplex.weights = select(simplex.weights, vec4f(weight), vec4u(0u, 1u, 2u, 3u) == vec4u(before.count));
    simplex.count += 1u;
    return simplex;
}

// With another corner, and without those that are not in the point nearest to 0.
fn simplex_with(before: Simplex, corner: Corner) -> Simplex {
    let all = simplex_set(before, before.count, corner.at, corner.signs);
    var weights: vec4f;
    if before.count == 1u {
        weights = vec4f(weights_of_segment(all.a, all.b), 0.0f, 0.0f);
    } else if before.count == 2u {
        weights = vec4f(weights_of_triangle(all.a, all.b, all.c), 0.0f);
    } else {
        weights = weights_of_tetrahedron(all);
    }
    var kept = all;
    kept.count = 0u;
    kept.weights = vec4f();
    kept = simplex_keep(kept, all.a, all.signs.x, weights.x);
    kept = simplex_keep(kept, all.b, all.signs.y, weights.y);
    kept = simplex_keep(kept, all.c, all.signs.z, weights.z);
    return simplex_keep(kept, all.d, all.signs.w, weights.w);
}

fn simplex_has(simplex: Simplex, signs: u32) -> bool {
    return any((simplex.signs == vec4u(signs)) & (vec4u(0u, 1u, 2u, 3u) < vec4u(simplex.count)));
}
