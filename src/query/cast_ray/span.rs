use glam::DVec3;

use crate::shape::Ray;

/// A ray in `f64` with a unit direction; distances along it are lengths.
#[derive(Clone, Copy)]
pub(super) struct UnitRay {
    pub(super) origin: DVec3,
    pub(super) direction: DVec3,
    /// The length of the direction as it was given.
    pub(super) length: f64,
}

impl UnitRay {
    /// `None` for a ray that `validate` refuses.
    pub(super) fn new(ray: &Ray) -> Option<Self> {
        ray.validate().ok()?;
        let direction = ray.direction().as_dvec3();
        let length = direction.length();
        Some(Self { origin: ray.origin().as_dvec3(), direction: direction / length, length })
    }

    pub(super) fn at(&self, along: f64) -> DVec3 {
        self.origin + self.direction * along
    }
}

/// The part of a line inside a convex shape: lengths along it, `enter ≤ exit`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Span {
    pub(super) enter: f64,
    pub(super) exit: f64,
}

impl Span {
    pub(super) fn intersect(self, other: Self) -> Option<Self> {
        let (enter, exit) = (self.enter.max(other.enter), self.exit.min(other.exit));
        (enter <= exit).then_some(Self { enter, exit })
    }

    /// Of two parts of one convex shape: all between the outermost ends.
    pub(super) fn join(self, other: Self) -> Self {
        Self { enter: self.enter.min(other.enter), exit: self.exit.max(other.exit) }
    }
}

/// The part of the line where `low ≤ start + rate · along ≤ high`.
pub(super) fn slab(start: f64, rate: f64, low: f64, high: f64) -> Option<Span> {
    if rate == 0.0 {
        let everywhere = Span { enter: f64::NEG_INFINITY, exit: f64::INFINITY };
        return (start >= low && start <= high).then_some(everywhere);
    }
    let (a, b) = ((low - start) / rate, (high - start) / rate);
    Some(Span { enter: a.min(b), exit: a.max(b) })
}

/// The part of the line inside a ball: half the chord is √(r² − q²), q being the centre's offset from the line.
pub(super) fn ball(origin: DVec3, direction: DVec3, center: DVec3, radius: f64) -> Option<Span> {
    let to_center = center - origin;
    let along = to_center.dot(direction);
    let offset = to_center - direction * along;
    let square = radius * radius - offset.length_squared();
    (square >= 0.0).then(|| Span { enter: along - square.sqrt(), exit: along + square.sqrt() })
}

/// The part of the line inside a box, and the axis of the face through which it enters.
pub(super) fn slabs(origin: DVec3, direction: DVec3, min: DVec3, max: DVec3) -> Option<(Span, usize)> {
    let mut span = Span { enter: f64::NEG_INFINITY, exit: f64::INFINITY };
    let mut axis = 0;
    for k in 0..3 {
        let next = slab(origin[k], direction[k], min[k], max[k])?;
        if next.enter > span.enter {
            axis = k;
        }
        span = span.intersect(next)?;
    }
    Some((span, axis))
}
