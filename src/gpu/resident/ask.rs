//! What is to be recorded.

use std::pin::Pin;

use super::source::{BodySource, RecordOptions};
use crate::cast::{LATEST, Shot};
use crate::gpu::Details;
use crate::gpu::abi::{RAY_ENDS, RAY_SKIPPED};
use crate::gpu::capacity::Kind;
use crate::gpu::device::Device;
use crate::gpu::failure::Attempt;
use crate::gpu::narrow::Narrow;
use crate::gpu::phases::Moving;
use crate::gpu::phases::rays::Casting;
use crate::gpu::ray_search::pack;
use crate::gpu::runner::Recording;
use crate::gpu::workspace::{Memory, SlotRange};
use crate::parallel::Pool;
use crate::{Bodies, Traits};

/// What is to be recorded.
#[doc(hidden)]
pub struct Ask<'a> {
    /// The set whose bodies have a row each, if it is another than the searched one.
    pub(crate) searching: Option<&'a Bodies>,
    pub(crate) searched: &'a Bodies,
    pub(crate) what: What<'a>,
    pub(crate) options: &'a RecordOptions<'a>,
}

/// What is asked about the bodies.
#[doc(hidden)]
pub enum What<'a> {
    /// Pairs, and with at most so many points each their contacts, if they are wanted.
    Pairs { narrow: Narrow, details: Option<Details> },
    /// An answer for each body, or for each item of a list.
    List(ListAsked<'a>),
    /// What rays meet.
    Rays(RaysAsked<'a>),
    /// When bodies meet that move: the sets are the boxes in which they stay.
    Sweeps(MovingBodies<'a>),
}

/// A question with an answer of one word for each body, or for each item of a list.
pub(crate) trait ListQuery: Sync {
    fn kind(&self) -> Kind;

    /// What is uploaded.
    fn listed(&self) -> &[u8];

    /// How many answers there are, and what one is that is undecided.
    fn answers(&self) -> [u32; 2];

    /// Makes room, and, where it needs the bodies in the order of their ids, slots for them.
    fn make_room<'a>(&'a self, memory: &'a mut Memory, device: &'a Device) -> Room<'a>;

    /// Records all that leads to the answers, which take the place of partners. There is room.
    fn record<'m>(&self, memory: &'m Memory, recording: &mut Recording<'m>, slots: SlotRange);
}

/// Room that is being made, and the slots of bodies.
pub(crate) type Room<'a> = Pin<Box<dyn Future<Output = Attempt<SlotRange>> + 'a>>;

/// A list that is asked about.
#[doc(hidden)]
pub struct ListAsked<'a>(pub(crate) &'a dyn ListQuery);

/// Bodies that move.
#[doc(hidden)]
pub struct MovingBodies<'a>(pub(crate) Moving<'a>);

/// Rays that are to be cast.
#[doc(hidden)]
pub struct RaysAsked<'a> {
    pub(crate) count: u32,
    /// Each of them.
    pub(crate) shot: Box<dyn Fn(usize) -> (Shot, Traits) + Sync + 'a>,
    /// The traits of all rays; absent if each has its own.
    pub(crate) traits: Option<Traits>,
    /// `RAYS_NEAREST`, `RAYS_ANY` or `RAYS_ALL`.
    pub(crate) mode: u32,
}

/// What the host knows of rays, and the device does not, each sorted by ray.
#[derive(Debug, Default)]
pub(super) struct KeptRays {
    /// Rays that the device does not cast.
    pub(super) left: Vec<LeftRay>,
    /// Last times that are finite, and later than all times that the device computes with.
    pub(super) limits: Vec<(u32, f32)>,
}

/// A ray that is left to the host.
#[derive(Debug)]
pub(super) struct LeftRay {
    pub(super) ray: u32,
    pub(super) shot: Shot,
    pub(super) traits: Traits,
}

impl RaysAsked<'_> {
    pub(super) fn casting(&self) -> Casting {
        let Traits { layer, mask, group, world, .. } = self.traits.unwrap_or_default();
        let vectors = if self.traits.is_some() { 2 } else { 3 };
        Casting { rays: self.count, vectors, traits: [layer, mask, group, world], mode: self.mode, row: None }
    }

    /// The first ray that is left to the host.
    pub(crate) fn first_left(&self) -> Option<u32> {
        (0..self.count).find(|ray| !(self.shot)(*ray as usize).0.in_domain)
    }

    /// The rays as they are uploaded.
    pub(super) fn packed(&self, pool: &Pool) -> Vec<[u32; 4]> {
        let packed = |ray: usize| {
            let (shot, traits) = (self.shot)(ray);
            let mut packed = pack(&shot, &traits);
            if shot.last == LATEST && shot.limit.is_finite() {
                packed[1][3] |= RAY_ENDS;
            }
            packed
        };
        let count = self.count as usize;
        if self.traits.is_some() {
            let two = pool.collect(count, |ray| {
                let [origin, direction, _] = packed(ray);
                [origin, direction]
            });
            two.into_iter().flatten().collect()
        } else {
            pool.collect(count, packed).into_iter().flatten().collect()
        }
    }

    /// The rays of these that are uploaded of which the device does not know enough to settle what is open.
    pub(super) fn kept(&self, packed: &[[u32; 4]]) -> KeptRays {
        let mut kept = KeptRays::default();
        for (ray, packed) in (0..).zip(packed.chunks_exact(self.casting().vectors as usize)) {
            if packed[1][3] & (RAY_SKIPPED | RAY_ENDS) != 0 {
                let (shot, traits) = (self.shot)(ray as usize);
                if shot.in_domain {
                    kept.limits.push((ray, shot.limit));
                } else {
                    kept.left.push(LeftRay { ray, shot, traits });
                }
            }
        }
        kept
    }
}

impl std::fmt::Debug for Ask<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Ask").field("rows", &self.own().id_bound()).finish_non_exhaustive()
    }
}

impl std::fmt::Debug for What<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Pairs { .. } => "Pairs",
            Self::List(_) => "List",
            Self::Rays(_) => "Rays",
            Self::Sweeps(_) => "Sweeps",
        })
    }
}

impl std::fmt::Debug for RaysAsked<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("RaysAsked").field("count", &self.count).finish_non_exhaustive()
    }
}

impl Ask<'_> {
    pub(super) fn kind(&self) -> Kind {
        let between = self.searching.is_some();
        match self.what {
            What::Pairs { narrow: Narrow::Filter, .. } => Kind::Pairs { between },
            What::Pairs { narrow: Narrow::Accept, .. } => Kind::Candidates { between },
            What::Pairs { narrow: Narrow::Near { .. }, .. } => Kind::Near { between },
            What::Pairs { narrow: Narrow::Moving, .. } | What::Sweeps(_) => Kind::Moving { between },
            What::Pairs { narrow: Narrow::Closest { .. }, .. } => Kind::Closest,
            What::List(ListAsked(list)) => list.kind(),
            What::Rays(RaysAsked { mode, .. }) => Kind::Rays { mode },
        }
    }

    /// The number of rows of pairs.
    pub(super) fn rows(&self) -> u32 {
        if matches!(self.what, What::Pairs { .. } | What::Sweeps(_)) { self.own().id_bound() as u32 } else { 0 }
    }

    pub(super) fn narrow(&self) -> Narrow {
        match self.what {
            What::Pairs { narrow, .. } => narrow,
            What::Sweeps(_) => Narrow::Moving,
            _ => Narrow::Filter,
        }
    }

    pub(super) fn details(&self) -> Option<Details> {
        match self.what {
            What::Pairs { details, .. } => details,
            What::Sweeps(_) => Some(Details::Sweeps),
            _ => None,
        }
    }

    pub(super) fn moving(&self) -> Option<&Moving<'_>> {
        if let What::Sweeps(MovingBodies(moving)) = &self.what { Some(moving) } else { None }
    }

    /// The number of answers about a list, or of rays.
    pub(super) fn listed(&self) -> u32 {
        match &self.what {
            What::List(ListAsked(list)) => list.answers()[0],
            What::Rays(rays) => rays.count,
            What::Pairs { .. } | What::Sweeps(_) => 0,
        }
    }

    /// Whether traits say which bodies are looked at.
    pub(super) fn compares_traits(&self) -> bool {
        matches!(self.what, What::Pairs { .. } | What::Rays(_) | What::Sweeps(_))
    }

    /// Whether any of the bodies is a hull.
    pub(crate) fn has_hulls(&self) -> bool {
        let moving = self.moving().map(|moving| moving.bodies).unwrap_or_default();
        let sets = [self.searching, Some(self.searched)].into_iter().chain(moving);
        sets.flatten().any(Bodies::has_hulls)
    }

    pub(super) fn own(&self) -> &Bodies {
        self.searching.unwrap_or(self.searched)
    }

    /// What the caller's shaders write of the searched set, and of the searching set.
    pub(super) fn sources(&self) -> [&[BodySource]; 2] {
        let [own, other] = self.options.both();
        if self.searching.is_some() { [other, own] } else { [own, &[]] }
    }
}
