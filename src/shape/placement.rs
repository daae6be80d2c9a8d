use glam::{DMat3, DVec3};

use super::Pose;
use super::obb::matrix_f64;

/// A pose in `f64`: to the bit nothing for a pose that does not turn, else with the roundings of [`matrix_f64`].
#[derive(Clone, Copy, Debug)]
pub(crate) struct Placement {
    position: DVec3,
    turn: DMat3,
}

impl Placement {
    pub(crate) fn new(pose: &Pose) -> Self {
        // The matrix of (0, 0, 0, w) is the identity up to rounding only.
        let turn = if pose.turns() { matrix_f64(pose.rotation_array()) } else { DMat3::IDENTITY };
        Self { position: pose.position().to_vec3().as_dvec3(), turn }
    }

    pub(crate) fn position(self) -> DVec3 {
        self.position
    }

    /// Where a point of the local form lies.
    pub(crate) fn point(self, local: DVec3) -> DVec3 {
        self.position + self.turn * local
    }

    /// Where a direction of the local form points.
    pub(crate) fn direction(self, local: DVec3) -> DVec3 {
        self.turn * local
    }

    /// A direction as the local form sees it.
    pub(crate) fn to_local(self, direction: DVec3) -> DVec3 {
        self.turn.transpose() * direction
    }
}
