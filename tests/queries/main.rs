//! The batch queries through the public API, in one program: each module is about one of them, or about what they have in common.

#[path = "../common/capsule_pairs.rs"]
mod capsule_pairs;
#[path = "../common/mod.rs"]
mod common;
#[path = "../common/engines.rs"]
mod engines;
#[path = "../common/golden.rs"]
mod golden;
#[path = "../common/half_space_pairs.rs"]
mod half_space_pairs;
#[cfg(feature = "gpu")]
#[path = "../common/host.rs"]
mod host;
#[path = "../common/hull_pairs.rs"]
mod hull_pairs;
#[path = "../common/meshes.rs"]
mod mesh_hulls;
#[path = "../common/polytopes.rs"]
mod polytopes;
#[path = "../common/properties.rs"]
mod properties;
#[path = "../common/rational.rs"]
mod rational;
#[path = "../common/rational_hull.rs"]
mod rational_hull;

mod approaches;
mod bodies;
mod capsules;
#[cfg(feature = "gpu")]
mod choice;
mod clearances;
mod closest;
mod contact_quality;
mod contacts;
mod families;
#[cfg(feature = "gpu")]
mod gpu;
mod grazing;
mod half_spaces;
mod hull_forms;
mod hulls;
mod many;
mod margins;
mod never_again;
mod overlaps;
mod points;
mod rays;
mod requests;
#[cfg(feature = "gpu")]
mod resident;
mod results;
mod single;
mod sweeps;
