//! Whether a device computes the same bits as the CPU.
//!
//! That rests on sums and products that are rounded to nearest, which WGSL does not promise, and on compilers that do not look through an
//! exclusive or with a uniform. So before the first query whose answer has floats, the query's own kernels run on fixed pairs, and all
//! bits are compared with the CPU's.

mod hulls;

use glam::Vec3;

use super::abi::{ABSENT, HIT, MISS, PARTNER_ID, RAYS_ALL, SWEEP_VECTORS, UNDECIDED};
use super::device_rows::DeviceRows;
use super::narrow::Narrow;
use super::pair_search::PairSearch;
use super::phases::{Details, Moving};
use super::workspace::Workspace;
use super::{Context, Gpu, RaySearch, attempt, pack};
use crate::cast::{Meeting, Shot, Verdict, meeting};
use crate::exact::Margin;
use crate::hash::mix;
use crate::manifold::{Frame, Known, Manifold, fixed_pairs, manifold};
use crate::near::{Clearance, Course, SweepHit, approach, clearance, pass_by, sweep};
use crate::parallel::Pool;
use crate::query::Motion;
use crate::relation::{MARK_TOUCHING, MARK_UNDECIDED};
use crate::shape::kinds::{BodyShape, encode};
use crate::shape::{Aabb, Ray, Shape};
use crate::{Bodies, Error, Relation, Result, Traits};

/// Further than the bodies of all fixed pairs are apart.
const FAR: f32 = 1e8;

/// Queries whose answers have floats.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Floats {
    Contacts,
    Rays,
    Clearances,
    /// Contacts of bodies that may be apart.
    Approaches,
    Sweeps,
}

impl Floats {
    pub(crate) const ALL: [Self; 5] = [Self::Contacts, Self::Rays, Self::Clearances, Self::Approaches, Self::Sweeps];
}

impl Gpu {
    /// Checks that these floats have equal bits, once for a device: with the kernels of that query, so that no others are
    /// compiled. Hulls, which have kernels of their own, are checked when they are first met.
    ///
    /// # Errors
    /// [`UnequalBits`](Error::UnequalBits) if they have not; what a query can fail with, if the check itself fails.
    pub(crate) async fn check_bits(&self, pool: &Pool, floats: Floats, has_hulls: bool) -> Result<()> {
        for (hulls, known) in self.equal_bits[floats as usize].iter().enumerate().take(1 + usize::from(has_hulls)) {
            if known.get().is_none() {
                let found = self.has_equal_bits(pool, floats, hulls == 1).await?;
                known.get_or_init(|| found);
            }
            if known.get() != Some(&true) {
                return Err(Error::UnequalBits { adapter: self.adapter().0.to_owned() });
            }
        }
        Ok(())
    }

    /// Whether bits are equal, as far as that is known.
    pub(crate) fn equal_bits(&self) -> Option<bool> {
        self.equal_bits.iter().flatten().filter_map(|known| known.get().copied()).reduce(|a, b| a && b)
    }

    async fn has_equal_bits(&self, pool: &Pool, floats: Floats, hulls: bool) -> Result<bool> {
        let (mut workspace, mut context) = (Workspace::new(), self.context(pool));
        workspace.runner.twins.clone_from(&self.twins);
        if hulls {
            return self.hulls_have_equal_bits(floats, &mut workspace, &mut context).await;
        }
        let bodies = each_in_a_world(fixed_pairs())?;
        match floats {
            Floats::Contacts => self.contacts_have_equal_bits(&bodies, &mut workspace, &mut context).await,
            Floats::Approaches => self.approaches_have_equal_bits(&bodies, &mut workspace, &mut context).await,
            Floats::Clearances => self.clearances_have_equal_bits(&bodies, &mut workspace, &mut context).await,
            Floats::Sweeps => self.sweeps_have_equal_bits(&bodies, &mut workspace, &mut context).await,
            Floats::Rays => self.rays_have_equal_bits(&bodies, &mut workspace, &mut context).await,
        }
    }

    /// Whether the contacts of these bodies have the bits of the CPU.
    async fn contacts_have_equal_bits(
        &self,
        bodies: &Bodies,
        workspace: &mut Workspace,
        context: &mut Context<'_>,
    ) -> Result<bool> {
        let frames = frames(bodies);
        for most in [1, 4] {
            let mut plan = PairSearch::new((None, bodies), Narrow::Filter).with_details(Details::Contacts { most });
            let found = attempt::answer(&mut plan, workspace, context).await?;
            for (partner, contact) in found.partners().iter().zip(found.details::<Manifold>()) {
                let (a, b) = (contact.a(), contact.b());
                let relation = if partner & MARK_TOUCHING == 0 { Relation::Overlapping } else { Relation::Touching };
                let (first, second) = ((a, &frames[a as usize]), (b, &frames[b as usize]));
                let known = (partner & MARK_UNDECIDED == 0).then_some(Known::Meet(relation));
                let known = known.and_then(|known| manifold(first, second, known, most));
                let expected = known.unwrap_or_else(|| Manifold::open(a, b));
                if bytemuck::bytes_of(contact) != bytemuck::bytes_of(&expected) {
                    return Ok(false);
                }
            }
        }
        Ok(true)
    }

    /// Whether the contacts of these bodies within some distance have the bits of the CPU.
    async fn approaches_have_equal_bits(
        &self,
        bodies: &Bodies,
        workspace: &mut Workspace,
        context: &mut Context<'_>,
    ) -> Result<bool> {
        let (frames, most) = (frames(bodies), 4);
        let known = Known::Within(Margin([FAR, 0.0, 0.0]));
        let plan = PairSearch::new((None, bodies), Narrow::Near { distance: FAR, margins: false });
        let found = attempt::answer(&mut plan.with_details(Details::Approaches { most }), workspace, context).await?;
        let mut compared = found.details::<Manifold>().iter().map(|contact| {
            let (a, b) = (contact.a(), contact.b());
            let (of_a, of_b) = (&frames[a as usize], &frames[b as usize]);
            let expected = manifold((a, of_a), (b, of_b), known, most).and_then(|known| approach(&known, of_a, of_b));
            let expected = expected.unwrap_or_else(|| Manifold::open(a, b));
            bytemuck::bytes_of(contact) == bytemuck::bytes_of(&expected)
        });
        Ok(compared.all(|same| same))
    }

    /// Whether the clearances of these bodies have the bits of the CPU.
    async fn clearances_have_equal_bits(
        &self,
        bodies: &Bodies,
        workspace: &mut Workspace,
        context: &mut Context<'_>,
    ) -> Result<bool> {
        let frames = frames(bodies);
        let plan = PairSearch::new((None, bodies), Narrow::Near { distance: FAR, margins: false });
        let found = attempt::answer(&mut plan.with_details(Details::Clearances), workspace, context).await?;
        let mut compared = with_pairs::<Clearance>(&found).map(|([a, b], known)| {
            let expected = clearance(&frames[a], &frames[b]).unwrap_or_else(Clearance::open).with_b(b as u32);
            bytemuck::bytes_of(known) == bytemuck::bytes_of(&expected)
        });
        Ok(compared.all(|same| same))
    }

    /// Whether the times at which these bodies meet, all of which move, have the bits of the CPU.
    async fn sweeps_have_equal_bits(
        &self,
        bodies: &Bodies,
        workspace: &mut Workspace,
        context: &mut Context<'_>,
    ) -> Result<bool> {
        let courses = courses(bodies);
        let frames = frames(bodies);
        let boxes = boxes_that_meet(bodies);
        let moving = Moving { bodies: [Some(bodies), None], courses: [&courses, &[]] };
        let mut plan =
            PairSearch::new((None, &boxes), Narrow::Moving).with_details(Details::Sweeps).with_moving(moving);
        let found = attempt::answer(&mut plan, workspace, context).await?;
        let known = with_pairs::<SweepHit>(&found).map(|([a, _], hit)| (a, hit));
        let of = |id: usize| (&frames[id], &courses[id]);
        let ids = 0..bodies.id_bound();
        let all = ids.clone().flat_map(|a| ids.clone().skip(a + 1).map(move |b| (a, b)));
        let pairs = all.filter(|(a, b)| bodies.may_meet(*a, *b) && !pass_by(of(*a), of(*b)));
        let expected = pairs.map(|(a, b)| (a, sweep(of(a), of(b)).unwrap_or_else(SweepHit::open).with_b(b as u32)));
        let bits = |(a, hit): (usize, SweepHit)| (a, bytemuck::cast::<SweepHit, [u32; 4 * SWEEP_VECTORS]>(hit));
        Ok(known.map(|(a, hit)| bits((a, *hit))).eq(expected.map(bits)))
    }

    /// Whether rays at these bodies, one at each, have the times of the CPU.
    async fn rays_have_equal_bits(
        &self,
        bodies: &Bodies,
        workspace: &mut Workspace,
        context: &mut Context<'_>,
    ) -> Result<bool> {
        let shots = fixed_shots(bodies);
        let pack = |ray: usize| pack(&shots[ray].0, &shots[ray].1);
        let mut plan = RaySearch::new(bodies, (shots.len(), &pack), None, RAYS_ALL);
        let parts = attempt::answer(&mut plan, workspace, context).await?;
        // (They are few, and in one part.)
        let hits = parts.iter().flat_map(|part| &part.hits).filter(|hit| hit[1] != ABSENT);
        let mut compared = hits.map(|&[ray, body, time, verdict]| {
            let (kind, record) = encode(&bodies.get(body as usize));
            let (expected, due) = match meeting(&shots[ray as usize].0, kind, &record) {
                None => (UNDECIDED, 0),
                Some(Meeting { verdict: Verdict::Open, time }) => (UNDECIDED, time.to_bits()),
                Some(Meeting { verdict: Verdict::Hit, time }) => (HIT, time.to_bits()),
                Some(Meeting { verdict: Verdict::Miss, time }) => (MISS, time.to_bits()),
            };
            (verdict, time) == (expected, due)
        });
        Ok(compared.all(|same| same))
    }
}

/// Pairs of bodies, each in a world of its own.
fn each_in_a_world<S: Into<Shape>>(pairs: impl IntoIterator<Item = [S; 2]>) -> Result<Bodies> {
    let mut bodies = Bodies::new();
    for (world, pair) in (0..).zip(pairs) {
        for shape in pair {
            let shape: Shape = shape.into();
            bodies.push_with(shape, Traits::new().world(world))?;
        }
    }
    Ok(bodies)
}

/// What is found, with the bodies of each: the first body of a pair is that of the row.
fn with_pairs<T: bytemuck::Pod>(found: &DeviceRows) -> impl Iterator<Item = ([usize; 2], &T)> {
    let rows = found.offsets().windows(2).enumerate();
    let firsts = rows.flat_map(|(a, ends)| std::iter::repeat_n(a, (ends[1] - ends[0]) as usize));
    let partners = found.partners().iter().map(|partner| (partner & PARTNER_ID) as usize);
    firsts.zip(partners).map(|(a, b)| [a, b]).zip(found.details::<T>())
}

/// A box for each body, all of which meet, so that all pairs of moving bodies are looked at.
fn boxes_that_meet(bodies: &Bodies) -> Bodies {
    let everything = Aabb::from_bounds(Vec3::splat(-1.0), Vec3::ONE);
    bodies.with_boxes(vec![encode(&BodyShape::Aabb(everything)).1; bodies.id_bound()])
}

/// A ray at each body.
fn fixed_shots(bodies: &Bodies) -> Vec<(Shot, Traits)> {
    let shot = |body: usize| {
        let bounds = bodies.get(body).aabb();
        let (center, size) = (bounds.center(), (bounds.max() - bounds.min()).max_element());
        let origin = center + size * Vec3::new(1.9, -2.3, 1.1);
        let ray = Ray::new(origin, center - origin + size * Vec3::new(0.13, 0.07, -0.11)).ok()?;
        Some((Shot::new(&ray, f32::INFINITY), bodies.all_traits()[body]))
    };
    (0..bodies.id_bound()).filter_map(shot).collect()
}

/// How a body moves, the same each time: by some of its size, and every other one turns too, some of these about a point beside them.
fn fixed_motion(id: usize, shape: &BodyShape<'_>) -> Motion {
    let random = |k: u64| (mix(id as u64 * 16 + k) >> 40) as f32 / (1 << 23) as f32 - 1.0;
    let vector = |k: u64| Vec3::new(random(k), random(k + 1), random(k + 2));
    // (A half-space has no size.)
    let size = shape.aabb().half_extents().max_element().min(1e7);
    let motion = match id % 4 {
        0 | 2 => Motion::translation(vector(0) * 3.0 * size),
        1 => Motion::new(vector(0) * size, vector(3) * 4.0),
        _ => Motion::new(vector(0) * size, vector(3))
            .and_then(|motion| motion.about(shape.aabb().center() + vector(6) * size)),
    };
    motion.unwrap_or_default()
}

/// How the bodies of a set move.
fn courses(bodies: &Bodies) -> Vec<Course> {
    let course = |id: usize| {
        let shape = bodies.get(id);
        Course::new(&shape, &fixed_motion(id, &shape))
    };
    (0..bodies.id_bound()).map(course).collect()
}

/// The bodies of a set as contacts see them.
fn frames(bodies: &Bodies) -> Vec<Frame> {
    let frame = |i: usize| {
        let (kind, record) = encode(&bodies.get(i));
        Frame::of(kind, &record)
    };
    (0..bodies.id_bound()).map(frame).collect()
}
