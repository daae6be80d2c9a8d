//! The local forms of hulls on the device.

use super::DeviceBodies;
use super::record::Copying;
use crate::Bodies;
use crate::cast::HullPlane;
use crate::det::clean;
use crate::gpu::device::Device;
use crate::gpu::failure::Attempt;
use crate::near::hull::largest_sum_of;
use crate::parallel::Pool;
use crate::shape::ConvexHull;

/// Of each form where its corners begin, how many they are and the largest sum of a corner's coordinates; and then all corners, the last one of each form repeated until kernels can read four at a
/// time. (Numbers below the least that kernels compute with are 0.) One vector if there are none.
fn words_of(forms: &[ConvexHull]) -> Vec<[u32; 4]> {
    let mut begin = forms.len() as u32;
    let mut words = Vec::with_capacity(forms.len() + 1);
    for form in forms {
        let count = form.local_vertices().len() as u32;
        words.push([begin, count, largest_sum_of(form.local_vertices()).to_bits(), 0]);
        begin += count.next_multiple_of(4);
    }
    for form in forms {
        let corners = form.local_vertices();
        words.extend((0..corners.len().next_multiple_of(4)).map(|k| {
            let [x, y, z] = corners[k.min(corners.len() - 1)].to_array().map(|x| clean(x).to_bits());
            [x, y, z, 0]
        }));
    }
    words.resize(words.len().max(1), [0; 4]);
    words
}

/// Of each form where the planes of its faces begin, and how many they are; and then all planes, in double words.
fn planes_of(forms: &[ConvexHull]) -> Vec<[u32; 4]> {
    let mut words = vec![[0; 4]; forms.len()];
    for (number, form) in forms.iter().enumerate() {
        let planes = HullPlane::all(&form.as_placed());
        words[number] = [words.len() as u32, planes.len() as u32, 0, 0];
        for HullPlane { normal: [x, y, z], offset } in planes {
            let all = [x, y, z, offset];
            words.extend([all.map(|number| number.high.to_bits()), all.map(|number| number.low.to_bits())]);
        }
    }
    words
}

impl DeviceBodies {
    /// The planes of hulls that are to be uploaded, if there are other forms than on the device and there is room, and their revision.
    async fn changed_planes(
        &mut self,
        device: &Device,
        pool: &Pool,
        bodies: &Bodies,
    ) -> Attempt<Option<(Vec<[u32; 4]>, u64)>> {
        let (forms, revision) = bodies.hulls();
        if forms.is_empty() || self.planes_revision == Some(revision) {
            self.has_planes &= !forms.is_empty();
            return Ok(None);
        }
        (self.planes_revision, self.has_planes) = (None, false);
        // (Forms keep their planes, which take long to find.)
        drop(pool.collect_by(forms.len(), 1, |number| HullPlane::all(&forms[number].as_placed()).len()));
        let words = planes_of(forms);
        let bytes = size_of_val(&words[..]) as u64;
        if self.hull_planes.reserve(device, bytes).await.is_err() {
            self.planes_revision = Some(revision);
            return Ok(None);
        }
        self.uploaded += bytes;
        Ok(Some((words, revision)))
    }

    /// Brings the planes of hulls on the device up to date, if there is room for them: otherwise the host finds when rays enter hulls. Only rays need them.
    pub(crate) async fn sync_hull_planes(&mut self, device: &Device, pool: &Pool, bodies: &Bodies) -> Attempt<()> {
        if let Some((words, revision)) = self.changed_planes(device, pool, bodies).await? {
            device.write(self.hull_planes.buffer(), 0, bytemuck::cast_slice(&words)).await?;
            (self.planes_revision, self.has_planes) = (Some(revision), true);
        }
        Ok(())
    }

    /// The same when the encoder runs.
    pub(crate) async fn record_hull_planes(
        &mut self,
        device: &Device,
        (encoder, belt): Copying<'_>,
        pool: &Pool,
        bodies: &Bodies,
    ) -> Attempt<()> {
        if let Some((words, revision)) = self.changed_planes(device, pool, bodies).await? {
            belt.write(device, encoder, (self.hull_planes.buffer(), 0), bytemuck::cast_slice(&words)).await?;
            (self.planes_revision, self.has_planes) = (Some(revision), true);
        }
        Ok(())
    }

    /// What is to be uploaded, if there are other forms than on the device, and their revision.
    async fn changed_hulls(&mut self, device: &Device, bodies: &Bodies) -> Attempt<Option<(Vec<[u32; 4]>, u64)>> {
        let (forms, revision) = bodies.hulls();
        if self.hulls_revision == Some(revision) {
            return Ok(None);
        }
        (self.hulls_revision, self.has_hulls) = (None, !forms.is_empty());
        let words = words_of(forms);
        self.hulls.reserve(device, size_of_val(&words[..]) as u64).await?;
        if !forms.is_empty() {
            self.uploaded += size_of_val(&words[..]) as u64;
        }
        Ok(Some((words, revision)))
    }

    /// Brings the forms on the device up to date.
    pub(super) async fn sync_hulls(&mut self, device: &Device, bodies: &Bodies) -> Attempt<()> {
        if let Some((words, revision)) = self.changed_hulls(device, bodies).await? {
            device.write(self.hulls.buffer(), 0, bytemuck::cast_slice(&words)).await?;
            self.hulls_revision = Some(revision);
        }
        Ok(())
    }

    /// Brings the forms on the device up to date when the encoder runs.
    pub(super) async fn record_hulls(
        &mut self,
        device: &Device,
        (encoder, belt): Copying<'_>,
        bodies: &Bodies,
    ) -> Attempt<()> {
        if let Some((words, revision)) = self.changed_hulls(device, bodies).await? {
            belt.write(device, encoder, (self.hulls.buffer(), 0), bytemuck::cast_slice(&words)).await?;
            self.hulls_revision = Some(revision);
        }
        Ok(())
    }
}
