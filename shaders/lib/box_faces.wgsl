// Where a face of one box and a face of the other meet: the twin of src/manifold/faces.rs, and of the polygons in
// src/manifold/points.rs. All candidates are kept in vectors of four, since arrays would not stay in registers.
// import: lib/box_axes

const SIDE_SLACK = 0x1.8p-20f;
const CORNER_SLACK = 0x1p-21f;
const CANDIDATES = 12u;

fn add4(a: vec4f, b: vec4f) -> vec4f {
    return vec4f(det_add(a.x, b.x), det_add(a.y, b.y), det_add(a.z, b.z), det_add(a.w, b.w));
}

fn sub4(a: vec4f, b: vec4f) -> vec4f {
    return vec4f(det_sub(a.x, b.x), det_sub(a.y, b.y), det_sub(a.z, b.z), det_sub(a.w, b.w));
}

fn mul4(a: vec4f, b: vec4f) -> vec4f {
    return vec4f(det_mul(a.x, b.x), det_mul(a.y, b.y), det_mul(a.z, b.z), det_mul(a.w, b.w));
}

fn abs4(v: vec4f) -> vec4f {
    return vec4f(det_abs(v.x), det_abs(v.y), det_abs(v.z), det_abs(v.w));
}

fn neg4(v: vec4f) -> vec4f {
    return vec4f(det_neg(v.x), det_neg(v.y), det_neg(v.z), det_neg(v.w));
}

fn min4(a: vec4f, b: vec4f) -> vec4f {
    return select(a, b, b < a);
}

fn max4(a: vec4f, b: vec4f) -> vec4f {
    return select(a, b, a < b);
}

fn clamped4(v: vec4f, most: vec4f) -> vec4f {
    return select(select(most, neg4(most), v < vec4f()), v, abs4(v) < most);
}

fn bits4(which: vec4<bool>) -> u32 {
    let bits = select(vec4u(), vec4u(1u, 2u, 4u, 8u), which);
    return bits.x | bits.y | bits.z | bits.w;
}

// A face of the reference box, and how the points of the other are moved into it.
struct Reference {
    half: vec2f,
    slope: vec2f,
    // Corners of a lesser depth are not kept.
    least: f32,
}

// Four points of the incident face: place in the reference face and depth under it, and the two lines that cross in each.
struct Four {
    x: vec4f,
    y: vec4f,
    depth: vec4f,
    lines: vec4u,
    // Bit k is set if point k is a corner of what is left of the incident face.
    valid: u32,
}

// Points in the plane of the incident face, moved into the reference face.
fn moved(reference: Reference, x: vec4f, y: vec4f, depth: vec4f, lines: vec4u, is_corner: vec4<bool>) -> Four {
    let in_x = clamped4(x, vec4f(reference.half.x));
    let in_y = clamped4(y, vec4f(reference.half.y));
    let deeper = add4(mul4(vec4f(reference.slope.x), sub4(in_x, x)), mul4(vec4f(reference.slope.y), sub4(in_y, y)));
    let found = add4(depth, deeper);
    return Four(in_x, in_y, found, lines, bits4(is_corner & !(found < vec4f(reference.least))));
}

// All points that can be corners: where each edge of the incident face begins within the reference face, where it ends if it is cut there,
// and the corners of the reference face.
struct Clipped {
    starts: Four,
    ends: Four,
    corners: Four,
    // The deepest corner of the incident face, for when there is no other point.
    deepest: vec3f,
}

struct Corner {
    x: f32,
    y: f32,
    depth: f32,
    lines: u32,
}

fn point_of(four: Four, k: u32) -> Corner {
    return Corner(
        select(select(four.x.x, four.x.y, k == 1u), select(four.x.z, four.x.w, k == 3u), k > 1u),
        select(select(four.y.x, four.y.y, k == 1u), select(four.y.z, four.y.w, k == 3u), k > 1u),
        select(select(four.depth.x, four.depth.y, k == 1u), select(four.depth.z, four.depth.w, k == 3u), k > 1u),
        select(select(four.lines.x, four.lines.y, k == 1u), select(four.lines.z, four.lines.w, k == 3u), k > 1u),
    );
}

// Candidate k.
fn corner_of(clipped: Clipped, k: u32) -> Corner {
    let first = k < 4u;
    let last = k > 7u;
    let four = Four(
        select(select(clipped.ends.x, clipped.corners.x, last), clipped.starts.x, first),
        select(select(clipped.ends.y, clipped.corners.y, last), clipped.starts.y, first),
        select(select(clipped.ends.depth, clipped.corners.depth, last), clipped.starts.depth, first),
        select(select(clipped.ends.lines, clipped.corners.lines, last), clipped.starts.lines, first),
        0u,
    );
    return point_of(four, k & 3u);
}

// Where edges enter the sides x or y of the reference face and where they leave them; -1 and 1 are their ends. And at which sides.
struct Spans {
    first: vec4f,
    last: vec4f,
    first_side: vec4u,
    last_side: vec4u,
    inside: vec4<bool>,
}

fn spans_of(through: vec4f, along: vec4f, inverse: vec4f, side: f32, number: u32) -> Spans {
    let flat = along == vec4f();
    let low = mul4(sub4(vec4f(det_neg(side)), through), inverse);
    let high = mul4(sub4(vec4f(side), through), inverse);
    let downwards = select(vec4u(), vec4u(1u), along < vec4f());
    return Spans(
        select(min4(low, high), vec4f(det_neg(2.0f)), flat),
        select(max4(low, high), vec4f(2.0f), flat),
        number + downwards,
        number + 1u - downwards,
        !(flat & (vec4f(side) < abs4(through))),
    );
}

fn product_of(d_x: vec4f, d_y: vec4f, v: vec3f) -> vec4f {
    return abs4(sub4(mul4(d_x, vec4f(v.y)), mul4(d_y, vec4f(v.x))));
}

fn towards_depth(v: vec3f) -> vec3f {
    return signed_by3(v, 0.0f < v.z);
}

// The middle of the incident face, and half its sides.
struct Incident {
    middle: vec3f,
    right: vec3f,
    up: vec3f,
}

// The incident face within the reference face.
fn clip_face(reference: Reference, incident: Incident, size: f32) -> Clipped {
    let middle = incident.middle;
    let right = incident.right;
    let up = incident.up;
    let slack = det_mul(SIDE_SLACK, size);
    let side_x = det_add(reference.half.x, slack);
    let side_y = det_add(reference.half.y, slack);
    // The edges, each by its middle and half its length.
    let below = det_sub3(middle, up);
    let beside = det_add3(middle, right);
    let above = det_add3(middle, up);
    let before = det_sub3(middle, right);
    let through_x = vec4f(below.x, beside.x, above.x, before.x);
    let through_y = vec4f(below.y, beside.y, above.y, before.y);
    let through_depth = vec4f(below.z, beside.z, above.z, before.z);
    let along_x = vec4f(right.x, up.x, right.x, up.x);
    let along_y = vec4f(right.y, up.y, right.y, up.y);
    let along_depth = vec4f(right.z, up.z, right.z, up.z);
    let inverse_x = vec2f(det_recip(right.x), det_recip(up.x));
    let inverse_y = vec2f(det_recip(right.y), det_recip(up.y));
    let spans_x = spans_of(through_x, along_x, inverse_x.xyxy, side_x, 4u);
    let spans_y = spans_of(through_y, along_y, inverse_y.xyxy, side_y, 6u);
    let first = max4(spans_x.first, spans_y.first);
    let last = min4(spans_x.last, spans_y.last);
    let begins = max4(first, vec4f(det_neg(1.0f)));
    let ends = min4(last, vec4f(1.0f));
    let inside = !(ends < begins) & spans_x.inside & spans_y.inside;
    let first_side = select(spans_x.first_side, spans_y.first_side, spans_x.first < spans_y.first);
    let last_side = select(spans_x.last_side, spans_y.last_side, spans_y.last < spans_x.last);
    let cut_first = vec4f(det_neg(1.0f)) < first;
    let cut_last = last < vec4f(1.0f);
    // The last two edges are walked backwards.
    let start = vec4f(begins.xy, ends.zw);
    let end = vec4f(ends.xy, begins.zw);
    let start_side = vec4u(first_side.xy, last_side.zw);
    let end_side = vec4u(last_side.xy, first_side.zw);
    let edge = vec4u(0u, 1u, 2u, 3u);
    let start_line = select(vec4u(3u, 0u, 1u, 2u), start_side, vec4<bool>(cut_first.xy, cut_last.zw));
    let starts = moved(
        reference,
        add4(through_x, mul4(along_x, start)),
        add4(through_y, mul4(along_y, start)),
        add4(through_depth, mul4(along_depth, start)),
        (start_line * 8u) | edge,
        inside,
    );
    let finishes = moved(
        reference,
        add4(through_x, mul4(along_x, end)),
        add4(through_y, mul4(along_y, end)),
        add4(through_depth, mul4(along_depth, end)),
        (edge * 8u) | end_side,
        inside & vec4<bool>(cut_last.xy, cut_first.zw),
    );
    // Corners of the reference face.
    let near = det_mul(CORNER_SLACK, size);
    let area = det_abs(det_sub(det_mul(right.x, up.y), det_mul(right.y, up.x)));
    let most_right = det_add(area, det_mul(near, det_add(det_abs(right.x), det_abs(right.y))));
    let most_up = det_add(area, det_mul(near, det_add(det_abs(up.x), det_abs(up.y))));
    let bound_x = det_add(det_add(det_abs(right.x), det_abs(up.x)), near);
    let bound_y = det_add(det_add(det_abs(right.y), det_abs(up.y)), near);
    let sides_x = vec2f(det_neg(side_x), side_x);
    let sides_y = vec2f(det_neg(side_y), side_y);
    let d_x = vec2f(det_sub(sides_x.x, middle.x), det_sub(sides_x.y, middle.x)).xyxy;
    let d_y = vec2f(det_sub(sides_y.x, middle.y), det_sub(sides_y.y, middle.y)).xxyy;
    let between = !(vec4f(most_right) < product_of(d_x, d_y, right)) & !(vec4f(most_up) < product_of(d_x, d_y, up));
    let within = !(vec4f(bound_x) < abs4(d_x)) & !(vec4f(bound_y) < abs4(d_y));
    let deeper = add4(mul4(vec4f(reference.slope.x), d_x), mul4(vec4f(reference.slope.y), d_y));
    let corners = moved(
        reference,
        sides_x.xyxy,
        sides_y.xxyy,
        add4(vec4f(middle.z), deeper),
        vec4u(38u, 46u, 39u, 47u),
        between & within,
    );
    let deepest = det_add3(middle, det_add3(towards_depth(right), towards_depth(up)));
    let found = moved(reference, vec4f(deepest.x), vec4f(deepest.y), vec4f(deepest.z), vec4u(), vec4<bool>());
    return Clipped(starts, finishes, corners, vec3f(found.x.x, found.y.x, found.depth.x));
}

// The better of two points: the one of the higher score, of equals the one with the lower feature.
struct Choice {
    candidate: u32,
    score: f32,
    lines: u32,
}

fn better_choice(a: Choice, left: u32, candidate: u32, score: f32, lines: u32) -> Choice {
    let better = a.candidate == CANDIDATES || a.score < score || (a.score == score && lines < a.lines);
    let takes = better && (left & (1u << candidate)) != 0u;
    return Choice(select(a.candidate, candidate, takes), select(a.score, score, takes), select(a.lines, lines, takes));
}

fn best_of_four(a: Choice, left: u32, first: u32, scores: vec4f, lines: vec4u) -> Choice {
    let b = better_choice(a, left, first, scores.x, lines.x);
    let c = better_choice(b, left, first + 1u, scores.y, lines.y);
    let d = better_choice(c, left, first + 2u, scores.z, lines.z);
    return better_choice(d, left, first + 3u, scores.w, lines.w);
}

// Of the candidates that are left, the one with the highest score.
fn best_of(clipped: Clipped, left: u32, starts: vec4f, ends: vec4f, corners: vec4f) -> u32 {
    let none = Choice(CANDIDATES, 0.0f, 0u);
    let a = best_of_four(none, left, 0u, starts, clipped.starts.lines);
    let b = best_of_four(a, left, 4u, ends, clipped.ends.lines);
    return best_of_four(b, left, 8u, corners, clipped.corners.lines).candidate;
}

fn squares(x: vec4f, y: vec4f) -> vec4f {
    return add4(mul4(x, x), mul4(y, y));
}

fn areas(across: vec2f, x: vec4f, y: vec4f) -> vec4f {
    return sub4(mul4(vec4f(across.x), y), mul4(vec4f(across.y), x));
}

fn deepest_of(clipped: Clipped, valid: u32) -> u32 {
    return best_of(clipped, valid, clipped.starts.depth, clipped.ends.depth, clipped.corners.depth);
}

// Which points remain, as four bits each, in order: the deepest, the one furthest from it, and the two that span the most area to either
// side.
fn reduced(clipped: Clipped, valid: u32) -> u32 {
    let deepest = deepest_of(clipped, valid);
    let first = corner_of(clipped, deepest);
    let starts_x = sub4(clipped.starts.x, vec4f(first.x));
    let starts_y = sub4(clipped.starts.y, vec4f(first.y));
    let ends_x = sub4(clipped.ends.x, vec4f(first.x));
    let ends_y = sub4(clipped.ends.y, vec4f(first.y));
    let corners_x = sub4(clipped.corners.x, vec4f(first.x));
    let corners_y = sub4(clipped.corners.y, vec4f(first.y));
    var left = valid & ~(1u << deepest);
    let furthest = best_of(clipped, left, squares(starts_x, starts_y), squares(ends_x, ends_y), squares(corners_x, corners_y));
    let second = corner_of(clipped, furthest);
    let across = vec2f(det_sub(second.x, first.x), det_sub(second.y, first.y));
    let starts = areas(across, starts_x, starts_y);
    let ends = areas(across, ends_x, ends_y);
    let corners = areas(across, corners_x, corners_y);
    left &= ~(1u << furthest);
    let to_the_left = best_of(clipped, left, starts, ends, corners);
    left &= ~(1u << to_the_left);
    let to_the_right = best_of(clipped, left, neg4(starts), neg4(ends), neg4(corners));
    return deepest | (furthest << 4u) | (to_the_left << 8u) | (to_the_right << 12u);
}

// As many points as `count`, as four bits each, in order: all that are valid, if they are few.
fn all_of(valid: u32) -> u32 {
    let first = firstTrailingBit(valid);
    let second = valid & (valid - 1u);
    let third = second & (second - 1u);
    let fourth = third & (third - 1u);
    return first | (firstTrailingBit(second) << 4u) | (firstTrailingBit(third) << 8u) | (firstTrailingBit(fourth) << 12u);
}
