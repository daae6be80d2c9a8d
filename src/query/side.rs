use crate::shape::{Aabb, BodyShape, Obb, Plane, Sphere};
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
/// Touching the plane from inside is inside; touching it from outside is crossing, as the half-space is a closed set.
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

impl ClassifySide for BodyShape {
    fn side(&self, plane: &Plane) -> Side {
        match self {
            Self::Sphere(shape) => shape.side(plane),
            Self::Aabb(shape) => shape.side(plane),
            Self::Obb(shape) => shape.side(plane),
        }
    }
}
