//! The only room that knows wgpu.

mod adapters;

pub use adapters::{Adapter, AdapterLimits, adapters};
