//! # Tangency
//!
//! Exact collision detection: given any number of bodies, exactly the pairs that touch.
mod bodies;
mod cpu;
pub mod d2;
mod engine;
mod error;
mod exact;
mod filter;
#[cfg(feature = "gpu")]
mod gpu;
mod overlaps;
pub mod query;
mod relation;
pub mod response;
pub mod scenes;
pub mod shape;

pub use bodies::{Bodies, Changes, Traits};
pub use engine::{BackendKind, Builder, Engine, Index, Info, Options};
pub use error::{Error, Result};
pub use glam;
#[cfg(feature = "gpu")]
pub use gpu::{Adapter, AdapterLimits, adapters};
pub use overlaps::{Overlaps, Stats};
pub use relation::{Relation, Side};
#[cfg(feature = "gpu")]
pub use wgpu;
