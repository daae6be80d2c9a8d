// The search for the difference of corners of a hull and of another body that is nearest to 0, in single words: the twin of src/near/hull, where it and its
// errors are explained. For modules with arrays `hulls_a` and `hulls_b`: of each local form where its corners begin, how many they are and the largest sum of a
// corner's coordinates; and then the corners.
// import: lib/simplex, lib/det_domain, abi/hulls

// The hull is body 1, the other one body 0.
struct HullPart {
    kind: u32,
    turns: bool,
    // The number of its corners, and where those of a hull begin.
    count: u32,
    begin: u32,
    place: vec3f,
    second: vec3f,
    radius: f32,
    // Whether it is of the searching set.
    searches: bool,
    // The largest sum of a corner's coordinates, of a hull.
    largest_sum: f32,
}

var<private> hull_parts: array<HullPart, 2>;
// The axes of both bodies, three each, and where the other body is.
var<private> hull_axes: array<vec3f, 6>;
var<private> hull_t: vec3f;
var<private> hull_scale: f32;
// More than what is wrong with a height in single words.
var<private> hull_error: f32;

fn form_vector(searches: bool, at: u32) -> vec4u {
    if searches {
        return hulls_a[at];
    }
    return hulls_b[at];
}

fn sum_of_coordinates(v: vec3f) -> f32 {
    return det_add(det_add(det_abs(v.x), det_abs(v.y)), det_abs(v.z));
}

// The largest sum of a corner's coordinates, but for those of the place.
fn largest_sum_of(body: u32) -> f32 {
    let part = hull_parts[body];
    if part.kind == KIND_SPHERE || part.kind == KIND_CONVEX_HULL {
        return part.largest_sum;
    }
    let second = cleaned(bitcast<vec3u>(part.second));
    if part.kind == KIND_OBB {
        return sum_of_coordinates(second);
    }
    return sum_of_coordinates(det_sub3(second, cleaned(bitcast<vec3u>(part.place))));
}

// From `hull_scale` and `hull_t`.
fn set_hull_error() {
    let corners = det_add(det_mul(largest_sum_of(0u), hull_scale), det_mul(largest_sum_of(1u), hull_scale));
    hull_error = det_add(det_mul(HULL_OF_CORNERS, corners), det_mul(HULL_OF_WAY, sum_of_coordinates(hull_t)));
}

// Which of two numbers each coordinate of a corner is.
fn corner_bits(i: u32) -> vec3<bool> {
    return (vec3u(i, i >> 1u, i >> 2u) & vec3u(1u)) == vec3u(1u);
}

// A corner of a body that turns, in its own frame and not scaled.
fn local_corner(body: u32, i: u32) -> vec3f {
    if hull_parts[body].kind == KIND_CONVEX_HULL {
        return bitcast<vec3f>(form_vector(hull_parts[body].searches, hull_parts[body].begin + i).xyz);
    }
    let half = cleaned(bitcast<vec3u>(hull_parts[body].second));
    return select(det_neg3(half), half, corner_bits(i));
}

// The way between two places, scaled.
fn way_between(to: vec3f, origin: vec3f) -> vec3f {
    return det_scale3(det_sub3(cleaned(bitcast<vec3u>(to)), cleaned(bitcast<vec3u>(origin))), hull_scale);
}

// A corner of the other body that is given where it is.
fn corner_place(i: u32) -> vec3f {
    let is_second = select(corner_bits(i), vec3<bool>(i == 1u), hull_parts[0].kind == KIND_CAPSULE);
    return select(hull_parts[0].place, hull_parts[0].second, is_second);
}

// The same from the hull's position, scaled.
fn fixed_corner(i: u32) -> vec3f {
    return way_between(corner_place(i), hull_parts[1].place);
}

fn turned_corner(body: u32, i: u32) -> vec3f {
    let at = det_scale3(local_corner(body, i), hull_scale);
    let sum = det_add3(det_scale3(hull_axes[3u * body], at.x), det_scale3(hull_axes[3u * body + 1u], at.y));
    return det_add3(sum, det_scale3(hull_axes[3u * body + 2u], at.z));
}

fn corner_difference(i: u32, j: u32) -> vec3f {
    var first: vec3f;
    if hull_parts[0].turns {
        first = det_add3(hull_t, turned_corner(0u, i));
    } else {
        first = fixed_corner(i);
    }
    return det_sub3(first, turned_corner(1u, j));
}

// A direction as a body sees it; scaled if its corners are not.
fn seen_by(body: u32, towards: vec3f) -> vec3f {
    if !hull_parts[body].turns {
        return towards;
    }
    let seen = vec3f(
        det_dot3(hull_axes[3u * body], towards),
        det_dot3(hull_axes[3u * body + 1u], towards),
        det_dot3(hull_axes[3u * body + 2u], towards),
    );
    return det_scale3(seen, hull_scale);
}

fn corner_height(body: u32, i: u32, seen: vec3f) -> f32 {
    if hull_parts[body].turns {
        return det_dot3(seen, local_corner(body, i));
    }
    return det_dot3(seen, fixed_corner(i));
}

// The corner of a body that is lowest along a direction, and how high it is.
struct Lowest {
    corner: u32,
    height: f32,
}

// Of a hull: four corners at a time.
fn lowest_of_hull(part: HullPart, seen: vec3f) -> Lowest {
    var best = Lowest(0u, NEAR_FARTHEST);
    for (var i = 0u; i < part.count; i += 4u) {
        let at = part.begin + i;
        var corners: array<vec3f, 4>;
        if part.searches {
            for (var k = 0u; k < 4u; k++) {
                corners[k] = bitcast<vec3f>(hulls_a[at + k].xyz);
            }
        } else {
            for (var k = 0u; k < 4u; k++) {
                corners[k] = bitcast<vec3f>(hulls_b[at + k].xyz);
            }
        }
        for (var k = 0u; k < 4u; k++) {
            let height = det_dot3(seen, corners[k]);
            if height < best.height {
                best = Lowest(i + k, height);
            }
        }
    }
    return best;
}

fn lowest_corner(body: u32, towards: vec3f) -> Lowest {
    let seen = seen_by(body, towards);
    if hull_parts[body].kind == KIND_CONVEX_HULL {
        return lowest_of_hull(hull_parts[body], seen);
    }
    var best = Lowest(0u, corner_height(body, 0u, seen));
    for (var i = 1u; i < hull_parts[body].count; i++) {
        let height = corner_height(body, i, seen);
        if height < best.height {
            best = Lowest(i, height);
        }
    }
    return best;
}

fn hull_support(towards: vec3f) -> Corner {
    let i = lowest_corner(0u, towards).corner;
    let j = lowest_corner(1u, det_neg3(towards)).corner;
    return Corner(corner_difference(i, j), (i << 8u) | j);
}

fn have_one_sign(volumes: vec4f, bound: f32) -> bool {
    return all(volumes > vec4f(bound)) || all(volumes < vec4f(det_neg(bound)));
}

fn largest_coordinate(v: vec3f) -> f32 {
    return det_max(det_max(det_abs(v.x), det_abs(v.y)), det_abs(v.z));
}

// Whether 0 is certainly inside the tetrahedron of four differences.
fn do_surround(given: Simplex) -> bool {
    let p = given.a;
    let q = given.b;
    let r = given.c;
    let s = given.d;
    let largest = det_max(
        det_max(largest_coordinate(p), largest_coordinate(q)),
        det_max(largest_coordinate(r), largest_coordinate(s)),
    );
    let of_first = det_cross3(p, q);
    let volumes = vec4f(
        det_dot3(det_cross3(q, r), s),
        det_dot3(det_cross3(r, p), s),
        det_dot3(of_first, s),
        det_neg(det_dot3(of_first, r)),
    );
    let bound = det_add(det_mul(HULL_OF_HEIGHT, hull_error), det_mul(HULL_OF_VOLUME, largest));
    return have_one_sign(volumes, det_mul(det_mul(largest, largest), bound));
}

// At right angles to a triangle, away from 0; 0 of other simplices.
fn normal_of_simplex(simplex: Simplex) -> vec3f {
    if simplex.count != 3u {
        return vec3f();
    }
    let normal = det_cross3(det_sub3(simplex.b, simplex.a), det_sub3(simplex.c, simplex.a));
    return select(normal, det_neg3(normal), det_dot3(normal, simplex.a) < 0.0f);
}

// What a search has found: a verdict and, if that is open, the direction along which all differences are furthest and how far, and the corners of four
// differences that may be around 0.
struct HullSearch {
    verdict: u32,
    best: vec3f,
    height: f32,
    has_four: bool,
    four: vec4u,
}

// The differences around the one that the search has found to be nearest to 0, or four that may be around 0.
var<private> hull_simplex: Simplex;

// Ends as soon as the cores of both bodies are certainly nearer than a length, if that is above 0, or further apart than another.
fn search_hull(near: f32, far: f32) -> HullSearch {
    var nearest = corner_difference(0u, 0u);
    var simplex = simplex_of(Corner(nearest, 0u));
    var found = HullSearch(UNDECIDED, vec3f(), 0.0f, false, vec4u());
    var furthest = det_neg(NEAR_FARTHEST);
    for (var turn = params.zero; turn < HULL_ROUNDS; turn++) {
        let near_square = det_dot3(nearest, nearest);
        if near > 0.0f && det_add(det_mul(near_square, det_rsqrt(near_square)), hull_error) < near {
            found.verdict = HIT;
            break;
        }
        var towards = normal_of_simplex(simplex);
        var square = det_dot3(towards, towards);
        if !(square > HULL_LEAST_SQUARE) {
            towards = nearest;
            square = near_square;
        }
        if !(square > HULL_LEAST_SQUARE) {
            break;
        }
        let corner = hull_support(towards);
        let inverse = det_rsqrt(square);
        let height = det_mul(det_dot3(towards, corner.at), inverse);
        let before = det_mul(det_dot3(towards, simplex.a), inverse);
        if det_sub(height, hull_error) > far {
            found.verdict = MISS;
            break;
        }
        if height > furthest {
            found.best = towards;
            found.height = height;
            furthest = height;
        }
        let least_step = det_max(HULL_LEAST_STEP, det_mul(HULL_LEAST_STEP, before));
        if det_sub(before, height) < least_step || simplex_has(simplex, corner.signs) {
            break;
        }
        let grown = simplex_with(simplex, corner);
        if grown.count == 4u {
            found.verdict = select(UNDECIDED, HIT, do_surround(grown));
            found.has_four = true;
            found.four = grown.signs;
            simplex = grown;
            break;
        }
        let point = point_of_simplex(grown);
        if !(det_dot3(point, point) < near_square) {
            break;
        }
        simplex = grown;
        nearest = point;
    }
    hull_simplex = simplex;
    return found;
}
