// Workgroup memory of the stable radix sort: the digit histogram of each group of 32 threads.

// Words of the histograms of all groups of 32 threads, two digits per word.
const COUNT_WORDS = THREADS / WIDTH * DIGITS / 2u;

// For data exchange within the workgroup.
var<workgroup> exchange: array<atomic<u32>, TILE>;
// By group of 32 threads and by digit: the number of keys so far, later the position of the first of them in the sorted tile. Two
// digits per word.
var<workgroup> digit_counts: array<atomic<u32>, COUNT_WORDS>;

// The number of keys with a digit that a group has counted.
fn digit_count(group: u32, digit: u32) -> u32 {
    return (atomicLoad(&digit_counts[group * (DIGITS / 2u) + digit / 2u]) >> (16u * (digit % 2u))) & 0xffffu;
}

// Adds to the count of keys with a digit in a group. Returns the count before.
fn add_to_digit_count(group: u32, digit: u32, more: u32) -> u32 {
    let before = atomicAdd(&digit_counts[group * (DIGITS / 2u) + digit / 2u], more << (16u * (digit % 2u)));
    return (before >> (16u * (digit % 2u))) & 0xffffu;
}
