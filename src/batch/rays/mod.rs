//! What do rays meet?

mod brute;
mod cpu;
#[cfg(feature = "gpu")]
pub(super) mod gpu;
mod list;
mod result;

pub(super) use list::Rays;
pub use result::{AllHits, AnyHits, BodyHit, NearestHits};

use std::fmt;
use std::marker::PhantomData;

use super::query::{Query, sealed};
use super::request::Request;
use super::set::{Set, SharedSet};
use crate::parallel::Pool;
use crate::shape::Ray;
#[cfg(feature = "gpu")]
use crate::{Error, gpu::RaysAsked};
use crate::{Result, Traits};
use list::PerRay;
use result::{Filled, Found};

/// Which hits are wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mode {
    Nearest,
    Any,
    All,
}

/// Which hits of each ray a [`RaysQuery`] asks for: [`Nearest`], [`Any`] or [`All`].
///
/// This library alone implements it.
///
/// ```
/// use tangency::batch::{Nearest, RaysQuery, Wanted};
///
/// fn is_a_query<W: Wanted>() -> usize {
///     size_of::<RaysQuery<'_, W>>()
/// }
/// assert!(is_a_query::<Nearest>() > 0);
/// ```
pub trait Wanted: sealed::Sealed + Clone + Copy + fmt::Debug + Send + Sync + 'static {
    /// What the answer is.
    type Output: Filled;

    #[doc(hidden)]
    #[expect(private_interfaces, reason = "this library alone implements and reads it")]
    const MODE: Mode;
}

/// The nearest hit of each ray: what [`Engine::cast_rays`](crate::Engine::cast_rays) asks for.
///
/// ```
/// # use tangency::{Bodies, Engine, NearestHits};
/// let hits: NearestHits = Engine::new()?.cast_rays(&Bodies::new(), &[]).run()?;
/// assert!(hits.is_empty());
/// # Ok::<(), tangency::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Nearest;

/// Whether each ray meets anything: [`Request::any`].
///
/// ```
/// # use tangency::{AnyHits, Bodies, Engine};
/// let hits: AnyHits = Engine::new()?.cast_rays(&Bodies::new(), &[]).any().run()?;
/// assert!(hits.is_empty());
/// # Ok::<(), tangency::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Any;

/// All hits of each ray: [`Request::all`].
///
/// ```
/// # use tangency::{AllHits, Bodies, Engine};
/// let hits: AllHits = Engine::new()?.cast_rays(&Bodies::new(), &[]).all().run()?;
/// assert!(hits.is_empty());
/// # Ok::<(), tangency::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct All;

macro_rules! wanted {
    ($($name:ident $output:ident;)*) => {$(
        impl sealed::Sealed for $name {}

        impl Wanted for $name {
            type Output = $output;
            #[expect(private_interfaces, reason = "this library alone implements and reads it")]
            const MODE: Mode = Mode::$name;
        }
    )*};
}

wanted! {
    Nearest NearestHits;
    Any AnyHits;
    All AllHits;
}

/// What do rays meet? Asked by [`Engine::cast_rays`](crate::Engine::cast_rays).
///
/// ```
/// # use tangency::{Bodies, Engine, Request, batch::{Nearest, RaysQuery}};
/// # let bodies = Bodies::new();
/// let request: Request<'_, RaysQuery<'_, Nearest>> = Engine::new()?.cast_rays(&bodies, &[]);
/// # Ok::<(), tangency::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct RaysQuery<'a, W = Nearest> {
    pub(super) set: SharedSet,
    pub(super) rays: Rays<'a>,
    wanted: PhantomData<W>,
}

impl<'a> RaysQuery<'a, Nearest> {
    pub(crate) fn new(set: Set<'_>, rays: &'a [Ray]) -> Self {
        Self { set: set.shared(), rays: Rays::new(rays), wanted: PhantomData }
    }
}

impl<'a, W: Wanted> RaysQuery<'a, W> {
    /// The same question about other hits.
    fn wanting<V: Wanted>(self) -> RaysQuery<'a, V> {
        RaysQuery { set: self.set, rays: self.rays, wanted: PhantomData }
    }

    /// The rays as they are recorded.
    #[cfg(feature = "gpu")]
    pub(super) fn asked(&self) -> Result<RaysAsked<'_>> {
        let refuse = |reason: String| Err(Error::Recording { reason });
        let Ok(count) = u32::try_from(self.rays.len()) else {
            return refuse("there are more rays than 32 bits can count".to_owned());
        };
        let rays = &self.rays;
        let shot = |ray: usize| (rays.shot(ray), rays.traits(ray));
        let asked =
            RaysAsked { count, shot: Box::new(shot), traits: self.rays.common_traits(), mode: gpu::code(W::MODE) };
        if W::MODE == Mode::All
            && let Some(ray) = asked.first_left()
        {
            return refuse(format!(
                "ray {ray} has numbers that only the host can compute with (docs/embedding.md), and all of its hits have no room here"
            ));
        }
        Ok(asked)
    }
}

impl<'a, W: Wanted> Request<'a, RaysQuery<'a, W>> {
    /// Asks only whether each ray meets anything, which is faster than to ask for the nearest.
    ///
    /// ```
    /// # use tangency::{Bodies, Engine, shape::{Ray, Sphere}};
    /// let mut bodies = Bodies::new();
    /// bodies.push(Sphere::new([5.0, 1.0, 0.0], 1.0)?)?;
    /// let grazing = [Ray::new([0.0; 3], [1.0, 0.0, 0.0])?];
    /// assert!(Engine::new()?.cast_rays(&bodies, &grazing).any().run()?.get(0)); // it touches
    /// # Ok::<(), tangency::Error>(())
    /// ```
    pub fn any(self) -> Request<'a, RaysQuery<'a, Any>> {
        self.map_into(RaysQuery::wanting)
    }

    /// Asks for all hits of each ray, sorted by time.
    ///
    /// ```
    /// # use tangency::{Bodies, Engine, shape::{Ray, Sphere}};
    /// let mut bodies = Bodies::new();
    /// bodies.extend([Sphere::new([5.0, 0.0, 0.0], 1.0)?, Sphere::new([9.0, 0.0, 0.0], 1.0)?])?;
    /// let rays = [Ray::new([0.0; 3], [1.0, 0.0, 0.0])?];
    /// let hits = Engine::new()?.cast_rays(&bodies, &rays).all().run()?;
    /// assert_eq!(hits.of(0).iter().map(|hit| hit.time).collect::<Vec<_>>(), [4.0, 8.0]);
    /// # Ok::<(), tangency::Error>(())
    /// ```
    pub fn all(self) -> Request<'a, RaysQuery<'a, All>> {
        self.map_into(RaysQuery::wanting)
    }

    /// Makes all rays end at this time, which may be infinite and belongs to them: rays become segments.
    ///
    /// ```
    /// # use tangency::{Bodies, Engine, shape::{Ray, Sphere}};
    /// let mut bodies = Bodies::new();
    /// bodies.push(Sphere::new([5.0, 0.0, 0.0], 1.0)?)?;
    /// let (engine, rays) = (Engine::new()?, [Ray::new([0.0; 3], [2.0, 0.0, 0.0])?]);
    /// assert!(engine.cast_rays(&bodies, &rays).until(2.0).run()?.get(0).is_some()); // it just touches
    /// assert!(engine.cast_rays(&bodies, &rays).until(1.9999999).run()?.get(0).is_none());
    /// # Ok::<(), tangency::Error>(())
    /// ```
    pub fn until(self, time: f32) -> Self {
        self.map(|query| Self::with_rays(query, |rays| rays.limits = PerRay::Same(time)))
    }

    /// Makes each ray end at a time of its own.
    ///
    /// ```
    /// # use tangency::{Bodies, Engine, shape::{Ray, Sphere}};
    /// let mut bodies = Bodies::new();
    /// bodies.push(Sphere::new([5.0, 0.0, 0.0], 1.0)?)?;
    /// let rays = [Ray::new([0.0; 3], [1.0, 0.0, 0.0])?; 2];
    /// let blocked = Engine::new()?.cast_rays(&bodies, &rays).until_each(&[3.0, 5.0]).any().run()?;
    /// assert_eq!(blocked.iter().collect::<Vec<_>>(), [false, true]);
    /// # Ok::<(), tangency::Error>(())
    /// ```
    pub fn until_each(self, times: &'a [f32]) -> Self {
        self.map(|query| Self::with_rays(query, |rays| rays.limits = PerRay::Each(times.into())))
    }

    /// Gives all rays these traits, instead of [`Traits::new`]: a ray meets the bodies that a body with its traits may meet. So it has a
    /// world, and may be in every world; it is in layers and has a mask; it does not meet bodies of its own group (like the robot that
    /// carries the sensor); and if it is fixed, it meets no fixed bodies.
    ///
    /// ```
    /// # use tangency::{Bodies, Engine, Traits, shape::{Ray, Sphere}};
    /// let mut bodies = Bodies::new();
    /// bodies.push_with(Sphere::new([3.0, 0.0, 0.0], 1.0)?, Traits::new().layer(0b10))?;
    /// bodies.push_with(Sphere::new([9.0, 0.0, 0.0], 1.0)?, Traits::new().layer(0b01))?;
    /// let rays = [Ray::new([0.0; 3], [1.0, 0.0, 0.0])?];
    /// let hits = Engine::new()?.cast_rays(&bodies, &rays).with_traits(Traits::new().mask(0b01)).run()?;
    /// assert_eq!(hits.get(0).map(|hit| hit.body), Some(1));
    /// # Ok::<(), tangency::Error>(())
    /// ```
    pub fn with_traits(self, traits: Traits) -> Self {
        self.map(|query| Self::with_rays(query, |rays| rays.traits = PerRay::Same(traits)))
    }

    /// Gives each ray traits of its own, as [`with_traits`](Self::with_traits) gives all of them the same.
    ///
    /// ```
    /// # use tangency::{Bodies, Engine, Traits, shape::{Ray, Sphere}};
    /// let mut bodies = Bodies::new();
    /// bodies.push_with(Sphere::new([3.0, 0.0, 0.0], 1.0)?, Traits::new().world(7))?;
    /// let rays = [Ray::new([0.0; 3], [1.0, 0.0, 0.0])?; 2];
    /// let worlds = [Traits::new().world(7), Traits::new().world(8)];
    /// let hits = Engine::new()?.cast_rays(&bodies, &rays).with_traits_each(&worlds).run()?;
    /// assert!(hits.get(0).is_some() && hits.get(1).is_none());
    /// # Ok::<(), tangency::Error>(())
    /// ```
    pub fn with_traits_each(self, traits: &'a [Traits]) -> Self {
        self.map(|query| Self::with_rays(query, |rays| rays.traits = PerRay::Each(traits.into())))
    }

    fn with_rays(mut query: RaysQuery<'a, W>, change: impl FnOnce(&mut Rays<'a>)) -> RaysQuery<'a, W> {
        change(&mut query.rays);
        query
    }
}

impl<W> sealed::Sealed for RaysQuery<'_, W> {}

impl<W: Wanted> Query for RaysQuery<'_, W> {
    type Output = W::Output;
    type Owned = RaysQuery<'static, W>;

    fn into_owned(self) -> Self::Owned {
        RaysQuery { set: self.set, rays: self.rays.into_owned(), wanted: PhantomData }
    }

    fn check(&self) -> Result<()> {
        self.rays.check()
    }

    fn size(&self) -> usize {
        self.set.bodies.id_bound().max(self.rays.len())
    }

    fn by_brute_force(&self, out: &mut Self::Output) {
        brute::cast(&self.set.bodies, &self.rays, W::MODE, out.found());
    }

    fn on_cpu(&self, pool: &Pool, out: &mut Self::Output) -> Result<()> {
        cpu::cast(&self.set, &self.rays, W::MODE, pool, out.found());
        Ok(())
    }

    #[cfg(feature = "gpu")]
    fn on_gpu<'a>(&'a self, context: crate::gpu::Context<'a>, out: &'a mut Self::Output) -> super::query::Work<'a> {
        Box::pin(gpu::cast(&self.set, &self.rays, W::MODE, context, out.found()))
    }
}

/// Fills an answer from the sorted hits of each ray.
fn fill<'a>(rows: impl Iterator<Item = &'a [BodyHit]>, mode: Mode, out: &mut Found) {
    out.hits.clear();
    out.offsets.clear();
    if mode == Mode::All {
        out.offsets.push(0);
    }
    for row in rows {
        match mode {
            Mode::Nearest => out.hits.push(row.first().copied().unwrap_or(BodyHit::NONE)),
            Mode::Any => out.hits.push(if row.is_empty() { BodyHit::NONE } else { BodyHit::SOME }),
            Mode::All => {
                out.hits.extend_from_slice(row);
                out.offsets.push(out.hits.len());
            }
        }
    }
}

/// What the tests of the device need.
#[cfg(all(test, feature = "gpu"))]
pub(crate) mod testing {
    use super::{Found, Mode, PerRay, Rays, SharedSet, brute, gpu};
    use crate::gpu::{RayPart, RaySearch};
    use crate::parallel::Pool;
    use crate::scenes::RandomRay;
    use crate::shape::Ray;
    use crate::{Bodies, Result, Traits};

    /// What rays meet, by a plan that is run, and by brute force. Returns both as words, and how many pairs were undecided.
    pub(crate) fn both_ways(
        pool: &Pool,
        bodies: &Bodies,
        shots: &[RandomRay],
        mode: Mode,
        run: impl FnOnce(RaySearch<'_>) -> Result<Vec<RayPart>>,
    ) -> Result<([Vec<u32>; 2], u64)> {
        let list: Vec<Ray> = shots.iter().map(|shot| shot.ray).collect();
        let mut rays = Rays::new(&list);
        rays.limits = PerRay::Each(shots.iter().map(|shot| shot.until).collect());
        let common = shots.first().map_or_else(Traits::new, |shot| shot.traits);
        rays.traits = if shots.iter().all(|shot| shot.traits == common) {
            PerRay::Same(common)
        } else {
            PerRay::Each(shots.iter().map(|shot| shot.traits).collect())
        };
        let set = SharedSet { bodies: bodies.clone(), prepared: None };
        let pack = |ray: usize| gpu::packed(&rays, ray);
        let parts = run(RaySearch::new(bodies, (rays.len(), &pack), rays.common_traits(), gpu::code(mode)))?;
        let (mut found, mut expected) = (Found::default(), Found::default());
        gpu::settle(&set, &rays, mode, pool, parts, &mut found);
        brute::cast(bodies, &rays, mode, &mut expected);
        let words = |found: &Found| {
            let hits = found.hits.iter().flat_map(|hit| [hit.body, hit.time.to_bits()]);
            found.offsets.iter().map(|end| *end as u32).chain(hits).collect()
        };
        Ok(([words(&found), words(&expected)], found.stats.undecided))
    }
}
