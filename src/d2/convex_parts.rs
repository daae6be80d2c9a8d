//! A simple polygon cut into convex ones.

use std::cmp::Ordering;

use glam::Vec2;

use super::ConvexPolygon;
use crate::shape::orient::orient2d;

/// The parts of a simple, counter-clockwise polygon. Exact signs make every step a valid one.
pub(super) fn convex_parts(vertices: &[Vec2]) -> Vec<ConvexPolygon> {
    let mut parts = triangles(vertices.to_vec());
    merge(&mut parts);
    parts.into_iter().map(ConvexPolygon::from_ring).collect()
}

fn turn(ring: &[Vec2], i: usize) -> Ordering {
    let n = ring.len();
    orient2d(ring[(i + n - 1) % n], ring[i], ring[(i + 1) % n])
}

/// Ear clipping: cuts off a corner whose triangle holds no other corner, until one triangle is left.
fn triangles(mut ring: Vec<Vec2>) -> Vec<Vec<Vec2>> {
    let mut ears = vec![];
    loop {
        // A corner on the line of its neighbours bounds nothing, and could not be an ear.
        while ring.len() > 3 {
            let Some(flat) = (0..ring.len()).find(|&i| turn(&ring, i) == Ordering::Equal) else { break };
            ring.remove(flat);
        }
        let n = ring.len();
        let Some(i) = (0..n).find(|&i| n > 3 && is_ear(&ring, i)) else {
            ears.push(ring);
            return ears;
        };
        ears.push(vec![ring[(i + n - 1) % n], ring[i], ring[(i + 1) % n]]);
        ring.remove(i);
    }
}

fn is_ear(ring: &[Vec2], i: usize) -> bool {
    let n = ring.len();
    let (a, b, c) = (ring[(i + n - 1) % n], ring[i], ring[(i + 1) % n]);
    let inside = |p: Vec2| [(a, b), (b, c), (c, a)].into_iter().all(|(u, v)| orient2d(u, v, p) != Ordering::Less);
    turn(ring, i) == Ordering::Greater && !ring.iter().any(|&p| p != a && p != b && p != c && inside(p))
}

/// Joins two parts along a common edge wherever the result is convex.
fn merge(parts: &mut Vec<Vec<Vec2>>) {
    let mut first = 0;
    while first < parts.len() {
        let joined = (first + 1..parts.len()).find_map(|second| Some((second, join(&parts[first], &parts[second])?)));
        match joined {
            Some((second, ring)) => {
                parts.swap_remove(second);
                parts[first] = ring;
            }
            None => first += 1,
        }
    }
}

/// The union of two convex rings with a common edge, if it is strictly convex once flat corners are dropped.
fn join(p: &[Vec2], q: &[Vec2]) -> Option<Vec<Vec2>> {
    let (n, m) = (p.len(), q.len());
    for i in 0..n {
        let (u, v) = (p[i], p[(i + 1) % n]);
        let Some(j) = (0..m).find(|&j| q[j] == v && q[(j + 1) % m] == u) else { continue };
        // Around p from v back to u, then around q from after u to before v.
        let mut ring: Vec<Vec2> = (0..n).map(|k| p[(i + 1 + k) % n]).collect();
        ring.extend((2..m).map(|k| q[(j + k) % m]));
        while let Some(flat) = (0..ring.len()).find(|&k| ring.len() > 3 && turn(&ring, k) == Ordering::Equal) {
            ring.remove(flat);
        }
        return (0..ring.len()).all(|k| turn(&ring, k) == Ordering::Greater).then_some(ring);
    }
    None
}
