//! Going through the pairs of an answer.

use super::{Overlaps, relation_of};
use crate::Relation;
use crate::relation::MARK_TOUCHING;

impl Overlaps {
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
        Pairs { iter: self.iter() }
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
        Iter { ends: self.offsets.get(1..).unwrap_or_default(), partners: &self.partners, row: 0, place: 0 }
    }

    /// The second bodies of the pairs whose first is `a`, ascending. In an answer about one set those are the partners with larger
    /// ids: [`neighbours`](Self::neighbours) are all of them.
    ///
    /// ```
    /// # use tangency::{Bodies, Engine, shape::Sphere};
    /// let mut bodies = Bodies::new();
    /// bodies.extend([Sphere::new([0.0; 3], 1.0)?; 3])?;
    /// let hits = Engine::new()?.overlaps(&bodies).run()?;
    /// assert_eq!(hits.partners(1).collect::<Vec<_>>(), [2]);
    /// # Ok::<(), tangency::Error>(())
    /// ```
    pub fn partners(&self, a: u32) -> Partners<'_> {
        Partners { partners: self.partners[self.row(a)].iter() }
    }
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
    /// Where each row ends.
    ends: &'a [u32],
    partners: &'a [u32],
    row: usize,
    place: usize,
}

impl Iterator for Iter<'_> {
    type Item = (u32, u32, Relation);

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        let partner = *self.partners.get(self.place)?;
        while self.ends[self.row] as usize <= self.place {
            self.row += 1;
        }
        self.place += 1;
        Some((self.row as u32, partner & !MARK_TOUCHING, relation_of(partner)))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let left = self.partners.len() - self.place;
        (left, Some(left))
    }
}

impl ExactSizeIterator for Iter<'_> {}
impl std::iter::FusedIterator for Iter<'_> {}

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
    iter: Iter<'a>,
}

impl Iterator for Pairs<'_> {
    type Item = (u32, u32);

    #[inline]
    fn next(&mut self) -> Option<(u32, u32)> {
        self.iter.next().map(|(a, b, _)| (a, b))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.iter.size_hint()
    }
}

impl ExactSizeIterator for Pairs<'_> {}
impl std::iter::FusedIterator for Pairs<'_> {}

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
    partners: std::slice::Iter<'a, u32>,
}

impl Iterator for Partners<'_> {
    type Item = u32;

    fn next(&mut self) -> Option<u32> {
        self.partners.next().map(|partner| partner & !MARK_TOUCHING)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.partners.size_hint()
    }
}

impl ExactSizeIterator for Partners<'_> {}
impl std::iter::FusedIterator for Partners<'_> {}
