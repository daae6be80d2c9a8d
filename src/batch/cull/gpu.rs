//! A thread for each body; what the filters leave open is decided here.

use std::ops::Range;

use super::CullQuery;
use crate::gpu::Context;
use crate::gpu::abi::{SIDE_CROSSING, SIDE_INSIDE, SIDE_OUTSIDE};
use crate::gpu::attempt::{Plan, Units};
use crate::gpu::capacity::Kind;
use crate::gpu::failure::Attempt;
use crate::gpu::runner::{Reading, Recording, Words};
use crate::gpu::workspace::{Memory, Workspace};
use crate::{Bodies, Result, Side};

/// More planes than this are left to the CPU: some drivers end long loops silently.
pub(in crate::batch) const MOST_PLANES: usize = 4096;

pub(super) async fn cull(query: &CullQuery<'_>, mut context: Context<'_>, out: &mut Vec<Side>) -> Result<()> {
    if query.planes.len() > MOST_PLANES {
        use crate::batch::Query;
        return query.on_cpu(context.pool, out);
    }
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
            listed.reserve(device, 16 * self.query.planes.len().max(1) as u64).await?;
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
        memory.find_sides(recording, bodies, self.query.planes.len());
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
