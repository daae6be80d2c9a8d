// How far apart two bodies are of which at least one is a half-space. For modules with arrays `frames_a` and `frames_b`.
// import: lib/precise, lib/half_spaces

fn is_over_pair() -> bool {
    let tags = vec2u(frame_vector(false, 0u).w, frame_vector(true, 0u).w);
    return any((tags & vec2u(FRAME_KIND)) == vec2u(KIND_PLANE));
}

fn clearance_over() -> Clearance {
    let first_is_half_space = (frame_vector(false, 0u).w & FRAME_KIND) == KIND_PLANE;
    for (var k = 0u; k < FRAME_VECTORS; k++) {
        half_space_frame[k] = frame_vector(!first_is_half_space, k);
        body_frame[k] = frame_vector(first_is_half_space, k);
    }
    var found: Clearance;
    let away = away_over();
    found.away = away.away;
    found.on_a = select(away.on_body, away.on_border, first_is_half_space);
    found.on_b = select(away.on_border, away.on_body, first_is_half_space);
    return found;
}
