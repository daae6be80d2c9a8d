// How many keys of a digit came before, among the keys of a subgroup: see `rank_digits.wgsl`.
// import: lib/digit_counts

// Nothing has to be cleared before the first `rank_digit`.
fn clear_ranks(thread: u32) {
}

fn rank_digit(lane: u32, group: u32, digit: u32, valid: bool) -> u32 {
    var mask = subgroupBallot(valid).x;
    for (var bit = 0u; bit < 8u; bit++) {
        let one = ((digit >> bit) & 1u) != 0u;
        let ones = subgroupBallot(one).x;
        mask &= select(~ones, ones, one);
    }
    // The first of those with a digit counts for all.
    let first = min(firstTrailingBit(mask), 31u);
    var before = 0u;
    if valid && first == lane {
        before = add_to_digit_count(group, digit, countOneBits(mask));
    }
    before = subgroupShuffle(before, first);
    subgroupBarrier();
    return before + countOneBits(mask & ((1u << lane) - 1u));
}
