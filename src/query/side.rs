use crate::query::by_kind::by_kind;
use crate::shape::kinds::BodyShape;
use crate::shape::{Aabb, Obb, Plane, Shape, Sphere};
use crate::{Side, exact};

/// A shape of which [`side`] can tell on which side of a plane it lies.
///
/// ```
/// use tangency::{Side, query::ClassifySide, shape::{Aabb, Plane, Sphere}};
///
/// let ground = Plane::new([0.0, 1.0, 0.0], 0.0)?;
/// let shapes: [&dyn ClassifySide; 2] = [&Sphere::new([0.0, -1.0, 0.0], 1.0)?, &Aabb::new([0.0; 3], [1.0; 3])?];
/// assert_eq!(shapes.map(|shape| shape.side(&ground)), [Side::Inside, Side::Crossing]);
/// # Ok::<(), tangency::Error>(())
/// ```
pub trait ClassifySide {
    /// Where this shape lies to the plane's half-space.
    fn side(&self, plane: &Plane) -> Side;
}

/// Whether `shape` lies inside, across or outside the closed half-space `normal · x ≤ offset`, exactly.
///
/// Touching the plane from inside is inside; touching it from outside is crossing, as the half-space is a closed set. A [`Plane`] as the
/// shape stands for its half-space; what is not valid lies outside.
///
/// ```
/// use tangency::{Side, query, shape::{Aabb, Plane}};
///
/// let left_of_x2 = Plane::new([1.0, 0.0, 0.0], 2.0)?;
/// let at = |x| Aabb::new([x, 0.0, 0.0], [x + 1.0, 1.0, 1.0]);
/// assert_eq!(query::side(&at(1.0)?, &left_of_x2), Side::Inside);
/// assert_eq!(query::side(&at(1.5)?, &left_of_x2), Side::Crossing);
/// assert_eq!(query::side(&at(2.0)?, &left_of_x2), Side::Crossing);
/// assert_eq!(query::side(&at(2.5)?, &left_of_x2), Side::Outside);
/// # Ok::<(), tangency::Error>(())
/// ```
pub fn side(shape: &impl ClassifySide, plane: &Plane) -> Side {
    shape.side(plane)
}

impl ClassifySide for Sphere {
    fn side(&self, plane: &Plane) -> Side {
        exact::sphere_plane(self, plane)
    }
}

impl ClassifySide for Aabb {
    fn side(&self, plane: &Plane) -> Side {
        exact::aabb_plane(self, plane)
    }
}

impl ClassifySide for Obb {
    fn side(&self, plane: &Plane) -> Side {
        exact::obb_plane(self, plane)
    }
}

impl ClassifySide for Plane {
    /// Where the half-space of one plane lies to that of another. Products of two `f32` are exact in `f64`, also of the smallest: 2⁻²⁹⁸.
    fn side(&self, plane: &Plane) -> Side {
        if self.validate().is_err() || plane.validate().is_err() {
            return Side::Outside;
        }
        let [a, b] = [self, plane].map(|plane| plane.normal().to_array().map(f64::from));
        let [d, e] = [self, plane].map(|plane| f64::from(plane.offset()));
        if (0..3).any(|i| a[i] * b[(i + 1) % 3] != a[(i + 1) % 3] * b[i]) {
            return Side::Crossing;
        }
        // Parallel normals are zero in the same places; elsewhere |aₖ| and |bₖ| stand for their lengths.
        let k = (0..3).find(|&k| a[k] != 0.0).unwrap_or_default();
        let (own, other) = (d * b[k].abs(), e * a[k].abs());
        match a[k] * b[k] > 0.0 {
            true if own <= other => Side::Inside,
            false if -own > other => Side::Outside,
            _ => Side::Crossing,
        }
    }
}

impl ClassifySide for Shape {
    fn side(&self, plane: &Plane) -> Side {
        by_kind!(self, |shape| shape.side(plane))
    }
}

impl ClassifySide for BodyShape<'_> {
    fn side(&self, plane: &Plane) -> Side {
        match self {
            Self::Sphere(shape) => shape.side(plane),
            Self::Aabb(shape) => shape.side(plane),
            Self::Obb(shape) => shape.side(plane),
            Self::Capsule(shape) => shape.side(plane),
            Self::Plane(shape) => shape.side(plane),
            Self::ConvexHull(shape) => exact::hull_plane(shape, plane),
        }
    }
}
