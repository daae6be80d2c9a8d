//! The data of a set of bodies, column by column.

use std::collections::BTreeSet;
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use glam::DVec3;

use super::changes::{ChangeLog, Changes, Part};
use super::exclusions::Exclusions;
use super::hulls::Hulls;
use super::{Kind, Record, Traits};
use crate::shape::Shape;
use crate::shape::hull_record::FORM_WORD;
use crate::shape::kinds::{BodyShape, encode};
use crate::{Error, Result};

/// Whether all bodies of a set are alike but for their shapes' numbers: enabled, of one kind, without traits. Once they are not, the set is
/// taken to be mixed until it is empty: who must know for sure has to look at all bodies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Alike {
    /// There are no bodies.
    Empty,
    /// All bodies are of this kind.
    Plain(Kind),
    Mixed,
}

impl Alike {
    fn with(self, kind: Kind, traits: &Traits) -> Self {
        let alike = *traits == Traits::new() && (self == Self::Empty || self == Self::Plain(kind));
        if alike { Self::Plain(kind) } else { Self::Mixed }
    }
}

impl Alike {
    /// The same of bodies that have become axis-aligned boxes.
    pub(super) fn of_boxes(self) -> Self {
        if let Self::Plain(_) = self { Self::Plain(Kind::Aabb) } else { self }
    }
}

/// The first four columns and births have one entry for each id. An id whose body was removed is a hole: it keeps the last entries, is disabled,
/// and is in `holes`.
#[derive(Clone, Debug)]
pub(super) struct Columns {
    pub records: Vec<Record>,
    pub kinds: Vec<Kind>,
    pub traits: Vec<Traits>,
    pub enabled: Vec<bool>,
    /// How far each body keeps others away where margins count; empty as long as none does.
    pub margins: Vec<f32>,
    /// A number for each body that no other body of any set ever had. Results keep it, to know later whether an id has the same body.
    pub births: Arc<Vec<u64>>,
    pub holes: BTreeSet<u32>,
    pub exclusions: Exclusions,
    /// Shapes that bodies share, by [`ShapeId`](super::ShapeId).
    pub shared: Vec<Shape>,
    pub hulls: Hulls,
    /// What the numbers of `records` are relative to.
    pub origin: DVec3,
    pub alike: Alike,
    pub changes: ChangeLog,
}

/// The next number of a body.
static NEXT_BIRTH: AtomicU64 = AtomicU64::new(0);

impl Columns {
    pub(super) fn with_capacity(capacity: usize) -> Self {
        Self {
            records: Vec::with_capacity(capacity),
            kinds: Vec::with_capacity(capacity),
            traits: Vec::with_capacity(capacity),
            enabled: Vec::with_capacity(capacity),
            margins: Vec::new(),
            births: Arc::new(Vec::with_capacity(capacity)),
            holes: BTreeSet::new(),
            exclusions: Exclusions::default(),
            shared: Vec::new(),
            hulls: Hulls::default(),
            origin: DVec3::ZERO,
            alike: Alike::Empty,
            changes: ChangeLog::new(),
        }
    }

    /// One more than the largest id.
    pub(super) fn id_bound(&self) -> usize {
        self.records.len()
    }

    /// Whether a body has this id.
    pub(super) fn has(&self, id: u32) -> bool {
        match self.enabled.get(id as usize) {
            None => false,
            Some(true) => true,
            Some(false) => !self.holes.contains(&id),
        }
    }

    /// Records that these bodies have changed.
    pub(super) fn record(&mut self, changed: Range<u32>) {
        self.changes.record(changed, Part::Whole, self.records.len());
    }

    /// Records that only the poses of these bodies have changed.
    pub(super) fn record_poses(&mut self, changed: Range<u32>) {
        self.changes.record(changed, Part::Pose, self.records.len());
    }

    /// The kind and the record of a shape that body `index` is to have.
    pub(super) fn encoded(&mut self, shape: &Shape, index: usize) -> Result<(Kind, Record)> {
        let checked = BodyShape::of(shape).and_then(|shape| shape.validate().map(|()| shape));
        let shape = checked.map_err(|reason| Error::invalid_body(index, reason))?;
        let (kind, mut record) = encode(&shape);
        if let BodyShape::ConvexHull(hull) = &shape {
            let number = self.hulls.number_of(hull).map_err(|reason| Error::invalid_body(index, reason))?;
            record[FORM_WORD] = f32::from_bits(record[FORM_WORD].to_bits() | number);
        }
        Ok((kind, record))
    }

    /// Drops what no body needs any more, now and then. To be called before shapes are added.
    pub(super) fn sweep(&mut self) {
        self.hulls.sweep(&self.kinds, &self.records);
    }

    /// Appends a body without recording it.
    pub(super) fn append(&mut self, (kind, record): (Kind, Record), traits: Traits) {
        self.alike = self.alike.with(kind, &traits);
        self.records.push(record);
        self.kinds.push(kind);
        self.traits.push(traits);
        self.enabled.push(true);
        if !self.margins.is_empty() {
            self.margins.push(0.0);
        }
    }

    /// Numbers the bodies that were appended.
    pub(super) fn number_appended(&mut self) {
        let births = Arc::make_mut(&mut self.births);
        let new = self.records.len() - births.len();
        let first = NEXT_BIRTH.fetch_add(new as u64, Ordering::Relaxed);
        births.extend(first..first + new as u64);
    }

    /// Gives the lowest hole to a body. Returns its id.
    pub(super) fn fill_hole(&mut self, (kind, record): (Kind, Record), traits: Traits) -> Option<u32> {
        let id = self.holes.pop_first()?;
        let i = id as usize;
        self.alike = self.alike.with(kind, &traits);
        self.records[i] = record;
        self.kinds[i] = kind;
        self.traits[i] = traits;
        self.enabled[i] = true;
        if let Some(margin) = self.margins.get_mut(i) {
            *margin = 0.0;
        }
        Arc::make_mut(&mut self.births)[i] = NEXT_BIRTH.fetch_add(1, Ordering::Relaxed);
        self.exclusions.reuse();
        self.record(id..id + 1);
        Some(id)
    }

    /// Drops the entries of all ids from `len` on.
    pub(super) fn truncate(&mut self, len: usize) {
        self.records.truncate(len);
        self.kinds.truncate(len);
        self.traits.truncate(len);
        self.enabled.truncate(len);
        self.margins.truncate(len);
        if self.births.len() > len {
            Arc::make_mut(&mut self.births).truncate(len);
        }
        self.holes.split_off(&(len as u32));
        if len == 0 {
            self.alike = Alike::Empty;
        }
    }

    /// Gives a body that is there a shape.
    pub(super) fn set(&mut self, i: usize, (kind, record): (Kind, Record)) {
        self.alike = self.alike.with(kind, &Traits::new());
        self.kinds[i] = kind;
        self.records[i] = record;
    }

    /// Gives a body that is there traits.
    pub(super) fn set_traits(&mut self, i: usize, traits: Traits) {
        self.alike = self.alike.with(self.kinds[i], &traits);
        self.traits[i] = traits;
    }

    /// Gives a body that is there a margin.
    pub(super) fn set_margin(&mut self, i: usize, margin: f32) {
        self.margins.resize(self.records.len(), 0.0);
        self.margins[i] = margin;
    }

    /// Enables or disables a body that is there.
    pub(super) fn set_enabled(&mut self, i: usize, enabled: bool) {
        if !enabled {
            self.alike = Alike::Mixed;
        }
        self.enabled[i] = enabled;
    }

    /// Makes this equal to `other`. If this is an earlier copy of it, only the bodies that have changed since are copied.
    pub(super) fn follow(&mut self, other: &Self) {
        let Changes::Ranges(ranges) = other.changes.since(self.changes.revision()) else {
            other.changes.revision();
            *self = other.clone();
            return;
        };
        let len = other.id_bound();
        self.truncate(len);
        let copied = self.id_bound();
        self.records.extend_from_slice(&other.records[copied..]);
        self.kinds.extend_from_slice(&other.kinds[copied..]);
        self.traits.extend_from_slice(&other.traits[copied..]);
        self.enabled.extend_from_slice(&other.enabled[copied..]);
        for range in &ranges {
            let range = (range.start as usize).min(copied)..(range.end as usize).min(copied);
            self.records[range.clone()].copy_from_slice(&other.records[range.clone()]);
            self.kinds[range.clone()].copy_from_slice(&other.kinds[range.clone()]);
            self.traits[range.clone()].copy_from_slice(&other.traits[range.clone()]);
            self.enabled[range.clone()].copy_from_slice(&other.enabled[range]);
        }
        self.margins.clone_from(&other.margins);
        self.births = Arc::clone(&other.births);
        self.holes.clone_from(&other.holes);
        self.shared.clone_from(&other.shared);
        self.hulls.follow(&other.hulls);
        self.origin = other.origin;
        self.alike = other.alike;
        if self.exclusions.state().serves(other.exclusions.state()) {
            // Only those of bodies that were removed are gone.
            let removed = ranges.into_iter().flat_map(|range| other.holes.range(range));
            self.exclusions.follow_removals(removed.copied(), other.exclusions.state());
        } else {
            self.exclusions.clone_from(&other.exclusions);
        }
        // The copy now has this revision, so that the original must keep its entry in the log.
        other.changes.revision();
        self.changes.clone_from(&other.changes);
    }
}
