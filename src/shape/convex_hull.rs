use std::cmp::Ordering;

use glam::{Quat, Vec2, Vec3};

use super::orient::{collinear, orient2d, orient3d};
use super::{Aabb, check, quickhull};
use crate::{Error, Result};

/// The convex hull of a set of points: the smallest convex set that contains them.
///
/// Made from any points: duplicates and points inside are dropped, and points in one plane, on one line or all at one
/// place give a flat hull, a segment or a point. Which points are corners is decided exactly, without a tolerance. The
/// surface is made of triangles, so a flat side with many corners is several triangles of one plane.
///
/// ```
/// use tangency::shape::ConvexHull;
///
/// let corners = [[0.0, 0.0, 0.0], [2.0, 0.0, 0.0], [0.0, 3.0, 0.0], [0.0, 0.0, 4.0]];
/// let inside = [0.2, 0.2, 0.2];
/// let hull = ConvexHull::from_points(corners.into_iter().chain([inside]))?;
/// assert_eq!((hull.vertices().len(), hull.faces().len(), hull.edges().len()), (4, 4, 6));
/// assert_eq!(hull.volume(), 4.0);
/// # Ok::<(), tangency::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct ConvexHull {
    vertices: Vec<Vec3>,
    faces: Vec<[u32; 3]>,
    edges: Vec<[u32; 2]>,
    dimension: usize,
}

impl ConvexHull {
    /// The hull of `points` (Quickhull on exact signs).
    ///
    /// ```
    /// # use tangency::shape::ConvexHull;
    /// let twice_the_same = ConvexHull::from_points([[1.0, 2.0, 3.0], [1.0, 2.0, 3.0]])?;
    /// assert_eq!((twice_the_same.vertices().len(), twice_the_same.dimension()), (1, 0));
    /// # Ok::<(), tangency::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`NoPoints`](Error::NoPoints), or [`NotFinite`](Error::NotFinite) for the first bad one.
    pub fn from_points<P: Into<Vec3>>(points: impl IntoIterator<Item = P>) -> Result<Self> {
        let points: Vec<Vec3> = points.into_iter().map(Into::into).collect();
        for &point in &points {
            check::finite_vec(&check::POINT, point)?;
        }
        if points.is_empty() {
            return Err(Error::NoPoints);
        }
        let quickhull::Built { vertices, faces, edges, dimension } = quickhull::hull(points);
        Ok(Self { vertices, faces, edges, dimension })
    }

    /// The corners, to the bit as they were given (a zero loses its sign), in lexicographic order when solid.
    ///
    /// ```
    /// # use tangency::shape::ConvexHull;
    /// let rod = ConvexHull::from_points([[0.0, 0.0, 0.0], [2.0, 0.0, 0.0], [1.0, 0.0, 0.0]])?;
    /// assert_eq!(rod.vertices(), [tangency::glam::Vec3::ZERO, tangency::glam::vec3(2.0, 0.0, 0.0)]); // not the middle
    /// # Ok::<(), tangency::Error>(())
    /// ```
    pub fn vertices(&self) -> &[Vec3] {
        &self.vertices
    }

    /// The triangles of the surface as indices of [`vertices`](Self::vertices), counter-clockwise from outside.
    ///
    /// A flat hull has each triangle twice, once for either side; a segment or a point has none.
    ///
    /// ```
    /// # use tangency::shape::ConvexHull;
    /// let solid = ConvexHull::from_points([[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]])?;
    /// let flat = ConvexHull::from_points([[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]])?;
    /// assert_eq!((solid.faces().len(), flat.faces().len()), (4, 2));
    /// # Ok::<(), tangency::Error>(())
    /// ```
    pub fn faces(&self) -> &[[u32; 3]] {
        &self.faces
    }

    /// The edges, each once: those where two planes meet. The diagonals of a flat side are no edges.
    ///
    /// ```
    /// # use tangency::shape::{Aabb, ConvexHull};
    /// let cube = ConvexHull::from_points(Aabb::new([0.0; 3], [1.0; 3])?.corners())?;
    /// assert_eq!((cube.faces().len(), cube.edges().len()), (12, 12));
    /// # Ok::<(), tangency::Error>(())
    /// ```
    pub fn edges(&self) -> &[[u32; 2]] {
        &self.edges
    }

    /// 0 for a point, 1 for a segment, 2 for a flat hull, 3 for a solid one.
    ///
    /// ```
    /// # use tangency::shape::ConvexHull;
    /// let plate = ConvexHull::from_points([[0.0; 3], [1.0, 0.0, 0.0], [1.0, 1.0, 0.0], [0.0, 1.0, 0.0]])?;
    /// assert_eq!(plate.dimension(), 2);
    /// # Ok::<(), tangency::Error>(())
    /// ```
    pub fn dimension(&self) -> usize {
        self.dimension
    }

    /// The corner farthest along `direction`, the first of them when several are.
    ///
    /// ```
    /// # use tangency::shape::ConvexHull;
    /// let needle = ConvexHull::from_points([[0.0, 0.0, 0.0], [5.0, 0.0, 0.0]])?;
    /// assert_eq!(needle.support([1.0, 7.0, 0.0]), tangency::glam::vec3(5.0, 0.0, 0.0));
    /// # Ok::<(), tangency::Error>(())
    /// ```
    pub fn support(&self, direction: impl Into<Vec3>) -> Vec3 {
        let direction = direction.into().as_dvec3();
        let (mut best, mut height) = (self.vertices[0], f64::NEG_INFINITY);
        for &vertex in &self.vertices {
            let along = vertex.as_dvec3().dot(direction);
            if along > height {
                (best, height) = (vertex, along);
            }
        }
        best
    }

    /// Moved by `offset`, the corners rounded to nearest.
    ///
    /// ```
    /// # use tangency::shape::ConvexHull;
    /// let rod = ConvexHull::from_points([[0.0; 3], [2.0, 0.0, 0.0]])?.translate([0.0, 5.0, 0.0])?;
    /// assert_eq!(rod.vertices(), [tangency::glam::vec3(0.0, 5.0, 0.0), tangency::glam::vec3(2.0, 5.0, 0.0)]);
    /// # Ok::<(), tangency::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`NotFinite`](Error::NotFinite) when a corner leaves the finite numbers.
    pub fn translate(&self, offset: impl Into<Vec3>) -> Result<Self> {
        let offset = offset.into();
        Self::from_points(self.vertices.iter().map(|&v| v + offset))
    }

    /// Turned about the origin of coordinates by `rotation` (of any non-zero length), the corners rounded to nearest.
    ///
    /// The hull is built anew from them: flat sides with more than three corners are rarely flat to the bit after a turn.
    ///
    /// ```
    /// # use tangency::shape::ConvexHull;
    /// # use tangency::glam::Quat;
    /// let needle = ConvexHull::from_points([[1.0, 0.0, 0.0], [2.0, 0.0, 0.0]])?;
    /// let turned = needle.rotate(Quat::from_xyzw(0.0, 0.0, 1.0, 1.0))?.translate([0.0, 0.0, 3.0])?;
    /// assert_eq!(turned.vertices(), [tangency::glam::vec3(0.0, 1.0, 3.0), tangency::glam::vec3(0.0, 2.0, 3.0)]);
    /// # Ok::<(), tangency::Error>(())
    /// ```
    ///
    /// # Errors
    /// When `rotation` is none, or a corner leaves the range of `f32`.
    pub fn rotate(&self, rotation: impl Into<Quat>) -> Result<Self> {
        let matrix = super::obb::rotation_f64(rotation.into().to_array())?;
        Self::from_points(self.vertices.iter().map(|v| (matrix * v.as_dvec3()).as_vec3()))
    }

    /// The smallest axis-aligned box around the hull. Exact.
    ///
    /// ```
    /// # use tangency::shape::{Aabb, ConvexHull};
    /// let solid = ConvexHull::from_points([[0.0; 3], [1.0, 0.0, 0.0], [0.0, 2.0, 0.0], [0.0, 0.0, 3.0]])?;
    /// assert_eq!(solid.aabb(), Aabb::new([0.0; 3], [1.0, 2.0, 3.0])?);
    /// # Ok::<(), tangency::Error>(())
    /// ```
    pub fn aabb(&self) -> Aabb {
        Aabb::from_points(self.vertices.iter().copied()).unwrap_or(Aabb::EMPTY)
    }

    /// Whether the point lies in the hull, surface included. Exact.
    ///
    /// ```
    /// # use tangency::shape::ConvexHull;
    /// let plate = ConvexHull::from_points([[0.0, 0.0, 1.0], [1.0, 0.0, 1.0], [0.0, 1.0, 1.0]])?;
    /// assert!(plate.contains_point([0.5, 0.5, 1.0]));
    /// assert!(!plate.contains_point([0.25, 0.25, 1.0000001]));
    /// # Ok::<(), tangency::Error>(())
    /// ```
    pub fn contains_point(&self, point: impl Into<Vec3>) -> bool {
        let p = point.into();
        if !p.is_finite() || !self.aabb().contains_point(p) {
            return false;
        }
        let at = |i: u32| self.vertices[i as usize];
        match self.dimension {
            // The box around one point is that point.
            0 => true,
            // On the line and in the box around both ends is between them.
            1 => collinear(self.vertices[0], self.vertices[1], p),
            2 => self.in_flat(p),
            _ => self.faces.iter().all(|&[a, b, c]| orient3d(at(a), at(b), at(c), p) != Ordering::Greater),
        }
    }

    fn in_flat(&self, p: Vec3) -> bool {
        let v = &self.vertices;
        if orient3d(v[0], v[1], v[2], p) != Ordering::Equal {
            return false;
        }
        [(0, 1), (1, 2), (2, 0)].into_iter().all(|(i, j)| {
            let flat = |p: Vec3| Vec2::new(p[i], p[j]);
            let turn = orient2d(flat(v[0]), flat(v[1]), flat(v[2]));
            // In a projection that keeps the polygon, no edge may have the point on its outer side.
            turn == Ordering::Equal
                || (0..v.len()).all(|k| orient2d(flat(v[k]), flat(v[(k + 1) % v.len()]), flat(p)) != turn.reverse())
        })
    }

    /// The volume, in `f64`: the signed tetrahedra from one corner to all triangles (divergence theorem). Zero or more; off
    /// by the rounding of `f64`, which for a hull that is all but flat can be more than the volume itself.
    ///
    /// ```
    /// # use tangency::shape::ConvexHull;
    /// let solid = ConvexHull::from_points([[0.0; 3], [1.0, 0.0, 0.0], [0.0, 2.0, 0.0], [0.0, 0.0, 3.0]])?;
    /// assert_eq!(solid.volume(), 1.0);
    /// # Ok::<(), tangency::Error>(())
    /// ```
    pub fn volume(&self) -> f64 {
        let origin = self.vertices[0].as_dvec3();
        let at = |i: u32| self.vertices[i as usize].as_dvec3() - origin;
        let six = self.faces.iter().map(|&[a, b, c]| at(a).cross(at(b)).dot(at(c))).sum::<f64>();
        if self.dimension == 3 { (six / 6.0).max(0.0) } else { 0.0 }
    }

    /// The surface area, in `f64`; a flat hull counts both sides.
    ///
    /// ```
    /// # use tangency::shape::{Aabb, ConvexHull};
    /// let cube = ConvexHull::from_points(Aabb::new([0.0; 3], [1.0; 3])?.corners())?;
    /// assert!((cube.area() - 6.0).abs() < 1e-12);
    /// # Ok::<(), tangency::Error>(())
    /// ```
    pub fn area(&self) -> f64 {
        let at = |i: u32| self.vertices[i as usize].as_dvec3();
        self.faces.iter().map(|&[a, b, c]| (at(b) - at(a)).cross(at(c) - at(a)).length() / 2.0).sum()
    }
}

#[cfg(feature = "serde")]
mod serde_impl {
    use super::{ConvexHull, Vec3};

    #[derive(serde::Serialize, serde::Deserialize)]
    #[serde(rename = "ConvexHull", deny_unknown_fields)]
    struct Fields {
        vertices: Vec<Vec3>,
    }

    impl serde::Serialize for ConvexHull {
        fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
            Fields { vertices: self.vertices.clone() }.serialize(serializer)
        }
    }

    /// The hull is built anew from its corners.
    impl<'de> serde::Deserialize<'de> for ConvexHull {
        fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
            let Fields { vertices } = Fields::deserialize(deserializer)?;
            Self::from_points(vertices).map_err(serde::de::Error::custom)
        }
    }
}
