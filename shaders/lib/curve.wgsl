// Positions along a Hilbert curve, and sort keys of which they are a part. For modules with the params of a grid (origin, scale, giant, thin_axis,
// curve_bits and flags) and the buffer `grid`, in which the grid is where the device has measured it.

// The bits of x, with two zero bits between neighbours.
fn spread(x: u32) -> u32 {
    var y = x & 0x3ffu;
    y = (y | (y << 16u)) & 0x030000ffu;
    y = (y | (y << 8u)) & 0x0300f00fu;
    y = (y | (y << 4u)) & 0x030c30c3u;
    return (y | (y << 2u)) & 0x09249249u;
}

// The bits of x, with one zero bit between neighbours.
fn spread_in_plane(x: u32) -> u32 {
    var y = x & 0xffffu;
    y = (y | (y << 8u)) & 0x00ff00ffu;
    y = (y | (y << 4u)) & 0x0f0f0f0fu;
    y = (y | (y << 2u)) & 0x33333333u;
    return (y | (y << 1u)) & 0x55555555u;
}

// For each bit, the parity of the bits above it. For up to 16 bits.
fn parities(x: u32) -> u32 {
    var y = x >> 1u;
    y ^= y >> 1u;
    y ^= y >> 2u;
    y ^= y >> 4u;
    return y ^ (y >> 8u);
}

// Skilling, "Programming the Hilbert curve" (2004).
fn hilbert(cell: vec3u, bits: u32) -> u32 {
    var x = cell.x;
    var y = cell.y;
    var z = cell.z;
    for (var q = 1u << (bits - 1u); q > 1u; q >>= 1u) {
        let p = q - 1u;
        x ^= select(0u, p, (x & q) != 0u);
        if (y & q) != 0u {
            x ^= p;
        } else {
            let t = (x ^ y) & p;
            x ^= t;
            y ^= t;
        }
        if (z & q) != 0u {
            x ^= p;
        } else {
            let t = (x ^ z) & p;
            x ^= t;
            z ^= t;
        }
    }
    y ^= x;
    z ^= y;
    let t = parities(z);
    return (spread(x ^ t) << 2u) | (spread(y ^ t) << 1u) | spread(z ^ t);
}

// Skilling's curve in two dimensions, for flat scenes.
fn hilbert_in_plane(cell: vec2u, bits: u32) -> u32 {
    var x = cell.x;
    var y = cell.y;
    for (var q = 1u << (bits - 1u); q > 1u; q >>= 1u) {
        let p = q - 1u;
        x ^= select(0u, p, (x & q) != 0u);
        if (y & q) != 0u {
            x ^= p;
        } else {
            let t = (x ^ y) & p;
            x ^= t;
            y ^= t;
        }
    }
    y ^= x;
    let t = parities(y);
    return (spread_in_plane(x ^ t) << 1u) | spread_in_plane(y ^ t);
}

// The sort key of a body with this middle and size, and its size class, which comes before the position along the curve.
fn curve_key(body: vec4f, is_enabled: bool) -> vec2u {
    let center = body.xyz;
    let size = body.w;
    var origin = params.origin;
    var scale = params.scale;
    var giant = params.giant;
    var thin = params.thin_axis;
    if (params.flags & MEASURED) != 0u {
        origin = bitcast<vec3f>(vec3u(grid[0], grid[1], grid[2]));
        scale = bitcast<f32>(grid[3]);
        giant = bitcast<f32>(grid[4]);
        thin = grid[5];
    }
    let bits = select((params.curve_bits + 1u) / 2u, (params.curve_bits + 2u) / 3u, thin == 0u);
    let cells = f32(1u << bits);
    let place = clamp(center - origin, vec3f(-1e30), vec3f(1e30)) * scale;
    let cell = min(vec3u(clamp(place, vec3f(0.0), vec3f(cells - 1.0))), vec3u((1u << bits) - 1u));
    var along = 0u;
    if thin == 0u {
        along = hilbert(cell, bits) >> (3u * bits - params.curve_bits);
    } else {
        let flat = select(select(cell.xy, cell.xz, thin == 2u), cell.yz, thin == 1u);
        along = hilbert_in_plane(flat, bits) >> (2u * bits - params.curve_bits);
    }
    var rank = 0u;
    if (params.flags & CLASSES) != 0u {
        if !is_enabled {
            rank = CLASS_DISABLED;
        } else if size > giant {
            // The bits of a float, as an integer, grow by 2^23 when it doubles.
            rank = min((bitcast<u32>(size) - bitcast<u32>(giant)) / (3u << 23u) + 1u, CLASS_OUTLIER - 1u);
        } else if any(place < vec3f(0.0)) || any(place > vec3f(cells)) {
            rank = CLASS_OUTLIER;
        }
    }
    return vec2u((rank << params.curve_bits) | along, rank);
}
