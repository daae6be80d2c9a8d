// How high the corners of a hull are over the border of a half-space, with the same bits on every adapter and on the CPU: the twin of src/near/hull/over.rs.
// import: lib/hull_away

// A hull over a border, scaled so that a length of exponent `size` is from 1 to 2; outside the domain that is 0.
struct Over {
    size: u32,
    lowest: u32,
    // The height of the lowest corner, and of the hull's position.
    height: DetDouble,
    of_place: DetDouble,
    error: f32,
    normal: array<DetDouble, 3>,
    // The normal as the hull sees it.
    along: array<DetDouble, 3>,
    center: array<DetDouble, 3>,
}

fn over_border(hull_is_b: bool) -> Over {
    var over: Over;
    let of_hull = set_away_part(1u, hull_is_b);
    let border = frame_vector(!hull_is_b, 0u).w;
    let size = max(of_hull.x, max(frame_vector(hull_is_b, 0u).w >> 16u, border >> 16u));
    if of_hull.y == 0u || (border & FRAME_IS_HALF_SPACE) == 0u || !is_in_domain(size) {
        return over;
    }
    hull_scale = bitcast<f32>((254u - size) << 23u);
    let high = bitcast<vec4f>(frame_vector(!hull_is_b, 1u));
    let low = bitcast<vec4f>(frame_vector(!hull_is_b, 5u));
    over.size = size;
    over.normal = array<DetDouble, 3>(DetDouble(high.x, low.x), DetDouble(high.y, low.y), DetDouble(high.z, low.z));
    let offset = double_times(DetDouble(high.w, low.w), hull_scale);
    for (var k = params.zero; k < 3u; k++) {
        over.center[k] = place_along(hull_is_b, k, hull_scale);
        over.along[k] = dot_doubles(over.normal, away_axis(3u + k));
    }
    var least = DetDouble(NEAR_FARTHEST, 0.0f);
    for (var i = 0u; i < hull_parts[1].count; i++) {
        let corner = det_scale3(local_corner(1u, i), hull_scale);
        let height = dot_double(corner, over.along[0], over.along[1], over.along[2]);
        if det_less_double(height, least) {
            least = height;
            over.lowest = i;
        }
    }
    let at_center = sum_of_coordinates(high_part(over.center));
    let sizes = det_add(det_add(det_mul(hull_parts[1].largest_sum, hull_scale), at_center), det_abs(offset.high));
    over.of_place = det_sub_double(dot_doubles(over.normal, over.center), offset);
    over.height = det_add_double(over.of_place, least);
    over.error = det_mul(HULL_OF_HEIGHT_OVER, sizes);
    return over;
}

// A length that the distance is at least, scaled; 0 or more.
fn distance_over(over: Over) -> f32 {
    return rounded_down(det_sub_double(over.height, single(over.error)));
}

// The way from one place in the frame of a hull to another, in the world.
fn turned_offset(way: vec3f) -> vec3f {
    let sum = det_add3(det_scale3(hull_axes[3], way.x), det_scale3(hull_axes[4], way.y));
    return det_add3(sum, det_scale3(hull_axes[5], way.z));
}

fn hull_away_over(hull_is_b: bool) -> Away {
    var away = for_the_host();
    let over = over_border(hull_is_b);
    if over.size == 0u {
        return away;
    }
    away.away = det_mul(distance_over(over), bitcast<f32>(over.size << 23u));
    away.on_hull = det_add3(hull_parts[1].place, turned_offset(local_corner(1u, over.lowest)));
    away.on_other = det_add3(away.on_hull, det_scale3(high_part(over.normal), det_neg(away.away)));
    return away;
}
