//! The spatial order of bodies, which both backends share: a space-filling curve, and classes of similar size.

mod curve;
mod size_classes;

pub(crate) use curve::Grid;
#[cfg(feature = "gpu")]
pub(crate) use curve::{Region, sample};
pub(crate) use size_classes::{CLASS_BITS, Sizes};
