// How far apart the bodies of a contact may be. For modules with params `may_be_apart` and `margin`, and arrays `frames_a` and `frames_b`.
// import: lib/manifold

// A margin may be this many powers of two larger than the largest length of the pair; what is beyond does not matter.
const MOST_MARGIN = 45u;

// What lengths of this exponent are multiplied by, so that they are from 1 to 2.
fn scale_of(exponent: u32) -> f32 {
    return bitcast<f32>((254u - exponent) << 23u);
}

fn margin_scaled(bits: u32, exponent: u32) -> f32 {
    if ((bits >> 23u) & 255u) > exponent + MOST_MARGIN {
        return bitcast<f32>((127u + MOST_MARGIN) << 23u);
    }
    return det_mul(det_clean(bitcast<f32>(bits)), scale_of(exponent));
}

// Of bodies whose largest length has this exponent.
fn set_least_depth(ids: vec2u, exponent: u32) {
    least_depth = 0.0f;
    if params.may_be_apart != 0u {
        let m = margin_scaled(bitcast<u32>(params.margin), exponent);
        let n = margin_scaled(frames_a[FRAME_VECTORS * ids.x + 4u].w, exponent);
        let o = margin_scaled(frames_b[FRAME_VECTORS * ids.y + 4u].w, exponent);
        least_depth = det_neg(det_add(det_add(m, n), o));
    }
}
