// Which threads of a subgroup have the same digit: see `match.wgsl`.

fn match_digit(lane: u32, group: u32, digit: u32, valid: bool) -> u32 {
    var mask = subgroupBallot(valid).x;
    for (var bit = 0u; bit < 8u; bit++) {
        let ones = subgroupBallot(((digit >> bit) & 1u) != 0u).x;
        mask &= select(~ones, ones, ((digit >> bit) & 1u) != 0u);
    }
    return mask;
}

fn forget_digit(group: u32, digit: u32) {}

fn synchronise() {
    subgroupBarrier();
}
