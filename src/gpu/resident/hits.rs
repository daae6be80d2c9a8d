//! Hits of recorded rays, which stay on the device.

use super::ask::LeftRay;
use super::{Ended, Running};
use crate::cast::{LATEST, Shot, entry, meets};
use crate::gpu::abi::{
    ABSENT, RAY_EXPONENT, RAY_EXPONENT_BIAS, RAYS_ALL, RAYS_ANY, STATUS_CARRY, STATUS_RAY_EXTRAS, STATUS_UNDECIDED,
    UNDECIDED,
};
use crate::shape::Ray;
use crate::shape::kinds::BodyShape;
use crate::{Error, Result, Traits};

/// The result of recorded [rays](crate::Engine::cast_rays), on the device: the nearest hit of each, or whether there is one, or all of them.
///
/// It is there when the encoder has run. What [`RecordedPairs`](crate::RecordedPairs) says about buffers and the order of encoders holds here too.
///
/// ```
/// use tangency::{Bodies, Engine, RecordedHits, Result, shape::Ray, wgpu};
///
/// fn record(engine: &Engine, bodies: &Bodies, rays: &[Ray], encoder: &mut wgpu::CommandEncoder) -> Result<RecordedHits> {
///     engine.cast_rays(bodies, rays).record(encoder)
/// }
/// ```
#[derive(Debug)]
pub struct RecordedHits {
    running: Running,
    /// `RAYS_NEAREST`, `RAYS_ANY` or `RAYS_ALL`.
    mode: u32,
    /// Vectors of each ray on the device.
    vectors: usize,
}

/// A hit in units of the scaled direction, so that hits are ordered by time and body.
type Hit = (f32, u32);

/// The earlier of two hits.
fn earlier(a: Hit, b: Hit) -> Hit {
    if b < a { b } else { a }
}

impl RecordedHits {
    pub(crate) fn new(running: Running, mode: u32, traits: Option<Traits>) -> Self {
        Self { running, mode, vectors: if traits.is_some() { 2 } else { 3 } }
    }

    /// Four numbers of 32 bits for each ray, in their order: the ray, the id of the body or 2³² − 1 if there is none, the bits of the time (`f32`, in
    /// units of the ray's direction), and 1 if that is undecided, else 0.
    ///
    /// Of [`any`](crate::Request::any), a ray that meets something has 0 for body and time. Of [`all`](crate::Request::all), such places of each ray
    /// are followed by those of further hits, in any order; [`summary`](Self::summary) says how many there are, and some have no body.
    ///
    /// ```
    /// # use tangency::{RecordedHits, wgpu};
    /// fn binding(recorded: &RecordedHits) -> wgpu::BindingResource<'_> {
    ///     recorded.hits().as_entire_binding()
    /// }
    /// ```
    pub fn hits(&self) -> &wgpu::Buffer {
        self.running.memory().ray_results.buffer()
    }

    /// Eight numbers of 32 bits, as [`RecordedPairs::summary`](crate::RecordedPairs::summary) has them, with a place of a hit in place of a pair.
    ///
    /// ```
    /// # use tangency::{RecordedHits, wgpu};
    /// fn for_each_hit(recorded: &RecordedHits, pass: &mut wgpu::ComputePass<'_>) {
    ///     pass.dispatch_workgroups_indirect(recorded.summary(), 0);
    /// }
    /// ```
    pub fn summary(&self) -> &wgpu::Buffer {
        self.running.memory().summary.buffer()
    }

    /// Waits until the encoder has run, and says how that has ended.
    ///
    /// ```
    /// # use tangency::{RecordedHits, Result};
    /// fn is_complete(recorded: &mut RecordedHits) -> Result<bool> {
    ///     Ok(recorded.ended()?.needed.is_none())
    /// }
    /// ```
    ///
    /// # Errors
    /// As [`RecordedPairs::ended`](crate::RecordedPairs::ended).
    pub fn ended(&mut self) -> Result<Ended> {
        let (rays, all) = (self.running.listed, self.mode == RAYS_ALL);
        self.running.ended(|status| {
            if status[STATUS_CARRY] != 0 {
                let limit = u64::from(u32::MAX);
                return Err(Error::TooManyPairs { pairs: limit + 1, limit });
            }
            let extras = if all { status[STATUS_RAY_EXTRAS] } else { 0 };
            Ok([rays.saturating_add(extras), status[STATUS_UNDECIDED]])
        })
    }

    /// Decides the hits that are undecided, exactly: waits until the encoder has run, and rewrites them.
    ///
    /// ```
    /// # use tangency::{RecordedHits, Result};
    /// fn exact(recorded: &mut RecordedHits) -> Result<()> {
    ///     recorded.settle()
    /// }
    /// ```
    ///
    /// # Errors
    /// As [`ended`](Self::ended), and [`Recording`](crate::Error::Recording) if there was too little room.
    pub fn settle(&mut self) -> Result<()> {
        let ended = self.ended()?;
        if Running::is_open(&ended)? {
            let results = self.running.read(self.hits())?;
            let results: &[[u32; 4]] = bytemuck::cast_slice(&results);
            let results = &results[..ended.results as usize];
            if self.mode == RAYS_ALL { self.settle_all(results) } else { self.settle_best(results) }?;
        }
        self.running.settled();
        Ok(())
    }

    /// The rays that the device has cast, as they were given.
    fn shots(&self) -> Result<impl Fn(u32) -> Shot + '_> {
        let (rays, vectors) = (self.running.read(self.running.memory().listed.buffer())?, self.vectors);
        let limits = &self.running.kept.limits;
        Ok(move |ray: u32| {
            let words: &[[u32; 4]] = bytemuck::cast_slice(&rays);
            let [origin, direction] = [0, 1].map(|k| words[vectors * ray as usize + k]);
            let exponent = (direction[3] >> RAY_EXPONENT & 0x1ff) as i32 - RAY_EXPONENT_BIAS as i32;
            let power = |exponent: i32| f64::from_bits(((1023 + exponent) as u64) << 52);
            let last = f32::from_bits(origin[3]);
            let limit = if last < LATEST {
                // (Nothing is lost: it was scaled by a power of two.)
                (f64::from(last) * power(-exponent)) as f32
            } else {
                limits.binary_search_by_key(&ray, |(ray, _)| *ray).map_or(f32::INFINITY, |at| limits[at].1)
            };
            let numbers = |words: [u32; 4]| [0, 1, 2].map(|k| f32::from_bits(words[k]));
            let direction = numbers(direction).map(|x| (f64::from(x) * power(exponent)) as f32);
            Shot::new(&bytemuck::cast::<_, Ray>([numbers(origin), direction]), limit)
        })
    }

    fn settle_all(&self, results: &[[u32; 4]]) -> Result<()> {
        let (shots, shapes) = (self.shots()?, self.running.shapes(0)?);
        for (place, &[ray, body, _, undecided]) in results.iter().enumerate() {
            if undecided == 1 {
                let shot = shots(ray);
                let hit = hit(&shot, &shapes(body), body);
                let found = hit.map_or([ray, ABSENT, 0, 0], |(time, body)| [ray, body, shot.time(time).to_bits(), 0]);
                self.running.write(self.hits(), 4 * place as u64, &found);
            }
        }
        Ok(())
    }

    fn settle_best(&self, results: &[[u32; 4]]) -> Result<()> {
        let (running, memory) = (&self.running, self.running.memory());
        let [listed, times, bodies] =
            [&memory.ray_hits, &memory.best_times, &memory.best_bodies].map(|buffer| running.read(buffer.buffer()));
        let (listed, times, bodies) = (listed?, times?, bodies?);
        let listed: &[[u32; 4]] = bytemuck::cast_slice(&listed);
        let mut open: Vec<[u32; 2]> = listed[..(running.listed + running.status[STATUS_RAY_EXTRAS]) as usize]
            .iter()
            .filter(|[_, body, _, verdict]| *body != ABSENT && *verdict == UNDECIDED)
            .map(|[ray, body, ..]| [*ray, *body])
            .collect();
        open.sort_unstable();
        let (shots, shapes, enabled) = (self.shots()?, running.shapes(0)?, running.enabled()?);
        let left = &running.kept.left;
        for &[ray, ..] in results.iter().filter(|result| result[3] == 1) {
            let found = if let Ok(at) = left.binary_search_by_key(&ray, |left| left.ray) {
                let found = self.cast_here(&left[at], &*shapes, &*enabled);
                found.map(|(time, body)| [ray, body, left[at].shot.time(time).to_bits(), 0])
            } else {
                let shot = shots(ray);
                let k = ray as usize;
                let known = (times[k] != 0).then(|| (f32::from_bits(!times[k]), !bodies[k]));
                let start = open.partition_point(|open| open[0] < ray);
                let own = open[start..].iter().take_while(|open| open[0] == ray);
                let own = own.filter_map(|[_, body]| hit(&shot, &shapes(*body), *body));
                own.chain(known).reduce(earlier).map(|(time, body)| [ray, body, shot.time(time).to_bits(), 0])
            };
            let mut found = found.unwrap_or([ray, ABSENT, 0, 0]);
            if self.mode == RAYS_ANY && found[1] != ABSENT {
                found = [ray, 0, 0, 0];
            }
            running.write(self.hits(), 4 * u64::from(ray), &found);
        }
        Ok(())
    }

    /// The nearest hit of a ray that the device has not cast.
    fn cast_here<'a>(
        &self,
        left: &LeftRay,
        shapes: &dyn Fn(u32) -> BodyShape<'a>,
        enabled: &dyn Fn(u32) -> bool,
    ) -> Option<Hit> {
        let bodies = &self.running.sets[0];
        let may_meet = |id: &u32| enabled(*id) && left.traits.may_meet(&bodies.all_traits()[*id as usize]);
        let ids = (0..bodies.id_bound() as u32).filter(may_meet);
        ids.filter_map(|id| hit(&left.shot, &shapes(id), id)).reduce(earlier)
    }
}

/// What a ray meets of a body.
fn hit(shot: &Shot, shape: &BodyShape<'_>, body: u32) -> Option<Hit> {
    meets(shot, shape).then(|| (entry(shot, shape), body))
}
