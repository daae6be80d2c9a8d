// A stable radix sort of keys with their bodies: eight bits a pass, tiles counted, counts added up, keys scattered.

@group(0) @binding(1) var<uniform> step: Step; // a: the lowest bit of the digit
@group(0) @binding(2) var<storage, read> keys_in: array<u32>;
@group(0) @binding(3) var<storage, read> order_in: array<u32>;
@group(0) @binding(4) var<storage, read_write> counts: array<u32>; // by digit, then by tile; the last 256 are the digits' sums
@group(0) @binding(5) var<storage, read_write> keys_out: array<u32>;
@group(0) @binding(6) var<storage, read_write> order_out: array<u32>;

const THREADS = 128u;
const KEYS = 16u; // a thread's
const TILE = 2048u;
const DIGITS = 256u;

fn digit(key: u32) -> u32 {
    return (key >> step.a) & 0xffu;
}

var<workgroup> tally: array<atomic<u32>, 256>;

// How often each digit occurs in each tile.
@compute @workgroup_size(128)
fn sort_count(
    @builtin(workgroup_id) group: vec3u,
    @builtin(num_workgroups) groups: vec3u,
    @builtin(local_invocation_index) thread: u32,
) {
    let tile = group_number(group, groups);
    for (var k = thread; k < TILE; k += THREADS) {
        let i = tile * TILE + k;
        if i < params.keys {
            atomicAdd(&tally[digit(keys_in[i])], 1u);
        }
    }
    workgroupBarrier();
    if tile < params.tiles {
        for (var d = thread; d < DIGITS; d += THREADS) {
            counts[d * params.tiles + tile] = atomicLoad(&tally[d]);
        }
    }
}

// Of each digit, the count of all tiles before a tile. One workgroup a digit.
@compute @workgroup_size(256)
fn sort_add(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) thread: u32) {
    let row = group.x * params.tiles;
    var before = 0u;
    for (var first = 0u; first < params.tiles; first += 256u) {
        let tile = first + thread;
        var count = 0u;
        if tile < params.tiles {
            count = counts[row + tile];
        }
        let sum = sum_before(thread, count);
        if tile < params.tiles {
            counts[row + tile] = before + sum;
        }
        before += workgroupUniformLoad(&sums[255]);
        workgroupBarrier();
    }
    if thread == 0u {
        counts[DIGITS * params.tiles + group.x] = before;
    }
}

// For exchange within the workgroup.
var<workgroup> pool: array<atomic<u32>, TILE>;
// Of each group of 32 threads and each digit, how many keys it had so far; later the place of the first in the tile.
var<workgroup> seen: array<atomic<u32>, 1024>;
// Of each digit, where its keys go, less their place in the tile.
var<workgroup> shifts: array<u32, 256>;
var<workgroup> halves: array<u32, 128>;

// Sums over the digits before 2 * thread and before the next one, of counts that each thread has for its two.
fn digits_before(thread: u32, first: u32, second: u32) -> vec2u {
    let pair = first + second;
    halves[thread] = pair;
    workgroupBarrier();
    for (var reach = 1u; reach < THREADS; reach <<= 1u) {
        var below = 0u;
        if thread >= reach {
            below = halves[thread - reach];
        }
        workgroupBarrier();
        halves[thread] += below;
        workgroupBarrier();
    }
    let before = halves[thread] - pair;
    workgroupBarrier();
    return vec2u(before, before + first);
}

// Each key to its place: those with smaller digits, those of the digit in tiles before, those before it in the tile.
@compute @workgroup_size(128)
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
    let first_key = tile * TILE;
    let count = min(params.keys - first_key, TILE);
    // A group has a quarter of the tile, 32 keys in a round. How many of the digit came before, in the group?
    var keys: array<u32, 16>;
    var ranks: array<u32, 16>;
    for (var k = 0u; k < KEYS; k++) {
        let i = group * (32u * KEYS) + k * 32u + lane;
        let valid = i < count;
        if valid {
            keys[k] = keys_in[first_key + i];
        }
        let d = digit(keys[k]);
        let mask = match_digit(lane, group, d, valid);
        if valid {
            ranks[k] = atomicLoad(&seen[group * DIGITS + d]) + countOneBits(mask & ((1u << lane) - 1u));
        }
        synchronise();
        if valid && firstTrailingBit(mask) == lane {
            atomicAdd(&seen[group * DIGITS + d], countOneBits(mask));
            forget_digit(group, d);
        }
        synchronise();
    }
    workgroupBarrier();
    // Where digits begin in the tile, and in the output.
    var totals: array<u32, 2>;
    for (var half = 0u; half < 2u; half++) {
        let d = 2u * thread + half;
        for (var g = 0u; g < 4u; g++) {
            totals[half] += atomicLoad(&seen[g * DIGITS + d]);
        }
    }
    let in_tile = digits_before(thread, totals[0], totals[1]);
    let sums_at = DIGITS * params.tiles + 2u * thread;
    let in_output = digits_before(thread, counts[sums_at], counts[sums_at + 1u]);
    for (var half = 0u; half < 2u; half++) {
        let d = 2u * thread + half;
        shifts[d] = in_output[half] + counts[d * params.tiles + tile] - in_tile[half];
        var next = in_tile[half];
        for (var g = 0u; g < 4u; g++) {
            let here = atomicLoad(&seen[g * DIGITS + d]);
            atomicStore(&seen[g * DIGITS + d], next);
            next += here;
        }
    }
    workgroupBarrier();
    // Sort the tile within the workgroup, so that neighbours write to neighbouring places.
    for (var k = 0u; k < KEYS; k++) {
        if group * (32u * KEYS) + k * 32u + lane < count {
            ranks[k] += atomicLoad(&seen[group * DIGITS + digit(keys[k])]);
            atomicStore(&pool[ranks[k]], keys[k]);
        }
    }
    workgroupBarrier();
    for (var k = 0u; k < KEYS; k++) {
        let place = k * THREADS + thread;
        if place < count {
            keys[k] = atomicLoad(&pool[place]);
            keys_out[shifts[digit(keys[k])] + place] = keys[k];
        }
    }
    workgroupBarrier();
    for (var k = 0u; k < KEYS; k++) {
        let i = group * (32u * KEYS) + k * 32u + lane;
        if i < count {
            atomicStore(&pool[ranks[k]], order_in[first_key + i]);
        }
    }
    workgroupBarrier();
    for (var k = 0u; k < KEYS; k++) {
        let place = k * THREADS + thread;
        if place < count {
            order_out[shifts[digit(keys[k])] + place] = atomicLoad(&pool[place]);
        }
    }
}
