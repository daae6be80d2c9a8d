// Sorts the partners of each short row by id. Long rows go through the radix sort: see `long_rows.wgsl`.
// import: lib/ledger

// Partners that fit into workgroup memory: with one more word they take less than 16 KiB.
const ROOM = 4080u;

var<workgroup> held: array<u32, ROOM>;

// Whether one partner has a lower id than another, regardless of their marks.
fn precedes(a: u32, b: u32) -> bool {
    return (a & PARTNER_ID) < (b & PARTNER_ID);
}

fn sort_held(first: u32, end: u32) {
    for (var next = first + 1u; next < end; next++) {
        let partner = held[next];
        var to = next;
        while to > first {
            let before = held[to - 1u];
            if precedes(before, partner) {
                break;
            }
            held[to] = before;
            to -= 1u;
        }
        held[to] = partner;
    }
}

fn sort_in_place(first: u32, end: u32) {
    for (var next = first + 1u; next < end; next++) {
        let partner = partners[next];
        var to = next;
        while to > first {
            let before = partners[to - 1u];
            if precedes(before, partner) {
                break;
            }
            partners[to] = before;
            to -= 1u;
        }
        partners[to] = partner;
    }
}

var<workgroup> bins_overflowed: u32;

// Whether a bin of hits overflowed, so that there is nothing to sort: loaded by one thread, and the same for all.
fn have_bins_overflowed(thread: u32) -> bool {
    if thread == 0u {
        bins_overflowed = atomicLoad(&status[STATUS_BINS_OVERFLOWED]);
    }
    return workgroupUniformLoad(&bins_overflowed) != 0u;
}

// Sorts short rows in place, one thread per row: best for rows of few partners.
@compute @workgroup_size(THREADS)
fn sort_rows(
    @builtin(workgroup_id) group: vec3u,
    @builtin(num_workgroups) groups: vec3u,
    @builtin(local_invocation_index) thread: u32,
) {
    let number = group_number(group, groups);
    let row = number * THREADS + thread;
    // These loads do not wait for the overflow flag, which is loaded at the same time.
    let last = params.rows - 1u;
    let first = rows[min(row, last)];
    let end = rows[min(row, last) + 1u];
    let sorted = !have_bins_overflowed(thread);
    if row < params.rows {
        if sorted && end - first <= SHORT_ROW {
            sort_in_place(first, end);
        }
        if thread == 0u {
            sign_off(SIGN_SORT_ROWS, number);
        }
    }
}

// Sorts the short rows of a workgroup in workgroup memory if all of its rows fit, else in place.
fn sort_through_memory(first_row: u32, thread: u32) {
    let start = rows[first_row];
    let count = rows[min(first_row + THREADS, params.rows)] - start;
    let row = min(first_row + thread, params.rows - 1u);
    let first = rows[row];
    let end = rows[row + 1u];
    let short = row == first_row + thread && end - first <= SHORT_ROW;
    if count <= ROOM {
        for (var k = thread; k < count; k += THREADS) {
            held[k] = partners[start + k];
        }
        workgroupBarrier();
        if short {
            sort_held(first - start, end - start);
        }
        workgroupBarrier();
        for (var k = thread; k < count; k += THREADS) {
            partners[start + k] = held[k];
        }
    } else if short {
        sort_in_place(first, end);
    }
}

// Sorts short rows in workgroup memory, one thread per row: best for rows of many partners.
@compute @workgroup_size(THREADS)
fn sort_full_rows(
    @builtin(workgroup_id) group: vec3u,
    @builtin(num_workgroups) groups: vec3u,
    @builtin(local_invocation_index) thread: u32,
) {
    let number = group_number(group, groups);
    let first_row = number * THREADS;
    if first_row >= params.rows {
        return;
    }
    if !have_bins_overflowed(thread) {
        sort_through_memory(first_row, thread);
    }
    if thread == 0u {
        sign_off(SIGN_SORT_FULL_ROWS, number);
    }
}
