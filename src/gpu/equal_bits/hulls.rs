//! The same for pairs with hulls. What the device leaves to the host is not compared.

use bytemuck::bytes_of;

use super::{FAR, Floats, boxes_that_meet, courses, each_in_a_world, fixed_motion, fixed_shots, frames, with_pairs};
use crate::cast::{HullPlane, Verdict, hull_meeting};
use crate::contact::manifold_or_scalar;
use crate::exact::Margin;
use crate::gpu::abi::{ABSENT, HIT, MISS, RAYS_ALL};
use crate::gpu::narrow::Narrow;
use crate::gpu::pair_search::PairSearch;
use crate::gpu::phases::{Details, Moving};
use crate::gpu::workspace::Workspace;
use crate::gpu::{Context, Gpu, RaySearch, attempt, pack};
use crate::manifold::{Known, Manifold, fixed_hull_pairs};
use crate::near::{Clearance, SweepHit, clearance_of, sweep_or_scalar};
use crate::relation::MARK_TOUCHING;
use crate::shape::kinds::{BodyShape, encode};
use crate::{Bodies, Relation, Result};

impl Gpu {
    pub(super) async fn hulls_have_equal_bits(
        &self,
        floats: Floats,
        workspace: &mut Workspace,
        context: &mut Context<'_>,
    ) -> Result<bool> {
        let bodies = each_in_a_world(fixed_hull_pairs())?;
        let frames = frames(&bodies);
        let of = |id: usize| (id as u32, &frames[id], bodies.get(id));
        let contact = |[a, b]: [usize; 2], known: Known, most: u32| {
            let ((a, of_a, first), (b, of_b, second)) = (of(a), of(b));
            manifold_or_scalar((a, of_a, &first), (b, of_b, &second), known, most)
        };
        let far = Narrow::Near { distance: FAR, margins: false };
        match floats {
            Floats::Rays => rays(&bodies, workspace, context).await,
            Floats::Contacts => {
                let plan = PairSearch::new((None, &bodies), Narrow::Filter);
                let mut plan = plan.with_details(Details::Contacts { most: 4 });
                let found = attempt::answer(&mut plan, workspace, context).await?;
                let mut compared = found.partners().iter().zip(found.details::<Manifold>()).map(|(partner, known)| {
                    let touching = partner & MARK_TOUCHING != 0;
                    let relation = if touching { Relation::Touching } else { Relation::Overlapping };
                    let expected = contact([known.a(), known.b()].map(|id| id as usize), Known::Meet(relation), 4);
                    known.is_open() || bytes_of(known) == bytes_of(&expected)
                });
                Ok(compared.all(|same| same))
            }
            Floats::Approaches => {
                let plan = PairSearch::new((None, &bodies), far).with_details(Details::Approaches { most: 4 });
                let found = attempt::answer(&mut { plan }, workspace, context).await?;
                let within = Known::Within(Margin([FAR, 0.0, 0.0]));
                let mut compared = with_pairs::<Manifold>(&found)
                    .map(|(pair, known)| known.is_open() || bytes_of(known) == bytes_of(&contact(pair, within, 4)));
                Ok(compared.all(|same| same))
            }
            Floats::Clearances => {
                let plan = PairSearch::new((None, &bodies), far).with_details(Details::Clearances);
                let found = attempt::answer(&mut { plan }, workspace, context).await?;
                let mut compared = with_pairs::<Clearance>(&found).map(|([a, b], known)| {
                    let expected = clearance_of(&bodies.get(a), &bodies.get(b)).with_b(b as u32);
                    known.is_open() || bytes_of(known) == bytes_of(&expected)
                });
                Ok(compared.all(|same| same))
            }
            Floats::Sweeps => {
                let courses = courses(&bodies);
                let boxes = boxes_that_meet(&bodies);
                let moving = Moving { bodies: [Some(&bodies), None], courses: [&courses, &[]] };
                let plan = PairSearch::new((None, &boxes), Narrow::Moving).with_details(Details::Sweeps);
                let found = attempt::answer(&mut plan.with_moving(moving), workspace, context).await?;
                let mut compared = with_pairs::<SweepHit>(&found).map(|([a, b], known)| {
                    let [first, second] = [a, b].map(|id| bodies.get(id));
                    let [of_a, of_b] = [(a, &first), (b, &second)].map(|(id, shape)| fixed_motion(id, shape));
                    let first = (&frames[a], &courses[a], &first, &of_a);
                    let expected = sweep_or_scalar(first, (&frames[b], &courses[b], &second, &of_b));
                    known.is_open() || bytes_of(known) == bytes_of(&expected.with_b(b as u32))
                });
                Ok(compared.all(|same| same))
            }
        }
    }
}

async fn rays(bodies: &Bodies, workspace: &mut Workspace, context: &mut Context<'_>) -> Result<bool> {
    let shots = fixed_shots(bodies);
    let pack = |ray: usize| pack(&shots[ray].0, &shots[ray].1);
    let mut plan = RaySearch::new(bodies, (shots.len(), &pack), None, RAYS_ALL);
    let parts = attempt::answer(&mut plan, workspace, context).await?;
    let hits = parts.iter().flat_map(|part| &part.hits).filter(|hit| hit[1] != ABSENT);
    let mut compared = hits.map(|&[ray, body, time, verdict]| {
        let shape = bodies.get(body as usize);
        let BodyShape::ConvexHull(hull) = &shape else { return true };
        let found = hull_meeting(&shots[ray as usize].0, &encode(&shape).1, HullPlane::all(hull));
        let found = found.map(|meeting| (meeting.verdict, meeting.time.to_bits()));
        match verdict {
            HIT => found == Some((Verdict::Hit, time)),
            MISS => found.is_some_and(|(verdict, _)| verdict == Verdict::Miss),
            _ => true,
        }
    });
    Ok(compared.all(|same| same))
}
