// A body as one pair sees it, in deterministic arithmetic.
// import: lib/det

// A body as one pair sees it: scaled by a power of two.
struct Solid {
    center: vec3f,
    center_low: vec3f,
    half: vec3f,
    x: vec3f,
    y: vec3f,
    z: vec3f,
}

// Component k of a vector.
fn entry(v: vec3f, k: u32) -> f32 {
    return select(select(v.z, v.y, k == 1u), v.x, k == 0u);
}

fn difference_of_centers(a: Solid, b: Solid) -> vec3f {
    if all(a.center_low == vec3f()) && all(b.center_low == vec3f()) {
        // What the double words would come to.
        return det_sub3(b.center, a.center);
    }
    var found: vec3f;
    for (var k = 0u; k < 3u; k++) {
        let from_a = DetDouble(entry(a.center, k), entry(a.center_low, k));
        let to_b = DetDouble(entry(b.center, k), entry(b.center_low, k));
        found[k] = det_sub_double(to_b, from_a).high;
    }
    return found;
}
