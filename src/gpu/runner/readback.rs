//! From the device to the host.

use std::future::Future;
use std::ops::{Index, Range};
use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll};
use std::time::{Duration, Instant};

use crate::gpu::device::Device;
use crate::{Error, Result};

/// A part of a buffer to be read: where from, and how many bytes.
pub(crate) type Reading<'a> = (&'a wgpu::Buffer, u64);

/// What was read, reading by reading, where the device has put it. Until this is dropped, the runner cannot run again.
#[derive(Default)]
pub(crate) struct Words {
    mapped: Option<(wgpu::Buffer, wgpu::BufferView)>,
    /// Where in the view each reading is.
    parts: Vec<Range<usize>>,
}

impl Index<usize> for Words {
    type Output = [u32];

    fn index(&self, reading: usize) -> &[u32] {
        let bytes = self.parts[reading].clone();
        self.mapped.as_ref().map_or(&[], |(_, view)| bytemuck::cast_slice(&view[bytes]))
    }
}

impl Drop for Words {
    fn drop(&mut self) {
        if let Some((buffer, view)) = self.mapped.take() {
            drop(view);
            buffer.unmap();
        }
    }
}

/// All words of a buffer.
pub(crate) fn read_all(device: &Device, buffer: &wgpu::Buffer) -> Result<Vec<u32>> {
    let staging = device.device.create_buffer(&wgpu::BufferDescriptor {
        label: Some("staging"),
        size: buffer.size(),
        usage: wgpu::BufferUsages::MAP_READ | wgpu::BufferUsages::COPY_DST,
        mapped_at_creation: false,
    });
    let mut encoder = device.device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
    encoder.copy_buffer_to_buffer(buffer, 0, &staging, 0, buffer.size());
    device.queue.submit([encoder.finish()]);
    Ok(pollster::block_on(read(device, &staging, [buffer.size()], true))?[0].to_vec())
}

fn lost(reason: impl std::fmt::Display) -> Error {
    Error::Device { reason: reason.to_string() }
}

/// What lies in a mappable buffer: readings of these sizes, one after the other.
pub(super) async fn read(
    device: &Device,
    buffer: &wgpu::Buffer,
    sizes: impl IntoIterator<Item = u64>,
    block: bool,
) -> Result<Words> {
    let mut end = 0;
    let mut parts = Vec::new();
    for bytes in sizes {
        let start = end;
        end += bytes.next_multiple_of(4);
        parts.push(start as usize..end as usize);
    }
    if end == 0 {
        return Ok(Words { mapped: None, parts });
    }
    let done: Arc<Mutex<Option<Result<(), wgpu::BufferAsyncError>>>> = Arc::default();
    let signal = Arc::clone(&done);
    buffer.map_async(wgpu::MapMode::Read, 0..end, move |result| {
        *signal.lock().unwrap_or_else(PoisonError::into_inner) = Some(result);
    });
    if block {
        wait(device, &done)?;
    }
    Mapped { device, done }.await?;
    let view = buffer.get_mapped_range(0..end).map_err(lost)?;
    Ok(Words { mapped: Some((buffer.clone(), view)), parts })
}

/// How long it is asked again and again whether the device is done, before this thread sleeps: waking up takes it about as long as
/// a small query takes the device.
const AWAKE: Duration = Duration::from_micros(500);

/// Waits until a buffer is mapped.
fn wait(device: &Device, done: &Mutex<Option<Result<(), wgpu::BufferAsyncError>>>) -> Result<()> {
    let start = Instant::now();
    while start.elapsed() < AWAKE {
        device.device.poll(wgpu::PollType::Poll).map_err(lost)?;
        if done.lock().unwrap_or_else(PoisonError::into_inner).is_some() {
            return Ok(());
        }
        std::hint::spin_loop();
    }
    device.device.poll(wgpu::PollType::wait_indefinitely()).map_err(lost)?;
    Ok(())
}

/// Ready when a buffer is mapped.
struct Mapped<'a> {
    device: &'a Device,
    done: Arc<Mutex<Option<Result<(), wgpu::BufferAsyncError>>>>,
}

impl Future for Mapped<'_> {
    type Output = Result<()>;

    fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        // Where there is no event loop that does it, somebody has to ask the device how far it is.
        if let Err(error) = self.device.device.poll(wgpu::PollType::Poll) {
            return Poll::Ready(Err(lost(error)));
        }
        let done = self.done.lock().unwrap_or_else(PoisonError::into_inner).take();
        if done.is_none() {
            context.waker().wake_by_ref();
        }
        done.map_or(Poll::Pending, |result| Poll::Ready(result.map_err(lost)))
    }
}
