// One pass of a stable radix sort of keys with their bodies. It has three stages: the digits of each tile are counted, counts are added
// up, and keys are scattered.
// import: lib/ledger, lib/scan, lib/digit_counts, lib/rank_digits

// Keys of a thread.
const KEYS = TILE / THREADS;

fn digit(key: u32) -> u32 {
    return (key >> params.shift) & (DIGITS - 1u);
}

var<workgroup> tally: array<atomic<u32>, DIGITS>;

// How often each digit occurs in each tile.
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

// Of each digit, the count of all tiles before a tile. One workgroup for each digit.
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

// Of each digit, where its keys go, less their place in the tile.
var<workgroup> shifts: array<u32, DIGITS>;

// Writes keys, which lie in `exchange` in their order, and notes their places.
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

// Writes bodies, which lie in `exchange` in the order of their keys, to the places of these.
fn write_bodies(thread: u32, count: u32, positions: ptr<function, array<u32, KEYS>>) {
    for (var k = 0u; k < KEYS; k++) {
        let position = k * THREADS + thread;
        if position < count {
            order_out[(*positions)[k]] = atomicLoad(&exchange[position]);
        }
    }
}

// Each key to its place: those with smaller digits, those of the digit in tiles before, those before it in the tile.
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
    // A group has an eighth of the tile, 32 keys in a round.
    let first = group * (32u * KEYS) + lane;
    var keys: array<u32, KEYS>;
    for (var k = 0u; k < KEYS; k++) {
        if first + k * 32u < count {
            keys[k] = keys_in[first_key + first + k * 32u];
        }
    }
    // Read early, and needed late.
    let of_digit = counts[DIGITS * params.tiles + thread];
    let of_tile = counts[thread * params.tiles + tile];
    // How many of the digit came before, in the group?
    var ranks: array<u32, KEYS>;
    for (var k = 0u; k < KEYS; k++) {
        ranks[k] = rank_digit(lane, group, digit(keys[k]), first + k * 32u < count);
    }
    workgroupBarrier();
    // Where this thread's digit begins in the tile, and in the output.
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
        // Counts become places: both halves of a word are sums of differences, so that it is right in the end.
        add_to_digit_count(g, thread, next - of_group[g]);
        next += of_group[g];
    }
    workgroupBarrier();
    // Sort the tile within the workgroup, so that neighbours write to neighbouring places.
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

// Of each digit, how many keys were seen, later the place of the first in the tile.
var<workgroup> digits: array<atomic<u32>, DIGITS>;

// Scatters in less time than `sort_scatter`, but keys with the same digit that lie in one tile come in any order. That is enough for the
// lower digits of keys that only steer: in a later pass a tile has hardly two of them.
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
