//! Facts about a set as a whole, which let kernels skip work that the set does not need.

use std::borrow::Cow;
use std::ops::Range;

use super::layout::{Extents, Layout};
use crate::bodies::Alike;
use crate::gpu::abi::{ABSENT, TAG_ENABLED};
use crate::parallel::{CHUNK, Pool};
use crate::shape::kinds::Kind;
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
    /// How large the bodies are and where, from which follows whether some are giants or outside the grid.
    pub extents: Extents,
}

impl Facts {
    /// The tag that all bodies have in common, or `ABSENT`.
    pub(crate) fn tag(&self) -> u32 {
        let plain = self.kinds.is_power_of_two() && !self.has_filters && !self.disabled;
        if plain { self.kinds.trailing_zeros() | TAG_ENABLED } else { ABSENT }
    }

    /// Whether there are half-spaces.
    pub(crate) fn has_half_spaces(&self) -> bool {
        self.kinds >> Kind::Plane as u32 & 1 == 1
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
            extents: self.extents.union(other.extents),
        }
    }

    /// With what follows from the grid that the bodies are sorted by.
    pub(super) fn within(self, layout: &Layout) -> Self {
        Self { classes: self.classes || layout.needs_classes(&self.extents), ..self }
    }
}

/// The facts about the bodies in these ranges, but for those that follow from the grid; absent if the ranges are empty.
pub(super) fn facts_of_ranges(pool: &Pool, bodies: &Bodies, ranges: &[Range<usize>]) -> Option<Facts> {
    let parts = parts_of(ranges, CHUNK);
    let facts_of_all =
        |parts: &[Range<usize>]| parts.iter().map(|part| facts_of(bodies, part.clone())).reduce(Facts::union);
    pool.map_at_once(tasks_of(&parts, CHUNK), facts_of_all).into_iter().flatten().reduce(Facts::union)
}

/// The same bodies in ranges that end wherever `size` bodies do.
pub(super) fn parts_of(ranges: &[Range<usize>], size: usize) -> Cow<'_, [Range<usize>]> {
    // Ranges of one body do.
    if ranges.iter().all(|range| range.len() == 1) {
        return Cow::Borrowed(ranges);
    }
    let (mut parts, mut left) = (Vec::with_capacity(ranges.len()), size);
    for range in ranges {
        let mut first = range.start;
        while first < range.end {
            let end = range.end.min(first + left);
            parts.push(first..end);
            left -= end - first;
            first = end;
            if left == 0 {
                left = size;
            }
        }
    }
    Cow::Owned(parts)
}

/// Groups such ranges into tasks of `size` bodies, of which the last may have fewer: many ranges have one body each.
pub(super) fn tasks_of(parts: &[Range<usize>], size: usize) -> Vec<&[Range<usize>]> {
    let (mut tasks, mut first, mut bodies) = (Vec::new(), 0, 0);
    for (k, part) in parts.iter().enumerate() {
        bodies += part.len();
        if bodies == size || k + 1 == parts.len() {
            tasks.push(&parts[first..=k]);
            (first, bodies) = (k + 1, 0);
        }
    }
    tasks
}

/// The facts about the bodies in a range that is not empty, but for those that follow from the grid.
pub(super) fn facts_of(bodies: &Bodies, range: Range<usize>) -> Facts {
    if let Alike::Plain(kind) = bodies.alike() {
        // Then only their shapes have to be looked at.
        let extents = Extents::of(kind, &bodies.records()[range]);
        return Facts { kinds: 1 << kind as u32, extents, ..Facts::default() };
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
        facts.extents = facts.extents.with(kind, &records[k]);
    }
    // (Those that are disabled are in a class of their own.)
    facts.classes = facts.disabled;
    facts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tasks_have_every_body_once_and_as_many() {
        let mut ranges: Vec<_> = (0..3 * CHUNK).map(|k| 3 * k..3 * k + 1 + k % 2).collect();
        ranges.push(10 * CHUNK..13 * CHUNK);
        let parts = parts_of(&ranges, CHUNK);
        let tasks = tasks_of(&parts, CHUNK);
        let ids = |ranges: &[Range<usize>]| ranges.iter().cloned().flatten().collect::<Vec<_>>();
        assert_eq!(ids(&tasks.concat()), ids(&ranges));
        let (last, others) = tasks.split_last().expect("tasks");
        assert!(others.iter().all(|task| ids(task).len() == CHUNK) && ids(last).len() <= CHUNK);
        assert!(tasks_of(&parts_of(&[], CHUNK), CHUNK).is_empty());
        let single: Vec<_> = (0..=CHUNK).map(|k| 2 * k..2 * k + 1).collect();
        assert_eq!(
            tasks_of(&parts_of(&single, CHUNK), CHUNK).iter().map(|task| task.len()).collect::<Vec<_>>(),
            [CHUNK, 1]
        );
    }
}
