//! Changes of a set that reach the device by copies in an encoder of the caller's.

use super::facts::facts_of_ranges;
use super::{Changed, DeviceBodies, Layout, MANY_RANGES, SHAPE, TRAITS, tag, traits_of, union, words};
use crate::Bodies;
use crate::gpu::device::Device;
use crate::gpu::failure::Attempt;
use crate::gpu::resident::Belt;
use crate::parallel::Pool;

/// What shaders of the caller's write of a set: which bodies, and whether their positions, rotations and extents.
pub(crate) type Written = (std::ops::Range<u32>, [bool; 3]);

/// An encoder of the caller's, and the belt that carries what it copies.
pub(crate) type Copying<'a> = (&'a mut wgpu::CommandEncoder, &'a mut Belt);

impl DeviceBodies {
    /// Brings the shapes, tags and exclusions on the device up to date when the encoder runs. Of a set whose bodies the caller's shaders
    /// write, little is known; what they have written before and write no longer is as the host has it.
    pub(crate) async fn record_changes(
        &mut self,
        device: &Device,
        (encoder, belt): Copying<'_>,
        pool: &Pool,
        (bodies, written): (&Bodies, &[Written]),
    ) -> Attempt<()> {
        let n = bodies.id_bound();
        if self.written != written {
            self.revision = None;
            self.written = written.to_vec();
        }
        if self.revision != Some(bodies.revision()) {
            let before = self.revision.take();
            let mut new = self.shapes.reserve(device, (SHAPE * n) as u64).await?;
            new |= self.tags.reserve(device, n.next_multiple_of(4) as u64).await?;
            let Changed { whole, poses } = Changed::since(bodies, if new { None } else { before }, Vec::with_capacity);
            let mut ranges = union(whole, poses);
            let changed: usize = ranges.iter().map(ExactSizeIterator::len).sum();
            let new_layout = self.wants_layout(changed, n);
            let all: Vec<_> = std::iter::once(0..n).filter(|all| !all.is_empty()).collect();
            if new_layout {
                self.layout = Layout::new(bodies);
            }
            if ranges.len() > MANY_RANGES {
                ranges.clone_from(&all);
            }
            for range in &ranges {
                let records = bytemuck::cast_slice(&bodies.records()[range.clone()]);
                belt.write(device, encoder, (self.shapes.buffer(), (SHAPE * range.start) as u64), records).await?;
                let words = words(range);
                let tags = pool.collect(words.len(), |k| tag(bodies, words.start + k));
                belt.write(device, encoder, (self.tags.buffer(), words.start as u64), &tags).await?;
                self.uploaded += (SHAPE * range.len() + words.len()) as u64;
            }
            let facts = facts_of_ranges(pool, bodies, if new_layout { &all } else { &ranges });
            let before = (!new_layout).then_some(self.facts);
            let facts = before.into_iter().chain(facts).reduce(super::Facts::union).unwrap_or_default();
            self.facts = facts.within(&self.layout);
            self.record_exclusions(device, (encoder, belt), bodies).await?;
            self.record_hulls(device, (encoder, belt), bodies).await?;
            self.len = n;
            self.revision = Some(bodies.revision());
        }
        if !written.is_empty() {
            // Any body may be a giant, anywhere, or refused.
            self.facts.classes = true;
            self.facts.disabled = true;
        }
        Ok(())
    }

    async fn record_exclusions(
        &mut self,
        device: &Device,
        (encoder, belt): Copying<'_>,
        bodies: &Bodies,
    ) -> Attempt<()> {
        let state = bodies.exclusions().state();
        if self.excluded_state.is_some_and(|held| held.serves(state)) {
            return Ok(());
        }
        self.excluded_state = None;
        let excluded: Vec<[u32; 2]> = bodies.excluded().into_iter().map(|(a, b)| [a, b]).collect();
        self.exclusions.reserve(device, 8 * excluded.len().max(1) as u64).await?;
        belt.write(device, encoder, (self.exclusions.buffer(), 0), bytemuck::cast_slice(&excluded)).await?;
        self.excluded = excluded.len() as u32;
        self.excluded_state = Some(state);
        Ok(())
    }

    /// Brings the margins on the device up to date when the encoder runs.
    pub(crate) async fn record_margins(
        &mut self,
        device: &Device,
        (encoder, belt): Copying<'_>,
        bodies: &Bodies,
    ) -> Attempt<()> {
        for range in self.changed_margins(device, bodies).await? {
            let words = bytemuck::cast_slice(&bodies.margins().unwrap_or_default()[range.clone()]);
            belt.write(device, encoder, (self.margins.buffer(), 4 * range.start as u64), words).await?;
        }
        self.margins_revision = self.revision.filter(|_| self.has_margins);
        Ok(())
    }

    /// Brings the traits on the device up to date when the encoder runs.
    pub(crate) async fn record_traits(
        &mut self,
        device: &Device,
        (encoder, belt): Copying<'_>,
        pool: &Pool,
        bodies: &Bodies,
    ) -> Attempt<()> {
        if self.traits_revision.is_some() && self.traits_revision == self.revision {
            return Ok(());
        }
        let before = self.traits_revision.take();
        let new = self.traits.reserve(device, (TRAITS * bodies.id_bound()) as u64).await?;
        let mut ranges = Changed::since(bodies, if new { None } else { before }, Vec::with_capacity).whole;
        if ranges.len() > MANY_RANGES {
            ranges = std::iter::once(0..bodies.id_bound()).collect();
        }
        for range in ranges {
            let words = pool.collect(range.len(), |k| traits_of(bodies, range.start + k));
            let at = (TRAITS * range.start) as u64;
            belt.write(device, encoder, (self.traits.buffer(), at), bytemuck::cast_slice(&words)).await?;
            self.uploaded += (TRAITS * range.len()) as u64;
        }
        self.traits_revision = self.revision;
        Ok(())
    }
}
