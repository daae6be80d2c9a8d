//! Pairs of recorded queries, which stay on the device.

use super::{Ended, Running, SUMMARY_WORDS};
use crate::bodies::Reach;
use crate::gpu::Details;
use crate::gpu::abi::{BINS, MARK_TOUCHING, MARK_UNDECIDED, STATUS_CARRY, STATUS_HITS, STATUS_UNDECIDED};
use crate::query::relation_within;
use crate::{Error, Relation, Result};

/// The result of a recorded query, on the device: pairs in rows, as [`Overlaps`](crate::Overlaps) has them.
///
/// It is there when the encoder has run. As long as this exists, no other recording uses its buffers; it may be dropped before the encoder is
/// submitted, if whatever reads the buffers is in the same encoder or is submitted before the next recording. Encoders must be submitted in the
/// order in which they were recorded.
///
/// ```
/// use tangency::{Bodies, Engine, RecordedPairs, Result, wgpu};
///
/// fn record(engine: &Engine, bodies: &Bodies, encoder: &mut wgpu::CommandEncoder) -> Result<RecordedPairs> {
///     engine.overlaps(bodies).record(encoder)
/// }
/// ```
#[derive(Debug)]
pub struct RecordedPairs {
    running: Running,
    /// How near each other the bodies of a pair are.
    reach: Reach,
}

impl RecordedPairs {
    pub(crate) fn new(running: Running, reach: Reach) -> Self {
        Self { running, reach }
    }

    /// The number of rows: one for each id of the first set.
    ///
    /// ```
    /// # use tangency::RecordedPairs;
    /// fn rows(recorded: &RecordedPairs) -> u32 {
    ///     recorded.rows()
    /// }
    /// ```
    pub fn rows(&self) -> u32 {
        self.running.sets[1].id_bound() as u32
    }

    /// Where each row begins among the [partners](Self::partners), and where the last one ends: `rows` + 1 numbers of 32 bits.
    ///
    /// ```
    /// # use tangency::{RecordedPairs, wgpu};
    /// fn binding(recorded: &RecordedPairs) -> wgpu::BindingResource<'_> {
    ///     recorded.offsets().as_entire_binding()
    /// }
    /// ```
    pub fn offsets(&self) -> &wgpu::Buffer {
        self.running.memory().rows.buffer()
    }

    /// The second body of each pair, row by row. The two highest bits say what the pair is: 0 overlapping, 1 touching, 2 undecided and,
    /// after [`settle`](Self::settle), 3 separate.
    ///
    /// ```
    /// # use tangency::{RecordedPairs, wgpu};
    /// fn binding(recorded: &RecordedPairs) -> wgpu::BindingResource<'_> {
    ///     recorded.partners().as_entire_binding()
    /// }
    /// ```
    pub fn partners(&self) -> &wgpu::Buffer {
        self.running.memory().partners.buffer()
    }

    /// The [`Manifold`](crate::Manifold) of each pair, if contacts were asked for. Those of undecided pairs are not valid.
    ///
    /// ```
    /// # use tangency::{RecordedPairs, wgpu};
    /// fn binding(recorded: &RecordedPairs) -> Option<wgpu::BindingResource<'_>> {
    ///     recorded.contacts().map(wgpu::Buffer::as_entire_binding)
    /// }
    /// ```
    pub fn contacts(&self) -> Option<&wgpu::Buffer> {
        self.details(|details| matches!(details, Details::Contacts { .. } | Details::Approaches { .. }))
    }

    /// The [`Clearance`](crate::Clearance) of each pair, if clearances or the nearest bodies of points were asked for. (Its distance is −1 where numbers are so large or small
    /// that only the host computes with them.)
    ///
    /// ```
    /// # use tangency::{RecordedPairs, wgpu};
    /// fn binding(recorded: &RecordedPairs) -> Option<wgpu::BindingResource<'_>> {
    ///     recorded.clearances().map(wgpu::Buffer::as_entire_binding)
    /// }
    /// ```
    pub fn clearances(&self) -> Option<&wgpu::Buffer> {
        self.details(|details| details == Details::Clearances)
    }

    /// The [`SweepHit`](crate::SweepHit) of each pair of moving bodies, in eight words: the normal, the time as the sum of two numbers, what is known,
    /// the second body, and 0. Known is 0 of bodies that touch at the time, 1 of those that do so then or later if at all, 2 of those that miss each
    /// other, and 3 where numbers are so large or small that only the host computes with them: those may meet, and [`settle`](Self::settle) does not say whether
    /// they do. The mark of the [partner](Self::partners) says nothing.
    ///
    /// ```
    /// # use tangency::{RecordedPairs, wgpu};
    /// fn binding(recorded: &RecordedPairs) -> Option<wgpu::BindingResource<'_>> {
    ///     recorded.sweeps().map(wgpu::Buffer::as_entire_binding)
    /// }
    /// ```
    pub fn sweeps(&self) -> Option<&wgpu::Buffer> {
        self.details(|details| details == Details::Sweeps)
    }

    /// What was computed of each pair, if it is this.
    fn details(&self, is_this: impl Fn(Details) -> bool) -> Option<&wgpu::Buffer> {
        self.running.details.filter(|details| is_this(*details)).map(|_| self.running.memory().details.buffer())
    }

    /// Eight numbers of 32 bits: three for `dispatch_workgroups_indirect`, of workgroups of 64 threads, with a thread for each pair or a few
    /// more; the number of pairs; how many are undecided; whether all had room (0 or 1; if not, the numbers of pairs are 0); the first body that was not
    /// written properly, or 2³² − 1; and 0.
    ///
    /// A dispatch of more than 65,535 workgroups has a second dimension: number threads by `id.x + 64 * groups.x * id.y`.
    ///
    /// ```
    /// # use tangency::{RecordedPairs, wgpu};
    /// fn for_each_pair(recorded: &RecordedPairs, pass: &mut wgpu::ComputePass<'_>) {
    ///     pass.dispatch_workgroups_indirect(recorded.summary(), 0);
    /// }
    /// ```
    pub fn summary(&self) -> &wgpu::Buffer {
        self.running.memory().summary.buffer()
    }

    /// Four numbers for each undecided pair, in any order: its place among the partners, its bodies, and 0.
    ///
    /// ```
    /// # use tangency::{RecordedPairs, wgpu};
    /// fn binding(recorded: &RecordedPairs) -> wgpu::BindingResource<'_> {
    ///     recorded.undecided().as_entire_binding()
    /// }
    /// ```
    pub fn undecided(&self) -> &wgpu::Buffer {
        self.running.memory().undecided.buffer()
    }

    /// Waits until the encoder has run, and says how that has ended.
    ///
    /// ```
    /// # use tangency::{RecordedPairs, Result};
    /// fn pairs(recorded: &mut RecordedPairs) -> Result<u32> {
    ///     Ok(recorded.ended()?.results)
    /// }
    /// ```
    ///
    /// # Errors
    /// [`Recording`](Error::Recording) if the encoder was not submitted. [`Incomplete`](Error::Incomplete) if the device has not done all of its
    /// work, [`Device`](Error::Device) if it is lost, [`TooManyPairs`](Error::TooManyPairs) if there are more than can be counted.
    pub fn ended(&mut self) -> Result<Ended> {
        self.running.ended(|status| {
            let pairs = status[STATUS_HITS..STATUS_HITS + BINS].iter().map(|hits| u64::from(*hits)).sum::<u64>();
            let limit = u64::from(u32::MAX);
            if pairs > limit || status[STATUS_CARRY] != 0 {
                // What was needed cannot be counted in 32 bits.
                return Err(Error::TooManyPairs { pairs: pairs.max(limit + 1), limit });
            }
            Ok([pairs as u32, status[STATUS_UNDECIDED]])
        })
    }

    /// Decides the pairs that are undecided, exactly: waits until the encoder has run, and rewrites the [partners](Self::partners) of these
    /// pairs. Returns how many of them are separate, and so no pairs; they stay in their rows, marked.
    ///
    /// ```
    /// # use tangency::{RecordedPairs, Result};
    /// fn exact(recorded: &mut RecordedPairs) -> Result<u32> {
    ///     let separate = recorded.settle()?;
    ///     Ok(recorded.ended()?.results - separate)
    /// }
    /// ```
    ///
    /// # Errors
    /// As [`ended`](Self::ended), and [`Recording`](Error::Recording) if there was too little room.
    pub fn settle(&mut self) -> Result<u32> {
        let ended = self.ended()?;
        if !Running::is_open(&ended)? {
            return Ok(0);
        }
        let (running, undecided) = (&self.running, ended.undecided as usize);
        let list = running.read(self.undecided())?;
        let list: &[[u32; 4]] = bytemuck::cast_slice(&list);
        let list = if list.len() >= undecided { list[..undecided].to_vec() } else { self.scan()? };
        // The first body is of the set that asks.
        let shapes =
            [usize::from(running.between), 0].map(|set| running.shapes(set)).into_iter().collect::<Result<Vec<_>>>()?;
        let [searched, own] = &running.sets;
        let mut separate = 0;
        for [place, a, b, _] in list {
            let margin = self.reach.margin((own, a as usize), (searched, b as usize));
            // (Bodies near a point may be any distance away.)
            let relation = match self.reach {
                Reach::Alone(f32::INFINITY) => Relation::Overlapping,
                _ => relation_within(&shapes[0](a), &shapes[1](b), margin),
            };
            let word = match relation {
                Relation::Overlapping => b,
                Relation::Touching => b | MARK_TOUCHING,
                Relation::Separate => b | MARK_TOUCHING | MARK_UNDECIDED,
            };
            separate += u32::from(relation == Relation::Separate);
            running.write(self.partners(), place.into(), &[word]);
        }
        drop(shapes);
        self.running.settled();
        Ok(separate)
    }

    /// The undecided pairs as they are in the rows: for a list that had too little room.
    fn scan(&self) -> Result<Vec<[u32; 4]>> {
        let (rows, partners) = (self.running.read(self.offsets())?, self.running.read(self.partners())?);
        let marks = MARK_TOUCHING | MARK_UNDECIDED;
        let mut list = Vec::new();
        for row in 0..self.rows() {
            for place in rows[row as usize]..rows[row as usize + 1] {
                let partner = partners[place as usize];
                if partner & marks == MARK_UNDECIDED {
                    list.push([place, row, partner & !marks, 0]);
                }
            }
        }
        Ok(list)
    }
}

const _: () = assert!(SUMMARY_WORDS == 8, "as it is documented");
