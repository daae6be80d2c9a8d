use super::pair::{Pair, nearest, swap};
use super::{Cuboid, near_segment_cuboid};

/// As for two triangles: an edge of one box against the other box.
pub(crate) fn near_cuboid_cuboid(a: Cuboid, b: Cuboid) -> Pair {
    let own = a.edges().map(|edge| near_segment_cuboid(edge, b));
    let other = b.edges().map(|edge| swap(near_segment_cuboid(edge, a)));
    nearest(own.chain(other), (a.center, b.center))
}
