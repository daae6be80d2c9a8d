//! The change log of a set of bodies, so that only changed bodies have to be uploaded again.

use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};

/// The bodies that changed between two revisions of a [`Bodies`](crate::Bodies).
///
/// ```
/// use tangency::{Bodies, Changes, shape::Sphere};
///
/// let mut bodies = Bodies::new();
/// let start = bodies.revision();
/// bodies.extend([Sphere::new([0.0; 3], 1.0)?; 3])?;
/// assert_eq!(bodies.changes_since(start), Changes::Ranges(vec![0..3]));
/// assert_eq!(bodies.changes_since(bodies.revision()), Changes::Ranges(vec![]));
/// assert_eq!(bodies.changes_since(0), Changes::All); // a number of no revision
/// # Ok::<(), tangency::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Changes {
    /// Every body may have changed: the revision is unknown, or so old that the log has forgotten it.
    All,
    /// These ranges of ids, ascending and disjoint; empty if nothing changed. They may reach beyond the end of the set if bodies
    /// were removed.
    Ranges(Vec<Range<u32>>),
}

/// The log forgets its oldest ranges when it has more than `CAPACITY` of them, and more than one for every `BODIES_A_RANGE`
/// bodies, so that it stays small beside the set.
const CAPACITY: usize = 4096;
const BODIES_A_RANGE: usize = 16;

/// The next revision. All sets draw from one counter, so that revisions of different sets never coincide.
static NEXT: AtomicU64 = AtomicU64::new(1);

/// What of a body has changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Part {
    /// Anything.
    Whole,
    /// Only where it is and how it is turned.
    Pose,
}

/// The bodies that changed, told apart by what of them did: each is in one of the two lists, or in both.
#[cfg(feature = "gpu")]
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ChangedParts {
    /// Ranges of bodies of which anything may have changed, ascending and disjoint.
    pub whole: Vec<Range<usize>>,
    /// Ranges of bodies whose poses have changed, ascending and disjoint.
    pub poses: Vec<Range<usize>>,
}

#[derive(Debug)]
pub(super) struct ChangeLog {
    /// Changes up to this revision are forgotten.
    oldest: u64,
    revision: u64,
    /// Each change. Revisions ascend.
    entries: Vec<Entry>,
    /// The last revision that was returned to a caller.
    told: AtomicU64,
}

#[derive(Clone, Debug)]
struct Entry {
    /// The revision after the change.
    revision: u64,
    range: Range<u32>,
    part: Part,
}

impl Clone for ChangeLog {
    /// The copy continues with the same revisions. Later revisions of both are distinct, because they are drawn from one counter.
    fn clone(&self) -> Self {
        Self {
            oldest: self.oldest,
            revision: self.revision,
            entries: self.entries.clone(),
            // A caller may know the current revision of the original, which is also that of the copy.
            told: AtomicU64::new(self.revision),
        }
    }
}

impl ChangeLog {
    pub(super) fn new() -> Self {
        let revision = NEXT.fetch_add(1, Ordering::Relaxed);
        Self { oldest: revision, revision, entries: Vec::new(), told: AtomicU64::new(revision) }
    }

    pub(super) fn revision(&self) -> u64 {
        self.told.store(self.revision, Ordering::Relaxed);
        self.revision
    }

    /// Records that these bodies changed, in a set that now has `len` ids.
    pub(super) fn record(&mut self, range: Range<u32>, part: Part, len: usize) {
        if range.is_empty() {
            return;
        }
        self.revision = NEXT.fetch_add(1, Ordering::Relaxed);
        let capacity = CAPACITY.max(len / BODIES_A_RANGE);
        if self.entries.len() >= capacity {
            let forgotten = self.entries.len() - capacity / 2;
            self.oldest = self.entries[forgotten - 1].revision;
            self.entries.drain(..forgotten);
        }
        match self.entries.last_mut() {
            // A body that follows the last range extends it, so that filling a set does not fill the log. A revision that a
            // caller may know keeps its entry.
            Some(last)
                if last.range.end == range.start && last.part == part && last.revision != *self.told.get_mut() =>
            {
                last.revision = self.revision;
                last.range.end = range.end;
            }
            _ => self.entries.push(Entry { revision: self.revision, range, part }),
        }
    }

    /// The index of the first change after this revision; absent if it is not a revision of this set, or is forgotten. (Revisions
    /// of other sets lie between those of this one.)
    fn after(&self, revision: u64) -> Option<usize> {
        let next = self.entries.partition_point(|entry| entry.revision <= revision);
        let last = if next == 0 { self.oldest } else { self.entries[next - 1].revision };
        (last == revision).then_some(next)
    }

    /// Whether the log still has all changes since this revision.
    #[cfg(feature = "gpu")]
    pub(super) fn knows(&self, revision: u64) -> bool {
        self.after(revision).is_some()
    }

    pub(super) fn since(&self, revision: u64) -> Changes {
        let Some(next) = self.after(revision) else { return Changes::All };
        let merged = merged(self.entries[next..].iter());
        Changes::Ranges(merged.into_iter().map(|range| range.start as u32..range.end as u32).collect())
    }

    /// The changes after this revision, if they are all known. `array` makes an empty array for so many ranges.
    #[cfg(feature = "gpu")]
    pub(super) fn parts_since(
        &self,
        revision: u64,
        array: impl FnOnce(usize) -> Vec<Range<usize>>,
    ) -> Option<ChangedParts> {
        let entries = &self.entries[self.after(revision)?..];
        // Mostly whole bodies are changed, here and there, in the order of their ids: then each change is a range of its own.
        let (mut are_apart, mut end) = (true, None);
        let changes = entries.iter().map(|entry| {
            are_apart &= entry.part == Part::Whole && end.is_none_or(|end| end < entry.range.start);
            end = Some(entry.range.end);
            entry.range.start as usize..entry.range.end as usize
        });
        let mut whole = array(entries.len());
        whole.extend(changes);
        if are_apart {
            return Some(ChangedParts { whole, poses: Vec::new() });
        }
        let of = |part: Part| merged(entries.iter().filter(move |entry| entry.part == part));
        Some(ChangedParts { whole: of(Part::Whole), poses: of(Part::Pose) })
    }
}

/// The ranges of these entries, ascending and disjoint.
fn merged<'a>(entries: impl Iterator<Item = &'a Entry>) -> Vec<Range<usize>> {
    let mut merged: Vec<Range<usize>> = Vec::with_capacity(entries.size_hint().1.unwrap_or_default());
    let mut ascend = true;
    for entry in entries {
        let range = entry.range.start as usize..entry.range.end as usize;
        match merged.last_mut() {
            Some(last) if last.start <= range.start && range.start <= last.end => last.end = last.end.max(range.end),
            last => {
                ascend &= last.is_none_or(|last| last.end < range.start);
                merged.push(range);
            }
        }
    }
    if ascend {
        // Mostly bodies are changed in the order of their ids.
        return merged;
    }
    merged.sort_unstable_by_key(|range| range.start);
    merged.dedup_by(|next, last| {
        let joins = next.start <= last.end;
        if joins {
            last.end = last.end.max(next.end);
        }
        joins
    });
    merged
}

#[cfg(all(test, feature = "gpu"))]
mod tests {
    use super::*;

    #[test]
    fn poses_and_other_changes_are_told_apart() {
        let mut log = ChangeLog::new();
        let start = log.revision();
        // Each change follows the last one, by which changes of one kind are joined.
        for (range, part) in [(0..2, Part::Pose), (2..3, Part::Whole), (3..4, Part::Whole), (4..6, Part::Pose)] {
            log.record(range, part, 6);
        }
        let expected = ChangedParts { whole: std::iter::once(2..4).collect(), poses: vec![0..2, 4..6] };
        assert_eq!(log.parts_since(start, Vec::with_capacity), Some(expected));
        assert_eq!(log.since(start), Changes::Ranges(std::iter::once(0..6).collect()));
        assert_eq!(log.entries.len(), 3);
        assert_eq!(log.parts_since(start + 1_000_000, Vec::with_capacity), None);
    }

    #[test]
    fn ranges_in_any_order_are_merged() {
        let mut log = ChangeLog::new();
        let start = log.revision();
        for range in [7..9, 3..4, 8..12, 0..1, 3..5, 20..21, 12..13, 5..6] {
            log.record(range, Part::Whole, 21);
        }
        assert_eq!(log.since(start), Changes::Ranges(vec![0..1, 3..6, 7..13, 20..21]));
        let expected = ChangedParts { whole: vec![0..1, 3..6, 7..13, 20..21], poses: Vec::new() };
        assert_eq!(log.parts_since(start, Vec::with_capacity), Some(expected));
        // As they are, if they ascend and do not touch.
        let middle = log.revision();
        for range in [2..4, 6..7, 9..20] {
            log.record(range, Part::Whole, 21);
        }
        let expected = ChangedParts { whole: vec![2..4, 6..7, 9..20], poses: Vec::new() };
        assert_eq!(log.parts_since(middle, Vec::with_capacity), Some(expected));
    }

    /// Of a large set more changes are known than of a small one.
    #[test]
    fn the_log_is_as_long_as_the_set_is_large() {
        let changes = |len: usize| {
            let mut log = ChangeLog::new();
            let start = log.revision();
            (0..6000).for_each(|id| log.record(2 * id..2 * id + 1, Part::Whole, len));
            log.since(start)
        };
        assert!(matches!(changes(16 * 6001), Changes::Ranges(ranges) if ranges.len() == 6000));
        assert_eq!(changes(12_000), Changes::All);
    }
}
