//! Agreement with parry, away from what its `f32` cannot tell.

#[path = "../../../../tests/support/mod.rs"]
mod support;

mod convex_contacts;
mod convex_hull;
mod convex_queries;
mod convex_sweep;
mod d2;
mod in_parry;
mod queries_closest;
mod queries_contacts;
mod queries_rays;
mod relations;
