//! A stable, parallel radix sort of small integers.

use crate::parallel::Pool;

/// Bits of a radix sort digit.
const DIGIT_BITS: u32 = 11;
const BUCKETS: usize = 1 << DIGIT_BITS;
/// Below this many numbers a comparison sort is faster.
const SMALL: usize = 4096;
/// How many numbers are looked at to learn how many agree.
const SAMPLE: usize = 1024;

/// Sorts by the bits from `low` upwards; numbers that agree in these keep their order. Digits in which all numbers agree are
/// skipped.
///
/// Two passes sort by the highest bits. Numbers that agree in those are few, if a sample says so, and are then compared; else the
/// passes start at the lowest bits.
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
    let highest = (u64::BITS - varying.leading_zeros()).saturating_sub(2 * DIGIT_BITS);
    let only_high = highest > low && few_agree(&items, highest);
    let mut shift = if only_high { highest } else { low };
    let mut spare = pool.scratch(n);
    while shift < 64 && varying >> shift != 0 {
        // Each digit starts at a bit that varies.
        shift += (varying >> shift).trailing_zeros();
        pass(pool, &items, &mut spare, chunk, shift);
        std::mem::swap(&mut items, &mut spare);
        shift += DIGIT_BITS;
    }
    if only_high {
        sort_runs(pool, &mut items, highest, low);
    }
    pool.keep(spare);
    items
}

/// Whether few numbers agree in the bits from `shift` upwards, by a sample: at most a hundredth or so.
fn few_agree(items: &[u64], shift: u32) -> bool {
    let mut sample: Vec<u64> = items.iter().step_by(items.len().div_ceil(SAMPLE)).map(|item| item >> shift).collect();
    sample.sort_unstable();
    sample.chunk_by(|a, b| a == b).all(|run| run.len() <= SAMPLE / 128)
}

/// Numbers that are sorted by the bits from `high` upwards: sorts those that agree in these by the bits from `low` upwards.
fn sort_runs(pool: &Pool, items: &mut [u64], high: u32, low: u32) {
    let piece = items.len().div_ceil(8 * pool.threads());
    let (mut pieces, mut rest) = (Vec::new(), items);
    while !rest.is_empty() {
        let mut end = piece.min(rest.len());
        while end < rest.len() && rest[end] >> high == rest[end - 1] >> high {
            end += 1;
        }
        let (here, after) = rest.split_at_mut(end);
        pieces.push(here);
        rest = after;
    }
    pool.for_each(pieces, |items| {
        for run in items.chunk_by_mut(|a, b| a >> high == b >> high) {
            if run.len() > 1 {
                run.sort_by_key(|item| item >> low);
            }
        }
    });
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
            // Many that agree in the highest bits, and few.
            (30_000, 0xfff0_0000_0000_ffff, 0),
            (30_000, 0xffff_ff00_0000_ffff, 8),
        ] {
            let items: Vec<u64> = (0..n).map(|i: u64| i.wrapping_mul(0x9E37_79B9_7F4A_7C15) & mask).collect();
            let mut expected = items.clone();
            expected.sort_by_key(|item| item >> low);
            assert_eq!(sort(&pool, items, low), expected, "{n} {mask:x} {low}");
        }
        // Pairs that agree but for the lowest bit that counts, and for those below, which do not.
        let pair = |i: u64| (i / 2).wrapping_mul(0x9E37_79B9_7F4A_7C15) & !0xffff | (i & 1 ^ 1) << 8 | (!i & 0xff);
        let items: Vec<u64> = (0..30_000).map(pair).collect();
        let mut expected = items.clone();
        expected.sort_by_key(|item| item >> 8);
        assert_eq!(sort(&pool, items, 8), expected);
    }
}
