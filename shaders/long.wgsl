// Long rows, sorted by the radix sort: their hits become one list, row by row, and go back to where their partners lie.

@group(0) @binding(1) var<uniform> step: Step; // a: how many long rows there is room for
@group(0) @binding(2) var<storage, read> rows: array<u32>; // where each row begins, and where the last ends
@group(0) @binding(3) var<storage, read> long_blocks: array<vec2u>; // of each block of rows, how many are long, and their hits
@group(0) @binding(4) var<storage, read_write> starts: array<vec2u>; // of each long row, where its partners and its entries begin
@group(0) @binding(5) var<storage, read_write> partners: array<u32>; // with their marks
@group(0) @binding(6) var<storage, read_write> keys: array<u32>; // of each entry, the partner
@group(0) @binding(7) var<storage, read_write> ranks: array<u32>; // and which of the long rows has it
@group(0) @binding(8) var<storage, read_write> status: array<atomic<u32>>;

const BLOCK = 2048u; // rows
const THREADS = 256u;
const EACH = 8u;

// How many long rows there are. None if there was no room: they are sorted later then.
fn long_rows() -> u32 {
    let count = atomicLoad(&status[STATUS_LONG_ROWS]);
    let fit = count <= step.a && atomicLoad(&status[STATUS_LONG_HITS]) <= params.keys;
    return select(0u, count, fit && atomicLoad(&status[STATUS_CROWDED]) == 0u);
}

// How many hits a row has if it is long.
fn long_length(row: u32) -> u32 {
    if row < params.rows {
        let count = rows[row + 1u] - rows[row];
        return select(0u, count, count > SHORT_ROW);
    }
    return 0u;
}

// Which of so many long rows has an entry of the list.
fn rank_of(entry: u32, count: u32) -> u32 {
    var low = 0u;
    var high = count;
    while high - low > 1u {
        let middle = (low + high) / 2u;
        if starts[middle].y <= entry {
            low = middle;
        } else {
            high = middle;
        }
    }
    return low;
}

var<workgroup> same_for_all: u32;

// Lists the long rows. One workgroup a block of rows; most have none, and return at once.
@compute @workgroup_size(256)
fn long_list(
    @builtin(workgroup_id) group: vec3u,
    @builtin(num_workgroups) groups: vec3u,
    @builtin(local_invocation_index) thread: u32,
) {
    let block = group_number(group, groups);
    if block * BLOCK >= params.rows {
        return;
    }
    if thread == 0u {
        sign_off(SIGN_LONG_LIST, block);
        same_for_all = long_rows();
    }
    if workgroupUniformLoad(&same_for_all) == 0u || long_blocks[block].x == 0u {
        return;
    }
    var before = vec2u(0u);
    for (var k = thread; k < block; k += THREADS) {
        before += long_blocks[k];
    }
    sum_before(thread, before.x);
    before.x = sum_of_all;
    sum_before(thread, before.y);
    before.y = sum_of_all;
    let first = block * BLOCK + thread * EACH;
    var here = vec2u(0u);
    for (var k = 0u; k < EACH; k++) {
        let length = long_length(first + k);
        here += vec2u(select(0u, 1u, length > 0u), length);
    }
    var next = before + vec2u(sum_before(thread, here.x), sum_before(thread, here.y));
    for (var k = 0u; k < EACH; k++) {
        let length = long_length(first + k);
        if length > 0u {
            starts[next.x] = vec2u(rows[first + k], next.y);
            next += vec2u(1u, length);
        }
    }
}

// The entries of the list. Those for which there is room, but no hit, are of no body and no row: they stay the last.
@compute @workgroup_size(256)
fn long_collect(
    @builtin(workgroup_id) group: vec3u,
    @builtin(num_workgroups) groups: vec3u,
    @builtin(local_invocation_index) thread: u32,
) {
    let number = group_number(group, groups);
    let entry = number * 256u + thread;
    if entry >= params.keys {
        return;
    }
    let count = long_rows();
    var partner = NONE;
    var rank = NONE;
    if count > 0u && entry < atomicLoad(&status[STATUS_LONG_HITS]) {
        rank = rank_of(entry, count);
        partner = partners[starts[rank].x + entry - starts[rank].y];
    }
    keys[entry] = partner;
    ranks[entry] = rank;
    if thread == 0u {
        sign_off(SIGN_LONG_COLLECT, number);
    }
}

// Entries in order, back to their rows. Where in the list the entries of a row lie has not changed.
@compute @workgroup_size(256)
fn long_spread(
    @builtin(workgroup_id) group: vec3u,
    @builtin(num_workgroups) groups: vec3u,
    @builtin(local_invocation_index) thread: u32,
) {
    let number = group_number(group, groups);
    let entry = number * 256u + thread;
    let count = long_rows();
    if count > 0u && entry < atomicLoad(&status[STATUS_LONG_HITS]) {
        let start = starts[rank_of(entry, count)];
        partners[start.x + entry - start.y] = keys[entry];
    }
    if thread == 0u && entry < params.keys {
        sign_off(SIGN_LONG_SPREAD, number);
    }
}
