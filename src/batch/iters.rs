//! Going through what was found with each pair, each ray or each point.

use std::iter::FusedIterator;
use std::slice;

use super::clearances::Clearances;
use super::closest::{Closest, ClosestBody};
use super::contacts::Contacts;
use super::rays::{AllHits, AnyHits, BodyHit, NearestHits};
use super::rows::Pairs;
use super::sweep::SweepHits;
use crate::manifold::Manifold;
use crate::near::{Clearance, SweepHit};

/// Pairs with what was found of each, in canonical order: [`Contacts::iter`], [`Clearances::iter`], [`SweepHits::iter`].
///
/// ```
/// # use tangency::{Bodies, Clearance, Engine, shape::Sphere};
/// let mut bodies = Bodies::new();
/// bodies.extend([Sphere::new([0.0; 3], 1.0)?; 3])?;
/// let near = Engine::new()?.clearances(&bodies, 0.5).run()?;
/// let iter: tangency::batch::PairsWith<'_, Clearance> = near.iter();
/// assert_eq!((iter.len(), iter.last().map(|(a, b, _)| [a, b])), (3, Some([1, 2])));
/// # Ok::<(), tangency::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct PairsWith<'a, T> {
    pub(super) pairs: Pairs<'a>,
    pub(super) each: slice::Iter<'a, T>,
}

impl<'a, T> Iterator for PairsWith<'a, T> {
    type Item = (u32, u32, &'a T);

    fn next(&mut self) -> Option<Self::Item> {
        let (a, b) = self.pairs.next()?;
        Some((a, b, self.each.next()?))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.each.size_hint()
    }
}

/// The nearest hit of each ray, in the order of the rays: [`NearestHits::iter`].
///
/// ```
/// # use tangency::{Bodies, Engine, shape::Ray};
/// let hits = Engine::new()?.cast_rays(&Bodies::new(), &[Ray::new([0.0; 3], [1.0, 0.0, 0.0])?]).run()?;
/// let iter: tangency::batch::NearestIter<'_> = hits.iter();
/// assert!(iter.eq([None]));
/// # Ok::<(), tangency::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct NearestIter<'a>(pub(super) slice::Iter<'a, BodyHit>);

impl Iterator for NearestIter<'_> {
    type Item = Option<BodyHit>;

    fn next(&mut self) -> Option<Self::Item> {
        self.0.next().map(|hit| hit.there())
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.0.size_hint()
    }
}

/// Whether each ray meets anything, in the order of the rays: [`AnyHits::iter`].
///
/// ```
/// # use tangency::{Bodies, Engine, shape::Ray};
/// let hits = Engine::new()?.cast_rays(&Bodies::new(), &[Ray::new([0.0; 3], [1.0, 0.0, 0.0])?]).any().run()?;
/// let iter: tangency::batch::AnyIter<'_> = hits.iter();
/// assert!(iter.eq([false]));
/// # Ok::<(), tangency::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct AnyIter<'a>(pub(super) slice::Iter<'a, BodyHit>);

impl Iterator for AnyIter<'_> {
    type Item = bool;

    fn next(&mut self) -> Option<bool> {
        self.0.next().map(|hit| hit.there().is_some())
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.0.size_hint()
    }
}

/// The hits of each ray, in the order of the rays: [`AllHits::iter`].
///
/// ```
/// # use tangency::{Bodies, Engine, shape::Ray};
/// let hits = Engine::new()?.cast_rays(&Bodies::new(), &[Ray::new([0.0; 3], [1.0, 0.0, 0.0])?]).all().run()?;
/// let iter: tangency::batch::AllIter<'_> = hits.iter();
/// assert!(iter.eq([[]]));
/// # Ok::<(), tangency::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct AllIter<'a> {
    /// Where the hits of each ray begin, and where the last end.
    pub(super) ends: slice::Windows<'a, usize>,
    pub(super) hits: &'a [BodyHit],
}

impl<'a> Iterator for AllIter<'a> {
    type Item = &'a [BodyHit];

    fn next(&mut self) -> Option<&'a [BodyHit]> {
        self.ends.next().map(|ends| &self.hits[ends[0]..ends[1]])
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.ends.size_hint()
    }
}

/// Each point with each of its bodies, in the order of the points: [`Closest::iter`].
///
/// ```
/// # use tangency::{Bodies, Engine, Points, shape::Sphere};
/// # let mut bodies = Bodies::new();
/// bodies.push(Sphere::new([0.0; 3], 1.0)?)?;
/// let found = Engine::new()?.closest(&bodies, &Points::of([[5.0; 3]; 2])?).run()?;
/// let iter: tangency::batch::ClosestIter<'_> = found.iter();
/// assert_eq!(iter.len(), 2);
/// # Ok::<(), tangency::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct ClosestIter<'a> {
    /// Where the bodies of each point end.
    pub(super) ends: &'a [usize],
    pub(super) each: &'a [ClosestBody],
    pub(super) point: usize,
    pub(super) place: usize,
}

impl<'a> Iterator for ClosestIter<'a> {
    type Item = (u32, &'a ClosestBody);

    fn next(&mut self) -> Option<Self::Item> {
        let near = self.each.get(self.place)?;
        while self.ends[self.point] <= self.place {
            self.point += 1;
        }
        self.place += 1;
        Some((self.point as u32, near))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let left = self.each.len() - self.place;
        (left, Some(left))
    }
}

impl<T> ExactSizeIterator for PairsWith<'_, T> {}
impl<T> FusedIterator for PairsWith<'_, T> {}

macro_rules! all_are_known {
    ($($iter:ident),*) => {$(
        impl ExactSizeIterator for $iter<'_> {}
        impl FusedIterator for $iter<'_> {}
    )*};
}

all_are_known!(NearestIter, AnyIter, AllIter, ClosestIter);

macro_rules! by_reference {
    ($($answer:ty => $iter:ty, $item:ty;)*) => {$(
        impl<'a> IntoIterator for &'a $answer {
            type Item = $item;
            type IntoIter = $iter;

            fn into_iter(self) -> $iter {
                self.iter()
            }
        }
    )*};
}

by_reference! {
    Contacts => PairsWith<'a, Manifold>, (u32, u32, &'a Manifold);
    Clearances => PairsWith<'a, Clearance>, (u32, u32, &'a Clearance);
    SweepHits => PairsWith<'a, SweepHit>, (u32, u32, &'a SweepHit);
    NearestHits => NearestIter<'a>, Option<BodyHit>;
    AnyHits => AnyIter<'a>, bool;
    AllHits => AllIter<'a>, &'a [BodyHit];
    Closest => ClosestIter<'a>, (u32, &'a ClosestBody);
}
