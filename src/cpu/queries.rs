//! The order in which rays or points are looked up: those that are near each other one after the other, since they visit the same blocks.

use super::sort::sort;
use crate::parallel::Pool;
use crate::spatial::Grid;

/// Queries per task.
const CHUNK: usize = 1 << 12;
/// Fewer than these are looked up as they come.
const FEW: usize = 1 << 10;
/// The bits of an octant.
const OCTANT_BITS: u32 = 3;

/// The order of queries, given where each begins, and the signs of the direction in which it goes on as bits. Those in one octant come together.
pub(crate) fn in_order(
    pool: &Pool,
    count: usize,
    query: impl Fn(usize) -> ([f32; 3], u32) + Sync + Send,
) -> Vec<usize> {
    if count < FEW {
        return (0..count).collect();
    }
    let index_bits = usize::BITS - count.leading_zeros();
    let grid = Grid::new(count, |i| query(i).0, index_bits + OCTANT_BITS);
    let mut items = vec![0; count];
    pool.for_chunks_mut(&mut items, CHUNK, |first, items| {
        for (item, index) in items.iter_mut().zip(first..) {
            let (place, octant) = query(index);
            let [key] = grid.keys(&place.map(|x| [x]));
            *item = (u64::from(octant) << grid.key_bits() | key) << index_bits | index as u64;
        }
    });
    let sorted = sort(pool, items, index_bits);
    pool.collect(count, |k| (sorted[k] & ((1 << index_bits) - 1)) as usize)
}
