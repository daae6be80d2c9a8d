//! The data of a set of bodies, column by column.

use std::ops::Range;

use super::changes::{ChangeLog, Changes};
use super::exclusions::Exclusions;
use super::{Kind, Record, Traits};

/// The first four columns have one entry for each body.
#[derive(Clone, Debug)]
pub(super) struct Columns {
    pub shapes: Vec<Record>,
    pub kinds: Vec<Kind>,
    pub traits: Vec<Traits>,
    pub enabled: Vec<bool>,
    pub exclusions: Exclusions,
    pub changes: ChangeLog,
}

impl Columns {
    pub(super) fn with_capacity(capacity: usize) -> Self {
        Self {
            shapes: Vec::with_capacity(capacity),
            kinds: Vec::with_capacity(capacity),
            traits: Vec::with_capacity(capacity),
            enabled: Vec::with_capacity(capacity),
            exclusions: Exclusions::default(),
            changes: ChangeLog::new(),
        }
    }

    pub(super) fn len(&self) -> usize {
        self.shapes.len()
    }

    /// Records that these bodies have changed.
    pub(super) fn record(&mut self, changed: Range<u32>) {
        self.changes.record(changed, self.shapes.len());
    }

    pub(super) fn truncate(&mut self, len: usize) {
        self.shapes.truncate(len);
        self.kinds.truncate(len);
        self.traits.truncate(len);
        self.enabled.truncate(len);
    }

    /// Makes this equal to `other`. If this is an earlier copy of it, only the bodies that have changed since are copied.
    pub(super) fn follow(&mut self, other: &Self) {
        let Changes::Ranges(ranges) = other.changes.since(self.changes.revision()) else {
            other.changes.revision();
            *self = other.clone();
            return;
        };
        let len = other.len();
        self.truncate(len);
        let copied = self.len();
        self.shapes.extend_from_slice(&other.shapes[copied..]);
        self.kinds.extend_from_slice(&other.kinds[copied..]);
        self.traits.extend_from_slice(&other.traits[copied..]);
        self.enabled.extend_from_slice(&other.enabled[copied..]);
        for range in ranges {
            let range = (range.start as usize).min(copied)..(range.end as usize).min(copied);
            self.shapes[range.clone()].copy_from_slice(&other.shapes[range.clone()]);
            self.kinds[range.clone()].copy_from_slice(&other.kinds[range.clone()]);
            self.traits[range.clone()].copy_from_slice(&other.traits[range.clone()]);
            self.enabled[range.clone()].copy_from_slice(&other.enabled[range]);
        }
        if self.exclusions.version() != other.exclusions.version() {
            self.exclusions.clone_from(&other.exclusions);
        }
        // The copy now has this revision, so that the original must keep its entry in the log.
        other.changes.revision();
        self.changes.clone_from(&other.changes);
    }
}
