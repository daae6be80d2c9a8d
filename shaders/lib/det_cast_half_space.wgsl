// When a ray enters a half-space, in double words. The twin of src/cast/half_space.rs, where errors are derived.
// import: lib/det_cast

const HALF_SPACE_LEAST = 67u;
const HALF_SPACE_MOST = 187u;
const HALF_SPACE_OFFSET = 60u;
const HALF_SPACE_ERROR = 0x1p-40f;
const HALF_SPACE_LEAST_ERROR = 0x1p-90f;
const HALF_SPACE_FALL_ERROR = 0x1p-38f;
const HALF_SPACE_LEAST_FALL = 0x1p-30f;
// A ray that lasts as long may last longer.
const HALF_SPACE_LATEST = 0x1p50f;

fn half_space_meeting(shot: Shot, normal: vec3u, offset: u32) -> Meeting {
    let largest = largest_exponent(normal);
    if largest < HALF_SPACE_LEAST || largest > HALF_SPACE_MOST || exponent_of(offset) > largest + HALF_SPACE_OFFSET {
        return CAST_OUTSIDE;
    }
    let scale = power_of(254u - largest);
    let n = bitcast<vec3f>(normal);
    var height: DetDouble;
    var rises: DetDouble;
    var size = 0.0f;
    for (var k = 0u; k < 3u; k++) {
        let part = det_mul(n[k], scale);
        let x = det_clean(shot.origin[k]);
        height = summed(k, height, det_two_prod(part, x));
        rises = summed(k, rises, det_two_prod(part, shot.direction[k]));
        // (In pairs: the last with the offset.)
        if k < 2u {
            size = det_add(size, det_abs(det_mul(part, x)));
        } else {
            let d = det_mul(bitcast<f32>(offset), scale);
            size = det_add(size, det_add(det_abs(det_mul(part, x)), det_abs(d)));
            height = det_sub_double(height, single(d));
        }
    }
    let falls = det_neg_double(rises);
    let error = det_add(det_mul(size, HALF_SPACE_ERROR), HALF_SPACE_LEAST_ERROR);
    let end = det_sub_double(height, det_mul_double(falls, single(shot.last))).high;
    let end_error = det_add(error, det_mul(shot.last, HALF_SPACE_FALL_ERROR));
    let above = height.high > error;
    let lasts = !(shot.last < HALF_SPACE_LATEST);
    let missed = above && (falls.high < det_neg(HALF_SPACE_FALL_ERROR) || (!lasts && end > end_error));
    let met = height.high < det_neg(error) || end < det_neg(end_error);
    var time = 0.0f;
    if falls.high > HALF_SPACE_LEAST_FALL {
        time = det_max(det_mul_double(height, recip_double(falls)).high, 0.0f);
    } else if above && !missed {
        return CAST_OUTSIDE;
    }
    if lasts && !(time < HALF_SPACE_LATEST) {
        return CAST_OUTSIDE;
    }
    return Meeting(verdict_of(missed, met), det_min(time, shot.last));
}
