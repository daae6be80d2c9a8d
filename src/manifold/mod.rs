//! How two bodies meet, in deterministic arithmetic: normal, depth and up to four points with the same bits on every adapter and on the
//! CPU.
//!
//! The scalar [`contact`](crate::query::contact) computes the same in `f64`, and is what the results here are measured by. Each
//! function has a WGSL function of the same form in `shaders/lib` (`manifold`, `box_axes`, `box_faces`, `box_contacts`); choices between axes, faces and points are made on
//! deterministic numbers, so that they are the same everywhere too.
//!
//! A pair is evaluated with the lower kind first, and turned back. Its numbers are scaled by a power of two so that the largest length
//! is from 1 to 2. A pair outside the domain (`Pair::of`) is left to the scalar function, on every backend alike.

mod axes;
mod boxes;
mod eight;
mod faces;
#[cfg(feature = "gpu")]
mod fixed;
mod frame;
mod points;
mod record;
mod round;
#[cfg(test)]
mod tests;

pub(crate) use eight::Waiting;
#[cfg(feature = "gpu")]
pub(crate) use fixed::fixed_pairs;
pub(crate) use frame::Frame;
use frame::{Solid, between, power};
use points::{Points, scaled};
pub use record::Manifold;

use crate::Relation;
use crate::det::{Number, add, max, mul, neg};
use crate::query::{ContactKind, contact};
use crate::shape::Shape;
use crate::shape::kinds::{BodyShape, Kind};

/// Centres may be this many powers of two further from the origin than the largest length of the pair.
const REACH: u32 = 39;

/// Two bodies that touch or overlap, with the lower kind first.
struct Pair<'a> {
    ids: [u32; 2],
    frames: [&'a Frame; 2],
    /// Whether the frames are in the other order than the ids.
    swapped: bool,
    touching: bool,
    /// What the pair is scaled by, as the bits of an `f32` hold it.
    exponent: u32,
}

impl<'a> Pair<'a> {
    /// `None` outside the domain: lengths from 2⁻⁶⁰ to 2⁶¹, and centres within 2⁴⁰ of the largest of them.
    fn of((id_a, a): (u32, &'a Frame), (id_b, b): (u32, &'a Frame), relation: Relation) -> Option<Self> {
        let exponent = a.exponent.max(b.exponent);
        let within = a.exponent != 0 && b.exponent != 0 && a.reach.max(b.reach) <= exponent + REACH;
        let swapped = b.kind < a.kind;
        let frames = if swapped { [b, a] } else { [a, b] };
        let touching = relation == Relation::Touching;
        within.then_some(Self { ids: [id_a, id_b], frames, swapped, touching, exponent })
    }

    fn is_of_boxes(&self) -> bool {
        self.frames[0].kind != Kind::Sphere as u32
    }

    fn scale(&self) -> f32 {
        power(254 - self.exponent)
    }

    /// The contact with these points, as it was asked for.
    fn manifold(&self, points: Points) -> Manifold {
        let points = if self.swapped { swap(points) } else { points };
        let back = power(self.exponent);
        let mut found = Manifold::new(self.ids.into(), points.normal, mul(points.depth, back), points.kind);
        for k in 0..points.count {
            found.push(scaled(points.at[k], back), points.features[k]);
        }
        found
    }
}

/// How two bodies meet that touch or overlap; `None` outside the domain.
pub(crate) fn manifold(a: (u32, &Frame), b: (u32, &Frame), relation: Relation, most: u32) -> Option<Manifold> {
    let pair = Pair::of(a, b, relation)?;
    let [first, second] = pair.frames.map(|frame| Solid::of(frame, pair.scale()));
    let apart = || between(&first, &second).into();
    let points = if pair.is_of_boxes() {
        boxes::Met::of(&first, &second).points(0, pair.frames, pair.scale(), pair.touching, most)
    } else if pair.frames[1].kind == Kind::Sphere as u32 {
        round::spheres(&first, &second, apart(), pair.touching)
    } else {
        round::sphere_and_box(&first, &second, apart(), pair.touching)
    };
    Some(pair.manifold(points))
}

/// How two shapes meet that touch or overlap: by deterministic arithmetic, or outside its domain by the scalar function.
pub(crate) fn manifold_or_scalar(
    a: (u32, &Frame, &BodyShape),
    b: (u32, &Frame, &BodyShape),
    relation: Relation,
    most: u32,
) -> Manifold {
    manifold((a.0, a.1), (b.0, b.1), relation, most).unwrap_or_else(|| {
        let found = contact(&Shape::from(*a.2), &Shape::from(*b.2)).ok().flatten();
        Manifold::of_scalar((a.0, b.0), found.as_ref(), most)
    })
}

/// The contact with the bodies the other way round.
fn swap(mut points: Points) -> Points {
    for k in 0..points.count {
        // (The last number of the normal is 0.)
        points.at[k] = add(points.at[k], scaled(points.normal, points.at[k].lane(3)));
        if points.kind == ContactKind::Edges as u32 {
            let bits = points.features[k];
            points.features[k] = (bits & 255) << 8 | bits >> 8;
        }
    }
    points.normal = neg(points.normal);
    points.kind = match points.kind {
        kind if kind == ContactKind::FaceA as u32 => ContactKind::FaceB as u32,
        kind if kind == ContactKind::FaceB as u32 => ContactKind::FaceA as u32,
        kind => kind,
    };
    points
}

/// Depth of a contact: +0 if the bodies touch.
fn depth_of(depth: f32, touching: bool) -> f32 {
    if touching { 0.0 } else { max(depth, 0.0) }
}
