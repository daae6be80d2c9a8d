//! What a query for pairs returns.

use std::ops::Range;
use std::time::Duration;

use crate::Relation;

/// Pairs of bodies in canonical order: each once, sorted by the first id, then by the second, with their relation.
///
/// The same content in two forms: a list of pairs, and rows (the partners of a body are
/// [`partners`](Self::partners); [`offsets`](Self::offsets) and the second ids make CSR).
///
/// ```
/// use tangency::{Bodies, Engine, Relation, shape::Sphere};
///
/// let mut bodies = Bodies::new();
/// for x in [0.0, 2.0, 3.5] {
///     bodies.push(Sphere::new([x, 0.0, 0.0], 1.0)?)?;
/// }
/// let hits = Engine::new()?.overlaps(&bodies).run()?;
/// let found: Vec<_> = hits.iter().collect();
/// assert_eq!(found, [(0, 1, Relation::Touching), (1, 2, Relation::Overlapping)]);
/// assert_eq!(hits.partners(1).collect::<Vec<_>>(), [2]);
/// # Ok::<(), tangency::Error>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Overlaps {
    pub(crate) pairs: Vec<[u32; 2]>,
    pub(crate) relations: Vec<Relation>,
    /// Where each body's row begins, and where the last ends.
    pub(crate) offsets: Vec<usize>,
    pub(crate) stats: Stats,
}

impl PartialEq for Overlaps {
    /// Whether the pairs and their relations are the same; how they were found does not count.
    fn eq(&self, other: &Self) -> bool {
        self.pairs == other.pairs && self.relations == other.relations
    }
}

/// How a query went: counts and times, for people who measure.
///
/// ```
/// # use tangency::{Bodies, Engine, shape::Sphere};
/// let mut bodies = Bodies::new();
/// bodies.extend([Sphere::new([0.0; 3], 1.0)?, Sphere::new([1.0, 0.0, 0.0], 1.0)?])?;
/// let hits = Engine::new()?.overlaps(&bodies).run()?;
/// assert!(hits.stats().candidates >= 1 && !hits.stats().stages.is_empty());
/// # Ok::<(), tangency::Error>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Stats {
    /// Pairs that the narrow phase looked at.
    pub candidates: u64,
    /// Pairs that the certified filter left to exact arithmetic. Another backend may leave others, and a GPU not always the same.
    pub undecided: u64,
    /// The stages, in order, with the time each took.
    pub stages: Vec<(&'static str, Duration)>,
}

impl Stats {
    /// The time of all stages.
    ///
    /// ```
    /// # use std::time::Duration;
    /// # use tangency::{Bodies, Engine, Stats};
    /// assert_eq!(Stats::default().total(), Duration::ZERO);
    /// let stats = Engine::new()?.overlaps(&Bodies::new()).run()?.stats().clone();
    /// assert_eq!(stats.total(), stats.stages.iter().map(|(_, time)| *time).sum());
    /// # Ok::<(), tangency::Error>(())
    /// ```
    pub fn total(&self) -> Duration {
        self.stages.iter().map(|(_, time)| *time).sum()
    }
}

impl Overlaps {
    /// No pairs: to be handed to [`run_into`](crate::Request::run_into), which reuses its memory from call to call.
    ///
    /// ```
    /// # use tangency::{Bodies, Engine, Overlaps, shape::Sphere};
    /// let (engine, mut bodies, mut hits) = (Engine::new()?, Bodies::new(), Overlaps::new());
    /// for found in [0, 0, 1] {
    ///     engine.overlaps(&bodies).run_into(&mut hits)?;
    ///     assert_eq!(hits.len(), found);
    ///     bodies.push(Sphere::new([0.0; 3], 1.0)?)?;
    /// }
    /// # Ok::<(), tangency::Error>(())
    /// ```
    pub fn new() -> Self {
        Self::default()
    }

    /// How many pairs there are.
    ///
    /// ```
    /// # use tangency::{Bodies, Engine, shape::Sphere};
    /// let mut bodies = Bodies::new();
    /// bodies.extend([Sphere::new([0.0; 3], 1.0)?; 4])?;
    /// assert_eq!(Engine::new()?.overlaps(&bodies).run()?.len(), 6); // each with each
    /// # Ok::<(), tangency::Error>(())
    /// ```
    pub fn len(&self) -> usize {
        self.pairs.len()
    }

    /// Whether there are none.
    ///
    /// ```
    /// # use tangency::{Bodies, Engine, shape::Sphere};
    /// let mut bodies = Bodies::new();
    /// bodies.push(Sphere::new([0.0; 3], 1.0)?)?;
    /// assert!(Engine::new()?.overlaps(&bodies).run()?.is_empty());
    /// # Ok::<(), tangency::Error>(())
    /// ```
    pub fn is_empty(&self) -> bool {
        self.pairs.is_empty()
    }

    /// The pairs.
    ///
    /// ```
    /// # use tangency::{Bodies, Engine, shape::Sphere};
    /// let mut bodies = Bodies::new();
    /// bodies.extend([Sphere::new([0.0; 3], 1.0)?; 3])?;
    /// let hits = Engine::new()?.overlaps(&bodies).run()?;
    /// assert_eq!(hits.pairs().collect::<Vec<_>>(), [(0, 1), (0, 2), (1, 2)]);
    /// # Ok::<(), tangency::Error>(())
    /// ```
    pub fn pairs(&self) -> Pairs<'_> {
        Pairs { pairs: self.pairs.iter() }
    }

    /// The pairs with their relations.
    ///
    /// ```
    /// # use tangency::{Bodies, Engine, Relation, shape::Sphere};
    /// let mut bodies = Bodies::new();
    /// bodies.extend([Sphere::new([0.0; 3], 1.0)?, Sphere::new([2.0, 0.0, 0.0], 1.0)?])?;
    /// let hits = Engine::new()?.overlaps(&bodies).run()?;
    /// assert_eq!(hits.iter().collect::<Vec<_>>(), [(0, 1, Relation::Touching)]);
    /// # Ok::<(), tangency::Error>(())
    /// ```
    pub fn iter(&self) -> Iter<'_> {
        Iter { pairs: self.pairs.iter(), relations: self.relations.iter() }
    }

    /// The pairs as a slice, for bulk use.
    ///
    /// ```
    /// # use tangency::{Bodies, Engine, shape::Sphere};
    /// let mut bodies = Bodies::new();
    /// bodies.extend([Sphere::new([0.0; 3], 1.0)?; 3])?;
    /// assert_eq!(Engine::new()?.overlaps(&bodies).run()?.as_slice(), [[0, 1], [0, 2], [1, 2]]);
    /// # Ok::<(), tangency::Error>(())
    /// ```
    pub fn as_slice(&self) -> &[[u32; 2]] {
        &self.pairs
    }

    /// The relation of each pair, in the same order.
    ///
    /// ```
    /// # use tangency::{Bodies, Engine, Relation, shape::Sphere};
    /// let mut bodies = Bodies::new();
    /// bodies.extend([Sphere::new([0.0; 3], 1.0)?, Sphere::new([2.0, 0.0, 0.0], 1.0)?])?;
    /// assert_eq!(Engine::new()?.overlaps(&bodies).run()?.relations(), [Relation::Touching]);
    /// # Ok::<(), tangency::Error>(())
    /// ```
    pub fn relations(&self) -> &[Relation] {
        &self.relations
    }

    /// Where each body's row begins in the list of pairs: body a has the pairs `offsets[a]..offsets[a + 1]`.
    ///
    /// ```
    /// # use tangency::{Bodies, Engine, shape::Sphere};
    /// let mut bodies = Bodies::new();
    /// bodies.extend([Sphere::new([0.0; 3], 1.0)?; 3])?;
    /// assert_eq!(Engine::new()?.overlaps(&bodies).run()?.offsets(), [0, 2, 3, 3]);
    /// # Ok::<(), tangency::Error>(())
    /// ```
    pub fn offsets(&self) -> &[usize] {
        &self.offsets
    }

    /// The places in the list of pairs whose first body is `a`; empty for an id beyond the end.
    ///
    /// ```
    /// # use tangency::{Bodies, Engine, shape::Sphere};
    /// let mut bodies = Bodies::new();
    /// bodies.extend([Sphere::new([0.0; 3], 1.0)?; 3])?;
    /// let hits = Engine::new()?.overlaps(&bodies).run()?;
    /// assert_eq!(hits.as_slice()[hits.row(1)], [[1, 2]]);
    /// assert!(hits.row(99).is_empty());
    /// # Ok::<(), tangency::Error>(())
    /// ```
    pub fn row(&self, a: u32) -> Range<usize> {
        let at = |k: usize| self.offsets.get(k).copied().unwrap_or(self.pairs.len());
        at(a as usize)..at(a as usize + 1)
    }

    /// The second bodies of the pairs whose first is `a`.
    ///
    /// ```
    /// # use tangency::{Bodies, Engine, shape::Sphere};
    /// let mut bodies = Bodies::new();
    /// bodies.extend([Sphere::new([0.0; 3], 1.0)?; 3])?;
    /// let hits = Engine::new()?.overlaps(&bodies).run()?;
    /// assert_eq!(hits.partners(0).collect::<Vec<_>>(), [1, 2]);
    /// # Ok::<(), tangency::Error>(())
    /// ```
    pub fn partners(&self, a: u32) -> Partners<'_> {
        Partners { pairs: self.pairs[self.row(a)].iter() }
    }

    /// FNV-1a, 64 bit, over the little-endian ids of every pair: equal pairs have equal hashes on every machine.
    ///
    /// Relations are not part of it: [`fingerprint`](Self::fingerprint) covers them too.
    ///
    /// ```
    /// # use tangency::Overlaps;
    /// assert_eq!(Overlaps::new().pairs_fingerprint(), 0xcbf2_9ce4_8422_2325); // the start of FNV-1a
    /// ```
    pub fn pairs_fingerprint(&self) -> u64 {
        self.pairs
            .iter()
            .flatten()
            .flat_map(|id| id.to_le_bytes())
            .fold(crate::hash::FNV_START, crate::hash::fnv1a_step)
    }

    /// FNV-1a, 64 bit, over nine bytes for every pair in canonical order: the first id and the second id (four bytes each,
    /// little-endian), then the relation (1 touching, 2 overlapping). Equal answers have equal fingerprints on every machine, and
    /// a touching pair that is called overlapping changes it.
    ///
    /// ```
    /// # use tangency::{Bodies, Engine, Overlaps, shape::Sphere};
    /// assert_eq!(Overlaps::new().fingerprint(), 0xcbf2_9ce4_8422_2325); // the start of FNV-1a
    /// let engine = Engine::new()?;
    /// let [touching, overlapping] = [2.0, 1.5].map(|x| {
    ///     let mut bodies = Bodies::new();
    ///     bodies.extend([Sphere::new([0.0; 3], 1.0)?, Sphere::new([x, 0.0, 0.0], 1.0)?])?;
    ///     engine.overlaps(&bodies).run()
    /// });
    /// let (touching, overlapping) = (touching?, overlapping?);
    /// assert_eq!(touching.pairs_fingerprint(), overlapping.pairs_fingerprint()); // the same pair
    /// assert_ne!(touching.fingerprint(), overlapping.fingerprint()); // but not the same relation
    /// # Ok::<(), tangency::Error>(())
    /// ```
    pub fn fingerprint(&self) -> u64 {
        self.iter()
            .flat_map(|(a, b, relation)| {
                let ([a0, a1, a2, a3], [b0, b1, b2, b3]) = (a.to_le_bytes(), b.to_le_bytes());
                [a0, a1, a2, a3, b0, b1, b2, b3, relation as u8]
            })
            .fold(crate::hash::FNV_START, crate::hash::fnv1a_step)
    }

    /// How the query went.
    ///
    /// ```
    /// # use tangency::{Bodies, Engine, shape::Sphere};
    /// let mut bodies = Bodies::new();
    /// bodies.extend([Sphere::new([0.0; 3], 1.0)?, Sphere::new([2.0, 0.0, 0.0], 1.0)?])?;
    /// let hits = Engine::new()?.overlaps(&bodies).run()?;
    /// assert!(hits.stats().candidates >= hits.len() as u64);
    /// # Ok::<(), tangency::Error>(())
    /// ```
    pub fn stats(&self) -> &Stats {
        &self.stats
    }

    /// Makes room for so many pairs and offsets, all of which have to be written then: whatever was there may be there still.
    pub(crate) fn make_room(&mut self, pairs: usize, offsets: usize) {
        make_room(&mut self.pairs, pairs, [0; 2]);
        make_room(&mut self.relations, pairs, Relation::Separate);
        make_room(&mut self.offsets, offsets, 0);
    }

    /// Forgets the pairs and keeps the memory.
    ///
    /// ```
    /// # use tangency::{Bodies, Engine, Overlaps, shape::Sphere};
    /// let mut bodies = Bodies::new();
    /// bodies.extend([Sphere::new([0.0; 3], 1.0)?; 2])?;
    /// let mut hits = Engine::new()?.overlaps(&bodies).run()?;
    /// hits.clear();
    /// assert_eq!(hits, Overlaps::new());
    /// # Ok::<(), tangency::Error>(())
    /// ```
    pub fn clear(&mut self) {
        self.pairs.clear();
        self.relations.clear();
        self.offsets.clear();
        self.stats = Stats::default();
    }
}

/// Sets the length, and fills in `value` where there was none. Fresh memory is zero already, and is not touched if that is the value.
fn make_room<T: Clone>(vec: &mut Vec<T>, len: usize, value: T) {
    if vec.capacity() < len {
        // What has grown once will grow again.
        let room = if vec.capacity() > 0 { len + len / 4 } else { len };
        *vec = Vec::new();
        *vec = vec![value.clone(); room];
    }
    vec.resize(len, value);
}

impl<'a> IntoIterator for &'a Overlaps {
    type Item = (u32, u32, Relation);
    type IntoIter = Iter<'a>;

    fn into_iter(self) -> Iter<'a> {
        self.iter()
    }
}

/// Implements an iterator over pairs by what its next item is.
macro_rules! iterator {
    ($name:ident, $item:ty, |$iter:ident| $next:expr) => {
        impl Iterator for $name<'_> {
            type Item = $item;

            fn next(&mut self) -> Option<$item> {
                let $iter = self;
                $next
            }

            fn size_hint(&self) -> (usize, Option<usize>) {
                self.pairs.size_hint()
            }
        }

        impl ExactSizeIterator for $name<'_> {}
        impl std::iter::FusedIterator for $name<'_> {}
    };
}

/// The pairs of an answer, in canonical order: [`Overlaps::pairs`], [`Candidates::pairs`](crate::Candidates::pairs).
///
/// ```
/// # use tangency::{Bodies, Engine, shape::Sphere};
/// let mut bodies = Bodies::new();
/// bodies.extend([Sphere::new([0.0; 3], 1.0)?; 3])?;
/// let hits = Engine::new()?.overlaps(&bodies).run()?;
/// let pairs: tangency::batch::Pairs<'_> = hits.pairs();
/// assert_eq!((pairs.len(), pairs.last()), (3, Some((1, 2))));
/// # Ok::<(), tangency::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Pairs<'a> {
    pairs: std::slice::Iter<'a, [u32; 2]>,
}

/// The pairs of an answer with their relations, in canonical order: [`Overlaps::iter`].
///
/// ```
/// # use tangency::{Bodies, Engine, shape::Sphere};
/// let mut bodies = Bodies::new();
/// bodies.extend([Sphere::new([0.0; 3], 1.0)?; 3])?;
/// let hits = Engine::new()?.overlaps(&bodies).run()?;
/// let iter: tangency::batch::Iter<'_> = hits.iter();
/// assert!(iter.eq(&hits));
/// # Ok::<(), tangency::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Iter<'a> {
    pairs: std::slice::Iter<'a, [u32; 2]>,
    relations: std::slice::Iter<'a, Relation>,
}

/// The second bodies of the pairs of a row, ascending: [`Overlaps::partners`].
///
/// ```
/// # use tangency::{Bodies, Engine, shape::Sphere};
/// let mut bodies = Bodies::new();
/// bodies.extend([Sphere::new([0.0; 3], 1.0)?; 3])?;
/// let hits = Engine::new()?.overlaps(&bodies).run()?;
/// let partners: tangency::batch::Partners<'_> = hits.partners(0);
/// assert!(partners.eq([1, 2]));
/// # Ok::<(), tangency::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Partners<'a> {
    pairs: std::slice::Iter<'a, [u32; 2]>,
}

iterator!(Pairs, (u32, u32), |iter| iter.pairs.next().map(|[a, b]| (*a, *b)));
iterator!(Partners, u32, |iter| iter.pairs.next().map(|[_, b]| *b));
iterator!(Iter, (u32, u32, Relation), |iter| {
    let ([a, b], relation) = (iter.pairs.next()?, iter.relations.next()?);
    Some((*a, *b, *relation))
});
