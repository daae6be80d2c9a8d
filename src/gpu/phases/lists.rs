//! One answer for each listed pair.

use crate::gpu::abi::{KEEP_DISABLED, REPORT_VERDICTS, THREADS, WIDTH, bucket_pairs};
use crate::gpu::device::Device;
use crate::gpu::failure::Attempt;
use crate::gpu::narrow::Narrow;
use crate::gpu::runner::Recording;
use crate::gpu::stages;
use crate::gpu::workspace::{Memory, SlotRange};

impl Memory {
    /// Makes slots for the searched set in the order of its ids, for its listed pairs. They lie behind those of this set as it is
    /// searched, so that its tree remains; they may lie within those of another.
    pub(crate) async fn reserve_slots_by_id(&mut self, device: &Device) -> Attempt<SlotRange> {
        self.forget_other_sets();
        let bodies = self.sets[0].len as u32;
        let slots = self.slots_behind(bodies);
        self.reserve_slots(device, slots.end_slot, slots.end_slot / WIDTH).await?;
        self.reserve_sort(device, bodies).await?;
        Ok(slots)
    }

    /// Makes room for so many listed pairs, and for as many candidates of each kind as the capacity says.
    pub(crate) async fn reserve_listed(&mut self, device: &Device, pairs: u64) -> Attempt<()> {
        // The answers take the place of partners.
        self.listed.reserve(device, 8 * pairs.max(1)).await?;
        self.partners.reserve(device, 4 * pairs.max(1)).await?;
        self.reserve_candidates(device).await?;
        let total: u64 = self.capacity.candidates.iter().map(|room| u64::from(*room)).sum();
        self.origins.reserve(device, 4 * total).await?;
        self.hits.reserve(device, 8 * total).await?;
        if self.lists_need_frames() {
            self.reserve_frames(device, false).await?;
        }
        Ok(())
    }

    /// Whether listed pairs are decided by the frames of bodies.
    fn lists_need_frames(&self) -> bool {
        stages::need_frames(&self.capacity.candidates.map(|room| room > 0))
    }

    /// Records the verdicts on the listed pairs, or answers for shaders of the caller's.
    pub(crate) fn relate_listed<'a>(
        &'a self,
        recording: &mut Recording<'a>,
        slots: SlotRange,
        pairs: u32,
        for_shaders: bool,
    ) {
        self.gather_unsorted(recording, 0, slots, KEEP_DISABLED);
        let [bucket_first, bucket_size] = self.buckets();
        let params = bucket_pairs::Params {
            bucket_first,
            bucket_size,
            pairs,
            first_slot: slots.first_slot,
            for_shaders: for_shaders.into(),
        };
        let buffers = bucket_pairs::Buffers {
            asked: &self.listed,
            slot_bounds: &self.slot_bounds,
            candidates: &self.candidates,
            origins: &self.origins,
            verdicts: &self.hits,
            answers: &self.partners,
            status: &self.status,
        };
        recording.run(&stages::BUCKET_PAIRS, pairs.div_ceil(THREADS), &params, &buffers);
        let frames = self.lists_need_frames();
        if frames {
            self.make_frames_of(recording, (0, 0), (&self.unused[0], 0));
        }
        self.decide(recording, Narrow::Filter, 0, REPORT_VERDICTS);
        let total = self.capacity.candidates.iter().sum::<u32>();
        recording.run(&stages::RETURN_VERDICTS, total.div_ceil(THREADS), &params, &buffers);
        if frames {
            self.sign_for_frames(recording);
        }
    }
}
