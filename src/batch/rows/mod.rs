//! What a query for pairs returns.

mod changes;
mod fingerprint;
mod iter;
mod neighbours;
#[cfg(feature = "serde")]
mod serde_impl;
mod stats;
mod worlds;

use std::ops::Range;
use std::sync::{Arc, OnceLock};

pub use changes::PairChanges;
pub use iter::{Iter, Pairs, Partners};
pub use neighbours::Neighbours;
use neighbours::Smaller;
#[cfg(feature = "serde")]
pub(crate) use serde_impl::Written;
pub use stats::Stats;
pub use worlds::{ByWorld, WorldIter};

use super::set::PairedSets;
use crate::relation::MARK_TOUCHING;
use crate::{Error, Relation, Result};

/// Pairs of bodies in canonical order: each once, sorted by the first id, then by the second, with their relation.
///
/// They are kept as the device writes them, in compressed sparse rows: a row for each body, with its partners of larger ids. Pairs
/// are made from that when they are read: [`iter`](Self::iter) and [`pairs`](Self::pairs) go through all of them,
/// [`neighbours`](Self::neighbours) through those of one body, and [`changes_from`](Self::changes_from) says what is new since an
/// earlier answer.
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
/// assert_eq!(hits.neighbours(1).collect::<Vec<_>>(), [0, 2]);
/// assert_eq!(hits.relation(2, 1), Relation::Overlapping);
/// # Ok::<(), tangency::Error>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Overlaps {
    /// Where each body's row begins in `partners`, and where the last ends.
    pub(crate) offsets: Vec<u32>,
    /// The second body of each pair, marked if it only touches the first.
    pub(crate) partners: Vec<u32>,
    origin: Origin,
    pub(crate) stats: Stats,
    /// The pairs by their second body, made when first asked for.
    smaller: OnceLock<Smaller>,
}

/// Whose pairs they are.
#[derive(Clone, Debug, Default)]
struct Origin {
    /// Which bodies had the ids, of the first bodies and of the second; absent if that is not known.
    births: Option<[Arc<Vec<u64>>; 2]>,
    /// Whether the second bodies are of another set.
    of_two_sets: bool,
}

impl PartialEq for Overlaps {
    /// Whether the pairs and their relations are the same; how they were found does not count.
    fn eq(&self, other: &Self) -> bool {
        self.partners == other.partners && self.pairs().eq(other.pairs())
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
        self.partners.len()
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
        self.partners.is_empty()
    }

    /// Whether bodies `a` and `b` touch or overlap. Of one set they may be given in any order; of two sets the body of the first comes
    /// first.
    ///
    /// ```
    /// # use tangency::{Bodies, Engine, shape::Sphere};
    /// let mut bodies = Bodies::new();
    /// bodies.extend([0.0, 1.0, 9.0].map(|x| Sphere::new([x, 0.0, 0.0], 1.0).expect("a ball")))?;
    /// let hits = Engine::new()?.overlaps(&bodies).run()?;
    /// assert!(hits.contains(0, 1) && hits.contains(1, 0) && !hits.contains(0, 2));
    /// # Ok::<(), tangency::Error>(())
    /// ```
    pub fn contains(&self, a: u32, b: u32) -> bool {
        self.relation(a, b).is_hit()
    }

    /// The relation of bodies `a` and `b`: [`Separate`](Relation::Separate) if they are no pair of this answer.
    ///
    /// Of one set they may be given in any order; of two sets the body of the first comes first.
    ///
    /// ```
    /// # use tangency::{Bodies, Engine, Relation, shape::Sphere};
    /// let mut bodies = Bodies::new();
    /// bodies.extend([0.0, 2.0, 9.0].map(|x| Sphere::new([x, 0.0, 0.0], 1.0).expect("a ball")))?;
    /// let hits = Engine::new()?.overlaps(&bodies).run()?;
    /// assert_eq!((hits.relation(1, 0), hits.relation(0, 2)), (Relation::Touching, Relation::Separate));
    /// # Ok::<(), tangency::Error>(())
    /// ```
    pub fn relation(&self, a: u32, b: u32) -> Relation {
        let (a, b) = if self.origin.of_two_sets || a < b { (a, b) } else { (b, a) };
        let row = &self.partners[self.row(a)];
        let at = row.partition_point(|partner| partner & !MARK_TOUCHING < b);
        match row.get(at) {
            Some(partner) if partner & !MARK_TOUCHING == b => relation_of(*partner),
            _ => Relation::Separate,
        }
    }

    /// The pairs as a list of their own.
    ///
    /// ```
    /// # use tangency::{Bodies, Engine, shape::Sphere};
    /// let mut bodies = Bodies::new();
    /// bodies.extend([Sphere::new([0.0; 3], 1.0)?; 3])?;
    /// assert_eq!(Engine::new()?.overlaps(&bodies).run()?.to_vec(), [[0, 1], [0, 2], [1, 2]]);
    /// # Ok::<(), tangency::Error>(())
    /// ```
    pub fn to_vec(&self) -> Vec<[u32; 2]> {
        self.pairs().map(|(a, b)| [a, b]).collect()
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
    pub fn offsets(&self) -> &[u32] {
        &self.offsets
    }

    /// The places in the list of pairs whose first body is `a`; empty for an id beyond the end.
    ///
    /// ```
    /// # use tangency::{Bodies, Engine, shape::Sphere};
    /// let mut bodies = Bodies::new();
    /// bodies.extend([Sphere::new([0.0; 3], 1.0)?; 3])?;
    /// let hits = Engine::new()?.overlaps(&bodies).run()?;
    /// assert_eq!(hits.to_vec()[hits.row(1)], [[1, 2]]);
    /// assert!(hits.row(99).is_empty());
    /// # Ok::<(), tangency::Error>(())
    /// ```
    pub fn row(&self, a: u32) -> Range<usize> {
        let at = |k: usize| self.offsets.get(k).map_or(self.partners.len(), |offset| *offset as usize);
        at(a as usize)..at(a as usize + 1)
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

    /// The last row that begins at this pair or before.
    pub(super) fn row_of(&self, pair: usize) -> usize {
        self.offsets.partition_point(|offset| *offset as usize <= pair) - 1
    }

    /// The second body of a pair, and their relation.
    pub(super) fn partner(&self, pair: usize) -> (u32, Relation) {
        let partner = self.partners[pair];
        (partner & !MARK_TOUCHING, relation_of(partner))
    }

    /// Whether the second bodies are of another set.
    pub(super) fn is_of_two_sets(&self) -> bool {
        self.origin.of_two_sets
    }

    /// Makes ready for the pairs of these sets, which have to be written then: those that were there are there still.
    pub(super) fn begin(&mut self, sets: &PairedSets) {
        self.stats = Stats::default();
        self.smaller.take();
        let births = [&sets.own, sets.searched()].map(|set| Arc::clone(set.bodies.births()));
        self.origin = Origin { births: Some(births), of_two_sets: sets.against.is_some() };
    }

    /// Makes room for so many pairs and offsets, all of which have to be written then: whatever was there may be there still.
    ///
    /// # Errors
    /// [`TooManyPairs`](Error::TooManyPairs), [`AnswerTooLarge`](Error::AnswerTooLarge).
    pub(crate) fn make_room(&mut self, pairs: usize, offsets: usize) -> Result<()> {
        if u32::try_from(pairs).is_err() {
            return Err(Error::TooManyPairs { pairs: pairs as u64, limit: u64::from(u32::MAX) });
        }
        let made = make_room(&mut self.partners, pairs) && make_room(&mut self.offsets, offsets);
        let needed = 4 * (pairs as u64 + offsets as u64);
        if made { Ok(()) } else { Err(Error::AnswerTooLarge { pairs: pairs as u64, needed, limit: 0 }) }
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
        self.partners.clear();
        self.offsets.clear();
        self.origin = Origin::default();
        self.stats = Stats::default();
        self.smaller.take();
    }
}

/// What a partner's mark says.
fn relation_of(partner: u32) -> Relation {
    if partner & MARK_TOUCHING == 0 { Relation::Overlapping } else { Relation::Touching }
}

/// Sets the length, and fills in zeros where there was nothing. Fresh memory is zero already, and is not touched. Returns whether there is
/// memory for that.
fn make_room(vec: &mut Vec<u32>, len: usize) -> bool {
    if vec.capacity() < len {
        // What has grown once will grow again.
        let room = if vec.capacity() > 0 { len + len / 4 } else { len };
        *vec = Vec::new();
        // Memory that is zero already cannot be asked for in a way that may fail: so it is asked for twice.
        if vec.try_reserve_exact(room).is_err() {
            return false;
        }
        *vec = Vec::new();
        *vec = vec![0; room];
    }
    vec.resize(len, 0);
    true
}

impl<'a> IntoIterator for &'a Overlaps {
    type Item = (u32, u32, Relation);
    type IntoIter = Iter<'a>;

    fn into_iter(self) -> Iter<'a> {
        self.iter()
    }
}
