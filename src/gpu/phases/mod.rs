//! The phases of a query: each records dispatches, and several queries share them.

mod details;
mod lists;
mod long_rows;
mod narrow;
mod prepare;
mod ray_tree;
pub(super) mod rays;
mod rows;
pub(super) mod search;

pub(crate) use details::{Details, MOVING, Moving};
#[cfg(test)]
pub(super) use long_rows::id_digits;
