//! The order in which rays or points are looked up: those that are near each other one after the other, since they visit the same blocks.

use super::sort::sort;
use crate::lanes::{Number, Task, Width};
use crate::parallel::Pool;
use crate::spatial::Grid;

/// Queries per task.
const CHUNK: usize = 1 << 12;
/// Queries whose keys are computed at a time.
const MANY: usize = 128;
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
        Width::widest().run(Keys { grid: &grid, query: &query, index_bits, first, items });
    });
    let sorted = sort(pool, items, index_bits);
    pool.collect(count, |k| (sorted[k] & ((1 << index_bits) - 1)) as usize)
}

/// Writes the sort keys of queries: octant, position along the curve, and index, in one integer.
struct Keys<'a, Q> {
    grid: &'a Grid,
    query: &'a Q,
    index_bits: u32,
    first: usize,
    items: &'a mut [u64],
}

impl<Q: Fn(usize) -> ([f32; 3], u32)> Task for Keys<'_, Q> {
    type Output = ();

    /// (In loops over arrays, which are compiled for the instructions of the width.)
    #[inline(always)]
    fn run<T: Number>(self) {
        let Self { grid, query, index_bits, first, items } = self;
        for (first, items) in (first..).step_by(MANY).zip(items.chunks_mut(MANY)) {
            let (mut places, mut octants) = ([[0.0; MANY]; 3], [0; MANY]);
            for k in 0..items.len() {
                let ([x, y, z], octant) = query(first + k);
                (places[0][k], places[1][k], places[2][k], octants[k]) = (x, y, z, octant);
            }
            let keys = grid.keys(&places);
            for (k, item) in items.iter_mut().enumerate() {
                *item = (u64::from(octants[k]) << grid.key_bits() | keys[k]) << index_bits | (first + k) as u64;
            }
        }
    }
}
