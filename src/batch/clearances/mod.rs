//! How far apart are bodies that are near each other, and where are they nearest?

mod brute;
mod cpu;
#[cfg(feature = "gpu")]
pub(super) mod gpu;
mod result;

pub use result::Clearances;

use std::ops::Range;

use super::query::{Query, sealed};
use super::request::Request;
use super::set::{Only, PairedSets, Set};
use super::stream::RowQuery;
use crate::Result;
use crate::bodies::Reach;
use crate::near::{Clearance, clearance_of};
use crate::parallel::Pool;
use crate::shape::check::finite_length;

/// How far apart are bodies that are near each other? Asked by [`Engine::clearances`](crate::Engine::clearances).
///
/// ```
/// # use tangency::{Bodies, Engine, Request, batch::ClearancesQuery};
/// # let bodies = Bodies::new();
/// let request: Request<'_, ClearancesQuery> = Engine::new()?.clearances(&bodies, 0.5);
/// # Ok::<(), tangency::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct ClearancesQuery {
    pub(super) sets: PairedSets,
    pub(super) distance: f32,
}

impl ClearancesQuery {
    pub(crate) fn new(set: Set<'_>, distance: f32) -> Self {
        Self { sets: PairedSets::new(set), distance }
    }

    /// Of two sets.
    pub(crate) fn between(self, other: Set<'_>) -> Self {
        Self { sets: self.sets.against(other), ..self }
    }

    /// How far apart the bodies of a pair may be.
    pub(super) fn reach(&self) -> Reach {
        Reach::Within(self.distance)
    }

    /// The clearance of two bodies, as the host computes it.
    fn clearance(&self, a: u32, b: u32) -> Clearance {
        let (own, other) = (&self.sets.own.bodies, &self.sets.searched().bodies);
        clearance_of(&own.get(a as usize), &other.get(b as usize)).with_b(b)
    }
}

impl<'a> Request<'a, ClearancesQuery> {
    /// Asks for the clearances of a body of this set and a body of the other one, as [`overlaps`](crate::Engine::overlaps) does.
    ///
    /// ```
    /// # use tangency::{Bodies, Engine, shape::{Aabb, Sphere}};
    /// let (mut robot, mut room) = (Bodies::new(), Bodies::new());
    /// robot.push(Sphere::new([0.0, 1.75, 0.0], 1.0)?)?;
    /// room.push(Aabb::new([-5.0, -1.0, -5.0], [5.0, 0.0, 5.0])?)?;
    /// let clearances = Engine::new()?.clearances(&robot, 1.0).against(&room).run()?;
    /// assert_eq!(clearances.get(0, 0).map(|found| found.on_a().to_array()), Some([0.0, 0.75, 0.0]));
    /// # Ok::<(), tangency::Error>(())
    /// ```
    pub fn against(self, other: impl Into<Set<'a>>) -> Self {
        self.map(|query| query.between(other.into()))
    }
}

impl sealed::Sealed for ClearancesQuery {}

impl RowQuery for ClearancesQuery {
    /// 32 bytes each.
    const MOST_PAIRS: u64 = 1 << 20;

    fn rows(&self) -> usize {
        self.sets.own.bodies.id_bound()
    }

    fn kept(self) -> Self {
        Self { sets: self.sets.kept(), ..self }
    }

    fn of_rows(&self, rows: Range<usize>) -> Self {
        let only = Some(Only { rows, most: Self::MOST_PAIRS });
        Self { sets: PairedSets { only, ..self.sets.clone() }, ..*self }
    }

    fn pairs(out: &Clearances) -> usize {
        out.len()
    }
}

impl Query for ClearancesQuery {
    type Output = Clearances;
    type Owned = Self;

    fn into_owned(self) -> Self {
        self
    }

    fn check(&self) -> Result<()> {
        finite_length("distance", self.distance)?;
        self.sets.check()
    }

    fn size(&self) -> usize {
        self.sets.bodies()
    }

    fn by_brute_force(&self, out: &mut Clearances) {
        brute::clearances(self, out);
    }

    fn on_cpu(&self, pool: &Pool, out: &mut Clearances) -> Result<()> {
        cpu::clearances(self, pool, out)
    }

    #[cfg(feature = "gpu")]
    fn on_gpu<'a>(&'a self, context: crate::gpu::Context<'a>, out: &'a mut Clearances) -> super::query::Work<'a> {
        Box::pin(gpu::clearances(self, context, out))
    }
}
