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
/// let hits = Engine::new()?.overlaps(&bodies)?;
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
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Stats {
    /// Pairs that the narrow phase looked at.
    pub candidates: u64,
    /// Pairs that the certified filter left to exact arithmetic.
    pub undecided: u64,
    /// The stages, in order, with the time each took.
    pub stages: Vec<(&'static str, Duration)>,
}

impl Stats {
    /// The time of all stages.
    pub fn total(&self) -> Duration {
        self.stages.iter().map(|(_, time)| *time).sum()
    }
}

impl Overlaps {
    /// No pairs: to be handed to an `_into` query, which reuses its memory from call to call.
    pub fn new() -> Self {
        Self::default()
    }

    /// How many pairs there are.
    pub fn len(&self) -> usize {
        self.pairs.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.pairs.is_empty()
    }

    /// The pairs.
    pub fn pairs(&self) -> impl ExactSizeIterator<Item = (u32, u32)> + '_ {
        self.pairs.iter().map(|[a, b]| (*a, *b))
    }

    /// The pairs with their relations.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (u32, u32, Relation)> + '_ {
        self.pairs.iter().zip(&self.relations).map(|([a, b], relation)| (*a, *b, *relation))
    }

    /// The pairs as a slice, for bulk use.
    pub fn as_slice(&self) -> &[[u32; 2]] {
        &self.pairs
    }

    /// The relation of each pair, in the same order.
    pub fn relations(&self) -> &[Relation] {
        &self.relations
    }

    /// Where each body's row begins in the list of pairs: body a has the pairs `offsets[a]..offsets[a + 1]`.
    pub fn offsets(&self) -> &[usize] {
        &self.offsets
    }

    /// The places in the list of pairs whose first body is `a`; empty for an id beyond the end.
    pub fn row(&self, a: u32) -> Range<usize> {
        let at = |k: usize| self.offsets.get(k).copied().unwrap_or(self.pairs.len());
        at(a as usize)..at(a as usize + 1)
    }

    /// The second bodies of the pairs whose first is `a`.
    pub fn partners(&self, a: u32) -> impl ExactSizeIterator<Item = u32> + '_ {
        self.pairs[self.row(a)].iter().map(|[_, b]| *b)
    }

    /// FNV-1a, 64 bit, over the little-endian ids of every pair: equal answers have equal hashes on every machine.
    pub fn hash(&self) -> u64 {
        self.pairs
            .iter()
            .flatten()
            .flat_map(|id| id.to_le_bytes())
            .fold(crate::scenes::FNV_START, crate::scenes::fnv1a_step)
    }

    /// How the query went.
    pub fn stats(&self) -> &Stats {
        &self.stats
    }

    /// Forgets the pairs and keeps the memory.
    pub fn clear(&mut self) {
        self.pairs.clear();
        self.relations.clear();
        self.offsets.clear();
        self.stats = Stats::default();
    }
}

impl<'a> IntoIterator for &'a Overlaps {
    type Item = (u32, u32, Relation);
    type IntoIter = Box<dyn Iterator<Item = Self::Item> + 'a>;

    fn into_iter(self) -> Self::IntoIter {
        Box::new(self.iter())
    }
}
