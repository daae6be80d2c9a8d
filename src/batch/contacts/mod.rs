//! How do bodies meet that touch or overlap, or that are about to?

mod brute;
mod cpu;
#[cfg(feature = "gpu")]
pub(super) mod gpu;
mod result;

pub use result::Contacts;

use std::ops::Range;

use super::query::{Query, sealed};
use super::request::Request;
use super::set::{Only, PairedSets, Set};
use super::stream::RowQuery;
use crate::bodies::Reach;
use crate::contact::manifold_or_scalar;
use crate::manifold::{Frame, Known, Manifold};
use crate::parallel::Pool;
use crate::shape::check::finite_length;
use crate::shape::kinds::encode;
use crate::{Relation, Result};

/// How do bodies that touch or overlap meet? Asked by [`Engine::contacts`](crate::Engine::contacts).
///
/// ```
/// # use tangency::{Bodies, Engine, Request, batch::ContactsQuery};
/// # let bodies = Bodies::new();
/// let request: Request<'_, ContactsQuery> = Engine::new()?.contacts(&bodies);
/// # Ok::<(), tangency::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct ContactsQuery {
    pub(super) sets: PairedSets,
    pub(super) overlapping_only: bool,
    pub(super) most: u32,
    /// How near each other the bodies of a pair are.
    pub(super) reach: Reach,
}

impl ContactsQuery {
    pub(crate) fn new(set: Set<'_>) -> Self {
        Self { sets: PairedSets::new(set), overlapping_only: false, most: 4, reach: Reach::Touching }
    }

    /// With at most this many points a pair.
    pub(crate) fn with_most(self, most: u32) -> Self {
        Self { most, ..self }
    }

    /// Of two sets.
    pub(crate) fn between(self, other: Set<'_>) -> Self {
        Self { sets: self.sets.against(other), ..self }
    }

    /// Whether pairs of this relation belong to the answer.
    fn wants(&self, relation: Relation) -> bool {
        relation == Relation::Overlapping || relation == Relation::Touching && !self.overlapping_only
    }

    /// Within a distance.
    pub(crate) fn within(self, distance: f32) -> Self {
        Self { reach: Reach::Within(distance), ..self }
    }

    /// Whether bodies of a pair may be apart.
    pub(super) fn may_be_apart(&self) -> bool {
        self.reach.distance(self.sets.both()).is_some()
    }

    /// What is known of two bodies of this relation.
    fn known(&self, a: u32, b: u32, relation: Relation) -> Known {
        let (own, other) = (&self.sets.own.bodies, &self.sets.searched().bodies);
        if self.may_be_apart() {
            Known::Within(self.reach.margin((own, a as usize), (other, b as usize)))
        } else {
            Known::Meet(relation)
        }
    }

    /// The contact of two bodies, as the host computes it.
    fn contact(&self, a: u32, b: u32, relation: Relation) -> Manifold {
        let (own, other) = (&self.sets.own.bodies, &self.sets.searched().bodies);
        let (first, second) = (own.get(a as usize), other.get(b as usize));
        let frames = [&first, &second].map(|shape| {
            let (kind, record) = encode(shape);
            Frame::of(kind, &record)
        });
        manifold_or_scalar((a, &frames[0], &first), (b, &frames[1], &second), self.known(a, b, relation), self.most)
    }
}

impl<'a> Request<'a, ContactsQuery> {
    /// Leaves out pairs that merely touch.
    ///
    /// ```
    /// # use tangency::{Bodies, Engine, shape::Aabb};
    /// let mut bodies = Bodies::new();
    /// bodies.push(Aabb::new([0.0; 3], [1.0; 3])?)?;
    /// bodies.push(Aabb::new([1.0, 0.0, 0.0], [2.0, 1.0, 1.0])?)?; // side by side
    /// let engine = Engine::new()?;
    /// assert_eq!(engine.contacts(&bodies).run()?.manifolds()[0].depth(), 0.0);
    /// assert!(engine.contacts(&bodies).overlapping_only().run()?.is_empty());
    /// # Ok::<(), tangency::Error>(())
    /// ```
    pub fn overlapping_only(self) -> Self {
        self.map(|query| ContactsQuery { overlapping_only: true, ..query })
    }

    /// Asks for one point a pair, the deepest, instead of up to four.
    ///
    /// ```
    /// # use tangency::{Bodies, Engine, shape::Aabb};
    /// let mut bodies = Bodies::new();
    /// bodies.push(Aabb::new([0.0; 3], [1.0; 3])?)?;
    /// bodies.push(Aabb::new([0.75, 0.0, 0.0], [2.0, 1.0, 1.0])?)?;
    /// let contacts = Engine::new()?.contacts(&bodies).deepest_point_only().run()?;
    /// assert_eq!(contacts.manifolds()[0].points().len(), 1);
    /// # Ok::<(), tangency::Error>(())
    /// ```
    pub fn deepest_point_only(self) -> Self {
        self.map(|query| query.with_most(1))
    }

    /// Asks for contacts of bodies that are no further apart than this, and than their own [margins](crate::Bodies::set_margin), as well: what
    /// a solver needs to stop them before they meet.
    ///
    /// The pairs are exactly those of [`overlaps`](crate::Engine::overlaps) with this margin. If the bodies of a pair are apart, the depth of
    /// their contact is against their [distance](crate::Clearance::distance), which is never more than the true one; points that are further
    /// away than the margin are left out. Bodies that meet have the normal and the depth that they have without a margin (0 up to rounding if
    /// they merely touch), and points that are still apart as well.
    ///
    /// ```
    /// # use tangency::{Bodies, Engine, shape::Aabb};
    /// let mut bodies = Bodies::new();
    /// bodies.push(Aabb::new([-5.0, -1.0, -5.0], [5.0, 0.0, 5.0])?)?;
    /// bodies.push(Aabb::new([0.0, 0.25, 0.0], [1.0, 1.25, 1.0])?)?; // above the first
    /// let engine = Engine::new()?;
    /// assert!(engine.contacts(&bodies).run()?.is_empty());
    /// let contacts = engine.contacts(&bodies).margin(0.5).run()?;
    /// let manifold = contacts.manifolds()[0];
    /// assert_eq!(manifold.normal().to_array(), [0.0, 1.0, 0.0]);
    /// assert!((manifold.depth() + 0.25).abs() < 1e-6 && manifold.points().len() == 4);
    /// # Ok::<(), tangency::Error>(())
    /// ```
    ///
    /// A margin that is negative or not finite is an error when the request runs.
    pub fn margin(self, distance: f32) -> Self {
        self.map(|query| query.within(distance))
    }

    /// Asks for the contacts of a body of this set and a body of the other one, as [`overlaps`](crate::Engine::overlaps) does.
    ///
    /// ```
    /// # use tangency::{Bodies, Engine, shape::{Aabb, Sphere}};
    /// let (mut balls, mut room) = (Bodies::new(), Bodies::new());
    /// balls.push(Sphere::new([0.0, 0.75, 0.0], 1.0)?)?;
    /// room.push(Aabb::new([-5.0, -1.0, -5.0], [5.0, 0.0, 5.0])?)?;
    /// let contacts = Engine::new()?.contacts(&balls).against(&room).run()?;
    /// let manifold = contacts.manifolds()[0];
    /// assert_eq!((manifold.normal().to_array(), manifold.depth()), ([0.0, -1.0, 0.0], 0.25));
    /// # Ok::<(), tangency::Error>(())
    /// ```
    pub fn against(self, other: impl Into<Set<'a>>) -> Self {
        self.map(|query| query.between(other.into()))
    }
}

impl sealed::Sealed for ContactsQuery {}

impl RowQuery for ContactsQuery {
    /// 112 bytes each.
    const MOST_PAIRS: u64 = 1 << 18;

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

    fn pairs(out: &Contacts) -> usize {
        out.len()
    }
}

impl Query for ContactsQuery {
    type Output = Contacts;
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

    fn by_brute_force(&self, out: &mut Contacts) {
        brute::contacts(self, out);
    }

    fn on_cpu(&self, pool: &Pool, out: &mut Contacts) -> Result<()> {
        cpu::contacts(self, pool, out)
    }

    #[cfg(feature = "gpu")]
    fn on_gpu<'a>(&'a self, context: crate::gpu::Context<'a>, out: &'a mut Contacts) -> super::query::Work<'a> {
        Box::pin(gpu::contacts(self, context, out))
    }
}
