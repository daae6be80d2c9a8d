// The functions of lib/det as the device computes them, for modules that only prove: what they find is certain with the errors of any device, but
// which pairs they leave open is not the same on all. Products are as the compiler likes them, but sums pass through an operation that it cannot see through: it must not
// reorder what cancels, such as places that are far from 0. For modules whose params have the word `zero`, which is always 0.

const DET_SMALLEST_ROOT = 0x1p-90f;

fn det_hide(bits: u32) -> f32 {
    return bitcast<f32>(bits ^ params.zero);
}

fn det_clean(x: f32) -> f32 {
    return x;
}

fn det_add(a: f32, b: f32) -> f32 {
    return det_hide(bitcast<u32>(a + b));
}

fn det_sub(a: f32, b: f32) -> f32 {
    return det_hide(bitcast<u32>(a - b));
}

fn det_mul(a: f32, b: f32) -> f32 {
    return a * b;
}

fn det_neg(x: f32) -> f32 {
    return -x;
}

fn det_abs(x: f32) -> f32 {
    return abs(x);
}

fn det_max(a: f32, b: f32) -> f32 {
    return max(a, b);
}

fn det_recip(x: f32) -> f32 {
    return select(1.0 / x, 0.0, x == 0.0);
}

fn det_rsqrt(x: f32) -> f32 {
    return select(0.0, inverseSqrt(max(x, DET_SMALLEST_ROOT)), x >= DET_SMALLEST_ROOT);
}

fn det_div(a: f32, b: f32) -> f32 {
    return a * det_recip(b);
}

fn det_add3(a: vec3f, b: vec3f) -> vec3f {
    return vec3f(det_add(a.x, b.x), det_add(a.y, b.y), det_add(a.z, b.z));
}

fn det_sub3(a: vec3f, b: vec3f) -> vec3f {
    return vec3f(det_sub(a.x, b.x), det_sub(a.y, b.y), det_sub(a.z, b.z));
}

fn det_neg3(v: vec3f) -> vec3f {
    return -v;
}

fn det_scale3(v: vec3f, s: f32) -> vec3f {
    return v * s;
}

fn det_dot3(a: vec3f, b: vec3f) -> f32 {
    return dot(a, b);
}

fn det_cross3(a: vec3f, b: vec3f) -> vec3f {
    return cross(a, b);
}
