//! The contacts of all pairs of the rows.

use crate::gpu::abi::{
    BODY_THREADS, CONTACT_THREADS, FRAME_VECTORS, LISTED_PAIRS, MANIFOLD_VECTORS, STATUS_WORDS, contacts, frames,
    list_pairs,
};
use crate::gpu::device::Device;
use crate::gpu::failure::Attempt;
use crate::gpu::ledger::word_of;
use crate::gpu::runner::{Reading, Recording};
use crate::gpu::stages;
use crate::gpu::workspace::{Memory, Search};

impl Memory {
    /// Makes room for the bodies of both sets as contacts see them.
    pub(crate) async fn reserve_frames(&mut self, device: &Device) -> Attempt<()> {
        for (frames, set) in self.frames.iter_mut().zip(&self.sets) {
            frames.reserve(device, 16 * (FRAME_VECTORS * set.len.max(1)) as u64).await?;
        }
        self.frames_status.reserve(device, 4 * STATUS_WORDS as u64).await?;
        Ok(())
    }

    /// Makes room for this many contacts.
    pub(crate) async fn reserve_contacts(&mut self, device: &Device, pairs: u64) -> Attempt<()> {
        self.manifolds.reserve(device, 16 * MANIFOLD_VECTORS as u64 * pairs.max(1)).await?;
        Ok(())
    }

    /// Records the frames of all bodies. Nothing here waits for the search, or the search for this: devices run both side by side.
    pub(super) fn make_frames<'a>(&'a self, recording: &mut Recording<'a>, query: &Search) {
        let status = &self.frames_status;
        for set in 0..=usize::from(query.between) {
            let bodies = self.sets[set].len as u32;
            let (shapes, tags, frame) = (&self.sets[set].shapes, &self.sets[set].tags, &self.frames[set]);
            let buffers = frames::Buffers { shapes, tags, frame, status };
            recording.run(
                &stages::FRAMES,
                bodies.div_ceil(BODY_THREADS),
                &frames::Params { zero: 0, bodies },
                &buffers,
            );
        }
    }

    /// Records that the signatures of the frames are copied to those of the other stages, at the end of a recording.
    pub(crate) fn sign_for_frames<'a>(&'a self, recording: &mut Recording<'a>) {
        recording.copy_word(self.frames_status.buffer(), self.status.buffer(), word_of(&stages::FRAMES));
    }

    /// Records the contacts of the pairs in the rows, of which there are at most `room`.
    pub(crate) fn find_contacts<'a>(&'a self, recording: &mut Recording<'a>, query: &Search, room: u32, most: u32) {
        let status = &self.status;
        // The hits are in their rows, so that their room is free.
        let (rows, pairs) = (&self.rows, &self.hits);
        let buffers = list_pairs::Buffers { rows, partners: &self.partners, pairs, status };
        let params = list_pairs::Params { rows: query.rows, room };
        recording.run(&stages::LIST_PAIRS, room.div_ceil(LISTED_PAIRS), &params, &buffers);
        let params = contacts::Params { zero: 0, rows: query.rows, room, most };
        let buffers = contacts::Buffers {
            frames_a: &self.frames[usize::from(query.between)],
            frames_b: &self.frames[0],
            rows,
            pairs,
            manifolds: &self.manifolds,
            status,
        };
        recording.run(&stages::CONTACTS, room.div_ceil(CONTACT_THREADS), &params, &buffers);
    }

    /// The read-back of this many contacts.
    pub(crate) fn contacts_reading(&self, pairs: u64) -> Reading<'_> {
        (self.manifolds.buffer(), 16 * MANIFOLD_VECTORS as u64 * pairs)
    }
}
