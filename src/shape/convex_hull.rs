use std::cmp::Ordering;
use std::fmt;
use std::sync::{Arc, OnceLock};

use glam::{DVec3, Quat, Vec2, Vec3};

use super::local_point::LocalPoint;
use super::orient::orient2d;
use super::quickhull::Built;
use super::{Aabb, PlacedHull, Placement, Pose, check, obb, quickhull};
use crate::hash::mix;
use crate::lanes::Width;
use crate::{Error, Result};

/// The convex hull of a set of points, the smallest convex set that contains them, in a [`Pose`].
///
/// Made from any points: duplicates and points inside are dropped, and points in one plane, on one line or all at one
/// place give a flat hull, a segment or a point. Which points are corners is decided exactly, without a tolerance. The
/// surface is made of triangles, so a flat side with many corners is several triangles of one plane.
///
/// The corners that were given are the hull's *local form*, which never changes. The hull is that of their exact images
/// `position + R x`, R being the exact rotation of `rotation / |rotation|`: a flat side stays flat in every pose. Clones and moved
/// hulls share the local form, so that both cost the same for a hull of four corners and of a thousand.
///
/// ```
/// use tangency::shape::ConvexHull;
///
/// let corners = [[0.0, 0.0, 0.0], [2.0, 0.0, 0.0], [0.0, 3.0, 0.0], [0.0, 0.0, 4.0]];
/// let inside = [0.2, 0.2, 0.2];
/// let hull = ConvexHull::from_points(corners.into_iter().chain([inside]))?;
/// assert_eq!((hull.vertices().len(), hull.faces().len(), hull.edges().len()), (4, 4, 6));
/// assert_eq!(hull.volume(), 4.0);
///
/// let moved = hull.translate([0.0, 0.0, 10.0])?;
/// assert!(moved.contains_point([0.0, 0.0, 14.0]) && !moved.contains_point([0.0, 0.0, 4.0]));
/// # Ok::<(), tangency::Error>(())
/// ```
#[derive(Clone)]
pub struct ConvexHull {
    local: Arc<Local>,
    pose: Pose,
}

/// The hull before it is placed.
pub(super) struct Local {
    pub built: Built,
    pub bounds: Aabb,
    /// How far corners are at most from the middle of the bounds.
    pub radius: f64,
    /// The corners coordinate by coordinate, the last one repeated until lanes of every width are full.
    pub columns: [Vec<f32>; 3],
    /// The half-spaces n·x ≤ d that have the hull in common.
    pub planes: OnceLock<Vec<(DVec3, f64)>>,
    /// Made of the corners alone.
    pub fingerprint: u64,
}

/// What it is made from: the local corners and the pose.
impl fmt::Debug for ConvexHull {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (vertices, pose) = (self.local_vertices(), &self.pose);
        f.debug_struct("ConvexHull").field("vertices", &vertices).field("pose", pose).finish_non_exhaustive()
    }
}

/// The same corners before placing, and the same pose.
impl PartialEq for ConvexHull {
    fn eq(&self, other: &Self) -> bool {
        self.pose == other.pose
            && (Arc::ptr_eq(&self.local, &other.local) || self.local_vertices() == other.local_vertices())
    }
}

impl ConvexHull {
    /// The hull of `points` (Quickhull on exact signs), in the pose [`Pose::IDENTITY`].
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
        let built = quickhull::hull(points);
        let bounds = Aabb::from_points(built.vertices.iter().copied()).unwrap_or(Aabb::EMPTY);
        let (last, length) = (built.vertices.len() - 1, built.vertices.len().next_multiple_of(Width::MOST_LANES));
        let columns = [0, 1, 2].map(|k| (0..length).map(|i| built.vertices[i.min(last)][k]).collect());
        let middle = (bounds.min().as_dvec3() + bounds.max().as_dvec3()) / 2.0;
        let farthest = built.vertices.iter().map(|v| (v.as_dvec3() - middle).length()).fold(0.0, f64::max);
        let radius = farthest * (1.0 + 8.0 * f64::EPSILON);
        let coordinates = built.vertices.iter().flat_map(Vec3::to_array);
        let fingerprint = coordinates.fold(0, |all, x| mix(all ^ u64::from(x.to_bits())));
        Ok(Self {
            local: Arc::new(Local { built, bounds, radius, columns, planes: OnceLock::new(), fingerprint }),
            pose: Pose::IDENTITY,
        })
    }

    /// Where the hull is and how it is turned.
    ///
    /// ```
    /// # use tangency::shape::{ConvexHull, Pose};
    /// let rod = ConvexHull::from_points([[0.0; 3], [2.0, 0.0, 0.0]])?;
    /// assert_eq!(rod.pose(), Pose::IDENTITY);
    /// assert_eq!(rod.translate([0.0, 5.0, 0.0])?.pose(), Pose::at([0.0, 5.0, 0.0])?);
    /// # Ok::<(), tangency::Error>(())
    /// ```
    pub fn pose(&self) -> Pose {
        self.pose
    }

    /// The same hull in another pose, instead of its own. Nothing is computed or copied.
    ///
    /// ```
    /// # use tangency::shape::{ConvexHull, Pose};
    /// # use tangency::glam::{Quat, vec3};
    /// let rod = ConvexHull::from_points([[0.0; 3], [2.0, 0.0, 0.0]])?;
    /// let upright = rod.with_pose(Pose::new([0.0, 0.0, 3.0], Quat::from_xyzw(0.0, 0.0, 1.0, 1.0))?);
    /// assert_eq!(upright.vertices(), [vec3(0.0, 0.0, 3.0), vec3(0.0, 2.0, 3.0)]);
    /// assert_eq!(upright.with_pose(Pose::IDENTITY), rod);
    /// # Ok::<(), tangency::Error>(())
    /// ```
    #[must_use]
    pub fn with_pose(&self, pose: Pose) -> Self {
        Self { local: Arc::clone(&self.local), pose }
    }

    /// The corners of the local form, to the bit as they were given (a zero loses its sign), in lexicographic order when solid.
    ///
    /// ```
    /// # use tangency::shape::ConvexHull;
    /// # use tangency::glam::{Vec3, vec3};
    /// let rod = ConvexHull::from_points([[0.0, 0.0, 0.0], [2.0, 0.0, 0.0], [1.0, 0.0, 0.0]])?;
    /// assert_eq!(rod.local_vertices(), [Vec3::ZERO, vec3(2.0, 0.0, 0.0)]); // not the middle
    /// assert_eq!(rod.translate([9.0; 3])?.local_vertices(), rod.local_vertices());
    /// # Ok::<(), tangency::Error>(())
    /// ```
    pub fn local_vertices(&self) -> &[Vec3] {
        &self.local.built.vertices
    }

    /// The corners where they are, in the order of [`local_vertices`](Self::local_vertices), rounded to nearest and kept within the
    /// finite numbers. In the pose [`Pose::IDENTITY`] these are the local ones, to the bit.
    ///
    /// ```
    /// # use tangency::shape::ConvexHull;
    /// # use tangency::glam::vec3;
    /// let rod = ConvexHull::from_points([[0.0; 3], [2.0, 0.0, 0.0]])?.translate([0.0, 5.0, 0.0])?;
    /// assert_eq!(rod.vertices(), [vec3(0.0, 5.0, 0.0), vec3(2.0, 5.0, 0.0)]);
    /// # Ok::<(), tangency::Error>(())
    /// ```
    pub fn vertices(&self) -> Vec<Vec3> {
        self.placed().map(check::saturate).collect()
    }

    /// The same hull, whose local form is borrowed.
    pub(crate) fn as_placed(&self) -> PlacedHull<'_> {
        self.placed_at(self.pose)
    }

    /// This hull in another pose, whose local form is borrowed.
    pub(crate) fn placed_at(&self, pose: Pose) -> PlacedHull<'_> {
        PlacedHull::new(&self.local, pose)
    }

    pub(super) fn of_parts(local: Arc<Local>, pose: Pose) -> Self {
        Self { local, pose }
    }

    pub(crate) fn placement(&self) -> Placement {
        Placement::new(&self.pose)
    }

    /// The corners where they are, in `f64`.
    pub(crate) fn placed(&self) -> impl Iterator<Item = DVec3> {
        let placement = self.placement();
        self.local_vertices().iter().map(move |v| placement.point(v.as_dvec3()))
    }

    /// The smallest box around the local form.
    pub(crate) fn local_bounds(&self) -> &Aabb {
        &self.local.bounds
    }

    /// The largest coordinate of the local form.
    pub(crate) fn local_reach(&self) -> f64 {
        self.as_placed().local_reach()
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
        &self.local.built.faces
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
        &self.local.built.edges
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
        self.local.built.dimension
    }

    /// The corner farthest along `direction`, the first of them when several are, as `f64` tells heights; rounded as in
    /// [`vertices`](Self::vertices).
    ///
    /// ```
    /// # use tangency::shape::ConvexHull;
    /// let needle = ConvexHull::from_points([[0.0, 0.0, 0.0], [5.0, 0.0, 0.0]])?;
    /// assert_eq!(needle.support([1.0, 7.0, 0.0]), tangency::glam::vec3(5.0, 0.0, 0.0));
    /// # Ok::<(), tangency::Error>(())
    /// ```
    pub fn support(&self, direction: impl Into<Vec3>) -> Vec3 {
        let placement = self.placement();
        check::saturate(placement.point(self.farthest_local(placement.to_local(direction.into().as_dvec3()))))
    }

    /// The first local corner that no other exceeds along a local direction.
    pub(crate) fn farthest_local(&self, direction: DVec3) -> DVec3 {
        let (mut best, mut height) = (self.local_vertices()[0].as_dvec3(), f64::NEG_INFINITY);
        for vertex in self.local_vertices() {
            let along = vertex.as_dvec3().dot(direction);
            if along > height {
                (best, height) = (vertex.as_dvec3(), along);
            }
        }
        best
    }

    /// Moved by `offset`, the position of the pose rounded to nearest. Nothing is built anew.
    ///
    /// ```
    /// # use tangency::shape::ConvexHull;
    /// let rod = ConvexHull::from_points([[0.0; 3], [2.0, 0.0, 0.0]])?.translate([0.0, 5.0, 0.0])?;
    /// assert_eq!(rod.vertices(), [tangency::glam::vec3(0.0, 5.0, 0.0), tangency::glam::vec3(2.0, 5.0, 0.0)]);
    /// # Ok::<(), tangency::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`NotFinite`](Error::NotFinite) when the position leaves the finite numbers.
    pub fn translate(&self, offset: impl Into<Vec3>) -> Result<Self> {
        let position = self.pose.position().to_vec3() + offset.into();
        Ok(self.with_pose(Pose::new(position, self.pose.rotation())?))
    }

    /// Turned about the origin of coordinates by `rotation` (of any non-zero length): the position of the pose is rounded to nearest,
    /// its new rotation is the unit product of both, rounded to nearest. Nothing is built anew.
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
    /// When `rotation` is none, or the position leaves the range of `f32`.
    pub fn rotate(&self, rotation: impl Into<Quat>) -> Result<Self> {
        let turn = rotation.into().to_array();
        let matrix = obb::rotation_f64(turn)?;
        let product = obb::unit_f64(turn) * obb::unit_f64(self.pose.rotation_array());
        let position = (matrix * self.pose.position().to_vec3().as_dvec3()).as_vec3();
        Ok(self.with_pose(Pose::new(position, product.as_quat())?))
    }

    /// An axis-aligned box that contains the hull: the smallest there is in `f32` where the pose does not turn, and in the pose
    /// [`Pose::IDENTITY`] exact; where it turns, at most one unit in the last place larger. Faces beyond the finite numbers are kept
    /// at `f32::MAX`.
    ///
    /// ```
    /// # use tangency::shape::{Aabb, ConvexHull};
    /// let solid = ConvexHull::from_points([[0.0; 3], [1.0, 0.0, 0.0], [0.0, 2.0, 0.0], [0.0, 0.0, 3.0]])?;
    /// assert_eq!(solid.aabb(), Aabb::new([0.0; 3], [1.0, 2.0, 3.0])?);
    /// assert_eq!(solid.translate([5.0, 0.0, 0.0])?.aabb(), Aabb::new([5.0, 0.0, 0.0], [6.0, 2.0, 3.0])?);
    /// # Ok::<(), tangency::Error>(())
    /// ```
    pub fn aabb(&self) -> Aabb {
        self.as_placed().aabb()
    }

    /// Whether the point lies in the hull, surface included. Exact, in every pose.
    ///
    /// ```
    /// # use tangency::shape::ConvexHull;
    /// let plate = ConvexHull::from_points([[0.0, 0.0, 1.0], [1.0, 0.0, 1.0], [0.0, 1.0, 1.0]])?;
    /// assert!(plate.contains_point([0.5, 0.5, 1.0]));
    /// assert!(!plate.contains_point([0.25, 0.25, 1.0000001]));
    /// # Ok::<(), tangency::Error>(())
    /// ```
    pub fn contains_point(&self, point: impl Into<Vec3>) -> bool {
        let point = point.into();
        if !point.is_finite() {
            return false;
        }
        let p = LocalPoint::new(point, &self.pose);
        let (min, max) = (self.local.bounds.min(), self.local.bounds.max());
        if !(0..3).all(|k| p.cmp(k, min[k]) != Ordering::Less && p.cmp(k, max[k]) != Ordering::Greater) {
            return false;
        }
        let v = self.local_vertices();
        let at = |i: u32| v[i as usize];
        match self.dimension() {
            // The box around one point is that point.
            0 => true,
            // On the line and in the box around both ends is between them.
            1 => p.on_line(v[0], v[1]),
            2 => self.in_flat(&p),
            _ => self.faces().iter().all(|&[a, b, c]| p.orient3d(at(a), at(b), at(c)) != Ordering::Greater),
        }
    }

    fn in_flat(&self, p: &LocalPoint) -> bool {
        let v = self.local_vertices();
        if p.orient3d(v[0], v[1], v[2]) != Ordering::Equal {
            return false;
        }
        [(0, 1), (1, 2), (2, 0)].into_iter().all(|(i, j)| {
            let flat = |p: Vec3| Vec2::new(p[i], p[j]);
            let turn = orient2d(flat(v[0]), flat(v[1]), flat(v[2]));
            // In a projection that keeps the polygon, no edge may have the point on its outer side.
            turn == Ordering::Equal
                || (0..v.len()).all(|k| p.orient2d(v[k], v[(k + 1) % v.len()], (i, j)) != turn.reverse())
        })
    }

    /// The volume, in `f64`: the signed tetrahedra from one corner to all triangles (divergence theorem). Zero or more; off
    /// by the rounding of `f64`, which for a hull that is all but flat can be more than the volume itself. The same in every pose.
    ///
    /// ```
    /// # use tangency::shape::ConvexHull;
    /// let solid = ConvexHull::from_points([[0.0; 3], [1.0, 0.0, 0.0], [0.0, 2.0, 0.0], [0.0, 0.0, 3.0]])?;
    /// assert_eq!(solid.volume(), 1.0);
    /// # Ok::<(), tangency::Error>(())
    /// ```
    pub fn volume(&self) -> f64 {
        let origin = self.local_vertices()[0].as_dvec3();
        let at = |i: u32| self.local_vertices()[i as usize].as_dvec3() - origin;
        let six = self.faces().iter().map(|&[a, b, c]| at(a).cross(at(b)).dot(at(c))).sum::<f64>();
        if self.dimension() == 3 { (six / 6.0).max(0.0) } else { 0.0 }
    }

    /// The surface area, in `f64`; a flat hull counts both sides. The same in every pose.
    ///
    /// ```
    /// # use tangency::shape::{Aabb, ConvexHull};
    /// let cube = ConvexHull::from_points(Aabb::new([0.0; 3], [1.0; 3])?.corners())?;
    /// assert!((cube.area() - 6.0).abs() < 1e-12);
    /// # Ok::<(), tangency::Error>(())
    /// ```
    pub fn area(&self) -> f64 {
        let at = |i: u32| self.local_vertices()[i as usize].as_dvec3();
        self.faces().iter().map(|&[a, b, c]| (at(b) - at(a)).cross(at(c) - at(a)).length() / 2.0).sum()
    }
}

#[cfg(feature = "serde")]
mod serde_impl {
    use super::{ConvexHull, Pose, Vec3};

    /// The local corners, and the pose unless it is the identity.
    #[derive(serde::Serialize, serde::Deserialize)]
    #[serde(rename = "ConvexHull", deny_unknown_fields)]
    struct Fields {
        vertices: Vec<Vec3>,
        #[serde(default, skip_serializing_if = "is_identity")]
        pose: Pose,
    }

    fn is_identity(pose: &Pose) -> bool {
        *pose == Pose::IDENTITY
    }

    impl serde::Serialize for ConvexHull {
        fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
            Fields { vertices: self.local_vertices().to_vec(), pose: self.pose }.serialize(serializer)
        }
    }

    /// The hull is built anew from its corners.
    impl<'de> serde::Deserialize<'de> for ConvexHull {
        fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
            let Fields { vertices, pose } = Fields::deserialize(deserializer)?;
            Ok(Self::from_points(vertices).map_err(serde::de::Error::custom)?.with_pose(pose))
        }
    }
}
