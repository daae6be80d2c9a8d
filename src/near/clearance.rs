//! How far apart two bodies are, and where they are nearest.

use glam::Vec3;

use super::half_space::clearance_of_frames;
use super::hull;
use super::precise::{PrecisePair, step};
use super::search::{Found, search};
use super::{Pair, exponent};
use crate::Relation;
use crate::det::{add, add3, div, length3, max, min, mul, scale3, sub, sub3};
use crate::exact::Margin;
use crate::manifold::{Core, Frame};
use crate::query::{closest_points, relation_within};
use crate::shape::Shape;
use crate::shape::kinds::{BodyShape, encode};

/// How far apart two bodies are, and where they are nearest. What [`Engine::clearances`](crate::Engine::clearances) returns of each pair.
///
/// 32 bytes, as a shader reads them:
///
/// ```wgsl
/// struct Clearance {
///     on_a: vec3f,      // the point of a that is nearest to b
///     distance: f32,    // never more than the true one
///     on_b: vec3f,      // the point of b that is nearest to a
///     b: u32,
/// }
/// ```
///
/// ```
/// use tangency::{Bodies, Engine, shape::{Aabb, Sphere}};
///
/// let mut bodies = Bodies::new();
/// bodies.push(Aabb::new([0.0; 3], [4.0, 1.0, 4.0])?)?;
/// bodies.push(Sphere::new([2.0, 3.0, 2.0], 1.5)?)?;
/// let clearances = Engine::new()?.clearances(&bodies, 1.0).run()?;
/// let found = clearances.get(0, 1).expect("they are near");
/// assert!(found.distance() <= 0.5 && found.distance() > 0.499_999_9);
/// assert_eq!(found.on_a().to_array(), [2.0, 1.0, 2.0]);
/// assert_eq!(found.on_b().to_array(), [2.0, 1.5, 2.0]);
/// # Ok::<(), tangency::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, bytemuck::Pod, bytemuck::Zeroable)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(deny_unknown_fields))]
#[repr(C)]
pub struct Clearance {
    on_a: [f32; 3],
    distance: f32,
    on_b: [f32; 3],
    b: u32,
}

/// The distance of a pair that is left to the host.
#[cfg(feature = "gpu")]
const OPEN: f32 = -1.0;

impl Clearance {
    /// How far apart the bodies are: never more than the true distance, so that what is free is free, and 0 if they meet.
    ///
    /// It is below the true distance by at most 10⁻⁵ of the sum of their sizes and of the way between their centres, and mostly it is the
    /// true one, rounded down. Bodies that are nearer than that may have distance 0 without touching:
    /// [`overlaps`](crate::Engine::overlaps) says which do, exactly.
    ///
    /// ```
    /// # use tangency::{Bodies, Engine, shape::Sphere};
    /// # let mut bodies = Bodies::new();
    /// bodies.extend([Sphere::new([0.0; 3], 1.0)?, Sphere::new([1.5, 0.0, 0.0], 1.0)?])?;
    /// assert_eq!(Engine::new()?.clearances(&bodies, 0.0).run()?.get(0, 1).map(|found| found.distance()), Some(0.0));
    /// # Ok::<(), tangency::Error>(())
    /// ```
    pub fn distance(&self) -> f32 {
        self.distance
    }

    /// The point of the first body that is nearest to the second, rounded. If they meet, a point of both.
    ///
    /// ```
    /// # use tangency::{Bodies, Engine, shape::Sphere};
    /// # let mut bodies = Bodies::new();
    /// bodies.extend([Sphere::new([0.0; 3], 1.0)?, Sphere::new([3.0, 0.0, 0.0], 1.0)?])?;
    /// let clearances = Engine::new()?.clearances(&bodies, 2.0).run()?;
    /// assert_eq!(clearances.get(0, 1).map(|found| found.on_a().x), Some(1.0));
    /// # Ok::<(), tangency::Error>(())
    /// ```
    pub fn on_a(&self) -> Vec3 {
        self.on_a.into()
    }

    /// The point of the second body that is nearest to the first, rounded. If they meet, a point of both.
    ///
    /// ```
    /// # use tangency::{Bodies, Engine, shape::Sphere};
    /// # let mut bodies = Bodies::new();
    /// bodies.extend([Sphere::new([0.0; 3], 1.0)?, Sphere::new([3.0, 0.0, 0.0], 1.0)?])?;
    /// let clearances = Engine::new()?.clearances(&bodies, 2.0).run()?;
    /// assert_eq!(clearances.get(0, 1).map(|found| found.on_b().x), Some(2.0));
    /// # Ok::<(), tangency::Error>(())
    /// ```
    pub fn on_b(&self) -> Vec3 {
        self.on_b.into()
    }

    pub(super) fn of(on_a: Vec3, distance: f32, on_b: Vec3) -> Self {
        Self { on_a: on_a.into(), distance, on_b: on_b.into(), b: 0 }
    }

    pub(crate) fn b(&self) -> u32 {
        self.b
    }

    /// Of body `b`.
    pub(crate) fn with_b(self, b: u32) -> Self {
        Self { b, ..self }
    }
}

#[cfg(feature = "gpu")]
impl Clearance {
    /// For the host to compute.
    pub(crate) fn open() -> Self {
        Self { distance: OPEN, ..Self::default() }
    }

    pub(crate) fn is_open(&self) -> bool {
        self.distance == OPEN
    }
}

/// In deterministic arithmetic; `None` outside its domain.
pub(crate) fn clearance(a: &Frame, b: &Frame) -> Option<Clearance> {
    if a.is_half_space() || b.is_half_space() {
        return clearance_of_frames(a, b);
    }
    apart(a, b, Vec3::ZERO).map(|found| found.clearance)
}

/// How far apart two bodies are, and what is certain of it.
pub(super) struct Apart {
    pub clearance: Clearance,
    /// The direction along which they are as far apart as that.
    pub direction: Vec3,
    /// Whether they are so too along the direction that was asked about, but for rounding.
    pub is_along: bool,
    /// What rounding is in that.
    pub error: f32,
}

/// Besides, asks about a direction, unless it is 0.
pub(super) fn apart(a: &Frame, b: &Frame, asked: Vec3) -> Option<Apart> {
    let between = Core::between(a, b);
    let largest = exponent(between.x).max(exponent(between.y)).max(exponent(between.z));
    let size = largest.max(a.exponent()).max(b.exponent());
    let pair = Pair::scaled(a, b, Margin::default(), size)?;
    let found = search(&pair, [-1.0, f32::MAX]);
    let shares = found.shares.map(|share| min(max(share, -1.0), 1.0));
    let of = |first: usize| {
        let part = |k: usize| scale3(pair.generators[first + k], shares[first + k]);
        add3(add3(part(0), part(1)), part(2))
    };
    // From the centre of the first body against its nearest point, and from that of the second to its nearest point, but for radii.
    let (of_a, of_b) = (of(0), of(3));
    let way = add3(add3(pair.t, of_a), of_b);
    let scale = f32::from_bits((254 - size) << 23);
    let precise = PrecisePair::new([a, b].map(|frame| frame.precise(scale)), &pair);
    let (distance, direction) = distance(&precise, &found, way);
    let is_along = asked != Vec3::ZERO && !(add(precise.at_least(asked), pair.error) < distance);
    let back = f32::from_bits(size << 23);
    let point = |frame: &Frame, from_center: Vec3| add3(frame.center(), scale3(from_center, back)).to_array();
    let [radius_a, radius_b] = pair.radii;
    let length = length3(way);
    let (on_a, on_b) = if length > add(radius_a, radius_b) {
        (point(a, sub3(step(way, radius_a), of_a)), point(b, sub3(of_b, step(way, radius_b))))
    } else {
        // The middle of what balls around both points have in common.
        let along = min(max(mul(0.5, sub(add(length, radius_a), radius_b)), 0.0), length);
        let share = if length > 0.0 { div(along, length) } else { 0.0 };
        let common = point(a, sub3(scale3(way, share), of_a));
        (common, common)
    };
    let clearance = Clearance { on_a, distance: mul(distance, back), on_b, b: 0 };
    Some(Apart { clearance, direction, is_along, error: mul(pair.error, back) })
}

/// The best of what is certain along some directions, and along which: that of the search, which is rough where bodies are close; the axis of
/// each box that is nearest to it; and those at right angles to two of the edges, and to each, between which the search has ended.
fn distance(precise: &PrecisePair<'_>, found: &Found, way: Vec3) -> (f32, Vec3) {
    let towards = if found.direction == Vec3::ZERO { way } else { found.direction };
    // With 0 among the differences, as far as `f32` can tell, the bodies meet: to look for what is between them would take long, and be in vain.
    if towards == Vec3::ZERO || found.is_inside {
        return (0.0, Vec3::ZERO);
    }
    // (A search that ends at a corner may have ended a little too early.)
    let free = found.free | precise.nearly_across(towards);
    if found.is_of_ball && free == found.free {
        // The ball is nearest to a corner, to an edge or to a face, and not nearly to another one.
        let direction = match free.count_ones() {
            0 => towards,
            1 => precise.without(free.trailing_zeros() as usize, way),
            _ => precise.across(free, towards),
        };
        return best(precise, [direction].into_iter());
    }
    let axes = [0, 1].map(|body| precise.nearest_axis(body, towards));
    let edges = (0..6).filter(|k| free >> k & 1 == 1).map(|k| precise.without(k, way));
    best(precise, [towards, axes[0], axes[1], precise.across(free, towards)].into_iter().chain(edges))
}

fn best(precise: &PrecisePair<'_>, directions: impl Iterator<Item = Vec3>) -> (f32, Vec3) {
    let mut best = (0.0, Vec3::ZERO);
    for direction in directions.filter(|direction| *direction != Vec3::ZERO) {
        let found = precise.at_least(direction);
        if found > best.0 {
            best = (found, direction);
        }
    }
    best
}

/// In deterministic arithmetic or, outside its domain, from integers and `f64`.
pub(crate) fn clearance_or_scalar(
    (a, first): (&Frame, &BodyShape<'_>),
    (b, second): (&Frame, &BodyShape<'_>),
) -> Clearance {
    let found = if a.is_hull() || b.is_hull() {
        hull::clearance(&hull::Body::of(a, first), &hull::Body::of(b, second))
    } else {
        clearance(a, b)
    };
    found.unwrap_or_else(|| {
        let points = closest_points(&Shape::from(*first), &Shape::from(*second));
        let (on_a, on_b) = points.map_or_else(|_| Default::default(), |found| (found.on_a, found.on_b));
        Clearance { on_a: on_a.into(), distance: rounded_down(first, second), on_b: on_b.into(), b: 0 }
    })
}

/// The greatest number that is not above the distance.
pub(super) fn rounded_down(a: &BodyShape<'_>, b: &BodyShape<'_>) -> f32 {
    let is_free = |margin: f32| relation_within(a, b, Margin([margin, 0.0, 0.0])) != Relation::Overlapping;
    let (mut low, mut high) = (0, f32::INFINITY.to_bits());
    if !is_free(0.0) {
        return 0.0;
    }
    // Of numbers that are not negative the bits are in the same order.
    while high - low > 1 {
        let middle = low + (high - low) / 2;
        if is_free(f32::from_bits(middle)) {
            low = middle;
        } else {
            high = middle;
        }
    }
    f32::from_bits(low)
}

/// The frames of two bodies, and what is found of them.
pub(crate) fn clearance_of(a: &BodyShape<'_>, b: &BodyShape<'_>) -> Clearance {
    let [of_a, of_b] = [a, b].map(|shape| {
        let (kind, record) = encode(shape);
        Frame::of(kind, &record)
    });
    clearance_or_scalar((&of_a, a), (&of_b, b))
}
