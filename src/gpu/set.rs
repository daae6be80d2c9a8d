//! A set of bodies on the device, kept up to date with as little as possible.

use std::ops::Range;

use super::device::Device;
use super::slab::Slab;
use crate::bodies::Changes;
use crate::cpu::curve::Region;
use crate::cpu::segments::median_size;
use crate::cpu::{Pool, settle::CHUNK};
use crate::{Bodies, Result, Traits};

/// What is true of a set as a whole, so that kernels can leave out what it does not need.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Facts {
    /// A bit for each kind of shape in the set.
    pub kinds: u32,
    /// Whether any body has traits that could keep it from meeting another of its world.
    pub choosy: bool,
    /// Whether there are giants, bodies far out, or disabled ones.
    pub classes: bool,
    /// The world of one body, and the bits in which the others differ from it.
    pub world: u32,
    pub varying: u32,
}

impl Facts {
    /// What is true of two sets together.
    pub(crate) fn with(self, other: Self) -> Self {
        Self {
            kinds: self.kinds | other.kinds,
            choosy: self.choosy || other.choosy,
            classes: self.classes || other.classes,
            world: self.world,
            varying: self.varying | other.varying | (self.world ^ other.world),
        }
    }
}

/// The grid in which a set's bodies are ordered, and the size from which on a body is a giant. Only speed depends on them.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Layout {
    pub origin: [f32; 3],
    pub side: f64,
    pub giant: f32,
}

impl Layout {
    fn new(bodies: &Bodies) -> Self {
        let bounds = |i: usize| bodies.get(i).aabb();
        let region = Region::new(bodies.len(), bounds);
        // Kernels measure half sides; a class spans a factor of 8.
        let giant = median_size(bodies.len(), bounds).min(f32::MAX / 8.0) * 4.0;
        Self { origin: region.origin.as_vec3().to_array(), side: region.side, giant }
    }

    /// Whether a body of this record is a giant or far out, as kernels see it.
    fn is_special(&self, kind: u32, record: &[f32; 10]) -> bool {
        let (center, half) = match kind {
            0 => ([record[0], record[1], record[2]], record[3]),
            1 => {
                let middle = |k: usize| 0.5 * record[k] + 0.5 * record[k + 3];
                let half = |k: usize| 0.5 * record[k + 3] - 0.5 * record[k];
                ([middle(0), middle(1), middle(2)], half(0).max(half(1)).max(half(2)))
            }
            _ => ([record[0], record[1], record[2]], record[3].max(record[4]).max(record[5])),
        };
        let side = self.side as f32;
        let inside = |k: usize| center[k] >= self.origin[k] && center[k] - self.origin[k] <= side;
        half > self.giant || !(inside(0) && inside(1) && inside(2))
    }
}

/// A body's kind, whether it is enabled, and whether it is fixed.
fn tag(bodies: &Bodies, i: usize) -> u8 {
    bodies.kind(i) as u8 | u8::from(bodies.enabled_flags()[i]) << 2 | u8::from(bodies.all_traits()[i].is_fixed()) << 3
}

/// A set of bodies on the device.
pub(crate) struct Resident {
    /// Of the set as it was uploaded last.
    revision: Option<u64>,
    pub len: usize,
    pub shapes: Slab,
    pub tags: Slab,
    pub traits: Slab,
    pub exclusions: Slab,
    pub excluded: u32,
    /// The revision whose traits are on the device.
    traits_revision: Option<u64>,
    pub facts: Facts,
    pub layout: Layout,
    /// Bodies uploaded in part since the layout was made.
    drifted: usize,
    /// Bytes uploaded so far.
    pub uploaded: u64,
}

impl Resident {
    pub(crate) fn new() -> Self {
        Self {
            revision: None,
            len: 0,
            shapes: Slab::storage("shapes"),
            tags: Slab::storage("tags"),
            traits: Slab::storage("traits"),
            exclusions: Slab::storage("exclusions"),
            excluded: 0,
            traits_revision: None,
            facts: Facts::default(),
            layout: Layout::default(),
            drifted: 0,
            uploaded: 0,
        }
    }

    pub(crate) fn revision(&self) -> Option<u64> {
        self.revision
    }

    /// Whether this holds an earlier state of the set, so that only changes have to be uploaded.
    pub(crate) fn knows(&self, bodies: &Bodies) -> bool {
        self.revision.is_some_and(|revision| bodies.changes_since(revision) != Changes::All)
    }

    /// Brings the device up to date.
    pub(crate) fn sync(&mut self, device: &Device, pool: &Pool, bodies: &Bodies) -> Result<()> {
        let n = bodies.len();
        let changes = match self.revision {
            Some(revision) if revision == bodies.revision() => return Ok(()),
            Some(revision) => bodies.changes_since(revision),
            None => Changes::All,
        };
        self.revision = None;
        let mut new = self.shapes.reserve(device, 40 * n as u64)?;
        new |= self.tags.reserve(device, n.next_multiple_of(4) as u64)?;
        let ranges = match changes {
            Changes::Ranges(ranges) if !new => ranges,
            _ => std::iter::once(0..n as u32).collect(),
        };
        let ranges: Vec<Range<usize>> =
            ranges.into_iter().map(|r| r.start as usize..(r.end as usize).min(n)).filter(|r| !r.is_empty()).collect();
        let changed: usize = ranges.iter().map(ExactSizeIterator::len).sum();
        self.drifted += changed;
        if changed * 2 > n || self.drifted > n / 4 || self.len != n {
            self.layout = Layout::new(bodies);
            self.drifted = 0;
            self.facts = look(pool, bodies, &self.layout, 0..n);
        } else {
            for range in &ranges {
                self.facts = self.facts.with(look(pool, bodies, &self.layout, range.clone()));
            }
        }
        for range in &ranges {
            let records = &bodies.records()[range.clone()];
            device.queue.write_buffer(self.shapes.buffer(), 40 * range.start as u64, bytemuck::cast_slice(records));
            // Writes begin and end at whole words.
            let words = range.start / 4 * 4..range.end.next_multiple_of(4);
            let tags =
                pool.collect(words.len(), |k| if words.start + k < n { tag(bodies, words.start + k) } else { 0 });
            device.queue.write_buffer(self.tags.buffer(), words.start as u64, &tags);
            self.uploaded += (40 * range.len() + words.len()) as u64;
        }
        let excluded = bodies.excluded();
        self.excluded = excluded.len() as u32;
        self.exclusions.reserve(device, 8 * excluded.len().max(1) as u64)?;
        let flat: Vec<[u32; 2]> = excluded.into_iter().map(|(a, b)| [a, b]).collect();
        device.queue.write_buffer(self.exclusions.buffer(), 0, bytemuck::cast_slice(&flat));
        self.len = n;
        self.revision = Some(bodies.revision());
        Ok(())
    }

    /// Brings the traits up to date, which only some queries need.
    pub(crate) fn sync_traits(&mut self, device: &Device, pool: &Pool, bodies: &Bodies) -> Result<()> {
        if self.traits_revision.is_some() && self.traits_revision == self.revision {
            return Ok(());
        }
        self.traits_revision = None;
        self.traits.reserve(device, 16 * bodies.len() as u64)?;
        let words = pool.collect(bodies.len(), |i| {
            let traits = &bodies.all_traits()[i];
            [traits.get_layer(), traits.get_mask(), traits.get_group(), traits.get_world()]
        });
        device.queue.write_buffer(self.traits.buffer(), 0, bytemuck::cast_slice(&words));
        self.uploaded += 16 * bodies.len() as u64;
        self.traits_revision = self.revision;
        Ok(())
    }

    pub(crate) fn release(&mut self, device: &Device) {
        for slab in [&mut self.shapes, &mut self.tags, &mut self.traits, &mut self.exclusions] {
            slab.release(device);
        }
        self.revision = None;
    }
}

/// What is true of some bodies of a set.
fn look(pool: &Pool, bodies: &Bodies, layout: &Layout, range: Range<usize>) -> Facts {
    let plain = Traits::new();
    let world = bodies.all_traits()[range.start..].first().map_or(0, Traits::get_world);
    let parts = pool.map_chunks(range.len(), CHUNK, |part| {
        let mut facts = Facts { world, ..Facts::default() };
        for i in range.start + part.start..range.start + part.end {
            let (kind, traits) = (bodies.kind(i) as u32, &bodies.all_traits()[i]);
            facts.kinds |= 1 << kind;
            facts.choosy |= traits.world(0) != plain;
            facts.varying |= traits.get_world() ^ world;
            facts.classes |= !bodies.enabled_flags()[i] || layout.is_special(kind, &bodies.records()[i]);
        }
        facts
    });
    parts.into_iter().reduce(Facts::with).unwrap_or_default()
}
