// The contact of each pair of a hull and a half-space: the deepest corner, and up to three more that are in. The twin of `over_border` in
// src/near/hull/contact.rs, where it is explained.
// import: lib/ledger, lib/margins, lib/hull_over, lib/aside

// What is seen of a corner from the lowest one: along two directions across the normal, and along it.
var<private> foot_sides: array<vec3f, 3>;

fn seen_corner(i: u32, lowest: vec3f) -> vec3f {
    let way = turned_offset(det_sub3(det_scale3(local_corner(1u, i), hull_scale), lowest));
    return vec3f(det_dot3(foot_sides[0], way), det_dot3(foot_sides[1], way), det_dot3(foot_sides[2], way));
}

// How high a corner is, and the point of the border below it.
fn push_corner(over: Over, i: u32) {
    let local = det_scale3(local_corner(1u, i), hull_scale);
    let above = dot_double(local, over.along[0], over.along[1], over.along[2]);
    let height = det_add_double(over.of_place, above);
    var foot: vec3f;
    // (`zero` keeps compilers from writing this out three times.)
    for (var k = params.zero; k < 3u; k++) {
        var corner = det_mul_double(DetDouble(hull_axes[3][k], away_low[3][k]), single(local.x));
        corner = det_add_double(corner, det_mul_double(DetDouble(hull_axes[4][k], away_low[4][k]), single(local.y)));
        corner = det_add_double(corner, det_mul_double(DetDouble(hull_axes[5][k], away_low[5][k]), single(local.z)));
        let at = det_add_double(over.center[k], corner);
        foot[k] = det_sub_double(at, det_mul_double(over.normal[k], height)).high;
    }
    push_point(foot, det_neg(height.high), i);
}

// At most four corners, or the deepest: the deepest first, then the one furthest from it, and the two that span the most area to either side.
fn push_corners(over: Over, raw: f32, least: f32) {
    let lowest = det_scale3(local_corner(1u, over.lowest), hull_scale);
    let count = hull_parts[1].count;
    var taken = vec4u(count);
    var chosen: array<vec3f, 2>;
    for (var turn = params.zero; turn < select(4u, 1u, params.most == 1u); turn++) {
        var best_at = vec3f();
        var best = count;
        var highest = det_neg(NEAR_FARTHEST);
        for (var i = 0u; i < count; i++) {
            let at = seen_corner(i, lowest);
            let is_lowest = i == over.lowest;
            let depth = select(det_sub(raw, at.z), raw, is_lowest);
            if any(taken == vec4u(i)) || !is_lowest && depth < least {
                continue;
            }
            let way = det_sub3(at, chosen[0]);
            let to = det_sub3(chosen[1], chosen[0]);
            let area = det_sub(det_mul(to.x, way.y), det_mul(to.y, way.x));
            var score = depth;
            if turn == 1u {
                score = det_add(det_mul(way.x, way.x), det_mul(way.y, way.y));
            } else if turn > 1u {
                score = select(det_neg(area), area, turn == 2u);
            }
            if score > highest {
                best_at = at;
                best = i;
                highest = score;
            }
        }
        if best == count {
            break;
        }
        taken[turn] = best;
        if turn < 2u {
            chosen[turn] = best_at;
        }
        push_corner(over, best);
    }
}

fn meet_border(pair: u32, listed: vec2u, hull_is_b: bool) {
    let over = over_border(hull_is_b);
    if over.size == 0u {
        return;
    }
    let partner = listed.y & PARTNER_ID;
    contact_to = Target(MANIFOLD_VECTORS * pair, hull_is_b, bitcast<f32>(over.size << 23u));
    set_least_depth(vec2u(listed.x, partner), over.size);
    let raw = det_neg(over.height.high);
    let apart = distance_over(over);
    var depth = depth_of(raw, (listed.y & MARK_TOUCHING) != 0u);
    if params.may_be_apart != 0u {
        depth = select(det_max(raw, 0.0f), det_neg(apart), apart > 0.0f);
    }
    let normal = high_part(over.normal);
    foot_sides[0] = aside(normal);
    foot_sides[1] = det_cross3(normal, foot_sides[0]);
    foot_sides[2] = normal;
    let reach = det_mul(hull_parts[1].largest_sum, hull_scale);
    begin_contact(det_neg3(normal), depth, CONTACT_CORNERS);
    push_corners(over, raw, det_sub(least_depth, det_mul(HULL_FLAT, reach)));
    write_contact(listed.x, partner);
}

@compute @workgroup_size(CONTACT_THREADS)
fn hull_feet(
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
    if pair < count && (params.may_be_apart != 0u || (listed.y & MARK_UNDECIDED) == 0u) {
        frames_at = FRAME_VECTORS * vec2u(listed.x, listed.y & PARTNER_ID);
        let kind_a = kind_of_frame(false);
        let kind_b = kind_of_frame(true);
        if min(kind_a, kind_b) == min(KIND_CONVEX_HULL, KIND_PLANE) && max(kind_a, kind_b) == max(KIND_CONVEX_HULL, KIND_PLANE) {
            meet_border(pair, listed, kind_b == KIND_CONVEX_HULL);
        }
    }
    if lane == 0u && first_pair < params.room {
        sign_off(SIGN_HULL_FEET, number);
    }
}
