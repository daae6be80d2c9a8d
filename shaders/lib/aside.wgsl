// Directions at right angles to others.
// import: lib/det

// At right angles to a unit vector: its product with the axis that it has least of, of those that come first.
fn aside(n: vec3f) -> vec3f {
    let x = det_abs(n.x);
    let y = det_abs(n.y);
    let z = det_abs(n.z);
    var axis = vec3f(0.0f, 0.0f, 1.0f);
    if !(y < x) && !(z < x) {
        axis = vec3f(1.0f, 0.0f, 0.0f);
    } else if !(z < y) {
        axis = vec3f(0.0f, 1.0f, 0.0f);
    }
    return det_normalize3(det_cross3(n, axis));
}
