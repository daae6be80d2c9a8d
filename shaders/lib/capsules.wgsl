// Contacts of capsules, the second body of a pair: the twins of src/manifold/capsule.rs.
// import: lib/manifold

const SIDE_BY_SIDE = 0x1p-14f;
const PARALLEL_AXES = 0x1p-42f;
const ASIDE = 0x1p-18f;
const SHARP = 0x1p-24f;
const NOTHING_BEYOND = 0x1.fffffep+127f;
const TOUCHING_SQUARE = 0x1p-40f;

// A point that is so far from the centre of a body.
fn from_center(solid: Solid, by: vec3f) -> vec3f {
    return det_add3(solid.center, det_add3(solid.center_low, by));
}

// Two points, or the deeper of them.
fn push_two(one: vec3f, depth_one: f32, other: vec3f, depth_other: f32, feature: u32, most: u32) {
    if most > 1u || !(depth_other > depth_one) {
        push_point(one, depth_one, feature);
    }
    if most > 1u || depth_other > depth_one {
        push_point(other, depth_other, feature + 1u);
    }
}

// A unit vector at right angles to another; +x for 0.
fn beside(u: vec3f) -> vec3f {
    let size = vec3f(det_abs(u.x), det_abs(u.y), det_abs(u.z));
    var across = vec3f(u.y, det_neg(u.x), 0.0f);
    if size.x <= size.y && size.x <= size.z {
        across = vec3f(0.0f, u.z, det_neg(u.y));
    } else if size.y <= size.z {
        across = vec3f(det_neg(u.z), 0.0f, u.x);
    }
    let square = det_length_squared3(across);
    if square < LEAST_SQUARE {
        return vec3f(1.0f, 0.0f, 0.0f);
    }
    return direction(across, square).xyz;
}

// Whether the way to a point of a segment must be at right angles to it.
fn is_held(way: vec3f, axis: vec3f, place: f32, half: f32) -> bool {
    return det_abs(place) < half || det_mul(det_dot3(way, axis), place) > 0.0f;
}

fn without_axis(v: vec3f, axis: vec3f) -> vec3f {
    return det_sub3(v, det_scale3(axis, det_dot3(v, axis)));
}

// Whether the direction across two others tells better how the nearest points of two lines part than these points do.
fn is_sharp(sine: f32, square: f32, half: f32, size: f32) -> bool {
    let near = det_mul(SHARP, det_div(square, det_mul(half, size)));
    return det_mul(det_mul(sine, sine), sine) > det_mul(near, near);
}

fn meet_ball_and_capsule(ball: Solid, capsule: Solid, touching: bool) {
    let between = difference_of_centers(ball, capsule);
    let place = clamped(det_neg(det_dot3(capsule.x, between)), capsule.half.x);
    let along = det_scale3(capsule.x, place);
    var way = det_add3(between, along);
    if is_held(way, capsule.x, place, capsule.half.x) {
        way = without_axis(way, capsule.x);
    }
    let square = det_length_squared3(way);
    let size = det_add(size_of_solid(ball), size_of_solid(capsule));
    var found = vec4f(beside(capsule.x), 0.0f);
    if !(square < det_mul(det_mul(TOUCHING_SQUARE, size), size)) {
        found = direction(way, square);
    }
    let depth = det_sub(det_add(ball.half.x, capsule.half.y), found.w);
    begin_contact(found.xyz, depth_of(depth, touching), CONTACT_ROUND);
    push_point(from_center(capsule, det_sub3(along, det_scale3(found.xyz, capsule.half.y))), depth, 0u);
}

// A point of two capsules that lie side by side.
struct Beside {
    at: vec3f,
    depth: f32,
    is_point: bool,
}

fn point_beside(a: Solid, b: Solid, between: vec3f, normal: vec3f, end: f32) -> Beside {
    let on_a = det_scale3(a.x, end);
    let along = det_scale3(b.x, clamped(det_dot3(b.x, det_sub3(on_a, between)), b.half.x));
    let way = det_sub3(det_add3(between, along), on_a);
    let height = det_dot3(way, normal);
    let aside = det_sub(det_length_squared3(way), det_mul(height, height));
    let most = det_mul(det_mul(ASIDE, det_add(size_of_solid(a), size_of_solid(b))), a.half.y);
    let depth = det_sub(det_add(a.half.y, b.half.y), height);
    let at = from_center(b, det_sub3(along, det_scale3(normal, b.half.y)));
    return Beside(at, depth, !(aside > most) && !(depth < least_depth));
}

fn meet_capsules(a: Solid, b: Solid, touching: bool, most: u32) {
    let between = difference_of_centers(a, b);
    let across = det_cross3(a.x, b.x);
    let sine = det_length_squared3(across);
    let cosine = det_dot3(a.x, b.x);
    let from_a = det_dot3(a.x, between);
    let from_b = det_dot3(b.x, between);
    let is_skew = sine > PARALLEL_AXES;
    var guess = from_a;
    if is_skew {
        guess = det_div(det_dot3(det_cross3(between, b.x), across), sine);
    }
    let first = clamped(guess, a.half.x);
    let on_b = clamped(det_sub(det_mul(cosine, first), from_b), b.half.x);
    let on_a = clamped(det_add(det_mul(cosine, on_b), from_a), a.half.x);
    let along = det_scale3(b.x, on_b);
    let way = det_sub3(det_add3(between, along), det_scale3(a.x, on_a));
    let longer = select(a.x, b.x, a.half.x < b.half.x);
    var aside = beside(longer);
    if is_skew {
        aside = direction(across, sine).xyz;
    }
    aside = without_axis(aside, longer);
    let held_a = is_held(det_neg3(way), a.x, on_a, a.half.x);
    let held_b = is_held(way, b.x, on_b, b.half.x);
    var outward = way;
    let size = det_add(size_of_solid(a), size_of_solid(b));
    if held_a && held_b && is_sharp(sine, det_length_squared3(way), det_max(a.half.x, b.half.x), size) {
        outward = det_scale3(aside, det_dot3(aside, way));
    } else if held_a || held_b {
        outward = without_axis(way, select(select(b.x, a.x, held_a), longer, held_a && held_b));
    }
    let square = det_length_squared3(outward);
    var found: vec4f;
    if !(square < det_mul(det_mul(TOUCHING_SQUARE, size), size)) {
        found = direction(outward, square);
    } else {
        let normal = direction(aside, det_length_squared3(aside)).xyz;
        found = vec4f(signed_by3(normal, !(det_dot3(normal, between) < 0.0f)), 0.0f);
    }
    let normal = found.xyz;
    let depth = det_sub(det_add(a.half.y, b.half.y), found.w);
    begin_contact(normal, depth_of(depth, touching), CONTACT_ROUND);
    if !(sine > SIDE_BY_SIDE) {
        let low = clamped(det_dot3(a.x, det_add3(between, det_scale3(b.x, det_neg(b.half.x)))), a.half.x);
        let high = clamped(det_dot3(a.x, det_add3(between, det_scale3(b.x, b.half.x))), a.half.x);
        let one = point_beside(a, b, between, normal, low);
        let other = point_beside(a, b, between, normal, high);
        if one.is_point && other.is_point && low != high {
            push_two(one.at, one.depth, other.at, other.depth, 0u, most);
            return;
        }
    }
    push_point(from_center(b, det_sub3(along, det_scale3(normal, b.half.y))), depth, 0u);
}

// A capsule's segment in the frame of a box.
struct Seen {
    center: vec3f,
    axis: vec3f,
    half: f32,
    extents: vec3f,
}

// Where a capsule meets a box, in the frame of the box.
struct Met {
    normal: vec3f,
    out: f32,
    place: f32,
    face: u32,
}

fn seen_at(seen: Seen, place: f32) -> vec3f {
    return det_add3(seen.center, det_scale3(seen.axis, place));
}

fn outward_of(seen: Seen, point: vec3f) -> vec3f {
    let inside = vec3f(
        clamped(point.x, seen.extents.x),
        clamped(point.y, seen.extents.y),
        clamped(point.z, seen.extents.z),
    );
    return det_sub3(point, inside);
}

// Where the segment passes a face, it is not outside that, whatever is rounded.
fn slope_at(seen: Seen, place: f32, passed: u32) -> f32 {
    let outward = outward_of(seen, seen_at(seen, place));
    return det_dot3(seen.axis, select(outward, vec3f(), vec3u(passed) == vec3u(0u, 1u, 2u)));
}

fn nearest_place(seen: Seen) -> f32 {
    var low = det_neg(seen.half);
    var high = seen.half;
    var slope_low = slope_at(seen, low, 3u);
    var slope_high = slope_at(seen, high, 3u);
    if !(slope_low < 0.0f) {
        return low;
    }
    if !(slope_high > 0.0f) {
        return high;
    }
    // (`zero` keeps compilers from writing this out six times.)
    for (var k = params.zero; k < 6u; k++) {
        let rate = entry(seen.axis, k / 2u);
        if !(det_mul(rate, rate) > LEAST_SQUARE) {
            continue;
        }
        let face = signed_by(entry(seen.extents, k / 2u), k % 2u == 1u);
        let place = det_div(det_sub(face, entry(seen.center, k / 2u)), rate);
        if place > low && place < high {
            let slope = slope_at(seen, place, k / 2u);
            if slope > 0.0f {
                high = place;
                slope_high = slope;
            } else {
                low = place;
                slope_low = slope;
            }
        }
    }
    let part = det_div(det_neg(slope_low), det_sub(slope_high, slope_low));
    return det_min(det_add(low, det_mul(det_sub(high, low), part)), high);
}

// The vector with these numbers at the places after `axis`, and 0 at that.
fn beside_axis(axis: u32, next: f32, last: f32) -> vec3f {
    return pick3(axis, vec3f(0.0f, next, last), vec3f(last, 0.0f, next), vec3f(next, last, 0.0f));
}

// The direction across an edge of the box and the segment; 0 if they are parallel.
fn across_edge(seen: Seen, edge: u32) -> vec3f {
    let next = next_axis(edge);
    let last = next_axis(next);
    let across = beside_axis(edge, det_neg(entry(seen.axis, last)), entry(seen.axis, next));
    let square = det_length_squared3(across);
    if !(square > PARALLEL_AXES) {
        return vec3f();
    }
    return direction(across, square).xyz;
}

// The place along the segment that is nearest to an edge, and how far it, or its end, is beyond the ends of both.
fn place_at_edge(seen: Seen, edge: u32, normal: vec3f) -> vec2f {
    var along = 0.0f;
    var square = 0.0f;
    var k = edge;
    for (var n = 0u; n < 2u; n++) {
        k = next_axis(k);
        let side = signed_by(entry(seen.extents, k), !(entry(normal, k) < 0.0f));
        let rate = entry(seen.axis, k);
        along = det_add(along, det_mul(det_sub(side, entry(seen.center, k)), rate));
        square = det_add(square, det_mul(rate, rate));
    }
    let place = det_div(along, square);
    let beyond_edge = det_sub(det_abs(entry(seen_at(seen, place), edge)), entry(seen.extents, edge));
    return vec2f(clamped(place, seen.half), det_max(beyond_edge, det_sub(det_abs(place), seen.half)));
}

// The same, on the side of a difference of points of both; 0 if that difference tells it better.
fn across_sharply(seen: Seen, edge: u32, outward: vec3f, size: f32) -> vec3f {
    let next = entry(seen.axis, next_axis(edge));
    let last = entry(seen.axis, next_axis(next_axis(edge)));
    let sine = det_add(det_mul(next, next), det_mul(last, last));
    let across = across_edge(seen, edge);
    if !is_sharp(sine, det_length_squared3(outward), seen.half, size) {
        return vec3f();
    }
    return signed_by3(across, !(det_dot3(across, outward) < 0.0f));
}

fn met_apart(seen: Seen, place: f32, outward: vec3f, square: f32, size: f32) -> Met {
    let zeros = outward == vec3f();
    let count = select(1u, 0u, zeros.x) + select(1u, 0u, zeros.y) + select(1u, 0u, zeros.z);
    var met = Met(direction(outward, square).xyz, 0.0f, place, 3u);
    if count == 1u {
        met.face = select(select(2u, 1u, !zeros.y), 0u, !zeros.x);
        if det_abs(place) < seen.half && det_mul(seen.half, det_abs(entry(seen.axis, met.face))) > det_mul(TOLERANCE, size) {
            // Where it leaves the face it is nearest: past that edge, but for what was rounded.
            let next = next_axis(met.face);
            let last = next_axis(next);
            let point = seen_at(seen, place);
            let beyond_next = det_abs(det_sub(det_abs(entry(point, next)), entry(seen.extents, next)));
            let beyond_last = det_abs(det_sub(det_abs(entry(point, last)), entry(seen.extents, last)));
            let across = across_sharply(seen, select(next, last, beyond_next < beyond_last), outward, size);
            met.normal = select(met.normal, across, any(across != vec3f()));
        }
    } else if det_abs(place) < seen.half && count == 2u {
        // Past an edge.
        let across = across_sharply(seen, select(select(2u, 1u, zeros.y), 0u, zeros.x), outward, size);
        met.normal = select(met.normal, across, any(across != vec3f()));
    } else if det_abs(place) < seen.half {
        // Past a corner.
        let across = det_sub3(outward, det_scale3(seen.axis, det_dot3(seen.axis, outward)));
        let across_square = det_length_squared3(across);
        if across_square > LEAST_SQUARE {
            met.normal = direction(across, across_square).xyz;
        }
    }
    met.out = det_dot3(met.normal, outward);
    return met;
}

fn depth_of_face(seen: Seen, k: u32) -> f32 {
    let reach = det_add(entry(seen.extents, k), det_mul(seen.half, det_abs(entry(seen.axis, k))));
    return det_sub(reach, det_abs(entry(seen.center, k)));
}

fn met_deep(seen: Seen, tolerance: f32) -> Met {
    var face = 0u;
    var least = depth_of_face(seen, 0u);
    for (var k = 1u; k < 3u; k++) {
        let depth = depth_of_face(seen, k);
        if det_add(depth, tolerance) < least {
            face = k;
            least = depth;
        }
    }
    let side = select(1.0f, det_neg(1.0f), entry(seen.center, face) < 0.0f);
    let normal = vec3f(select(0.0f, side, face == 0u), select(0.0f, side, face == 1u), select(0.0f, side, face == 2u));
    // The end that is furthest inside.
    let end = signed_by(seen.half, det_mul(side, entry(seen.axis, face)) < 0.0f);
    var met = Met(normal, det_neg(least), end, face);
    var least_beyond = NOTHING_BEYOND;
    for (var edge = params.zero; edge < 3u; edge++) {
        let across = across_edge(seen, edge);
        if all(across == vec3f()) {
            continue;
        }
        let along = det_dot3(across, seen.center);
        let reach = det_dot3(seen.extents, vec3f(det_abs(across.x), det_abs(across.y), det_abs(across.z)));
        let depth = det_sub(reach, det_abs(along));
        let out = signed_by3(across, !(along < 0.0f));
        let at_edge = place_at_edge(seen, edge, out);
        // Of edges that are as good, the one that it passes.
        let is_as_good = met.face == 3u && det_sub(depth, tolerance) < least && at_edge.y < least_beyond;
        if det_add(depth, tolerance) < least || is_as_good {
            least = depth;
            least_beyond = at_edge.y;
            met = Met(out, det_neg(depth), at_edge.x, 3u);
        }
    }
    return met;
}

// The part of the segment that is above a face, but for a tolerance.
fn part_above(seen: Seen, face: u32, tolerance: f32) -> vec2f {
    var part = vec2f(det_neg(seen.half), seen.half);
    var k = face;
    for (var n = 0u; n < 2u; n++) {
        k = next_axis(k);
        let rate = entry(seen.axis, k);
        if det_mul(seen.half, det_abs(rate)) > tolerance {
            let center = entry(seen.center, k);
            let one = det_div(det_sub(det_neg(entry(seen.extents, k)), center), rate);
            let other = det_div(det_sub(entry(seen.extents, k), center), rate);
            part = vec2f(det_max(part.x, det_min(one, other)), det_min(part.y, det_max(one, other)));
        }
    }
    return part;
}

fn point_of_limb(cuboid: Solid, seen: Seen, normal: vec3f, radius: f32, place: f32) -> vec3f {
    return point_to_world(cuboid, det_sub3(seen_at(seen, place), det_scale3(normal, radius)));
}

fn depth_above(seen: Seen, met: Met, radius: f32, place: f32) -> f32 {
    let up = entry(met.normal, met.face);
    let height = det_mul(up, entry(seen_at(seen, place), met.face));
    return det_sub(det_add(det_mul(entry(seen.extents, met.face), det_abs(up)), radius), height);
}

fn meet_box_and_capsule(cuboid: Solid, capsule: Solid, touching: bool, most: u32) {
    let between = difference_of_centers(cuboid, capsule);
    let seen = Seen(
        vec3f(det_dot3(cuboid.x, between), det_dot3(cuboid.y, between), det_dot3(cuboid.z, between)),
        vec3f(det_dot3(cuboid.x, capsule.x), det_dot3(cuboid.y, capsule.x), det_dot3(cuboid.z, capsule.x)),
        capsule.half.x,
        cuboid.half,
    );
    let radius = capsule.half.y;
    let place = nearest_place(seen);
    let outward = outward_of(seen, seen_at(seen, place));
    let square = det_length_squared3(outward);
    var met: Met;
    let size = det_add(size_of_solid(cuboid), size_of_solid(capsule));
    if square < det_mul(det_mul(TOUCHING_SQUARE, size), size) {
        met = met_deep(seen, det_mul(TOLERANCE, size));
    } else {
        met = met_apart(seen, place, outward, square, size);
    }
    let depth = det_sub(radius, met.out);
    begin_contact(direction_to_world(cuboid, met.normal), depth_of(depth, touching), CONTACT_ROUND);
    var only = met.place;
    if met.face < 3u {
        let part = part_above(seen, met.face, det_mul(TOLERANCE, size));
        let lean = entry(seen.axis, met.face);
        let is_flat = !(det_mul(lean, lean) > SIDE_BY_SIDE);
        if is_flat && !(part.y < part.x) {
            only = det_min(det_max(only, part.x), part.y);
        }
        let first = depth_above(seen, met, radius, part.x);
        let last = depth_above(seen, met, radius, part.y);
        if is_flat && part.x < part.y && !(first < least_depth) && !(last < least_depth) {
            let feature = 2u + 2u * (2u * met.face + select(0u, 1u, entry(met.normal, met.face) < 0.0f));
            let at_first = point_of_limb(cuboid, seen, met.normal, radius, part.x);
            let at_last = point_of_limb(cuboid, seen, met.normal, radius, part.y);
            push_two(at_first, first, at_last, last, feature, most);
            return;
        }
    }
    push_point(point_of_limb(cuboid, seen, met.normal, radius, only), depth, 0u);
}
