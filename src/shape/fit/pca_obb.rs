use glam::{DMat3, DQuat, DVec3, Quat, Vec3};

use super::checked;
use crate::Result;
use crate::shape::obb::{local_reach, matrix_f64};
use crate::shape::{Obb, check};

/// A box along the principal axes of the points: the longest spread first, the least last.
///
/// The eigenvectors of the covariance about the arithmetic mean (principal component analysis; Jacobi's rotations), turned
/// into a right-handed frame. Close for elongated clouds, though not the smallest box there is. Points in one plane, on one
/// line or at one place give a flat box, a needle or a point (up to the rounding of the rotation to `f32`).
///
/// ```
/// use tangency::shape::fit;
/// # use tangency::glam::vec3;
/// let diagonal = fit::pca_obb(&[vec3(0.0, 0.0, 0.0), vec3(1.0, 1.0, 0.0), vec3(2.0, 2.0, 0.0)])?;
/// let half = diagonal.half_extents();
/// assert!((half.x - 2f32.sqrt()).abs() < 1e-6 && half.y < 1e-6 && half.z < 1e-6);
/// # Ok::<(), tangency::Error>(())
/// ```
///
/// # Errors
/// [`NoPoints`](crate::Error::NoPoints); [`NotFinite`](crate::Error::NotFinite) for a bad point or a box beyond `f32`.
pub fn pca_obb(points: &[Vec3]) -> Result<Obb> {
    checked(points)?;
    around(points, principal_rotation(points))
}

/// The rotation to the principal axes of at least one point.
pub(super) fn principal_rotation(points: &[Vec3]) -> Quat {
    let mean = points.iter().map(|p| p.as_dvec3()).sum::<DVec3>() / points.len() as f64;
    // Brought to unit size, so that tiny and huge clouds are no special case.
    let size = points.iter().fold(0.0, |m: f64, p| m.max((p.as_dvec3() - mean).abs().max_element()));
    let unit = if size > 0.0 { 1.0 / size } else { 0.0 };
    let mut covariance = DMat3::ZERO;
    for point in points {
        let q = (point.as_dvec3() - mean) * unit;
        covariance += DMat3::from_cols(q * q.x, q * q.y, q * q.z);
    }
    DQuat::from_mat3(&principal_axes(covariance)).normalize().as_quat()
}

/// The box with the given rotation around all points.
pub(super) fn around(points: &[Vec3], rotation: Quat) -> Result<Obb> {
    let axes = matrix_f64(rotation.to_array());
    let to_local = axes.transpose();
    let origin = points[0].as_dvec3();
    let (mut low, mut high) = (DVec3::INFINITY, DVec3::NEG_INFINITY);
    for point in points {
        let local = to_local * (point.as_dvec3() - origin);
        (low, high) = (low.min(local), high.max(local));
    }
    let center = check::saturate(origin + axes * ((low + high) / 2.0));
    // From the rounded centre, with what the projections may have lost.
    let mut half = DVec3::ZERO;
    for point in points {
        half = half.max(local_reach(&to_local, point.as_dvec3() - center.as_dvec3()));
    }
    Obb::new(center, Vec3::from_array(half.to_array().map(check::round_up)), rotation)
}

/// The eigenvectors of a symmetric matrix as the columns of a rotation, largest eigenvalue first.
fn principal_axes(mut m: DMat3) -> DMat3 {
    let mut axes = DMat3::IDENTITY;
    // Each sweep squares the relative size of what is off the diagonal; six are ample.
    for _ in 0..12 {
        for (p, q) in [(0, 1), (0, 2), (1, 2)] {
            let off = m.col(q)[p];
            if off == 0.0 {
                continue;
            }
            // The smaller root of t² + 2θt − 1 = 0 turns the least.
            let theta = (m.col(q)[q] - m.col(p)[p]) / (2.0 * off);
            let t = theta.signum() / (theta.abs() + (theta * theta + 1.0).sqrt());
            let cos = 1.0 / (t * t + 1.0).sqrt();
            let sin = t * cos;
            let mut turn = DMat3::IDENTITY;
            turn.col_mut(p)[p] = cos;
            turn.col_mut(q)[q] = cos;
            turn.col_mut(q)[p] = sin;
            turn.col_mut(p)[q] = -sin;
            m = turn.transpose() * m * turn;
            // What is symmetric stays so, whatever the rounding.
            m = (m + m.transpose()) * 0.5;
            axes *= turn;
        }
    }
    let mut order = [0, 1, 2];
    order.sort_by(|&i, &j| m.col(j)[j].total_cmp(&m.col(i)[i]));
    let [x, y, z] = order.map(|i| axes.col(i));
    // Sorting may have mirrored the frame, and a mirrored frame has no quaternion.
    DMat3::from_cols(x, y, if x.cross(y).dot(z) < 0.0 { -z } else { z })
}
