// Measures the grid of the curve along which bodies are sorted, and the size above which a body is a giant, from a sample of the bodies: for
// sets whose bodies only the device knows. As `src/gpu/bodies/layout.rs` does, it steers the search and never its results.
// import: lib/ledger, lib/tags, lib/middle, lib/ordered

var<workgroup> values: array<u32, GRID_SAMPLE>;

// Sorts the values: Batcher's bitonic sort.
fn sort_values(thread: u32) {
    for (var size = 2u; size <= GRID_SAMPLE; size *= 2u) {
        for (var step = size / 2u; step > 0u; step /= 2u) {
            workgroupBarrier();
            for (var k = thread; k < GRID_SAMPLE; k += THREADS) {
                let other = k ^ step;
                if other > k {
                    let a = values[k];
                    let b = values[other];
                    if (a > b) == ((k & size) == 0u) {
                        values[k] = b;
                        values[other] = a;
                    }
                }
            }
        }
    }
    workgroupBarrier();
}

@compute @workgroup_size(THREADS)
fn measure_grid(@builtin(local_invocation_index) thread: u32) {
    var low = vec3f(0.0);
    var high = vec3f(0.0);
    var median = 0.0;
    for (var quantity = 0u; quantity < 4u; quantity++) {
        for (var k = thread; k < GRID_SAMPLE; k += THREADS) {
            let body = u32(f32(k) / f32(GRID_SAMPLE) * f32(params.bodies));
            let i = min(body, params.bodies - 1u);
            values[k] = ordered(bitcast<u32>(middle_and_size(i, tag_of(i))[quantity]));
        }
        sort_values(thread);
        if thread == 0u {
            if quantity < 3u {
                low[quantity] = float_of(values[GRID_SAMPLE / 64u]);
                high[quantity] = float_of(values[GRID_SAMPLE - 1u - GRID_SAMPLE / 64u]);
            } else {
                median = float_of(values[GRID_SAMPLE / 2u]);
            }
        }
        workgroupBarrier();
    }
    if thread == 0u {
        let extent = clamp(high - low, vec3f(0.0), vec3f(1e30));
        let side = 1.125 * max(max(extent.x, extent.y), extent.z);
        let origin = low - extent / 16.0;
        // Flat if there are fewer than four layers of bodies along one axis.
        var thin = 1u;
        var least = extent.x;
        var area = extent.y * extent.z;
        if extent.y < least {
            thin = 2u;
            least = extent.y;
            area = extent.x * extent.z;
        }
        if extent.z < least {
            thin = 3u;
            least = extent.z;
            area = extent.x * extent.y;
        }
        if !(least < 4.0 * sqrt(area / f32(params.bodies))) {
            thin = 0u;
        }
        let bits = select((params.curve_bits + 1u) / 2u, (params.curve_bits + 2u) / 3u, thin == 0u);
        let scale = select(0.0, min(f32(1u << bits) / side, 1e30), side > 0.0);
        grid[0] = bitcast<u32>(origin.x);
        grid[1] = bitcast<u32>(origin.y);
        grid[2] = bitcast<u32>(origin.z);
        grid[3] = bitcast<u32>(scale);
        grid[4] = bitcast<u32>(8.0 * min(median, 1e37));
        grid[5] = thin;
        sign_off(SIGN_MEASURE_GRID, 0u);
    }
}
