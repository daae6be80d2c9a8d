// The middle of a body and its size: its radius, or its largest half extent along its own axes. For modules with the binding `shapes`, two
// words per element.
// import: lib/hull_record

fn middle_and_size(body: u32, tag: u32) -> vec4f {
    let at = RECORD_WORDS / 2u * body;
    let w0 = bitcast<vec2f>(shapes[at]);
    let w1 = bitcast<vec2f>(shapes[at + 1u]);
    let first = vec3f(w0, w1.x);
    let kind = tag & TAG_KIND;
    if kind == KIND_SPHERE {
        return vec4f(first, w1.y);
    }
    var middle = first;
    var sides = vec3f(w1.y, bitcast<vec2f>(shapes[at + 2u]));
    if kind == KIND_AABB {
        middle = 0.5 * sides + 0.5 * first;
        sides = 0.5 * sides - 0.5 * first;
    } else if kind == KIND_CAPSULE {
        middle = 0.5 * sides + 0.5 * first;
        sides = abs(0.5 * sides - 0.5 * first) + vec3f(bitcast<f32>(shapes[at + 3u].x));
    } else if kind == KIND_CONVEX_HULL {
        sides = vec3f(hull_reach(bitcast<u32>(w1.y)));
    } else if kind == KIND_PLANE {
        // It is everywhere.
        middle = vec3f(0.0);
        sides = vec3f(0x1.fffffep+127f);
    }
    return vec4f(middle, max(max(sides.x, sides.y), sides.z));
}
