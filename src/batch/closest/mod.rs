//! Which bodies are nearest to points?

mod brute;
mod cpu;
#[cfg(feature = "gpu")]
pub(super) mod gpu;
mod result;

use std::ops::Range;

use glam::Vec3;

pub use result::{Closest, ClosestBody};

use super::query::{Query, sealed};
use super::request::Request;
use super::set::{Only, PairedSets, Set};
use super::stream::RowQuery;
use crate::bodies::Kind;
use crate::exact::{Away, Margin, nearer};
use crate::near::{boxes_from_points, clearance_of};
use crate::parallel::Pool;
use crate::query::relation_within;
use crate::shape::Sphere;
use crate::shape::check::finite_length;
use crate::shape::kinds::BodyShape;
use crate::{Bodies, Points, Result};

/// Which bodies are nearest to points? Asked by [`Engine::closest`](crate::Engine::closest).
///
/// ```
/// # use tangency::{Bodies, Engine, Points, Request, batch::ClosestQuery};
/// # let (bodies, points) = (Bodies::new(), Points::new());
/// let request: Request<'_, ClosestQuery> = Engine::new()?.closest(&bodies, &points);
/// # Ok::<(), tangency::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct ClosestQuery {
    /// The points as bodies without size, against the bodies.
    pub(super) sets: PairedSets,
    /// How many bodies are wanted of each point, and how far away they may be.
    pub(super) count: u32,
    pub(super) within: f32,
}

impl ClosestQuery {
    pub(crate) fn new(set: Set<'_>, points: &Points) -> Self {
        let sets = PairedSets::new(points.bodies().into()).against(set);
        Self { sets, count: 1, within: f32::INFINITY }
    }

    pub(crate) fn with_count(self, count: u32) -> Self {
        Self { count, ..self }
    }

    pub(crate) fn with_limit(self, within: f32) -> Self {
        Self { within, ..self }
    }

    /// What is found of a point and a body.
    fn found(&self, point: usize, body: u32) -> ClosestBody {
        let shapes = (self.sets.own.bodies.get(point), self.sets.searched().bodies.get(body as usize));
        clearance_of(&shapes.0, &shapes.1).with_b(body).into()
    }

    /// The same of many points and bodies, oriented boxes side by side.
    fn found_each(&self, asked: &[(usize, u32)]) -> Vec<ClosestBody> {
        let (points, bodies) = (&self.sets.own.bodies, &self.sets.searched().bodies);
        let is_box = |body: u32| bodies.kind(body as usize) == Kind::Obb;
        let boxes = asked.iter().filter(|(_, body)| is_box(*body));
        let pairs: Vec<_> =
            boxes.map(|(point, body)| (position(points, *point), &bodies.records()[*body as usize])).collect();
        let mut of_boxes = boxes_from_points(&pairs).into_iter();
        let each = asked.iter().map(|(point, body)| {
            let known = if is_box(*body) { of_boxes.next().flatten() } else { None };
            let near = |(distance, point): (f32, Vec3)| ClosestBody { body: *body, distance, point };
            known.map_or_else(|| self.found(*point, *body), near)
        });
        each.collect()
    }

    /// Puts bodies among which the nearest to a point are in order, the nearest first, and leaves as many as are wanted.
    fn rank(&self, point: usize, found: &mut Vec<(Away, u32)>) {
        rank(position(&self.sets.own.bodies, point), &self.sets.searched().bodies, (self.count, self.within), found);
    }
}

/// Where a point is.
fn position(points: &Bodies, point: usize) -> [f32; 3] {
    let record = &points.records()[point];
    [record[0], record[1], record[2]]
}

/// Puts bodies among which the nearest to a point are in order, the nearest first, and leaves so many of them, within this distance.
pub(super) fn rank(point: [f32; 3], bodies: &Bodies, (count, within): (u32, f32), found: &mut Vec<(Away, u32)>) {
    let shape = |body: u32| bodies.get(body as usize);
    found.sort_unstable_by(|(first, a), (second, b)| {
        first.order(second).unwrap_or_else(|| nearer(point, &shape(*a), &shape(*b))).then(a.cmp(b))
    });
    found.truncate(count as usize);
    if within < f32::INFINITY {
        let limit = f64::from(within);
        let is_within = |body: u32| {
            let point = Sphere::new(point, 0.0).map(BodyShape::from);
            point.is_ok_and(|point| relation_within(&point, &shape(body), Margin([within, 0.0, 0.0])).is_hit())
        };
        found.retain(|(away, body)| away.most < limit || away.least <= limit && is_within(*body));
    }
}

impl Request<'_, ClosestQuery> {
    /// Asks for so many bodies of each point instead of one, the nearest first.
    ///
    /// ```
    /// # use tangency::{Bodies, Engine, Points, shape::Sphere};
    /// let mut bodies = Bodies::new();
    /// for x in [9.0, 3.0, -5.0] {
    ///     bodies.push(Sphere::new([x, 0.0, 0.0], 1.0)?)?;
    /// }
    /// let points = Points::of([[0.0; 3]])?;
    /// let found = Engine::new()?.closest(&bodies, &points).count(2).run()?;
    /// assert_eq!(found.of_point(0).iter().map(|near| near.body).collect::<Vec<_>>(), [1, 2]);
    /// # Ok::<(), tangency::Error>(())
    /// ```
    pub fn count(self, count: u32) -> Self {
        self.map(|query| query.with_count(count))
    }

    /// Asks for bodies that are at most so far away, exactly.
    ///
    /// ```
    /// # use tangency::{Bodies, Engine, Points, shape::Sphere};
    /// # let mut bodies = Bodies::new();
    /// bodies.push(Sphere::new([3.0, 0.0, 0.0], 1.0)?)?;
    /// let (engine, points) = (Engine::new()?, Points::of([[0.0; 3]])?);
    /// assert!(engine.closest(&bodies, &points).within(2.0).run()?.nearest(0).is_some());
    /// assert!(engine.closest(&bodies, &points).within(1.999_999_9).run()?.nearest(0).is_none());
    /// # Ok::<(), tangency::Error>(())
    /// ```
    ///
    /// A negative distance, or one that is not a number, is an error when the request is run.
    pub fn within(self, distance: f32) -> Self {
        self.map(|query| query.with_limit(distance))
    }
}

impl sealed::Sealed for ClosestQuery {}

impl RowQuery for ClosestQuery {
    /// 20 bytes each.
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

    fn pairs(out: &Closest) -> usize {
        out.len()
    }
}

impl Query for ClosestQuery {
    type Output = Closest;
    type Owned = Self;

    fn into_owned(self) -> Self {
        self
    }

    fn check(&self) -> Result<()> {
        if self.within != f32::INFINITY {
            finite_length("distance", self.within)?;
        }
        self.sets.check()
    }

    fn size(&self) -> usize {
        self.sets.bodies()
    }

    fn by_brute_force(&self, out: &mut Closest) {
        brute::closest(self, out);
    }

    fn on_cpu(&self, pool: &Pool, out: &mut Closest) -> Result<()> {
        cpu::closest(self, pool, out);
        Ok(())
    }

    #[cfg(feature = "gpu")]
    fn on_gpu<'a>(&'a self, context: crate::gpu::Context<'a>, out: &'a mut Closest) -> super::query::Work<'a> {
        Box::pin(gpu::closest(self, context, out))
    }
}
