//! Which pairs are worth a closer look?

mod brute;
mod cpu;
#[cfg(feature = "gpu")]
mod gpu;
mod result;

pub use result::Candidates;

use std::ops::Range;

use super::query::{Query, sealed};
use super::request::Request;
use super::set::{Only, PairedSets, Set};
use super::stream::RowQuery;
use crate::Result;
use crate::parallel::Pool;

/// Which pairs are worth a closer look? Asked by [`Engine::candidates`](crate::Engine::candidates).
///
/// ```
/// # use tangency::{Bodies, Engine, Request, batch::CandidatesQuery};
/// # let bodies = Bodies::new();
/// let request: Request<'_, CandidatesQuery> = Engine::new()?.candidates(&bodies);
/// # Ok::<(), tangency::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct CandidatesQuery {
    pub(super) sets: PairedSets,
}

impl CandidatesQuery {
    pub(crate) fn new(set: Set<'_>) -> Self {
        Self { sets: PairedSets::new(set) }
    }
}

impl<'a> Request<'a, CandidatesQuery> {
    /// Asks for the pairs of a body of this set and a body of the other one, sorted by the first, then by the second.
    ///
    /// ```
    /// # use tangency::{Bodies, Engine, shape::Sphere};
    /// let (mut a, mut b) = (Bodies::new(), Bodies::new());
    /// a.push(Sphere::new([0.0; 3], 1.0)?)?;
    /// b.extend([Sphere::new([9.0; 3], 1.0)?, Sphere::new([1.9, 1.9, 0.0], 1.0)?])?;
    /// assert_eq!(Engine::new()?.candidates(&a).against(&b).run()?.to_vec(), [[0, 1]]);
    /// # Ok::<(), tangency::Error>(())
    /// ```
    pub fn against(self, other: impl Into<Set<'a>>) -> Self {
        self.map(|query| CandidatesQuery { sets: query.sets.against(other.into()) })
    }
}

impl sealed::Sealed for CandidatesQuery {}

impl RowQuery for CandidatesQuery {
    const MOST_PAIRS: u64 = 1 << 22;

    fn rows(&self) -> usize {
        self.sets.own.bodies.id_bound()
    }

    fn kept(self) -> Self {
        Self { sets: self.sets.kept() }
    }

    fn of_rows(&self, rows: Range<usize>) -> Self {
        let only = Some(Only { rows, most: Self::MOST_PAIRS });
        Self { sets: PairedSets { only, ..self.sets.clone() } }
    }

    fn pairs(out: &Candidates) -> usize {
        out.len()
    }
}

impl Query for CandidatesQuery {
    type Output = Candidates;
    type Owned = Self;

    fn into_owned(self) -> Self {
        self
    }

    fn check(&self) -> Result<()> {
        self.sets.check()
    }

    fn size(&self) -> usize {
        self.sets.bodies()
    }

    fn by_brute_force(&self, out: &mut Candidates) {
        brute::candidates(self, out);
    }

    fn on_cpu(&self, pool: &Pool, out: &mut Candidates) -> Result<()> {
        cpu::candidates(self, pool, out)
    }

    #[cfg(feature = "gpu")]
    fn on_gpu<'a>(&'a self, context: crate::gpu::Context<'a>, out: &'a mut Candidates) -> super::query::Work<'a> {
        Box::pin(gpu::candidates(self, context, out))
    }
}
