//! The pairs of one body, whether it is the first of them or the second.

use std::iter::{Chain, FusedIterator};

use super::{Overlaps, Partners};
use crate::relation::MARK_TOUCHING;

/// The pairs by their second body: rows of partners with smaller ids.
#[derive(Clone, Debug)]
pub(super) struct Smaller {
    offsets: Vec<u32>,
    partners: Vec<u32>,
}

impl Smaller {
    /// Counts the pairs of each second body, adds up, and puts each first body in its place.
    fn new(hits: &Overlaps) -> Self {
        let ids =
            hits.partners.iter().map(|partner| partner & !MARK_TOUCHING).max().map_or(0, |last| last as usize + 1);
        let mut offsets = vec![0; ids + 1];
        for (_, b) in hits.pairs() {
            offsets[b as usize + 1] += 1;
        }
        for k in 0..ids {
            offsets[k + 1] += offsets[k];
        }
        let (mut next, mut partners) = (offsets.clone(), vec![0; hits.len()]);
        for (a, b) in hits.pairs() {
            let place = &mut next[b as usize];
            partners[*place as usize] = a;
            *place += 1;
        }
        Self { offsets, partners }
    }

    fn row(&self, id: u32) -> &[u32] {
        let at = |k: usize| self.offsets.get(k).map_or(self.partners.len(), |offset| *offset as usize);
        &self.partners[at(id as usize)..at(id as usize + 1)]
    }
}

/// All partners of a body, ascending: [`Overlaps::neighbours`].
///
/// ```
/// # use tangency::{Bodies, Engine, shape::Sphere};
/// let mut bodies = Bodies::new();
/// bodies.extend([Sphere::new([0.0; 3], 1.0)?; 3])?;
/// let hits = Engine::new()?.overlaps(&bodies).run()?;
/// let neighbours: tangency::batch::Neighbours<'_> = hits.neighbours(1);
/// assert!(neighbours.eq([0, 2]));
/// # Ok::<(), tangency::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Neighbours<'a> {
    ids: Chain<std::iter::Copied<std::slice::Iter<'a, u32>>, Partners<'a>>,
}

impl Iterator for Neighbours<'_> {
    type Item = u32;

    fn next(&mut self) -> Option<u32> {
        self.ids.next()
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.ids.size_hint()
    }
}

impl ExactSizeIterator for Neighbours<'_> {}
impl FusedIterator for Neighbours<'_> {}

impl Overlaps {
    /// The bodies that touch or overlap body `id`, ascending. In an answer about two sets, `id` is a body of the first set, and they are
    /// of the other.
    ///
    /// The first call for an answer sorts the pairs by their second body, once.
    ///
    /// ```
    /// # use tangency::{Bodies, Engine, shape::Sphere};
    /// let mut bodies = Bodies::new();
    /// bodies.extend([0.0, 1.5, 3.0].map(|x| Sphere::new([x, 0.0, 0.0], 1.0).expect("a ball")))?;
    /// let hits = Engine::new()?.overlaps(&bodies).run()?;
    /// assert_eq!(hits.neighbours(1).collect::<Vec<_>>(), [0, 2]);
    /// assert_eq!(hits.neighbours(2).collect::<Vec<_>>(), [1]);
    /// # Ok::<(), tangency::Error>(())
    /// ```
    pub fn neighbours(&self, id: u32) -> Neighbours<'_> {
        let smaller =
            if self.origin.of_two_sets { &[] } else { self.smaller.get_or_init(|| Smaller::new(self)).row(id) };
        Neighbours { ids: smaller.iter().copied().chain(self.partners(id)) }
    }
}
