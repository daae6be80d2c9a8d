use glam::DVec3;

use super::pair::{Pair, nearest, swap};
use super::{Cuboid, near_segment_cuboid, near_segment_triangle, triangle_edges};

/// As for two triangles: an edge of the triangle against the box, or one of the box against the triangle.
pub(crate) fn near_triangle_cuboid(t: [DVec3; 3], cuboid: Cuboid) -> Pair {
    let own = triangle_edges(t).into_iter().map(|edge| near_segment_cuboid(edge, cuboid));
    let other = cuboid.edges().map(|edge| swap(near_segment_triangle(edge, t)));
    nearest(own.chain(other), (t[0], cuboid.center))
}
