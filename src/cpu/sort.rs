//! A stable, parallel radix sort of small integers.

use crate::parallel::Pool;

/// Bits of a radix sort digit.
const DIGIT_BITS: u32 = 11;
const BUCKETS: usize = 1 << DIGIT_BITS;
/// Below this many numbers a comparison sort is faster.
const SMALL: usize = 4096;

/// Sorts by the bits from `low` upwards; numbers that agree in these keep their order. Digits in which all numbers agree are
/// skipped.
pub(super) fn sort(pool: &Pool, mut items: Vec<u64>, low: u32) -> Vec<u64> {
    let n = items.len();
    if n < SMALL {
        items.sort_by_key(|item| item >> low);
        return items;
    }
    let chunk = n.div_ceil(pool.threads().max(1)).max(1024);
    let (all_ones, all_zeros) = pool
        .map_chunks(n, chunk, |range| {
            items[range].iter().fold((!0, !0), |(ones, zeros): (u64, u64), item| (ones & item, zeros & !item))
        })
        .into_iter()
        .fold((!0, !0), |a, b| (a.0 & b.0, a.1 & b.1));
    // A bit varies unless it is one in all numbers or zero in all.
    let varying = !(all_ones | all_zeros);
    let mut spare = vec![0; n];
    let mut shift = low;
    while shift < 64 && varying >> shift != 0 {
        // Each digit starts at a bit that varies.
        shift += (varying >> shift).trailing_zeros();
        pass(pool, &items, &mut spare, chunk, shift);
        std::mem::swap(&mut items, &mut spare);
        shift += DIGIT_BITS;
    }
    items
}

/// One counting sort pass: each chunk computes its digit histogram, then writes to its own part of every bucket.
fn pass(pool: &Pool, from: &[u64], to: &mut [u64], chunk: usize, shift: u32) {
    let digit = |item: u64| (item >> shift) as usize & (BUCKETS - 1);
    let counts = pool.map_chunks(from.len(), chunk, |range| {
        let mut counts = vec![0_usize; BUCKETS];
        for item in &from[range] {
            counts[digit(*item)] += 1;
        }
        counts
    });
    // Each chunk gets its slices of the output: bucket by bucket, chunk by chunk, which makes the sort stable.
    let mut slots: Vec<Vec<std::slice::IterMut<'_, u64>>> =
        counts.iter().map(|_| Vec::with_capacity(BUCKETS)).collect();
    let mut rest = to;
    for bucket in 0..BUCKETS {
        for (slots, counts) in slots.iter_mut().zip(&counts) {
            let (slot, after) = rest.split_at_mut(counts[bucket]);
            slots.push(slot.iter_mut());
            rest = after;
        }
    }
    let pieces: Vec<_> = slots.into_iter().zip(from.chunks(chunk)).collect();
    pool.for_each(pieces, |(mut slots, items)| {
        for item in items {
            if let Some(slot) = slots[digit(*item)].next() {
                *slot = *item;
            }
        }
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equals_a_stable_comparison_sort() {
        let pool = Pool::new(Some(3)).expect("a pool");
        for (n, mask, low) in [
            (0, !0, 0),
            (1, !0, 0),
            (5000, !0, 0),
            (20_000, 0xff, 0),
            (20_000, !0, 40),
            (20_000, 0xffff_0000_0000_ffff, 12),
            (9000, 0, 0),
        ] {
            let items: Vec<u64> = (0..n).map(|i: u64| i.wrapping_mul(0x9E37_79B9_7F4A_7C15) & mask).collect();
            let mut expected = items.clone();
            expected.sort_by_key(|item| item >> low);
            assert_eq!(sort(&pool, items, low), expected, "{n} {mask:x} {low}");
        }
    }
}
