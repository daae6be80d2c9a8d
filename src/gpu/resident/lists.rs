//! Results of recorded queries that are one number for each body or for each listed pair, and stay on the device.

use super::{Ended, Running};
#[cfg(doc)]
use crate::Relation;
use crate::gpu::abi::{ANSWER_OPEN, SIDE_OPEN, STATUS_UNDECIDED};
use crate::gpu::ledger::check_answers;
use crate::query::{intersect, side};
use crate::shape::Plane;
use crate::{Result, Side};

/// The result of a recorded [`cull`](crate::Engine::cull), on the device: the side of each body.
///
/// It is there when the encoder has run. What [`RecordedPairs`](crate::RecordedPairs) says about buffers and the order of encoders holds here too.
///
/// ```
/// use tangency::{Bodies, Engine, RecordedSides, Result, shape::Plane, wgpu};
///
/// fn record(engine: &Engine, bodies: &Bodies, frustum: &[Plane], encoder: &mut wgpu::CommandEncoder) -> Result<RecordedSides> {
///     engine.cull(bodies, frustum).record(encoder)
/// }
/// ```
#[derive(Debug)]
pub struct RecordedSides {
    running: Running,
    planes: Vec<Plane>,
}

impl RecordedSides {
    pub(crate) fn new(running: Running, planes: &[Plane]) -> Self {
        Self { running, planes: planes.to_vec() }
    }

    /// A number of 32 bits for each id of the set: 0 inside, 1 crossing, 2 outside, as those that are disabled, removed or not written properly,
    /// and 3 undecided.
    ///
    /// ```
    /// # use tangency::{RecordedSides, wgpu};
    /// fn binding(recorded: &RecordedSides) -> wgpu::BindingResource<'_> {
    ///     recorded.sides().as_entire_binding()
    /// }
    /// ```
    pub fn sides(&self) -> &wgpu::Buffer {
        self.running.memory().partners.buffer()
    }

    /// Eight numbers of 32 bits, as [`RecordedPairs::summary`](crate::RecordedPairs::summary) has them, with a side in place of a pair.
    ///
    /// ```
    /// # use tangency::{RecordedSides, wgpu};
    /// fn for_each_body(recorded: &RecordedSides, pass: &mut wgpu::ComputePass<'_>) {
    ///     pass.dispatch_workgroups_indirect(recorded.summary(), 0);
    /// }
    /// ```
    pub fn summary(&self) -> &wgpu::Buffer {
        self.running.memory().summary.buffer()
    }

    /// Waits until the encoder has run, and says how that has ended. There is always enough room.
    ///
    /// ```
    /// # use tangency::{RecordedSides, Result};
    /// fn undecided(recorded: &mut RecordedSides) -> Result<u32> {
    ///     Ok(recorded.ended()?.undecided)
    /// }
    /// ```
    ///
    /// # Errors
    /// As [`RecordedPairs::ended`](crate::RecordedPairs::ended).
    pub fn ended(&mut self) -> Result<Ended> {
        let bodies = self.running.sets[0].id_bound() as u32;
        self.running.ended(|status| Ok([bodies, status[STATUS_UNDECIDED]]))
    }

    /// Decides the sides that are undecided, exactly: waits until the encoder has run, and rewrites them.
    ///
    /// ```
    /// # use tangency::{RecordedSides, Result};
    /// fn exact(recorded: &mut RecordedSides) -> Result<()> {
    ///     recorded.settle()
    /// }
    /// ```
    ///
    /// # Errors
    /// As [`ended`](Self::ended).
    pub fn settle(&mut self) -> Result<()> {
        let ended = self.ended()?;
        if Running::is_open(&ended)? {
            let (running, sides) = (&self.running, self.running.read(self.sides())?);
            let shapes = running.shapes(0)?;
            let open = sides.iter().take(ended.results as usize).zip(0_u32..).filter(|(side, _)| **side == SIDE_OPEN);
            for (_, id) in open {
                let shape = shapes(id);
                let found = self.planes.iter().map(|plane| side(&shape, plane)).max().unwrap_or(Side::Inside);
                running.write(self.sides(), id.into(), &[found as u32]);
            }
        }
        self.running.settled();
        Ok(())
    }
}

/// The result of recorded [`relations`](crate::Engine::relations), on the device: what each listed pair is.
///
/// It is there when the encoder has run. What [`RecordedPairs`](crate::RecordedPairs) says about buffers and the order of encoders holds here too.
///
/// ```
/// use tangency::{Bodies, Engine, RecordedRelations, Result, wgpu};
///
/// fn record(engine: &Engine, bodies: &Bodies, pairs: &[[u32; 2]], encoder: &mut wgpu::CommandEncoder) -> Result<RecordedRelations> {
///     engine.relations(bodies, pairs).record(encoder)
/// }
/// ```
#[derive(Debug)]
pub struct RecordedRelations(Running);

impl RecordedRelations {
    pub(crate) fn new(running: Running) -> Self {
        Self(running)
    }

    /// A number of 32 bits for each listed pair: 0 separate, 1 touching and 2 overlapping, as [`Relation`] has them, 3 undecided, and 4 if one of
    /// the bodies was not written properly by a shader.
    ///
    /// ```
    /// # use tangency::{RecordedRelations, wgpu};
    /// fn binding(recorded: &RecordedRelations) -> wgpu::BindingResource<'_> {
    ///     recorded.relations().as_entire_binding()
    /// }
    /// ```
    pub fn relations(&self) -> &wgpu::Buffer {
        self.0.memory().partners.buffer()
    }

    /// Eight numbers of 32 bits, as [`RecordedPairs::summary`](crate::RecordedPairs::summary) has them, with a listed pair in place of a pair.
    ///
    /// ```
    /// # use tangency::{RecordedRelations, wgpu};
    /// fn for_each_pair(recorded: &RecordedRelations, pass: &mut wgpu::ComputePass<'_>) {
    ///     pass.dispatch_workgroups_indirect(recorded.summary(), 0);
    /// }
    /// ```
    pub fn summary(&self) -> &wgpu::Buffer {
        self.0.memory().summary.buffer()
    }

    /// Waits until the encoder has run, and says how that has ended. There is always enough room.
    ///
    /// ```
    /// # use tangency::{RecordedRelations, Result};
    /// fn undecided(recorded: &mut RecordedRelations) -> Result<u32> {
    ///     Ok(recorded.ended()?.undecided)
    /// }
    /// ```
    ///
    /// # Errors
    /// As [`RecordedPairs::ended`](crate::RecordedPairs::ended).
    pub fn ended(&mut self) -> Result<Ended> {
        let pairs = self.0.listed;
        self.0.ended(|status| {
            check_answers(status, pairs)?;
            Ok([pairs, status[STATUS_UNDECIDED]])
        })
    }

    /// Decides the relations that are undecided, exactly: waits until the encoder has run, and rewrites them.
    ///
    /// ```
    /// # use tangency::{RecordedRelations, Result};
    /// fn exact(recorded: &mut RecordedRelations) -> Result<()> {
    ///     recorded.settle()
    /// }
    /// ```
    ///
    /// # Errors
    /// As [`ended`](Self::ended).
    pub fn settle(&mut self) -> Result<()> {
        let ended = self.ended()?;
        if Running::is_open(&ended)? {
            let (running, relations) = (&self.0, self.0.read(self.relations())?);
            let pairs = running.read(running.memory().listed.buffer())?;
            let shapes = running.shapes(0)?;
            let listed = relations.iter().zip(pairs.chunks_exact(2)).take(ended.results as usize);
            for ((_, pair), place) in listed.zip(0..).filter(|((relation, _), _)| **relation == ANSWER_OPEN) {
                let relation = intersect(&shapes(pair[0]), &shapes(pair[1]));
                running.write(self.relations(), place, &[relation as u32]);
            }
        }
        self.0.settled();
        Ok(())
    }
}
