//! What decides the candidate pairs of a search.

use super::abi::BUCKETS;
use super::stages;
use crate::Bodies;
use crate::bodies::Reach;

/// What decides the candidate pairs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Narrow {
    /// The certified filters, then the exact tests.
    Filter,
    /// Nothing: all candidate pairs are reported.
    Accept,
    /// Whether they are nearer than this, and than the margins of bodies if they have any.
    Near { distance: f32, margins: bool },
    /// Whether the bodies that stay in these boxes, and move, may meet.
    Moving,
    /// Whether they are no further away than the nearest of those that a point looks for, so many and within this distance.
    Closest { count: u32, within: f32 },
}

impl Narrow {
    /// How far apart the bodies of a pair may be.
    pub(crate) fn distance(self) -> f32 {
        if let Self::Near { distance, .. } = self { distance } else { 0.0 }
    }

    /// What decides which bodies of these sets are so near each other.
    pub(crate) fn of(reach: Reach, sets: [&Bodies; 2]) -> Self {
        let margins = sets.iter().any(|set| set.margins().is_some());
        reach.distance(sets).map_or(Self::Filter, |distance| Self::Near { distance, margins })
    }

    /// Whether the margins of bodies count.
    pub(crate) fn has_margins(self) -> bool {
        matches!(self, Self::Near { margins: true, .. } | Self::Closest { .. })
    }

    /// Whether it needs the frames of bodies, if these buckets can get candidates.
    pub(crate) fn needs_frames(self, possible: &[bool; BUCKETS]) -> bool {
        self.is_by_distance() || self == Self::Moving || self == Self::Filter && stages::need_frames(possible)
    }

    /// Whether all candidates are decided by how far apart they are.
    pub(crate) fn is_by_distance(self) -> bool {
        matches!(self, Self::Near { .. } | Self::Closest { .. })
    }
}
