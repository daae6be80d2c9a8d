use glam::{DVec3, Vec3};

use crate::shape::{Aabb, Capsule, ConvexHull, Obb, Segment, Sphere, Triangle};

/// A convex shape as GJK, EPA and the sweeps see it: a *core* that answers which of its points lies farthest along a
/// direction, rounded off by a radius.
///
/// A ball is a point with a radius, a capsule a segment with one; boxes and hulls are their own core with radius 0. So the
/// cores are polytopes, on which the iterations end after finitely many steps.
///
/// ```
/// use tangency::glam::{DVec3, Vec3};
/// use tangency::{query::Support, shape::Sphere};
///
/// let ball = Sphere::new([1.0, 0.0, 0.0], 2.0)?;
/// assert_eq!((ball.core_support(DVec3::Y), ball.rounding()), (DVec3::X, 2.0));
/// # Ok::<(), tangency::Error>(())
/// ```
pub trait Support {
    /// A point of the core that no other exceeds along `direction`, which has any length; for zero, any point.
    fn core_support(&self, direction: DVec3) -> DVec3;

    /// A point of the core near its middle, the same whichever way the shape is turned: the pivot of a turning body whose motion
    /// names no other.
    fn center(&self) -> DVec3;

    /// How far the shape reaches around its core, zero or more.
    fn rounding(&self) -> f64 {
        0.0
    }

    /// Whether the shape has no points: the empty box, or what `validate` refuses. Queries give no answer for it.
    fn has_no_points(&self) -> bool {
        false
    }

    /// The largest number that support points are computed from, where it may exceed all of them: their rounding errors are
    /// relative to it. A hull that lies far from the origin of its local form and is turned back has one; most shapes have none.
    fn largest_input(&self) -> f64 {
        0.0
    }
}

impl Support for Aabb {
    fn core_support(&self, direction: DVec3) -> DVec3 {
        DVec3::select(direction.cmpge(DVec3::ZERO), self.max().as_dvec3(), self.min().as_dvec3())
    }

    fn center(&self) -> DVec3 {
        (self.min().as_dvec3() + self.max().as_dvec3()) / 2.0
    }

    fn has_no_points(&self) -> bool {
        self.validate().is_err()
    }
}

impl Support for Obb {
    fn core_support(&self, direction: DVec3) -> DVec3 {
        let mut point = Obb::center(self).as_dvec3();
        for (axis, half) in self.axes().into_iter().zip(self.half_extents().as_dvec3().to_array()) {
            point += axis * if axis.dot(direction) < 0.0 { -half } else { half };
        }
        point
    }

    fn center(&self) -> DVec3 {
        Obb::center(self).as_dvec3()
    }

    fn has_no_points(&self) -> bool {
        self.validate().is_err()
    }
}

/// One line a shape whose core is the hull of a few corners: the corners, the radius around them, and whether it has points.
macro_rules! core_of_corners {
    ($($shape:ident |$s:ident| $corners:expr, $rounding:expr, $valid:expr;)*) => {$(
        impl Support for $shape {
            fn core_support(&self, direction: DVec3) -> DVec3 {
                let $s = self;
                farthest($corners, direction)
            }

            fn center(&self) -> DVec3 {
                let $s = self;
                middle($corners)
            }

            fn rounding(&self) -> f64 {
                let $s = self;
                let _ = $s;
                f64::from($rounding)
            }

            fn has_no_points(&self) -> bool {
                let $s = self;
                let _ = $s;
                !$valid
            }
        }
    )*};
}

core_of_corners! {
    Sphere |s| &[s.center()], s.radius(), s.validate().is_ok();
    Capsule |c| &[c.a(), c.b()], c.radius(), c.validate().is_ok();
    Segment |s| &[s.a(), s.b()], 0.0f32, s.validate().is_ok();
    Triangle |t| &t.corners(), 0.0f32, t.validate().is_ok();
}

impl Support for ConvexHull {
    fn core_support(&self, direction: DVec3) -> DVec3 {
        let placement = self.placement();
        placement.point(self.farthest_local(placement.to_local(direction)))
    }

    /// The middle of the box around the local form, placed.
    fn center(&self) -> DVec3 {
        self.as_placed().center()
    }

    fn largest_input(&self) -> f64 {
        let position = self.placement().position().abs().max_element();
        if self.pose().turns() { position.max(self.local_reach()) } else { 0.0 }
    }
}

/// The first corner that no other exceeds along `direction`.
fn farthest(corners: &[Vec3], direction: DVec3) -> DVec3 {
    let (mut best, mut height) = (corners[0].as_dvec3(), f64::NEG_INFINITY);
    for corner in corners {
        let along = corner.as_dvec3().dot(direction);
        if along > height {
            (best, height) = (corner.as_dvec3(), along);
        }
    }
    best
}

/// The middle of the box around the corners.
fn middle(corners: &[Vec3]) -> DVec3 {
    let (low, high) = corners.iter().fold((Vec3::INFINITY, Vec3::NEG_INFINITY), |(l, h), &c| (l.min(c), h.max(c)));
    (low.as_dvec3() + high.as_dvec3()) / 2.0
}

impl<S: Support + ?Sized> Support for &S {
    fn core_support(&self, direction: DVec3) -> DVec3 {
        (**self).core_support(direction)
    }

    fn center(&self) -> DVec3 {
        (**self).center()
    }

    fn rounding(&self) -> f64 {
        (**self).rounding()
    }

    fn has_no_points(&self) -> bool {
        (**self).has_no_points()
    }

    fn largest_input(&self) -> f64 {
        (**self).largest_input()
    }
}

/// The largest number that occurs in a shape with points: coordinate or radius.
pub(crate) fn magnitude(shape: &dyn Support) -> f64 {
    let reach = |d: DVec3| shape.core_support(d).abs().max_element().max(shape.core_support(-d).abs().max_element());
    DVec3::AXES.map(reach).into_iter().fold(shape.rounding().max(shape.largest_input()), f64::max)
}

/// A point of A ⊖ B, with the points of both shapes that it is the difference of.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Difference {
    pub(crate) point: DVec3,
    pub(crate) a: DVec3,
    pub(crate) b: DVec3,
}

/// The point of the Minkowski difference of two cores that lies farthest along `direction`.
pub(crate) fn difference(a: &dyn Support, b: &dyn Support, direction: DVec3) -> Difference {
    let (a, b) = (a.core_support(direction), b.core_support(-direction));
    Difference { point: a - b, a, b }
}

/// The unit vector along `v` in `f64`, or `None` for zero.
pub(crate) fn unit(v: DVec3) -> Option<DVec3> {
    let largest = v.abs().max_element();
    // Scaled first, so that no length that is not zero comes out as zero.
    (largest > 0.0 && largest.is_finite()).then(|| (v / largest).normalize())
}
