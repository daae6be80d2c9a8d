//! A thread for each body; what the filters leave open is decided here.

use std::ops::Range;

use super::CullQuery;
use crate::batch::record::RecordQuery;
use crate::gpu::abi::{BODY_THREADS, SIDE_CROSSING, SIDE_INSIDE, SIDE_OPEN, SIDE_OUTSIDE, STATUS_UNDECIDED, cull};
use crate::gpu::attempt::{Plan, Units};
use crate::gpu::capacity::Kind;
use crate::gpu::failure::Attempt;
use crate::gpu::runner::{Reading, Recording, Words};
use crate::gpu::workspace::{Memory, SlotRange, Workspace};
use crate::gpu::{Ask, Context, Device, Ended, ListAsked, ListQuery, RecordOptions, Room, Running, What, stages};
use crate::query::side;
use crate::shape::Plane;
use crate::{Bodies, Result, Side};

/// The most planes of a dispatch: some drivers end long loops silently.
const PLANES_AT_ONCE: usize = 4096;

pub(super) async fn cull(query: &CullQuery<'_>, mut context: Context<'_>, out: &mut Vec<Side>) -> Result<()> {
    let pool = context.pool;
    let unpack = |sides: Vec<u32>| {
        *out = pool.collect(sides.len(), |body| match sides[body] {
            SIDE_INSIDE => Side::Inside,
            SIDE_CROSSING => Side::Crossing,
            SIDE_OUTSIDE => Side::Outside,
            _ => query.side(body),
        });
    };
    context.answer(Cull::new(query), query.set.reserved(), unpack).await
}

impl CullQuery<'_> {
    /// The bytes of the planes as they are listed.
    fn bytes(&self) -> u64 {
        16 * self.planes.len().max(1) as u64
    }

    /// Records on which side of the listed planes these bodies are.
    fn find_sides<'m>(&self, memory: &'m Memory, recording: &mut Recording<'m>, bodies: &Range<u64>) {
        // Ids have 32 bits.
        let (first_body, count) = (bodies.start as u32, (bodies.end - bodies.start) as u32);
        let buffers = cull::Buffers {
            shapes: &memory.sets[0].shapes,
            tags: &memory.sets[0].tags,
            planes: &memory.listed,
            hulls: &memory.sets[0].hulls,
            sides: &memory.partners,
            status: &memory.status,
        };
        // (Without planes all bodies are inside.)
        for first in (0..self.planes.len().max(1)).step_by(PLANES_AT_ONCE) {
            let planes = (self.planes.len() - first).min(PLANES_AT_ONCE) as u32;
            let params = cull::Params { zero: 0, first_body, bodies: count, first_plane: first as u32, planes };
            recording.run(&stages::CULL, count.div_ceil(BODY_THREADS), &params, &buffers);
        }
    }
}

impl ListQuery for CullQuery<'_> {
    fn kind(&self) -> Kind {
        Kind::EachBody
    }

    fn listed(&self) -> &[u8] {
        bytemuck::cast_slice(&self.planes)
    }

    fn answers(&self) -> [u32; 2] {
        [self.set.bodies.id_bound() as u32, SIDE_OPEN]
    }

    fn make_room<'a>(&'a self, memory: &'a mut Memory, device: &'a Device) -> Room<'a> {
        Box::pin(async move {
            memory.listed.reserve(device, self.bytes()).await?;
            memory.partners.reserve(device, 4 * self.set.bodies.id_bound().max(1) as u64).await?;
            Ok(SlotRange::default())
        })
    }

    fn record<'m>(&self, memory: &'m Memory, recording: &mut Recording<'m>, _: SlotRange) {
        self.find_sides(memory, recording, &(0..self.set.bodies.id_bound() as u64));
    }
}

impl RecordQuery for CullQuery<'_> {
    type Recorded = RecordedSides;

    fn ask<'a>(&'a self, options: &'a RecordOptions<'a>) -> Result<Ask<'a>> {
        let what = What::List(ListAsked(self));
        Ok(Ask { searching: None, searched: &self.set.bodies, what, options })
    }

    fn recorded(&self, running: Running) -> RecordedSides {
        RecordedSides { running, planes: self.planes.to_vec() }
    }
}

/// All bodies against all planes; a side for each body is the answer.
pub(crate) struct Cull<'a> {
    query: &'a CullQuery<'a>,
}

impl<'a> Cull<'a> {
    pub(crate) fn new(query: &'a CullQuery<'a>) -> Self {
        Self { query }
    }
}

impl Plan for Cull<'_> {
    type Part = Vec<u32>;
    type Answer = Vec<u32>;

    fn searched(&self) -> &Bodies {
        &self.query.set.bodies
    }

    fn kind(&self) -> Kind {
        Kind::EachBody
    }

    async fn prepare(&mut self, workspace: &mut Workspace, context: &Context<'_>, _: u64) -> Attempt<Units> {
        let (bodies, device) = (&self.query.set.bodies, &context.gpu.device);
        let count = bodies.id_bound() as u64;
        if count > 0 {
            let Workspace { memory, runner, .. } = workspace;
            let Memory { sets: [set, ..], status, listed, .. } = memory;
            set.sync(device, runner, context.pool, bodies, status).await?;
            listed.reserve(device, self.query.bytes()).await?;
            device.write(listed.buffer(), 0, bytemuck::cast_slice(&self.query.planes)).await?;
        }
        Ok(Units { count, at_once: workspace.memory.part_limit.unwrap_or(count) })
    }

    async fn make_room(&mut self, memory: &mut Memory, context: &Context<'_>, bodies: &Range<u64>) -> Attempt<()> {
        memory.partners.reserve(&context.gpu.device, 4 * (bodies.end - bodies.start)).await?;
        Ok(())
    }

    fn record<'m>(
        &mut self,
        memory: &'m Memory,
        recording: &mut Recording<'m>,
        bodies: &Range<u64>,
    ) -> Vec<Reading<'m>> {
        self.query.find_sides(memory, recording, bodies);
        vec![(memory.partners.buffer(), 4 * (bodies.end - bodies.start))]
    }

    fn learn(&mut self, _: &mut Memory, _: &[u32]) -> Attempt<bool> {
        Ok(true)
    }

    async fn finish(&mut self, _: &mut Workspace, _: &Context<'_>, words: Words) -> Attempt<Vec<u32>> {
        Ok(words[1].to_vec())
    }

    fn join(&mut self, parts: Vec<Vec<u32>>) -> Result<Vec<u32>> {
        Ok(parts.concat())
    }
}

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
