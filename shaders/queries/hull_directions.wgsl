// Along which direction the bodies of each pair meet of which one is a hull and none a half-space, or are apart, and how far: the twin of
// src/near/hull/axis.rs. It takes the place of what `hull_ways` has left where the points of the contact will be.
// import: lib/ledger, lib/hull_away

struct Axis {
    is_found: bool,
    // From the other body to the hull, of unit length, rounded.
    normal: vec3f,
    // How far apart they are along it: against their depth if they are in each other.
    height: DetDouble,
    // A length that their distance is at least.
    apart: f32,
}

fn no_axis() -> Axis {
    return Axis(false, vec3f(), single(0.0f), 0.0f);
}

// The better one of two directions.
fn axis_along(rough: vec3f, fine: array<DetDouble, 3>) -> Axis {
    var axis = no_axis();
    var along: array<DetDouble, 3>;
    var direction = array<DetDouble, 3>(single(rough.x), single(rough.y), single(rough.z));
    // (`zero` keeps compilers from writing this out twice.)
    for (var k = params.zero; k < 2u; k++) {
        if k == 1u {
            direction = fine;
        }
        if largest_of(high_part(direction)) == 0u {
            continue;
        }
        let n = scaled_doubles(direction);
        let height = away_height(n);
        axis.apart = det_max(axis.apart, at_least(height));
        if !axis.is_found || det_less_double(axis.height, height) {
            axis.is_found = true;
            axis.height = height;
            along = n;
        }
    }
    let inverse = det_neg_double(rsqrt_double(dot_doubles(along, along)));
    axis.normal = high_part(times_axis(along, inverse));
    return axis;
}

// From where the search has ended; then, of bodies that are in each other, along the shortest way out.
fn find_axis(to: u32) -> Axis {
    let search = bitcast<vec4f>(manifolds[to]);
    let words = manifolds[to + 1u];
    let way_out = manifolds[to + 2u];
    let radius = det_mul(hull_parts[0].radius, hull_scale);
    hull_simplex.count = (words.y >> 16u) & 7u;
    hull_simplex.signs = vec4u(words.x & 0xffffu, words.x >> 16u, words.y & 0xffffu, 0u);
    var rough = search.xyz;
    // (One turn if the search has found four differences around 0.)
    for (var turn = params.zero + select(0u, 1u, (words.y & HULL_HAS_FOUR) != 0u); turn < 2u; turn++) {
        if turn == 1u {
            if (words.y & HULL_HAS_WAY_OUT) == 0u {
                return no_axis();
            }
            rough = bitcast<vec3f>(way_out.xyz);
            hull_simplex.count = 3u;
            hull_simplex.signs = vec4u(words.w & 0xffffu, words.w >> 16u, way_out.w, 0u);
        }
        var fine = across_simplex();
        if turn == 1u && det_dot3(high_part(fine), rough) < 0.0f {
            fine = negated(fine);
        }
        var axis = axis_along(rough, fine);
        if turn == 1u {
            let most = det_sub(bitcast<f32>(words.z), radius);
            axis.is_found = axis.is_found && !(det_sub(most, axis.height.high) > HULL_CLOSE);
            axis.apart = 0.0f;
            return axis;
        }
        let beyond = det_sub(search.w, radius);
        if det_sub(beyond, axis.apart) > hull_error {
            return no_axis();
        }
        if axis.is_found && (axis.height.high > 0.0f || !(det_sub(beyond, axis.height.high) > HULL_CLOSE)) {
            return axis;
        }
    }
    return no_axis();
}

@compute @workgroup_size(CONTACT_THREADS)
fn hull_directions(
    @builtin(workgroup_id) id: vec3u,
    @builtin(num_workgroups) groups: vec3u,
    @builtin(local_invocation_index) lane: u32,
) {
    let number = group_number(id, groups);
    let first_pair = number * CONTACT_THREADS;
    let pair = first_pair + lane;
    // (Read before it is known whether there are so many, so as not to wait twice.)
    let listed = pairs[min(pair, params.room - 1u)];
    // Where bins overflowed there are no pairs, and the attempt is repeated.
    let count = select(0u, min(rows[params.rows], params.room), atomicLoad(&status[STATUS_BINS_OVERFLOWED]) == 0u);
    if pair < count {
        frames_at = FRAME_VECTORS * vec2u(listed.x, listed.y & PARTNER_ID);
        let kind_a = kind_of_frame(false);
        let kind_b = kind_of_frame(true);
        let has_hull = kind_a == KIND_CONVEX_HULL || kind_b == KIND_CONVEX_HULL;
        let to = MANIFOLD_VECTORS * pair + 3u;
        if has_hull && kind_a != KIND_PLANE && kind_b != KIND_PLANE && (manifolds[to + 1u].y & HULL_SEARCHED) != 0u {
            set_away_pair(kind_b == KIND_CONVEX_HULL);
            let axis = find_axis(to);
            for (var k = 0u; k < 3u; k++) {
                manifolds[to + k] = vec4u();
            }
            if axis.is_found {
                manifolds[to] = bitcast<vec4u>(vec4f(axis.normal, axis.apart));
                manifolds[to + 1u] = vec4u(bitcast<u32>(axis.height.high), 0u, 0u, 1u);
            }
        }
    }
    if lane == 0u && first_pair < params.room {
        sign_off(SIGN_HULL_DIRECTIONS, number);
    }
}
