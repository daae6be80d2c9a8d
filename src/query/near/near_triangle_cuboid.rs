use glam::DVec3;

use super::{Cuboid, Pair, near_segment_cuboid, near_segment_triangle, nearer};

fn edges([a, b, c]: [DVec3; 3]) -> [Pair; 3] {
    [(a, b), (b, c), (c, a)]
}

fn swap((p, q): Pair) -> Pair {
    (q, p)
}

/// The best of at least one pair.
fn nearest(pairs: impl Iterator<Item = Pair>, fallback: Pair) -> Pair {
    pairs.reduce(nearer).unwrap_or(fallback)
}

/// Two triangles that meet do so at an edge of one of them, and two that do not are nearest at an edge or a corner.
pub(crate) fn near_triangle_triangle(s: [DVec3; 3], t: [DVec3; 3]) -> Pair {
    let own = edges(s).into_iter().map(|edge| near_segment_triangle(edge, t));
    let other = edges(t).into_iter().map(|edge| swap(near_segment_triangle(edge, s)));
    nearest(own.chain(other), (s[0], t[0]))
}

/// As for two triangles: an edge of the triangle against the box, or one of the box against the triangle.
pub(crate) fn near_triangle_cuboid(t: [DVec3; 3], cuboid: Cuboid) -> Pair {
    let own = edges(t).into_iter().map(|edge| near_segment_cuboid(edge, cuboid));
    let other = cuboid.edges().map(|edge| swap(near_segment_triangle(edge, t)));
    nearest(own.chain(other), (t[0], cuboid.center))
}

/// As for two triangles: an edge of one box against the other box.
pub(crate) fn near_cuboid_cuboid(a: Cuboid, b: Cuboid) -> Pair {
    let own = a.edges().map(|edge| near_segment_cuboid(edge, b));
    let other = b.edges().map(|edge| swap(near_segment_cuboid(edge, a)));
    nearest(own.chain(other), (a.center, b.center))
}
