// How many keys of a digit came before, among the keys of 32 threads: through workgroup memory, as every device can.
// `rank_digits_subgroups.wgsl` is the same for devices whose subgroups have 32 threads.
// import: lib/digit_counts

// Before the first `rank_digit`, and a barrier after it.
fn clear_ranks(thread: u32) {
    for (var k = thread; k < TILE; k += THREADS) {
        atomicStore(&exchange[k], 0u);
    }
}

// How many keys with this digit the group had before, those of earlier threads now among them.
fn rank_digit(lane: u32, group: u32, digit: u32, valid: bool) -> u32 {
    if valid {
        atomicOr(&exchange[group * DIGITS + digit], 1u << lane);
    }
    workgroupBarrier();
    var mask = 0u;
    var before = 0u;
    if valid {
        mask = atomicLoad(&exchange[group * DIGITS + digit]);
        before = digit_count(group, digit);
    }
    workgroupBarrier();
    // The first of those with a digit counts for all.
    if valid && firstTrailingBit(mask) == lane {
        add_to_digit_count(group, digit, countOneBits(mask));
        atomicStore(&exchange[group * DIGITS + digit], 0u);
    }
    workgroupBarrier();
    return before + countOneBits(mask & ((1u << lane) - 1u));
}
