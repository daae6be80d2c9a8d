// Differences that compilers cannot see through, in f64: see `opaque.wgsl`.
// import: lib/real

// A difference of inputs that the compiler cannot see through, so that it distributes no product over it.
fn opaque(difference: Vec) -> Vec {
    return select(difference, -difference, vec3<bool>(params.zero != 0u));
}
