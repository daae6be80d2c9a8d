// Which of 32 threads have the same digit: through workgroup memory, as every device can. `match_subgroups.wgsl` is the same for
// devices whose subgroups have 32 threads.

// Of the group, a bit for every thread that has this digit. `pool` must be zero before.
fn match_digit(lane: u32, group: u32, digit: u32, valid: bool) -> u32 {
    if valid {
        atomicOr(&pool[group * DIGITS + digit], 1u << lane);
    }
    workgroupBarrier();
    return select(0u, atomicLoad(&pool[group * DIGITS + digit]), valid);
}

// All have read what they need; one of those with a digit calls `forget_digit`, then all `synchronise` again.
fn forget_digit(group: u32, digit: u32) {
    atomicStore(&pool[group * DIGITS + digit], 0u);
}

fn synchronise() {
    workgroupBarrier();
}
