//! What a query for the nearest bodies returns.

use glam::Vec3;

use crate::batch::iters::ClosestIter;
use crate::batch::rows::Stats;
use crate::hash::{FNV_START, fnv1a_step};
use crate::near::Clearance;

/// A body that is near a point.
///
/// ```
/// use tangency::{Bodies, Engine, Points, shape::Aabb};
///
/// let mut bodies = Bodies::new();
/// bodies.push(Aabb::new([1.0, -1.0, -1.0], [2.0, 1.0, 1.0])?)?;
/// let found = Engine::new()?.closest(&bodies, &Points::of([[0.0; 3]])?).run()?;
/// let near = found.nearest(0).expect("there is a body");
/// assert!(near.body == 0 && near.distance > 0.999_999 && near.point.distance([1.0, 0.0, 0.0].into()) < 1e-6);
/// # Ok::<(), tangency::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(deny_unknown_fields))]
pub struct ClosestBody {
    /// Its id.
    pub body: u32,
    /// How far it is away: never more than the truth, and 0 if the point is in it. As that of a [`Clearance`](crate::Clearance), it is
    /// below the truth by at most 10⁻⁵ of all lengths.
    pub distance: f32,
    /// The point of the body that is nearest, rounded.
    pub point: Vec3,
}

impl From<Clearance> for ClosestBody {
    fn from(found: Clearance) -> Self {
        Self { body: found.b(), distance: found.distance(), point: found.on_b() }
    }
}

/// What was found of some consecutive points.
#[derive(Default)]
pub(super) struct Part {
    /// How many bodies each point has, and these.
    pub counts: Vec<usize>,
    pub each: Vec<ClosestBody>,
    /// How many bodies were looked at, and how many distances the host computed.
    pub tested: u64,
    #[cfg(feature = "gpu")]
    pub on_host: u64,
}

/// The bodies that are nearest to each point, the nearest first.
///
/// Their order is exact, and of bodies that are equally near the one with the lower id comes first: those that contain the point are. Every bit is
/// the same on the CPU and on every adapter.
///
/// ```
/// use tangency::{Bodies, Engine, Points, shape::Sphere};
///
/// let mut bodies = Bodies::new();
/// bodies.extend([Sphere::new([0.0; 3], 1.0)?, Sphere::new([9.0, 0.0, 0.0], 1.0)?])?;
/// let points = Points::of([[2.0, 0.0, 0.0], [9.0, 0.5, 0.0]])?;
/// let found = Engine::new()?.closest(&bodies, &points).run()?;
/// for (point, near) in found.iter() {
///     println!("{point}: body {} is {} away, at {}", near.body, near.distance, near.point);
/// }
/// assert_eq!(found.nearest(1).map(|near| near.distance), Some(0.0)); // inside
/// # Ok::<(), tangency::Error>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Closest {
    /// Where the bodies of each point begin, and where the last ones end.
    offsets: Vec<usize>,
    each: Vec<ClosestBody>,
    pub(super) stats: Stats,
    /// How many distances the host computed.
    pub(super) on_host: u64,
}

impl PartialEq for Closest {
    /// Whether the bodies of all points are the same, bit for bit; how they were found does not count.
    fn eq(&self, other: &Self) -> bool {
        self.offsets == other.offsets && self.words().eq(other.words())
    }
}

impl Closest {
    /// No bodies: to be handed to [`run_into`](crate::Request::run_into), which reuses its memory from call to call.
    ///
    /// ```
    /// # use tangency::{Bodies, Closest, Engine, Points};
    /// let mut found = Closest::new();
    /// Engine::new()?.closest(&Bodies::new(), &Points::of([[0.0; 3]])?).run_into(&mut found)?;
    /// assert!(found.is_empty());
    /// # Ok::<(), tangency::Error>(())
    /// ```
    pub fn new() -> Self {
        Self::default()
    }

    pub(super) fn clear(&mut self) {
        self.offsets.clear();
        self.each.clear();
        (self.stats, self.on_host) = (Stats::default(), 0);
    }

    /// Gets the bodies of all points from a first one on, in parts: how many each point has, and these. The points before it have none.
    pub(super) fn fill<'a>(&mut self, first: usize, parts: impl Iterator<Item = &'a Part>) {
        self.offsets.resize(first + 1, self.each.len());
        let mut end = self.each.len();
        for Part { counts, each, .. } in parts {
            self.each.extend_from_slice(each);
            self.offsets.extend(counts.iter().map(|count| {
                end += count;
                end
            }));
        }
    }

    /// The same of points that were looked up in this order.
    pub(super) fn fill_in_order(&mut self, first: usize, order: &[usize], parts: &[Part]) {
        let counts = || order.iter().copied().zip(parts.iter().flat_map(|part| &part.counts));
        let start = first + 1;
        self.offsets.resize(start, 0);
        self.offsets.resize(start + order.len(), 0);
        counts().for_each(|(k, count)| self.offsets[start + k] = *count);
        (start..self.offsets.len()).for_each(|place| self.offsets[place] += self.offsets[place - 1]);
        let nothing = ClosestBody { body: 0, distance: 0.0, point: Vec3::ZERO };
        self.each.resize(self.offsets[first + order.len()], nothing);
        let mut each = parts.iter().flat_map(|part| &part.each);
        for (k, count) in counts() {
            let to = self.offsets[start + k - 1];
            self.each[to..to + count].iter_mut().zip(&mut each).for_each(|(place, found)| *place = *found);
        }
    }

    /// How many bodies there are, of all points.
    ///
    /// ```
    /// # use tangency::{Bodies, Engine, Points, shape::Sphere};
    /// # let mut bodies = Bodies::new();
    /// bodies.push(Sphere::new([0.0; 3], 1.0)?)?;
    /// assert_eq!(Engine::new()?.closest(&bodies, &Points::of([[5.0; 3]; 7])?).run()?.len(), 7);
    /// # Ok::<(), tangency::Error>(())
    /// ```
    pub fn len(&self) -> usize {
        self.each.len()
    }

    /// Whether there are none.
    ///
    /// ```
    /// # use tangency::{Bodies, Engine, Points};
    /// assert!(Engine::new()?.closest(&Bodies::new(), &Points::of([[5.0; 3]])?).run()?.is_empty());
    /// # Ok::<(), tangency::Error>(())
    /// ```
    pub fn is_empty(&self) -> bool {
        self.each.is_empty()
    }

    /// The bodies of a point, the nearest first; none if there is no such point.
    ///
    /// ```
    /// # use tangency::{Bodies, Engine, Points, shape::Sphere};
    /// # let mut bodies = Bodies::new();
    /// bodies.push(Sphere::new([0.0; 3], 1.0)?)?;
    /// let found = Engine::new()?.closest(&bodies, &Points::of([[5.0; 3]])?).count(3).run()?;
    /// assert_eq!((found.of_point(0).len(), found.of_point(1).len()), (1, 0));
    /// # Ok::<(), tangency::Error>(())
    /// ```
    pub fn of_point(&self, point: u32) -> &[ClosestBody] {
        match self.offsets.get(point as usize..) {
            Some(&[start, end, ..]) => &self.each[start..end],
            _ => &[],
        }
    }

    /// The body that is nearest to a point.
    ///
    /// ```
    /// # use tangency::{Bodies, Engine, Points, shape::Sphere};
    /// # let mut bodies = Bodies::new();
    /// bodies.extend([Sphere::new([0.0; 3], 1.0)?, Sphere::new([4.0; 3], 1.0)?])?;
    /// let found = Engine::new()?.closest(&bodies, &Points::of([[5.0; 3]])?).run()?;
    /// assert_eq!(found.nearest(0).map(|near| near.body), Some(1));
    /// # Ok::<(), tangency::Error>(())
    /// ```
    pub fn nearest(&self, point: u32) -> Option<&ClosestBody> {
        self.of_point(point).first()
    }

    /// Each point with each of its bodies.
    ///
    /// ```
    /// # use tangency::{Bodies, Engine, Points, shape::Sphere};
    /// # let mut bodies = Bodies::new();
    /// bodies.push(Sphere::new([0.0; 3], 1.0)?)?;
    /// let found = Engine::new()?.closest(&bodies, &Points::of([[5.0; 3]; 2])?).run()?;
    /// assert_eq!(found.iter().map(|(point, near)| (point, near.body)).collect::<Vec<_>>(), [(0, 0), (1, 0)]);
    /// # Ok::<(), tangency::Error>(())
    /// ```
    pub fn iter(&self) -> ClosestIter<'_> {
        ClosestIter { ends: self.offsets.get(1..).unwrap_or_default(), each: &self.each, point: 0, place: 0 }
    }

    /// How the answer was found.
    ///
    /// ```
    /// # use tangency::{Bodies, Engine, Points};
    /// assert_eq!(Engine::new()?.closest(&Bodies::new(), &Points::new()).run()?.stats().candidates, 0);
    /// # Ok::<(), tangency::Error>(())
    /// ```
    pub fn stats(&self) -> &Stats {
        &self.stats
    }

    /// How many distances the host computed: all of them on the CPU, and on a GPU those whose numbers are outside the domain of its arithmetic.
    ///
    /// ```
    /// # use tangency::{Bodies, Engine, Points};
    /// assert_eq!(Engine::new()?.closest(&Bodies::new(), &Points::new()).run()?.computed_on_host(), 0);
    /// # Ok::<(), tangency::Error>(())
    /// ```
    pub fn computed_on_host(&self) -> u64 {
        self.on_host
    }

    /// A number that is the same for equal answers, on every machine.
    ///
    /// ```
    /// # use tangency::{Bodies, Engine, Points};
    /// let (bodies, points) = (Bodies::new(), Points::of([[0.0; 3]])?);
    /// let found = Engine::new()?.closest(&bodies, &points).run()?;
    /// assert_eq!(found.fingerprint(), found.clone().fingerprint());
    /// # Ok::<(), tangency::Error>(())
    /// ```
    pub fn fingerprint(&self) -> u64 {
        let words = self.offsets.iter().map(|offset| *offset as u32).chain(self.words());
        words.flat_map(u32::to_le_bytes).fold(FNV_START, fnv1a_step)
    }

    /// The bits of all bodies.
    fn words(&self) -> impl Iterator<Item = u32> {
        self.each.iter().flat_map(|near| {
            let [x, y, z] = near.point.to_array().map(f32::to_bits);
            [near.body, near.distance.to_bits(), x, y, z]
        })
    }
}
