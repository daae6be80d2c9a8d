use glam::DVec3;

use super::pair::{Pair, nearest, swap};
use super::{near_segment_triangle, triangle_edges};

/// Two triangles that meet do so at an edge of one of them, and two that do not are nearest at an edge or a corner.
pub(crate) fn near_triangle_triangle(s: [DVec3; 3], t: [DVec3; 3]) -> Pair {
    let own = triangle_edges(s).into_iter().map(|edge| near_segment_triangle(edge, t));
    let other = triangle_edges(t).into_iter().map(|edge| swap(near_segment_triangle(edge, s)));
    nearest(own.chain(other), (s[0], t[0]))
}
