//! Questions about whole sets of bodies: one folder a question, and what all of them share.
//!
//! A question is asked by a method of [`Engine`](crate::Engine), which returns a [`Request`]; every request ends in
//! [`run`](Request::run), [`run_into`](Request::run_into) or `.await`; those for pairs also in
//! [`for_each_part`](Request::for_each_part), for answers that are larger than memory.
//!
//! | question | asked by | answer |
//! |---|---|---|
//! | [`OverlapsQuery`] | [`Engine::overlaps`](crate::Engine::overlaps) | [`Overlaps`] |
//! | [`OverlapsQuery`] | [`Engine::containing`](crate::Engine::containing) | [`Overlaps`] of points and bodies |
//! | [`ContactsQuery`] | [`Engine::contacts`](crate::Engine::contacts) | [`Contacts`] |
//! | [`ClearancesQuery`] | [`Engine::clearances`](crate::Engine::clearances) | [`Clearances`] |
//! | [`SweepQuery`] | [`Engine::sweep`](crate::Engine::sweep) | [`SweepHits`] |
//! | [`ClosestQuery`] | [`Engine::closest`](crate::Engine::closest) | [`Closest`] |
//! | [`CandidatesQuery`] | [`Engine::candidates`](crate::Engine::candidates) | [`Candidates`] |
//! | [`RelationsQuery`] | [`Engine::relations`](crate::Engine::relations) | `Vec<`[`Relation`](crate::Relation)`>` |
//! | [`RaysQuery`] | [`Engine::cast_rays`](crate::Engine::cast_rays) | [`NearestHits`], [`AnyHits`] or [`AllHits`] |
//! | [`CullQuery`] | [`Engine::cull`](crate::Engine::cull) | `Vec<`[`Side`](crate::Side)`>` |

mod backends;
mod candidates;
mod canonical;
mod clearances;
mod closest;
mod contacts;
mod cull;
mod index;
mod iters;
mod overlaps;
mod query;
mod rays;
#[cfg(feature = "gpu")]
mod record;
mod relations;
mod request;
mod rows;
mod set;
#[cfg(feature = "gpu")]
mod settle;
mod single;
#[cfg(feature = "gpu")]
mod some_rows;
mod stream;
mod sweep;

pub use crate::manifold::{ContactPoints, Manifold};
pub use crate::near::{Clearance, SweepHit};
pub(crate) use backends::{Backend, Backends};
pub use candidates::{Candidates, CandidatesQuery};
pub use clearances::{Clearances, ClearancesQuery};
pub use closest::{Closest, ClosestBody, ClosestQuery};
pub use contacts::{Contacts, ContactsQuery};
pub use cull::CullQuery;
#[cfg(feature = "gpu")]
pub use cull::gpu::RecordedSides;
pub use index::Index;
pub use iters::{AllIter, AnyIter, ClosestIter, NearestIter, PairsWith};
pub use overlaps::OverlapsQuery;
pub use query::Query;
pub use rays::{All, AllHits, Any, AnyHits, BodyHit, Nearest, NearestHits, RaysQuery, Wanted};
#[cfg(feature = "gpu")]
pub use record::RecordQuery;
pub use relations::RelationsQuery;
#[cfg(feature = "gpu")]
pub use relations::gpu::RecordedRelations;
pub use request::{Answer, Request};
pub use rows::{ByWorld, Iter, Neighbours, Overlaps, PairChanges, Pairs, Partners, Stats, WorldIter};
pub use set::Set;
pub use single::Single;
pub use stream::RowQuery;
pub use sweep::{SweepHits, SweepQuery};

/// What the tests of the device run in a workspace of their own.
#[cfg(all(test, feature = "gpu"))]
pub(crate) mod plans {
    pub(crate) use super::clearances::gpu::settle as settle_clearances;
    pub(crate) use super::closest::gpu::settle as settle_closest;
    pub(crate) use super::contacts::gpu::settle as settle_contacts;
    pub(crate) use super::cull::gpu::Cull;
    pub(crate) use super::rays::Mode as RayMode;
    pub(crate) use super::rays::testing::both_ways as rays_both_ways;
    pub(crate) use super::relations::gpu::ListedPairs;
    pub(crate) use super::settle::{MarkedRows, settle};
    pub(crate) use super::sweep::gpu::answered as sweeps_answered;
}
