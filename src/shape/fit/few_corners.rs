//! The search for a small solid with few corners around a hull. It steers only: the solid is checked exactly by others.

use glam::DVec3;

use super::cut::{Half, Solid};
use super::hull_view::HullView;

/// The corners of a box.
const OF_A_BOX: usize = 8;

/// The solid from which half-spaces are cut reaches so far, and what comes near to its ends is taken to have none.
const FAR: f64 = 1e3;

/// How often sides are exchanged, at most, and for how many corners: for more it gains little, and takes long.
const ROUNDS: usize = 4;
const FEW: usize = 32;

/// The corners of a small solid around a hull, at most so many, four or more. Its sides are some of the given half-spaces, and others.
pub(super) fn fewest(view: &HullView, halves: &[Half], corners: usize) -> Option<Vec<DVec3>> {
    let starts = if corners >= OF_A_BOX { vec![cuboid()] } else { tetrahedra_and_prisms() };
    let made = starts.into_iter().filter_map(|normals| {
        Candidate::new(normals.into_iter().map(|normal| view.half_space(normal)).collect(), corners)
    });
    let mut best = made.min_by(|a, b| a.volume.total_cmp(&b.volume))?;
    best.refine(view, halves, corners);
    for _ in 0..if corners <= FEW { ROUNDS } else { 0 } {
        let before = best.volume;
        best.exchange(view, halves, corners);
        best.refine(view, halves, corners);
        if best.volume > before * 0.999 {
            break;
        }
    }
    Some(best.solid.corners())
}

/// A solid and the half-spaces that it is the intersection of.
struct Candidate {
    sides: Vec<Half>,
    solid: Solid,
    volume: f64,
}

impl Candidate {
    /// None where the half-spaces have no common volume, an endless one or too many corners.
    fn new(sides: Vec<Half>, corners: usize) -> Option<Self> {
        let solid = intersection(sides.iter())?;
        fits(&solid, corners).then(|| Self { volume: solid.volume(), sides, solid })
    }

    /// Cut by the half-space that takes off most, again and again, for as long as there are not too many corners.
    ///
    /// As the solid shrinks, no half-space takes off more than it did before. So what was found once is a bound, and only that of the
    /// largest bound is found again.
    fn refine(&mut self, view: &HullView, halves: &[Half], corners: usize) {
        let mut open: Vec<(f64, Half)> = halves.iter().map(|half| (f64::INFINITY, *half)).collect();
        open.extend(view.across(&self.solid.corners()).map(|half| (f64::INFINITY, half)));
        loop {
            let most = (0..open.len()).max_by(|&i, &j| open[i].0.total_cmp(&open[j].0));
            let Some(i) = most.filter(|&i| open[i].0 > 1e-9 * self.volume) else { return };
            let Some(found) = self.solid.cut(&open[i].1).filter(|found| found.corners().len() <= corners) else {
                open.swap_remove(i);
                continue;
            };
            let left = found.volume();
            open[i].0 = self.volume - left;
            if open.iter().any(|other| other.0 > open[i].0) {
                continue;
            }
            let before = self.solid.corners();
            let new: Vec<DVec3> = found.corners().into_iter().filter(|corner| !before.contains(corner)).collect();
            (self.solid, self.volume) = (found, left);
            self.sides.push(open.swap_remove(i).1);
            open.extend(view.across(&new).map(|half| (f64::INFINITY, half)));
        }
    }

    /// Each side in turn is exchanged for the half-space with which the solid is smallest, or left out where it does nothing.
    fn exchange(&mut self, view: &HullView, halves: &[Half], corners: usize) {
        let mut i = 0;
        while i < self.sides.len() {
            let others = self.sides.iter().enumerate().filter(|(k, _)| *k != i).map(|(_, half)| half);
            let Some(open) = intersection(others) else { return };
            if fits(&open, corners) && open.volume() <= self.volume * (1.0 + 1e-9) {
                self.sides.swap_remove(i);
                continue;
            }
            let side = self.sides[i];
            let beyond = |u: &DVec3| side.normal.dot(*u) > side.offset + 1e-9 && u.abs().max_element() < FAR / 2.0;
            let sticking_out: Vec<DVec3> = open.corners().into_iter().filter(beyond).collect();
            let across: Vec<Half> = view.across(&sticking_out).collect();
            for half in halves.iter().chain(&across) {
                let Some(found) = open.cut(half) else { continue };
                let volume = found.volume();
                if volume < self.volume * (1.0 - 1e-9) && fits(&found, corners) {
                    (self.solid, self.volume, self.sides[i]) = (found, volume, *half);
                }
            }
            i += 1;
        }
    }
}

fn intersection<'a>(mut halves: impl Iterator<Item = &'a Half>) -> Option<Solid> {
    let all = Solid::cuboid(DVec3::splat(-FAR), DVec3::splat(FAR));
    halves.try_fold(all, |solid, half| solid.cut(half))
}

/// Whether a solid has ends, and not too many corners.
fn fits(solid: &Solid, corners: usize) -> bool {
    let all = solid.corners();
    all.len() <= corners && all.iter().all(|u| u.abs().max_element() < FAR / 2.0)
}

/// The unit normals of the box.
fn cuboid() -> Vec<DVec3> {
    DVec3::AXES.into_iter().chain(DVec3::AXES.map(|axis| -axis)).collect()
}

/// The unit normals of solids to begin with: the two regular tetrahedra, those with three sides along the coordinate planes, and
/// prisms along a coordinate axis, with two sides of their triangle along the others or with equal sides.
fn tetrahedra_and_prisms() -> Vec<Vec<DVec3>> {
    let regular = [[1.0, 1.0, 1.0], [1.0, -1.0, -1.0], [-1.0, 1.0, -1.0], [-1.0, -1.0, 1.0]];
    let regular = regular.map(|n| DVec3::from_array(n).normalize());
    let mut all = vec![regular.to_vec(), regular.map(|n| -n).to_vec()];
    for i in 0..8 {
        let sign = |bit: usize| if i >> bit & 1 == 1 { 1.0 } else { -1.0 };
        let way = DVec3::new(sign(0), sign(1), sign(2));
        all.push(vec![DVec3::X * -way.x, DVec3::Y * -way.y, DVec3::Z * -way.z, way.normalize()]);
    }
    for k in 0..3 {
        let [axis, x, y] = [0, 1, 2].map(|j| DVec3::AXES[(k + j) % 3]);
        for (x, y) in [(x, y), (y, -x), (-x, -y), (-y, x)] {
            all.push(vec![axis, -axis, -x, -y, (x + y).normalize()]);
            let (sin, cos) = (3f64.sqrt() / 2.0, 0.5);
            all.push(vec![axis, -axis, x, y * sin - x * cos, -y * sin - x * cos]);
        }
    }
    all
}
