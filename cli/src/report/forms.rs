//! The local forms of the hulls that a page shows, each once.

use std::collections::{HashMap, HashSet};

use serde_json::{Value, json};
use tangency::Bodies;
use tangency::glam::Vec3;
use tangency::shape::{ConvexHull, Shape};

use super::embed::{f32s, u8s, u32s};

/// Forms by number.
#[derive(Default)]
pub struct Forms {
    /// The numbers by where the corners are in memory, which hulls of one form share as long as one of them is kept in `all`.
    numbers: HashMap<usize, u32>,
    all: Vec<ConvexHull>,
}

/// What hulls of one form have in common.
fn address(hull: &ConvexHull) -> usize {
    hull.local_vertices().as_ptr().addr()
}

impl Forms {
    pub fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    /// The number of a hull's form.
    pub fn number(&mut self, hull: &ConvexHull) -> u32 {
        let next = self.all.len() as u32;
        *self.numbers.entry(address(hull)).or_insert_with(|| {
            self.all.push(hull.clone());
            next
        })
    }

    /// About as many bytes as the forms of a set have on a page.
    pub fn bytes(bodies: &Bodies) -> usize {
        let mut forms = Self::default();
        for body in bodies {
            if let Shape::ConvexHull(hull) = &body.shape {
                forms.number(hull);
            }
        }
        forms.all.iter().map(|hull| 8 + 12 * hull.local_vertices().len() + 13 * hull.faces().len()).sum()
    }

    /// What the viewer's `hulls.js` describes.
    pub fn data(&self) -> Value {
        let offsets = |count: fn(&ConvexHull) -> usize| {
            let mut end = 0;
            let ends = self.all.iter().map(move |hull| {
                end += count(hull) as u32;
                end
            });
            u32s(std::iter::once(0).chain(ends).collect::<Vec<_>>().into_iter())
        };
        json!({
            "corner_offsets": offsets(|hull| hull.local_vertices().len()),
            "corners": f32s(self.all.iter().flat_map(ConvexHull::local_vertices).flat_map(Vec3::to_array)),
            "face_offsets": offsets(|hull| hull.faces().len()),
            "faces": u32s(self.all.iter().flat_map(ConvexHull::faces).flatten().copied()),
            "edges": u8s(self.all.iter().flat_map(edges)),
        })
    }
}

/// For each face a bit for each of its sides: whether that is an edge of the hull, and not a line across a flat side.
fn edges(hull: &ConvexHull) -> Vec<u8> {
    let known: HashSet<[u32; 2]> = hull.edges().iter().flat_map(|&[a, b]| [[a, b], [b, a]]).collect();
    let bits = |&[a, b, c]: &[u32; 3]| {
        [[a, b], [b, c], [c, a]].iter().enumerate().map(|(k, side)| u8::from(known.contains(side)) << k).sum()
    };
    hull.faces().iter().map(bits).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use tangency::shape::Pose;

    #[test]
    fn hulls_share_their_forms() {
        let cube = ConvexHull::from_points((0..8).map(|k| [k & 1, k >> 1 & 1, k >> 2].map(|bit| bit as f32))).unwrap();
        let mut forms = Forms::default();
        assert!(forms.is_empty());
        let moved = cube.with_pose(Pose::at([1.0, 2.0, 3.0]).unwrap());
        let point = ConvexHull::from_points([[1.0, 2.0, 3.0]]).unwrap();
        assert_eq!([&cube, &moved, &point, &moved].map(|hull| forms.number(hull)), [0, 0, 1, 0]);
        // Each of the twelve triangles has one side that is a diagonal.
        assert_eq!(edges(&cube).iter().map(|bits| bits.count_ones()).collect::<Vec<_>>(), [2; 12]);
        assert_eq!((edges(&point).len(), forms.all.len()), (0, 2));
    }
}
