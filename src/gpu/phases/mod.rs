//! The way of the data through a query, in parts that several queries share: each records commands for the device.

mod long_rows;
mod narrow;
mod prepare;
mod rows;
pub(super) mod search;

#[cfg(test)]
pub(super) use long_rows::id_digits;
