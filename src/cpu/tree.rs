//! A flat tree over boxes in curve order: sixteen boxes per block, sixteen blocks below a block.
//!
//! Level 0 holds the bounds of the bodies; lane j of block k on level l + 1 is the union of block 16k + j on level l. There are no
//! pointers: the index of a block determines which bodies are below it.

use std::ops::Range;

use glam::Vec3;

use crate::lanes::{Number, Truth};
use crate::parallel::Pool;
use crate::shape::Aabb;

/// Boxes per block: as many as the widest vectors have lanes.
pub(super) const WIDTH: usize = 16;
/// A bit for each box of a block.
const ALL: u32 = (1 << WIDTH) - 1;

/// Boxes, coordinate by coordinate. Unused lanes hold empty boxes, which meet nothing.
#[derive(Clone, Copy)]
#[repr(C, align(64))]
pub(super) struct Block {
    pub min: [[f32; WIDTH]; 3],
    pub max: [[f32; WIDTH]; 3],
}

impl Block {
    pub(super) const EMPTY: Self = Self { min: [[f32::INFINITY; WIDTH]; 3], max: [[f32::NEG_INFINITY; WIDTH]; 3] };

    /// A bit for every lane whose box meets this one; boxes are closed, so touching is meeting.
    #[inline(always)]
    pub(super) fn meets<T: Number>(&self, other: &Aabb) -> u32 {
        let (min, max) = (other.min().to_array(), other.max().to_array());
        let (mut mask, mut first) = (0, 0);
        while first < WIDTH {
            let mut truth = T::load(&self.min[0][first..]).at_most(T::splat(max[0]));
            truth = truth.and(T::splat(min[0]).at_most(T::load(&self.max[0][first..])));
            for k in 1..3 {
                truth = truth.and(T::load(&self.min[k][first..]).at_most(T::splat(max[k])));
                truth = truth.and(T::splat(min[k]).at_most(T::load(&self.max[k][first..])));
            }
            mask |= truth.bits() << first;
            first += T::LANES;
        }
        mask
    }

    #[inline(always)]
    pub(super) fn lane(&self, j: usize) -> Aabb {
        let at = |v: &[[f32; WIDTH]; 3]| Vec3::new(v[0][j], v[1][j], v[2][j]);
        Aabb::from_bounds(at(&self.min), at(&self.max))
    }

    #[inline(always)]
    pub(super) fn set(&mut self, j: usize, bounds: &Aabb) {
        for k in 0..3 {
            self.min[k][j] = bounds.min()[k];
            self.max[k][j] = bounds.max()[k];
        }
    }

    /// Makes the lanes from the first one on empty.
    #[inline(always)]
    pub(super) fn clear_from(&mut self, first: usize) {
        for j in first..WIDTH {
            self.set(j, &Aabb::EMPTY);
        }
    }

    /// The smallest box around all lanes.
    pub(super) fn union_of_all(&self) -> Aabb {
        self.union(ALL)
    }

    /// The smallest box around the lanes of `mask`.
    pub(super) fn union(&self, mask: u32) -> Aabb {
        if mask == ALL {
            let least = |row: &[f32; WIDTH]| fold(row, |a, b| if b < a { b } else { a });
            let greatest = |row: &[f32; WIDTH]| fold(row, |a, b| if b > a { b } else { a });
            return Aabb::from_bounds(self.min.each_ref().map(least).into(), self.max.each_ref().map(greatest).into());
        }
        (0..WIDTH).filter(|j| mask >> j & 1 == 1).fold(Aabb::EMPTY, |all, j| all.merge(&self.lane(j)))
    }
}

/// Combines all numbers, halves with halves.
#[inline(always)]
fn fold(row: &[f32; WIDTH], combine: impl Fn(f32, f32) -> f32) -> f32 {
    let mut row = *row;
    let mut half = WIDTH / 2;
    while half > 0 {
        for k in 0..half {
            row[k] = combine(row[k], row[k + half]);
        }
        half /= 2;
    }
    row[0]
}

/// The blocks above the leaves, level by level.
pub(super) struct Tree<L> {
    leaves: Vec<L>,
    /// Level 1 is the first.
    levels: Vec<Vec<Block>>,
}

/// Blocks per task when those of a level are made.
const BLOCKS: usize = 16;

/// A block for every sixteen of the blocks below.
fn level<B: AsRef<Block> + Sync>(pool: &Pool, below: &[B]) -> Vec<Block> {
    pool.collect_by(below.len().div_ceil(WIDTH), BLOCKS, |k| {
        let mut block = Block::EMPTY;
        for (j, below) in below[k * WIDTH..].iter().take(WIDTH).enumerate() {
            block.set(j, &below.as_ref().union(ALL));
        }
        block
    })
}

impl AsRef<Self> for Block {
    fn as_ref(&self) -> &Self {
        self
    }
}

impl<L: AsRef<Block> + Sync> Tree<L> {
    /// The tree over these leaf blocks.
    pub(super) fn new(pool: &Pool, leaves: Vec<L>) -> Self {
        let mut levels = Vec::new();
        if leaves.len() > 1 {
            levels.push(level(pool, &leaves));
            while levels[levels.len() - 1].len() > 1 {
                levels.push(level(pool, &levels[levels.len() - 1]));
            }
        }
        Self { leaves, levels }
    }

    pub(super) fn into_leaves(self) -> Vec<L> {
        self.leaves
    }

    /// The leaves, and what lies in them.
    #[inline(always)]
    pub(super) fn leaves(&self) -> &[L] {
        &self.leaves
    }

    /// A block of a level, of which 0 is that of the leaves.
    #[inline(always)]
    pub(super) fn block(&self, level: usize, k: usize) -> &Block {
        if level == 0 { self.leaf(k) } else { &self.levels[level - 1][k] }
    }

    #[inline(always)]
    pub(super) fn leaf(&self, k: usize) -> &Block {
        self.leaves[k].as_ref()
    }

    /// The bounds of the body at a sorted position.
    #[inline(always)]
    pub(super) fn bounds(&self, i: usize) -> Aabb {
        self.leaf(i / WIDTH).lane(i % WIDTH)
    }

    /// The union of leaf block `k`. The tree must have several leaf blocks.
    #[inline(always)]
    pub(super) fn leaf_union(&self, k: usize) -> Aabb {
        self.levels[0][k / WIDTH].lane(k % WIDTH)
    }

    /// Finds every leaf block in the range `leaves` whose union meets `bounds`, and the only one of a range of one.
    #[inline(always)]
    pub(super) fn find_leaves<T: Number>(&self, bounds: &Aabb, leaves: &Range<usize>, walk: &mut Walk) {
        walk.found.clear();
        if leaves.len() < 2 {
            walk.found.extend(leaves.clone().map(|k| k as u32));
            return;
        }
        // The descent starts at the lowest block that has the whole range below it.
        let mut level = 1;
        while leaves.start >> (level * LOG_WIDTH) != (leaves.end - 1) >> (level * LOG_WIDTH) {
            level += 1;
        }
        walk.waiting.push((level, (leaves.start >> (level * LOG_WIDTH)) as u32));
        while let Some((level, block)) = walk.waiting.pop() {
            // Children of this block are blocks of the level below; each has 2^span leaves below it.
            let (first, span) = (block as usize * WIDTH, (level - 1) * LOG_WIDTH);
            let mut mask =
                self.levels[level as usize - 1][block as usize].meets::<T>(bounds) & lanes_within(first, span, leaves);
            if level == 1 {
                let count = walk.found.len();
                walk.found.resize(count + WIDTH, 0);
                let listed = T::list(mask, first as u32, &mut walk.found[count..]);
                walk.found.truncate(count + listed);
            } else {
                while mask != 0 {
                    walk.waiting.push((level - 1, first as u32 + mask.trailing_zeros()));
                    mask &= mask - 1;
                }
            }
        }
    }
}

/// What a search through a tree needs; it is used again for the next one.
#[derive(Debug, Default)]
pub(crate) struct Walk {
    /// Blocks to be visited, each with its level.
    waiting: Vec<(u32, u32)>,
    /// The leaf blocks that the last search has found.
    pub(super) found: Vec<u32>,
}

pub(super) const LOG_WIDTH: u32 = WIDTH.trailing_zeros();

/// The lanes j of a block whose children `first + j`, of 2^span leaves each, have leaves in the range.
#[inline(always)]
pub(super) fn lanes_within(first: usize, span: u32, leaves: &Range<usize>) -> u32 {
    let low = (leaves.start >> span).saturating_sub(first).min(WIDTH);
    let high = ((leaves.end + (1 << span) - 1) >> span).saturating_sub(first).min(WIDTH);
    if low < high { (ALL >> (WIDTH - (high - low))) << low } else { 0 }
}

/// The lanes of leaf block `k` that hold bodies in the range.
#[inline(always)]
pub(super) fn lanes_of(k: usize, bodies: &Range<usize>) -> u32 {
    lanes_within(k * WIDTH, 0, bodies)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lanes::{Task, Width};

    struct Found<'a>(&'a Tree<Block>, Aabb, Range<usize>, &'a mut Walk);

    impl Task for Found<'_> {
        type Output = ();
        #[inline(always)]
        fn run<T: Number>(self) {
            self.0.find_leaves::<T>(&self.1, &self.2, self.3);
        }
    }

    struct Meets<'a>(&'a Block, Aabb);

    impl Task for Meets<'_> {
        type Output = u32;
        #[inline(always)]
        fn run<T: Number>(self) -> u32 {
            self.0.meets::<T>(&self.1)
        }
    }

    #[test]
    fn every_width_finds_the_blocks_that_meet_and_lie_in_range() {
        let pool = Pool::new(None).expect("a pool");
        let bounds: Vec<Aabb> = (0..10_003_u32)
            .map(|i| {
                let at = [f64::from(i).sin(), (f64::from(i) * 1.7).cos(), f64::from(i) * 5e-4].map(|x| x as f32);
                Aabb::from_center_half_extents(at, [0.05; 3]).expect("valid")
            })
            .collect();
        let leaves = bounds.chunks(WIDTH).map(|boxes| {
            let mut block = Block::EMPTY;
            boxes.iter().enumerate().for_each(|(j, bounds)| block.set(j, bounds));
            block
        });
        let (tree, mut walk) = (Tree::new(&pool, leaves.collect()), Walk::default());
        assert_eq!(tree.leaves().len(), 626);
        for (start, end) in [(0, 626), (0, 1), (5, 5), (7, 9), (15, 17), (100, 511), (512, 626), (625, 626)] {
            for query in bounds.iter().step_by(197) {
                let expected: Vec<u32> = (start..end)
                    .filter(|k| tree.leaf(*k).union(ALL).intersection(query).is_some() || end - start == 1)
                    .map(|k| k as u32)
                    .collect();
                for width in Width::all().into_iter().chain([Width::ONE]) {
                    width.run(Found(&tree, *query, start..end, &mut walk));
                    walk.found.sort_unstable();
                    assert_eq!(walk.found, expected, "{start}..{end}, {width:?}");
                    for k in &expected {
                        let k = *k as usize;
                        let found = width.run(Meets(tree.leaf(k), *query));
                        for j in 0..WIDTH {
                            let meets = bounds.get(k * WIDTH + j).is_some_and(|b| b.intersection(query).is_some());
                            assert_eq!(found >> j & 1 == 1, meets);
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn unions_contain_their_lanes_and_no_more() {
        let mut block = Block::EMPTY;
        for j in 0..WIDTH - 1 {
            let at = Vec3::new((j * 7 % 16) as f32, (j * 5 % 16) as f32, (j * 3 % 16) as f32);
            block.set(j, &Aabb::new(at, at + Vec3::ONE).expect("a box"));
        }
        for mask in [ALL, ALL >> 1, 1, 0b1010_0001_1000, 0] {
            let lanes = (0..WIDTH).filter(|j| mask >> j & 1 == 1).map(|j| block.lane(j));
            let expected = lanes.fold(Aabb::EMPTY, |all, bounds| all.merge(&bounds));
            assert_eq!(block.union(mask), expected);
        }
    }

    #[test]
    fn lanes_are_those_in_range() {
        assert_eq!(lanes_of(0, &(0..16)), 0xffff);
        assert_eq!(lanes_of(1, &(0..16)), 0);
        assert_eq!(lanes_of(1, &(18..21)), 0b11100);
        assert_eq!(lanes_of(2, &(3..33)), 1);
    }
}
