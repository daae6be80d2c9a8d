// Contacts of half-spaces, the second body of a pair: the twins of src/manifold/half_space.rs.
// import: lib/manifold, lib/half_spaces

// A point of the body that is so far from its centre and so deep: its foot on the border.
fn push_foot(solid: Solid, from_middle: vec3f, depth: f32, feature: u32) {
    let foot = det_add3(from_middle, det_scale3(over_pair.normal, depth));
    push_point(det_add3(solid.center, det_add3(solid.center_low, foot)), depth, feature);
}

fn begin_foot(depth: f32, touching: bool, kind: u32) {
    begin_contact(det_neg3(over_pair.normal), depth_of(depth, touching), kind);
}

fn meet_ball_and_half_space(solid: Solid, touching: bool) {
    let depth = det_neg(det_sub_double(over_pair.height, DetDouble(over_pair.radius, 0.0f)).high);
    begin_foot(depth, touching, CONTACT_ROUND);
    push_foot(solid, det_scale3(over_pair.normal, det_neg(over_pair.radius)), depth, 0u);
}

fn meet_capsule_and_half_space(solid: Solid, touching: bool, most: u32) {
    let radius = DetDouble(over_pair.radius, 0.0f);
    let slope = det_mul_double(over_pair.cosines[0], over_pair.half[0]);
    let first = det_neg(det_sub_double(det_sub_double(over_pair.height, slope), radius).high);
    let second = det_neg(det_sub_double(det_add_double(over_pair.height, slope), radius).high);
    let deepest = select(0u, 1u, second > first);
    let half = solid.half.x;
    begin_foot(select(first, second, deepest == 1u), touching, CONTACT_ROUND);
    for (var k = 0u; k < 2u; k++) {
        let end = select(deepest, 1u - deepest, k == 1u);
        let depth = select(first, second, end == 1u);
        if k == 0u || !(most == 1u || depth < least_depth || half == 0.0f) {
            let along = det_scale3(solid.x, select(det_neg(half), half, end == 1u));
            push_foot(solid, det_add3(along, det_scale3(over_pair.normal, det_neg(over_pair.radius))), depth, end);
        }
    }
}

fn meet_box_and_half_space(solid: Solid, touching: bool, most: u32) {
    let drops = vec3f(over_drop(0u).high, over_drop(1u).high, over_drop(2u).high);
    var x = 0u;
    var y = 1u;
    var z = 2u;
    if drops[y] < drops[x] {
        x = 1u;
        y = 0u;
    }
    if drops[z] < drops[y] {
        z = y;
        y = 2u;
    }
    if drops[y] < drops[x] {
        let before = x;
        x = y;
        y = before;
    }
    let both = !(drops[z] < det_add(drops[x], drops[y]));
    let low = over_lowest();
    begin_foot(det_neg(low.high), touching, CONTACT_CORNERS);
    for (var number = 0u; number < min(most, 4u); number++) {
        let last = select(1u << z, (1u << x) | (1u << y), both);
        let flip = select(select(select(last, 1u << y, number == 2u), 1u << x, number == 1u), 0u, number == 0u);
        var raised = low;
        var corner = vec3f();
        var feature = 0u;
        var exists = true;
        for (var k = 0u; k < 3u; k++) {
            let flipped = ((flip >> k) & 1u) == 1u;
            let half = entry(solid.half, k);
            if flipped {
                let drop = over_drop(k);
                raised = det_add_double(raised, det_add_double(drop, drop));
            }
            exists = exists && !(flipped && half == 0.0f);
            // (Of an axis without extent the lower of two equal corners.)
            let is_high = (over_pair.cosines[k].high < 0.0f) != flipped && half > 0.0f;
            corner = det_add3(corner, det_scale3(axis_of(solid, k), select(det_neg(half), half, is_high)));
            feature |= select(0u, 1u << k, is_high);
        }
        let depth = det_neg(raised.high);
        if flip == 0u || (exists && !(depth < least_depth)) {
            push_foot(solid, corner, depth, feature);
        }
    }
}
