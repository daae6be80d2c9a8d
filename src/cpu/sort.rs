//! A stable, parallel radix sort of keys with their indices.

use super::parallel::Pool;

/// A key, and the body it belongs to.
#[derive(Clone, Copy, Default, Debug, PartialEq, Eq)]
pub(super) struct Keyed {
    pub key: u64,
    pub index: u32,
}

const DIGIT_BITS: u32 = 11;
const BUCKETS: usize = 1 << DIGIT_BITS;
/// Below this a comparison sort is faster.
const SMALL: usize = 4096;

/// Sorts by key, equal keys by their order before. Digits in which all keys agree cost one pass of reading for all.
pub(super) fn sort(pool: &Pool, mut items: Vec<Keyed>) -> Vec<Keyed> {
    let n = items.len();
    if n < SMALL {
        items.sort_by_key(|item| item.key);
        return items;
    }
    let chunk = n.div_ceil(pool.threads().max(1)).max(1024);
    let (all_ones, all_zeros) = pool
        .map_chunks(n, chunk, |range| {
            items[range].iter().fold((!0, !0), |(ones, zeros): (u64, u64), item| (ones & item.key, zeros & !item.key))
        })
        .into_iter()
        .fold((!0, !0), |a, b| (a.0 & b.0, a.1 & b.1));
    // A bit varies unless it is one in all keys or zero in all.
    let varying = !(all_ones | all_zeros);
    let mut spare = vec![Keyed::default(); n];
    let mut shift = 0;
    while shift < 64 {
        if varying >> shift == 0 {
            break;
        }
        if varying >> shift & (BUCKETS as u64 - 1) != 0 {
            pass(pool, &items, &mut spare, chunk, shift);
            std::mem::swap(&mut items, &mut spare);
        }
        shift += DIGIT_BITS;
    }
    items
}

/// One counting pass: each chunk counts its digits, and writes to its own part of every bucket.
fn pass(pool: &Pool, from: &[Keyed], to: &mut [Keyed], chunk: usize, shift: u32) {
    let digit = |item: &Keyed| (item.key >> shift) as usize & (BUCKETS - 1);
    let counts = pool.map_chunks(from.len(), chunk, |range| {
        let mut counts = vec![0_usize; BUCKETS];
        for item in &from[range] {
            counts[digit(item)] += 1;
        }
        counts
    });
    // Hand every chunk its slices of the output: bucket by bucket, chunk by chunk, as a stable sort lays them out.
    let mut slots: Vec<Vec<&mut [Keyed]>> = counts.iter().map(|_| Vec::with_capacity(BUCKETS)).collect();
    let mut rest = to;
    for bucket in 0..BUCKETS {
        for (slots, counts) in slots.iter_mut().zip(&counts) {
            let (slot, after) = rest.split_at_mut(counts[bucket]);
            slots.push(slot);
            rest = after;
        }
    }
    let pieces: Vec<_> = slots.into_iter().zip(from.chunks(chunk)).collect();
    pool.for_each(pieces, |(mut slots, items)| {
        let mut next = vec![0_usize; BUCKETS];
        for item in items {
            let d = digit(item);
            slots[d][next[d]] = *item;
            next[d] += 1;
        }
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equals_a_stable_comparison_sort() {
        let pool = Pool::new(Some(3)).expect("a pool");
        for (n, mask) in [(0, !0), (1, !0), (5000, !0), (20_000, 0xff), (20_000, 0xffff_0000_0000_ffff), (9000, 0)] {
            let items: Vec<Keyed> = (0..n)
                .map(|i| Keyed { key: u64::from(i).wrapping_mul(0x9E37_79B9_7F4A_7C15) & mask, index: i })
                .collect();
            let mut expected = items.clone();
            expected.sort_by_key(|item| item.key);
            assert_eq!(sort(&pool, items), expected, "{n} {mask:x}");
        }
    }
}
