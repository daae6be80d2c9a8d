// Workgroup memory of the stable radix sort: how many keys with each digit each group of 32 threads has seen.

// Words for the groups of 32 threads of a workgroup, two digits a word.
const COUNT_WORDS = THREADS / WIDTH * DIGITS / 2u;

// For exchange within the workgroup.
var<workgroup> exchange: array<atomic<u32>, TILE>;
// Of each group of 32 threads and each digit, how many keys it had so far, later the place of the first in the tile. Two digits a
// word.
var<workgroup> digit_counts: array<atomic<u32>, COUNT_WORDS>;

// How many keys with a digit a group has seen.
fn digit_count(group: u32, digit: u32) -> u32 {
    return (atomicLoad(&digit_counts[group * (DIGITS / 2u) + digit / 2u]) >> (16u * (digit % 2u))) & 0xffffu;
}

// Adds to the keys with a digit that a group has seen; how many there were before.
fn add_to_digit_count(group: u32, digit: u32, more: u32) -> u32 {
    let before = atomicAdd(&digit_counts[group * (DIGITS / 2u) + digit / 2u], more << (16u * (digit % 2u)));
    return (before >> (16u * (digit % 2u))) & 0xffffu;
}
