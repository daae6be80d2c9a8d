// Each short row in the order of its partners.

@group(0) @binding(1) var<storage, read> rows: array<u32>; // where each begins, and the last ends
@group(0) @binding(2) var<storage, read_write> partners: array<u32>; // with their marks
@group(0) @binding(3) var<storage, read> status: array<u32>;

// Rows up to this length are sorted each by a thread; longer ones otherwise.
const SHORT_ROW = 32u;

// Exchanges two partners that are in the wrong order.
fn in_order(pair: vec2u) -> vec2u {
    return select(pair, pair.yx, (pair.x & ID) > (pair.y & ID));
}

// The partners of a row of two to four, sorted in registers.
fn order_few(first: u32, end: u32) {
    var found = vec4u(partners[first], partners[first + 1u], NONE, NONE);
    if first + 2u < end {
        found.z = partners[first + 2u];
    }
    if first + 3u < end {
        found.w = partners[first + 3u];
    }
    found = vec4u(in_order(found.xy), in_order(found.zw));
    found = vec4u(in_order(found.xz), in_order(found.yw)).xzyw;
    found = vec4u(found.x, in_order(found.yz), found.w);
    partners[first] = found.x;
    partners[first + 1u] = found.y;
    if first + 2u < end {
        partners[first + 2u] = found.z;
    }
    if first + 3u < end {
        partners[first + 3u] = found.w;
    }
}

@compute @workgroup_size(256)
fn order_rows(
    @builtin(workgroup_id) group: vec3u,
    @builtin(num_workgroups) groups: vec3u,
    @builtin(local_invocation_index) thread: u32,
) {
    let row = group_number(group, groups) * 256u + thread;
    if row >= params.rows || placed_hits(status[STATUS_HITS]) == 0u {
        return;
    }
    let first = rows[row];
    let end = rows[row + 1u];
    let length = end - first;
    if length < 2u || length > SHORT_ROW {
        return;
    }
    if length <= 4u {
        order_few(first, end);
        return;
    }
    for (var next = first + 1u; next < end; next++) {
        let partner = partners[next];
        var to = next;
        while to > first {
            let before = partners[to - 1u];
            if (before & ID) < (partner & ID) {
                break;
            }
            partners[to] = before;
            to -= 1u;
        }
        partners[to] = partner;
    }
}
