// What single words leave open of a hull and another body, in double words, with the same bits on every adapter and on the CPU: the twin of
// src/near/hull.
// import: lib/hull_slots, lib/det_rotation, lib/det_heights

// Where the other body is.
var<private> precise_t: array<DetDouble, 3>;

fn precise_between(to: f32, origin: f32) -> DetDouble {
    return scaled_double(det_two_sum(det_clean(to), det_neg(det_clean(origin))));
}

// The way from the hull's position to a place.
fn precise_way(to: vec3f) -> array<DetDouble, 3> {
    let origin = hull_parts[1].place;
    return array<DetDouble, 3>(precise_between(to.x, origin.x), precise_between(to.y, origin.y), precise_between(to.z, origin.z));
}

fn high_of(v: array<DetDouble, 3>) -> vec3f {
    return vec3f(v[0].high, v[1].high, v[2].high);
}

// An entry of the rotation that was set in double words.
fn precise_entry(k: u32) -> DetDouble {
    return DetDouble(high[k], low[k]);
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
                hull_points[n] = precise_way(corner_place(corner));
                continue;
            }
            let at = det_scale3(local_corner(body, corner), hull_scale);
            for (var k = params.zero; k < 3u; k++) {
                let turned = turned_precise(at, k);
                if body == 0u {
                    hull_points[n][k] = det_add_double(precise_t[k], turned);
                } else {
                    hull_points[n][k] = det_sub_double(hull_points[n][k], turned);
                }
            }
        }
    }
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
            let at = precise_way(corner_place(i));
            height = dot_double(towards, at[0], at[1], at[2]);
        }
        if det_less_double(height, best) {
            best = height;
        }
    }
    if body == 0u && turns {
        best = det_add_double(best, dot_double(towards, precise_t[0], precise_t[1], precise_t[2]));
    }
    return best;
}

// How far apart the cores may be, in double words.
fn precise_reach() -> DetDouble {
    let reach = hull_reach();
    return det_add_double(det_two_sum(reach.x, reach.y), det_two_sum(reach.z, reach.w));
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

fn do_precisely_surround(corners: vec4u) -> bool {
    set_precise_points(corners);
    var largest = 0.0f;
    for (var k = params.zero; k < 4u; k++) {
        largest = det_max(largest, largest_coordinate(high_of(hull_points[k])));
    }
    let of_first = cross_doubles(hull_points[0], hull_points[1]);
    let volumes = vec4f(
        dot_doubles(cross_doubles(hull_points[1], hull_points[2]), hull_points[3]).high,
        dot_doubles(cross_doubles(hull_points[2], hull_points[0]), hull_points[3]).high,
        dot_doubles(of_first, hull_points[3]).high,
        det_neg(dot_doubles(of_first, hull_points[2]).high),
    );
    return have_one_sign(volumes, det_mul(HULL_FINE_VOLUME, det_mul(largest, largest)));
}

// Decides on a half-space and a hull.
fn verdict_over(pair: Pair) -> u32 {
    if !set_hull_pair(pair, KIND_PLANE) {
        return UNDECIDED;
    }
    let normal = hull_parts[0].place;
    let offset = hull_parts[0].second.x;
    let place = hull_parts[1].place;
    let of_normal = largest_of(normal);
    let of_offset = exponent_of(bitcast<u32>(offset)) + 127u;
    let lengths = max(max(part_exponent(1u), largest_of(place)), largest_of(hull_margins));
    let size = max(lengths, max(of_offset, of_normal) - of_normal);
    if !is_in_domain(of_normal) || !is_in_domain(size) || !set_rotation_of(slot_rotations[pair.slot_b]) {
        return UNDECIDED;
    }
    hull_scale = bitcast<f32>((254u - size) << 23u);
    let inverse = bitcast<f32>((254u - of_normal) << 23u);
    let n = det_scale3(cleaned(bitcast<vec3u>(normal)), inverse);
    var along: array<DetDouble, 3>;
    // (`zero` keeps compilers from writing this out three times.)
    for (var k = params.zero; k < 3u; k++) {
        along[k] = dot_double(n, precise_entry(3u * k), precise_entry(3u * k + 1u), precise_entry(3u * k + 2u));
    }
    var height = DetDouble(NEAR_FARTHEST, 0.0f);
    for (var i = 0u; i < hull_parts[1].count; i++) {
        let corner = dot_double(det_scale3(local_corner(1u, i), hull_scale), along[0], along[1], along[2]);
        if det_less_double(corner, height) {
            height = corner;
        }
    }
    let at = det_scale3(cleaned(bitcast<vec3u>(place)), hull_scale);
    let border = det_mul(det_mul(det_clean(offset), inverse), hull_scale);
    height = det_add_double(height, dot_double(n, single(at.x), single(at.y), single(at.z)));
    height = det_sub_double(height, single(border));
    let sizes = det_add(det_add(det_mul(hull_parts[1].largest_sum, hull_scale), sum_of_coordinates(at)), det_abs(border));
    let error = det_add(det_mul(HULL_OF_HEIGHT_OVER, sizes), HULL_FINE);
    let gap = det_mul_double(height, rsqrt_double(square_double(n)));
    let beyond = det_sub_double(gap, precise_reach()).high;
    return select(select(UNDECIDED, HIT, beyond < det_neg(error)), MISS, beyond > error);
}

// Decides on a pair, in double words where single words do not suffice.
fn precise_verdict(pair: Pair, kind: u32) -> u32 {
    if kind == KIND_PLANE {
        return verdict_over(pair);
    }
    let found = search_pair(pair, kind);
    if found.verdict != UNDECIDED {
        return found.verdict;
    }
    // (There is neither outside the domain.)
    let has_best = any(found.best != vec3f());
    if !(found.has_four || has_best) {
        return UNDECIDED;
    }
    precise_t = precise_way(hull_parts[0].place);
    if found.has_four && do_precisely_surround(found.four) {
        return HIT;
    }
    let is_apart = has_best && det_sub_double(hull_at_least(found.best), precise_reach()).high > 0.0f;
    return select(UNDECIDED, MISS, is_apart);
}
