//! Facts about a set as a whole, which let kernels skip work that the set does not need.

use std::ops::Range;

use super::layout::Layout;
use crate::gpu::abi::{ABSENT, TAG_ENABLED};
use crate::parallel::{CHUNK, Pool};
use crate::{Bodies, Traits};

/// Facts about a set as a whole, which let kernels skip work that the set does not need.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Facts {
    /// A bit for each kind of shape in the set.
    pub kinds: u32,
    /// Whether any body has traits other than its world that may forbid a pair.
    pub has_filters: bool,
    /// Whether there are disabled bodies.
    pub disabled: bool,
    /// Whether the sort needs size classes: some body is a giant, outside the grid, or disabled.
    pub classes: bool,
    /// The world of one body, and the bits in which the worlds of other bodies differ from it.
    pub world: u32,
    pub varying: u32,
}

impl Facts {
    /// The tag that all bodies have in common, or `ABSENT`.
    pub(crate) fn tag(&self) -> u32 {
        let plain = self.kinds.is_power_of_two() && !self.has_filters && !self.disabled;
        if plain { self.kinds.trailing_zeros() | TAG_ENABLED } else { ABSENT }
    }

    /// The facts about the union of two sets.
    pub(crate) fn union(self, other: Self) -> Self {
        Self {
            kinds: self.kinds | other.kinds,
            has_filters: self.has_filters || other.has_filters,
            disabled: self.disabled || other.disabled,
            classes: self.classes || other.classes,
            world: self.world,
            varying: self.varying | other.varying | (self.world ^ other.world),
        }
    }
}

/// The facts about the bodies in these ranges; absent if the ranges are empty.
pub(super) fn facts_of_ranges(pool: &Pool, bodies: &Bodies, layout: &Layout, ranges: &[Range<usize>]) -> Option<Facts> {
    let parts: Vec<Range<usize>> = ranges
        .iter()
        .flat_map(|range| range.clone().step_by(CHUNK).map(|first| first..(first + CHUNK).min(range.end)))
        .collect();
    let facts_of_all = |parts: &[Range<usize>]| {
        parts.iter().map(|part| facts_of(bodies, layout, part.clone())).reduce(Facts::union)
    };
    pool.map_each(tasks(&parts), facts_of_all).into_iter().flatten().reduce(Facts::union)
}

/// Groups ranges into tasks of at least `CHUNK` bodies, except for the last: many ranges have one body each.
fn tasks(ranges: &[Range<usize>]) -> Vec<&[Range<usize>]> {
    let (mut tasks, mut first, mut bodies) = (Vec::new(), 0, 0);
    for (k, range) in ranges.iter().enumerate() {
        bodies += range.len();
        if bodies >= CHUNK || k + 1 == ranges.len() {
            tasks.push(&ranges[first..=k]);
            (first, bodies) = (k + 1, 0);
        }
    }
    tasks
}

/// The facts about the bodies in a range that is not empty.
pub(super) fn facts_of(bodies: &Bodies, layout: &Layout, range: Range<usize>) -> Facts {
    let plain = Traits::new();
    let traits = &bodies.all_traits()[range.clone()];
    let (enabled, records) = (&bodies.enabled_flags()[range.clone()], &bodies.records()[range.clone()]);
    let mut facts = Facts { world: traits[0].world, ..Facts::default() };
    for (k, i) in range.enumerate() {
        let kind = bodies.kind(i);
        facts.kinds |= 1 << kind as u32;
        facts.has_filters |= traits[k].world(0) != plain;
        facts.varying |= traits[k].world ^ facts.world;
        facts.disabled |= !enabled[k];
        facts.classes |= !enabled[k] || layout.needs_class(kind, &records[k]);
    }
    facts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tasks_have_every_range_once_and_enough_bodies() {
        let ranges: Vec<_> = (0..3 * CHUNK).map(|k| 3 * k..3 * k + 1 + k % 2).chain([10 * CHUNK..11 * CHUNK]).collect();
        let tasks = tasks(&ranges);
        assert_eq!(tasks.concat(), ranges);
        let bodies = |task: &&[Range<usize>]| task.iter().map(ExactSizeIterator::len).sum::<usize>();
        assert!(tasks[..tasks.len() - 1].iter().all(|task| (CHUNK..2 * CHUNK + 2).contains(&bodies(task))));
        assert!(super::tasks(&[]).is_empty());
    }
}
