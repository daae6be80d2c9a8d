//! What the sources promise of themselves.

mod rooms;
mod seeds;
