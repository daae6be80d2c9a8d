// Where the search for the nearest points of each pair has ended of which one is a hull and none a half-space, and the shortest way out of each other: the
// twin of `Ways` in src/near/hull/axis.rs. It is left where the points of the contact will be, for `hull_directions`.
// import: lib/ledger, lib/hull_away, lib/polytope

@compute @workgroup_size(CONTACT_THREADS)
fn hull_ways(
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
        let has_hull = kind_a == KIND_CONVEX_HULL || kind_b == KIND_CONVEX_HULL;
        if has_hull && kind_a != KIND_PLANE && kind_b != KIND_PLANE && set_away_pair(kind_b == KIND_CONVEX_HULL) != 0u {
            leave_ways(MANIFOLD_VECTORS * pair + 3u);
        }
    }
    if lane == 0u && first_pair < params.room {
        sign_off(SIGN_HULL_WAYS, number);
    }
}

fn leave_ways(to: u32) {
    let found = search_hull(det_neg(1.0f), NEAR_FARTHEST);
    let far = det_length3(point_of_simplex(hull_simplex));
    let signs = hull_simplex.signs;
    var words = vec4u(signs.x | (signs.y << 16u), signs.z | (hull_simplex.count << 16u) | HULL_SEARCHED, 0u, 0u);
    if found.has_four {
        // (Nothing else is known of the search then.)
        words = vec4u(0u, HULL_SEARCHED | HULL_HAS_FOUR, 0u, 0u);
    }
    var way_out = vec4u();
    if found.has_four || !(far > hull_error) {
        let deepest = deepest_direction();
        if deepest.is_found {
            words.y |= HULL_HAS_WAY_OUT;
            words.z = bitcast<u32>(deepest.most);
            words.w = deepest.signs.x | (deepest.signs.y << 16u);
            way_out = vec4u(bitcast<vec3u>(deepest.direction), deepest.signs.z);
        }
    }
    let search = vec4f(found.best, far);
    manifolds[to] = select(bitcast<vec4u>(search), vec4u(), vec4<bool>(found.has_four));
    manifolds[to + 1u] = words;
    manifolds[to + 2u] = way_out;
}
