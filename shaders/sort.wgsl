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

var<workgroup> sums: array<u32, 256>;

// The sum of `value` over the threads before this one; `sums[255]` is left with the sum over all.
fn sum_before(thread: u32, value: u32) -> u32 {
    sums[thread] = value;
    workgroupBarrier();
    for (var reach = 1u; reach < 256u; reach <<= 1u) {
        var below = 0u;
        if thread >= reach {
            below = sums[thread - reach];
        }
        workgroupBarrier();
        sums[thread] += below;
        workgroupBarrier();
    }
    return sums[thread] - value;
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

// Groups of 32 threads: which of them have a digit now, and how many keys with it they had before.
var<workgroup> holders: array<atomic<u32>, 1024>;
var<workgroup> seen: array<u32, 1024>;
var<workgroup> starts: array<u32, 256>;

// Each key to its place: those with smaller digits, those of the digit in tiles before, those before it in the tile.
@compute @workgroup_size(128)
fn sort_scatter(
    @builtin(workgroup_id) group: vec3u,
    @builtin(num_workgroups) groups: vec3u,
    @builtin(local_invocation_index) thread: u32,
) {
    let tile = group_number(group, groups);
    let lane = thread % 32u;
    let quarter = thread / 32u;
    // Where digits begin: a scan of 256 sums by 128 threads, two each.
    if tile < params.tiles {
        let at = DIGITS * params.tiles + 2u * thread;
        starts[2u * thread] = counts[at];
        starts[2u * thread + 1u] = counts[at + 1u];
    }
    workgroupBarrier();
    let pair = starts[2u * thread] + starts[2u * thread + 1u];
    sums[thread] = pair;
    workgroupBarrier();
    for (var reach = 1u; reach < THREADS; reach <<= 1u) {
        var below = 0u;
        if thread >= reach {
            below = sums[thread - reach];
        }
        workgroupBarrier();
        sums[thread] += below;
        workgroupBarrier();
    }
    let first = sums[thread] - pair;
    let second = first + starts[2u * thread];
    starts[2u * thread] = first;
    starts[2u * thread + 1u] = second;
    workgroupBarrier();
    // A quarter of the workgroup has a quarter of the tile, 32 keys in a round.
    var ranks: array<u32, 16>;
    let begin = tile * TILE + quarter * (32u * KEYS) + lane;
    for (var k = 0u; k < KEYS; k++) {
        let i = begin + k * 32u;
        let valid = i < params.keys;
        var d = 0u;
        if valid {
            d = digit(keys_in[i]);
            atomicOr(&holders[quarter * DIGITS + d], 1u << lane);
        }
        workgroupBarrier();
        var mask = 0u;
        if valid {
            mask = atomicLoad(&holders[quarter * DIGITS + d]);
            ranks[k] = seen[quarter * DIGITS + d] + countOneBits(mask & ((1u << lane) - 1u));
        }
        workgroupBarrier();
        if valid && firstTrailingBit(mask) == lane {
            seen[quarter * DIGITS + d] += countOneBits(mask);
            atomicStore(&holders[quarter * DIGITS + d], 0u);
        }
        workgroupBarrier();
    }
    if tile < params.tiles {
        for (var d = thread; d < DIGITS; d += THREADS) {
            var next = starts[d] + counts[d * params.tiles + tile];
            for (var q = 0u; q < 4u; q++) {
                let count = seen[q * DIGITS + d];
                seen[q * DIGITS + d] = next;
                next += count;
            }
        }
    }
    workgroupBarrier();
    for (var k = 0u; k < KEYS; k++) {
        let i = begin + k * 32u;
        if i < params.keys {
            let key = keys_in[i];
            let place = seen[quarter * DIGITS + digit(key)] + ranks[k];
            keys_out[place] = key;
            order_out[place] = order_in[i];
        }
    }
}
