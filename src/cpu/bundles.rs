//! Rays that go nearly the same way, as those of a picture do, through the tree together.
//!
//! A block is tested against all of them at once, by the least and the greatest of their numbers: every step of a ray's own test is monotone in
//! each of these, rounding too, so that no ray of the bundle comes nearer than the bundle does. A body that the bundle comes near is tested with all rays
//! side by side.

use super::cells::Cells;
use super::packed::PackedObb;
use super::rays::{Caster, FURTHEST, Goal, Wanted};
use super::route::{Probe, Route};
use super::tree::{Block, WIDTH};
use crate::Traits;
use crate::cast::{Shot, certain_interval};
use crate::filter::{Cuboid, Lanes, NODE_PAD, NODE_RATE, NODE_TINY, Path, VAST, rays_and_obbs};
use crate::lanes::{Number, Truth};

/// How many rays a bundle has at most.
pub(super) const RAYS: usize = WIDTH;
/// The directions of a bundle, whose largest component is from 1 to 2, differ by no more than this along each axis: rays that are further apart
/// come near many bodies that only one of them meets.
const SPREAD: f32 = 0.125;

/// The least and the greatest number of all rays along an axis.
#[derive(Clone, Copy)]
struct Spread {
    low: f32,
    high: f32,
}

impl Spread {
    fn of(numbers: impl Iterator<Item = f32>) -> Self {
        let none = Self { low: f32::INFINITY, high: f32::NEG_INFINITY };
        numbers.fold(none, |all, x| Self { low: all.low.min(x), high: all.high.max(x) })
    }

    fn width(self) -> f32 {
        self.high - self.low
    }
}

/// What of a bundle is tested against blocks.
struct Slopes {
    origin: [Spread; 3],
    inverse: [Spread; 3],
    goes_down: [bool; 3],
}

impl Slopes {
    /// Of rays that go nearly the same way, from places that are at most so far apart.
    fn new(rays: &[(Shot, Traits)], apart: f32) -> Option<Self> {
        let shots = || rays.iter().map(|(shot, _)| shot);
        let goes_down = shots().next()?.direction.map(|rate| rate < 0.0);
        let origin = [0, 1, 2].map(|k| Spread::of(shots().map(|shot| shot.ray.origin()[k])));
        let direction = [0, 1, 2].map(|k| Spread::of(shots().map(|shot| shot.direction[k])));
        let inverse = [0, 1, 2].map(|k| Spread::of(shots().map(|shot| 1.0 / shot.direction[k].abs().max(NODE_RATE))));
        let is_narrow = origin.iter().all(|origin| origin.width() <= apart)
            && direction.iter().all(|direction| direction.width() <= SPREAD)
            && shots().all(|shot| shot.direction.map(|rate| rate < 0.0) == goes_down);
        is_narrow.then_some(Self { origin, inverse, goes_down })
    }
}

/// Whether rays go nearly the same way, from places that are at most so far apart.
pub(super) fn go_together(rays: &[(Shot, Traits)], apart: f32) -> bool {
    Slopes::new(rays, apart).is_some()
}

/// What a bundle and a box are along an axis.
struct Along<T> {
    enter: T,
    exit: T,
}

impl Slopes {
    /// The offsets of both faces of boxes along an axis, from where each comes first and last: (near, far), as if rays went up.
    #[inline(always)]
    fn offsets<T: Number>(&self, k: usize, block: &Block, first: usize) -> (T, T, T) {
        let Spread { low, high } = self.origin[k];
        let (min, max) = (T::load(&block.min[k][first..]), T::load(&block.max[k][first..]));
        // The lowest and the highest offset of any ray.
        let (below, above) = (min.minus(T::splat(high)), max.minus(T::splat(low)));
        let reach = below.magnitude().greater(above.magnitude());
        // (Both faces from both ends: what is between is not further away.)
        let (min_above, max_below) = (min.minus(T::splat(low)), max.minus(T::splat(high)));
        let reach = reach.greater(min_above.magnitude()).greater(max_below.magnitude());
        if self.goes_down[k] { (above.negated(), below.negated(), reach) } else { (below, above, reach) }
    }

    #[inline(always)]
    fn along<T: Number>(&self, k: usize, near: T, far: T, pad: T) -> Along<T> {
        let (slow, fast) = (T::splat(self.inverse[k].low), T::splat(self.inverse[k].high));
        let (near, far) = (near.minus(pad), far.plus(pad));
        Along { enter: near.times(slow).lesser(near.times(fast)), exit: far.times(slow).greater(far.times(fast)) }
    }
}

impl Probe for Slopes {
    #[inline(always)]
    fn meets<T: Number>(&self, block: &Block, most: f32, nears: &mut [f32; WIDTH]) -> u32 {
        let (mut mask, mut first) = (0, 0);
        while first < WIDTH {
            let (near_x, far_x, reach_x) = self.offsets::<T>(0, block, first);
            let (near_y, far_y, reach_y) = self.offsets::<T>(1, block, first);
            let (near_z, far_z, reach_z) = self.offsets::<T>(2, block, first);
            let reach = reach_x.greater(reach_y).greater(reach_z);
            let pad = reach.times(T::splat(NODE_PAD)).plus(T::splat(NODE_TINY));
            let x = self.along(0, near_x, far_x, pad);
            let y = self.along(1, near_y, far_y, pad);
            let z = self.along(2, near_z, far_z, pad);
            let enter = T::splat(0.0).greater(x.enter).greater(y.enter).greater(z.enter);
            let exit = x.exit.lesser(y.exit).lesser(z.exit);
            let meets = enter.at_most(exit).and(enter.at_most(T::splat(most)));
            let vast = T::splat(VAST).below(reach);
            let there = T::load(&block.min[0][first..]).at_most(T::load(&block.max[0][first..]));
            let met = there.and(vast.or(meets));
            mask |= met.bits() << first;
            T::choose(met, enter.unless(vast), T::splat(f32::INFINITY)).store(&mut nears[first..]);
            first += T::LANES;
        }
        mask
    }
}

/// A ray of a bundle, and what it has found.
pub(super) struct Member {
    pub number: usize,
    pub shot: Shot,
    pub wanted: Goal,
}

/// Rays that go the same way.
pub(super) struct Bundle<'a> {
    cells: &'a Cells,
    route: Route<'a>,
    slopes: Slopes,
    pub(super) members: Vec<Member>,
    /// The rays side by side: origins, directions and last times; those that lack are like the last one.
    rows: [[f32; RAYS]; 7],
    /// For each the latest time that still matters, rounded up; below 0 if none does.
    latest: [f32; RAYS],
    traits: Traits,
    is_choosy: bool,
}

impl<'a> Bundle<'a> {
    /// Of rays with their traits, the first of which has this number, if they go the same way, and single precision can tell of all.
    pub(super) fn new(
        (caster, cells): (&Caster<'a>, &'a Cells),
        (first, rays): (usize, &[(Shot, Traits)]),
        (goal, apart): (&Goal, f32),
    ) -> Option<Self> {
        let traits = rays.first()?.1;
        let can = |(shot, own): &(Shot, Traits)| {
            shot.in_domain && *own == traits && shot.ray.origin().abs().max_element() <= FURTHEST
        };
        if rays.len() > RAYS || !rays.iter().all(can) {
            return None;
        }
        let slopes = Slopes::new(rays, apart)?;
        let mut rows = [[0.0; RAYS]; 7];
        for lane in 0..RAYS {
            let (shot, _) = &rays[lane.min(rays.len() - 1)];
            let ([x, y, z], [dx, dy, dz]) = (shot.ray.origin().to_array(), shot.direction);
            for (row, x) in rows.iter_mut().zip([x, y, z, dx, dy, dz, shot.last]) {
                row[lane] = x;
            }
        }
        let members = rays.iter().zip(first..);
        let members = members.map(|((shot, _), number)| Member { number, shot: *shot, wanted: goal.clone() }).collect();
        let mut bundle = Self {
            cells,
            route: Route::new(cells),
            slopes,
            members,
            rows,
            latest: [-1.0; RAYS],
            traits,
            is_choosy: !caster.sorted().is_open_to(&traits),
        };
        bundle.route.begin(caster.sorted(), traits.world);
        (0..rays.len()).for_each(|lane| bundle.learn(lane));
        bundle.look_again();
        Some(bundle)
    }

    /// Learns how far a ray has to go.
    fn learn(&mut self, lane: usize) {
        let Member { shot, wanted, .. } = &self.members[lane];
        let latest = (wanted.latest().min(shot.path.limit) as f32).next_up();
        self.latest[lane] = if wanted.is_done() { -1.0 } else { latest.min(f32::MAX) };
    }

    /// Learns how far any of the rays has to go.
    fn look_again(&mut self) {
        let most = self.latest.iter().fold(-1.0, |most: f32, latest| most.max(*latest));
        self.route.limit(most);
        if most < 0.0 {
            self.route.stop();
        }
    }

    /// Finds what the rays meet.
    #[inline(always)]
    pub(super) fn fly<T: Number>(&mut self, caster: &mut Caster<'a>) {
        let leaves = caster.sorted().order.tree.leaves();
        while self.route.is_under_way() {
            let met = self.route.look::<T>(&self.slopes);
            let (block, mut met) = self.route.go_on::<T>(met);
            while met != 0 {
                let position = self.cells.child(block, met.trailing_zeros() as usize);
                met &= met - 1;
                if self.is_choosy && !caster.may_meet(&self.traits, position) {
                    continue;
                }
                self.test::<T>(caster, leaves[position / WIDTH].packed(position % WIDTH), position);
            }
        }
    }

    /// Tests the body at a position with all rays.
    #[inline(always)]
    fn test<T: Number>(&mut self, caster: &mut Caster<'a>, packed: &PackedObb, position: usize) {
        let body = caster.sorted().order.ids[position];
        caster.tested += self.members.len() as u64;
        let all = u32::MAX >> (32 - self.members.len());
        let Some(Cuboid { center, half, axes: [a, b, c] }) = packed.cuboid::<f32>() else {
            for lane in 0..self.members.len() {
                let Member { shot, wanted, .. } = &mut self.members[lane];
                if !wanted.is_done() {
                    caster.test_body(shot, body, wanted);
                    self.learn(lane);
                }
            }
            self.look_again();
            return;
        };
        let obb = Cuboid { center: splat(center), half: splat(half), axes: [splat(a), splat(b), splat(c)] };
        let (mut enters, mut last) = ([0.0; RAYS], [0.0; RAYS]);
        let (mut hits, mut open, mut first) = (0, 0, 0);
        while first < RAYS {
            let path = paths::<T>(&self.rows, first);
            let spans = rays_and_obbs(&path, &obb);
            // What is entered later than a ray's best hit is no hit.
            let late = T::load(&self.latest[first..]).below(spans.first).bits();
            hits |= (spans.hits & !late) << first;
            open |= (!spans.misses & !spans.hits & !late) << first;
            spans.first.store(&mut enters[first..]);
            spans.last.store(&mut last[first..]);
            first += T::LANES;
        }
        (hits, open) = (hits & all, open & all);
        if hits | open == 0 {
            return;
        }
        let mut left = hits | open;
        while left != 0 {
            let lane = left.trailing_zeros() as usize % RAYS;
            left &= left - 1;
            let Member { shot, wanted, .. } = &mut self.members[lane];
            if hits >> lane & 1 == 1 {
                let interval = certain_interval(f64::from(enters[lane]), f64::from(last[lane]));
                wanted.meet(caster, shot, body, interval);
            } else {
                caster.test_body(shot, body, wanted);
            }
            self.learn(lane);
        }
        self.look_again();
    }
}

/// Rays in lanes, from the first one on.
#[inline(always)]
fn paths<T: Number>(rows: &[[f32; RAYS]; 7], first: usize) -> Path<Lanes<T>> {
    let [x, y, z, dx, dy, dz, last] = rows;
    Path {
        origin: [Lanes(T::load(&x[first..])), Lanes(T::load(&y[first..])), Lanes(T::load(&z[first..]))],
        direction: [Lanes(T::load(&dx[first..])), Lanes(T::load(&dy[first..])), Lanes(T::load(&dz[first..]))],
        limit: Lanes(T::load(&last[first..])),
    }
}

#[inline(always)]
fn splat<T: Number>(v: [f32; 3]) -> [Lanes<T>; 3] {
    [Lanes(T::splat(v[0])), Lanes(T::splat(v[1])), Lanes(T::splat(v[2]))]
}
