// A key for every body: its size class, then its place on a Hilbert curve. Keys steer the search and decide nothing.

@group(0) @binding(1) var<storage, read> shapes: array<u32>;
@group(0) @binding(2) var<storage, read> tags: array<u32>;
@group(0) @binding(3) var<storage, read_write> keys_out: array<u32>;
@group(0) @binding(4) var<storage, read_write> order_out: array<u32>;
@group(0) @binding(5) var<storage, read_write> status: array<atomic<u32>>;

// Classes: ordinary bodies, five of giants by powers of 8, bodies outside the grid, disabled ones.
const OUTLIER = 6u;
const DISABLED = 7u;

var<workgroup> counts: array<atomic<u32>, 8>;

fn number(at: u32) -> f32 {
    return bitcast<f32>(shapes[at]);
}

fn vector(at: u32) -> vec3f {
    return vec3f(number(at), number(at + 1u), number(at + 2u));
}

// The bits of x, two places apart.
fn spread(x: u32) -> u32 {
    var y = x & 0x3ffu;
    y = (y | (y << 16u)) & 0x030000ffu;
    y = (y | (y << 8u)) & 0x0300f00fu;
    y = (y | (y << 4u)) & 0x030c30c3u;
    return (y | (y << 2u)) & 0x09249249u;
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
    var t = 0u;
    for (var q = 1u << (bits - 1u); q > 1u; q >>= 1u) {
        t ^= select(0u, q - 1u, (z & q) != 0u);
    }
    return (spread(x ^ t) << 2u) | (spread(y ^ t) << 1u) | spread(z ^ t);
}

fn key_of(i: u32) -> vec2u {
    let tag = (tags[i / 4u] >> (8u * (i % 4u))) & 0xffu;
    let at = 10u * i;
    var center = vector(at);
    var size = number(at + 3u);
    let kind = tag & 3u;
    if kind == 1u {
        let high = vector(at + 3u);
        let sides = 0.5 * high - 0.5 * center;
        center = 0.5 * high + 0.5 * center;
        size = max(max(sides.x, sides.y), sides.z);
    } else if kind == 2u {
        size = max(max(size, number(at + 4u)), number(at + 5u));
    }
    let cells = f32(1u << params.curve_bits);
    let place = clamp(center - params.origin, vec3f(-1e30), vec3f(1e30)) * params.scale;
    let cell = vec3u(clamp(place, vec3f(0.0), vec3f(cells - 1.0)));
    var rank = 0u;
    if (params.flags & CLASSES) != 0u {
        if (tag & 4u) == 0u {
            rank = DISABLED;
        } else if size > params.giant {
            // Bits of a float grow by 2^23 when it doubles.
            rank = min((bitcast<u32>(size) - bitcast<u32>(params.giant)) / (3u << 23u) + 1u, OUTLIER - 1u);
        } else if any(place < vec3f(0.0)) || any(place > vec3f(cells)) {
            rank = OUTLIER;
        }
    }
    return vec2u((rank << (3u * params.curve_bits)) | hilbert(cell, params.curve_bits), rank);
}

@compute @workgroup_size(256)
fn keys(
    @builtin(workgroup_id) group: vec3u,
    @builtin(num_workgroups) groups: vec3u,
    @builtin(local_invocation_index) thread: u32,
) {
    let i = group_number(group, groups) * 256u + thread;
    if i < params.bodies {
        let found = key_of(i);
        keys_out[i] = found.x;
        order_out[i] = i;
        atomicAdd(&counts[found.y], 1u);
    }
    workgroupBarrier();
    if thread < 8u {
        let count = atomicLoad(&counts[thread]);
        if count > 0u {
            atomicAdd(&status[params.classes + thread], count);
        }
    }
}
