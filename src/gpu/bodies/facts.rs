//! Facts about a set as a whole, which let kernels skip work that the set does not need.

use std::borrow::Cow;
use std::ops::Range;

use super::layout::Layout;
use crate::bodies::Alike;
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
    let parts = parts_of(ranges);
    let facts_of_all =
        |parts: &[Range<usize>]| parts.iter().map(|part| facts_of(bodies, layout, part.clone())).reduce(Facts::union);
    pool.map_each(tasks_of(&parts), facts_of_all).into_iter().flatten().reduce(Facts::union)
}

/// The same bodies in ranges that end wherever `CHUNK` bodies do.
pub(super) fn parts_of(ranges: &[Range<usize>]) -> Cow<'_, [Range<usize>]> {
    // Ranges of one body do.
    if ranges.iter().all(|range| range.len() == 1) {
        return Cow::Borrowed(ranges);
    }
    let (mut parts, mut left) = (Vec::with_capacity(ranges.len()), CHUNK);
    for range in ranges {
        let mut first = range.start;
        while first < range.end {
            let end = range.end.min(first + left);
            parts.push(first..end);
            left -= end - first;
            first = end;
            if left == 0 {
                left = CHUNK;
            }
        }
    }
    Cow::Owned(parts)
}

/// Groups such ranges into tasks of `CHUNK` bodies, of which the last may have fewer: many ranges have one body each.
pub(super) fn tasks_of(parts: &[Range<usize>]) -> Vec<&[Range<usize>]> {
    let (mut tasks, mut first, mut bodies) = (Vec::new(), 0, 0);
    for (k, part) in parts.iter().enumerate() {
        bodies += part.len();
        if bodies == CHUNK || k + 1 == parts.len() {
            tasks.push(&parts[first..=k]);
            (first, bodies) = (k + 1, 0);
        }
    }
    tasks
}

/// The facts about the bodies in a range that is not empty.
pub(super) fn facts_of(bodies: &Bodies, layout: &Layout, range: Range<usize>) -> Facts {
    if let Alike::Plain(kind) = bodies.alike() {
        // Then only their shapes have to be looked at.
        let classes = bodies.records()[range].iter().any(|record| layout.needs_class(kind, record));
        return Facts { kinds: 1 << kind as u32, classes, ..Facts::default() };
    }
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
    fn tasks_have_every_body_once_and_as_many() {
        let mut ranges: Vec<_> = (0..3 * CHUNK).map(|k| 3 * k..3 * k + 1 + k % 2).collect();
        ranges.push(10 * CHUNK..13 * CHUNK);
        let parts = parts_of(&ranges);
        let tasks = tasks_of(&parts);
        let ids = |ranges: &[Range<usize>]| ranges.iter().cloned().flatten().collect::<Vec<_>>();
        assert_eq!(ids(&tasks.concat()), ids(&ranges));
        let (last, others) = tasks.split_last().expect("tasks");
        assert!(others.iter().all(|task| ids(task).len() == CHUNK) && ids(last).len() <= CHUNK);
        assert!(tasks_of(&parts_of(&[])).is_empty());
        let single: Vec<_> = (0..=CHUNK).map(|k| 2 * k..2 * k + 1).collect();
        assert_eq!(tasks_of(&parts_of(&single)).iter().map(|task| task.len()).collect::<Vec<_>>(), [CHUNK, 1]);
    }
}
