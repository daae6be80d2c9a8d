// Whether a hull and another body are nearer than a margin, with the same bits on every adapter and on the CPU: the twin of src/near/hull, where
// the search and its errors are explained. For modules with arrays `hulls_a` and `hulls_b`: of each local form where its corners begin, how many
// they are and the largest sum of a corner's coordinates; and then the corners.
// import: lib/simplex, lib/det_rotation, lib/det_heights

const HULL_ROUNDS = 24u;
const HULL_LEAST_SQUARE = 0x1p-44f;
const HULL_LEAST_STEP = 0x1p-22f;
const HULL_OF_CORNERS = 0x1p-17f;
const HULL_OF_WAY = 0x1p-19f;
const HULL_LOW = 0x1p-13f;
const HULL_FINE = 0x1p-32f;
const HULL_OF_HEIGHT = 2.5f;
const HULL_OF_VOLUME = 0x1p-19f;
const HULL_FINE_VOLUME = 0x1p-30f;

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
var<private> hull_t: array<DetDouble, 3>;
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

// An entry of the rotation that was set in double words.
fn precise_entry(k: u32) -> DetDouble {
    return DetDouble(high[k], low[k]);
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

fn way_between(to: f32, origin: f32) -> DetDouble {
    let way = det_two_sum(det_clean(to), det_neg(det_clean(origin)));
    return DetDouble(det_mul(way.high, hull_scale), det_mul(way.low, hull_scale));
}

// A corner of the other body that is given where it is.
fn fixed_corner(i: u32) -> array<DetDouble, 3> {
    let is_second = select(corner_bits(i), vec3<bool>(i == 1u), hull_parts[0].kind == KIND_CAPSULE);
    let at = select(hull_parts[0].place, hull_parts[0].second, is_second);
    let origin = hull_parts[1].place;
    return array<DetDouble, 3>(way_between(at.x, origin.x), way_between(at.y, origin.y), way_between(at.z, origin.z));
}

fn high_of(v: array<DetDouble, 3>) -> vec3f {
    return vec3f(v[0].high, v[1].high, v[2].high);
}

fn turned_corner(body: u32, i: u32) -> vec3f {
    let at = det_scale3(local_corner(body, i), hull_scale);
    let sum = det_add3(det_scale3(hull_axes[3u * body], at.x), det_scale3(hull_axes[3u * body + 1u], at.y));
    return det_add3(sum, det_scale3(hull_axes[3u * body + 2u], at.z));
}

fn corner_difference(i: u32, j: u32) -> vec3f {
    var first: vec3f;
    if hull_parts[0].turns {
        first = det_add3(high_of(hull_t), turned_corner(0u, i));
    } else {
        first = high_of(fixed_corner(i));
    }
    return det_sub3(first, turned_corner(1u, j));
}

// A coordinate of a corner that is turned by the rotation that was set, in double words.
fn turned_precise(at: vec3f, k: u32) -> DetDouble {
    let sum = det_add_double(
        det_mul_double(precise_entry(k), single(at.x)),
        det_mul_double(precise_entry(3u + k), single(at.y)),
    );
    return det_add_double(sum, det_mul_double(precise_entry(6u + k), single(at.z)));
}

// Four differences in double words.
var<private> hull_points: array<array<DetDouble, 3>, 4>;

fn set_precise_points(given: vec4u) {
    var corners = given;
    // (`zero` keeps compilers from writing this out twice.)
    for (var body = params.zero; body < 2u; body++) {
        let turns = hull_parts[body].turns;
        if turns {
            set_rotation_of(hull_turns[body]);
        }
        for (var n = params.zero; n < 4u; n++) {
            let corner = select(corners[n] & 255u, corners[n] >> 8u, body == 0u);
            if !turns {
                hull_points[n] = fixed_corner(corner);
                continue;
            }
            let at = det_scale3(local_corner(body, corner), hull_scale);
            for (var k = params.zero; k < 3u; k++) {
                let turned = turned_precise(at, k);
                if body == 0u {
                    hull_points[n][k] = det_add_double(hull_t[k], turned);
                } else {
                    hull_points[n][k] = det_sub_double(hull_points[n][k], turned);
                }
            }
        }
    }
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
    return det_dot3(seen, high_of(fixed_corner(i)));
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

fn scaled_double(x: DetDouble) -> DetDouble {
    return DetDouble(det_mul(x.high, hull_scale), det_mul(x.low, hull_scale));
}

// How high the lowest corner of a body is along a direction, in double words; that of the other body from the hull's position.
fn lowest_precise(body: u32, towards: vec3f) -> DetDouble {
    let turns = hull_parts[body].turns;
    let seen = seen_by(body, towards);
    let limit = det_add(lowest_corner(body, towards).height, HULL_LOW);
    var along: array<DetDouble, 3>;
    if turns {
        set_rotation_of(hull_turns[body]);
        for (var k = params.zero; k < 3u; k++) {
            let seen_along = dot_double(towards, precise_entry(3u * k), precise_entry(3u * k + 1u), precise_entry(3u * k + 2u));
            along[k] = scaled_double(seen_along);
        }
    }
    var best = DetDouble(NEAR_FARTHEST, 0.0f);
    for (var i = 0u; i < hull_parts[body].count; i++) {
        if corner_height(body, i, seen) > limit {
            continue;
        }
        var height: DetDouble;
        if turns {
            height = dot_double(local_corner(body, i), along[0], along[1], along[2]);
        } else {
            let at = fixed_corner(i);
            height = dot_double(towards, at[0], at[1], at[2]);
        }
        if det_less_double(height, best) {
            best = height;
        }
    }
    if body == 0u && turns {
        best = det_add_double(best, dot_double(towards, hull_t[0], hull_t[1], hull_t[2]));
    }
    return best;
}

// How far all differences are along a direction, in double words, less the error.
fn hull_at_least(towards: vec3f) -> DetDouble {
    let n = scaled_direction(towards);
    var along = single(0.0f);
    // (`zero` keeps compilers from writing this out twice.)
    for (var body = params.zero; body < 2u; body++) {
        along = det_add_double(along, lowest_precise(body, select(det_neg3(n), n, body == 0u)));
    }
    return det_sub_double(det_mul_double(along, rsqrt_double(square_double(n))), single(HULL_FINE));
}

fn cross_doubles(a: array<DetDouble, 3>, b: array<DetDouble, 3>) -> array<DetDouble, 3> {
    return array<DetDouble, 3>(
        det_sub_double(det_mul_double(a[1], b[2]), det_mul_double(a[2], b[1])),
        det_sub_double(det_mul_double(a[2], b[0]), det_mul_double(a[0], b[2])),
        det_sub_double(det_mul_double(a[0], b[1]), det_mul_double(a[1], b[0])),
    );
}

fn dot_doubles(a: array<DetDouble, 3>, b: array<DetDouble, 3>) -> f32 {
    let sum = det_add_double(det_mul_double(a[0], b[0]), det_mul_double(a[1], b[1]));
    return det_add_double(sum, det_mul_double(a[2], b[2])).high;
}

fn have_one_sign(volumes: vec4f, bound: f32) -> bool {
    return all(volumes > vec4f(bound)) || all(volumes < vec4f(det_neg(bound)));
}

fn largest_coordinate(v: vec3f) -> f32 {
    return det_max(det_max(det_abs(v.x), det_abs(v.y)), det_abs(v.z));
}

// Whether 0 is certainly inside the tetrahedron of four differences.
fn do_surround(given: Simplex, precisely: bool) -> bool {
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
    if have_one_sign(volumes, det_mul(det_mul(largest, largest), bound)) {
        return true;
    }
    return precisely && do_precisely_surround(given.signs);
}

fn do_precisely_surround(corners: vec4u) -> bool {
    set_precise_points(corners);
    var largest = 0.0f;
    for (var k = params.zero; k < 4u; k++) {
        largest = det_max(largest, largest_coordinate(high_of(hull_points[k])));
    }
    let of_first = cross_doubles(hull_points[0], hull_points[1]);
    let volumes = vec4f(
        dot_doubles(cross_doubles(hull_points[1], hull_points[2]), hull_points[3]),
        dot_doubles(cross_doubles(hull_points[2], hull_points[0]), hull_points[3]),
        dot_doubles(of_first, hull_points[3]),
        det_neg(dot_doubles(of_first, hull_points[2])),
    );
    return have_one_sign(volumes, det_mul(HULL_FINE_VOLUME, det_mul(largest, largest)));
}

// At right angles to a triangle, away from 0; 0 of other simplices.
fn normal_of_simplex(simplex: Simplex) -> vec3f {
    if simplex.count != 3u {
        return vec3f();
    }
    let normal = det_cross3(det_sub3(simplex.b, simplex.a), det_sub3(simplex.c, simplex.a));
    return select(normal, det_neg3(normal), det_dot3(normal, simplex.a) < 0.0f);
}

// Whether the cores of both bodies are further apart than a length, or nearer.
fn decide_hull(reach: DetDouble, precisely: bool) -> u32 {
    var nearest = corner_difference(0u, 0u);
    var simplex = simplex_of(Corner(nearest, 0u));
    var best = vec3f();
    var furthest = det_neg(NEAR_FARTHEST);
    for (var turn = params.zero; turn < HULL_ROUNDS; turn++) {
        let near_square = det_dot3(nearest, nearest);
        if reach.high > 0.0f && det_add(det_mul(near_square, det_rsqrt(near_square)), hull_error) < reach.high {
            return HIT;
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
        if det_sub(height, hull_error) > reach.high {
            return MISS;
        }
        if height > furthest {
            best = towards;
            furthest = height;
        }
        let least_step = det_max(HULL_LEAST_STEP, det_mul(HULL_LEAST_STEP, before));
        if det_sub(before, height) < least_step || simplex_has(simplex, corner.signs) {
            break;
        }
        let grown = simplex_with(simplex, corner);
        if grown.count == 4u {
            if do_surround(grown, precisely) {
                return HIT;
            }
            break;
        }
        let point = point_of_simplex(grown);
        if !(det_dot3(point, point) < near_square) {
            break;
        }
        simplex = grown;
        nearest = point;
    }
    if precisely && any(best != vec3f()) && det_sub_double(hull_at_least(best), reach).high > 0.0f {
        return MISS;
    }
    return UNDECIDED;
}

// What is certain of both bodies, which may be so far apart: in double words where single words do not suffice, if that is wanted.
fn hull_verdict(turn_first: vec4u, turn_hull: vec4u, margin: f32, precisely: bool) -> u32 {
    let a = hull_parts[0].place;
    let b = hull_parts[1].place;
    hull_scale = 1.0f;
    let between = vec3f(way_between(a.x, b.x).high, way_between(a.y, b.y).high, way_between(a.z, b.z).high);
    let lengths = max(max(part_exponent(0u), part_exponent(1u)), exponent_of(bitcast<u32>(margin)));
    let size = max(largest_of(between), lengths);
    if !is_in_domain(size) || !set_rough_axes(1u, turn_hull) {
        return UNDECIDED;
    }
    if hull_parts[0].turns && !set_rough_axes(0u, turn_first) {
        return UNDECIDED;
    }
    hull_scale = bitcast<f32>((254u - size) << 23u);
    hull_t = array<DetDouble, 3>(way_between(a.x, b.x), way_between(a.y, b.y), way_between(a.z, b.z));
    let corners = det_add(det_mul(largest_sum_of(0u), hull_scale), det_mul(largest_sum_of(1u), hull_scale));
    let way = sum_of_coordinates(high_of(hull_t));
    hull_error = det_add(det_mul(HULL_OF_CORNERS, corners), det_mul(HULL_OF_WAY, way));
    let radius = det_mul(det_clean(hull_parts[0].radius), hull_scale);
    return decide_hull(det_two_sum(radius, det_mul(det_clean(margin), hull_scale)), precisely);
}
