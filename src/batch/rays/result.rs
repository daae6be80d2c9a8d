//! What a query for rays returns.

use crate::batch::iters::{AllIter, AnyIter, NearestIter};
use crate::batch::rows::Stats;
use crate::hash::{FNV_START, fnv1a_step};

/// A body that a ray meets, and when.
///
/// ```
/// use tangency::{Bodies, BodyHit, Engine, shape::{Ray, Sphere}};
///
/// let mut bodies = Bodies::new();
/// let ball = bodies.push(Sphere::new([0.0; 3], 1.0)?)?;
/// let rays = [Ray::new([-3.0, 0.0, 0.0], [0.5, 0.0, 0.0])?];
/// assert_eq!(Engine::new()?.cast_rays(&bodies, &rays).run()?.get(0), Some(BodyHit { body: ball, time: 4.0 }));
/// # Ok::<(), tangency::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, bytemuck::Pod, bytemuck::Zeroable)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[repr(C)]
pub struct BodyHit {
    /// The id of the body.
    pub body: u32,
    /// When the ray enters the body, in units of the ray's direction: 0 if it starts inside, or on the surface.
    pub time: f32,
}

/// Stands for no body.
const ABSENT: u32 = u32::MAX;

impl BodyHit {
    pub(super) const NONE: Self = Self { body: ABSENT, time: 0.0 };
    /// Stands for any hit.
    pub(super) const SOME: Self = Self { body: 0, time: 0.0 };

    pub(in crate::batch) fn there(self) -> Option<Self> {
        (self.body != ABSENT).then_some(self)
    }
}

/// What all answers for rays have.
#[derive(Clone, Debug, Default)]
pub(crate) struct Found {
    /// Where the hits of each ray begin, and where the last end. Empty if there is one for each ray, which may be absent.
    pub(super) offsets: Vec<usize>,
    pub(super) hits: Vec<BodyHit>,
    pub(super) stats: Stats,
}

impl Found {
    fn fingerprint(&self) -> u64 {
        let ends = self.offsets.iter().flat_map(|end| (*end as u64).to_le_bytes());
        let hits = bytemuck::cast_slice::<BodyHit, u8>(&self.hits).iter().copied();
        ends.chain(hits).fold(FNV_START, fnv1a_step)
    }
}

/// An answer for rays, which a backend fills. It cannot be named outside; all answers for rays are of this kind:
///
/// ```
/// use tangency::{AllHits, AnyHits, NearestHits};
///
/// let (nearest, any, all) = (NearestHits::new(), AnyHits::new(), AllHits::new());
/// assert!(nearest.is_empty() && any.is_empty() && all.is_empty());
/// ```
#[doc(hidden)]
pub trait Filled: Default + Send + 'static {
    #[doc(hidden)]
    #[expect(private_interfaces, reason = "this library alone implements and calls it")]
    fn found(&mut self) -> &mut Found;
}

macro_rules! answers {
    ($($answer:ident)*) => {$(
        impl Filled for $answer {
            #[expect(private_interfaces, reason = "this library alone implements and calls it")]
            fn found(&mut self) -> &mut Found {
                &mut self.found
            }
        }

        impl PartialEq for $answer {
            /// Whether the answers are the same, bit for bit; how they were found does not count.
            fn eq(&self, other: &Self) -> bool {
                let bits = |hits: &[BodyHit]| bytemuck::cast_slice::<_, u32>(hits).to_vec();
                self.found.offsets == other.found.offsets && bits(&self.found.hits) == bits(&other.found.hits)
            }
        }
    )*};
}

answers! { NearestHits AnyHits AllHits }

/// The nearest hit of each ray, if it has one: the least time, and of equal times the lowest id.
///
/// Every bit is the same on the CPU and on every adapter.
///
/// ```
/// use tangency::{Bodies, Engine, shape::{Ray, Sphere}};
///
/// let mut bodies = Bodies::new();
/// for x in [7.0, 4.0] {
///     bodies.push(Sphere::new([x, 0.0, 0.0], 1.0)?)?;
/// }
/// let rays = [Ray::new([0.0; 3], [1.0, 0.0, 0.0])?, Ray::new([0.0; 3], [0.0, 1.0, 0.0])?];
/// let hits = Engine::new()?.cast_rays(&bodies, &rays).run()?;
/// assert_eq!(hits.iter().map(|hit| hit.map(|hit| hit.body)).collect::<Vec<_>>(), [Some(1), None]);
/// # Ok::<(), tangency::Error>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct NearestHits {
    found: Found,
}

impl NearestHits {
    /// No hits of no rays: to be handed to [`run_into`](crate::Request::run_into), which reuses its memory from call to call.
    ///
    /// ```
    /// # use tangency::NearestHits;
    /// assert!(NearestHits::new().is_empty());
    /// ```
    pub fn new() -> Self {
        Self::default()
    }

    /// How many rays there were.
    ///
    /// ```
    /// # use tangency::{Bodies, Engine, shape::Ray};
    /// let rays = [Ray::new([0.0; 3], [1.0, 0.0, 0.0])?; 3];
    /// assert_eq!(Engine::new()?.cast_rays(&Bodies::new(), &rays).run()?.len(), 3);
    /// # Ok::<(), tangency::Error>(())
    /// ```
    pub fn len(&self) -> usize {
        self.found.hits.len()
    }

    /// Whether there were no rays.
    ///
    /// ```
    /// # use tangency::{Bodies, Engine};
    /// assert!(Engine::new()?.cast_rays(&Bodies::new(), &[]).run()?.is_empty());
    /// # Ok::<(), tangency::Error>(())
    /// ```
    pub fn is_empty(&self) -> bool {
        self.found.hits.is_empty()
    }

    /// The nearest hit of a ray; `None` if it has none, or there is no such ray.
    ///
    /// ```
    /// # use tangency::{Bodies, Engine, shape::{Aabb, Ray}};
    /// let mut bodies = Bodies::new();
    /// bodies.push(Aabb::new([1.0, -1.0, -1.0], [2.0, 1.0, 1.0])?)?;
    /// let hits = Engine::new()?.cast_rays(&bodies, &[Ray::new([0.0; 3], [1.0, 1.0, 0.0])?]).run()?;
    /// assert_eq!(hits.get(0).map(|hit| hit.time), Some(1.0)); // the ray passes through an edge: it touches
    /// # Ok::<(), tangency::Error>(())
    /// ```
    pub fn get(&self, ray: usize) -> Option<BodyHit> {
        self.found.hits.get(ray).and_then(|hit| hit.there())
    }

    /// The nearest hit of each ray, in the order of the rays.
    ///
    /// ```
    /// # use tangency::{Bodies, Engine, shape::Ray};
    /// let hits = Engine::new()?.cast_rays(&Bodies::new(), &[Ray::new([0.0; 3], [1.0, 0.0, 0.0])?]).run()?;
    /// assert_eq!(hits.iter().collect::<Vec<_>>(), [None]);
    /// # Ok::<(), tangency::Error>(())
    /// ```
    pub fn iter(&self) -> NearestIter<'_> {
        NearestIter(self.found.hits.iter())
    }

    /// A hash of all hits and all bits of their times, the same on every backend.
    ///
    /// ```
    /// # use tangency::{BackendKind, Bodies, Engine, shape::{Ray, Sphere}};
    /// # let mut bodies = Bodies::new();
    /// # bodies.push(Sphere::new([3.0, 0.0, 0.0], 1.0)?)?;
    /// let rays = [Ray::new([0.0; 3], [1.0, 0.25, 0.0])?];
    /// let of = |kind| Engine::builder().backend(kind).build()?.cast_rays(&bodies, &rays).run().map(|hits| hits.fingerprint());
    /// assert_eq!(of(BackendKind::Cpu)?, of(BackendKind::BruteForce)?);
    /// # Ok::<(), tangency::Error>(())
    /// ```
    pub fn fingerprint(&self) -> u64 {
        self.found.fingerprint()
    }

    /// How the query went. Candidates are pairs of a ray and a body whose shape was tested (on a GPU, those whose time was computed);
    /// undecided are those that the filters left to exact arithmetic on the host.
    ///
    /// ```
    /// # use tangency::{Bodies, Engine};
    /// assert_eq!(Engine::new()?.cast_rays(&Bodies::new(), &[]).run()?.stats().candidates, 0);
    /// # Ok::<(), tangency::Error>(())
    /// ```
    pub fn stats(&self) -> &Stats {
        &self.found.stats
    }
}

/// Whether each ray meets anything.
///
/// ```
/// use tangency::{Bodies, Engine, shape::{Aabb, Ray}};
///
/// let mut bodies = Bodies::new();
/// bodies.push(Aabb::new([1.0, -1.0, -1.0], [2.0, 1.0, 1.0])?)?;
/// let rays = [[1.0, 0.0, 0.0], [-1.0, 0.0, 0.0]].map(|way| Ray::new([0.0; 3], way).expect("not zero"));
/// let blocked = Engine::new()?.cast_rays(&bodies, &rays).any().run()?;
/// assert_eq!(blocked.iter().collect::<Vec<_>>(), [true, false]);
/// # Ok::<(), tangency::Error>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct AnyHits {
    found: Found,
}

impl AnyHits {
    /// Of no rays: to be handed to [`run_into`](crate::Request::run_into).
    ///
    /// ```
    /// # use tangency::AnyHits;
    /// assert!(AnyHits::new().is_empty());
    /// ```
    pub fn new() -> Self {
        Self::default()
    }

    /// How many rays there were.
    ///
    /// ```
    /// # use tangency::AnyHits;
    /// assert_eq!(AnyHits::new().len(), 0);
    /// ```
    pub fn len(&self) -> usize {
        self.found.hits.len()
    }

    /// Whether there were no rays.
    ///
    /// ```
    /// # use tangency::AnyHits;
    /// assert!(AnyHits::new().is_empty());
    /// ```
    pub fn is_empty(&self) -> bool {
        self.found.hits.is_empty()
    }

    /// Whether a ray meets anything; `false` if there is no such ray.
    ///
    /// ```
    /// # use tangency::{Bodies, Engine, shape::{Ray, Sphere}};
    /// # let mut bodies = Bodies::new();
    /// bodies.push(Sphere::new([5.0, 0.0, 0.0], 1.0)?)?;
    /// let sight = [Ray::new([0.0; 3], [8.0, 0.0, 0.0])?];
    /// let engine = Engine::new()?;
    /// assert!(engine.cast_rays(&bodies, &sight).any().run()?.get(0));
    /// assert!(!engine.cast_rays(&bodies, &sight).until(0.25).any().run()?.get(0)); // up to (2, 0, 0) only
    /// # Ok::<(), tangency::Error>(())
    /// ```
    pub fn get(&self, ray: usize) -> bool {
        self.found.hits.get(ray).is_some_and(|hit| hit.there().is_some())
    }

    /// Whether each ray meets anything, in the order of the rays.
    ///
    /// ```
    /// # use tangency::{Bodies, Engine, shape::Ray};
    /// let rays = [Ray::new([0.0; 3], [1.0, 0.0, 0.0])?; 2];
    /// assert!(Engine::new()?.cast_rays(&Bodies::new(), &rays).any().run()?.iter().all(|met| !met));
    /// # Ok::<(), tangency::Error>(())
    /// ```
    pub fn iter(&self) -> AnyIter<'_> {
        AnyIter(self.found.hits.iter())
    }

    /// How the query went, as [`NearestHits::stats`].
    ///
    /// ```
    /// # use tangency::AnyHits;
    /// assert_eq!(AnyHits::new().stats().undecided, 0);
    /// ```
    pub fn stats(&self) -> &Stats {
        &self.found.stats
    }
}

/// All hits of each ray, sorted by time, and of equal times by id.
///
/// Every bit is the same on the CPU and on every adapter.
///
/// ```
/// use tangency::{Bodies, Engine, shape::{Ray, Sphere}};
///
/// let mut bodies = Bodies::new();
/// for x in [7.0, 4.0] {
///     bodies.push(Sphere::new([x, 0.0, 0.0], 1.0)?)?;
/// }
/// let hits = Engine::new()?.cast_rays(&bodies, &[Ray::new([0.0; 3], [1.0, 0.0, 0.0])?]).all().run()?;
/// assert_eq!(hits.of(0).iter().map(|hit| (hit.body, hit.time)).collect::<Vec<_>>(), [(1, 3.0), (0, 6.0)]);
/// # Ok::<(), tangency::Error>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct AllHits {
    found: Found,
}

impl AllHits {
    /// Of no rays: to be handed to [`run_into`](crate::Request::run_into).
    ///
    /// ```
    /// # use tangency::AllHits;
    /// assert_eq!(AllHits::new().rays(), 0);
    /// ```
    pub fn new() -> Self {
        Self::default()
    }

    /// How many rays there were.
    ///
    /// ```
    /// # use tangency::{Bodies, Engine, shape::Ray};
    /// let rays = [Ray::new([0.0; 3], [1.0, 0.0, 0.0])?; 2];
    /// assert_eq!(Engine::new()?.cast_rays(&Bodies::new(), &rays).all().run()?.rays(), 2);
    /// # Ok::<(), tangency::Error>(())
    /// ```
    pub fn rays(&self) -> usize {
        self.found.offsets.len().saturating_sub(1)
    }

    /// How many hits all rays have together.
    ///
    /// ```
    /// # use tangency::AllHits;
    /// assert_eq!(AllHits::new().len(), 0);
    /// ```
    pub fn len(&self) -> usize {
        self.found.hits.len()
    }

    /// Whether no ray meets anything.
    ///
    /// ```
    /// # use tangency::AllHits;
    /// assert!(AllHits::new().is_empty());
    /// ```
    pub fn is_empty(&self) -> bool {
        self.found.hits.is_empty()
    }

    /// The hits of a ray, the earliest first; none if there is no such ray.
    ///
    /// ```
    /// # use tangency::AllHits;
    /// assert!(AllHits::new().of(7).is_empty());
    /// ```
    pub fn of(&self, ray: usize) -> &[BodyHit] {
        match (self.found.offsets.get(ray), self.found.offsets.get(ray + 1)) {
            (Some(first), Some(end)) => &self.found.hits[*first..*end],
            _ => &[],
        }
    }

    /// The hits of each ray, in the order of the rays.
    ///
    /// ```
    /// # use tangency::{Bodies, Engine, shape::Ray};
    /// let rays = [Ray::new([0.0; 3], [1.0, 0.0, 0.0])?; 2];
    /// let hits = Engine::new()?.cast_rays(&Bodies::new(), &rays).all().run()?;
    /// assert!(hits.iter().all(|of_ray| of_ray.is_empty()));
    /// # Ok::<(), tangency::Error>(())
    /// ```
    pub fn iter(&self) -> AllIter<'_> {
        AllIter { ends: self.found.offsets.windows(2), hits: &self.found.hits }
    }

    /// A hash of all hits and all bits of their times, the same on every backend.
    ///
    /// ```
    /// # use tangency::AllHits;
    /// assert_eq!(AllHits::new().fingerprint(), AllHits::new().fingerprint());
    /// ```
    pub fn fingerprint(&self) -> u64 {
        self.found.fingerprint()
    }

    /// How the query went, as [`NearestHits::stats`].
    ///
    /// ```
    /// # use tangency::AllHits;
    /// assert_eq!(AllHits::new().stats().undecided, 0);
    /// ```
    pub fn stats(&self) -> &Stats {
        &self.found.stats
    }
}
