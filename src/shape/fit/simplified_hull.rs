use glam::{DMat3, DVec3, Vec3};

use super::calipers_obb::calipers_obb;
use super::cut::{Half, Solid};
use super::normals::face_normals;
use crate::shape::obb::{abs, matrix_f64};
use crate::shape::{ConvexHull, Obb, check};
use crate::{Error, Result};

/// The fewest corners of a solid.
const FEWEST: usize = 4;

/// The corners of a box.
const OF_A_BOX: usize = 8;

/// The most faces of the hull whose planes are tried: the largest ones of a hull that has more.
const MOST_FACES: usize = 128;

/// A hull of at most `corners` corners, four or more, that contains another exactly, in the same pose.
///
/// A hull that has no more corners is returned as it is. Else, half-spaces that contain the hull are laid against it and intersected: those
/// of the box of [`calipers_obb`], and then, one by one, the one that cuts off most, out of those on the hull's faces and across
/// the corners that stick out, for as long as there are not too many corners. So from eight corners on it has at most the volume of that box, but for
/// the rounding of the corners to `f32`, for which it is about two units in the last place thicker all around. Fewer corners begin with a tetrahedron,
/// which may be larger than the box. It is not the smallest hull that there is with so many corners. A flat hull becomes a thin solid.
///
/// Other hulls of points, which contain nothing but what they must, are [`ConvexHull::from_points`].
///
/// ```
/// use tangency::glam::Vec3;
/// use tangency::shape::{ConvexHull, fit};
///
/// let circle = (0..50).map(|k| (k as f32 * 0.1257).sin_cos());
/// let cylinder = ConvexHull::from_points(circle.flat_map(|(x, y)| [[x, y, -1.0], [x, y, 1.0]]))?;
/// let simple = fit::simplified_hull(&cylinder, 16)?;
/// assert!(simple.vertices().len() <= 16);
/// assert!(cylinder.vertices().into_iter().all(|corner| simple.contains_point(corner)));
/// assert!(simple.volume() < 1.1 * cylinder.volume());
/// # Ok::<(), tangency::Error>(())
/// ```
///
/// # Errors
/// [`TooFewPoints`](Error::TooFewPoints) for less than four corners; [`NotFinite`](Error::NotFinite) where the corners leave the range of
/// `f32`.
pub fn simplified_hull(hull: &ConvexHull, corners: usize) -> Result<ConvexHull> {
    if corners < FEWEST {
        return Err(Error::TooFewPoints { needed: FEWEST, found: corners });
    }
    if hull.local_vertices().len() <= corners {
        return Ok(hull.clone());
    }
    let fitted = calipers_obb(hull.local_vertices())?;
    let bounds = fitted.aabb();
    let unit = |x: f32| f64::from(x.next_up()) - f64::from(x);
    // Let the solid contain the hull and a box of this size around each point of it. When no coordinate of the solid's corners is
    // moved by more than that, as rounding moves them, what they span still contains the hull (the cancellation law of Minkowski sums).
    let mut margin = bounds.min().abs().max(bounds.max().abs()).as_dvec3().map(|x| 1.5 * unit(x as f32));
    // It ends: a margin beyond `f32` is an error, and so is a corner.
    loop {
        check::finite_vec(&check::POINT, margin.as_vec3())?;
        let view = View::new(hull, &fitted, margin);
        if let Some(solid) = view.solid(hull, corners) {
            let rounded = ConvexHull::from_points(solid.corners().into_iter().map(|u| view.placed(u)))?;
            if hull.local_vertices().iter().all(|&v| rounded.contains_point(v)) {
                return Ok(rounded.with_pose(hull.pose()));
            }
        }
        margin *= 4.0;
    }
}

/// The hull as seen from its box: in coordinates in which the box goes from −1 to 1, so that plates and needles are no special case.
struct View {
    center: DVec3,
    axes: DMat3,
    half: DVec3,
    margin: DVec3,
    corners: Vec<DVec3>,
}

impl View {
    fn new(hull: &ConvexHull, fitted: &Obb, margin: DVec3) -> Self {
        let axes = matrix_f64(fitted.rotation().to_array());
        let center = fitted.center().as_dvec3();
        let half = fitted.half_extents().as_dvec3() + abs(axes).transpose() * margin;
        let seen = |v: &Vec3| axes.transpose() * (v.as_dvec3() - center) / half;
        Self { center, axes, half, margin, corners: hull.local_vertices().iter().map(seen).collect() }
    }

    /// Where a point lies, rounded to nearest.
    fn placed(&self, seen: DVec3) -> Vec3 {
        (self.center + self.axes * (seen * self.half)).as_vec3()
    }

    /// The corner of the hull that is farthest along a direction.
    fn farthest(&self, direction: DVec3) -> DVec3 {
        let along = |u: &&DVec3| u.dot(direction);
        *self.corners.iter().max_by(|a, b| along(a).total_cmp(&along(b))).expect("a hull has corners")
    }

    /// The least half-space of a unit normal around the hull and its margin.
    fn half_space(&self, normal: DVec3) -> Half {
        let real = self.axes * (normal / self.half);
        Half { normal, offset: self.farthest(normal).dot(normal) + real.abs().dot(self.margin) }
    }

    /// Half-spaces on the faces of the hull, and on the faces, edges and corners of the box.
    fn half_spaces(&self, hull: &ConvexHull) -> Vec<Half> {
        let mut normals = face_normals(hull, MOST_FACES, true);
        if hull.dimension() == 2 {
            // The sides of a plate.
            let (at, plane) = (|i: u32| hull.local_vertices()[i as usize].as_dvec3(), normals.first().copied());
            let sides = hull.edges().iter().map(|&[a, b]| (at(b) - at(a)).cross(plane.unwrap_or(DVec3::Z)));
            normals.extend(sides.flat_map(|side| [side, -side]));
        }
        let mut seen: Vec<DVec3> = normals.into_iter().map(|n| self.half * (self.axes.transpose() * n)).collect();
        let signs = [0.0, -1.0, 1.0];
        seen.extend((0..27).map(|i| DVec3::new(signs[i % 3], signs[i / 3 % 3], signs[i / 9])));
        seen.into_iter().filter_map(DVec3::try_normalize).map(|n| self.half_space(n)).collect()
    }

    /// A solid of at most so many corners around the hull and its margin.
    fn solid(&self, hull: &ConvexHull, corners: usize) -> Option<Solid> {
        let halves = self.half_spaces(hull);
        let start = if corners >= OF_A_BOX { self.cuboid() } else { self.tetrahedron(&halves)? };
        Some(self.refined(start, &halves, corners))
    }

    fn cuboid(&self) -> Solid {
        let high = DVec3::from_array(DVec3::AXES.map(|axis| self.half_space(axis).offset));
        let low = DVec3::from_array(DVec3::AXES.map(|axis| -self.half_space(-axis).offset));
        Solid::cuboid(low, high)
    }

    /// A small tetrahedron: of the regular ones and those in the corners of the box the smallest, of which one side after the other is
    /// then laid on the half-space that makes it smaller still.
    fn tetrahedron(&self, halves: &[Half]) -> Option<Solid> {
        const FAR: f64 = 1e4;
        let all = Solid::cuboid(DVec3::splat(-FAR), DVec3::splat(FAR));
        let bounded = |solid: &Solid| solid.corners().iter().all(|u| u.abs().max_element() < FAR / 2.0);
        let cut = |solid: &Solid, half: &Half| solid.cut(half).filter(bounded).map(|found| (found.volume(), found));
        let (mut best, mut sides): (Option<(f64, Solid)>, Vec<Half>) = (None, vec![]);
        for normals in tetrahedra() {
            let planes = normals.map(|n| self.half_space(n));
            let open = planes[..3].iter().try_fold(all.clone(), |solid, half| solid.cut(half));
            if let Some(found) = open.and_then(|solid| cut(&solid, &planes[3]))
                && best.as_ref().is_none_or(|(least, _)| found.0 < *least)
            {
                (best, sides) = (Some(found), planes.to_vec());
            }
        }
        let (mut least, mut solid) = best?;
        for _ in 0..8 {
            let before = least;
            for i in 0..sides.len() {
                let others = (0..sides.len()).filter(|k| *k != i);
                let Some(open) = others.map(|k| sides[k]).try_fold(all.clone(), |solid, half| solid.cut(&half)) else {
                    continue;
                };
                for half in halves {
                    if let Some(found) = cut(&open, half).filter(|found| found.0 < least) {
                        (least, solid) = found;
                        sides[i] = *half;
                    }
                }
            }
            if least >= before * (1.0 - 1e-6) {
                break;
            }
        }
        Some(solid)
    }

    /// Cut by the half-space that takes off most, again and again, for as long as there are not too many corners.
    ///
    /// As the solid shrinks, no half-space takes off more than it did before. So what was found once is a bound, and only that of the
    /// largest bound is found again.
    fn refined(&self, mut solid: Solid, halves: &[Half], corners: usize) -> Solid {
        let mut volume = solid.volume();
        let mut open: Vec<(f64, Half)> = halves.iter().map(|half| (f64::INFINITY, *half)).collect();
        open.extend(self.across(&solid.corners()).map(|half| (f64::INFINITY, half)));
        loop {
            let most = (0..open.len()).max_by(|&i, &j| open[i].0.total_cmp(&open[j].0));
            let Some(i) = most.filter(|&i| open[i].0 > 1e-9 * volume) else { return solid };
            let Some(found) = solid.cut(&open[i].1).filter(|found| found.corners().len() <= corners) else {
                open.swap_remove(i);
                continue;
            };
            let left = found.volume();
            open[i].0 = volume - left;
            if open.iter().any(|other| other.0 > open[i].0) {
                continue;
            }
            let before = solid.corners();
            let new: Vec<DVec3> = found.corners().into_iter().filter(|corner| !before.contains(corner)).collect();
            (solid, volume) = (found, left);
            open.swap_remove(i);
            open.extend(self.across(&new).map(|half| (f64::INFINITY, half)));
        }
    }

    /// For each of the given corners about the half-space that stays farthest from it: across the way from the nearest point of the hull,
    /// which is found well enough by a few steps towards the corners ahead (Gilbert 1966).
    fn across(&self, corners: &[DVec3]) -> impl Iterator<Item = Half> {
        corners.iter().filter_map(|&corner| {
            let mut near = self.farthest(corner);
            for _ in 0..16 {
                let way = self.farthest(corner - near) - near;
                let square = way.length_squared();
                if square > 0.0 {
                    near += way * ((corner - near).dot(way) / square).clamp(0.0, 1.0);
                }
            }
            (corner - near).try_normalize().map(|normal| self.half_space(normal))
        })
    }
}

/// The unit normals of tetrahedra to begin with: the two regular ones, and those with three sides along the coordinate planes.
fn tetrahedra() -> Vec<[DVec3; 4]> {
    let regular = [[1.0, 1.0, 1.0], [1.0, -1.0, -1.0], [-1.0, 1.0, -1.0], [-1.0, -1.0, 1.0]];
    let regular = regular.map(|n| DVec3::from_array(n).normalize());
    let mut all = vec![regular, regular.map(|n| -n)];
    for i in 0..8 {
        let sign = |bit: usize| if i >> bit & 1 == 1 { 1.0 } else { -1.0 };
        let way = DVec3::new(sign(0), sign(1), sign(2));
        all.push([DVec3::X * -way.x, DVec3::Y * -way.y, DVec3::Z * -way.z, way.normalize()]);
    }
    all
}
