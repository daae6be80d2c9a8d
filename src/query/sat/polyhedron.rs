use glam::{DVec3, Vec3};

use crate::query::support::unit;
use crate::shape::{Aabb, ConvexHull, Obb, Segment, Triangle};

/// A convex polyhedron as [`sat`](crate::query::sat) sees it: corners, and the directions of its faces and edges.
///
/// What is flat counts as the limit of something thin: a flat hull as a prism, whose sides and upright edges are listed
/// too, a segment and a point as boxes. The test is then complete for them as well, because a separated pair stays
/// separated when both are made slightly thicker.
///
/// ```
/// use tangency::glam::Quat;
/// use tangency::{query::Polyhedron, shape::Obb};
///
/// let obb = Obb::new([0.0; 3], [1.0, 2.0, 3.0], Quat::IDENTITY)?;
/// assert_eq!((obb.corners_f64().len(), obb.face_normals().len(), obb.edge_directions().len()), (8, 3, 3));
/// # Ok::<(), tangency::Error>(())
/// ```
pub trait Polyhedron {
    /// All corners; none for a shape without points.
    fn corners_f64(&self) -> Vec<DVec3>;

    /// The unit normals of the faces, one for parallel ones.
    fn face_normals(&self) -> Vec<DVec3>;

    /// The unit directions of the edges, one for parallel ones.
    fn edge_directions(&self) -> Vec<DVec3>;
}

const AXES: [DVec3; 3] = [DVec3::X, DVec3::Y, DVec3::Z];

impl Polyhedron for Aabb {
    fn corners_f64(&self) -> Vec<DVec3> {
        if self.validate().is_err() { vec![] } else { self.corners().map(Vec3::as_dvec3).to_vec() }
    }

    fn face_normals(&self) -> Vec<DVec3> {
        AXES.to_vec()
    }

    fn edge_directions(&self) -> Vec<DVec3> {
        AXES.to_vec()
    }
}

impl Polyhedron for Obb {
    fn corners_f64(&self) -> Vec<DVec3> {
        if self.validate().is_err() {
            return vec![];
        }
        let (center, half, [x, y, z]) = (self.center().as_dvec3(), self.half_extents().as_dvec3(), self.axes());
        let side = |i: usize, bit: usize| if i >> bit & 1 == 1 { 1.0 } else { -1.0 };
        (0..8).map(|i| center + x * half.x * side(i, 0) + y * half.y * side(i, 1) + z * half.z * side(i, 2)).collect()
    }

    fn face_normals(&self) -> Vec<DVec3> {
        self.axes().to_vec()
    }

    fn edge_directions(&self) -> Vec<DVec3> {
        self.axes().to_vec()
    }
}

impl Polyhedron for ConvexHull {
    fn corners_f64(&self) -> Vec<DVec3> {
        self.placed().collect()
    }

    fn face_normals(&self) -> Vec<DVec3> {
        let local = distinct(self.faces().iter().filter_map(|&[a, b, c]| {
            let [a, b, c] = [a, b, c].map(|i| self.local_vertices()[i as usize].as_dvec3());
            unit((b - a).cross(c - a))
        }));
        let mut normals = placed(self, local);
        match self.dimension() {
            0 => AXES.to_vec(),
            1 => frame(along_edges(self)[0]),
            2 => {
                let normal = plane_normal(self);
                normals.push(normal);
                // Unit again: where the normal is a stand-in, it is not across every edge.
                normals.extend(along_edges(self).into_iter().filter_map(|edge| unit(normal.cross(edge))));
                normals
            }
            _ => normals,
        }
    }

    fn edge_directions(&self) -> Vec<DVec3> {
        let mut edges = along_edges(self);
        match self.dimension() {
            0 => AXES.to_vec(),
            1 => frame(edges[0]),
            2 => {
                edges.push(plane_normal(self));
                edges
            }
            _ => edges,
        }
    }
}

/// One line a flat shape, seen as the hull of its corners; what has no points has no hull.
macro_rules! hull_of_corners {
    ($($shape:ident |$s:ident| $corners:expr;)*) => {$(
        impl Polyhedron for $shape {
            fn corners_f64(&self) -> Vec<DVec3> {
                let $s = self;
                ConvexHull::from_points($corners).map_or(vec![], |hull| hull.corners_f64())
            }

            fn face_normals(&self) -> Vec<DVec3> {
                let $s = self;
                ConvexHull::from_points($corners).map_or(vec![], |hull| hull.face_normals())
            }

            fn edge_directions(&self) -> Vec<DVec3> {
                let $s = self;
                ConvexHull::from_points($corners).map_or(vec![], |hull| hull.edge_directions())
            }
        }
    )*};
}

hull_of_corners! {
    Segment |s| [s.a(), s.b()];
    Triangle |t| t.corners();
}

/// The normal of a flat hull: that of its largest triangle, or one across an edge where `f64` tells no triangle from a line.
fn plane_normal(hull: &ConvexHull) -> DVec3 {
    let crosses = hull.faces().iter().map(|&[a, b, c]| {
        let [a, b, c] = [a, b, c].map(|i| hull.local_vertices()[i as usize].as_dvec3());
        (b - a).cross(c - a)
    });
    let largest = crosses.max_by(|m, n| m.length_squared().total_cmp(&n.length_squared()));
    let placed = |normal: DVec3| hull.placement().direction(normal);
    largest.and_then(unit).map_or_else(|| along_edges(hull)[0].any_orthonormal_vector(), placed)
}

fn frame(direction: DVec3) -> Vec<DVec3> {
    let (u, v) = direction.any_orthonormal_pair();
    vec![direction, u, v]
}

fn along_edges(hull: &ConvexHull) -> Vec<DVec3> {
    let at = |i: u32| hull.local_vertices()[i as usize].as_dvec3();
    placed(hull, distinct(hull.edges().iter().filter_map(|&[a, b]| unit(at(b) - at(a)))))
}

/// Directions of the local form where they point. What repeats is told before: turning rounds.
fn placed(hull: &ConvexHull, local: Vec<DVec3>) -> Vec<DVec3> {
    let placement = hull.placement();
    local.into_iter().map(|direction| placement.direction(direction)).collect()
}

/// Without the repeats: those that agree to the precision of `f64`, in either direction.
fn distinct(directions: impl Iterator<Item = DVec3>) -> Vec<DVec3> {
    let mut kept: Vec<DVec3> = vec![];
    for direction in directions {
        if !kept.iter().any(|k| k.cross(direction).length_squared() < 1e-30) {
            kept.push(direction);
        }
    }
    kept
}
