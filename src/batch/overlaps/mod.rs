//! Which bodies touch or overlap?

pub(super) mod brute;
pub(super) mod cpu;
#[cfg(feature = "gpu")]
mod gpu;

use std::ops::Range;

use super::query::{Query, sealed};
use super::request::Request;
use super::rows::Overlaps;
use super::set::{Only, PairedSets, Set};
use super::stream::RowQuery;
use crate::bodies::Reach;
#[cfg(feature = "gpu")]
use crate::gpu::Narrow;
use crate::parallel::Pool;
use crate::shape::check::finite_length;
use crate::{Relation, Result};

/// Which bodies touch or overlap? Asked by [`Engine::overlaps`](crate::Engine::overlaps).
///
/// ```
/// # use tangency::{Bodies, Engine, Request, batch::OverlapsQuery};
/// # let bodies = Bodies::new();
/// let request: Request<'_, OverlapsQuery> = Engine::new()?.overlaps(&bodies);
/// # Ok::<(), tangency::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct OverlapsQuery {
    pub(super) sets: PairedSets,
    pub(super) overlapping_only: bool,
    /// How near each other the bodies of a pair are.
    pub(super) reach: Reach,
}

impl OverlapsQuery {
    pub(crate) fn new(set: Set<'_>) -> Self {
        Self { sets: PairedSets::new(set), overlapping_only: false, reach: Reach::Touching }
    }

    /// What decides candidates on a device.
    #[cfg(feature = "gpu")]
    pub(super) fn narrow(&self) -> Narrow {
        Narrow::of(self.reach, self.sets.both())
    }

    /// Whether pairs of this relation belong to the answer.
    fn wants(&self, relation: Relation) -> bool {
        relation == Relation::Overlapping || relation == Relation::Touching && !self.overlapping_only
    }
}

impl<'a> Request<'a, OverlapsQuery> {
    /// Leaves out pairs that merely touch. In a CAD model everything stacked touches, and only overlaps are clashes.
    ///
    /// ```
    /// # use tangency::{Bodies, Engine, shape::Aabb};
    /// let mut bodies = Bodies::new();
    /// bodies.push(Aabb::new([0.0; 3], [1.0; 3])?)?;
    /// bodies.push(Aabb::new([1.0, 0.0, 0.0], [2.0, 1.0, 1.0])?)?; // side by side: touching, no clash
    /// assert!(Engine::new()?.overlaps(&bodies).overlapping_only().run()?.is_empty());
    /// # Ok::<(), tangency::Error>(())
    /// ```
    pub fn overlapping_only(self) -> Self {
        self.map(|query| OverlapsQuery { overlapping_only: true, ..query })
    }

    /// Asks for all pairs that are at most this far apart, instead of those that touch or overlap. It is decided exactly.
    ///
    /// The relation is that of a pair of which one body is grown by the margin to all sides: [`Touching`](Relation::Touching) if their
    /// distance is the margin, [`Overlapping`](Relation::Overlapping) if they are nearer.
    ///
    /// ```
    /// # use tangency::{Bodies, Engine, Relation, shape::{Aabb, Sphere}};
    /// let mut bodies = Bodies::new();
    /// bodies.push(Aabb::new([0.0; 3], [1.0; 3])?)?;
    /// bodies.push(Sphere::new([5.0, 6.0, 0.5], 1.0)?)?; // its centre is (4, 5, 0) from the box: 6.40 away, less the radius
    /// let engine = Engine::new()?;
    /// assert!(engine.overlaps(&bodies).margin(5.25).run()?.is_empty());
    /// let near: Vec<_> = engine.overlaps(&bodies).margin(5.5).run()?.iter().collect();
    /// assert_eq!(near, [(0, 1, Relation::Overlapping)]);
    /// # Ok::<(), tangency::Error>(())
    /// ```
    ///
    /// Where bodies have [margins](crate::Bodies::set_margin) of their own, those of both are added to this one, exactly; with `margin(0.0)` they count alone.
    ///
    /// A negative margin, or one that is not finite, is an error when the request is run.
    pub fn margin(self, distance: f32) -> Self {
        self.map(|query| OverlapsQuery { reach: Reach::Within(distance), ..query })
    }

    /// Asks for the pairs of a body of this set and a body of the other one, sorted by the first, then by the second.
    ///
    /// Traits count as within one set; excluded pairs belong to one set and do not. Of two sets the other one is searched: let that be
    /// the larger one, or an [`Index`](crate::Index) if many ask it.
    ///
    /// ```
    /// # use tangency::{Bodies, Engine, shape::{Aabb, Sphere}};
    /// let (mut robot, mut room) = (Bodies::new(), Bodies::new());
    /// robot.push(Sphere::new([0.0, 1.0, 0.0], 0.5)?)?;
    /// room.push(Aabb::new([-5.0, -1.0, -5.0], [5.0, 0.0, 5.0])?)?;
    /// room.push(Aabb::new([0.25, 0.0, -1.0], [1.0, 2.0, 1.0])?)?;
    /// let hits = Engine::new()?.overlaps(&robot).against(&room).run()?;
    /// assert_eq!(hits.pairs().collect::<Vec<_>>(), [(0, 1)]);
    /// # Ok::<(), tangency::Error>(())
    /// ```
    pub fn against(self, other: impl Into<Set<'a>>) -> Self {
        self.map(|query| OverlapsQuery { sets: query.sets.against(other.into()), ..query })
    }
}

impl sealed::Sealed for OverlapsQuery {}

impl RowQuery for OverlapsQuery {
    const MOST_PAIRS: u64 = 1 << 22;

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

    fn pairs(out: &Overlaps) -> usize {
        out.len()
    }
}

impl Query for OverlapsQuery {
    type Output = Overlaps;
    type Owned = Self;

    fn into_owned(self) -> Self {
        self
    }

    fn check(&self) -> Result<()> {
        if let Reach::Within(distance) = self.reach {
            finite_length("margin", distance)?;
        }
        self.sets.check()
    }

    fn size(&self) -> usize {
        self.sets.bodies()
    }

    fn by_brute_force(&self, out: &mut Overlaps) {
        brute::overlaps(self, out);
    }

    fn on_cpu(&self, pool: &Pool, out: &mut Overlaps) -> Result<()> {
        cpu::overlaps(self, pool, out)
    }

    #[cfg(feature = "gpu")]
    fn on_gpu<'a>(&'a self, context: crate::gpu::Context<'a>, out: &'a mut Overlaps) -> super::query::Work<'a> {
        Box::pin(gpu::overlaps(self, context, out))
    }
}
