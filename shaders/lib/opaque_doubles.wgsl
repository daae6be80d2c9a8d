// Differences that compilers cannot see through, in f64: see `opaque.wgsl`.
// import: lib/real

// Hides a difference of inputs from the compiler, so that it cannot distribute a product over it.
fn opaque(difference: Vec) -> Vec {
    return select(difference, -difference, vec3<bool>(params.zero != 0u));
}
