// Ranks of keys with equal digits within a group of 32 threads, through workgroup memory, as every device can.
// `rank_digits_subgroups.wgsl` replaces this on devices with subgroups of 32 threads.
// import: lib/digit_counts

// Clears the memory of `rank_digit`. Must come before its first call, with a barrier in between.
fn clear_ranks(thread: u32) {
    for (var k = thread; k < TILE; k += THREADS) {
        atomicStore(&exchange[k], 0u);
    }
}

// The number of keys with this digit that the group has counted before this one, including those of lower lanes in this call.
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
    // The lowest lane with a digit counts the keys of all lanes with that digit.
    if valid && firstTrailingBit(mask) == lane {
        add_to_digit_count(group, digit, countOneBits(mask));
        atomicStore(&exchange[group * DIGITS + digit], 0u);
    }
    workgroupBarrier();
    return before + countOneBits(mask & ((1u << lane) - 1u));
}
