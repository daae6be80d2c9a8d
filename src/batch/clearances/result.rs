//! What a query for clearances returns.

use crate::batch::iters::PairsWith;
use crate::batch::rows::{Overlaps, Stats};
use crate::hash::{FNV_START, fnv1a_step};
use crate::near::Clearance;
use crate::{Bodies, Relation, Result, Traits};

/// How far apart the bodies of each pair are that are near each other, in the order of the pairs.
///
/// Every bit is the same on the CPU and on every adapter.
///
/// ```
/// use tangency::{Bodies, Engine, shape::Sphere};
///
/// let mut bodies = Bodies::new();
/// for x in [0.0, 2.5, 6.0] {
///     bodies.push(Sphere::new([x, 0.0, 0.0], 1.0)?)?;
/// }
/// let clearances = Engine::new()?.clearances(&bodies, 1.0).run()?;
/// for (a, b, found) in clearances.iter() {
///     println!("{a} and {b}: {} free, from {} to {}", found.distance(), found.on_a(), found.on_b());
/// }
/// assert_eq!(clearances.pairs().to_vec(), [[0, 1]]);
/// # Ok::<(), tangency::Error>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Clearances {
    pub(super) pairs: Overlaps,
    pub(super) each: Vec<Clearance>,
    /// How many the host computed.
    pub(super) on_host: u64,
}

impl PartialEq for Clearances {
    /// Whether pairs and clearances are the same, bit for bit; how they were found does not count.
    fn eq(&self, other: &Self) -> bool {
        self.pairs == other.pairs && self.words() == other.words()
    }
}

impl Clearances {
    /// The bits of all clearances.
    fn words(&self) -> &[u32] {
        bytemuck::cast_slice(&self.each)
    }

    /// No clearances: to be handed to [`run_into`](crate::Request::run_into), which reuses its memory from call to call.
    ///
    /// ```
    /// # use tangency::{Bodies, Clearances, Engine};
    /// let mut clearances = Clearances::new();
    /// Engine::new()?.clearances(&Bodies::new(), 1.0).run_into(&mut clearances)?;
    /// assert!(clearances.is_empty());
    /// # Ok::<(), tangency::Error>(())
    /// ```
    pub fn new() -> Self {
        Self::default()
    }

    /// How many pairs are near each other.
    ///
    /// ```
    /// # use tangency::{Bodies, Engine, shape::Sphere};
    /// # let mut bodies = Bodies::new();
    /// bodies.extend([Sphere::new([0.0; 3], 1.0)?; 4])?;
    /// assert_eq!(Engine::new()?.clearances(&bodies, 0.0).run()?.len(), 6); // each with each
    /// # Ok::<(), tangency::Error>(())
    /// ```
    pub fn len(&self) -> usize {
        self.each.len()
    }

    /// Whether no bodies are near each other.
    ///
    /// ```
    /// # use tangency::{Bodies, Engine};
    /// assert!(Engine::new()?.clearances(&Bodies::new(), 1.0).run()?.is_empty());
    /// # Ok::<(), tangency::Error>(())
    /// ```
    pub fn is_empty(&self) -> bool {
        self.each.is_empty()
    }

    /// The pairs, as [`overlaps`](crate::Engine::overlaps) with a [`margin`](crate::Request::margin) returns them: exactly those that are at
    /// most so far apart.
    ///
    /// ```
    /// # use tangency::{Bodies, Engine, shape::Sphere};
    /// # let mut bodies = Bodies::new();
    /// # bodies.extend([Sphere::new([0.0; 3], 1.0)?; 3])?;
    /// let engine = Engine::new()?;
    /// assert_eq!(*engine.clearances(&bodies, 0.5).run()?.pairs(), engine.overlaps(&bodies).margin(0.5).run()?);
    /// # Ok::<(), tangency::Error>(())
    /// ```
    pub fn pairs(&self) -> &Overlaps {
        &self.pairs
    }

    /// The clearances, sorted by the first body, then by the second.
    ///
    /// ```
    /// # use tangency::{Bodies, Engine, shape::Sphere};
    /// # let mut bodies = Bodies::new();
    /// # bodies.extend([Sphere::new([0.0; 3], 1.0)?; 3])?;
    /// let found = Engine::new()?.clearances(&bodies, 0.5).run()?;
    /// assert!(found.clearances().iter().all(|clearance| clearance.distance() == 0.0));
    /// # Ok::<(), tangency::Error>(())
    /// ```
    pub fn clearances(&self) -> &[Clearance] {
        &self.each
    }

    /// The bodies of each pair, and how far apart they are.
    ///
    /// ```
    /// # use tangency::{Bodies, Engine, shape::Sphere};
    /// # let mut bodies = Bodies::new();
    /// # bodies.extend([Sphere::new([0.0; 3], 1.0)?; 3])?;
    /// let found = Engine::new()?.clearances(&bodies, 0.5).run()?;
    /// assert_eq!(found.iter().map(|(a, b, _)| [a, b]).collect::<Vec<_>>(), [[0, 1], [0, 2], [1, 2]]);
    /// # Ok::<(), tangency::Error>(())
    /// ```
    pub fn iter(&self) -> PairsWith<'_, Clearance> {
        PairsWith { pairs: self.pairs.pairs(), each: self.each.iter() }
    }

    /// How far apart bodies `a` and `b` are, if they are near each other. Of one set the smaller id comes first, as in
    /// [`pairs`](Self::pairs).
    ///
    /// ```
    /// # use tangency::{Bodies, Engine, shape::Sphere};
    /// # let mut bodies = Bodies::new();
    /// bodies.extend([Sphere::new([0.0; 3], 1.0)?, Sphere::new([9.0, 0.0, 0.0], 1.0)?])?;
    /// assert_eq!(Engine::new()?.clearances(&bodies, 1.0).run()?.get(0, 1), None);
    /// # Ok::<(), tangency::Error>(())
    /// ```
    pub fn get(&self, a: u32, b: u32) -> Option<&Clearance> {
        let row = &self.each[self.pairs.row(a)];
        row.binary_search_by_key(&b, Clearance::b).ok().map(|at| &row[at])
    }

    /// The least distance of each body of the first set from others; `None` of those that are near no other. Of one set, both bodies of a
    /// pair count.
    ///
    /// ```
    /// # use tangency::{Bodies, Engine, shape::Sphere};
    /// # let mut bodies = Bodies::new();
    /// for x in [0.0, 2.0, 3.0, 99.0] {
    ///     bodies.push(Sphere::new([x, 0.0, 0.0], 1.0)?)?;
    /// }
    /// let least = Engine::new()?.clearances(&bodies, 0.5).run()?.least_of_bodies();
    /// assert_eq!(least, [Some(0.0), Some(0.0), Some(0.0), None]);
    /// # Ok::<(), tangency::Error>(())
    /// ```
    pub fn least_of_bodies(&self) -> Vec<Option<f32>> {
        let within = !self.pairs.is_of_two_sets();
        let rows = self.pairs.offsets().len().saturating_sub(1);
        // The second bodies of a part of an answer may be beyond its rows.
        let end = if within { self.each.iter().map(|found| found.b() as usize + 1).max() } else { None };
        let mut least = vec![None; rows.max(end.unwrap_or(0))];
        for (a, b, clearance) in self {
            lessen(&mut least[a as usize], clearance.distance());
            if within {
                lessen(&mut least[b as usize], clearance.distance());
            }
        }
        least
    }

    /// The least distance in each [world](crate::Traits::world) in which bodies are near each other, of an answer about one set, which must
    /// not have changed since; worlds ascend, as those of [`Overlaps::by_world`] do.
    ///
    /// ```
    /// # use tangency::{Bodies, Engine, Traits, shape::Sphere};
    /// # let mut bodies = Bodies::new();
    /// for (world, x) in [(1, 3.0), (7, 9.0), (8, 1.0)] {
    ///     for x in [0.0, x] {
    ///         bodies.push_with(Sphere::new([x, 0.0, 0.0], 1.0)?, Traits::new().world(world))?;
    ///     }
    /// }
    /// let least = Engine::new()?.clearances(&bodies, 1.0).run()?.least_of_worlds(&bodies)?;
    /// assert_eq!(least.iter().map(|(world, _)| *world).collect::<Vec<_>>(), [1, 8]); // in 7 they are too far apart
    /// assert_eq!(least[1].1, 0.0);
    /// # Ok::<(), tangency::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`NoSuchBody`](crate::Error::NoSuchBody) if a body of a pair is not in the set.
    pub fn least_of_worlds(&self, bodies: &Bodies) -> Result<Vec<(u32, f32)>> {
        self.least_of_worlds_between(bodies, bodies)
    }

    /// As [`least_of_worlds`](Self::least_of_worlds), of an answer about the pairs of two sets.
    ///
    /// ```
    /// # use tangency::{Bodies, Engine, Traits, shape::Sphere};
    /// let (mut robots, mut room) = (Bodies::new(), Bodies::new());
    /// for world in [1, 2] {
    ///     robots.push_with(Sphere::new([0.0; 3], 1.0)?, Traits::new().world(world))?;
    /// }
    /// room.push_with(Sphere::new([0.5; 3], 1.0)?, Traits::new().in_every_world())?;
    /// let clearances = Engine::new()?.clearances(&robots, 1.0).against(&room).run()?;
    /// assert_eq!(clearances.least_of_worlds_between(&robots, &room)?, [(1, 0.0), (2, 0.0)]);
    /// # Ok::<(), tangency::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`least_of_worlds`](Self::least_of_worlds).
    pub fn least_of_worlds_between(&self, first: &Bodies, second: &Bodies) -> Result<Vec<(u32, f32)>> {
        let mut found = std::collections::BTreeMap::new();
        for (a, b, clearance) in self {
            let (a, b) = (first.traits(a)?.world, second.traits(b)?.world);
            let world = if a == Traits::EVERY_WORLD { b } else { a };
            lessen(found.entry(world).or_insert(None), clearance.distance());
        }
        Ok(found.into_iter().filter_map(|(world, least)| least.map(|least| (world, least))).collect())
    }

    /// A hash of all pairs and all bits of their clearances, the same on every backend.
    ///
    /// ```
    /// # use tangency::{BackendKind, Bodies, Engine, shape::Sphere};
    /// # let mut bodies = Bodies::new();
    /// # bodies.extend([Sphere::new([0.0; 3], 1.0)?; 3])?;
    /// let of = |kind| Engine::builder().backend(kind).build()?.clearances(&bodies, 1.0).run().map(|found| found.fingerprint());
    /// assert_eq!(of(BackendKind::Cpu)?, of(BackendKind::BruteForce)?);
    /// # Ok::<(), tangency::Error>(())
    /// ```
    pub fn fingerprint(&self) -> u64 {
        let relations = |(a, b, relation): (u32, u32, Relation)| [a, b, relation as u32];
        let words = self.pairs.iter().flat_map(relations).chain(self.words().iter().copied());
        words.flat_map(u32::to_le_bytes).fold(FNV_START, fnv1a_step)
    }

    /// How many clearances were computed by the host though a GPU answered: pairs of numbers so large or small that deterministic arithmetic
    /// leaves them to integers. On the CPU all of them.
    ///
    /// ```
    /// # use tangency::{BackendKind, Bodies, Engine, shape::Sphere};
    /// # let mut bodies = Bodies::new();
    /// # bodies.extend([Sphere::new([0.0; 3], 1.0)?; 3])?;
    /// let engine = Engine::builder().backend(BackendKind::Cpu).build()?;
    /// assert_eq!(engine.clearances(&bodies, 1.0).run()?.computed_on_host(), 3);
    /// # Ok::<(), tangency::Error>(())
    /// ```
    pub fn computed_on_host(&self) -> u64 {
        self.on_host
    }

    /// How the query went.
    ///
    /// ```
    /// # use tangency::{Bodies, Engine};
    /// assert_eq!(Engine::new()?.clearances(&Bodies::new(), 1.0).run()?.stats().candidates, 0);
    /// # Ok::<(), tangency::Error>(())
    /// ```
    pub fn stats(&self) -> &Stats {
        self.pairs.stats()
    }
}

fn lessen(least: &mut Option<f32>, distance: f32) {
    if least.is_none_or(|least| distance < least) {
        *least = Some(distance);
    }
}

/// Clearances are written as their pairs and the clearance of each.
#[cfg(feature = "serde")]
mod serde_impl {
    use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error as _};

    use super::{Clearance, Clearances, Overlaps};

    #[derive(Serialize)]
    #[serde(rename = "Clearances")]
    struct Written<'a> {
        pairs: &'a Overlaps,
        clearances: &'a [Clearance],
    }

    #[derive(Deserialize)]
    #[serde(rename = "Clearances", deny_unknown_fields)]
    struct Read {
        pairs: Overlaps,
        clearances: Vec<Clearance>,
    }

    impl Serialize for Clearances {
        fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
            Written { pairs: &self.pairs, clearances: &self.each }.serialize(serializer)
        }
    }

    impl<'de> Deserialize<'de> for Clearances {
        fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
            let Read { pairs, clearances } = Read::deserialize(deserializer)?;
            if !pairs.pairs().map(|(_, b)| b).eq(clearances.iter().map(Clearance::b)) {
                return Err(D::Error::custom("there must be a clearance for each pair, in the same order"));
            }
            Ok(Self { pairs, each: clearances, on_host: 0 })
        }
    }
}
