// How far a hull and another body are in each other, by the expanding polytope algorithm: the twin of src/near/hull/polytope.rs, where it is explained.
// import: lib/hulls, lib/aside

// The corners of the polytope, each with the corners of both bodies that it is the difference of.
var<private> poly_points: array<vec4f, POLY_POINTS>;
var<private> poly_count: u32;
// The inward normals of its faces and how high they are along them, and their corners, a byte each.
var<private> poly_faces: array<vec4f, POLY_FACES>;
var<private> poly_corners: array<u32, POLY_FACES>;
var<private> poly_face_count: u32;
// The edges around the faces that a new corner is above, while they are counted.
var<private> poly_edges: array<vec2u, POLY_EDGES>;
var<private> poly_edge_count: u32;
// Whether the polytope can grow no further.
var<private> poly_is_full: bool;

// What a polytope says of two bodies.
struct Deepest {
    is_found: bool,
    // The direction along which they are furthest apart, of unit length.
    direction: vec3f,
    // The corners of the face that has it.
    signs: vec3u,
    // They are not further apart than this along any direction.
    most: f32,
}

// The directions, of unit length, along which the next difference is looked for that is not in the point, the line or the plane of those that are there; the
// last one is along the line, or across the plane.
var<private> poly_axes: array<vec3f, 3>;

fn set_poly_axes() {
    let a = poly_points[0].xyz;
    if poly_count < 2u {
        poly_axes = array<vec3f, 3>(vec3f(1.0f, 0.0f, 0.0f), vec3f(0.0f, 1.0f, 0.0f), vec3f(0.0f, 0.0f, 1.0f));
        return;
    }
    var way = det_sub3(poly_points[1].xyz, a);
    if poly_count == 3u {
        way = det_cross3(way, det_sub3(poly_points[2].xyz, a));
    }
    let along = det_normalize3(way);
    poly_axes = array<vec3f, 3>(along, along, along);
    if poly_count == 2u {
        poly_axes[0] = aside(along);
        poly_axes[1] = det_cross3(along, poly_axes[0]);
    }
}

// How far a difference is from the point, the line or the plane of those that are there.
fn poly_off(at: vec3f) -> f32 {
    if poly_count == 0u {
        return 1.0f;
    }
    var way = det_sub3(at, poly_points[0].xyz);
    if poly_count == 3u {
        return det_abs(det_dot3(poly_axes[2], way));
    }
    if poly_count == 2u {
        way = det_cross3(poly_axes[2], way);
    }
    return det_length3(way);
}

fn poly_push(corner: Corner) {
    poly_points[poly_count] = vec4f(corner.at, bitcast<f32>(corner.signs | POLY_IS_NUMBER));
    poly_count += 1u;
}

// Adds a face whose corners are in order around the outer side. (One without a normal is never the nearest.)
fn poly_add(corners: vec3u) {
    var a = vec3f();
    var b = vec3f();
    var c = vec3f();
    // (One place that reads an array is compiled faster than three.)
    for (var k = params.zero; k < 3u; k++) {
        a = b;
        b = c;
        c = poly_points[select(select(corners.z, corners.y, k == 1u), corners.x, k == 0u)].xyz;
    }
    let inwards = det_normalize3(det_cross3(det_sub3(c, a), det_sub3(b, a)));
    let level = select(det_dot3(inwards, a), det_neg(POLY_BEYOND), all(inwards == vec3f()));
    poly_faces[poly_face_count] = vec4f(inwards, level);
    poly_corners[poly_face_count] = corners.x | (corners.y << 8u) | (corners.z << 16u);
    poly_face_count += 1u;
}

// The edges of the four faces of the first four corners. Returns with which corner the first of them makes a face; the others do with the fourth.
fn set_first_edges() -> u32 {
    let a = poly_points[0].xyz;
    let b = det_sub3(poly_points[1].xyz, a);
    let c = det_sub3(poly_points[2].xyz, a);
    let is_turned = det_dot3(det_cross3(b, c), det_sub3(poly_points[3].xyz, a)) > 0.0f;
    let second = select(1u, 2u, is_turned);
    let third = select(2u, 1u, is_turned);
    poly_edges[0] = vec2u(0u, second);
    poly_edges[1] = vec2u(second, 0u);
    poly_edges[2] = vec2u(third, second);
    poly_edges[3] = vec2u(0u, third);
    poly_edge_count = 4u;
    return third;
}

// Counts an edge, unless it is one between two faces that are replaced.
fn poly_toggle(edge: vec2u) {
    var at = poly_edge_count;
    for (var k = poly_edge_count; k > 0u; k--) {
        if all(poly_edges[k - 1u] == edge.yx) {
            at = k - 1u;
        }
    }
    if at < poly_edge_count {
        poly_edge_count -= 1u;
        poly_edges[at] = poly_edges[poly_edge_count];
    } else if at < POLY_EDGES {
        poly_edges[at] = edge;
        poly_edge_count += 1u;
    } else {
        poly_is_full = true;
    }
}

// Takes away the faces that a new corner is above, and finds the edges around them.
fn poly_open(corner: Corner) {
    poly_push(corner);
    var k = 0u;
    while k < poly_face_count {
        let face = poly_faces[k];
        if det_sub(face.w, det_dot3(face.xyz, corner.at)) > POLY_ABOVE {
            let packed = poly_corners[k];
            poly_face_count -= 1u;
            poly_faces[k] = poly_faces[poly_face_count];
            poly_corners[k] = poly_corners[poly_face_count];
            for (var side = params.zero; side < 3u; side++) {
                let next = select(side + 1u, 0u, side == 2u);
                poly_toggle((vec2u(packed) >> (8u * vec2u(side, next))) & vec2u(255u));
            }
        } else {
            k += 1u;
        }
    }
    poly_is_full = poly_is_full || poly_edge_count < 3u || poly_face_count + poly_edge_count > POLY_FACES;
}

// The face that is nearest to 0.
fn poly_nearest() -> u32 {
    var nearest = 0u;
    var highest = det_neg(NEAR_FARTHEST);
    for (var k = 0u; k < poly_face_count; k++) {
        let level = poly_faces[k].w;
        if level > highest {
            nearest = k;
            highest = level;
        }
    }
    return nearest;
}

// The direction along which two bodies are furthest apart that are in each other, or nearly, from where a search has ended. Four differences that span a
// volume come first: those of the search as far as they are apart from each other, then the furthest along several directions.
fn deepest_direction() -> Deepest {
    var found = Deepest(false, vec3f(), vec3u(), 0.0f);
    let simplex = hull_simplex;
    poly_count = 0u;
    poly_face_count = 0u;
    poly_is_full = false;
    var next = 0u;
    var tried = 0u;
    var off = POLY_THIN;
    var candidate = Corner(vec3f(), 0u);
    var best = vec3f();
    var best_corners = 0u;
    var furthest = det_neg(POLY_BEYOND);
    // (Each turn adds a corner but for at most six for each of the first four.)
    for (var turn = params.zero; turn < POLY_POINTS + 24u && !found.is_found && !poly_is_full; turn++) {
        let begins = poly_count < 4u;
        let is_known = begins && next < simplex.count;
        var nearest = 0u;
        var face = vec4f();
        if begins {
            let towards = poly_axes[tried / 2u];
            face = vec4f(select(towards, det_neg3(towards), tried % 2u == 1u), 0.0f);
        } else {
            nearest = poly_nearest();
            face = poly_faces[nearest];
        }
        var corner: Corner;
        if is_known {
            let at = select(select(select(simplex.a, simplex.b, next == 1u), simplex.c, next == 2u), simplex.d, next == 3u);
            corner = Corner(at, simplex.signs[next]);
            next += 1u;
        } else {
            corner = hull_support(face.xyz);
        }
        tried += 1u;
        poly_edge_count = 0u;
        var first_apex = 3u;
        if begins {
            let own = poly_off(corner.at);
            if own > off {
                off = own;
                candidate = corner;
            }
            if is_known || tried == 2u * (4u - poly_count) {
                poly_is_full = !is_known && !(off > POLY_THIN);
                if off > POLY_THIN {
                    poly_push(candidate);
                    set_poly_axes();
                    if poly_count == 4u {
                        first_apex = set_first_edges();
                    }
                }
                off = POLY_THIN;
                tried = 0u;
            }
        } else {
            let height = det_dot3(face.xyz, corner.at);
            if height > furthest {
                best = face.xyz;
                best_corners = poly_corners[nearest];
                furthest = height;
            }
            if det_sub(face.w, height) > POLY_PRECISION {
                poly_open(corner);
                first_apex = poly_count - 1u;
            } else {
                found.is_found = true;
                found.direction = best;
                found.most = face.w;
            }
        }
        if !poly_is_full {
            for (var edge = 0u; edge < poly_edge_count; edge++) {
                poly_add(vec3u(poly_edges[edge], select(poly_count - 1u, first_apex, edge == 0u)));
            }
        }
        poly_is_full = poly_is_full || poly_count == POLY_POINTS;
    }
    for (var k = params.zero; k < 3u && found.is_found; k++) {
        let signs = bitcast<u32>(poly_points[(best_corners >> (8u * k)) & 255u].w) & 0xffffu;
        found.signs = vec3u(found.signs.yz, signs);
    }
    return found;
}
