//! Large uploads: a staging buffer that the host fills on all cores and the device copies from.

use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use super::facts::{Facts, facts_of};
use super::{DeviceBodies, Making, SHAPE, tag, words};
use crate::Bodies;
use crate::bodies::Alike;
use crate::gpu::buffer::{GrowBuffer, SizedBy};
use crate::gpu::device::Device;
use crate::gpu::failure::Attempt;
use crate::gpu::runner::{BufferCopy, Runner};
use crate::parallel::{CHUNK, Pool};

/// A copy from the staging buffer: the first byte there, the destination, the first byte in it, and the number of bytes.
pub(crate) type Copy<'a> = (u64, &'a wgpu::Buffer, u64, u64);

/// The staging buffer takes at most one part in this many of the rest of the memory budget, so that the query itself has room.
const SHARE: u64 = 8;

/// A staging buffer that is kept between uploads. It only saves time: without it, uploads go through the queue.
pub(crate) struct Upload {
    staging: GrowBuffer,
    /// Becomes true once the buffer is mapped; absent if mapping was not requested.
    mapped: Option<Arc<AtomicBool>>,
    /// Uploads so far.
    pub count: u64,
}

impl DeviceBodies {
    /// Uploads the bodies of `ranges` through the staging buffer and returns the facts about those of `inspected`, in one
    /// parallel pass, if memory allows. The staging buffer has the layout of the device: all shapes, then all tags.
    pub(super) async fn stage(
        &mut self,
        (device, runner, pool): (&Device, &mut Runner, &Pool),
        (bodies, beside): (&Bodies, Option<&Making<'_>>),
        inspected: &[Range<usize>],
        ranges: &[Range<usize>],
    ) -> Attempt<Option<Facts>> {
        let room = bodies.id_bound().next_multiple_of(CHUNK);
        let view = self.upload.view(device, runner, ((SHAPE + 1) * room) as u64).await?;
        let Some(mut view) = view else { return Ok(None) };
        runner.clock.lap("map");
        let (shapes, tags) = view.slice(..).split_at(SHAPE * room);
        let (shapes, tags) = (shapes.into_chunks::<{ SHAPE * CHUNK }>().0, tags.into_chunks::<CHUNK>().0);
        let chunks: Vec<_> = (0..room)
            .step_by(CHUNK)
            .map(|first| first..(first + CHUNK).min(bodies.id_bound()))
            .zip(shapes.into_iter().zip(tags))
            .filter(|(chunk, _)| {
                let next = inspected.partition_point(|range| range.end <= chunk.start);
                inspected.get(next).is_some_and(|range| range.start < chunk.end)
            })
            .enumerate()
            .collect();
        let facts = pool.map_at_once(chunks, |(number, (chunk, (shapes, tags)))| {
            if let (Some(making), 0) = (beside, number) {
                making.made();
            }
            let records = bytemuck::cast_slice(&bodies.records()[chunk.clone()]);
            wgpu::WriteOnly::<[u8]>::from(shapes).slice(..records.len()).copy_from_slice(records);
            tags.write(match bodies.alike() {
                Alike::Plain(_) if chunk.len() == CHUNK => [tag(bodies, chunk.start); CHUNK],
                _ => std::array::from_fn(|k| tag(bodies, chunk.start + k)),
            });
            facts_of(bodies, chunk)
        });
        drop(view);
        runner.clock.lap("fill");
        let (shapes, tags) = (self.shapes.buffer(), self.tags.buffer());
        let copies = ranges.iter().flat_map(|range| {
            let (at, words) = ((SHAPE * range.start) as u64, words(range));
            [
                (at, shapes, at, (SHAPE * range.len()) as u64),
                ((SHAPE * room + words.start) as u64, tags, words.start as u64, words.len() as u64),
            ]
        });
        self.upload.copy(runner, copies);
        Ok(facts.into_iter().reduce(Facts::union))
    }
}

impl Upload {
    pub(crate) fn new() -> Self {
        let usage = wgpu::BufferUsages::MAP_WRITE | wgpu::BufferUsages::COPY_SRC;
        Self { staging: GrowBuffer::new("upload", usage, SizedBy::Input), mapped: None, count: 0 }
    }

    /// A view of this many bytes to fill; absent if memory is scarce or the device still copies from the last upload.
    ///
    /// # Errors
    /// If the device refuses the copies of an earlier upload.
    pub(crate) async fn view(
        &mut self,
        device: &Device,
        runner: &mut Runner,
        bytes: u64,
    ) -> Attempt<Option<wgpu::BufferViewMut>> {
        // What was filled in before must be on its way before it is overwritten.
        device
            .validated(|| {
                runner.submit_copies(device);
                Ok(())
            })
            .await?;
        Ok(self.mapped_view(device, bytes).await)
    }

    async fn mapped_view(&mut self, device: &Device, bytes: u64) -> Option<wgpu::BufferViewMut> {
        if !self.staging.holds(bytes) {
            self.mapped = None;
            if bytes > device.budget_left() / SHARE {
                self.staging.release();
                return None;
            }
            self.staging.reserve(device, bytes).await.ok()?;
        }
        if self.mapped.is_none() {
            // The device does not use the buffer if it is new, or if the query of the last upload has ended: then one poll suffices.
            let mapping = device.validated(|| {
                self.map();
                Ok(())
            });
            mapping.await.ok()?;
            let _turn = device.turn();
            device.device.poll(wgpu::PollType::Poll).ok()?;
        }
        let mapped = self.mapped.as_ref().is_some_and(|mapped| mapped.load(Ordering::Acquire));
        if mapped { self.staging.buffer().get_mapped_range_mut(0..bytes).ok() } else { None }
    }

    fn map(&mut self) {
        let mapped = Arc::new(AtomicBool::new(false));
        let signal = Arc::clone(&mapped);
        self.staging.buffer().map_async(wgpu::MapMode::Write, .., move |result| {
            signal.store(result.is_ok(), Ordering::Release);
        });
        self.mapped = Some(mapped);
    }

    /// Has the bytes that were filled in copied before the next recording runs; the view must have been dropped.
    pub(crate) fn copy<'a>(&mut self, runner: &mut Runner, copies: impl IntoIterator<Item = Copy<'a>>) {
        self.staging.unmap();
        let buffer = self.staging.buffer();
        self.mapped = None;
        runner.copies.extend(copies.into_iter().map(|(from, to, at, bytes)| BufferCopy {
            from: (buffer.clone(), from),
            to: (to.clone(), at),
            bytes,
        }));
        self.count += 1;
    }

    pub(crate) fn release(&mut self) {
        self.staging.release();
        self.mapped = None;
    }
}
