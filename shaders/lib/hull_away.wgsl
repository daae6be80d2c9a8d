// How far apart a hull and another body are, and where they are nearest, with the same bits on every adapter and on the CPU: the twin of
// src/near/hull/apart.rs. For modules with arrays `frames_a` and `frames_b`.
// import: lib/hulls, lib/det_heights

// Where the frames of the two bodies begin.
var<private> frames_at: vec2u;
// What rounding left of the axes, as `hull_axes` has them; the half extents of the other body, if it is no hull, and where it is, in double words.
var<private> away_low: array<vec3f, 6>;
var<private> away_half: array<DetDouble, 3>;
var<private> away_t: array<DetDouble, 3>;

struct Away {
    // (−1: for the host to compute.)
    away: f32,
    on_other: vec3f,
    on_hull: vec3f,
}

fn frame_vector(second: bool, number: u32) -> vec4u {
    if second {
        return frames_b[frames_at.y + number];
    }
    return frames_a[frames_at.x + number];
}

fn kind_of_frame(second: bool) -> u32 {
    return frame_vector(second, 0u).w & FRAME_KIND;
}

// A body as the search sees it: what is no hull is a box with three, one or no extents, and a radius. Returns the exponent of its largest length, and
// whether it is in the domain.
fn set_away_part(body: u32, second: bool) -> vec2u {
    let head = frame_vector(second, 0u);
    var axes: array<vec4u, 3>;
    for (var k = 0u; k < 3u; k++) {
        axes[k] = frame_vector(second, 1u + k);
        hull_axes[3u * body + k] = bitcast<vec3f>(axes[k].xyz);
        away_low[3u * body + k] = bitcast<vec3f>(frame_vector(second, 5u + k).xyz);
    }
    let kind = head.w & FRAME_KIND;
    var part = HullPart(KIND_CONVEX_HULL, true, 0u, 0u, bitcast<vec3f>(head.xyz), vec3f(), 0.0f, !second, 0.0f);
    var size = (head.w >> 8u) & 255u;
    var is_within = size != 0u || (head.w & FRAME_IS_POINT) != 0u;
    if kind == KIND_CONVEX_HULL {
        is_within = (head.w & FRAME_IS_HULL) != 0u;
        if is_within {
            let form = form_vector(!second, axes[0].w & ((1u << HULL_FORM_BITS) - 1u));
            part.begin = form.x;
            part.count = form.y;
            part.largest_sum = bitcast<f32>(form.z);
            size = ((axes[0].w >> HULL_FORM_BITS) & 255u) + HULL_STEP_BITS - 1u;
        }
    } else {
        let extents = select(select(3u, 1u, kind == KIND_CAPSULE), 0u, kind == KIND_SPHERE);
        part.kind = KIND_OBB;
        part.count = select(select(8u, 2u, kind == KIND_CAPSULE), 1u, kind == KIND_SPHERE);
        let half = bitcast<vec3f>(vec3u(axes[0].w, axes[1].w, axes[2].w));
        part.second = select(vec3f(), half, vec3u(0u, 1u, 2u) < vec3u(extents));
        part.radius = select(0.0f, half.z, extents < 3u);
    }
    hull_parts[body] = part;
    return vec2u(size, u32(is_within));
}

fn double_times(x: DetDouble, factor: f32) -> DetDouble {
    return DetDouble(det_mul(x.high, factor), det_mul(x.low, factor));
}

fn negated(v: array<DetDouble, 3>) -> array<DetDouble, 3> {
    return array<DetDouble, 3>(det_neg_double(v[0]), det_neg_double(v[1]), det_neg_double(v[2]));
}

// A coordinate of the place of a body, scaled.
fn place_along(second: bool, k: u32, scale: f32) -> DetDouble {
    let at = DetDouble(bitcast<f32>(frame_vector(second, 0u)[k]), bitcast<f32>(frame_vector(second, 4u)[k]));
    return double_times(at, scale);
}

// From the hull to the other body, scaled.
fn set_away_t(hull_is_b: bool, scale: f32) {
    for (var k = params.zero; k < 3u; k++) {
        away_t[k] = det_sub_double(place_along(!hull_is_b, k, scale), place_along(hull_is_b, k, scale));
    }
    hull_t = vec3f(away_t[0].high, away_t[1].high, away_t[2].high);
}

// An axis of a body.
fn away_axis(number: u32) -> array<DetDouble, 3> {
    let high = hull_axes[number];
    let low = away_low[number];
    return array<DetDouble, 3>(DetDouble(high.x, low.x), DetDouble(high.y, low.y), DetDouble(high.z, low.z));
}

fn times_axis(axis: array<DetDouble, 3>, factor: DetDouble) -> array<DetDouble, 3> {
    return array<DetDouble, 3>(
        det_mul_double(axis[0], factor),
        det_mul_double(axis[1], factor),
        det_mul_double(axis[2], factor),
    );
}

fn add_doubles(a: array<DetDouble, 3>, b: array<DetDouble, 3>) -> array<DetDouble, 3> {
    return array<DetDouble, 3>(det_add_double(a[0], b[0]), det_add_double(a[1], b[1]), det_add_double(a[2], b[2]));
}

// A corner in double words, from the position of its body.
fn away_corner(body: u32, i: u32) -> array<DetDouble, 3> {
    var local: array<DetDouble, 3>;
    if hull_parts[body].kind == KIND_CONVEX_HULL {
        let at = det_scale3(local_corner(body, i), hull_scale);
        local = array<DetDouble, 3>(single(at.x), single(at.y), single(at.z));
    } else {
        for (var k = 0u; k < 3u; k++) {
            local[k] = away_half[k];
            if ((i >> k) & 1u) == 0u {
                local[k] = det_neg_double(local[k]);
            }
        }
    }
    var sum: array<DetDouble, 3>;
    // (`zero` keeps compilers from writing this out three times.)
    for (var k = params.zero; k < 3u; k++) {
        let part = times_axis(away_axis(3u * body + k), local[k]);
        if k == 0u {
            sum = part;
        } else {
            sum = add_doubles(sum, part);
        }
    }
    return sum;
}

// The differences of corners of a simplex, and the ways from the first to the others.
var<private> away_points: array<array<DetDouble, 3>, 3>;

// From 0 to the point, the segment or the plane of the corners of a simplex, if it is no tetrahedron.
fn across_simplex() -> array<DetDouble, 3> {
    var signs = hull_simplex.signs;
    for (var n = params.zero; n < hull_simplex.count; n++) {
        var point = away_t;
        for (var body = params.zero; body < 2u; body++) {
            let corner = away_corner(body, select(signs[n] & 255u, signs[n] >> 8u, body == 0u));
            if body == 0u {
                point = add_doubles(point, corner);
            } else {
                point = add_doubles(point, negated(corner));
            }
        }
        if n > 0u {
            point = add_doubles(point, negated(away_points[0]));
        }
        away_points[n] = point;
    }
    let p = away_points[0];
    if hull_simplex.count == 1u {
        return p;
    }
    let way = away_points[1];
    if hull_simplex.count == 2u {
        return add_doubles(times_axis(p, dot_doubles(way, way)), negated(times_axis(way, dot_doubles(p, way))));
    }
    let normal = cross_doubles(way, away_points[2]);
    if dot_doubles(normal, p).high < 0.0f {
        return negated(normal);
    }
    return normal;
}

// How high the lowest corner of a hull is along a direction, from its position.
fn away_lowest(body: u32, direction: array<DetDouble, 3>) -> DetDouble {
    let rough = vec3f(direction[0].high, direction[1].high, direction[2].high);
    let seen = seen_by(body, rough);
    let limit = det_add(lowest_corner(body, rough).height, HULL_LOW);
    var along: array<DetDouble, 3>;
    for (var k = params.zero; k < 3u; k++) {
        along[k] = double_times(dot_doubles(direction, away_axis(3u * body + k)), hull_scale);
    }
    var best = DetDouble(NEAR_FARTHEST, 0.0f);
    for (var i = 0u; i < hull_parts[body].count; i++) {
        let corner = local_corner(body, i);
        if det_dot3(seen, corner) > limit {
            continue;
        }
        let height = dot_double(corner, along[0], along[1], along[2]);
        if det_less_double(height, best) {
            best = height;
        }
    }
    return best;
}

// A length as a single word that is not above it, and 0 or more.
fn rounded_down(x: DetDouble) -> f32 {
    if !(x.high > 0.0f) {
        return 0.0f;
    }
    return det_hide(bitcast<u32>(x.high) - select(0u, 1u, x.low < 0.0f));
}

fn high_part(v: array<DetDouble, 3>) -> vec3f {
    return vec3f(v[0].high, v[1].high, v[2].high);
}

// A direction that is not 0, scaled by a power of two so that its largest number is from 1 to 2.
fn scaled_doubles(direction: array<DetDouble, 3>) -> array<DetDouble, 3> {
    let scale = bitcast<f32>((254u - largest_of(high_part(direction))) << 23u);
    var n: array<DetDouble, 3>;
    for (var k = 0u; k < 3u; k++) {
        n[k] = double_times(direction[k], scale);
    }
    return n;
}

// How far apart the bodies are along a scaled direction, which is how far all differences are.
fn away_height(n: array<DetDouble, 3>) -> DetDouble {
    var along = dot_doubles(n, away_t);
    // (`zero` keeps compilers from writing this out twice.)
    for (var k = params.zero; k < 2u; k++) {
        let body = 1u - k;
        if hull_parts[body].kind == KIND_CONVEX_HULL {
            var seen = n;
            if body == 1u {
                seen = negated(n);
            }
            along = det_add_double(along, away_lowest(body, seen));
            continue;
        }
        for (var axis = params.zero; axis < 3u; axis++) {
            let cosine = abs_double(dot_doubles(n, away_axis(axis)));
            along = det_sub_double(along, det_mul_double(cosine, away_half[axis]));
        }
    }
    let height = det_mul_double(along, rsqrt_double(dot_doubles(n, n)));
    return det_sub_double(height, single(det_mul(hull_parts[0].radius, hull_scale)));
}

// A length that the distance of the bodies is at least, from how far apart they are along a direction.
fn at_least(height: DetDouble) -> f32 {
    return rounded_down(det_sub_double(height, single(HULL_FINE)));
}

// The point of a body that is nearest, from its position, by the weights of the simplex.
fn nearest_corner_sum(body: u32) -> vec3f {
    var sum = vec3f();
    var signs = hull_simplex.signs;
    var weights = hull_simplex.weights;
    for (var k = params.zero; k < hull_simplex.count; k++) {
        let corner = select(signs[k] & 255u, signs[k] >> 8u, body == 0u);
        sum = det_add3(sum, det_scale3(turned_corner(body, corner), weights[k]));
    }
    return sum;
}

fn for_the_host() -> Away {
    return Away(det_neg(1.0f), vec3f(), vec3f());
}

// Sets both bodies, none of which is a half-space, scaled so that a length of the exponent that this returns is from 1 to 2; 0 outside the domain.
fn set_away_pair(hull_is_b: bool) -> u32 {
    let of_first = set_away_part(0u, !hull_is_b);
    let of_hull = set_away_part(1u, hull_is_b);
    set_away_t(hull_is_b, 1.0f);
    let size = max(largest_of(hull_t), max(of_first.x, of_hull.x));
    let reach = max(frame_vector(false, 0u).w >> 16u, frame_vector(true, 0u).w >> 16u);
    if (of_first.y & of_hull.y) == 0u || !is_in_domain(size) || reach > size + HULL_REACH {
        return 0u;
    }
    hull_scale = bitcast<f32>((254u - size) << 23u);
    set_away_t(hull_is_b, hull_scale);
    set_hull_error();
    for (var k = 0u; k < 3u; k++) {
        let low = bitcast<f32>(frame_vector(!hull_is_b, 5u + k).w);
        let is_extent = hull_parts[0].kind == KIND_OBB && hull_parts[0].count >= select(2u, 8u, k > 0u);
        away_half[k] = DetDouble(det_mul(hull_parts[0].second[k], hull_scale), 0.0f);
        if is_extent {
            away_half[k].low = det_mul(low, hull_scale);
        }
    }
    return size;
}

// Of a hull and another body that is no half-space.
fn hull_away(hull_is_b: bool) -> Away {
    let size = set_away_pair(hull_is_b);
    if size == 0u {
        return for_the_host();
    }
    let found = search_hull(det_neg(1.0f), NEAR_FARTHEST);
    let nearest = point_of_simplex(hull_simplex);
    let apart = det_length3(nearest);
    let radius = det_mul(hull_parts[0].radius, hull_scale);
    var least = 0.0f;
    if !found.has_four {
        var direction = array<DetDouble, 3>(single(found.best.x), single(found.best.y), single(found.best.z));
        for (var k = params.zero; k < 2u; k++) {
            if k == 1u {
                direction = across_simplex();
            }
            if largest_of(high_part(direction)) != 0u {
                least = det_max(least, at_least(away_height(scaled_doubles(direction))));
            }
        }
        if det_sub(det_sub(apart, radius), least) > hull_error {
            return for_the_host();
        }
    }
    let back = bitcast<f32>(size << 23u);
    var away = Away(det_mul(least, back), vec3f(), vec3f());
    away.on_hull = det_add3(hull_parts[1].place, det_scale3(nearest_corner_sum(1u), back));
    away.on_other = away.on_hull;
    if !found.has_four && apart > radius {
        let from_place = det_sub3(nearest_corner_sum(0u), step_along(nearest, radius));
        away.on_other = det_add3(hull_parts[0].place, det_scale3(from_place, back));
    }
    return away;
}
