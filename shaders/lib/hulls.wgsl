// Whether a hull and another body are nearer than a margin, in single words: the twin of src/near/hull, where the search and its errors are
// explained. For modules with params `bucket` and `margin`, and arrays `hulls_a` and `hulls_b`: of each local form where its corners begin, how
// many they are and the largest sum of a corner's coordinates; and then the corners.
// import: lib/verdicts, lib/simplex, lib/det_domain, abi/hulls

// A body as slots have it. That of the hull is body 1, the other one body 0.
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
var<private> hull_turns: array<vec4u, 2>;
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

fn set_hull_part(body: u32, kind: u32, first: vec4u, second: vec4u, searches: bool) {
    var part = HullPart(kind, kind == KIND_OBB || kind == KIND_CONVEX_HULL, 8u, 0u, bitcast<vec3f>(first.xyz), bitcast<vec3f>(second.xyz), 0.0f, searches, 0.0f);
    if kind == KIND_SPHERE {
        part.count = 1u;
        part.radius = bitcast<f32>(second.x);
    } else if kind == KIND_CAPSULE {
        part.count = 2u;
        part.radius = bitcast<f32>(second.w);
    } else if kind == KIND_CONVEX_HULL {
        let form = form_vector(searches, second.x & ((1u << HULL_FORM_BITS) - 1u));
        part.begin = form.x;
        part.count = form.y;
        part.largest_sum = bitcast<f32>(form.z);
    }
    hull_parts[body] = part;
}

fn rough_diagonal(a: f32, b: f32, twice: f32) -> f32 {
    return det_sub(1.0f, det_mul(det_add(a, b), twice));
}

// Sets the axes of a body by its quaternion, in single words. Returns whether that is in the domain.
fn set_rough_axes(body: u32, turn: vec4u) -> bool {
    let largest = max(largest_exponent(turn.xyz), exponent_of(turn.w));
    if !is_in_domain(largest) {
        return false;
    }
    hull_turns[body] = turn;
    let scale = bitcast<f32>((254u - largest) << 23u);
    let v = det_scale3(cleaned(turn.xyz), scale);
    let w = det_mul(det_clean(bitcast<f32>(turn.w)), scale);
    let xx = det_mul(v.x, v.x);
    let yy = det_mul(v.y, v.y);
    let zz = det_mul(v.z, v.z);
    let twice = det_mul(2.0f, det_recip(det_add(det_add(xx, yy), det_add(zz, det_mul(w, w)))));
    let xy = det_mul(v.x, v.y);
    let xz = det_mul(v.x, v.z);
    let yz = det_mul(v.y, v.z);
    let wx = det_mul(w, v.x);
    let wy = det_mul(w, v.y);
    let wz = det_mul(w, v.z);
    hull_axes[3u * body] = vec3f(
        rough_diagonal(yy, zz, twice),
        det_mul(det_add(xy, wz), twice),
        det_mul(det_sub(xz, wy), twice),
    );
    hull_axes[3u * body + 1u] = vec3f(
        det_mul(det_sub(xy, wz), twice),
        rough_diagonal(xx, zz, twice),
        det_mul(det_add(yz, wx), twice),
    );
    hull_axes[3u * body + 2u] = vec3f(
        det_mul(det_add(xz, wy), twice),
        det_mul(det_sub(yz, wx), twice),
        rough_diagonal(xx, yy, twice),
    );
    return true;
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

// The exponent of a body's largest length.
fn part_exponent(body: u32) -> u32 {
    let part = hull_parts[body];
    if part.kind == KIND_SPHERE {
        return exponent_of(bitcast<u32>(part.radius));
    }
    if part.kind == KIND_OBB {
        return largest_of(part.second);
    }
    if part.kind == KIND_CONVEX_HULL {
        return ((bitcast<u32>(part.second.x) >> HULL_FORM_BITS) & 255u) + HULL_STEP_BITS - 1u;
    }
    return max(largest_of(det_sub3(part.second, part.place)), exponent_of(bitcast<u32>(part.radius)));
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

// What a search has found: a verdict and, if that is open, the direction along which all differences are furthest, and the corners of four
// differences that may be around 0.
struct HullSearch {
    verdict: u32,
    best: vec3f,
    has_four: bool,
    four: vec4u,
}

// Whether the cores of both bodies are further apart than a length, or nearer.
fn search_hull(reach: f32) -> HullSearch {
    var nearest = corner_difference(0u, 0u);
    var simplex = simplex_of(Corner(nearest, 0u));
    var found = HullSearch(UNDECIDED, vec3f(), false, vec4u());
    var furthest = det_neg(NEAR_FARTHEST);
    for (var turn = params.zero; turn < HULL_ROUNDS; turn++) {
        let near_square = det_dot3(nearest, nearest);
        if reach > 0.0f && det_add(det_mul(near_square, det_rsqrt(near_square)), hull_error) < reach {
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
        if det_sub(height, hull_error) > reach {
            found.verdict = MISS;
            break;
        }
        if height > furthest {
            found.best = towards;
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
            break;
        }
        let point = point_of_simplex(grown);
        if !(det_dot3(point, point) < near_square) {
            break;
        }
        simplex = grown;
        nearest = point;
    }
    return found;
}

// The lower kind of the bucket: the other one is that of hulls.
fn other_kind() -> u32 {
    var kind = 0u;
    for (var k = 0u; k < KINDS; k++) {
        if bucket_of(k, KIND_CONVEX_HULL) == params.bucket {
            kind = k;
        }
    }
    return kind;
}

// The radius of the other body and the margin, scaled.
fn hull_reach() -> vec2f {
    return vec2f(det_mul(det_clean(hull_parts[0].radius), hull_scale), det_mul(det_clean(params.margin), hull_scale));
}

// Sets a pair of a body of this kind and a hull, and returns what is certain of it in single words.
fn search_pair(pair: Pair, kind: u32) -> HullSearch {
    let nothing = HullSearch(UNDECIDED, vec3f(), false, vec4u());
    if ((pair.a.w | pair.b.w) & OUTSIDE_DOMAIN) != 0u {
        return nothing;
    }
    set_hull_part(0u, kind, pair.a, slot_shapes[2u * pair.slot_a + 1u], !pair.b_searches);
    set_hull_part(1u, KIND_CONVEX_HULL, pair.b, slot_shapes[2u * pair.slot_b + 1u], pair.b_searches);
    let a = hull_parts[0].place;
    let b = hull_parts[1].place;
    hull_scale = 1.0f;
    let lengths = max(max(part_exponent(0u), part_exponent(1u)), exponent_of(bitcast<u32>(params.margin)));
    let size = max(largest_of(way_between(a, b)), lengths);
    if !is_in_domain(size) || !set_rough_axes(1u, slot_rotations[pair.slot_b]) {
        return nothing;
    }
    if hull_parts[0].turns && !set_rough_axes(0u, slot_rotations[pair.slot_a]) {
        return nothing;
    }
    hull_scale = bitcast<f32>((254u - size) << 23u);
    hull_t = way_between(a, b);
    let corners = det_add(det_mul(largest_sum_of(0u), hull_scale), det_mul(largest_sum_of(1u), hull_scale));
    hull_error = det_add(det_mul(HULL_OF_CORNERS, corners), det_mul(HULL_OF_WAY, sum_of_coordinates(hull_t)));
    let reach = hull_reach();
    return search_hull(det_add(reach.x, reach.y));
}
