//! The point of a simplex nearest to the origin.

use glam::DVec3;

use crate::query::support::unit;

/// The nearest point, and how the corners make it up: their weights are zero or more and sum to 1.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Nearest {
    pub(crate) point: DVec3,
    pub(crate) weights: [f64; 4],
}

/// Below this sine a triangle or a tetrahedron is taken for flat: its edges or faces then hold the nearest point as well.
const FLAT: f64 = 1e-13;

/// The point nearest to the origin in the hull of one to four points.
///
/// Every corner, edge, triangle and the solid is asked for the foot of the origin within it, and the nearest foot wins: no
/// chain of region tests that could contradict each other by rounding.
pub(crate) fn nearest_to_origin(corners: &[DVec3]) -> Nearest {
    let mut best = Nearest { point: corners[0], weights: [1.0, 0.0, 0.0, 0.0] };
    let mut offer = |foot: Option<(DVec3, [f64; 4])>| {
        if let Some((point, weights)) = foot.filter(|(p, _)| p.length_squared() < best.point.length_squared()) {
            best = Nearest { point, weights };
        }
    };
    for (i, &a) in corners.iter().enumerate() {
        offer(Some((a, place([(i, 1.0)]))));
        for (j, &b) in corners.iter().enumerate().skip(i + 1) {
            offer(segment_foot(a, b).map(|(p, w)| (p, place([(i, w[0]), (j, w[1])]))));
            for (k, &c) in corners.iter().enumerate().skip(j + 1) {
                offer(triangle_foot(a, b, c).map(|(p, w)| (p, place([(i, w[0]), (j, w[1]), (k, w[2])]))));
            }
        }
    }
    if let &[a, b, c, d] = corners {
        offer(tetrahedron_weights(a, b, c, d).map(|w| (DVec3::ZERO, w)));
    }
    best
}

fn place<const N: usize>(entries: [(usize, f64); N]) -> [f64; 4] {
    let mut weights = [0.0; 4];
    for (index, weight) in entries {
        weights[index] = weight;
    }
    weights
}

/// The foot of the origin strictly between a and b.
fn segment_foot(a: DVec3, b: DVec3) -> Option<(DVec3, [f64; 2])> {
    let edge = b - a;
    let t = -a.dot(edge) / edge.length_squared();
    // False also for an edge without length, where t is no number.
    (t > 0.0 && t < 1.0).then(|| (a + edge * t, [1.0 - t, t]))
}

/// The unit normal of a triangle, from its two shorter edges: two long ones that are nearly parallel would lose it.
pub(crate) fn triangle_normal(a: DVec3, b: DVec3, c: DVec3) -> Option<DVec3> {
    let edges = [b - a, c - b, a - c];
    let squares = edges.map(DVec3::length_squared);
    let longest = if squares[0] >= squares[1].max(squares[2]) { 0 } else { 1 + usize::from(squares[2] >= squares[1]) };
    let (u, v) = (edges[(longest + 1) % 3], edges[(longest + 2) % 3]);
    let cross = u.cross(v);
    unit(cross).filter(|_| cross.length() > FLAT * u.length() * v.length())
}

/// Of several points the one nearest to another: heights above a plane are taken from there, to round the least.
fn nearest_of(points: [DVec3; 3], to: DVec3) -> DVec3 {
    let far = |p: &DVec3| p.distance_squared(to);
    points.into_iter().min_by(|p, q| far(p).total_cmp(&far(q))).unwrap_or(points[0])
}

/// The foot of the origin within a triangle, with its barycentric coordinates by areas.
fn triangle_foot(a: DVec3, b: DVec3, c: DVec3) -> Option<(DVec3, [f64; 3])> {
    let normal = triangle_normal(a, b, c)?;
    let foot = normal * normal.dot(nearest_of([a, b, c], DVec3::ZERO));
    let corners = [a, b, c];
    // How far the foot is from the edge opposite a corner, of how far the corner is.
    let weight = |i: usize| {
        let (at, from, to) = (corners[i], corners[(i + 1) % 3], corners[(i + 2) % 3]);
        let across = normal.cross(to - from);
        let near = |p: DVec3| if p.distance_squared(from) <= p.distance_squared(to) { from } else { to };
        across.dot(foot - near(foot)) / across.dot(at - near(at))
    };
    // Along the shortest edge the weights matter least, so one of its ends takes what the others leave.
    let edge = |i: usize| corners[i].distance_squared(corners[(i + 1) % 3]);
    let shortest = if edge(0) <= edge(1).min(edge(2)) { 0 } else { 1 + usize::from(edge(2) <= edge(1)) };
    let (end, apex) = ((shortest + 1) % 3, (shortest + 2) % 3);
    let mut weights = [0.0; 3];
    (weights[end], weights[apex]) = (weight(end), weight(apex));
    weights[shortest] = 1.0 - weights[end] - weights[apex];
    weights.iter().all(|&w| w >= 0.0).then_some((foot, weights))
}

/// The weights that make up the origin, when the tetrahedron contains it: how far it is from the face opposite a corner, of
/// how far the corner is.
fn tetrahedron_weights(a: DVec3, b: DVec3, c: DVec3, d: DVec3) -> Option<[f64; 4]> {
    let weight = |at: DVec3, face: [DVec3; 3]| {
        let normal = triangle_normal(face[0], face[1], face[2])?;
        let height = normal.dot(at - nearest_of(face, at));
        let own = normal.dot(-nearest_of(face, DVec3::ZERO));
        // A corner in the plane of the others makes no solid; the faces then hold the nearest point.
        (height.abs() > FLAT * at.distance(nearest_of(face, at)) && own * height >= 0.0).then(|| own / height)
    };
    let weights = [weight(a, [b, c, d])?, weight(b, [c, d, a])?, weight(c, [d, a, b])?, weight(d, [a, b, c])?];
    let sum: f64 = weights.iter().sum();
    // The four heights are shares of one volume; far from summing to 1 they are rounding.
    (sum > 0.5 && sum < 2.0).then(|| weights.map(|w| w / sum))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_weights_make_up_the_point() {
        let corners = [DVec3::new(-1.0, -1.0, -1.0), DVec3::new(2.0, 0.0, -1.0), DVec3::new(0.0, 3.0, -1.0), DVec3::Z];
        for shift in [DVec3::ZERO, DVec3::new(3.0, 0.2, 0.1), DVec3::new(0.1, 0.1, 5.0), DVec3::new(-4.0, 1.0, -2.0)] {
            let moved = corners.map(|c| c + shift);
            let nearest = nearest_to_origin(&moved);
            let made: DVec3 = moved.iter().zip(nearest.weights).map(|(&c, w)| c * w).sum();
            assert!(made.distance(nearest.point) < 1e-14, "{shift}");
            // No corner lies on the near side of the plane through the nearest point.
            assert!(moved.iter().all(|c| c.dot(nearest.point) >= nearest.point.length_squared() - 1e-12));
        }
    }
}
