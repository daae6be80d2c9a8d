//! Exact relations and bounds that contain, in one program: vectors, rational arithmetic, and input of every kind.

#[path = "../common/capsule_pairs.rs"]
mod capsule_pairs;
#[path = "../common/mod.rs"]
mod common;
#[path = "../common/half_space_pairs.rs"]
mod half_space_pairs;
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
#[path = "../support/mod.rs"]
mod support;

mod bad_input;
mod bounds_contain;
mod capsules;
mod certificates;
mod errata;
mod exact_vectors;
mod families;
mod half_spaces;
mod hull_poses;
mod hulls;
mod margins;
mod meshes;
mod relations;
