// Moving bodies, for modules with arrays `frames_a` and `frames_b`, in which the courses of bodies begin at `params.courses_a` and
// `params.courses_b`.
// import: lib/sweep_straight

struct Moving {
    frame: NearFrame,
    course: Course,
}

fn moving_of(
    center: vec4u,
    x: vec4u,
    y: vec4u,
    z: vec4u,
    rest: vec4u,
    way: vec4u,
    axis: vec4u,
    arm: vec4u,
) -> Moving {
    let frame = NearFrame(
        bitcast<vec3f>(center.xyz),
        center.w,
        bitcast<vec3f>(rest.xyz),
        bitcast<vec4f>(x),
        bitcast<vec4f>(y),
        bitcast<vec4f>(z),
    );
    return Moving(frame, course_of(way, axis, arm));
}

fn moving_in_a(body: u32) -> Moving {
    let at = FRAME_VECTORS * body;
    let course = params.courses_a + COURSE_VECTORS * body;
    return moving_of(
        frames_a[at],
        frames_a[at + 1u],
        frames_a[at + 2u],
        frames_a[at + 3u],
        frames_a[at + 4u],
        frames_a[course],
        frames_a[course + 1u],
        frames_a[course + 2u],
    );
}

fn moving_in_b(body: u32) -> Moving {
    let at = FRAME_VECTORS * body;
    let course = params.courses_b + COURSE_VECTORS * body;
    return moving_of(
        frames_b[at],
        frames_b[at + 1u],
        frames_b[at + 2u],
        frames_b[at + 3u],
        frames_b[at + 4u],
        frames_b[course],
        frames_b[course + 1u],
        frames_b[course + 2u],
    );
}
