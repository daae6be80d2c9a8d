// Differences that compilers cannot see through. For modules whose params have the word `zero`, which is always 0.
// import: lib/real

// Hides a difference of inputs from the compiler, so that it cannot distribute a product over it.
fn opaque(difference: Vec) -> Vec {
    return bitcast<vec3f>(bitcast<vec3u>(difference) ^ vec3u(params.zero));
}
