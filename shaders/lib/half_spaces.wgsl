// Half-spaces and other bodies, with the same bits on every adapter and on the CPU: the twin of src/manifold/half_space.rs and of
// src/near/half_space.rs, where errors are explained.
// import: lib/det

const OVER_LEAST_EXPONENT = 67u;
const OVER_MOST_EXPONENT = 187u;
const OVER_REACH = 39u;
const OVER_ERROR = 0x1p-18f;
const HEIGHT_ERROR = 0x1p-40f;
const OVER_LEVEL = 0x1p-20f;

alias Frame = array<vec4u, FRAME_VECTORS>;

// A body over the border of a half-space, scaled: the unit normal, how high the centre is, the cosines of the axes and the normal, half extents,
// radius, and the sum of what the height was computed from.
struct Over {
    normal: vec3f,
    height: DetDouble,
    cosines: array<DetDouble, 3>,
    half: array<DetDouble, 3>,
    radius: f32,
    extents: u32,
    far: f32,
}

var<private> over_pair: Over;

fn over_exponent(bits: u32) -> u32 {
    return (bits >> 23u) & 255u;
}

// The frames of the pair.
var<private> half_space_frame: Frame;
var<private> body_frame: Frame;

// Number k of an axis of the body.
fn body_double(axis: u32, k: u32) -> DetDouble {
    return DetDouble(bitcast<f32>(body_frame[1u + axis][k]), bitcast<f32>(body_frame[5u + axis][k]));
}

// Number k of the normal and the offset of the half-space.
fn border_double(k: u32) -> DetDouble {
    return DetDouble(bitcast<f32>(half_space_frame[1][k]), bitcast<f32>(half_space_frame[5][k]));
}

fn scaled_by(x: DetDouble, scale: f32) -> DetDouble {
    return DetDouble(det_mul(x.high, scale), det_mul(x.low, scale));
}

// The sum of the products of the normal of a half-space and of three numbers.
fn along_normal(x: DetDouble, y: DetDouble, z: DetDouble) -> DetDouble {
    let p = det_mul_double(border_double(0u), x);
    let q = det_mul_double(border_double(1u), y);
    let r = det_mul_double(border_double(2u), z);
    return det_add_double(det_add_double(p, q), r);
}

fn has_size_in_domain() -> bool {
    let tag = body_frame[0].w;
    return ((tag >> 8u) & 255u) != 0u || (tag & FRAME_IS_POINT) != 0u;
}

// Sets `over_pair`, scaled so that a length of this exponent is from 1 to 2. Returns whether all is in the domain.
fn set_over(size: u32) -> bool {
    let tag = body_frame[0].w;
    if (half_space_frame[0].w & FRAME_IS_HALF_SPACE) == 0u || max(half_space_frame[0].w >> 16u, tag >> 16u) > size + OVER_REACH {
        return false;
    }
    let scale = bitcast<f32>((254u - size) << 23u);
    let offset = scaled_by(border_double(3u), scale);
    let center = bitcast<vec3f>(body_frame[0].xyz);
    let center_low = bitcast<vec3f>(body_frame[4].xyz);
    let x = scaled_by(DetDouble(center.x, center_low.x), scale);
    let y = scaled_by(DetDouble(center.y, center_low.y), scale);
    let z = scaled_by(DetDouble(center.z, center_low.z), scale);
    over_pair.normal = bitcast<vec3f>(half_space_frame[1].xyz);
    over_pair.height = det_sub_double(along_normal(x, y, z), offset);
    let kind = tag & FRAME_KIND;
    over_pair.extents = select(select(3u, 1u, kind == KIND_CAPSULE), 0u, kind == KIND_SPHERE);
    for (var k = 0u; k < over_pair.extents; k++) {
        over_pair.half[k] = scaled_by(body_double(k, 3u), scale);
        over_pair.cosines[k] = along_normal(body_double(k, 0u), body_double(k, 1u), body_double(k, 2u));
    }
    over_pair.radius = 0.0f;
    if over_pair.extents < 3u {
        over_pair.radius = det_mul(bitcast<f32>(body_frame[3].w), scale);
    }
    over_pair.far = det_add(det_add(det_abs(x.high), det_abs(y.high)), det_add(det_abs(z.high), det_abs(offset.high)));
    return true;
}

// How far the body reaches below its centre along one of its axes.
fn over_drop(axis: u32) -> DetDouble {
    var cosine = over_pair.cosines[axis];
    if cosine.high < 0.0f {
        cosine = det_neg_double(cosine);
    }
    return det_mul_double(cosine, over_pair.half[axis]);
}

// How high the core of the body is.
fn over_lowest() -> DetDouble {
    var height = over_pair.height;
    for (var k = 0u; k < over_pair.extents; k++) {
        height = det_sub_double(height, over_drop(k));
    }
    return height;
}

fn over_sizes() -> f32 {
    var sizes = 0.0f;
    for (var k = 0u; k < over_pair.extents; k++) {
        sizes = det_add(sizes, over_pair.half[k].high);
    }
    return sizes;
}

fn is_over_size(size: u32) -> bool {
    return size >= OVER_LEAST_EXPONENT && size <= OVER_MOST_EXPONENT;
}

// How far a body is from a half-space: never more than it is, and below 0 outside the domain. `on_body` is its nearest point, and `on_border` that of the
// half-space.
struct OverAway {
    away: f32,
    on_body: vec3f,
    on_border: vec3f,
}

fn away_over() -> OverAway {
    let tag = body_frame[0].w;
    let size = max(max((tag >> 8u) & 255u, tag >> 16u), half_space_frame[0].w >> 16u);
    if !has_size_in_domain() || !is_over_size(size) || !set_over(size) {
        return OverAway(det_neg(1.0f), vec3f(), vec3f());
    }
    let sizes = det_add(det_add(over_sizes(), over_pair.radius), over_pair.far);
    let core_gap = det_sub_double(over_lowest(), DetDouble(over_pair.radius, 0.0f));
    let gap = det_sub_double(core_gap, DetDouble(det_mul(HEIGHT_ERROR, sizes), 0.0f));
    var away = 0.0f;
    if gap.high > 0.0f {
        // Rounded down.
        away = det_hide(bitcast<u32>(gap.high) - select(0u, 1u, gap.low < 0.0f));
    }
    let back = bitcast<f32>(size << 23u);
    away = det_mul(away, back);
    var lowest = det_scale3(over_pair.normal, det_neg(over_pair.radius));
    for (var k = 0u; k < over_pair.extents; k++) {
        let cosine = over_pair.cosines[k].high;
        let half = over_pair.half[k].high;
        if !(det_abs(cosine) < OVER_LEVEL) {
            let axis = bitcast<vec3f>(body_frame[1u + k].xyz);
            lowest = det_add3(lowest, det_scale3(axis, select(det_neg(half), half, cosine < 0.0f)));
        }
    }
    let on_body = det_add3(bitcast<vec3f>(body_frame[0].xyz), det_scale3(lowest, back));
    return OverAway(away, on_body, det_sub3(on_body, det_scale3(over_pair.normal, away)));
}
