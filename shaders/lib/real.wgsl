// The arithmetic of the filters: f32, as every device has it.

alias Real = f32;
alias Vec = vec3<f32>;
alias Vec4 = vec4<f32>;
alias Mat = mat3x3<f32>;

// The unit roundoff, and upper bounds of what flushed subnormals can add up to in a gap and in a sum of squares.
const U: Real = 0x1p-23;
const TINY: Real = 0x1p-90;
const TINY_SQUARED: Real = 0x1p-100;

// The numbers with these bits.
fn reals(bits: vec3u) -> Vec {
    return bitcast<vec3f>(bits);
}
