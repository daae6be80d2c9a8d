//! Which moving bodies meet during a step, and when?

mod brute;
mod cpu;
#[cfg(feature = "gpu")]
pub(super) mod gpu;
mod result;

pub use result::SweepHits;

use std::borrow::Cow;
use std::ops::Range;
use std::sync::{Arc, OnceLock};

use glam::Vec3;

use super::query::{Query, sealed};
use super::request::Request;
use super::set::{Only, PairedSets, Set, SharedSet};
use super::stream::RowQuery;
use crate::manifold::Frame;
use crate::near::{Course, SweepHit, sweep_or_scalar};
use crate::parallel::Pool;
use crate::query::{Motion, SweptBounds, swept_aabb};
use crate::shape::kinds::{BodyShape, encode};
use crate::shape::{Aabb, Shape};
use crate::{Bodies, Error, Result};

/// Which moving bodies meet during a step, and when? Asked by [`Engine::sweep`](crate::Engine::sweep).
///
/// ```
/// # use tangency::{Bodies, Engine, Request, batch::SweepQuery};
/// # let bodies = Bodies::new();
/// let request: Request<'_, SweepQuery<'_>> = Engine::new()?.sweep(&bodies, &[]);
/// # Ok::<(), tangency::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct SweepQuery<'a> {
    pub(super) sets: PairedSets,
    /// How the bodies of the first set move, and those of the second.
    motions: [Cow<'a, [Motion]>; 2],
    /// Whether what is prepared is kept for more questions about the same.
    keep: bool,
    swept: Arc<OnceLock<Swept>>,
}

/// What is prepared of moving bodies.
#[derive(Debug)]
pub(super) struct Swept {
    /// The boxes in which they stay during the step, as sets with the same ids and traits.
    boxes: PairedSets,
    /// How the bodies of the first set move, and those of the second if there is one.
    courses: [Vec<Course>; 2],
}

impl Swept {
    /// The courses of the bodies of the searched set.
    fn of_searched(&self) -> &[Course] {
        &self.courses[usize::from(self.boxes.against.is_some())]
    }
}

/// The box in which a body stays during its motion.
fn swept_box(shape: &BodyShape<'_>, motion: &Motion) -> Aabb {
    let at_start = shape.aabb();
    let swept = if let (BodyShape::Plane(_), true) = (shape, motion.turns()) {
        // It may come anywhere.
        return Aabb::from_bounds(Vec3::splat(f32::MIN), Vec3::splat(f32::MAX));
    } else if motion.turns() {
        Shape::from(*shape).swept_bounds(motion)
    } else {
        swept_aabb(&at_start, motion.translation_vector()).ok()
    };
    // (All bodies have points, and all motions are finite.)
    swept.unwrap_or(at_start)
}

/// The boxes and the courses of the bodies of a set.
fn swept_set(bodies: &Bodies, motions: &[Motion], pool: Option<&Pool>) -> (Bodies, Vec<Course>) {
    let record = |k: usize| encode(&BodyShape::Aabb(swept_box(&bodies.get(k), &motions[k]))).1;
    let course = |k: usize| Course::new(&bodies.get(k), &motions[k]);
    (bodies.with_boxes(collected(motions.len(), pool, record)), collected(motions.len(), pool, course))
}

/// What is made of each number, on all cores if there is a pool.
fn collected<T: Send>(count: usize, pool: Option<&Pool>, make: impl Fn(usize) -> T + Send + Sync) -> Vec<T> {
    match pool {
        Some(pool) => pool.collect(count, make),
        None => (0..count).map(make).collect(),
    }
}

impl<'a> SweepQuery<'a> {
    pub(crate) fn new(set: Set<'_>, motions: &'a [Motion]) -> Self {
        let motions = [Cow::Borrowed(motions), Cow::Borrowed(&[][..])];
        Self { sets: PairedSets::new(set), motions, keep: false, swept: Arc::default() }
    }

    /// Of two sets.
    pub(crate) fn between(self, other: Set<'_>, motions: &'a [Motion]) -> Self {
        let [own, _] = self.motions;
        Self { sets: self.sets.against(other), motions: [own, Cow::Borrowed(motions)], swept: Arc::default(), ..self }
    }

    /// What is prepared of the bodies.
    fn swept(&self, pool: Option<&Pool>) -> &Swept {
        self.swept.get_or_init(|| {
            let set = |bodies: Bodies| SharedSet { bodies, prepared: None };
            let (own, first) = swept_set(&self.sets.own.bodies, &self.motions[0], pool);
            let other = self.sets.against.as_ref().map(|other| swept_set(&other.bodies, &self.motions[1], pool));
            let (against, second) = other.map_or((None, Vec::new()), |(boxes, courses)| (Some(set(boxes)), courses));
            let boxes = PairedSets { own: set(own), against, only: None };
            Swept { boxes: if self.keep { boxes.kept() } else { boxes }, courses: [first, second] }
        })
    }

    /// The boxes of the rows that are asked for.
    fn boxes(&self, swept: &Swept) -> PairedSets {
        PairedSets { only: self.sets.only.clone(), ..swept.boxes.clone() }
    }

    /// When two bodies meet, as the host computes it.
    fn hit(&self, swept: &Swept, (a, of_a): (u32, &Frame), (b, of_b): (u32, &Frame)) -> SweepHit {
        let (i, j) = (a as usize, b as usize);
        let shapes = (self.sets.own.bodies.get(i), self.sets.searched().bodies.get(j));
        let theirs = &self.motions[usize::from(self.sets.against.is_some())];
        let first = (of_a, &swept.courses[0][i], &shapes.0, &self.motions[0][i]);
        let second = (of_b, &swept.of_searched()[j], &shapes.1, &theirs[j]);
        sweep_or_scalar(first, second).with_b(b)
    }
}

/// The frame of one body.
fn frame_of(bodies: &Bodies, i: usize) -> Frame {
    let (kind, record) = encode(&bodies.get(i));
    Frame::of(kind, &record)
}

impl<'a> Request<'a, SweepQuery<'a>> {
    /// Asks which bodies of this set and of the other one meet. Those of the other set move too, one motion for each of its ids;
    /// [`Motion::REST`] for what stands still.
    ///
    /// ```
    /// # use tangency::{Bodies, Engine, query::Motion, shape::{Aabb, Sphere}};
    /// let (mut bullets, mut walls) = (Bodies::new(), Bodies::new());
    /// bullets.push(Sphere::new([0.0; 3], 0.01)?)?;
    /// walls.push(Aabb::new([10.0, -1.0, -1.0], [10.001, 1.0, 1.0])?)?;
    /// let flying = [Motion::translation([1000.0, 0.0, 0.0])?];
    /// let hits = Engine::new()?.sweep(&bullets, &flying).against(&walls, &[Motion::REST]).run()?;
    /// assert!((hits.get(0, 0).expect("it does not pass").from() - 0.009_99).abs() < 1e-6);
    /// # Ok::<(), tangency::Error>(())
    /// ```
    pub fn against(self, other: impl Into<Set<'a>>, motions: &'a [Motion]) -> Self {
        self.map(|query| query.between(other.into(), motions))
    }
}

impl sealed::Sealed for SweepQuery<'_> {}

impl RowQuery for SweepQuery<'_> {
    /// 32 bytes each.
    const MOST_PAIRS: u64 = 1 << 20;

    fn rows(&self) -> usize {
        self.sets.own.bodies.id_bound()
    }

    fn kept(self) -> Self {
        Self { sets: self.sets.kept(), keep: true, swept: Arc::default(), ..self }
    }

    fn of_rows(&self, rows: Range<usize>) -> Self {
        let only = Some(Only { rows, most: Self::MOST_PAIRS });
        Self { sets: PairedSets { only, ..self.sets.clone() }, ..self.clone() }
    }

    fn pairs(out: &SweepHits) -> usize {
        out.len()
    }
}

impl Query for SweepQuery<'_> {
    type Output = SweepHits;
    type Owned = SweepQuery<'static>;

    fn into_owned(self) -> Self::Owned {
        let motions = self.motions.map(|motions| Cow::Owned(motions.into_owned()));
        SweepQuery { sets: self.sets, motions, keep: self.keep, swept: self.swept }
    }

    fn check(&self) -> Result<()> {
        let sets = [Some(&self.sets.own), self.sets.against.as_ref()];
        for (set, motions) in sets.into_iter().zip(&self.motions) {
            let expected = set.map_or(0, |set| set.bodies.id_bound());
            if motions.len() != expected {
                return Err(Error::WrongCount { what: "motions", found: motions.len(), expected });
            }
        }
        self.sets.check()
    }

    fn size(&self) -> usize {
        self.sets.bodies()
    }

    fn by_brute_force(&self, out: &mut SweepHits) {
        brute::sweep(self, out);
    }

    fn on_cpu(&self, pool: &Pool, out: &mut SweepHits) -> Result<()> {
        cpu::sweep(self, pool, out)
    }

    #[cfg(feature = "gpu")]
    fn on_gpu<'a>(&'a self, context: crate::gpu::Context<'a>, out: &'a mut SweepHits) -> super::query::Work<'a> {
        Box::pin(gpu::sweep(self, context, out))
    }
}
