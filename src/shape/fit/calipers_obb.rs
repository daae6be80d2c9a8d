use glam::{DMat3, DQuat, DVec2, DVec3, Quat, Vec3};

use super::calipers::least_rectangle;
use super::normals::face_normals;
use super::pca_obb::{around, pca_obb, principal_rotation};
use super::{checked, size};
use crate::Result;
use crate::shape::quickhull::monotone_chain;
use crate::shape::{ConvexHull, Obb, check};

/// The most faces of the hull that a box is laid on: the largest ones of a hull that has more.
const MOST_FACES: usize = 128;

/// A small box around points: never of more volume than [`pca_obb`], nor than the box along the coordinate axes, and often of much
/// less.
///
/// One side lies on a face of the hull, or across a principal or a coordinate axis; in that plane rotating calipers find the rectangle of
/// least area. Then each axis of the best box stays while calipers turn the other two, for as long as that helps. It is not always
/// the smallest box there is, whose sides may touch edges only (O'Rourke 1985).
///
/// What has no volume is compared by what it has: points in one plane by the box's surface, points on one line by the sum of its
/// extents. A turned plate keeps a thickness of about the rounding of its rotation to `f32`. The box along the coordinate axes is that of
/// [`Aabb::from_points`](crate::shape::Aabb::from_points), but for the rounding of its centre.
///
/// ```
/// use tangency::glam::{Quat, vec3};
/// use tangency::shape::{Obb, fit};
///
/// // A cube has no principal axes: all directions spread alike.
/// let cube = Obb::new([5.0, 0.0, 0.0], [1.0; 3], Quat::from_xyzw(0.1, 0.5, -0.3, 0.8))?;
/// let fitted = fit::calipers_obb(&cube.corners())?;
/// assert!((fitted.volume() / cube.volume() - 1.0).abs() < 1e-5);
///
/// let points = [vec3(0.0, 0.0, 0.0), vec3(3.0, 0.1, 0.0), vec3(0.4, 0.9, 0.0), vec3(0.3, 0.2, 0.8)];
/// assert!(fit::calipers_obb(&points)?.volume() <= fit::pca_obb(&points)?.volume());
/// # Ok::<(), tangency::Error>(())
/// ```
///
/// # Errors
/// [`NoPoints`](crate::Error::NoPoints); [`NotFinite`](crate::Error::NotFinite) for a bad point or a box beyond `f32`.
pub fn calipers_obb(points: &[Vec3]) -> Result<Obb> {
    checked(points)?;
    let hull = ConvexHull::from_points(points.iter().copied())?;
    let of = |fitted: &Obb| size(hull.dimension(), fitted.half_extents().as_dvec3());
    let mut best = aligned(&hull);
    // What contains the corners of the hull contains all points.
    for other in [pca_obb(points), around(hull.local_vertices(), calipers_rotation(points, &hull))] {
        best = match (best, other) {
            (Ok(a), Ok(b)) => Ok(if of(&b) < of(&a) { b } else { a }),
            (Ok(a), _) => Ok(a),
            (_, other) => other,
        };
    }
    best
}

/// The least box along the coordinate axes around a centre that is rounded to nearest.
fn aligned(hull: &ConvexHull) -> Result<Obb> {
    let bounds = hull.local_bounds();
    let (min, max) = (bounds.min().as_dvec3(), bounds.max().as_dvec3());
    let center = ((min + max) / 2.0).as_vec3();
    let c = center.as_dvec3();
    let half = [0, 1, 2].map(|k| check::sum_up(max[k], -c[k]).max(check::sum_up(c[k], -min[k])));
    Obb::new(center, half, Quat::IDENTITY)
}

/// The rotation of the smallest box that was found, as `f64` tells sizes.
pub(super) fn calipers_rotation(points: &[Vec3], hull: &ConvexHull) -> Quat {
    let origin = hull.local_vertices()[0].as_dvec3();
    let offsets = hull.local_vertices().iter().map(|v| v.as_dvec3() - origin);
    // Brought to unit size, so that tiny and huge clouds are no special case.
    let reach = offsets.clone().fold(0.0, |m: f64, v| m.max(v.abs().max_element()));
    let corners: Vec<DVec3> = offsets.map(|v| if reach > 0.0 { v / reach } else { v }).collect();
    let principal = DMat3::from_quat(principal_rotation(points).as_dquat().normalize());
    let mut normals = vec![principal.x_axis, principal.y_axis, principal.z_axis, DVec3::X, DVec3::Y, DVec3::Z];
    normals.extend(face_normals(hull, MOST_FACES, false));
    let (mut best, mut least) = (DMat3::IDENTITY, f64::INFINITY);
    // At most so many rounds; each of them but the last finds a smaller box.
    for _ in 0..16 {
        let before = least;
        for normal in normals {
            let (frame, extents) = across(&corners, normal);
            let found = size(hull.dimension(), extents);
            if found < least {
                (best, least) = (frame, found);
            }
        }
        if least >= before * (1.0 - 1e-9) {
            break;
        }
        normals = vec![best.x_axis, best.y_axis, best.z_axis];
    }
    DQuat::from_mat3(&best).normalize().as_quat()
}

/// The frame with `normal` as its first axis in which the rectangle across it has the least area, and the extents of the box.
fn across(corners: &[DVec3], normal: DVec3) -> (DMat3, DVec3) {
    let (x, y) = normal.any_orthonormal_pair();
    let flat: Vec<_> = corners.iter().map(|v| DVec2::new(v.dot(x), v.dot(y)).as_vec2()).collect();
    let ring: Vec<DVec2> = monotone_chain(&flat).into_iter().map(|i| flat[i].as_dvec2()).collect();
    let direction = least_rectangle(&ring);
    let along = x * direction.x + y * direction.y;
    let frame = DMat3::from_cols(normal, along, normal.cross(along));
    let to_local = frame.transpose();
    let (mut low, mut high) = (DVec3::INFINITY, DVec3::NEG_INFINITY);
    for &corner in corners {
        let local = to_local * corner;
        (low, high) = (low.min(local), high.max(local));
    }
    (frame, high - low)
}
