//! How two bodies meet, in deterministic arithmetic: normal, depth and up to four points with the same bits on every adapter and on the
//! CPU.
//!
//! The scalar [`contact`](crate::query::contact) computes the same in `f64`, and is what the results here are measured by. Each
//! function has a WGSL function of the same form in `shaders/lib` (`manifold`, `box_axes`, `box_edges`, `box_faces`, `capsules`); choices between axes,
//! faces and points are made on deterministic numbers, so that they are the same everywhere too.
//!
//! A pair is evaluated with the lower kind first, and turned back. Its numbers are scaled by a power of two so that the largest length
//! is from 1 to 2. A pair outside the domain (`Pair::of`) is left to the scalar function, on every backend alike. Contacts of hulls, and those of bodies that are apart, need
//! the search for distances, and are in `near`.

mod axes;
mod boxes;
mod capsule;
mod cores;
mod edges;
mod faces;
#[cfg(feature = "gpu")]
mod fixed;
mod frame;
mod half_space;
mod points;
mod record;
mod round;
#[cfg(feature = "serde")]
mod serde_impl;
#[cfg(test)]
mod tests;
pub(crate) mod turn;

use boxes::Boxes;
use capsule::Wanted;
pub(crate) use cores::{Core, Precise};
#[cfg(feature = "gpu")]
pub(crate) use fixed::{fixed_hull_pairs, fixed_pairs};
pub(crate) use frame::{Frame, MOST_EXPONENT, power, rsqrt_double, turned_axes, turned_axes_of_many};
#[cfg(feature = "gpu")]
pub(crate) use frame::{HAS_LOW, IS_HALF_SPACE, IS_HULL, IS_POINT, KIND as FRAME_KIND};
use frame::{Solid, between};
pub(crate) use half_space::{Over, half_space_of};
pub(crate) use points::Points;
pub use record::{ContactPoints, Manifold};

use crate::Relation;
use crate::det::{add, clean, max, mul, neg};
use crate::exact::Margin;
use crate::lanes::{Number, Width};
use crate::query::ContactKind;
use crate::shape::kinds::Kind;

/// Centres may be this many powers of two further from the origin than the largest length of the pair.
const REACH: u32 = 39;

/// A margin may be this many powers of two larger than the largest length of the pair; what is beyond does not matter.
const MOST_MARGIN: u32 = 45;

/// What is known of two bodies.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Known {
    /// That they touch or overlap.
    Meet(Relation),
    /// That they are no further apart than this.
    Within(Margin),
}

/// Two bodies, with the lower kind first.
#[derive(Clone, Copy)]
struct Pair<'a> {
    ids: [u32; 2],
    frames: [&'a Frame; 2],
    /// Whether the frames are in the other order than the ids.
    swapped: bool,
    touching: bool,
    /// The least depth of a contact, scaled: 0, or against as far as the bodies may be apart.
    floor: f32,
    /// What the pair is scaled by, as the bits of an `f32` hold it.
    exponent: u32,
}

impl<'a> Pair<'a> {
    /// `None` outside the domain: lengths from 2⁻⁶⁰ to 2⁶¹, and centres within 2⁴⁰ of the largest of them.
    fn of((id_a, a): (u32, &'a Frame), (id_b, b): (u32, &'a Frame), known: Known) -> Option<Self> {
        let exponent = a.exponent().max(b.exponent());
        let within = a.exponent() != 0 && b.exponent() != 0 && a.reach().max(b.reach()) <= exponent + REACH;
        let swapped = b.kind() < a.kind();
        let frames = if swapped { [b, a] } else { [a, b] };
        if !within {
            return None;
        }
        let (touching, floor) = match known {
            Known::Meet(relation) => (relation == Relation::Touching, 0.0),
            Known::Within(margin) => (false, floor(margin, exponent)),
        };
        Some(Self { ids: [id_a, id_b], frames, swapped, touching, floor, exponent })
    }

    fn is_of_boxes(&self) -> bool {
        self.frames[0].kind() != Kind::Sphere as u32 && self.frames[1].kind() != Kind::Capsule as u32
    }

    fn scale(&self) -> f32 {
        power(254 - self.exponent)
    }

    /// The contact of bodies of which one is a sphere or a capsule.
    fn with_round(&self, most: u32) -> Manifold {
        let [first, second] = self.frames.map(|frame| Solid::of(|_| (frame, 0), self.scale()));
        let apart = between(&first, &second).into();
        let wanted = Wanted { touching: self.touching, floor: self.floor, most };
        let is = |body: usize, kind: Kind| self.frames[body].kind() == kind as u32;
        let points = match (is(0, Kind::Sphere), is(1, Kind::Sphere), is(1, Kind::Capsule)) {
            (_, true, _) => round::spheres(&first, &second, apart, |depth| depth_of(depth, self.touching, self.floor)),
            (true, _, true) => capsule::with_ball(&first, &second, apart, &wanted),
            (true, ..) => {
                round::sphere_and_box(&first, &second, apart, |depth| depth_of(depth, self.touching, self.floor))
            }
            _ if is(0, Kind::Capsule) => capsule::with_capsule(&first, &second, apart, &wanted),
            _ => capsule::with_box(&first, &second, apart, &wanted),
        };
        self.manifold(&points.finished(self.swapped, power(self.exponent)), 0)
    }

    /// The contact with the points of one of several pairs.
    #[inline(always)]
    fn manifold<T: Number>(&self, points: &Points<T>, lane: usize) -> Manifold {
        let three = |v: &[T; 3]| [v[0].lane(lane), v[1].lane(lane), v[2].lane(lane)];
        // (Codes, counts and features are whole numbers.)
        let kind = points.kind.lane(lane) as u32;
        let mut found = Manifold::new(self.ids.into(), three(&points.normal), points.depth.lane(lane), kind);
        for k in 0..points.count.lane(lane) as usize {
            let [x, y, z] = three(&points.at[k]);
            let mut feature = points.features[k].lane(lane) as u32;
            if self.swapped && kind == ContactKind::Edges as u32 {
                feature = (feature & 255) << 8 | feature >> 8;
            }
            found.push([x, y, z, points.depths[k].lane(lane)], feature);
        }
        found
    }
}

/// Pairs whose contacts are computed, several side by side.
pub(crate) struct Waiting<'a> {
    boxes: Boxes<'a>,
    most: u32,
}

impl<'a> Waiting<'a> {
    pub(crate) fn new(most: u32) -> Self {
        Self::of_width(most, Width::widest())
    }

    fn of_width(most: u32, width: Width) -> Self {
        Self { boxes: Boxes::new(most, width), most }
    }

    /// Puts the contact of two bodies at its place, now or later. Returns whether it can be computed: `false` outside
    /// the domain.
    pub(crate) fn put(
        &mut self,
        a: (u32, &'a Frame),
        b: (u32, &'a Frame),
        known: Known,
        place: usize,
        out: &mut [Manifold],
    ) -> bool {
        if let Some(second) = half_space_of(a.1, b.1) {
            let [first, other] = if second { [a, b] } else { [b, a] };
            let found = half_space::manifold(first, other, (known, self.most), !second);
            out[place] = found.unwrap_or_default();
            return found.is_some();
        }
        let Some(pair) = Pair::of(a, b, known) else { return false };
        if pair.is_of_boxes() {
            self.boxes.put(pair, place, out);
        } else {
            out[place] = pair.with_round(self.most);
        }
        true
    }

    /// Computes those that still wait.
    pub(crate) fn finish(&mut self, out: &mut [Manifold]) {
        self.boxes.finish(out);
    }
}

/// How two bodies meet, or what is between them along the axis that parts them most; `None` outside the domain.
pub(crate) fn manifold(a: (u32, &Frame), b: (u32, &Frame), known: Known, most: u32) -> Option<Manifold> {
    let mut found = [Manifold::default()];
    let mut waiting = Waiting::of_width(most, Width::ONE);
    let known = waiting.put(a, b, known, 0, &mut found);
    waiting.finish(&mut found);
    known.then_some(found[0])
}

/// Depth of a contact: +0 if the bodies touch, and at least the floor.
#[inline(always)]
pub(crate) fn depth_of<T: Number>(depth: T, touching: T::Truth, floor: T) -> T {
    T::choose(touching, T::splat(0.0), max(depth, floor))
}

/// The least depth of a contact of bodies that may be so far apart, scaled.
pub(crate) fn floor(margin: Margin, exponent: u32) -> f32 {
    let [m, n, o] = margin.0.map(|x| {
        let most = exponent + MOST_MARGIN;
        if frame::exponent(x) > most { power(127 + MOST_MARGIN) } else { mul(clean(x), power(254 - exponent)) }
    });
    neg(add(add(m, n), o))
}
