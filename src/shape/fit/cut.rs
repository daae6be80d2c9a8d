//! A convex solid, cut by half-spaces one after the other. In `f64`: what it steers is checked exactly by others.

use glam::{DMat3, DVec3};

use crate::shape::angle::turned_by;

/// How near to a plane a corner counts as on it. The solid is about as large as 1.
const ON: f64 = 1e-10;

/// A half-space `{ x : normal · x ≤ offset }`, with a unit normal.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Half {
    pub(super) normal: DVec3,
    pub(super) offset: f64,
}

/// A convex solid by its faces: corners that run counter-clockwise from outside. A corner has the same bits in each of its faces.
#[derive(Clone, Debug)]
pub(super) struct Solid {
    faces: Vec<Vec<DVec3>>,
}

impl Solid {
    /// The box between two corners.
    pub(super) fn cuboid(low: DVec3, high: DVec3) -> Self {
        let corner = |i: usize| DVec3::select(glam::BVec3::new(i & 1 != 0, i & 2 != 0, i & 4 != 0), high, low);
        let faces = [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
        Self { faces: faces.map(|face| face.map(corner).to_vec()).to_vec() }
    }

    /// What of it is in the half-space; none if that has no volume.
    pub(super) fn cut(&self, half: &Half) -> Option<Self> {
        let height = |p: DVec3| {
            let above = half.normal.dot(p) - half.offset;
            if above.abs() < ON { 0.0 } else { above }
        };
        let (mut faces, mut rim) = (vec![], vec![]);
        for face in &self.faces {
            let mut kept = Vec::with_capacity(face.len() + 1);
            for (k, &p) in face.iter().enumerate() {
                let q = face[(k + 1) % face.len()];
                let (at_p, at_q) = (height(p), height(q));
                if at_p <= 0.0 {
                    kept.push(p);
                }
                if at_p * at_q < 0.0 {
                    // From below to above in both faces of the edge, for the same bits.
                    let (from, to, low, high) = if at_p < 0.0 { (p, q, at_p, at_q) } else { (q, p, at_q, at_p) };
                    let crossing = from + (to - from) * (low / (low - high));
                    kept.push(crossing);
                    rim.push(crossing);
                } else if at_p == 0.0 {
                    rim.push(p);
                }
            }
            if kept.len() >= 3 && kept.iter().any(|&p| height(p) < 0.0) {
                faces.push(kept);
            }
        }
        let lid = ring(rim, half.normal);
        if lid.len() >= 3 {
            faces.push(lid);
        }
        (faces.len() >= 4).then_some(Self { faces })
    }

    /// Each corner once.
    pub(super) fn corners(&self) -> Vec<DVec3> {
        let mut all: Vec<DVec3> = self.faces.iter().flatten().copied().collect();
        sort(&mut all);
        all.dedup();
        all
    }

    pub(super) fn volume(&self) -> f64 {
        let origin = self.faces[0][0];
        let of = |face: &Vec<DVec3>| {
            let [first, ref rest @ ..] = face[..] else { return 0.0 };
            let fan = rest
                .windows(2)
                .map(|edge| DMat3::from_cols(first - origin, edge[0] - origin, edge[1] - origin).determinant());
            fan.sum::<f64>()
        };
        self.faces.iter().map(of).sum::<f64>() / 6.0
    }
}

fn sort(points: &mut [DVec3]) {
    points.sort_by(|a, b| a.x.total_cmp(&b.x).then(a.y.total_cmp(&b.y)).then(a.z.total_cmp(&b.z)));
}

/// Corners of a convex polygon across `normal`, each once, counter-clockwise about it.
fn ring(mut rim: Vec<DVec3>, normal: DVec3) -> Vec<DVec3> {
    sort(&mut rim);
    rim.dedup();
    let middle = rim.iter().sum::<DVec3>() / rim.len().max(1) as f64;
    let (x, y) = normal.any_orthonormal_pair();
    // glam's pair is right-handed: x × y is the normal.
    let angle = |p: &DVec3| turned_by((*p - middle).dot(x), (*p - middle).dot(y));
    rim.sort_by(|p, q| angle(p).total_cmp(&angle(q)));
    rim
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cube_loses_its_corners() {
        let mut solid = Solid::cuboid(-DVec3::ONE, DVec3::ONE);
        assert!((solid.volume() - 8.0).abs() < 1e-12);
        assert_eq!(solid.corners().len(), 8);
        for side in [DVec3::ONE, -DVec3::ONE] {
            solid = solid.cut(&Half { normal: side.normalize(), offset: 2.0 / 3f64.sqrt() }).unwrap();
        }
        // Each cut takes off a right-angled corner with legs of 1.
        assert!((solid.volume() - (8.0 - 2.0 / 6.0)).abs() < 1e-12, "{}", solid.volume());
        assert_eq!(solid.corners().len(), 12);
        // Through corners that are there: no new ones. Then past all, and beside all.
        let wedge = Solid::cuboid(DVec3::ZERO, DVec3::ONE)
            .cut(&Half { normal: DVec3::new(1.0, 1.0, 0.0).normalize(), offset: 0.5f64.sqrt() })
            .unwrap();
        assert!((wedge.volume() - 0.5).abs() < 1e-12);
        assert_eq!(wedge.corners().len(), 6);
        assert_eq!(wedge.cut(&Half { normal: DVec3::X, offset: 3.0 }).unwrap().corners().len(), 6);
        assert!(wedge.cut(&Half { normal: DVec3::X, offset: -1.0 }).is_none());
    }
}
