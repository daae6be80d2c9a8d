//! The plan of a query about rays.

use std::fmt;
use std::ops::Range;

use super::abi::{
    BUCKETS, BUNDLE_SIDE, RAY_EXPONENT, RAY_EXPONENT_BIAS, RAY_FIXED, RAY_SKIPPED, RAYS_ALL, STATUS_CARRY,
    STATUS_RAY_EXTRAS, STATUS_RAYS_OPEN, STATUS_RAYS_UNFINISHED, STATUS_WORDS,
};
use super::attempt::{self, Plan, Units};
use super::bundles::row_of_bundles;
use super::capacity::Kind;
use super::context::Context;
use super::failure::{Attempt, Failure};
use super::narrow::Narrow;
use super::phases::rays::Casting;
use super::runner::{Reading, Recording, Words};
use super::workspace::{Memory, Prepared, Search, Workspace};
use crate::cast::Shot;
use crate::{Bodies, Error, Result, Traits};

/// The most rays that are cast in one go: 4 million take half a gigabyte.
const AT_ONCE: u64 = 1 << 22;
/// How often a part goes on, or begins again with more room, before it is given up. A ray takes a step for each node at most, of which
/// there are fewer than 2³²; with more rounds than this a device is at fault.
const MAX_ROUNDS: usize = 1 << 18;

/// A ray as it is uploaded: origin and last time; direction and bits; traits.
pub(crate) type PackedRay = [[u32; 4]; 3];

/// A ray with these traits, as it is uploaded. One outside the domain is not cast.
pub(crate) fn pack(shot: &Shot, traits: &Traits) -> PackedRay {
    let [x, y, z] = shot.ray.origin().to_array().map(f32::to_bits);
    let [dx, dy, dz] = shot.direction.map(f32::to_bits);
    let skipped = if shot.in_domain { 0 } else { RAY_SKIPPED };
    let fixed = if traits.fixed { RAY_FIXED } else { 0 };
    [
        [x, y, z, shot.last.to_bits()],
        [dx, dy, dz, skipped | fixed | (RAY_EXPONENT_BIAS as i32 + shot.exponent()).cast_unsigned() << RAY_EXPONENT],
        [traits.layer, traits.mask, traits.group, traits.world],
    ]
}

/// Rays that are cast at a set.
pub(crate) struct RaySearch<'a> {
    searched: &'a Bodies,
    /// The number of rays, and each of them.
    rays: u64,
    pack: &'a (dyn Fn(usize) -> PackedRay + Sync),
    /// The traits of all rays; absent if each has its own.
    traits: Option<Traits>,
    /// `RAYS_NEAREST`, `RAYS_ANY` or `RAYS_ALL`.
    mode: u32,
    /// As in `Casting`.
    row: Option<u32>,
    /// Whether all parts find the set in the same order.
    parts: u64,
    search: Option<Search>,
    prepared: Option<Prepared>,
    units: Range<u64>,
}

/// More hits than 32 bits count have no room at once.
fn check_extras(status: &[u32]) -> Attempt<()> {
    if status[STATUS_CARRY] == 0 {
        return Ok(());
    }
    let limit = 16 * u64::from(u32::MAX);
    Err(Failure::of_too_much(Error::DeviceMemory { what: "ray hits", needed: limit + 16, limit }))
}

/// What some of the rays have found.
#[derive(Debug, Default)]
pub(crate) struct RayPart {
    /// The inverted bits of each ray's least time, or 0, and the inverted ids of the bodies; both empty if all hits are wanted.
    pub(crate) best_times: Vec<u32>,
    pub(crate) best_bodies: Vec<u32>,
    /// Ray, body, time and verdict of all that may be hits, if all hits are wanted. Rays count from the first of the part.
    pub(crate) hits: Vec<[u32; 4]>,
    /// Pairs of a ray and a body that are open.
    pub(crate) opens: Vec<[u32; 2]>,
    /// The number of bodies that were listed apart from one for each ray.
    pub(crate) extras: u64,
}

impl fmt::Debug for RaySearch<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RaySearch").field("rays", &self.rays).field("mode", &self.mode).finish_non_exhaustive()
    }
}

impl<'a> RaySearch<'a> {
    pub(crate) fn new(
        searched: &'a Bodies,
        (rays, pack): (usize, &'a (dyn Fn(usize) -> PackedRay + Sync)),
        traits: Option<Traits>,
        mode: u32,
    ) -> Self {
        let rays = rays as u64;
        Self { searched, rays, pack, traits, mode, row: None, parts: 1, search: None, prepared: None, units: 0..0 }
    }

    fn search(&self) -> Search {
        self.search.expect("the set is prepared before it is searched")
    }

    fn casting(&self) -> Casting {
        let Traits { layer, mask, group, world, .. } = self.traits.unwrap_or_default();
        Casting {
            // (A part has fewer than 2³² rays.)
            rays: (self.units.end - self.units.start) as u32,
            vectors: if self.traits.is_some() { 2 } else { 3 },
            traits: [layer, mask, group, world],
            mode: self.mode,
            row: self.row,
        }
    }

    /// Whether rays are cast together: those with traits of their own are not, and neither are those of which all hits are wanted.
    fn find_bundles(&mut self, least: u32) {
        if self.rays >= least.into() && self.traits.is_some() && self.mode != RAYS_ALL {
            let course = |ray: usize| {
                let [origin, direction, _] = (self.pack)(ray);
                [origin, direction].map(|[x, y, z, _]| [x, y, z].map(f32::from_bits))
            };
            self.row = row_of_bundles(self.rays as usize, &course);
        }
    }

    /// What is read back besides the status block. All hits are read when it is known how many there are.
    fn readings<'m>(&self, memory: &'m Memory) -> Vec<Reading<'m>> {
        let rays = self.units.end - self.units.start;
        let mut readings = vec![(memory.ray_opens.buffer(), 8 * u64::from(memory.capacity.rays[1]))];
        if self.mode != RAYS_ALL {
            readings.extend([&memory.best_times, &memory.best_bodies].map(|best| (best.buffer(), 4 * rays)));
        }
        readings
    }

    /// Lets rays go on that have stopped.
    async fn go_on(&self, Workspace { memory, runner, .. }: &mut Workspace, context: &Context<'_>) -> Attempt<Words> {
        let mut recording = memory.continued();
        for word in [STATUS_RAYS_UNFINISHED, STATUS_RAYS_OPEN] {
            recording.clear(memory.status.buffer(), 4 * word as u64..4 * (word as u64 + 1));
        }
        memory.cast_rays(&mut recording, &self.search(), &self.casting(), false);
        memory.time_rays(&mut recording, &self.casting(), memory.sets[0].has_planes);
        let ledger = std::mem::take(&mut recording.ledger);
        let mut readings = vec![memory.status_reading()];
        readings.extend(self.readings(memory));
        let words = runner.run(&context.gpu.device, recording, &readings).await?;
        ledger.check_stages(&words[0])?;
        Ok(words)
    }
}

impl Plan for RaySearch<'_> {
    type Part = RayPart;
    type Answer = Vec<RayPart>;

    fn searched(&self) -> &Bodies {
        self.searched
    }

    fn kind(&self) -> Kind {
        Kind::Rays { mode: self.mode }
    }

    async fn prepare(&mut self, workspace: &mut Workspace, context: &Context<'_>, parts: u64) -> Attempt<Units> {
        if self.rays == 0 || self.searched.is_empty() {
            return Ok(Units { count: 0, at_once: 1 });
        }
        let (device, pool) = (&context.gpu.device, context.pool);
        let Workspace { memory, runner, .. } = workspace;
        self.find_bundles(memory.least_bundled);
        // (Whole squares of pixels.)
        let rows = self.row.map_or(1, |row| u64::from(row.max(BUNDLE_SIDE) * BUNDLE_SIDE));
        let at_once = memory.part_limit.unwrap_or(AT_ONCE / rows * rows);
        self.parts = parts;
        let Memory { sets: [set, ..], status, .. } = memory;
        set.sync(device, runner, pool, self.searched, status).await?;
        set.sync_hull_planes(device, pool, self.searched).await?;
        let mut facts = set.facts;
        // If all bodies and all rays have the usual traits, none need to be compared.
        let usual = Traits::new().world(facts.world);
        facts.has_filters |= !self.traits.is_some_and(|traits| traits.may_meet(&usual));
        if facts.has_filters || facts.varying != 0 {
            set.sync_traits(device, runner, pool, self.searched, status).await?;
        }
        let search = Search {
            between: false,
            facts,
            rows: 0,
            possible: [false; BUCKETS],
            narrow: Narrow::Filter,
            frames: false,
            moving: false,
            warps: device.warps(),
            whole: parts == 1 && self.rays <= at_once,
            measured: false,
            fine: true,
        };
        self.search = Some(search);
        memory.reserve(device, &search).await?;
        memory.reserve_ray_tree(device).await?;
        Ok(Units { count: self.rays, at_once })
    }

    async fn make_room(&mut self, memory: &mut Memory, context: &Context<'_>, units: &Range<u64>) -> Attempt<()> {
        self.units = units.clone();
        let (casting, device) = (self.casting(), &context.gpu.device);
        memory.reserve_rays(device, &casting).await?;
        let first = units.start as usize;
        if casting.vectors == 2 {
            let rays = context.pool.collect(casting.rays as usize, |k| {
                let [origin, direction, _] = (self.pack)(first + k);
                [origin, direction]
            });
            device.write(memory.listed.buffer(), 0, bytemuck::cast_slice(&rays)).await?;
        } else {
            let rays = context.pool.collect(casting.rays as usize, |k| (self.pack)(first + k));
            device.write(memory.listed.buffer(), 0, bytemuck::cast_slice(&rays)).await?;
        }
        Ok(())
    }

    fn record<'m>(&mut self, memory: &'m Memory, recording: &mut Recording<'m>, _: &Range<u64>) -> Vec<Reading<'m>> {
        let search = self.search();
        self.prepared = Some(memory.prepare(recording, &search));
        memory.cast_rays(recording, &search, &self.casting(), true);
        memory.time_rays(recording, &self.casting(), memory.sets[0].has_planes);
        self.readings(memory)
    }

    fn learn(&mut self, memory: &mut Memory, status: &[u32]) -> Attempt<bool> {
        memory.prepared = self.prepared;
        check_extras(status)?;
        // Rays that have stopped go on, and may list more.
        let needed = [status[STATUS_RAY_EXTRAS], status[STATUS_RAYS_OPEN]];
        Ok(status[STATUS_RAYS_UNFINISHED] > 0 || memory.capacity.sufficed_for_rays(needed))
    }

    async fn finish(&mut self, workspace: &mut Workspace, context: &Context<'_>, words: Words) -> Attempt<RayPart> {
        let mut status = words[0][..STATUS_WORDS].to_vec();
        let mut words = Some(words);
        for _ in 0..MAX_ROUNDS {
            let needed = [status[STATUS_RAY_EXTRAS], status[STATUS_RAYS_OPEN]];
            let room = workspace.memory.capacity.rays;
            check_extras(&status)?;
            let stopped = status[STATUS_RAYS_UNFINISHED] > 0;
            if !stopped && (0..2).all(|k| needed[k] <= room[k]) {
                return self.collect(workspace, context, words, needed).await;
            }
            // The staging buffer must be unmapped before it is used again.
            drop(words.take());
            let next = if stopped {
                self.go_on(workspace, context).await?
            } else {
                workspace.memory.capacity.sufficed_for_rays(needed);
                let units = self.units.clone();
                attempt::run(self, workspace, context, &units).await?
            };
            status = next[0][..STATUS_WORDS].to_vec();
            words = Some(next);
        }
        Err(Error::Device { reason: format!("rays have not come to their ends after {MAX_ROUNDS} rounds") }.into())
    }

    fn join(&mut self, parts: Vec<RayPart>) -> Result<Vec<RayPart>> {
        Ok(parts)
    }
}

impl RaySearch<'_> {
    /// Takes what was read back, and reads all hits if they are wanted.
    async fn collect(
        &self,
        workspace: &mut Workspace,
        context: &Context<'_>,
        words: Option<Words>,
        [extras, opens]: [u32; 2],
    ) -> Attempt<RayPart> {
        let mut part = RayPart { extras: extras.into(), ..RayPart::default() };
        if let Some(words) = words {
            part.opens = bytemuck::cast_slice(&words[1][..2 * opens as usize]).to_vec();
            if self.mode != RAYS_ALL {
                (part.best_times, part.best_bodies) = (words[2].to_vec(), words[3].to_vec());
            }
        }
        if self.mode == RAYS_ALL {
            let Workspace { memory, runner, .. } = workspace;
            let entries = self.units.end - self.units.start + u64::from(extras);
            let readings = [(memory.ray_hits.buffer(), 16 * entries)];
            let words = runner.run(&context.gpu.device, Recording::default(), &readings).await?;
            part.hits = bytemuck::cast_slice(&words[0]).to_vec();
        }
        Ok(part)
    }
}
