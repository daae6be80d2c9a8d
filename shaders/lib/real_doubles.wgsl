// The arithmetic of the filters: f64, where the device has it. The inputs are f32 and not subnormal, so that nothing is flushed.

alias Real = f64;
alias Vec = vec3<f64>;
alias Vec4 = vec4<f64>;
alias Mat = mat3x3<f64>;

const U: Real = 0x1p-52lf;
const TINY: Real = 0.0lf;
const TINY_SQUARED: Real = 0.0lf;

// The numbers whose f32 bits these are.
fn reals(bits: vec3u) -> Vec {
    return Vec(bitcast<vec3f>(bits));
}
