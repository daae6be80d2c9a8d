//! A shape under way, and how far two of them are apart.

use glam::{DMat3, DVec3, Vec3};

use super::Motion;
use crate::query::gjk;
use crate::query::support::{Support, difference, unit};
use crate::shape::angle::sin_cos;

/// A shape with its motion.
pub(super) struct Moving<'a> {
    shape: &'a dyn Support,
    /// The shape's own centre at the start, and what it turns about.
    center: DVec3,
    pivot: DVec3,
    velocity: DVec3,
    /// The axis of the turn, and the angle; an axis without an angle is any.
    axis: DVec3,
    angle: f64,
    /// How far the core reaches from the axis through the pivot.
    arm: f64,
}

impl<'a> Moving<'a> {
    pub(super) fn new(shape: &'a dyn Support, motion: &Motion) -> Self {
        let turn = motion.rotation_vector().as_dvec3();
        let axis = unit(turn).unwrap_or(DVec3::Z);
        let (center, velocity) = (shape.center(), motion.translation_vector().as_dvec3());
        // What does not turn has no use for a pivot, which might be far.
        let pivot = motion.pivot().filter(|_| motion.turns()).map_or(center, Vec3::as_dvec3);
        Self { shape, center, pivot, velocity, axis, angle: turn.length(), arm: arm(shape, pivot, axis) }
    }

    pub(super) fn at(&self, time: f64) -> Posed<'a> {
        let turn = turned(self.axis, self.angle * time);
        Posed { shape: self.shape, pivot: self.pivot, turn, place: self.pivot + self.velocity * time }
    }

    /// A bound on how fast any point's height along the unit vector `normal` changes by turning: (ω × r) · n = r · (n × ω),
    /// where the part of r along the axis adds nothing.
    pub(super) fn turning_speed(&self, normal: DVec3) -> f64 {
        normal.cross(self.axis).length() * self.angle * self.arm
    }

    /// A bound on the speed of any point by turning.
    pub(super) fn top_speed(&self) -> f64 {
        self.angle * self.arm
    }

    pub(super) fn velocity(&self) -> DVec3 {
        self.velocity
    }

    /// A length that all coordinates on the way stay below, a few times the largest: what rounding errors are relative to.
    pub(super) fn scale(&self) -> f64 {
        self.pivot.length() + self.reach() + self.velocity.length() + self.top_speed() + self.shape.largest_input()
    }

    /// How far the shape reaches from its centre, at most.
    pub(super) fn size(&self) -> f64 {
        let along = |d: DVec3| (self.shape.core_support(d) - self.center).dot(d).abs();
        let reach = |d: DVec3| along(d).max(along(-d));
        DVec3::new(reach(DVec3::X), reach(DVec3::Y), reach(DVec3::Z)).length() + self.shape.rounding()
    }

    /// How far the shape reaches from its pivot, at most.
    pub(super) fn reach(&self) -> f64 {
        self.center.distance(self.pivot) + self.size()
    }

    pub(super) fn pivot(&self) -> DVec3 {
        self.pivot
    }

    pub(super) fn shape(&self) -> &'a dyn Support {
        self.shape
    }

    /// The axis of the turn, the angle, and how far the core reaches from the axis.
    pub(super) fn turn(&self) -> (DVec3, f64, f64) {
        (self.axis, self.angle, self.arm)
    }
}

/// The rotation by an angle, which may be nothing.
pub(super) fn turned(axis: DVec3, angle: f64) -> DMat3 {
    if !(angle > 0.0) {
        return DMat3::IDENTITY;
    }
    let (sin, cos) = sin_cos(angle);
    let column = |e: DVec3| e * cos + axis.cross(e) * sin + axis * (axis.dot(e) * (1.0 - cos));
    DMat3::from_cols(column(DVec3::X), column(DVec3::Y), column(DVec3::Z))
}

/// How far the core reaches from the line through `pivot` along `axis`: the extents in sixteen directions across it bound
/// the true reach to within 2 %.
fn arm(shape: &dyn Support, pivot: DVec3, axis: DVec3) -> f64 {
    let (u, v) = axis.any_orthonormal_pair();
    let reach = (0..16).map(|i| {
        let (sin, cos) = sin_cos(f64::from(i) * std::f64::consts::TAU / 16.0);
        let across = u * cos + v * sin;
        (shape.core_support(across) - pivot).dot(across)
    });
    // A point between two directions is at most 11.25° from one of them.
    reach.fold(0.0, f64::max) / sin_cos(std::f64::consts::TAU / 32.0).1
}

/// A shape at one moment.
pub(super) struct Posed<'a> {
    shape: &'a dyn Support,
    pivot: DVec3,
    turn: DMat3,
    place: DVec3,
}

impl Support for Posed<'_> {
    fn core_support(&self, direction: DVec3) -> DVec3 {
        let local = self.shape.core_support(self.turn.transpose() * direction);
        self.place + self.turn * (local - self.pivot)
    }

    fn center(&self) -> DVec3 {
        self.place + self.turn * (self.shape.center() - self.pivot)
    }

    fn rounding(&self) -> f64 {
        self.shape.rounding()
    }

    fn has_no_points(&self) -> bool {
        self.shape.has_no_points()
    }

    fn largest_input(&self) -> f64 {
        self.shape.largest_input()
    }
}

/// Two things of which at least one is under way: how far they are apart, and how fast that can change.
pub(super) trait Approach {
    fn apart(&self, time: f64) -> Apart;

    /// The velocity of the first as the second sees it.
    fn velocity(&self) -> DVec3;

    /// A bound on how fast the gap along the unit vector `normal` changes by turning.
    fn turning_speed(&self, normal: DVec3) -> f64;

    /// A bound on the speed of any point by turning.
    fn top_speed(&self) -> f64;
}

/// Two moving shapes.
pub(super) struct Both<'a> {
    pub(super) a: Moving<'a>,
    pub(super) b: Moving<'a>,
}

impl Approach for Both<'_> {
    fn apart(&self, time: f64) -> Apart {
        apart(&self.a.at(time), &self.b.at(time))
    }

    fn velocity(&self) -> DVec3 {
        self.a.velocity() - self.b.velocity()
    }

    fn turning_speed(&self, normal: DVec3) -> f64 {
        self.a.turning_speed(normal) + self.b.turning_speed(normal)
    }

    fn top_speed(&self) -> f64 {
        self.a.top_speed() + self.b.top_speed()
    }
}

/// How far two shapes are apart at one moment.
#[derive(Clone, Copy, Debug)]
pub(super) struct Apart {
    /// A lower bound of the distance: the gap along `normal`. Not above zero when none was found.
    pub(super) gap: f64,
    /// From the first to the second; `None` when the cores meet.
    pub(super) normal: Option<DVec3>,
    /// The point of the first nearest to the second.
    pub(super) point: DVec3,
}

fn apart(a: &dyn Support, b: &dyn Support) -> Apart {
    let cores = gjk::cores(a, b);
    let normal = unit(-cores.nearest).filter(|_| cores.nearest.length() > cores.slack);
    match normal {
        None => Apart { gap: 0.0, normal, point: cores.a },
        Some(n) => {
            // Not the distance that GJK arrived at, but the gap that its direction proves.
            let gap = -difference(a, b, n).point.dot(n) - a.rounding() - b.rounding();
            Apart { gap, normal, point: cores.a + n * a.rounding() }
        }
    }
}
