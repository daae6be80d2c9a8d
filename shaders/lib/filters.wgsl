// The certified filters, as in src/filter: hit, miss or undecided with a proven error bound, in the arithmetic of `Real`.
//
// The formulas and the constants are those of src/filter; errors are in units of U. Where `Gap` has two margins, there is one gap
// here: the greatest gap over several axes is a miss above the bound, and a hit below minus the bound. Comparisons test what is
// to be proven, not its opposite, so that a NaN proves nothing. No infinity or NaN arises from inputs in the domain, which is
// tested on their bits.
// import: lib/real, lib/opaque, abi/filters

// The bits of a number without its sign.
const MAGNITUDE = 0x7fffffffu;

// An oriented box; axes[i] is its i-th axis in world coordinates.
struct Cuboid {
    center: Vec,
    half: Vec,
    axes: Mat,
}

// Whether coordinates, extents or radii, given as bits, are in the filters' domain.
fn length_in_domain(v: vec3u) -> bool {
    return all((v & vec3u(MAGNITUDE)) <= vec3u(LARGEST_LENGTH));
}

// The bits of the largest |component|.
fn largest_component(q: vec4u) -> u32 {
    let magnitude = q & vec4u(MAGNITUDE);
    return max(max(magnitude.x, magnitude.y), max(magnitude.z, magnitude.w));
}

fn quaternion_in_domain(q: vec4u) -> bool {
    let largest = largest_component(q);
    return largest >= SMALLEST_TURN && largest <= LARGEST_TURN;
}

// Whether a normal and an offset, given as bits, are in the filters' domain.
fn plane_in_domain(plane: vec4u) -> bool {
    let magnitude = plane & vec4u(MAGNITUDE);
    let n = magnitude.xyz;
    let usual = (n >= vec3u(SMALLEST_COMPONENT)) & (n <= vec3u(LARGEST_COMPONENT));
    return all(usual | (n == vec3u(0u))) && magnitude.w <= LARGEST_OFFSET;
}

// The quaternion times the power of two that brings its largest component into [1, 2). Exact but for flushed
// components: those are below 2^-26 of the largest, so a column of the rotation changes by less than half a u.
fn scaled_quaternion(q: vec4u) -> Vec4 {
    let exponent = largest_component(q) >> 23u;
    return Vec4(bitcast<vec4f>(q) * bitcast<f32>((254u - exponent) << 23u));
}

// The rotation of q / |q|, for a scaled q.
fn rotation(q: Vec4) -> Mat {
    let inverse = 1.0 / dot(q, q);
    let xx = q.x * q.x;
    let yy = q.y * q.y;
    let zz = q.z * q.z;
    let ww = q.w * q.w;
    let twice = 2.0 * inverse;
    return Mat(
        Vec((ww + xx - yy - zz) * inverse, (q.x * q.y + q.w * q.z) * twice, (q.x * q.z - q.w * q.y) * twice),
        Vec((q.x * q.y - q.w * q.z) * twice, (ww + yy - xx - zz) * inverse, (q.y * q.z + q.w * q.x) * twice),
        Vec((q.x * q.z + q.w * q.y) * twice, (q.y * q.z - q.w * q.x) * twice, (ww + zz - xx - yy) * inverse),
    );
}

// Integers in the same order as the floats with these bits; -0 equals +0.
fn order_keys(bits: vec3u) -> vec3i {
    let magnitude = vec3i(bits & vec3u(MAGNITUDE));
    return select(magnitude, -magnitude, bits > vec3u(MAGNITUDE));
}

fn sum3(v: Vec) -> Real {
    return v.x + v.y + v.z;
}

fn largest3(v: Vec) -> Real {
    return max(max(v.x, v.y), v.z);
}

// The 15 axes of two boxes A and B: the gap along each of A's face normals, of B's, and for each edge i of A along its
// cross products with B's edges; then what the gaps' errors and the near-parallel lemma need.
struct Gaps {
    faces_a: Vec,
    faces_b: Vec,
    edges_0: Vec,
    edges_1: Vec,
    edges_2: Vec,
    face_bound: Real,
    edge_bound: Real,
    // |a_i . b_j|, by i.
    cosines_0: Vec,
    cosines_1: Vec,
    cosines_2: Vec,
    half_a: Vec,
    half_b: Vec,
    sine: Real,
}

// The verdict: miss if any axis certainly separates, hit if all certainly overlap.
fn decide(gaps: Gaps) -> u32 {
    let faces = largest3(max(gaps.faces_a, gaps.faces_b));
    let edges = largest3(max(max(gaps.edges_0, gaps.edges_1), gaps.edges_2));
    if faces > gaps.face_bound || edges > gaps.edge_bound {
        return MISS;
    }
    if !(faces < -gaps.face_bound) {
        return UNDECIDED;
    }
    if edges < -gaps.edge_bound {
        return HIT;
    }
    return decide_nearly_parallel(gaps);
}

// The verdict on boxes that may be some way apart: miss if the gap along any axis certainly exceeds the margin, hit if all certainly overlap.
// (An axis between edges is not normalised, and shorter than 1: the gap along it is less than the boxes are apart.)
fn decide_within(gaps: Gaps, margin: Real) -> u32 {
    let more = margin * (1.0 + 4.0 * U);
    let faces = largest3(max(gaps.faces_a, gaps.faces_b));
    let edges = largest3(max(max(gaps.edges_0, gaps.edges_1), gaps.edges_2));
    if faces > gaps.face_bound + more || edges > gaps.edge_bound + more {
        return MISS;
    }
    return select(UNDECIDED, HIT, faces < -gaps.face_bound && edges < -gaps.edge_bound);
}

// The verdict when all faces certainly overlap and no edge certainly separates.
//
// An edge axis of nearly parallel edges is too short for its own bound. The lemma: project along a_i; without B's edge
// j the shadow of the difference body is bounded by the axes a_i1, a_i2, a_i x b_j1 and a_i x b_j2, and that edge adds
// at most s eB_j to each, s = |a_i x b_j|. If all four overlap by more than that, the axis a_i x b_j, which does not
// see the edge, overlaps too. The same along b_j. Only directly certified overlaps are used.
fn decide_nearly_parallel(gaps: Gaps) -> u32 {
    let a = -gaps.faces_a - gaps.face_bound;
    let b = -gaps.faces_b - gaps.face_bound;
    let e0 = -gaps.edges_0 - gaps.edge_bound;
    let e1 = -gaps.edges_1 - gaps.edge_bound;
    let e2 = -gaps.edges_2 - gaps.edge_bound;
    let slack = gaps.sine * U;
    let c0 = gaps.cosines_0;
    let c1 = gaps.cosines_1;
    let c2 = gaps.cosines_2;
    // sin(a_i, b_j) eB_j or a little more, for each j, and the same for eA_i.
    let of_b0 = (c1 + c2 + slack) * gaps.half_b;
    let of_b1 = (c2 + c0 + slack) * gaps.half_b;
    let of_b2 = (c0 + c1 + slack) * gaps.half_b;
    let of_a0 = (c0.yzx + c0.zxy + slack) * gaps.half_a.x;
    let of_a1 = (c1.yzx + c1.zxy + slack) * gaps.half_a.y;
    let of_a2 = (c2.yzx + c2.zxy + slack) * gaps.half_a.z;
    let certain = edges_overlap(e0, e1, e2, min(a.y, a.z), b, of_b0, of_a0)
        && edges_overlap(e1, e2, e0, min(a.z, a.x), b, of_b1, of_a1)
        && edges_overlap(e2, e0, e1, min(a.x, a.y), b, of_b2, of_a2);
    return select(UNDECIDED, HIT, certain);
}

// Whether A's edge i certainly overlaps with all of B's: from the overlaps of the edges i, i1 and i2, the lesser of A's
// other two faces, those of B's faces, and the shadows of B's edges and of A's.
fn edges_overlap(e: Vec, e1: Vec, e2: Vec, others: Real, b: Vec, of_b: Vec, of_a: Vec) -> bool {
    let along_a = min(Vec(others), min(e.yzx, e.zxy)) > of_b + TINY;
    let along_b = min(min(b.yzx, b.zxy), min(e1, e2)) > of_a + TINY;
    return all((e > Vec(0.0)) | along_a | along_b);
}

// The gaps along the faces of two oriented boxes in the domain, t from one centre to the other.
fn obb_faces(a: Cuboid, b: Cuboid, t: Vec) -> Gaps {
    var gaps: Gaps;
    gaps.cosines_0 = abs(a.axes[0] * b.axes);
    gaps.cosines_1 = abs(a.axes[1] * b.axes);
    gaps.cosines_2 = abs(a.axes[2] * b.axes);
    gaps.face_bound = OBB_FACE_T * U * sum3(abs(t)) + OBB_FACE_S * U * (sum3(a.half) + sum3(b.half)) + TINY;
    let reach_b = Vec(dot(gaps.cosines_0, b.half), dot(gaps.cosines_1, b.half), dot(gaps.cosines_2, b.half));
    let reach_a = gaps.cosines_0 * a.half.x + gaps.cosines_1 * a.half.y + gaps.cosines_2 * a.half.z;
    gaps.faces_a = abs(t * a.axes) - a.half - reach_b;
    gaps.faces_b = abs(t * b.axes) - b.half - reach_a;
    return gaps;
}

// The gaps along the edges as well.
fn obb_edges(a: Cuboid, b: Cuboid, t: Vec, faces: Gaps) -> Gaps {
    var gaps = faces;
    let sizes = sum3(a.half) + sum3(b.half);
    let distance = sum3(abs(t));
    let t_a = t * a.axes;
    // a_i . b_j, by i.
    let c0 = a.axes[0] * b.axes;
    let c1 = a.axes[1] * b.axes;
    let c2 = a.axes[2] * b.axes;
    let abs0 = gaps.cosines_0;
    let abs1 = gaps.cosines_1;
    let abs2 = gaps.cosines_2;
    gaps.edge_bound = OBB_EDGE_T * U * distance + OBB_EDGE_S * U * sizes + TINY;
    let half1 = b.half.yzx;
    let half2 = b.half.zxy;
    gaps.edges_0 = abs(t_a.z * c1 - t_a.y * c2)
        - (a.half.y * abs2 + a.half.z * abs1 + half1 * abs0.zxy + half2 * abs0.yzx);
    gaps.edges_1 = abs(t_a.x * c2 - t_a.z * c0)
        - (a.half.z * abs0 + a.half.x * abs2 + half1 * abs1.zxy + half2 * abs1.yzx);
    gaps.edges_2 = abs(t_a.y * c0 - t_a.x * c1)
        - (a.half.x * abs1 + a.half.y * abs0 + half1 * abs2.zxy + half2 * abs2.yzx);
    gaps.half_a = a.half;
    gaps.half_b = b.half;
    gaps.sine = OBB_SINE;
    return gaps;
}

// Two oriented boxes in the domain.
fn obb_obb(a: Cuboid, b: Cuboid) -> u32 {
    let t = opaque(b.center - a.center);
    let gaps = obb_faces(a, b, t);
    if largest3(max(gaps.faces_a, gaps.faces_b)) > gaps.face_bound {
        return MISS;
    }
    return decide(obb_edges(a, b, t, gaps));
}

// Two oriented boxes in the domain that may be some way apart.
fn obb_obb_within(a: Cuboid, b: Cuboid, margin: Real) -> u32 {
    let t = opaque(b.center - a.center);
    return decide_within(obb_edges(a, b, t, obb_faces(a, b, t)), margin);
}

// The gaps along the axes e_i x b_j: p and q are coordinates i1 and i2 of B's axes, `low` and `high` the aligned box in these two
// coordinates, r is coordinate i of B's axes.
fn aligned_edges(p: Vec, q: Vec, low: vec2<Real>, high: vec2<Real>, r: Vec, half: Vec) -> Vec {
    let p_low = p * low.x;
    let p_high = p * high.x;
    let q_low = q * low.y;
    let q_high = q * high.y;
    let least = min(p_low, p_high) + min(q_low, q_high);
    let greatest = max(p_low, p_high) + max(q_low, q_high);
    return max(least, -greatest) - (half.yzx * abs(r).zxy + half.zxy * abs(r).yzx);
}

// The gaps along the faces of an axis-aligned and an oriented box in the domain; `low` and `high` are the former's corners, seen
// from the latter's centre.
fn aabb_faces(low: Vec, high: Vec, b: Cuboid) -> Gaps {
    // Coordinate i of B's axes, by i.
    let r = transpose(b.axes);
    var gaps: Gaps;
    gaps.cosines_0 = abs(r[0]);
    gaps.cosines_1 = abs(r[1]);
    gaps.cosines_2 = abs(r[2]);
    gaps.face_bound = AABB * U * (sum3(max(abs(low), abs(high))) + sum3(b.half)) + TINY;
    let reach = Vec(dot(gaps.cosines_0, b.half), dot(gaps.cosines_1, b.half), dot(gaps.cosines_2, b.half));
    gaps.faces_a = max(low, -high) - reach;
    let x_low = r[0] * low.x;
    let x_high = r[0] * high.x;
    let y_low = r[1] * low.y;
    let y_high = r[1] * high.y;
    let z_low = r[2] * low.z;
    let z_high = r[2] * high.z;
    let least = min(x_low, x_high) + min(y_low, y_high) + min(z_low, z_high);
    let greatest = max(x_low, x_high) + max(y_low, y_high) + max(z_low, z_high);
    gaps.faces_b = max(least, -greatest) - b.half;
    return gaps;
}

// The gaps along the edges as well, but for what the lemma needs of the aligned box.
fn aabb_edges(low: Vec, high: Vec, b: Cuboid, faces: Gaps) -> Gaps {
    var gaps = faces;
    let r = transpose(b.axes);
    gaps.edge_bound = gaps.face_bound;
    gaps.edges_0 = aligned_edges(-r[2], r[1], low.yz, high.yz, r[0], b.half);
    gaps.edges_1 = aligned_edges(-r[0], r[2], low.zx, high.zx, r[1], b.half);
    gaps.edges_2 = aligned_edges(-r[1], r[0], low.xy, high.xy, r[2], b.half);
    gaps.half_b = b.half;
    gaps.sine = AABB_SINE;
    return gaps;
}

// An axis-aligned and an oriented box in the domain.
fn aabb_obb(min_a: vec3u, max_a: vec3u, b: Cuboid) -> u32 {
    let low = opaque(reals(min_a) - b.center);
    let high = opaque(reals(max_a) - b.center);
    var gaps = aabb_faces(low, high, b);
    if largest3(max(gaps.faces_a, gaps.faces_b)) > gaps.face_bound {
        return MISS;
    }
    gaps = aabb_edges(low, high, b, gaps);
    gaps.half_a = opaque(reals(max_a) - reals(min_a)) * 0.5;
    return decide(gaps);
}

// An axis-aligned and an oriented box in the domain that may be some way apart.
fn aabb_obb_within(min_a: vec3u, max_a: vec3u, b: Cuboid, margin: Real) -> u32 {
    let low = opaque(reals(min_a) - b.center);
    let high = opaque(reals(max_a) - b.center);
    return decide_within(aabb_edges(low, high, b, aabb_faces(low, high, b)), margin);
}

// Two axis-aligned boxes, from comparisons alone; they need no domain.
fn aabb_aabb(min_a: vec3u, max_a: vec3u, min_b: vec3u, max_b: vec3u) -> u32 {
    let low_a = order_keys(min_a);
    let high_a = order_keys(max_a);
    let low_b = order_keys(min_b);
    let high_b = order_keys(max_b);
    if any((low_a > high_b) | (low_b > high_a)) {
        return MISS;
    }
    return select(TOUCH, HIT, all((low_a < high_b) & (low_b < high_a)));
}

// The verdict for a squared distance between low . low and high . high.
fn compare_squares(low: Vec, high: Vec, radius: Real) -> u32 {
    let limit = radius * radius;
    if dot(low, low) > limit * (1.0 + SQUARES * U) + TINY_SQUARED {
        return MISS;
    }
    return select(UNDECIDED, HIT, dot(high, high) * (1.0 + SQUARES * U) + TINY_SQUARED < limit);
}

// Two balls in the domain.
fn sphere_sphere(center_a: vec3u, radius_a: Real, center_b: vec3u, radius_b: Real) -> u32 {
    let t = opaque(reals(center_b) - reals(center_a));
    return compare_squares(t, t, radius_a + radius_b);
}

// A ball and an axis-aligned box in the domain. Which side of the box the centre lies on is decided on the bits.
fn sphere_aabb(center: vec3u, radius: Real, min_b: vec3u, max_b: vec3u) -> u32 {
    let c = order_keys(center);
    let low = order_keys(min_b);
    let high = order_keys(max_b);
    if all((low < c) & (c < high)) {
        return HIT;
    }
    let below = opaque(reals(min_b) - reals(center));
    let above = opaque(reals(center) - reals(max_b));
    let outside = select(select(Vec(0.0), above, c > high), below, c < low);
    return compare_squares(outside, outside, radius);
}

// A ball and an oriented box in the domain.
fn sphere_obb(center: vec3u, radius: Real, b: Cuboid) -> u32 {
    let t = opaque(reals(center) - b.center);
    let bound = LOCAL_T * U * sum3(abs(t)) + LOCAL_E * U * b.half + TINY;
    let gap = abs(t * b.axes) - b.half;
    if all(gap < -bound) {
        return HIT;
    }
    return compare_squares(max(gap - bound, Vec(0.0)), max(gap + bound, Vec(0.0)), radius);
}

// The side of a half-space, from the minimum and the maximum of n . x - d over a shape and their error bounds.
fn side_between(least: Real, least_bound: Real, greatest: Real, greatest_bound: Real) -> u32 {
    if least > least_bound {
        return SIDE_OUTSIDE;
    }
    if greatest < -greatest_bound {
        return SIDE_INSIDE;
    }
    return select(SIDE_OPEN, SIDE_CROSSING, least < -least_bound && greatest > greatest_bound);
}

// A ball and a half-space n . x <= d in the domain.
fn sphere_plane(center: vec3u, radius: Real, plane: vec4u) -> u32 {
    let n = reals(plane.xyz);
    let d = Real(bitcast<f32>(plane.w));
    let c = opaque(reals(center));
    let length_n = sqrt(dot(n, n));
    let bound = BALL_C * U * dot(abs(n), abs(c)) + BALL_D * U * abs(d) + BALL_R * U * length_n * radius + TINY;
    let middle = dot(n, c) - d;
    return side_between(middle - radius * length_n, bound, middle + radius * length_n, bound);
}

// A capsule and a half-space in the domain.
fn capsule_plane(a: vec3u, b: vec3u, radius: Real, plane: vec4u) -> u32 {
    let n = reals(plane.xyz);
    let d = Real(bitcast<f32>(plane.w));
    let from_a = opaque(reals(a));
    let from_b = opaque(reals(b));
    let length_n = sqrt(dot(n, n));
    let size = max(dot(abs(n), abs(from_a)), dot(abs(n), abs(from_b)));
    let bound = BALL_C * U * size + BALL_D * U * abs(d) + BALL_R * U * length_n * radius + TINY;
    let first = dot(n, from_a) - d;
    let second = dot(n, from_b) - d;
    let reach = radius * length_n;
    return side_between(min(first, second) - reach, bound, max(first, second) + reach, bound);
}

// An axis-aligned box and a half-space in the domain.
fn aabb_plane(min_a: vec3u, max_a: vec3u, plane: vec4u) -> u32 {
    let n = reals(plane.xyz);
    let d = Real(bitcast<f32>(plane.w));
    let positive = (plane.xyz <= vec3u(MAGNITUDE)) & ((plane.xyz & vec3u(MAGNITUDE)) != vec3u(0u));
    let near = opaque(reals(select(max_a, min_a, positive)));
    let far = opaque(reals(select(min_a, max_a, positive)));
    let rest = AABB_D * U * abs(d) + TINY;
    let near_bound = AABB_C * U * dot(abs(n), abs(near)) + rest;
    let far_bound = AABB_C * U * dot(abs(n), abs(far)) + rest;
    return side_between(dot(n, near) - d, near_bound, dot(n, far) - d, far_bound);
}

// An oriented box and a half-space in the domain.
fn obb_plane(b: Cuboid, plane: vec4u) -> u32 {
    let n = reals(plane.xyz);
    let d = Real(bitcast<f32>(plane.w));
    let c = opaque(b.center);
    let reach = dot(abs(n * b.axes), b.half);
    let bound = OBB_C * U * dot(abs(n), abs(c)) + OBB_D * U * abs(d) + OBB_E * U * sum3(abs(n)) * sum3(b.half) + TINY;
    let middle = dot(n, c) - d;
    return side_between(middle - reach, bound, middle + reach, bound);
}
