//! What the host writes goes to the device through the caller's encoder: two encoders that are recorded before either is submitted must not
//! share it.

use std::sync::mpsc::{Receiver, Sender, channel};

use crate::gpu::device::{CountedBuffer, Device};
use crate::gpu::failure::Attempt;

/// The least bytes of a chunk.
const LEAST: u64 = 1 << 16;

/// Mapped memory that encoders copy from. Each chunk comes back when the device has done with the encoder that uses it.
pub(crate) struct Belt {
    free: Vec<CountedBuffer>,
    /// The chunk that is being filled, and how many of its bytes are.
    open: Option<(CountedBuffer, u64)>,
    full: Vec<CountedBuffer>,
    back: (Sender<CountedBuffer>, Receiver<CountedBuffer>),
}

impl Belt {
    pub(crate) fn new() -> Self {
        Self { free: Vec::new(), open: None, full: Vec::new(), back: channel() }
    }

    /// Has the encoder copy these bytes, a multiple of four, to a place in a buffer.
    pub(crate) async fn write(
        &mut self,
        device: &Device,
        encoder: &mut wgpu::CommandEncoder,
        (target, at): (&wgpu::Buffer, u64),
        bytes: &[u8],
    ) -> Attempt<()> {
        let size = bytes.len() as u64;
        if size == 0 {
            return Ok(());
        }
        if self.open.as_ref().is_none_or(|(chunk, used)| chunk.buffer.size() - used < size) {
            self.full.extend(self.open.take().map(|(chunk, _)| chunk));
            let chunk = self.chunk(device, size).await?;
            self.open = Some((chunk, 0));
        }
        let (chunk, used) = self.open.as_mut().expect("it was opened");
        let range = *used..*used + size;
        let view = chunk.buffer.get_mapped_range_mut(range.clone());
        let mut view = view.map_err(|error| device.failed(&error))?;
        view.slice(..).copy_from_slice(bytes);
        drop(view);
        encoder.copy_buffer_to_buffer(&chunk.buffer, range.start, target, at, size);
        // Mapped ranges begin at multiples of eight.
        *used = range.end.next_multiple_of(8);
        Ok(())
    }

    /// A chunk with room for so many bytes.
    async fn chunk(&mut self, device: &Device, size: u64) -> Attempt<CountedBuffer> {
        self.free.extend(self.back.1.try_iter());
        if let Some(place) = self.free.iter().position(|chunk| chunk.buffer.size() >= size) {
            return Ok(self.free.swap_remove(place));
        }
        let usage = wgpu::BufferUsages::MAP_WRITE | wgpu::BufferUsages::COPY_SRC;
        let bytes = size.next_power_of_two().max(LEAST);
        let mut chunk = device.allocate("upload", bytes, usage, true).await?;
        chunk.lent = true;
        Ok(chunk)
    }

    /// Ends what was written to an encoder. When the device has done with it, the chunks come back.
    pub(crate) fn finish(&mut self, encoder: &wgpu::CommandEncoder) {
        self.full.extend(self.open.take().map(|(chunk, _)| chunk));
        for chunk in self.full.drain(..) {
            chunk.unmap();
            let (buffer, back) = (chunk.buffer.clone(), self.back.0.clone());
            encoder.map_buffer_on_submit(&buffer, wgpu::MapMode::Write, .., move |result| {
                if result.is_ok() {
                    // Nobody is there to take it if the belt is gone.
                    let _ = back.send(chunk);
                }
            });
        }
    }
}
