//! The interface between host and kernels: the single source, in Rust, of every constant, struct and binding that both sides use.
//!
//! - [`constants`] and [`status`]: shared numbers. [`filters`]: the constants of formulas that exist on both sides.
//! - [`prepare`], [`search`], [`rows`], [`queries`]: one declaration for each module of kernels, of its uniform and its buffers.
//!   The declaration generates the WGSL text, the layout of bind groups, the struct with which the host records a dispatch
//!   (`sort::Buffers`), and the view of the same buffers for serial twins (`sort::View`). See [`module`].
//! - [`shaders`]: the WGSL files, concatenated according to their imports ([`imports`]).

mod constants;
mod filters;
mod imports;
pub(crate) mod module;
mod prepare;
mod queries;
mod rays;
mod resident;
mod rows;
mod search;
mod shaders;
mod status;

pub(crate) use constants::*;
pub(crate) use module::{Abilities, BufferList, KernelModule, Module};
pub(crate) use prepare::{
    build_tree, curve_keys, gather, gather_traits, grow_bounds, identity_order, patch_records, sort, world_keys,
};
pub(crate) use queries::{
    approaches, bucket_pairs, clearances, contacts, cull, frames, hull_clearances, hull_contacts, hull_directions,
    hull_feet, hull_sweeps, hull_ways, list_pairs, sweeps,
};
pub(crate) use rays::{
    cast_bundles, cast_rays, hull_hits, list_nearest, pick_hits, publish_hits, ray_keys, ray_tree, reach_nearest,
    time_hits,
};
pub(crate) use resident::{import_bodies, list_undecided, measure_grid, summarize, summarize_list};
pub(crate) use rows::{long_rows, row_offsets, scatter_hits, sort_rows};
pub(crate) use search::{find_pairs, hulls, moving, narrow, near, open_hulls, settle};
pub(crate) use status::*;

#[cfg(test)]
pub(crate) use shaders::part;
