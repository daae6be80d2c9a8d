//! A tree for what is nearest: sixteen children a block, cut where cells of the curve end.
//!
//! Sixteen consecutive bodies begin anywhere in a cell and end anywhere in another: their bounds are long, and rays come near many of them. A block of
//! this tree has whole cells below it, and rays open about two thirds as many. It is made when rays or points are first looked up: a search for
//! pairs has block meet block, and needs all of them to be full.

use std::ops::Range;

use super::order::Order;
use super::tree::{Block, LOG_WIDTH, WIDTH};
use crate::lanes::prefetch;
use crate::parallel::Pool;
use crate::shape::Aabb;

/// The most levels of blocks.
pub(super) const LEVELS: usize = 12;
/// Bodies per task that makes blocks.
const BODIES: usize = 1 << 12;
/// Blocks per task that puts them in their places.
const BLOCKS: usize = 256;

/// What stands in lanes without a child.
const ABSENT: u32 = u32::MAX;

/// The children of a block: the places of blocks, then the positions of bodies.
#[derive(Clone, Copy)]
#[repr(C, align(64))]
struct Children([u32; WIDTH]);

/// The tree of each segment of an order.
pub(crate) struct Cells {
    blocks: Vec<Block>,
    children: Vec<Children>,
    /// How many children of each block are blocks: they come first.
    inner: Vec<u8>,
    /// The place of the highest block of each segment.
    roots: Vec<u32>,
}

impl Cells {
    /// Of bodies in the order of these keys, within each segment.
    pub(super) fn new(pool: &Pool, order: &Order, keys: &[u64]) -> Self {
        // The highest blocks of large segments, and what is below them or small, by tasks.
        let mut top = Part::default();
        let (mut roots, mut later) = (vec![0; order.segments.len()], Vec::new());
        for (number, segment) in order.segments.iter().enumerate() {
            let whole = Whole { bodies: segment.bodies.clone(), level: 0, parent: Parent::Segment(number) };
            if segment.bodies.len() <= BODIES {
                later.push(whole);
            } else {
                roots[number] = top.add(keys, &whole, Some(&mut later));
            }
        }
        let mut groups: Vec<Vec<Whole>> = Vec::new();
        let mut room = 0;
        for whole in later {
            if room < whole.bodies.len() {
                groups.push(Vec::new());
                room = BODIES;
            }
            room = room.saturating_sub(whole.bodies.len());
            groups.last_mut().expect("there is one").push(whole);
        }
        let parts = pool.map_each(groups, |group| Part::of(order, keys, &group));
        // Where the blocks of each part come.
        let mut firsts = vec![top.blocks.len()];
        for part in &parts {
            firsts.push(firsts[firsts.len() - 1] + part.blocks.len());
        }
        for (part, first) in parts.iter().zip(&firsts) {
            for Root { parent, place, bounds } in &part.roots {
                let place = place + *first as u32;
                match parent {
                    Parent::Segment(number) => roots[*number] = place,
                    Parent::Block(block, lane) => {
                        top.children[*block].0[*lane] = place;
                        top.blocks[*block].set(*lane, bounds);
                    }
                }
            }
        }
        top.bound(order);
        let count = firsts[parts.len()];
        // The part in which a block is, and its place there.
        let find = |block: usize| {
            let part = firsts.partition_point(|first| *first <= block);
            (part > 0).then(|| (&parts[part - 1], firsts[part - 1]))
        };
        let blocks = pool.collect_by(count, BLOCKS, |k| match find(k) {
            Some((part, first)) => part.blocks[k - first],
            None => top.blocks[k],
        });
        let children = pool.collect_by(count, BLOCKS, |k| match find(k) {
            Some((part, first)) => part.children[k - first].moved(first as u32, part.inner[k - first]),
            None => top.children[k],
        });
        let inner = [&top].into_iter().chain(&parts).flat_map(|part| &part.inner).copied().collect();
        Self { blocks, children, inner, roots }
    }

    /// How many blocks there are.
    #[cfg(test)]
    pub(super) fn count(&self) -> usize {
        self.blocks.len()
    }

    #[inline(always)]
    pub(super) fn block(&self, place: usize) -> &Block {
        &self.blocks[place]
    }

    /// How many children of a block are blocks: they come first, and bodies after them.
    #[inline(always)]
    pub(super) fn inner(&self, place: usize) -> usize {
        usize::from(self.inner[place])
    }

    /// The place of a child, or its position if it is a body.
    #[inline(always)]
    pub(super) fn child(&self, place: usize, lane: usize) -> usize {
        self.children[place].0[lane % WIDTH] as usize
    }

    /// Asks for a block that is visited soon.
    #[inline(always)]
    pub(super) fn prefetch(&self, place: usize) {
        prefetch(&self.blocks[place]);
        prefetch(&self.children[place]);
    }

    /// The place of the highest block of a segment.
    pub(super) fn root(&self, segment: usize) -> usize {
        self.roots[segment] as usize
    }
}

impl Children {
    const NONE: Self = Self([ABSENT; WIDTH]);

    /// The same, with blocks that come so many places later: so many.
    fn moved(mut self, by: u32, inner: u8) -> Self {
        for place in &mut self.0[..usize::from(inner)] {
            *place += by;
        }
        self
    }
}

/// Whose child a block is.
#[derive(Clone, Copy)]
enum Parent {
    Segment(usize),
    /// A block among the highest, and a lane of it.
    Block(usize, usize),
}

/// All bodies below a block, and how many levels are above it.
struct Whole {
    bodies: Range<usize>,
    level: usize,
    parent: Parent,
}

/// Blocks made by one task, each before its children.
#[derive(Default)]
struct Part {
    blocks: Vec<Block>,
    children: Vec<Children>,
    inner: Vec<u8>,
    roots: Vec<Root>,
}

/// A block whose parent another task makes.
struct Root {
    parent: Parent,
    place: u32,
    bounds: Aabb,
}

impl Part {
    /// All blocks of these.
    fn of(order: &Order, keys: &[u64], group: &[Whole]) -> Self {
        let mut part = Self::default();
        let places: Vec<u32> = group.iter().map(|whole| part.add(keys, whole, None)).collect();
        part.bound(order);
        for (whole, place) in group.iter().zip(places) {
            let bounds = part.blocks[place as usize].union_of_all();
            part.roots.push(Root { parent: whole.parent, place, bounds });
        }
        part
    }

    /// Adds the block that has these bodies below it, and those below that; or leaves those with few bodies for later. Returns its place.
    fn add(&mut self, keys: &[u64], whole: &Whole, mut later: Option<&mut Vec<Whole>>) -> u32 {
        let place = self.blocks.len();
        self.blocks.push(Block::EMPTY);
        self.children.push(Children::NONE);
        let level = whole.level + 1;
        let below = Cuts::new(keys, whole.bodies.clone(), most_below(level));
        let parts = || (0..below.count).map(|part| below.part(part));
        let inner = parts().filter(|part| part.len() > 1).count();
        self.inner.push(inner as u8);
        for (lane, body) in parts().filter(|part| part.len() == 1).enumerate() {
            self.children[place].0[inner + lane] = body.start as u32;
        }
        for (lane, bodies) in parts().filter(|part| part.len() > 1).enumerate() {
            let whole = Whole { bodies, level, parent: Parent::Block(place, lane) };
            match later.as_deref_mut() {
                Some(later) if whole.bodies.len() <= BODIES => later.push(whole),
                _ => self.children[place].0[lane] = self.add(keys, &whole, later.as_deref_mut()),
            }
        }
        place as u32
    }

    /// Bounds all children that are here, or are bodies.
    fn bound(&mut self, order: &Order) {
        for place in (0..self.blocks.len()).rev() {
            let (Children(children), inner) = (self.children[place], usize::from(self.inner[place]));
            for (lane, child) in children.iter().enumerate().filter(|(_, child)| **child != ABSENT) {
                let child = *child as usize;
                if lane >= inner {
                    self.blocks[place].set(lane, &order.tree.bounds(child));
                } else if let Some(block) = self.blocks.get(child) {
                    // (Others have been bounded already.)
                    let bounds = block.union_of_all();
                    self.blocks[place].set(lane, &bounds);
                }
            }
        }
    }
}

/// How many bodies can be below a block with so many levels above it.
fn most_below(level: usize) -> usize {
    1 << (LOG_WIDTH as usize * LEVELS.saturating_sub(level)).min(usize::BITS as usize - 1)
}

/// Consecutive parts of a range, of which those of one element are bodies: where each begins, and where the last one ends.
pub(super) struct Cuts {
    places: [usize; WIDTH + 1],
    pub(super) count: usize,
}

impl Cuts {
    /// Of at least two bodies, where cells end; in halves if some part would then have more than `most`.
    pub(super) fn new(keys: &[u64], bodies: Range<usize>, most: usize) -> Self {
        let mut cuts = Self::at(bodies.clone(), |part| border(keys, part));
        if (0..cuts.count).any(|part| cuts.part(part).len() > most) {
            cuts = Self::at(bodies, middle);
        }
        // Whatever is few enough needs no block of its own.
        let few = |cuts: &Self| {
            let parts = (0..cuts.count).filter(|part| cuts.part(*part).len() > 1);
            let least = parts.min_by_key(|part| cuts.part(*part).len())?;
            (cuts.count - 1 + cuts.part(least).len() <= WIDTH).then_some(least)
        };
        while let Some(part) = few(&cuts) {
            cuts.part(part).skip(1).enumerate().for_each(|(k, place)| cuts.insert(part + k, place));
        }
        cuts
    }

    /// Cuts the largest part until all have room in a block, or there are as many as that has children.
    fn at(bodies: Range<usize>, cut: impl Fn(Range<usize>) -> usize) -> Self {
        let mut cuts = Self { places: [bodies.end; WIDTH + 1], count: 1 };
        cuts.places[0] = bodies.start;
        while cuts.count < WIDTH {
            let largest = (0..cuts.count).max_by_key(|part| cuts.part(*part).len()).unwrap_or(0);
            let part = cuts.part(largest);
            if part.len() <= WIDTH {
                break;
            }
            cuts.insert(largest, cut(part));
        }
        cuts
    }

    pub(super) fn part(&self, part: usize) -> Range<usize> {
        self.places[part]..self.places[part + 1]
    }

    /// Cuts a part in two.
    fn insert(&mut self, part: usize, place: usize) {
        self.places.copy_within(part + 1..=self.count, part + 2);
        self.places[part + 1] = place;
        self.count += 1;
    }
}

fn middle(part: Range<usize>) -> usize {
    part.start + part.len() / 2
}

/// Where the lower half of the smallest cell ends that has all of a part, or the middle if the curve does not tell.
fn border(keys: &[u64], part: Range<usize>) -> usize {
    let (first, last) = (keys[part.start], keys[part.end - 1]);
    let Some(bit) = (first ^ last).checked_ilog2() else { return middle(part) };
    let above = last >> bit << bit;
    let place = part.start + keys[part.clone()].partition_point(|key| *key < above);
    place.clamp(part.start + 1, part.end - 1)
}
