//! A hull where it is, in rational numbers: when a ray is inside, and how slender it is. Slow, plain, and written without a look at `src`.
#![allow(dead_code, reason = "each test file uses its part")]

use std::cmp::Ordering;

use tangency::shape::ConvexHull;

use crate::rational::{Q, V, along, cross, dot, hull_contains, int, placed, squared, sub};

/// All points x with n·x ≤ d.
type HalfSpace = (V, Q);

pub struct RationalHull {
    corners: Vec<V>,
    triangles: Vec<[u32; 3]>,
    dimension: usize,
    /// What a solid hull is common to; of a flat one or a segment, what it is common to within its plane or its line.
    sides: Vec<HalfSpace>,
    /// The planes n·x = d that contain all of a hull that is not solid.
    planes: Vec<HalfSpace>,
}

impl From<&ConvexHull> for RationalHull {
    fn from(hull: &ConvexHull) -> Self {
        let corners: Vec<V> = hull.local_vertices().iter().map(|corner| placed(&hull.pose(), *corner)).collect();
        let through = |normal: V, corner: usize| {
            let offset = dot(&normal, &corners[corner]);
            (normal, offset)
        };
        let way = |from: usize, to: usize| sub(&corners[to], &corners[from]);
        let units = [0, 1, 2].map(|k| [0, 1, 2].map(|i| int(i32::from(i == k))));
        let (sides, planes) = match hull.dimension() {
            0 => (vec![], units.map(|unit| through(unit, 0)).into()),
            1 => {
                let ends = vec![through(way(0, 1), 1), through(way(1, 0), 0)];
                (ends, units.map(|unit| through(cross(&way(0, 1), &unit), 0)).into())
            }
            2 => {
                // The corners run round the polygon.
                let normal = cross(&way(0, 1), &way(0, 2));
                let edge = |k: usize| through(cross(&way(k, (k + 1) % corners.len()), &normal), k);
                ((0..corners.len()).map(edge).collect(), vec![through(normal.clone(), 0)])
            }
            _ => {
                let face = |[a, b, c]: [usize; 3]| through(cross(&way(a, b), &way(a, c)), a);
                (hull.faces().iter().map(|corners| face(corners.map(|i| i as usize))).collect(), vec![])
            }
        };
        Self { sides, planes, triangles: hull.faces().to_vec(), dimension: hull.dimension(), corners }
    }
}

impl RationalHull {
    /// The times at which origin + time · way is in the hull.
    pub fn times(&self, origin: &V, way: &V) -> Option<(Q, Q)> {
        for (normal, offset) in &self.planes {
            let (ahead, rate) = (offset - dot(normal, origin), dot(normal, way));
            if rate != int(0) {
                // It crosses what the hull lies in once.
                let time = ahead / rate;
                let at = along(origin, way, &time);
                return hull_contains(&self.corners, &self.triangles, self.dimension, &at)
                    .then(|| (time.clone(), time));
            }
            if ahead != int(0) {
                return None;
            }
        }
        let (mut first, mut last): (Option<Q>, Option<Q>) = (None, None);
        for (normal, offset) in &self.sides {
            let (ahead, rate) = (offset - dot(normal, origin), dot(normal, way));
            match rate.cmp(&int(0)) {
                Ordering::Equal if ahead < int(0) => return None,
                Ordering::Equal => {}
                Ordering::Less => {
                    let enters = ahead / rate;
                    first = Some(first.map_or(enters.clone(), |first| first.max(enters)));
                }
                Ordering::Greater => {
                    let leaves = ahead / rate;
                    last = Some(last.map_or(leaves.clone(), |last| last.min(leaves)));
                }
            }
        }
        // Hulls have an end to every side.
        let (first, last) = (first.expect("it enters"), last.expect("it leaves"));
        (first <= last).then_some((first, last))
    }

    /// The square of how many times farther the hull reaches from its middle than it does at least: between both there is room for a ball of
    /// this share of the distance to the farthest corner.
    ///
    /// What is behind all sides when these are moved outward by p lies in the hull grown from its middle by p over the radius of that ball. So it
    /// is nearer to the hull than p times the root of this.
    pub fn slenderness(&self) -> Q {
        let count = int(self.corners.len() as i32);
        let sum = |k: usize| self.corners.iter().map(|corner| &corner[k]).fold(int(0), |sum, x| sum + x);
        let middle = [0, 1, 2].map(|k| sum(k) / &count);
        let farthest = self.corners.iter().map(|corner| squared(corner, &middle)).max().expect("a corner");
        let nearest = self.sides.iter().map(|(normal, offset)| {
            let room = offset - dot(normal, &middle);
            &room * &room / dot(normal, normal)
        });
        nearest.min().map_or(int(1), |nearest| farthest / nearest)
    }
}
