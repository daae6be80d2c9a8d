//! The scalar queries and shapes, in one program: each module is about one of them.

#[path = "../common/mod.rs"]
mod common;
#[path = "../common/properties.rs"]
mod properties;
#[path = "../common/rational.rs"]
mod rational;
#[path = "../support/mod.rs"]
mod support;

mod convex_contacts;
mod convex_hull;
mod convex_queries;
mod convex_sweep;
mod d2;
mod errata_convex;
mod errata_queries;
mod fit;
mod half_spaces;
mod hulls_as_shapes;
mod queries_closest;
mod queries_contacts;
mod queries_extreme;
mod queries_moving;
mod queries_rays;
#[cfg(feature = "serde")]
mod queries_serde;
mod response;
mod shape_queries;
mod shapes;
mod sweep_pivots;
