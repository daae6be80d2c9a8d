// Computes the sort key of every body: its size class, then its position along a Hilbert curve. Keys affect only the speed of the
// search, never its results.
// import: lib/ledger, lib/tags, lib/middle

var<workgroup> classes: array<atomic<u32>, CLASS_COUNT>;
var<workgroup> tally: array<atomic<u32>, DIGITS>;
// The signatures of the tile's disabled bodies.
var<workgroup> skipped: atomic<u32>;

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

// The key of a body, and its size class.
fn key_of(i: u32) -> vec2u {
    var tag = params.tag;
    if tag == ABSENT {
        tag = tag_of(i);
    }
    let body = middle_and_size(i, tag);
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
        if (tag & TAG_ENABLED) == 0u {
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

// One workgroup per tile of the radix sort; it also computes the histogram of the first digit.
@compute @workgroup_size(THREADS)
fn curve_keys(
    @builtin(workgroup_id) group: vec3u,
    @builtin(num_workgroups) groups: vec3u,
    @builtin(local_invocation_index) thread: u32,
) {
    let tile = group_number(group, groups);
    atomicStore(&tally[thread], 0u);
    if thread < CLASS_COUNT {
        atomicStore(&classes[thread], 0u);
    }
    if thread == 0u {
        atomicStore(&skipped, 0u);
    }
    workgroupBarrier();
    for (var k = 0u; k < TILE / THREADS; k++) {
        let i = tile * TILE + k * THREADS + thread;
        if i < params.bodies {
            let found = key_of(i);
            keys_out[i] = found.x;
            atomicAdd(&tally[found.x % DIGITS], 1u);
            if (params.flags & CLASSES) != 0u {
                atomicAdd(&classes[found.y], 1u);
                if found.y == CLASS_DISABLED {
                    atomicAdd(&skipped, signature(i));
                }
            }
        }
    }
    workgroupBarrier();
    if tile < params.tiles {
        counts[thread * params.tiles + tile] = atomicLoad(&tally[thread]);
    }
    if thread < CLASS_COUNT {
        let count = atomicLoad(&classes[thread]);
        if count > 0u {
            atomicAdd(&status[params.classes + thread], count);
        }
    }
    if thread == 0u && tile < params.tiles {
        let passed_over = atomicLoad(&skipped);
        // If worlds are sorted before classes, disabled bodies are gathered too, and their slots stay empty.
        if passed_over != 0u && (params.flags & WORLDS) == 0u {
            atomicAdd(&status[STATUS_SKIPPED], passed_over);
        }
        sign_off(SIGN_CURVE_KEYS, tile);
    }
}
