//! What are these pairs to each other?

#[cfg(feature = "gpu")]
pub(super) mod gpu;

use std::borrow::Cow;

use super::query::{Query, sealed};
use super::set::{Set, SharedSet};
use crate::parallel::Pool;
use crate::query::intersect;
use crate::{Error, Relation, Result};

/// What are these pairs to each other? Asked by [`Engine::relations`](crate::Engine::relations).
///
/// ```
/// # use tangency::{Bodies, Engine, Request, batch::RelationsQuery};
/// # let bodies = Bodies::new();
/// let request: Request<'_, RelationsQuery<'_>> = Engine::new()?.relations(&bodies, &[[0, 1]]);
/// # Ok::<(), tangency::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct RelationsQuery<'a> {
    pub(super) set: SharedSet,
    pub(super) pairs: Cow<'a, [[u32; 2]]>,
}

impl<'a> RelationsQuery<'a> {
    pub(crate) fn new(set: Set<'_>, pairs: &'a [[u32; 2]]) -> Self {
        Self { set: set.shared(), pairs: Cow::Borrowed(pairs) }
    }

    /// The exact relation of a pair.
    fn relation(&self, [a, b]: [u32; 2]) -> Relation {
        intersect(&self.set.bodies.get(a as usize), &self.set.bodies.get(b as usize))
    }
}

impl sealed::Sealed for RelationsQuery<'_> {}

impl Query for RelationsQuery<'_> {
    type Output = Vec<Relation>;
    type Owned = RelationsQuery<'static>;

    fn into_owned(self) -> Self::Owned {
        RelationsQuery { set: self.set, pairs: Cow::Owned(self.pairs.into_owned()) }
    }

    fn check(&self) -> Result<()> {
        let bodies = &self.set.bodies;
        match self.pairs.iter().flatten().find(|id| !bodies.contains(**id)) {
            Some(&index) => Err(Error::NoSuchBody { index, len: bodies.id_bound() }),
            None => Ok(()),
        }
    }

    fn size(&self) -> usize {
        self.pairs.len()
    }

    fn by_brute_force(&self, out: &mut Vec<Relation>) {
        out.clear();
        out.extend(self.pairs.iter().map(|pair| self.relation(*pair)));
    }

    fn on_cpu(&self, pool: &Pool, out: &mut Vec<Relation>) -> Result<()> {
        out.clear();
        out.resize(self.pairs.len(), Relation::Separate);
        pool.for_chunks_mut(out, 1024, |start, piece| {
            for (relation, pair) in piece.iter_mut().zip(&self.pairs[start..]) {
                *relation = self.relation(*pair);
            }
        });
        Ok(())
    }

    #[cfg(feature = "gpu")]
    fn on_gpu<'a>(&'a self, context: crate::gpu::Context<'a>, out: &'a mut Vec<Relation>) -> super::query::Work<'a> {
        Box::pin(gpu::relations(self, context, out))
    }
}
