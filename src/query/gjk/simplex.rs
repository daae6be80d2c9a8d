//! The point of a simplex nearest to the origin.

use glam::DVec3;

/// The nearest point, and how the corners make it up: their weights are zero or more and sum to 1.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Nearest {
    pub(crate) point: DVec3,
    pub(crate) weights: [f64; 4],
}

/// Below this share of the largest possible area or volume, a triangle or tetrahedron is taken for flat: its faces and
/// edges then hold the nearest point as well.
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

/// The foot of the origin within a triangle: barycentric coordinates by areas, taken about the foot itself.
fn triangle_foot(a: DVec3, b: DVec3, c: DVec3) -> Option<(DVec3, [f64; 3])> {
    let (ab, ac) = (b - a, c - a);
    let normal = ab.cross(ac);
    let square = normal.length_squared();
    if square <= FLAT * FLAT * ab.length_squared() * ac.length_squared() {
        return None;
    }
    let foot = normal * (normal.dot(a) / square);
    let (pa, pb, pc) = (a - foot, b - foot, c - foot);
    let weights = [pb.cross(pc), pc.cross(pa), pa.cross(pb)].map(|area| area.dot(normal));
    let sum: f64 = weights.iter().sum();
    (weights.iter().all(|&w| w >= 0.0) && sum > 0.0).then(|| (foot, weights.map(|w| w / sum)))
}

/// The weights that make up the origin, when the tetrahedron contains it.
fn tetrahedron_weights(a: DVec3, b: DVec3, c: DVec3, d: DVec3) -> Option<[f64; 4]> {
    let volume = (b - a).cross(c - a).dot(d - a);
    if volume.abs() <= FLAT * (b - a).length() * (c - a).length() * (d - a).length() {
        return None;
    }
    let parts = [b.cross(c).dot(d), a.cross(d).dot(c), a.cross(b).dot(d), b.cross(a).dot(c)];
    let weights = parts.map(|part| part / volume);
    let sum: f64 = weights.iter().sum();
    (weights.iter().all(|&w| w >= 0.0) && sum > 0.0).then(|| weights.map(|w| w / sum))
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
