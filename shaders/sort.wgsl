// A stable radix sort of keys with their bodies: eight bits a pass, tiles counted, counts added up, keys scattered.

@group(0) @binding(1) var<uniform> step: Step; // a: the lowest bit of the digit, b: FIRST and LAST
@group(0) @binding(2) var<storage, read> keys_in: array<u32>;
@group(0) @binding(3) var<storage, read> order_in: array<u32>;
@group(0) @binding(4) var<storage, read_write> counts: array<u32>; // by digit, then by tile; the last 256 are the digits' sums
@group(0) @binding(5) var<storage, read_write> keys_out: array<u32>;
@group(0) @binding(6) var<storage, read_write> order_out: array<u32>;

const KEYS = 8u; // a thread's
// The order is 0, 1, … and need not be read.
const FIRST = 1u;
// Only the order is wanted.
const LAST = 2u;

fn digit(key: u32) -> u32 {
    return (key >> step.a) & 0xffu;
}

var<workgroup> tally: array<atomic<u32>, 256>;

// How often each digit occurs in each tile.
@compute @workgroup_size(256)
fn sort_count(
    @builtin(workgroup_id) group: vec3u,
    @builtin(num_workgroups) groups: vec3u,
    @builtin(local_invocation_index) thread: u32,
) {
    let tile = group_number(group, groups);
    for (var k = 0u; k < KEYS; k++) {
        let i = tile * TILE + k * 256u + thread;
        if i < params.keys {
            atomicAdd(&tally[digit(keys_in[i])], 1u);
        }
    }
    workgroupBarrier();
    if tile < params.tiles {
        counts[thread * params.tiles + tile] = atomicLoad(&tally[thread]);
    }
}

// Of each digit, the count of all tiles before a tile. One workgroup a digit.
@compute @workgroup_size(256)
fn sort_add(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) thread: u32) {
    let row = group.x * params.tiles;
    var before = 0u;
    for (var first = 0u; first < params.tiles; first += 4u * 256u) {
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
    }
}

// For exchange within the workgroup.
var<workgroup> pool: array<atomic<u32>, TILE>;
// Of each digit, where its keys go, less their place in the tile.
var<workgroup> shifts: array<u32, 256>;

// What a workgroup sorts: the keys of a tile, of which each group of 32 threads has an eighth, 32 in a round.
struct Tile {
    number: u32,
    thread: u32,
    // The first key of this thread in the tile, and how many the tile has.
    first: u32,
    count: u32,
}

fn tile_of(number: u32, thread: u32) -> Tile {
    let first = (thread / 32u) * (32u * KEYS) + thread % 32u;
    return Tile(number, thread, first, min(params.keys - number * TILE, TILE));
}

// Whether the tile has key k of this thread.
fn has(tile: Tile, k: u32) -> bool {
    return tile.first + k * 32u < tile.count;
}

fn keys_of(tile: Tile) -> array<u32, 8> {
    var keys: array<u32, 8>;
    for (var k = 0u; k < KEYS; k++) {
        if has(tile, k) {
            keys[k] = keys_in[tile.number * TILE + tile.first + k * 32u];
        }
    }
    return keys;
}

fn bodies_of(tile: Tile) -> array<u32, 8> {
    var bodies: array<u32, 8>;
    for (var k = 0u; k < KEYS; k++) {
        let at = tile.number * TILE + tile.first + k * 32u;
        bodies[k] = at;
        if (step.b & FIRST) == 0u && has(tile, k) {
            bodies[k] = order_in[at];
        }
    }
    return bodies;
}

// From how many keys of the digit of a thread's number the tile has, where these begin in the tile; notes where they go. For all
// threads together.
fn begin_digit(tile: Tile, of_digit: u32, of_tile: u32, in_tile: u32) -> u32 {
    let before = sum_before(tile.thread, in_tile);
    shifts[tile.thread] = sum_before(tile.thread, of_digit) + of_tile - before;
    return before;
}

// Writes keys and bodies, given their places in the tile. It is sorted within the workgroup first, so that neighbours write to
// neighbouring places.
fn write_tile(tile: Tile, keys: array<u32, 8>, bodies: array<u32, 8>, ranks: array<u32, 8>) {
    for (var k = 0u; k < KEYS; k++) {
        if has(tile, k) {
            atomicStore(&pool[ranks[k]], keys[k]);
        }
    }
    workgroupBarrier();
    var places: array<u32, 8>;
    for (var k = 0u; k < KEYS; k++) {
        let place = k * 256u + tile.thread;
        if place < tile.count {
            let key = atomicLoad(&pool[place]);
            places[k] = shifts[digit(key)] + place;
            if (step.b & LAST) == 0u {
                keys_out[places[k]] = key;
            }
        }
    }
    workgroupBarrier();
    for (var k = 0u; k < KEYS; k++) {
        if has(tile, k) {
            atomicStore(&pool[ranks[k]], bodies[k]);
        }
    }
    workgroupBarrier();
    for (var k = 0u; k < KEYS; k++) {
        let place = k * 256u + tile.thread;
        if place < tile.count {
            order_out[places[k]] = atomicLoad(&pool[place]);
        }
    }
}

// Of each group of 32 threads and each digit, how many keys it had so far, later the place of the first in the tile. Two digits a
// word.
var<workgroup> seen: array<atomic<u32>, 1024>;

fn seen_digits(group: u32, digit: u32) -> u32 {
    return (atomicLoad(&seen[group * 128u + digit / 2u]) >> (16u * (digit % 2u))) & 0xffffu;
}

// How many there were before.
fn see_digits(group: u32, digit: u32, more: u32) -> u32 {
    let before = atomicAdd(&seen[group * 128u + digit / 2u], more << (16u * (digit % 2u)));
    return (before >> (16u * (digit % 2u))) & 0xffffu;
}

// Each key to its place: those with smaller digits, those of the digit in tiles before, those before it in the tile.
@compute @workgroup_size(256)
fn sort_scatter(
    @builtin(workgroup_id) number: vec3u,
    @builtin(num_workgroups) numbers: vec3u,
    @builtin(local_invocation_index) thread: u32,
) {
    if group_number(number, numbers) >= params.tiles {
        return;
    }
    let tile = tile_of(group_number(number, numbers), thread);
    let group = thread / 32u;
    let keys = keys_of(tile);
    // Read early, and needed late.
    let bodies = bodies_of(tile);
    let of_digit = counts[DIGITS * params.tiles + thread];
    let of_tile = counts[thread * params.tiles + tile.number];
    // How many of the digit came before, in the group?
    var ranks: array<u32, 8>;
    for (var k = 0u; k < KEYS; k++) {
        ranks[k] = rank_digit(thread % 32u, group, digit(keys[k]), has(tile, k));
    }
    workgroupBarrier();
    var total = 0u;
    var of_group: array<u32, 8>;
    for (var g = 0u; g < 8u; g++) {
        of_group[g] = seen_digits(g, thread);
        total += of_group[g];
    }
    var next = begin_digit(tile, of_digit, of_tile, total);
    for (var g = 0u; g < 8u; g++) {
        // Counts become places: both halves of a word are sums of differences, so that it is right in the end.
        see_digits(g, thread, next - of_group[g]);
        next += of_group[g];
    }
    workgroupBarrier();
    for (var k = 0u; k < KEYS; k++) {
        ranks[k] += seen_digits(group, digit(keys[k]));
    }
    write_tile(tile, keys, bodies, ranks);
}

// Of each digit, how many keys were seen, later the place of the first in the tile.
var<workgroup> digits: array<atomic<u32>, 256>;

// The same in less time, but those of a digit that lie in one tile come in any order. Enough for the lower digits of keys that steer:
// in a later pass a tile has hardly two of them.
@compute @workgroup_size(256)
fn sort_roughly(
    @builtin(workgroup_id) number: vec3u,
    @builtin(num_workgroups) numbers: vec3u,
    @builtin(local_invocation_index) thread: u32,
) {
    if group_number(number, numbers) >= params.tiles {
        return;
    }
    let tile = tile_of(group_number(number, numbers), thread);
    let keys = keys_of(tile);
    let bodies = bodies_of(tile);
    let of_digit = counts[DIGITS * params.tiles + thread];
    let of_tile = counts[thread * params.tiles + tile.number];
    var ranks: array<u32, 8>;
    for (var k = 0u; k < KEYS; k++) {
        if has(tile, k) {
            ranks[k] = atomicAdd(&digits[digit(keys[k])], 1u);
        }
    }
    workgroupBarrier();
    let first = begin_digit(tile, of_digit, of_tile, atomicLoad(&digits[thread]));
    atomicStore(&digits[thread], first);
    workgroupBarrier();
    for (var k = 0u; k < KEYS; k++) {
        ranks[k] += atomicLoad(&digits[digit(keys[k])]);
    }
    write_tile(tile, keys, bodies, ranks);
}
