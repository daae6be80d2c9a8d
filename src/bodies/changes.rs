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

/// Ranges kept before the log forgets its beginning.
const CAPACITY: usize = 4096;

/// Revisions are drawn from one counter, so that those of different sets never coincide.
static NEXT: AtomicU64 = AtomicU64::new(1);

#[derive(Debug)]
pub(super) struct ChangeLog {
    /// Changes older than this are forgotten.
    oldest: u64,
    revision: u64,
    /// Each change, with the revision that it led to.
    entries: Vec<(u64, Range<u32>)>,
    /// The last revision that was told to anybody.
    told: AtomicU64,
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

    pub(super) fn record(&mut self, range: Range<u32>) {
        if range.is_empty() {
            return;
        }
        self.revision = NEXT.fetch_add(1, Ordering::Relaxed);
        if self.entries.len() == CAPACITY {
            let forgotten = CAPACITY / 2;
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

    pub(super) fn since(&self, revision: u64) -> Changes {
        // Revisions of other sets lie between those of this one: only its own will do.
        if revision != self.oldest && !self.entries.iter().any(|(at, _)| *at == revision) {
            return Changes::All;
        }
        let mut ranges: Vec<Range<u32>> =
            self.entries.iter().filter(|(at, _)| *at > revision).map(|(_, range)| range.clone()).collect();
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
