//! Read-back: from buffers on the device to the host.

#[cfg(not(target_family = "wasm"))]
mod late;

use std::future::Future;
use std::ops::{Index, Range};
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, Waker};
use std::time::Duration;

#[cfg(not(target_family = "wasm"))]
pub(in crate::gpu::runner) use late::Late;

#[cfg(not(target_family = "wasm"))]
use crate::clock::Stopwatch;
use crate::gpu::adapters::is_hardware;
use crate::gpu::device::{Device, Turns};
use crate::{Error, Result};

/// What to read back: this many bytes from the start of a buffer.
pub(crate) type Reading<'a> = (&'a wgpu::Buffer, u64);

/// The words that were read back, one slice for each reading, in the mapped staging buffer. The runner cannot run again until
/// this is dropped.
#[derive(Default)]
pub(crate) struct Words {
    mapped: Option<(wgpu::Buffer, wgpu::BufferView, Arc<Turns>)>,
    /// The byte range of each reading in the view.
    parts: Vec<Range<usize>>,
    /// The end of the last reading, if it comes later.
    #[cfg(not(target_family = "wasm"))]
    late: Option<Late>,
}

impl Words {
    fn new(mapped: Option<(wgpu::Buffer, wgpu::BufferView, Arc<Turns>)>, parts: Vec<Range<usize>>) -> Self {
        Self {
            mapped,
            parts,
            #[cfg(not(target_family = "wasm"))]
            late: None,
        }
    }

    #[cfg(not(target_family = "wasm"))]
    pub(super) fn with_late(mut self, late: Option<Late>) -> Self {
        self.late = late;
        self
    }

    /// What follows the words of the last reading, once it has come.
    ///
    /// # Errors
    /// If the device fails.
    pub(crate) fn late(&self) -> Result<&[u32]> {
        #[cfg(not(target_family = "wasm"))]
        if let Some(late) = &self.late {
            return late.words();
        }
        Ok(&[])
    }
}

impl Index<usize> for Words {
    type Output = [u32];

    fn index(&self, reading: usize) -> &[u32] {
        let bytes = self.parts[reading].clone();
        self.mapped.as_ref().map_or(&[], |(_, view, _)| bytemuck::cast_slice(&view[bytes]))
    }
}

impl Drop for Words {
    fn drop(&mut self) {
        if let Some((buffer, view, turns)) = self.mapped.take() {
            drop(view);
            let _turn = turns.take();
            buffer.unmap();
        }
    }
}

/// Reads back a whole buffer.
pub(crate) async fn read_all(device: &Device, buffer: &wgpu::Buffer) -> Result<Vec<u32>> {
    let staging = {
        let _turn = device.turn();
        let staging = device.device.create_buffer(&wgpu::BufferDescriptor {
            label: Some("staging"),
            size: buffer.size(),
            usage: wgpu::BufferUsages::MAP_READ | wgpu::BufferUsages::COPY_DST,
            mapped_at_creation: false,
        });
        let mut encoder = device.device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
        encoder.copy_buffer_to_buffer(buffer, 0, &staging, 0, buffer.size());
        device.queue.submit([encoder.finish()]);
        staging
    };
    let words = read((&device.device, &device.turns, awake(&device.adapter)), None, &staging, [buffer.size()]).await;
    let words = words.map(|words| words[0].to_vec());
    let _turn = device.turn();
    drop(staging);
    words
}

fn device_error(reason: impl std::fmt::Display) -> Error {
    Error::Device { reason: reason.to_string() }
}

/// Maps a staging buffer once the submission, or else all submitted work, is done. It contains readings of these sizes, one after the other.
///
/// A native device runs no callback until it is polled, so this function polls, and blocks the thread of the query, which sleeps after
/// having been `awake` so long. In a browser it does not block.
pub(in crate::gpu) async fn read(
    (device, turns, awake): (&wgpu::Device, &Arc<Turns>, Duration),
    submission: Option<wgpu::SubmissionIndex>,
    buffer: &wgpu::Buffer,
    sizes: impl IntoIterator<Item = u64>,
) -> Result<Words> {
    let mut end = 0;
    let mut parts = Vec::new();
    for bytes in sizes {
        let start = end;
        end += bytes.next_multiple_of(4);
        parts.push(start as usize..end as usize);
    }
    if end == 0 {
        return Ok(Words::new(None, parts));
    }
    // The error is that of the mapping: it is not one that nobody handles.
    let scope = device.push_error_scope(wgpu::ErrorFilter::Validation);
    let mapping = Mapping::start(buffer, 0..end);
    drop(scope.pop());
    #[cfg(not(target_family = "wasm"))]
    mapping.wait((device, turns, awake), submission)?;
    #[cfg(target_family = "wasm")]
    let _ = (device, awake, submission);
    mapping.await.map_err(device_error)?;
    let view = buffer.get_mapped_range(0..end).map_err(device_error)?;
    Ok(Words::new(Some((buffer.clone(), view, Arc::clone(turns))), parts))
}

/// How long the thread of a query polls before it sleeps: waking up takes about as long as a GPU needs for a small query.
const AWAKE: Duration = Duration::from_millis(2);
/// The same for a device in software, which needs the cores itself.
const AWAKE_IN_SOFTWARE: Duration = Duration::from_micros(50);

/// How long the thread of a query on this adapter polls before it sleeps.
pub(in crate::gpu) fn awake(adapter: &wgpu::AdapterInfo) -> Duration {
    if is_hardware(adapter) { AWAKE } else { AWAKE_IN_SOFTWARE }
}

/// A future that is ready when a buffer is mapped.
struct Mapping {
    state: Arc<Mutex<MappingState>>,
}

#[derive(Default)]
struct MappingState {
    result: Option<Result<(), wgpu::BufferAsyncError>>,
    waker: Option<Waker>,
}

impl Mapping {
    fn start(buffer: &wgpu::Buffer, bytes: Range<u64>) -> Self {
        let state: Arc<Mutex<MappingState>> = Arc::default();
        let mapping = Self { state: Arc::clone(&state) };
        buffer.map_async(wgpu::MapMode::Read, bytes, move |result| {
            let waker = {
                let mut state = state.lock().unwrap_or_else(PoisonError::into_inner);
                state.result = Some(result);
                state.waker.take()
            };
            if let Some(waker) = waker {
                waker.wake();
            }
        });
        mapping
    }

    fn lock(&self) -> MutexGuard<'_, MappingState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Blocks until the buffer is mapped, which is when the submission, or else all submitted work, is done.
    #[cfg(not(target_family = "wasm"))]
    fn wait(
        &self,
        (device, turns, awake): (&wgpu::Device, &Turns, Duration),
        submission_index: Option<wgpu::SubmissionIndex>,
    ) -> Result<()> {
        let start = Stopwatch::start();
        loop {
            let turn = turns.take();
            device.poll(wgpu::PollType::Poll).map_err(device_error)?;
            drop(turn);
            if self.lock().result.is_some() {
                return Ok(());
            }
            if start.elapsed() > awake {
                break;
            }
            std::hint::spin_loop();
        }
        let _turn = turns.take();
        device.poll(wgpu::PollType::Wait { submission_index, timeout: None }).map_err(device_error)?;
        Ok(())
    }
}

impl Future for Mapping {
    type Output = Result<(), wgpu::BufferAsyncError>;

    fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        let mut state = self.lock();
        if let Some(result) = state.result.take() {
            return Poll::Ready(result);
        }
        state.waker = Some(context.waker().clone());
        Poll::Pending
    }
}
