//! What a recording has the encoder copy to the device.

use super::ask::{ListAsked, MovingBodies};
use super::{Ask, BodySource, Capacities, Resident, What};
use crate::Traits;
use crate::gpu::abi::STATUS_WORDS;
use crate::gpu::device::Device;
use crate::gpu::failure::Attempt;
use crate::gpu::narrow::Narrow;
use crate::gpu::pair_search::possible_buckets;
use crate::gpu::phases::{MOVING, Moving};
use crate::gpu::workspace::{Memory, Search, Workspace};
use crate::parallel::Pool;

impl Resident {
    /// Has changes of the sets copied by the encoder. Returns the parameters of the search.
    pub(super) async fn upload(
        &mut self,
        device: &Device,
        pool: &Pool,
        ask: &Ask<'_>,
        encoder: &mut wgpu::CommandEncoder,
    ) -> Attempt<Search> {
        let Self { workspace: Workspace { memory, .. }, belt, .. } = self;
        memory.recall(ask.kind());
        if let Some(Capacities(given)) = ask.options.given_capacities() {
            memory.capacity = *given;
        }
        memory.status.reserve(device, 4 * STATUS_WORDS as u64).await?;
        let written = ask.sources().map(|list| list.iter().map(BodySource::writes).collect::<Vec<_>>());
        let Memory { sets: [first, second, ..], .. } = memory;
        first.record_changes(device, (&mut *encoder, &mut *belt), pool, (ask.searched, &written[0])).await?;
        let mut facts = first.facts;
        if let Some(searching) = ask.searching {
            second.record_changes(device, (&mut *encoder, &mut *belt), pool, (searching, &written[1])).await?;
            facts = facts.union(second.facts);
        }
        if let What::Rays(rays) = &ask.what {
            // If all bodies and all rays have the usual traits, none need to be compared.
            let usual = Traits::new().world(facts.world);
            facts.has_filters |= !rays.traits.is_some_and(|traits| traits.may_meet(&usual));
            first.record_hull_planes(device, (&mut *encoder, &mut *belt), pool, ask.searched).await?;
        }
        if ask.compares_traits() && (facts.has_filters || facts.varying != 0) {
            first.record_traits(device, (&mut *encoder, &mut *belt), pool, ask.searched).await?;
            if let Some(searching) = ask.searching {
                second.record_traits(device, (&mut *encoder, &mut *belt), pool, searching).await?;
            }
        }
        if let Narrow::Closest { .. } = ask.narrow() {
            first.ignore_margins();
            second.reserve_margins(device).await?;
        } else if ask.narrow().has_margins() {
            first.record_margins(device, (&mut *encoder, &mut *belt), ask.searched).await?;
            if let Some(searching) = ask.searching {
                second.record_margins(device, (&mut *encoder, &mut *belt), searching).await?;
            }
        }
        let between = ask.searching.is_some();
        let asks = if between { second.facts.kinds } else { first.facts.kinds };
        let possible = possible_buckets(asks, first.facts.kinds);
        let measured = written.iter().any(|list| !list.is_empty());
        if measured {
            memory.prepared = None;
        }
        Ok(Search {
            between,
            facts,
            rows: ask.rows(),
            possible,
            narrow: ask.narrow(),
            moving: ask.moving().is_some(),
            frames: ask.details().is_some() || ask.narrow().needs_frames(&possible),
            warps: device.warps(),
            whole: true,
            measured,
            fine: matches!(ask.what, What::Rays(_) | What::Pairs { narrow: Narrow::Closest { .. }, .. }),
        })
    }

    /// Has the planes, pairs or rays that the caller lists copied by the encoder.
    pub(super) async fn upload_list(
        &mut self,
        device: &Device,
        pool: &Pool,
        ask: &Ask<'_>,
        encoder: &mut wgpu::CommandEncoder,
    ) -> Attempt<()> {
        let packed: Vec<[u32; 4]>;
        let bytes: &[u8] = match &ask.what {
            What::Pairs { .. } => return Ok(()),
            What::Sweeps(MovingBodies(moving)) => return self.upload_moving(device, pool, moving, encoder).await,
            What::List(ListAsked(list)) => list.listed(),
            What::Rays(rays) => {
                packed = rays.packed(pool);
                self.kept = rays.kept(&packed);
                bytemuck::cast_slice(&packed)
            }
        };
        let listed = self.workspace.memory.listed.buffer();
        self.belt.write(device, encoder, (listed, 0), bytes).await
    }

    /// Has moving bodies copied by the encoder, and how they move.
    async fn upload_moving(
        &mut self,
        device: &Device,
        pool: &Pool,
        moving: &Moving<'_>,
        encoder: &mut wgpu::CommandEncoder,
    ) -> Attempt<()> {
        let Self { workspace: Workspace { memory, .. }, belt, .. } = self;
        for (k, (bodies, courses)) in moving.bodies.iter().zip(moving.courses).enumerate() {
            let Some(bodies) = bodies else { continue };
            memory.sets[MOVING + k].record_changes(device, (&mut *encoder, &mut *belt), pool, (bodies, &[])).await?;
            let place = (memory.frames[k].buffer(), 16 * u64::from(memory.first_course(k)));
            belt.write(device, encoder, place, bytemuck::cast_slice(courses)).await?;
        }
        Ok(())
    }
}
