//! What a query about moving bodies returns.

use crate::batch::iters::PairsWith;
use crate::batch::rows::{Overlaps, Stats};
use crate::hash::{FNV_START, fnv1a_step};
use crate::near::SweepHit;
use crate::relation::MARK_TOUCHING;

/// The pairs of moving bodies that meet during a step, and when, in the order of the pairs.
///
/// Every bit is the same on the CPU and on every adapter.
///
/// ```
/// use tangency::{Bodies, Engine, query::Motion, shape::Sphere};
///
/// let mut bodies = Bodies::new();
/// for x in [0.0, 4.0, 9.0] {
///     bodies.push(Sphere::new([x, 0.0, 0.0], 1.0)?)?;
/// }
/// let motions = [Motion::translation([3.0, 0.0, 0.0])?, Motion::REST, Motion::REST];
/// let hits = Engine::new()?.sweep(&bodies, &motions).run()?;
/// for (a, b, hit) in hits.iter() {
///     println!("{a} and {b} do not touch before {}", hit.from());
/// }
/// assert_eq!(hits.pairs().to_vec(), [[0, 1]]);
/// # Ok::<(), tangency::Error>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct SweepHits {
    pub(super) pairs: Overlaps,
    pub(super) each: Vec<SweepHit>,
    /// How many the host computed.
    pub(super) on_host: u64,
}

impl PartialEq for SweepHits {
    /// Whether pairs and times are the same, bit for bit; how they were found does not count.
    fn eq(&self, other: &Self) -> bool {
        self.pairs == other.pairs && self.words() == other.words()
    }
}

impl SweepHits {
    /// The bits of all hits.
    fn words(&self) -> &[u32] {
        bytemuck::cast_slice(&self.each)
    }

    /// Leaves out pairs whose boxes meet and whose bodies do not.
    pub(super) fn leave_out_misses(&mut self) {
        let (pairs, each) = (&mut self.pairs, &mut self.each);
        let (mut kept, mut first) = (0, 0);
        for row in 0..pairs.offsets.len().saturating_sub(1) {
            let end = pairs.offsets[row + 1] as usize;
            pairs.offsets[row] = kept as u32;
            for place in first..end {
                if !each[place].is_miss() {
                    // (How their boxes meet is not asked.)
                    pairs.partners[kept] = pairs.partners[place] & !MARK_TOUCHING;
                    each[kept] = each[place];
                    kept += 1;
                }
            }
            first = end;
        }
        if let Some(last) = pairs.offsets.last_mut() {
            *last = kept as u32;
        }
        pairs.partners.truncate(kept);
        each.truncate(kept);
    }

    /// Pairs whose boxes merely touch are like others.
    #[cfg(feature = "gpu")]
    pub(super) fn forget_how_boxes_meet(&mut self) {
        self.pairs.partners.iter_mut().for_each(|partner| *partner &= !MARK_TOUCHING);
    }

    /// No hits: to be handed to [`run_into`](crate::Request::run_into), which reuses its memory from call to call.
    ///
    /// ```
    /// # use tangency::{Bodies, Engine, SweepHits};
    /// let mut hits = SweepHits::new();
    /// Engine::new()?.sweep(&Bodies::new(), &[]).run_into(&mut hits)?;
    /// assert!(hits.is_empty());
    /// # Ok::<(), tangency::Error>(())
    /// ```
    pub fn new() -> Self {
        Self::default()
    }

    /// How many pairs meet.
    ///
    /// ```
    /// # use tangency::{Bodies, Engine, query::Motion, shape::Sphere};
    /// # let mut bodies = Bodies::new();
    /// bodies.extend([Sphere::new([0.0; 3], 1.0)?; 4])?;
    /// assert_eq!(Engine::new()?.sweep(&bodies, &[Motion::REST; 4]).run()?.len(), 6); // each with each
    /// # Ok::<(), tangency::Error>(())
    /// ```
    pub fn len(&self) -> usize {
        self.each.len()
    }

    /// Whether no bodies meet.
    ///
    /// ```
    /// # use tangency::{Bodies, Engine};
    /// assert!(Engine::new()?.sweep(&Bodies::new(), &[]).run()?.is_empty());
    /// # Ok::<(), tangency::Error>(())
    /// ```
    pub fn is_empty(&self) -> bool {
        self.each.is_empty()
    }

    /// The pairs, in rows. (All of them count as overlapping: how they meet is not asked.)
    ///
    /// ```
    /// # use tangency::{Bodies, Engine, query::Motion, shape::Sphere};
    /// # let mut bodies = Bodies::new();
    /// # bodies.extend([Sphere::new([0.0; 3], 1.0)?; 3])?;
    /// let hits = Engine::new()?.sweep(&bodies, &[Motion::REST; 3]).run()?;
    /// assert_eq!(hits.hits()[hits.pairs().row(0)].len(), 2);
    /// # Ok::<(), tangency::Error>(())
    /// ```
    pub fn pairs(&self) -> &Overlaps {
        &self.pairs
    }

    /// When each pair meets, sorted by the first body, then by the second.
    ///
    /// ```
    /// # use tangency::{Bodies, Engine, query::Motion, shape::Sphere};
    /// # let mut bodies = Bodies::new();
    /// # bodies.extend([Sphere::new([0.0; 3], 1.0)?; 3])?;
    /// let hits = Engine::new()?.sweep(&bodies, &[Motion::REST; 3]).run()?;
    /// assert!(hits.hits().iter().all(|hit| hit.from() == 0.0));
    /// # Ok::<(), tangency::Error>(())
    /// ```
    pub fn hits(&self) -> &[SweepHit] {
        &self.each
    }

    /// The bodies of each pair, and when they meet.
    ///
    /// ```
    /// # use tangency::{Bodies, Engine, query::Motion, shape::Sphere};
    /// # let mut bodies = Bodies::new();
    /// # bodies.extend([Sphere::new([0.0; 3], 1.0)?; 3])?;
    /// let hits = Engine::new()?.sweep(&bodies, &[Motion::REST; 3]).run()?;
    /// assert_eq!(hits.iter().map(|(a, b, _)| [a, b]).collect::<Vec<_>>(), [[0, 1], [0, 2], [1, 2]]);
    /// # Ok::<(), tangency::Error>(())
    /// ```
    pub fn iter(&self) -> PairsWith<'_, SweepHit> {
        PairsWith { pairs: self.pairs.pairs(), each: self.each.iter() }
    }

    /// When bodies `a` and `b` meet, if they do. Of one set the smaller id comes first, as in [`pairs`](Self::pairs).
    ///
    /// ```
    /// # use tangency::{Bodies, Engine, query::Motion, shape::Sphere};
    /// # let mut bodies = Bodies::new();
    /// bodies.extend([Sphere::new([0.0; 3], 1.0)?, Sphere::new([9.0, 0.0, 0.0], 1.0)?])?;
    /// assert_eq!(Engine::new()?.sweep(&bodies, &[Motion::REST; 2]).run()?.get(0, 1), None);
    /// # Ok::<(), tangency::Error>(())
    /// ```
    pub fn get(&self, a: u32, b: u32) -> Option<&SweepHit> {
        let row = &self.each[self.pairs.row(a)];
        row.binary_search_by_key(&b, SweepHit::b).ok().map(|at| &row[at])
    }

    /// A hash of all pairs and all bits of their times, the same on every backend.
    ///
    /// ```
    /// # use tangency::{BackendKind, Bodies, Engine, query::Motion, shape::Sphere};
    /// # let mut bodies = Bodies::new();
    /// # bodies.extend([Sphere::new([0.0; 3], 1.0)?; 3])?;
    /// let of = |kind| {
    ///     let engine = Engine::builder().backend(kind).build()?;
    ///     engine.sweep(&bodies, &[Motion::REST; 3]).run().map(|hits| hits.fingerprint())
    /// };
    /// assert_eq!(of(BackendKind::Cpu)?, of(BackendKind::BruteForce)?);
    /// # Ok::<(), tangency::Error>(())
    /// ```
    pub fn fingerprint(&self) -> u64 {
        let pairs = self.pairs.pairs().flat_map(|(a, b)| [a, b]);
        pairs.chain(self.words().iter().copied()).flat_map(u32::to_le_bytes).fold(FNV_START, fnv1a_step)
    }

    /// How many pairs were computed by the host though a GPU answered: those of numbers so large or small that deterministic arithmetic leaves
    /// them to the scalar function. On the CPU all of them.
    ///
    /// ```
    /// # use tangency::{Bodies, Engine};
    /// assert_eq!(Engine::new()?.sweep(&Bodies::new(), &[]).run()?.computed_on_host(), 0);
    /// # Ok::<(), tangency::Error>(())
    /// ```
    pub fn computed_on_host(&self) -> u64 {
        self.on_host
    }

    /// How the query went.
    ///
    /// ```
    /// # use tangency::{Bodies, Engine};
    /// assert_eq!(Engine::new()?.sweep(&Bodies::new(), &[]).run()?.stats().candidates, 0);
    /// # Ok::<(), tangency::Error>(())
    /// ```
    pub fn stats(&self) -> &Stats {
        self.pairs.stats()
    }
}

/// Hits are written as their pairs and when each meets.
#[cfg(feature = "serde")]
mod serde_impl {
    use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error as _};

    use super::{Overlaps, SweepHit, SweepHits};

    #[derive(Serialize)]
    #[serde(rename = "SweepHits")]
    struct Written<'a> {
        pairs: &'a Overlaps,
        hits: &'a [SweepHit],
    }

    #[derive(Deserialize)]
    #[serde(rename = "SweepHits", deny_unknown_fields)]
    struct Read {
        pairs: Overlaps,
        hits: Vec<SweepHit>,
    }

    impl Serialize for SweepHits {
        fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
            Written { pairs: &self.pairs, hits: &self.each }.serialize(serializer)
        }
    }

    impl<'de> Deserialize<'de> for SweepHits {
        fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
            let Read { pairs, hits } = Read::deserialize(deserializer)?;
            if !pairs.pairs().map(|(_, b)| b).eq(hits.iter().map(SweepHit::b)) {
                return Err(D::Error::custom("there must be a hit for each pair, in the same order"));
            }
            Ok(Self { pairs, each: hits, on_host: 0 })
        }
    }
}
