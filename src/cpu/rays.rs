//! Rays through the tree, the nearest blocks first.

use std::ops::Range;

use super::Sorted;
use super::tree::{Block, LOG_WIDTH, WIDTH, lanes_within};
use super::visits::{Lanes, Visit};
use crate::cast::{Shot, certain_interval, entry, span};
use crate::exact::ray_shape;
use crate::filter::{NODE_PAD, NODE_RATE, NODE_TINY, Path, Span, VAST, ray_obb};
use crate::lanes::{Number, Task, Truth};
use crate::{Bodies, Traits};

/// Origins up to here (2⁴⁰) are far enough from overflow. Rays from beyond are tested against all bodies.
pub(super) const FURTHEST: f32 = (1_u64 << 40) as f32;

/// What of a ray is tested against blocks.
#[derive(Clone, Copy)]
pub(super) struct Slopes {
    origin: [f32; 3],
    inverse: [f32; 3],
    goes_down: [bool; 3],
}

impl Slopes {
    #[inline(always)]
    pub(super) fn new(shot: &Shot) -> Self {
        let inverse = shot.direction.map(|rate| 1.0 / rate.abs().max(NODE_RATE));
        Self { origin: shot.ray.origin().to_array(), inverse, goes_down: shot.direction.map(|rate| rate < 0.0) }
    }

    #[inline(always)]
    fn probe<T: Number>(&self) -> Probe<T> {
        Probe { origin: self.origin.map(T::splat), inverse: self.inverse.map(T::splat), goes_down: self.goes_down }
    }
}

impl super::route::Probe for Slopes {
    #[inline(always)]
    fn meets<T: Number>(&self, block: &Block, most: f32, nears: &mut [f32; WIDTH]) -> u32 {
        self.probe::<T>().meets(block, most, nears)
    }
}

/// A ray in all lanes, to be tested against blocks.
struct Probe<T> {
    origin: [T; 3],
    inverse: [T; 3],
    goes_down: [bool; 3],
}

impl<T: Number> Probe<T> {
    /// A bit for every lane whose box the ray may meet, or be as near to as deterministic times allow, at times up to `latest`. The first
    /// of these times in each lane is written to `enters`, and infinity in all other lanes.
    #[inline(always)]
    fn meets(&self, block: &Block, latest: f32, enters: &mut [f32; WIDTH]) -> u32 {
        let (mut mask, mut first) = (0, 0);
        while first < WIDTH {
            let (mut low, mut high) = (self.origin, self.origin);
            let mut reach = T::splat(0.0);
            for k in 0..3 {
                low[k] = T::load(&block.min[k][first..]).minus(self.origin[k]);
                high[k] = T::load(&block.max[k][first..]).minus(self.origin[k]);
                reach = reach.greater(low[k].magnitude()).greater(high[k].magnitude());
            }
            let pad = reach.times(T::splat(NODE_PAD)).plus(T::splat(NODE_TINY));
            let (mut enter, mut exit) = (T::splat(0.0), T::splat(f32::INFINITY));
            for k in 0..3 {
                let (near, far) =
                    if self.goes_down[k] { (high[k].negated(), low[k].negated()) } else { (low[k], high[k]) };
                enter = enter.greater(near.minus(pad).times(self.inverse[k]));
                exit = exit.lesser(far.plus(pad).times(self.inverse[k]));
            }
            let meets = enter.at_most(exit).and(enter.at_most(T::splat(latest)));
            let vast = T::splat(VAST).below(reach);
            let there = T::load(&block.min[0][first..]).at_most(T::load(&block.max[0][first..]));
            let met = there.and(vast.or(meets));
            mask |= met.bits() << first;
            T::choose(met, enter.unless(vast), T::splat(f32::INFINITY)).store(&mut enters[first..]);
            first += T::LANES;
        }
        mask
    }
}

/// A hit that is certain, but whose deterministic time is not computed yet: the interval in which it lies, and the body.
#[derive(Clone, Copy)]
struct Waiting {
    first: f64,
    last: f64,
    body: u32,
}

/// What a ray is asked for.
pub(crate) trait Wanted {
    /// The latest time that still matters.
    fn latest(&self) -> f64;
    /// Whether nothing more can matter.
    fn is_done(&self) -> bool;
    /// A certain hit, at a time in this interval.
    fn meet(&mut self, caster: &Caster<'_>, shot: &Shot, body: u32, interval: (f64, f64));
}

/// The hit of the least (time, body).
#[derive(Clone, Default)]
pub(crate) struct Nearest {
    waiting: Option<Waiting>,
    best: Option<(f32, u32)>,
}

impl Nearest {
    fn offer(&mut self, found: (f32, u32)) {
        if self.best.is_none_or(|best| found < best) {
            self.best = Some(found);
        }
    }

    fn settle(&mut self, caster: &Caster<'_>, shot: &Shot) {
        if let Some(Waiting { body, .. }) = self.waiting.take() {
            self.offer((caster.entry(shot, body), body));
        }
    }

    /// The nearest of all hits so far.
    pub(crate) fn found(mut self, caster: &Caster<'_>, shot: &Shot) -> Option<(f32, u32)> {
        self.settle(caster, shot);
        self.best
    }
}

impl Wanted for Nearest {
    fn latest(&self) -> f64 {
        let waiting = self.waiting.map_or(f64::INFINITY, |waiting| waiting.last);
        self.best.map_or(waiting, |best| f64::from(best.0).min(waiting))
    }

    fn is_done(&self) -> bool {
        false
    }

    fn meet(&mut self, caster: &Caster<'_>, shot: &Shot, body: u32, (first, last): (f64, f64)) {
        let earlier = self.best.is_none_or(|best| last < f64::from(best.0));
        if earlier && self.waiting.is_none_or(|waiting| last < waiting.first) {
            // All others are certainly later.
            (self.best, self.waiting) = (None, Some(Waiting { first, last, body }));
        } else if first <= self.latest() {
            self.settle(caster, shot);
            self.offer((caster.entry(shot, body), body));
        }
    }
}

/// What rays are asked for.
#[derive(Clone)]
pub(crate) enum Goal {
    /// The hit of the least (time, body).
    Nearest(Nearest),
    /// Whether there is a hit.
    Any(bool),
    /// All bodies that are hit, in any order.
    All(Vec<u32>),
}

impl Goal {
    /// Calls `known` with the time and the body of a hit, and `untimed` with the body of one whose time is still to be computed.
    #[inline(always)]
    pub(super) fn end(&mut self, mut known: impl FnMut(f32, u32), mut untimed: impl FnMut(u32)) {
        match self {
            // (There is one or the other.)
            Self::Nearest(Nearest { waiting, best }) => {
                if let Some((time, body)) = best {
                    known(*time, *body);
                }
                if let Some(hit) = waiting {
                    untimed(hit.body);
                }
            }
            Self::Any(true) => known(0.0, 0),
            Self::Any(false) => {}
            Self::All(bodies) => bodies.drain(..).for_each(untimed),
        }
    }
}

impl Wanted for Goal {
    #[inline]
    fn latest(&self) -> f64 {
        match self {
            Self::Nearest(nearest) => nearest.latest(),
            Self::Any(_) | Self::All(_) => f64::INFINITY,
        }
    }

    #[inline]
    fn is_done(&self) -> bool {
        matches!(self, Self::Any(true))
    }

    #[inline]
    fn meet(&mut self, caster: &Caster<'_>, shot: &Shot, body: u32, interval: (f64, f64)) {
        match self {
            Self::Nearest(nearest) => nearest.meet(caster, shot, body, interval),
            Self::Any(found) => *found = true,
            Self::All(bodies) => bodies.push(body),
        }
    }
}

/// A hit of one of several rays.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Hit {
    /// Which ray it is.
    pub(crate) ray: usize,
    /// When it enters, in units of the shot's direction, and in units of the ray's.
    pub(crate) scaled_time: f32,
    pub(crate) time: f32,
    pub(crate) body: u32,
}

impl Hit {
    pub(super) fn new(ray: usize, shot: &Shot, scaled_time: f32, body: u32) -> Self {
        Self { ray, scaled_time, time: shot.time(scaled_time), body }
    }
}

/// Casts rays at a sorted set, one after the other.
pub(crate) struct Caster<'a> {
    bodies: &'a Bodies,
    sorted: &'a Sorted,
    stack: Vec<Visit>,
    /// Rays and bodies that were tested, and those of them that were left to integers.
    pub(crate) tested: u64,
    pub(crate) undecided: u64,
}

impl<'a> Caster<'a> {
    pub(crate) fn new(bodies: &'a Bodies, sorted: &'a Sorted) -> Self {
        Self { bodies, sorted, stack: Vec::new(), tested: 0, undecided: 0 }
    }

    pub(super) fn sorted(&self) -> &'a Sorted {
        self.sorted
    }

    pub(super) fn bodies(&self) -> &'a Bodies {
        self.bodies
    }

    /// Whether traits allow a ray to meet the body at a position.
    pub(super) fn may_meet(&self, traits: &Traits, position: usize) -> bool {
        traits.may_meet(&self.bodies.all_traits()[self.sorted.order.ids[position] as usize])
    }

    /// The deterministic time at which a ray enters a body that it meets.
    pub(super) fn entry(&self, shot: &Shot, body: u32) -> f32 {
        entry(shot, &self.bodies.get(body as usize))
    }

    /// Finds what a ray with these traits meets.
    pub(crate) fn cast(&mut self, shot: &Shot, traits: &Traits, wanted: &mut impl Wanted) {
        if shot.ray.origin().abs().max_element() > FURTHEST {
            self.test_all(shot, traits, wanted);
        } else {
            self.sorted.width.run(Descent { caster: self, shot, traits, wanted });
        }
    }

    /// Tests all bodies.
    pub(super) fn test_all(&mut self, shot: &Shot, traits: &Traits, wanted: &mut impl Wanted) {
        for position in 0..self.sorted.order.len() {
            if !wanted.is_done() && self.may_meet(traits, position) {
                self.test_position(shot, position, wanted);
            }
        }
    }

    /// Tests the body at a position, whose traits allow it.
    pub(super) fn test_position(&mut self, shot: &Shot, position: usize, wanted: &mut impl Wanted) {
        self.tested += 1;
        self.test_body(shot, self.sorted.order.ids[position], wanted);
    }

    /// Tests a body of a leaf, whose traits allow it if the ray is plain. Single precision tells nearly always.
    #[inline(always)]
    fn test_lane(&mut self, (shot, narrow): (&Shot, &Narrow<'_>), position: usize, wanted: &mut impl Wanted) {
        let order = &self.sorted.order;
        let body = order.ids[position];
        let traits = narrow.traits;
        if traits.is_some_and(|traits| !traits.may_meet(&self.bodies.all_traits()[body as usize])) {
            return;
        }
        self.tested += 1;
        let packed = order.tree.leaves()[position / WIDTH].packed(position % WIDTH);
        if let Some((path, obb)) = narrow.path.as_ref().zip(packed.cuboid::<f32>()) {
            match ray_obb(path, &obb) {
                Span::Miss => return,
                Span::Hit(first, last) => {
                    let interval = certain_interval(f64::from(first), f64::from(last));
                    return wanted.meet(self, shot, body, interval);
                }
                Span::Open(_) => {}
            }
        }
        self.test_body(shot, body, wanted);
    }

    pub(super) fn test_body(&mut self, shot: &Shot, body: u32, wanted: &mut impl Wanted) {
        let shape = self.bodies.get(body as usize);
        match span(shot, &shape) {
            Span::Miss => {}
            Span::Hit(first, last) => wanted.meet(self, shot, body, (first, last)),
            Span::Open(first) if first > wanted.latest() => {}
            Span::Open(first) => {
                self.undecided += 1;
                if ray_shape(&shot.ray, shot.limit, &shape) {
                    wanted.meet(self, shot, body, (first, f64::INFINITY));
                }
            }
        }
    }
}

/// What a ray is tested with first.
struct Narrow<'a> {
    /// The ray in single precision, if it is in the domain of that.
    path: Option<Path<f32>>,
    /// Its traits, unless all bodies in its segments are known to agree with them.
    traits: Option<&'a Traits>,
}

impl<'a> Narrow<'a> {
    fn new(shot: &Shot, traits: &'a Traits, sorted: &Sorted) -> Self {
        let (origin, direction) = (shot.ray.origin().to_array(), shot.direction);
        Self {
            path: shot.in_domain.then_some(Path { origin, direction, limit: shot.last }),
            traits: Some(traits).filter(|traits| !sorted.is_open_to(traits)),
        }
    }
}

/// The way of a ray through the tree.
struct Descent<'a, 'b, W> {
    caster: &'b mut Caster<'a>,
    shot: &'b Shot,
    traits: &'b Traits,
    wanted: &'b mut W,
}

impl<W: Wanted> Task for Descent<'_, '_, W> {
    type Output = ();
    #[inline(always)]
    fn run<T: Number>(mut self) {
        let (probe, order) = (Slopes::new(self.shot).probe::<T>(), &self.caster.sorted.order);
        let (own, shared) = order.segments_for(self.traits.world);
        for segment in own.iter().chain(shared) {
            self.descend(&probe, &segment.bodies);
        }
    }
}

impl<W: Wanted> Descent<'_, '_, W> {
    /// Finds what the ray meets of the bodies at these positions.
    #[inline(always)]
    fn descend<T: Number>(&mut self, probe: &Probe<T>, positions: &Range<usize>) {
        let Self { caster, shot, traits, wanted } = self;
        let narrow = Narrow::new(shot, traits, caster.sorted);
        let leaves = positions.start / WIDTH..positions.end.div_ceil(WIDTH);
        let (mut level, mut enters) = (0, [0.0; WIDTH]);
        while leaves.start >> (LOG_WIDTH * level) != (leaves.end - 1) >> (LOG_WIDTH * level) {
            level += 1;
        }
        caster.stack.clear();
        caster.stack.push(Visit { near: 0.0, level, block: (leaves.start >> (LOG_WIDTH * level)) as u32 });
        while let Some(Visit { near: enter, level, block }) = caster.stack.pop() {
            let (at, block) = (level as usize, block as usize);
            // Rounded up.
            let latest = (wanted.latest().min(shot.path.limit) as f32).next_up();
            if enter > latest {
                continue;
            }
            let met = probe.meets(caster.sorted.order.tree.block(at, block), latest, &mut enters);
            // Lanes of the lowest level are bodies, and all others have as many of them below as this.
            let lanes = Lanes::new(met & lanes_within(block * WIDTH, LOG_WIDTH * level, positions), &enters);
            if level > 0 {
                // Those that the ray enters last are visited last.
                let visit = |(near, lane)| Visit { near, level: level - 1, block: (block * WIDTH + lane) as u32 };
                caster.stack.extend(lanes.iter().rev().map(visit));
                continue;
            }
            for (enter, lane) in lanes.iter() {
                if f64::from(enter) <= wanted.latest() {
                    caster.test_lane((shot, &narrow), block * WIDTH + lane, *wanted);
                }
            }
            if wanted.is_done() {
                return;
            }
        }
    }
}
