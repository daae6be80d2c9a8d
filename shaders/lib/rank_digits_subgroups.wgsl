// Ranks of keys with equal digits within a subgroup: see `rank_digits.wgsl`.
// import: lib/digit_counts

// `rank_digit` uses no memory that would have to be cleared.
fn clear_ranks(thread: u32) {
}

fn rank_digit(lane: u32, group: u32, digit: u32, valid: bool) -> u32 {
    var mask = subgroupBallot(valid).x;
    for (var bit = 0u; bit < 8u; bit++) {
        let one = ((digit >> bit) & 1u) != 0u;
        let ones = subgroupBallot(one).x;
        mask &= select(~ones, ones, one);
    }
    // The lowest lane with a digit counts the keys of all lanes with that digit.
    let first = min(firstTrailingBit(mask), 31u);
    var before = 0u;
    if valid && first == lane {
        before = add_to_digit_count(group, digit, countOneBits(mask));
    }
    before = subgroupShuffle(before, first);
    subgroupBarrier();
    return before + countOneBits(mask & ((1u << lane) - 1u));
}
