//! # Tangency
//!
//! **Given any number of bodies, exactly the pairs that touch**: with or without a GPU, the same answer on every machine.
//!
//! Most collision libraries decide in floating point, with an epsilon: near touching they are wrong, and differently so on every
//! processor. Tangency takes its inputs, finite `f32`, as the exact real numbers they are, and its answer is the mathematically
//! right one. It is three-way: [separate, touching or overlapping](Relation). It is fast nevertheless, because a filter with a
//! proven error bound decides nearly all pairs, and only the remaining ones need integer arithmetic.
//!
//! ## Find the pairs of a scene
//!
//! Fill a set of [`Bodies`] with [shapes](shape), and query an [`Engine`]:
//!
//! ```
//! use tangency::glam::Quat;
//! use tangency::shape::{Aabb, Obb, Sphere};
//! use tangency::{Bodies, Engine, Relation};
//!
//! let mut bodies = Bodies::new();
//! let floor = bodies.push(Aabb::new([-10.0, -1.0, -10.0], [10.0, 0.0, 10.0])?)?;
//! let crate_ = bodies.push(Obb::new([0.0, 0.5, 0.0], [0.5, 0.5, 0.5], Quat::from_rotation_y(0.3))?)?;
//! let ball = bodies.push(Sphere::new([0.0, 1.4, 0.0], 0.5)?)?;
//!
//! let engine = Engine::new()?;
//! let hits = engine.overlaps(&bodies).run()?;
//! // The crate stands on the floor, to the bit; the ball has sunk into the crate.
//! assert_eq!(
//!     hits.iter().collect::<Vec<_>>(),
//!     [(floor, crate_, Relation::Touching), (crate_, ball, Relation::Overlapping)]
//! );
//! # Ok::<(), tangency::Error>(())
//! ```
//!
//! Bodies are [spheres](shape::Sphere), [axis-aligned boxes](shape::Aabb), [oriented boxes](shape::Obb),
//! [capsules](shape::Capsule), half-spaces ([`shape::Plane`]) and [convex hulls](shape::ConvexHull) of at most 256 corners. The pairs come sorted,
//! each once, and are the same on every GPU, on the CPU and for every number of threads. [`Overlaps`] has them as a list and by rows.
//!
//! [`Engine::new`] takes the best hardware GPU, or the CPU if there is no GPU, and for [a few thousand bodies](Builder::cpu_up_to);
//! [`Engine::info`] says which one and why, and [`Engine::builder`] lets you choose. [`Engine::warm_up`] does in advance what the
//! first query on a GPU would wait for.
//!
//! ## Say who may meet
//!
//! [`Traits`] keep pairs from being reported at all: layers and masks, groups (the links of one robot), worlds (many
//! simulations in one call, at the same coordinates) and fixed bodies. Single pairs are [excluded](Bodies::exclude), single
//! bodies [disabled](Bodies::disable).
//!
//! ```
//! use tangency::{Bodies, Engine, Traits, shape::Sphere};
//!
//! let mut bodies = Bodies::new();
//! for world in 0..3 {
//!     for x in [0.0, 1.0] {
//!         bodies.push_with(Sphere::new([x, 0.0, 0.0], 0.75)?, Traits::new().world(world))?;
//!     }
//! }
//! let hits = Engine::new()?.overlaps(&bodies).run()?;
//! assert_eq!(hits.pairs().collect::<Vec<_>>(), [(0, 1), (2, 3), (4, 5)]);
//! # Ok::<(), tangency::Error>(())
//! ```
//!
//! ## Far from zero
//!
//! Coordinates are `f32`, in which 500,000.123 is 500,000.125. [`Bodies::with_origin`] makes a set whose coordinates are relative to a
//! point, and [`Bodies::push_at`] adds bodies at positions in `f64`.
//!
//! ## Other questions
//!
//! | question | answer |
//! |---|---|
//! | which pairs of one set meet? | [`Engine::overlaps`] |
//! | which bodies of one set meet which of another? | [`Engine::overlaps`], then [`against`](Request::against) |
//! | what are these pairs to each other? | [`Engine::relations`] |
//! | which pairs are at most so far apart? | [`Engine::overlaps`], then [`margin`](Request::margin) |
//! | how far apart are they, and where are they nearest? | [`Engine::clearances`] |
//! | which moving bodies meet, and when? | [`Engine::sweep`] |
//! | how do they touch, and how deep? | [`Engine::contacts`] |
//! | which bodies contain these points? | [`Engine::containing`] |
//! | which bodies are nearest to these points? | [`Engine::closest`] |
//! | what do these rays meet? | [`Engine::cast_rays`] |
//! | which bodies lie in this frustum? | [`Engine::cull`] |
//! | which pairs are worth a closer look? | [`Engine::candidates`] |
//! | the same set, many times over? | [`Engine::index`] |
//! | one pair, here and now? | [`query::intersect`], [`query::side`] |
//! | where do they touch, how deep, how far, when? | [`query::contact`], [`query::closest_points`], [`query::cast_ray`], [`query::sweep`] |
//!
//! A query is a [`Request`]: [`run`](Request::run) answers it, [`run_into`](Request::run_into) reuses the memory of a result, and
//! `.await` does not block. Options are methods before that, such as [`overlapping_only`](Request::overlapping_only) to leave out
//! pairs that merely touch.
//!
//! The last two rows are for shapes, such as those that [`Bodies::shape`] returns. The queries of the last row are answered in floating point, with a stated tolerance; all others are exact. [`d2`] has shapes
//! and queries in the plane, [`response`] the response to a collision, [`shape::fit`] bounding shapes of points.
//!
//! ## What you can rely on
//!
//! 1. Inputs are finite `f32`, taken as exact. Shapes are closed sets: touching is a hit. An oriented box is what its
//!    quaternion exactly describes, whatever its length; a capsule all points at most its radius from a segment, a half-space
//!    all points behind its plane and on it, a convex hull that of its corners where its pose exactly puts them.
//! 2. Nothing is lost and nothing is doubled: each pair once, the smaller id first, sorted.
//! 3. Bad input (NaN, infinity, a negative extent, a zero quaternion, a reversed box, an unknown id) is refused with an
//!    [`enum@Error`] that names body, field and value, and nothing is changed.
//! 4. Very large and very small numbers are answered exactly too.
//!
//! ## Features
//!
//! - `rayon` (default): all cores. Without it, one.
//! - `gpu` (default): the GPU backend, through wgpu. Without it there is no wgpu at all.
//! - `serde`: shapes, sets of bodies and answers can be written and read; what is read is validated.
//! - `mint`: constructors take `mint`'s types.

// What tests of the library and of its users share calls it by its name.
#[cfg(test)]
extern crate self as tangency;

mod audit;
pub mod batch;
pub mod bodies;
mod cast;
mod clock;
mod contact;
mod cpu;
#[cfg(not(target_family = "wasm"))]
mod crew;
pub mod d2;
#[allow(dead_code, unused_imports, reason = "each function is tested on every adapter; queries use some of them")]
mod det;
mod engine;
mod error;
mod exact;
mod filter;
#[cfg(feature = "gpu")]
mod gpu;
mod hash;
mod lanes;
mod manifold;
mod memory;
mod near;
mod parallel;
pub mod query;
mod relation;
pub mod response;
pub mod scenes;
pub mod shape;
mod spatial;

pub use audit::{Audit, ContactDifference, Difference};
pub use batch::{
    AllHits, AnyHits, BodyHit, ByWorld, Candidates, Clearance, Clearances, Closest, ClosestBody, Contacts, Index,
    Manifold, NearestHits, Overlaps, PairChanges, Request, Single, Stats, SweepHit, SweepHits,
};
#[cfg(feature = "gpu")]
pub use batch::{RecordedRelations, RecordedSides};
pub use bodies::{Bodies, Body, Changes, Points, ShapeId, Traits};
pub use engine::{BackendKind, Builder, Engine, Info};
pub use error::{Error, Result};
/// Vectors and quaternions: the version of glam that this library's functions take. With `use tangency::glam` you need no
/// dependency on glam; one of your own works too if it is the same minor version.
pub use glam;
#[cfg(feature = "gpu")]
pub use gpu::{
    Adapter, AdapterLimits, BodySource, Capacities, Ended, Measured, RecordOptions, RecordedHits, RecordedPairs, Until,
    adapters,
};
pub use relation::{Relation, Side};
#[cfg(feature = "gpu")]
pub use wgpu;

/// Whether tests have time for many cases (`./test.sh --long`).
#[cfg(test)]
pub(crate) fn is_long_test() -> bool {
    std::env::var_os("TANGENCY_TEST_LONG").is_some_and(|value| value == "1")
}

/// The example of README.md, as a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
