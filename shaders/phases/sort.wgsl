// One pass of a radix sort of keys with values (bodies). It has three stages: histograms of each tile, prefix sums over tiles,
// and a scatter.
// import: lib/ledger, lib/scan, lib/digit_counts, lib/rank_digits

// Keys per thread.
const KEYS = TILE / THREADS;

fn digit(key: u32) -> u32 {
    return (key >> params.shift) & (DIGITS - 1u);
}

var<workgroup> tally: array<atomic<u32>, DIGITS>;

// Computes the digit histogram of each tile.
@compute @workgroup_size(THREADS)
fn sort_count(
    @builtin(workgroup_id) group: vec3u,
    @builtin(num_workgroups) groups: vec3u,
    @builtin(local_invocation_index) thread: u32,
) {
    let tile = group_number(group, groups);
    atomicStore(&tally[thread], 0u);
    workgroupBarrier();
    for (var k = 0u; k < KEYS; k++) {
        let i = tile * TILE + k * THREADS + thread;
        if i < params.keys {
            atomicAdd(&tally[digit(keys_in[i])], 1u);
        }
    }
    workgroupBarrier();
    if tile < params.tiles {
        counts[thread * params.tiles + tile] = atomicLoad(&tally[thread]);
        if thread == 0u {
            sign_off(SIGN_SORT_COUNT, tile);
        }
    }
}

// Computes, for each digit, the prefix sums over tiles. One workgroup per digit.
@compute @workgroup_size(THREADS)
fn sort_add(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) thread: u32) {
    let row = group.x * params.tiles;
    var before = 0u;
    for (var first = 0u; first < params.tiles; first += 4u * THREADS) {
        let tile = first + 4u * thread;
        var each: array<u32, 4>;
        var count = 0u;
        for (var k = 0u; k < 4u; k++) {
            if tile + k < params.tiles {
                each[k] = counts[row + tile + k];
                count += each[k];
            }
        }
        var next = before + sum_before(thread, count);
        for (var k = 0u; k < 4u; k++) {
            if tile + k < params.tiles {
                counts[row + tile + k] = next;
                next += each[k];
            }
        }
        before += sum_of_all;
    }
    if thread == 0u {
        counts[DIGITS * params.tiles + group.x] = before;
        sign_off(SIGN_SORT_ADD, group.x);
    }
}

// For each digit, the output position of its keys minus their position in the sorted tile.
var<workgroup> shifts: array<u32, DIGITS>;

// Writes the keys of the sorted tile, which are in `exchange`, and returns their output positions.
fn write_keys(thread: u32, count: u32, positions: ptr<function, array<u32, KEYS>>) {
    for (var k = 0u; k < KEYS; k++) {
        let position = k * THREADS + thread;
        if position < count {
            let key = atomicLoad(&exchange[position]);
            (*positions)[k] = shifts[digit(key)] + position;
            if (params.mode & SORT_LAST) == 0u {
                keys_out[(*positions)[k]] = key;
            }
        }
    }
}

// Writes the bodies, which are in `exchange` in the order of their keys, to the output positions of these.
fn write_bodies(thread: u32, count: u32, positions: ptr<function, array<u32, KEYS>>) {
    for (var k = 0u; k < KEYS; k++) {
        let position = k * THREADS + thread;
        if position < count {
            order_out[(*positions)[k]] = atomicLoad(&exchange[position]);
        }
    }
}

// The stable scatter: a key goes after all keys with smaller digits, after those with the same digit in earlier tiles, and after
// those before it in its own tile.
@compute @workgroup_size(THREADS)
fn sort_scatter(
    @builtin(workgroup_id) number: vec3u,
    @builtin(num_workgroups) numbers: vec3u,
    @builtin(local_invocation_index) thread: u32,
) {
    let tile = group_number(number, numbers);
    if tile >= params.tiles {
        return;
    }
    let lane = thread % 32u;
    let group = thread / 32u;
    for (var k = thread; k < COUNT_WORDS; k += THREADS) {
        atomicStore(&digit_counts[k], 0u);
    }
    clear_ranks(thread);
    workgroupBarrier();
    let first_key = tile * TILE;
    let count = min(params.keys - first_key, TILE);
    // Each group of 32 threads has an eighth of the tile, 32 keys per round.
    let first = group * (32u * KEYS) + lane;
    var keys: array<u32, KEYS>;
    for (var k = 0u; k < KEYS; k++) {
        if first + k * 32u < count {
            keys[k] = keys_in[first_key + first + k * 32u];
        }
    }
    // Loaded early to hide the latency; needed below.
    let of_digit = counts[DIGITS * params.tiles + thread];
    let of_tile = counts[thread * params.tiles + tile];
    // The rank of each key among the keys of the group with the same digit.
    var ranks: array<u32, KEYS>;
    for (var k = 0u; k < KEYS; k++) {
        ranks[k] = rank_digit(lane, group, digit(keys[k]), first + k * 32u < count);
    }
    workgroupBarrier();
    // Where this thread's digit begins in the sorted tile, and in the output.
    var total = 0u;
    var of_group: array<u32, 8>;
    for (var g = 0u; g < 8u; g++) {
        of_group[g] = digit_count(g, thread);
        total += of_group[g];
    }
    let in_tile = sum_before(thread, total);
    let in_output = sum_before(thread, of_digit);
    shifts[thread] = in_output + of_tile - in_tile;
    var next = in_tile;
    for (var g = 0u; g < 8u; g++) {
        // Counts become positions. The addition may carry between the two halves of a word, but the sum of both additions is
        // right.
        add_to_digit_count(g, thread, next - of_group[g]);
        next += of_group[g];
    }
    workgroupBarrier();
    // Sorts the tile in workgroup memory first, so that consecutive threads write consecutive words.
    for (var k = 0u; k < KEYS; k++) {
        if first + k * 32u < count {
            ranks[k] += digit_count(group, digit(keys[k]));
            atomicStore(&exchange[ranks[k]], keys[k]);
        }
    }
    workgroupBarrier();
    var positions: array<u32, KEYS>;
    write_keys(thread, count, &positions);
    workgroupBarrier();
    for (var k = 0u; k < KEYS; k++) {
        let i = first + k * 32u;
        if i < count {
            var body = first_key + i;
            if (params.mode & SORT_FIRST) == 0u {
                body = order_in[first_key + i];
            }
            atomicStore(&exchange[ranks[k]], body);
        }
    }
    workgroupBarrier();
    write_bodies(thread, count, &positions);
    if thread == 0u {
        sign_off(SIGN_SORT_SCATTER, tile);
    }
}

// For each digit, the number of keys, later the position of the first of them in the sorted tile.
var<workgroup> digits: array<atomic<u32>, DIGITS>;

// A faster scatter that is not stable: keys with the same digit in one tile come in any order. That suffices for the lower digits
// of keys that affect only speed: after the later passes, few such keys share a tile.
@compute @workgroup_size(THREADS)
fn sort_scatter_unstable(
    @builtin(workgroup_id) number: vec3u,
    @builtin(num_workgroups) numbers: vec3u,
    @builtin(local_invocation_index) thread: u32,
) {
    let tile = group_number(number, numbers);
    if tile >= params.tiles {
        return;
    }
    atomicStore(&digits[thread], 0u);
    workgroupBarrier();
    let first_key = tile * TILE;
    let count = min(params.keys - first_key, TILE);
    var keys: array<u32, KEYS>;
    var bodies: array<u32, KEYS>;
    for (var k = 0u; k < KEYS; k++) {
        if k * THREADS + thread < count {
            keys[k] = keys_in[first_key + k * THREADS + thread];
        }
    }
    for (var k = 0u; k < KEYS; k++) {
        bodies[k] = first_key + k * THREADS + thread;
        if k * THREADS + thread < count && (params.mode & SORT_FIRST) == 0u {
            bodies[k] = order_in[bodies[k]];
        }
    }
    let of_digit = counts[DIGITS * params.tiles + thread];
    let of_tile = counts[thread * params.tiles + tile];
    var ranks: array<u32, KEYS>;
    for (var k = 0u; k < KEYS; k++) {
        if k * THREADS + thread < count {
            ranks[k] = atomicAdd(&digits[digit(keys[k])], 1u);
        }
    }
    workgroupBarrier();
    let in_tile = sum_before(thread, atomicLoad(&digits[thread]));
    let in_output = sum_before(thread, of_digit);
    shifts[thread] = in_output + of_tile - in_tile;
    atomicStore(&digits[thread], in_tile);
    workgroupBarrier();
    for (var k = 0u; k < KEYS; k++) {
        if k * THREADS + thread < count {
            ranks[k] += atomicLoad(&digits[digit(keys[k])]);
            atomicStore(&exchange[ranks[k]], keys[k]);
        }
    }
    workgroupBarrier();
    var positions: array<u32, KEYS>;
    write_keys(thread, count, &positions);
    workgroupBarrier();
    for (var k = 0u; k < KEYS; k++) {
        if k * THREADS + thread < count {
            atomicStore(&exchange[ranks[k]], bodies[k]);
        }
    }
    workgroupBarrier();
    write_bodies(thread, count, &positions);
    if thread == 0u {
        sign_off(SIGN_SORT_SCATTER_UNSTABLE, tile);
    }
}
