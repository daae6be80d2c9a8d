//! A flat tree over boxes in curve order: eight boxes per block, eight blocks below a block.
//!
//! Level 0 holds the bounds of the bodies; lane j of block k on level l + 1 is the union of block 8k + j on level l. There are no
//! pointers: the index of a block determines which bodies are below it.

use std::ops::Range;

use wide::f32x8;

use crate::parallel::Pool;
use crate::shape::Aabb;

/// Boxes per block.
pub(super) const WIDTH: usize = 8;

/// Eight boxes, coordinate by coordinate. Unused lanes hold empty boxes, which meet nothing.
#[derive(Clone, Copy)]
pub(super) struct Block {
    pub(super) min: [f32x8; 3],
    pub(super) max: [f32x8; 3],
}

/// One box in all eight lanes, to be tested against a block.
#[derive(Clone, Copy)]
pub(super) struct Probe {
    min: [f32x8; 3],
    max: [f32x8; 3],
}

impl Probe {
    #[inline]
    pub(super) fn new(bounds: &Aabb) -> Self {
        let splat = |v: glam::Vec3| [f32x8::splat(v.x), f32x8::splat(v.y), f32x8::splat(v.z)];
        Self { min: splat(bounds.min()), max: splat(bounds.max()) }
    }
}

impl Default for Block {
    fn default() -> Self {
        Self { min: [f32x8::splat(f32::INFINITY); 3], max: [f32x8::splat(f32::NEG_INFINITY); 3] }
    }
}

impl Block {
    #[inline(always)]
    fn gather(get: impl Fn(usize) -> Aabb) -> Self {
        let mut columns = [[0.0; WIDTH]; 6];
        for lane in 0..WIDTH {
            let bounds = get(lane);
            let corners = bounds.min().to_array().into_iter().chain(bounds.max().to_array());
            for (column, value) in columns.iter_mut().zip(corners) {
                column[lane] = value;
            }
        }
        let [a, b, c, d, e, f] = columns.map(f32x8::new);
        Self { min: [a, b, c], max: [d, e, f] }
    }

    /// A bit for every lane whose box meets the probe; boxes are closed, so touching is meeting.
    #[inline(always)]
    pub(super) fn meets(&self, probe: &Probe) -> u32 {
        let x = self.min[0].simd_le(probe.max[0]) & probe.min[0].simd_le(self.max[0]);
        let y = self.min[1].simd_le(probe.max[1]) & probe.min[1].simd_le(self.max[1]);
        let z = self.min[2].simd_le(probe.max[2]) & probe.min[2].simd_le(self.max[2]);
        (x & y & z).to_bitmask()
    }

    #[inline]
    pub(super) fn lane(&self, j: usize) -> Aabb {
        let at = |v: &[f32x8; 3]| glam::Vec3::new(v[0].as_array()[j], v[1].as_array()[j], v[2].as_array()[j]);
        Aabb::from_bounds(at(&self.min), at(&self.max))
    }

    /// The smallest box around the lanes of `mask`.
    pub(super) fn union(&self, mask: u32) -> Aabb {
        (0..WIDTH).filter(|j| mask >> j & 1 == 1).fold(Aabb::EMPTY, |all, j| all.merge(&self.lane(j)))
    }
}

pub(super) struct Tree {
    pub(super) levels: Vec<Vec<Block>>,
}

impl Tree {
    /// The tree over `n` boxes.
    pub(super) fn new(pool: &Pool, n: usize, bounds: impl Fn(usize) -> Aabb + Send + Sync) -> Self {
        let leaves = pool.collect(n.div_ceil(WIDTH), |k| {
            Block::gather(|j| if k * WIDTH + j < n { bounds(k * WIDTH + j) } else { Aabb::EMPTY })
        });
        let mut levels = vec![leaves];
        while levels[levels.len() - 1].len() > 1 {
            let below = &levels[levels.len() - 1];
            let blocks = pool.collect(below.len().div_ceil(WIDTH), |k| {
                Block::gather(|j| below.get(k * WIDTH + j).map_or(Aabb::EMPTY, |block| block.union(0xff)))
            });
            levels.push(blocks);
        }
        Self { levels }
    }

    pub(super) fn leaf(&self, k: usize) -> &Block {
        &self.levels[0][k]
    }

    /// The bounds of the body at a sorted position.
    pub(super) fn bounds(&self, i: usize) -> Aabb {
        self.leaf(i / WIDTH).lane(i % WIDTH)
    }

    /// The union of leaf block `k`. The tree must have several leaf blocks.
    pub(super) fn leaf_union(&self, k: usize) -> Aabb {
        self.levels[1][k / WIDTH].lane(k % WIDTH)
    }

    pub(super) fn leaves(&self) -> usize {
        self.levels[0].len()
    }

    /// Calls `visit(k)` for every leaf block in the range `leaves` whose union meets the probe.
    pub(super) fn visit_leaves(&self, probe: &Probe, leaves: Range<usize>, visit: &mut impl FnMut(usize)) {
        if leaves.is_empty() {
            return;
        }
        if leaves.len() == 1 {
            visit(leaves.start);
            return;
        }
        // The descent starts at the lowest block that has the whole range below it.
        let mut level = 1;
        while leaves.start / WIDTH.pow(level) != (leaves.end - 1) / WIDTH.pow(level) {
            level += 1;
        }
        self.descend(level as usize, leaves.start / WIDTH.pow(level), probe, &leaves, visit);
    }

    fn descend(&self, level: usize, block: usize, probe: &Probe, leaves: &Range<usize>, visit: &mut impl FnMut(usize)) {
        // Children of this block are blocks of the level below; each has `span` leaves below it.
        let span = WIDTH.pow(level as u32 - 1);
        let mut mask = self.levels[level][block].meets(probe) & lanes_within(block * WIDTH, span, leaves);
        while mask != 0 {
            let child = block * WIDTH + mask.trailing_zeros() as usize;
            mask &= mask - 1;
            if level == 1 {
                visit(child);
            } else {
                self.descend(level - 1, child, probe, leaves, visit);
            }
        }
    }
}

/// The lanes j of a block whose children `first + j`, of `span` leaves each, have leaves in the range.
#[inline]
pub(super) fn lanes_within(first: usize, span: usize, leaves: &Range<usize>) -> u32 {
    let low = (leaves.start / span).saturating_sub(first).min(WIDTH);
    let high = (leaves.end.div_ceil(span)).saturating_sub(first).min(WIDTH);
    if low < high { (0xff >> (WIDTH - (high - low))) << low } else { 0 }
}

/// The lanes of leaf block `k` that hold bodies in the range.
#[inline]
pub(super) fn lanes_of(k: usize, bodies: &Range<usize>) -> u32 {
    lanes_within(k * WIDTH, 1, bodies)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn visits_exactly_the_blocks_that_meet_and_lie_in_range() {
        let pool = Pool::new(None).expect("a pool");
        let bounds: Vec<Aabb> = (0..5003_u32)
            .map(|i| {
                let at = [f64::from(i).sin(), (f64::from(i) * 1.7).cos(), f64::from(i) * 1e-3].map(|x| x as f32);
                Aabb::from_center_half_extents(at, [0.05; 3]).expect("valid")
            })
            .collect();
        let tree = Tree::new(&pool, bounds.len(), |i| bounds[i]);
        assert_eq!(tree.leaves(), 626);
        for (start, end) in [(0, 626), (0, 1), (5, 5), (7, 9), (63, 65), (100, 511), (512, 626), (625, 626)] {
            for query in bounds.iter().step_by(97) {
                let probe = Probe::new(query);
                let mut found = Vec::new();
                tree.visit_leaves(&probe, start..end, &mut |k| found.push(k));
                let expected: Vec<usize> = (start..end)
                    .filter(|k| tree.leaf(*k).union(0xff).intersection(query).is_some() || end - start == 1)
                    .collect();
                assert_eq!(found, expected, "{start}..{end}");
                for k in found {
                    for j in 0..WIDTH {
                        let meets = bounds.get(k * WIDTH + j).is_some_and(|b| b.intersection(query).is_some());
                        assert_eq!(tree.leaf(k).meets(&probe) >> j & 1 == 1, meets);
                    }
                }
            }
        }
    }

    #[test]
    fn lanes_are_those_in_range() {
        assert_eq!(lanes_of(0, &(0..8)), 0xff);
        assert_eq!(lanes_of(1, &(0..8)), 0);
        assert_eq!(lanes_of(1, &(10..13)), 0b11100);
        assert_eq!(lanes_of(2, &(3..17)), 1);
    }
}
