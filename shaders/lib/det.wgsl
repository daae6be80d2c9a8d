// Arithmetic with the same bits on every adapter and on the CPU: the twins of src/det, where rules, domains and errors are stated.
// For modules whose params have the word `zero`, which is always 0.

// The float with these bits, passed through an operation that the compiler cannot see through, so that it neither fuses, reorders
// nor folds across it.
fn det_hide(bits: u32) -> f32 {
    return bitcast<f32>(bits ^ params.zero);
}

const DET_SIGN = 0x80000000u;
// The bits of 2^-100: products below it become +0. No compiler knows which those are, so that it cannot fuse a product with a sum either.
const DET_SMALLEST_PRODUCT = 0x0d800000u;
const DET_SMALLEST_ROOT = 0x1p-90f;
const DET_RECIP_GUESS = 0x7ef311c7u;
const DET_RSQRT_GUESS = 0x5f375a86u;
const DET_SPLITTER = 4097.0f;

fn det_clean(x: f32) -> f32 {
    return select(x, 0.0f, abs(x) < det_hide(DET_SMALLEST_PRODUCT));
}

fn det_add(a: f32, b: f32) -> f32 {
    return det_hide(bitcast<u32>(a + b));
}

fn det_sub(a: f32, b: f32) -> f32 {
    return det_hide(bitcast<u32>(a - b));
}

fn det_mul(a: f32, b: f32) -> f32 {
    return det_clean(a * b);
}

fn det_neg(x: f32) -> f32 {
    return det_hide(select(bitcast<u32>(x) ^ DET_SIGN, 0u, x == 0.0f));
}

fn det_abs(x: f32) -> f32 {
    return det_hide(bitcast<u32>(x) & ~DET_SIGN);
}

fn det_min(a: f32, b: f32) -> f32 {
    return det_hide(bitcast<u32>(select(a, b, b < a)));
}

fn det_max(a: f32, b: f32) -> f32 {
    return det_hide(bitcast<u32>(select(a, b, a < b)));
}

fn det_recip(x: f32) -> f32 {
    let zero = x == 0.0f;
    let size = select(det_abs(x), 1.0f, zero);
    var y = det_hide(DET_RECIP_GUESS - bitcast<u32>(size));
    for (var k = 0u; k < 4u; k++) {
        y = det_mul(y, det_sub(2.0f, det_mul(size, y)));
    }
    return det_hide(select(bitcast<u32>(y) | (bitcast<u32>(x) & DET_SIGN), 0u, zero));
}

fn det_rsqrt(x: f32) -> f32 {
    let defined = x >= DET_SMALLEST_ROOT;
    let size = select(1.0f, x, defined);
    let half = det_mul(0.5f, size);
    var y = det_hide(DET_RSQRT_GUESS - (bitcast<u32>(size) >> 1u));
    for (var k = 0u; k < 4u; k++) {
        y = det_mul(y, det_sub(1.5f, det_mul(half, det_mul(y, y))));
    }
    return det_hide(select(0u, bitcast<u32>(y), defined));
}

fn det_sqrt(x: f32) -> f32 {
    return det_mul(x, det_rsqrt(x));
}

fn det_div(a: f32, b: f32) -> f32 {
    return det_mul(a, det_recip(b));
}

fn det_add3(a: vec3f, b: vec3f) -> vec3f {
    return vec3f(det_add(a.x, b.x), det_add(a.y, b.y), det_add(a.z, b.z));
}

fn det_sub3(a: vec3f, b: vec3f) -> vec3f {
    return vec3f(det_sub(a.x, b.x), det_sub(a.y, b.y), det_sub(a.z, b.z));
}

fn det_neg3(v: vec3f) -> vec3f {
    return vec3f(det_neg(v.x), det_neg(v.y), det_neg(v.z));
}

fn det_scale3(v: vec3f, s: f32) -> vec3f {
    return vec3f(det_mul(v.x, s), det_mul(v.y, s), det_mul(v.z, s));
}

fn det_dot3(a: vec3f, b: vec3f) -> f32 {
    return det_add(det_add(det_mul(a.x, b.x), det_mul(a.y, b.y)), det_mul(a.z, b.z));
}

fn det_cross3(a: vec3f, b: vec3f) -> vec3f {
    return vec3f(
        det_sub(det_mul(a.y, b.z), det_mul(a.z, b.y)),
        det_sub(det_mul(a.z, b.x), det_mul(a.x, b.z)),
        det_sub(det_mul(a.x, b.y), det_mul(a.y, b.x)),
    );
}

fn det_length_squared3(v: vec3f) -> f32 {
    return det_dot3(v, v);
}

fn det_length3(v: vec3f) -> f32 {
    return det_sqrt(det_length_squared3(v));
}

fn det_normalize3(v: vec3f) -> vec3f {
    return det_scale3(v, det_rsqrt(det_length_squared3(v)));
}

// A double word: the unevaluated sum of two f32.
struct DetDouble {
    high: f32,
    low: f32,
}

fn det_two_sum(a: f32, b: f32) -> DetDouble {
    let high = det_add(a, b);
    let b_part = det_sub(high, a);
    let a_part = det_sub(high, b_part);
    return DetDouble(high, det_add(det_sub(a, a_part), det_sub(b, b_part)));
}

fn det_quick_two_sum(a: f32, b: f32) -> DetDouble {
    let high = det_add(a, b);
    return DetDouble(high, det_sub(b, det_sub(high, a)));
}

fn det_split(x: f32) -> DetDouble {
    let wide = det_mul(DET_SPLITTER, x);
    let high = det_sub(wide, det_sub(wide, x));
    return DetDouble(high, det_sub(x, high));
}

fn det_two_prod(a: f32, b: f32) -> DetDouble {
    let high = det_mul(a, b);
    let x = det_split(a);
    let y = det_split(b);
    var rest = det_sub(det_mul(x.high, y.high), high);
    rest = det_add(det_add(rest, det_mul(x.high, y.low)), det_mul(x.low, y.high));
    return DetDouble(high, det_add(rest, det_mul(x.low, y.low)));
}

fn det_neg_double(x: DetDouble) -> DetDouble {
    return DetDouble(det_neg(x.high), det_neg(x.low));
}

fn det_add_double(x: DetDouble, y: DetDouble) -> DetDouble {
    let high = det_two_sum(x.high, y.high);
    let low = det_two_sum(x.low, y.low);
    let sum = det_quick_two_sum(high.high, det_add(high.low, low.high));
    return det_quick_two_sum(sum.high, det_add(low.low, sum.low));
}

fn det_sub_double(x: DetDouble, y: DetDouble) -> DetDouble {
    return det_add_double(x, det_neg_double(y));
}

fn det_mul_double(x: DetDouble, y: DetDouble) -> DetDouble {
    let product = det_two_prod(x.high, y.high);
    let rest = det_add(det_mul(x.high, y.low), det_mul(x.low, y.high));
    return det_quick_two_sum(product.high, det_add(product.low, rest));
}

fn det_less_double(x: DetDouble, y: DetDouble) -> bool {
    return x.high < y.high || (x.high == y.high && x.low < y.low);
}

const DET_QUARTERS = 0x3f22f983u;
const DET_SHIFT = 12582912.0f;

fn det_turn(angle: f32) -> vec3f {
    let shifted = det_add(det_mul(angle, det_hide(DET_QUARTERS)), DET_SHIFT);
    let quarters = det_sub(shifted, DET_SHIFT);
    let first = det_sub(angle, det_mul(quarters, det_hide(0x3fc90000u)));
    let second = det_sub(first, det_mul(quarters, det_hide(0x39fda000u)));
    let x = det_sub(second, det_mul(quarters, det_hide(0x33a22169u)));
    let square = det_mul(x, x);
    let sines = det_add(det_hide(0x3e2aaaa9u), det_mul(square, det_add(det_hide(0xbc088615u), det_mul(square, det_hide(0x394d6507u)))));
    let cosines = det_add(det_hide(0x3d2aaaaau), det_mul(square, det_add(det_hide(0xbab6096au), det_mul(square, det_hide(0x37cdec68u)))));
    let sine = det_sub(x, det_mul(det_mul(x, square), sines));
    let versine = det_mul(square, det_sub(0.5f, det_mul(square, cosines)));
    let cosine = det_sub(1.0f, versine);
    switch bitcast<u32>(shifted) & 3u {
        case 0u: {
            return vec3f(cosine, sine, versine);
        }
        case 1u: {
            return vec3f(det_neg(sine), cosine, det_add(1.0f, sine));
        }
        case 2u: {
            return vec3f(det_neg(cosine), det_neg(sine), det_add(1.0f, cosine));
        }
        default: {
            return vec3f(sine, det_neg(cosine), det_sub(1.0f, sine));
        }
    }
}
