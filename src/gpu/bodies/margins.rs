//! The margins of bodies, which only queries about distances need.

use std::ops::Range;

use super::{Changed, DeviceBodies, MANY_RANGES};
use crate::Bodies;
use crate::gpu::device::Device;
use crate::gpu::failure::Attempt;

impl DeviceBodies {
    /// The ranges of bodies whose margins are not on the device, once there is room for all of them: nothing if the set has none.
    pub(super) async fn changed_margins(&mut self, device: &Device, bodies: &Bodies) -> Attempt<Vec<Range<usize>>> {
        self.has_margins = bodies.margins().is_some();
        if !self.has_margins || self.margins_revision.is_some() && self.margins_revision == self.revision {
            return Ok(Vec::new());
        }
        let before = self.margins_revision.take();
        let new = self.margins.reserve(device, 4 * bodies.id_bound() as u64).await?;
        let mut ranges = Changed::since(bodies, if new { None } else { before }, Vec::with_capacity).whole;
        if ranges.len() > MANY_RANGES {
            ranges = std::iter::once(0..bodies.id_bound()).collect();
        }
        self.uploaded += ranges.iter().map(|range| 4 * range.len() as u64).sum::<u64>();
        Ok(ranges)
    }

    /// Brings the margins on the device up to date. Only queries about distances need them.
    pub(crate) async fn sync_margins(&mut self, device: &Device, bodies: &Bodies) -> Attempt<()> {
        for range in self.changed_margins(device, bodies).await? {
            let words = bytemuck::cast_slice(&bodies.margins().unwrap_or_default()[range.clone()]);
            device.write(self.margins.buffer(), 4 * range.start as u64, words).await?;
        }
        self.margins_revision = self.revision.filter(|_| self.has_margins);
        Ok(())
    }

    /// Makes room for margins that a kernel writes.
    pub(crate) async fn reserve_margins(&mut self, device: &Device) -> Attempt<()> {
        self.margins.reserve(device, 4 * self.len.max(1) as u64).await?;
        (self.has_margins, self.margins_revision) = (true, None);
        Ok(())
    }

    /// Has no margins count.
    pub(crate) fn ignore_margins(&mut self) {
        self.has_margins = false;
    }
}
