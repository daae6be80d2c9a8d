// Differences that compilers cannot see through. For modules whose params have the word `zero`, which is always 0.
// import: lib/real

// A difference of inputs that the compiler cannot see through, so that it distributes no product over it.
fn opaque(difference: Vec) -> Vec {
    return bitcast<vec3f>(bitcast<vec3u>(difference) ^ vec3u(params.zero));
}
