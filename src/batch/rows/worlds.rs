//! The pairs of an answer, world by world.

use super::Overlaps;
use crate::{Bodies, Relation, Result, Traits};

/// The pairs of an answer, world by world: [`Overlaps::by_world`].
///
/// ```
/// use tangency::{Bodies, Engine, Traits, shape::{Aabb, Sphere}};
///
/// let mut bodies = Bodies::new();
/// bodies.push_with(Aabb::new([-9.0, -1.0, -9.0], [9.0, 0.0, 9.0])?, Traits::new().in_every_world())?;
/// for (world, height) in [(0, 0.5), (1, 5.0), (2, 0.25)] {
///     bodies.push_with(Sphere::new([0.0, height, 0.0], 0.5)?, Traits::new().world(world))?;
/// }
/// let by_world = Engine::new()?.overlaps(&bodies).run()?.by_world(&bodies)?;
/// assert_eq!(by_world.worlds(), [0, 2]); // in world 1 the ball is above the ground
/// assert_eq!(by_world.pairs(2).iter().map(|(a, b, _)| [*a, *b]).collect::<Vec<_>>(), [[0, 3]]);
/// # Ok::<(), tangency::Error>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct ByWorld {
    /// The worlds that have pairs, ascending.
    worlds: Vec<u32>,
    /// Where the pairs of each world begin, and where the last end.
    offsets: Vec<usize>,
    pairs: Vec<(u32, u32, Relation)>,
}

impl ByWorld {
    /// The worlds that have pairs, ascending. Pairs of two bodies that are both in every world come last, under
    /// [`Traits::EVERY_WORLD`].
    ///
    /// ```
    /// # use tangency::{Bodies, Engine};
    /// let bodies = Bodies::new();
    /// assert!(Engine::new()?.overlaps(&bodies).run()?.by_world(&bodies)?.worlds().is_empty());
    /// # Ok::<(), tangency::Error>(())
    /// ```
    pub fn worlds(&self) -> &[u32] {
        &self.worlds
    }

    /// The pairs of a world, in canonical order; none for a world that has none.
    ///
    /// ```
    /// # use tangency::{Bodies, Engine};
    /// let bodies = Bodies::new();
    /// assert!(Engine::new()?.overlaps(&bodies).run()?.by_world(&bodies)?.pairs(7).is_empty());
    /// # Ok::<(), tangency::Error>(())
    /// ```
    pub fn pairs(&self, world: u32) -> &[(u32, u32, Relation)] {
        match self.worlds.binary_search(&world) {
            Ok(k) => &self.pairs[self.offsets[k]..self.offsets[k + 1]],
            Err(_) => &[],
        }
    }

    /// The worlds that have pairs, each with them.
    ///
    /// ```
    /// # use tangency::{Bodies, Engine, Traits, shape::Sphere};
    /// let mut bodies = Bodies::new();
    /// for world in [3, 3, 8, 8] {
    ///     bodies.push_with(Sphere::new([0.0; 3], 1.0)?, Traits::new().world(world))?;
    /// }
    /// let by_world = Engine::new()?.overlaps(&bodies).run()?.by_world(&bodies)?;
    /// assert!(by_world.iter().map(|(world, pairs)| (world, pairs.len())).eq([(3, 1), (8, 1)]));
    /// # Ok::<(), tangency::Error>(())
    /// ```
    pub fn iter(&self) -> WorldIter<'_> {
        WorldIter { worlds: self.worlds.iter(), ends: self.offsets.windows(2), pairs: &self.pairs }
    }
}

/// The worlds that have pairs, each with them: [`ByWorld::iter`].
///
/// ```
/// # use tangency::{Bodies, Engine};
/// # let bodies = Bodies::new();
/// let by_world = Engine::new()?.overlaps(&bodies).run()?.by_world(&bodies)?;
/// let iter: tangency::batch::WorldIter<'_> = by_world.iter();
/// assert_eq!(iter.len(), 0);
/// # Ok::<(), tangency::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct WorldIter<'a> {
    worlds: std::slice::Iter<'a, u32>,
    /// Where the pairs of each world begin, and where the last end.
    ends: std::slice::Windows<'a, usize>,
    pairs: &'a [(u32, u32, Relation)],
}

impl<'a> Iterator for WorldIter<'a> {
    type Item = (u32, &'a [(u32, u32, Relation)]);

    fn next(&mut self) -> Option<Self::Item> {
        let (world, ends) = (*self.worlds.next()?, self.ends.next()?);
        Some((world, &self.pairs[ends[0]..ends[1]]))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.worlds.size_hint()
    }
}

impl ExactSizeIterator for WorldIter<'_> {}
impl std::iter::FusedIterator for WorldIter<'_> {}

impl<'a> IntoIterator for &'a ByWorld {
    type Item = (u32, &'a [(u32, u32, Relation)]);
    type IntoIter = WorldIter<'a>;

    fn into_iter(self) -> WorldIter<'a> {
        self.iter()
    }
}

impl Overlaps {
    /// The pairs, world by world, of an answer about one set, which must not have changed since. A pair of a body that is in every
    /// world belongs to the world of the other.
    ///
    /// ```
    /// # use tangency::{Bodies, Engine, Traits, shape::Sphere};
    /// let mut bodies = Bodies::new();
    /// for world in [1, 1, 2] {
    ///     bodies.push_with(Sphere::new([0.0; 3], 1.0)?, Traits::new().world(world))?;
    /// }
    /// let hits = Engine::new()?.overlaps(&bodies).run()?;
    /// assert_eq!(hits.by_world(&bodies)?.worlds(), [1]);
    /// # Ok::<(), tangency::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`NoSuchBody`](crate::Error::NoSuchBody) if a body of a pair is not in the set.
    pub fn by_world(&self, bodies: &Bodies) -> Result<ByWorld> {
        self.by_world_between(bodies, bodies)
    }

    /// As [`by_world`](Self::by_world), of an answer about the pairs of two sets.
    ///
    /// ```
    /// # use tangency::{Bodies, Engine, Traits, shape::Sphere};
    /// let (mut robots, mut room) = (Bodies::new(), Bodies::new());
    /// for world in [1, 2] {
    ///     robots.push_with(Sphere::new([0.0; 3], 1.0)?, Traits::new().world(world))?;
    /// }
    /// room.push_with(Sphere::new([0.0; 3], 1.0)?, Traits::new().in_every_world())?;
    /// let hits = Engine::new()?.overlaps(&robots).against(&room).run()?;
    /// assert_eq!(hits.by_world_between(&robots, &room)?.worlds(), [1, 2]);
    /// # Ok::<(), tangency::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`by_world`](Self::by_world).
    pub fn by_world_between(&self, first: &Bodies, second: &Bodies) -> Result<ByWorld> {
        let mut found = Vec::with_capacity(self.len());
        for pair in self {
            let (a, b) = (first.traits(pair.0)?.world, second.traits(pair.1)?.world);
            found.push((if a == Traits::EVERY_WORLD { b } else { a }, pair));
        }
        // Stable, so that the pairs of a world stay in order.
        found.sort_by_key(|(world, _)| *world);
        let mut by_world = ByWorld { offsets: vec![0], ..ByWorld::default() };
        for group in found.chunk_by(|a, b| a.0 == b.0) {
            by_world.worlds.push(group[0].0);
            by_world.pairs.extend(group.iter().map(|(_, pair)| *pair));
            by_world.offsets.push(by_world.pairs.len());
        }
        Ok(by_world)
    }
}
