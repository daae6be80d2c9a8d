use glam::{DMat3, DVec3, Vec3};

use super::cut::Half;
use super::normals::face_normals;
use crate::shape::obb::{abs, matrix_f64};
use crate::shape::{ConvexHull, Obb};

/// The most faces of the hull whose planes are tried: the largest ones of a hull that has more.
const MOST_FACES: usize = 128;

/// The hull as seen from its box: in coordinates in which the box goes from −1 to 1, so that plates and needles are no special case.
pub(super) struct HullView {
    center: DVec3,
    axes: DMat3,
    half: DVec3,
    margin: DVec3,
    corners: Vec<DVec3>,
}

impl HullView {
    pub(super) fn new(hull: &ConvexHull, fitted: &Obb, margin: DVec3) -> Self {
        let axes = matrix_f64(fitted.rotation().to_array());
        let center = fitted.center().as_dvec3();
        let half = fitted.half_extents().as_dvec3() + abs(axes).transpose() * margin;
        let seen = |v: &Vec3| axes.transpose() * (v.as_dvec3() - center) / half;
        Self { center, axes, half, margin, corners: hull.local_vertices().iter().map(seen).collect() }
    }

    /// Where a point lies, rounded to nearest.
    pub(super) fn placed(&self, seen: DVec3) -> Vec3 {
        (self.center + self.axes * (seen * self.half)).as_vec3()
    }

    /// The corner of the hull that is farthest along a direction.
    fn farthest(&self, direction: DVec3) -> DVec3 {
        let along = |u: &&DVec3| u.dot(direction);
        *self.corners.iter().max_by(|a, b| along(a).total_cmp(&along(b))).expect("a hull has corners")
    }

    /// The least half-space of a unit normal around the hull and its margin.
    pub(super) fn half_space(&self, normal: DVec3) -> Half {
        let real = self.axes * (normal / self.half);
        Half { normal, offset: self.farthest(normal).dot(normal) + real.abs().dot(self.margin) }
    }

    /// Half-spaces on the faces of the hull, and on the faces, edges and corners of the box.
    pub(super) fn half_spaces(&self, hull: &ConvexHull) -> Vec<Half> {
        let mut normals = face_normals(hull, MOST_FACES, true);
        if hull.dimension() == 2 {
            // The sides of a plate.
            let (at, plane) = (|i: u32| hull.local_vertices()[i as usize].as_dvec3(), normals.first().copied());
            let sides = hull.edges().iter().map(|&[a, b]| (at(b) - at(a)).cross(plane.unwrap_or(DVec3::Z)));
            normals.extend(sides.flat_map(|side| [side, -side]));
        }
        let mut seen: Vec<DVec3> = normals.into_iter().map(|n| self.half * (self.axes.transpose() * n)).collect();
        let signs = [0.0, -1.0, 1.0];
        seen.extend((0..27).map(|i| DVec3::new(signs[i % 3], signs[i / 3 % 3], signs[i / 9])));
        seen.into_iter().filter_map(DVec3::try_normalize).map(|n| self.half_space(n)).collect()
    }

    /// For each of the given corners about the half-space that stays farthest from it: across the way from the nearest point of the hull,
    /// which is found well enough by a few steps towards the corners ahead (Gilbert 1966).
    pub(super) fn across(&self, corners: &[DVec3]) -> impl Iterator<Item = Half> {
        corners.iter().filter_map(|&corner| {
            let mut near = self.farthest(corner);
            for _ in 0..8 {
                let way = self.farthest(corner - near) - near;
                let square = way.length_squared();
                if square > 0.0 {
                    near += way * ((corner - near).dot(way) / square).clamp(0.0, 1.0);
                }
            }
            (corner - near).try_normalize().map(|normal| self.half_space(normal))
        })
    }
}
