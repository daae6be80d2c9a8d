//! What changed in a set of bodies, so that only that has to be uploaded again.

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
    /// Too much has changed since to say.
    All,
    /// These ranges of ids, ascending and apart from each other; none if nothing changed. They may reach beyond the end of
    /// the set where bodies were removed.
    Ranges(Vec<Range<u32>>),
}

/// Ranges kept before the log forgets its beginning: at least so many, and one for so many bodies.
const CAPACITY: usize = 4096;
const BODIES_A_RANGE: usize = 16;

/// Revisions are drawn from one counter, so that those of different sets never coincide.
static NEXT: AtomicU64 = AtomicU64::new(1);

#[derive(Debug)]
pub(super) struct ChangeLog {
    /// Changes older than this are forgotten.
    oldest: u64,
    revision: u64,
    /// Each change, with the revision that it led to. Revisions ascend.
    entries: Vec<(u64, Range<u32>)>,
    /// The last revision that was told to anybody.
    told: AtomicU64,
}

impl Clone for ChangeLog {
    /// Revisions are drawn from one counter, so that the histories of both go on apart, and each knows its own.
    fn clone(&self) -> Self {
        Self {
            oldest: self.oldest,
            revision: self.revision,
            entries: self.entries.clone(),
            // Whoever knows the revision of the original knows that of the copy.
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

    /// Takes down that these bodies changed, in a set that now has `len` of them.
    pub(super) fn record(&mut self, range: Range<u32>, len: usize) {
        if range.is_empty() {
            return;
        }
        self.revision = NEXT.fetch_add(1, Ordering::Relaxed);
        let capacity = CAPACITY.max(len / BODIES_A_RANGE);
        if self.entries.len() >= capacity {
            let forgotten = self.entries.len() - capacity / 2;
            self.oldest = self.entries[forgotten - 1].0;
            self.entries.drain(..forgotten);
        }
        match self.entries.last_mut() {
            // A body pushed after the other extends the last range, so that filling a set does not fill the log. A revision
            // that somebody knows keeps its entry.
            Some((revision, last)) if last.end == range.start && *revision != *self.told.get_mut() => {
                *revision = self.revision;
                last.end = range.end;
            }
            _ => self.entries.push((self.revision, range)),
        }
    }

    /// Where the changes after this revision begin, if it is one of this set and not forgotten. Revisions of other sets lie
    /// between those of this one.
    fn after(&self, revision: u64) -> Option<usize> {
        let next = self.entries.partition_point(|(at, _)| *at <= revision);
        let last = if next == 0 { self.oldest } else { self.entries[next - 1].0 };
        (last == revision).then_some(next)
    }

    /// Whether it is known what changed since.
    #[cfg(feature = "gpu")]
    pub(super) fn knows(&self, revision: u64) -> bool {
        self.after(revision).is_some()
    }

    pub(super) fn since(&self, revision: u64) -> Changes {
        let Some(next) = self.after(revision) else { return Changes::All };
        let mut ranges: Vec<Range<u32>> = self.entries[next..].iter().map(|(_, range)| range.clone()).collect();
        ranges.sort_unstable_by_key(|range| range.start);
        let mut merged: Vec<Range<u32>> = Vec::new();
        for range in ranges {
            match merged.last_mut() {
                Some(last) if range.start <= last.end => last.end = last.end.max(range.end),
                _ => merged.push(range),
            }
        }
        Changes::Ranges(merged)
    }
}
