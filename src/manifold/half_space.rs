//! Half-spaces and other bodies: how far these are above the border, and contacts.
//!
//! Heights are in double words: the normal and the offset of a half-space carry 2⁻⁴² each, so that a height is right to 2⁻⁴⁰ of all that it is
//! computed from. The twin in WGSL is `shaders/lib/half_spaces.wgsl`.

use glam::Vec3;

use super::cores::Precise;
use super::frame::{Frame, Solid, power};
use super::points::Points;
use super::{Known, Manifold, REACH, depth_of, floor};
use crate::Relation;
use crate::det::{
    Double, abs, add, add_double, add3, max, min, mul, mul_double, neg, neg_double, neg3, scale3, sub_double,
};
use crate::query::ContactKind;
use crate::shape::kinds::Kind;

/// A body over the border of a half-space, scaled by a power of two.
pub(crate) struct Over {
    /// The unit normal, rounded.
    pub normal: Vec3,
    /// How high the centre is.
    pub height: Double,
    /// The cosines of the body's axes and the normal.
    pub cosines: [Double; 3],
    pub body: Precise,
    /// The sum of what the height was computed from.
    pub far: f32,
}

/// |x|.
fn abs_double(x: Double) -> Double {
    if x.high < 0.0 { neg_double(x) } else { x }
}

fn dot_double(a: &[Double; 3], b: &[Double; 3]) -> Double {
    let [x, y, z] = [0, 1, 2].map(|k| mul_double(a[k], b[k]));
    add_double(add_double(x, y), z)
}

impl Over {
    /// Scaled so that a length of this exponent is from 1 to 2. `None` if the half-space is outside the domain, or too far away.
    pub(crate) fn of(half_space: &Frame, body: &Frame, size: u32) -> Option<Self> {
        let (normal, offset) = half_space.half_space()?;
        if body.reach().max(half_space.reach()) > size + REACH {
            return None;
        }
        let scale = power(254 - size);
        let body = body.precise(scale);
        let offset = Double { high: mul(offset.high, scale), low: mul(offset.low, scale) };
        let [x, y, z] = body.center.map(|x| abs(x.high));
        Some(Self {
            normal: Vec3::from(normal.map(|x| x.high)),
            height: sub_double(dot_double(&normal, &body.center), offset),
            cosines: [0, 1, 2].map(|k| {
                if k < body.extents { dot_double(&normal, &body.axes[k]) } else { Double { high: 0.0, low: 0.0 } }
            }),
            body,
            far: add(add(x, y), add(z, abs(offset.high))),
        })
    }

    /// How far the body reaches below its centre along one of its axes.
    fn drop(&self, axis: usize) -> Double {
        mul_double(abs_double(self.cosines[axis]), self.body.half[axis])
    }

    /// How high the core of the body is.
    pub(crate) fn lowest(&self) -> Double {
        (0..self.body.extents).fold(self.height, |height, k| sub_double(height, self.drop(k)))
    }

    /// The sum of the half extents.
    pub(crate) fn sizes(&self) -> f32 {
        (0..self.body.extents).fold(0.0, |sum, k| add(sum, self.body.half[k].high))
    }
}

/// How a body and a half-space meet, or what is between them; `None` outside the domain. The half-space is the second one.
pub(super) fn manifold(
    (a, body): (u32, &Frame),
    (b, half_space): (u32, &Frame),
    (known, most): (Known, u32),
    swapped: bool,
) -> Option<Manifold> {
    let exponent = body.exponent();
    if exponent == 0 {
        return None;
    }
    let over = Over::of(half_space, body, exponent)?;
    let (touching, floor) = match known {
        Known::Meet(relation) => (relation == Relation::Touching, 0.0),
        Known::Within(margin) => (false, floor(margin, exponent)),
    };
    let solid = Solid::of(|_| (body, 0), power(254 - exponent));
    let meeting = Meeting { over: &over, solid: &solid, touching, floor, most };
    let points = match over.body.extents {
        3 => meeting.of_box(),
        1 => meeting.of_capsule(),
        _ => meeting.of_ball(),
    };
    let points = points.finished(swapped, power(exponent));
    let ids = if swapped { (b, a) } else { (a, b) };
    let mut found = Manifold::new(ids, points.normal, points.depth, points.kind as u32);
    for k in 0..points.count as usize {
        let [x, y, z] = points.at[k];
        found.push([x, y, z, points.depths[k]], points.features[k] as u32);
    }
    Some(found)
}

struct Meeting<'a> {
    over: &'a Over,
    solid: &'a Solid,
    touching: bool,
    floor: f32,
    most: u32,
}

impl Meeting<'_> {
    fn begin(&self, depth: f32, kind: ContactKind) -> Points {
        let depth = depth_of(depth, self.touching, self.floor);
        Points::new(neg3(self.over.normal).into(), depth, f32::from(kind as u8), 0.0)
    }

    /// A point of the body that is so far from its centre and so deep: its foot on the border.
    fn push(&self, points: &mut Points, from_center: Vec3, raw: f32, feature: u32) {
        let k = points.count as usize;
        let depth = min(max(raw, self.floor), points.depth);
        let foot = add3(from_center, scale3(self.over.normal, raw));
        let at = add3(Vec3::from(self.solid.center), add3(Vec3::from(self.solid.center_low), foot));
        (points.at[k], points.depths[k], points.features[k]) = (at.into(), depth, feature as f32);
        points.count = add(points.count, 1.0);
    }

    fn of_ball(&self) -> Points {
        let Over { height, body, normal, .. } = self.over;
        let depth = neg(sub_double(*height, Double { high: body.radius, low: 0.0 }).high);
        let mut points = self.begin(depth, ContactKind::Round);
        self.push(&mut points, scale3(*normal, neg(body.radius)), depth, 0);
        points
    }

    /// The deeper end, and the other one if it is in.
    fn of_capsule(&self) -> Points {
        let Over { height, body, normal, cosines, .. } = self.over;
        let radius = Double { high: body.radius, low: 0.0 };
        let slope = mul_double(cosines[0], body.half[0]);
        let depths = [
            neg(sub_double(sub_double(*height, slope), radius).high),
            neg(sub_double(add_double(*height, slope), radius).high),
        ];
        let deepest = usize::from(depths[1] > depths[0]);
        let mut points = self.begin(depths[deepest], ContactKind::Round);
        let half = self.solid.half[0];
        for end in [deepest, 1 - deepest] {
            let is_other = end != deepest;
            if is_other && (self.most == 1 || depths[end] < self.floor || half == 0.0) {
                continue;
            }
            let along = scale3(Vec3::from(self.solid.axes[0]), if end == 0 { neg(half) } else { half });
            self.push(&mut points, add3(along, scale3(*normal, neg(body.radius))), depths[end], end as u32);
        }
        points
    }

    /// The lowest corner, and up to three that are lowest after it, if they are in: with x ≤ y ≤ z for what the body reaches below its centre along each
    /// axis, those beyond x, beyond y, and beyond both or beyond z.
    fn of_box(&self) -> Points {
        let over = self.over;
        let drops = [0, 1, 2].map(|k| over.drop(k).high);
        let (mut x, mut y, mut z) = (0, 1, 2);
        if drops[y] < drops[x] {
            (x, y) = (y, x);
        }
        if drops[z] < drops[y] {
            (y, z) = (z, y);
        }
        if drops[y] < drops[x] {
            (x, y) = (y, x);
        }
        let both = !(drops[z] < add(drops[x], drops[y]));
        let (low, flips) = (over.lowest(), [0, 1 << x, 1 << y, if both { 1 << x | 1 << y } else { 1 << z }]);
        let mut points = self.begin(neg(low.high), ContactKind::Corners);
        for flip in flips.into_iter().take(self.most as usize) {
            let (mut raised, mut corner, mut feature, mut exists) = (low, Vec3::ZERO, 0, true);
            for k in 0..3 {
                let (flipped, half) = (flip >> k & 1 == 1, self.solid.half[k]);
                if flipped {
                    let drop = over.drop(k);
                    raised = add_double(raised, add_double(drop, drop));
                }
                exists = exists && !(flipped && half == 0.0);
                // (Of an axis without extent the lower of two equal corners.)
                let is_high = (over.cosines[k].high < 0.0) != flipped && half > 0.0;
                let along = scale3(Vec3::from(self.solid.axes[k]), if is_high { half } else { neg(half) });
                corner = add3(corner, along);
                feature |= u32::from(is_high) << k;
            }
            let depth = neg(raised.high);
            if flip == 0 || exists && !(depth < self.floor) {
                self.push(&mut points, corner, depth, feature);
            }
        }
        points
    }
}

/// Which of two bodies is a half-space, if one of them is.
pub(crate) fn half_space_of(a: &Frame, b: &Frame) -> Option<bool> {
    let is_one = |frame: &Frame| frame.kind() == Kind::Plane as u32;
    (is_one(a) || is_one(b)).then(|| is_one(b))
}
