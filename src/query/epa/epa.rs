use glam::{DVec3, Vec3};

use super::polytope::Polytope;
use crate::query::gjk::simplex::{nearest_to_origin, triangle_normal};
use crate::query::gjk::{self, Cores};
use crate::query::support::{Difference, Support, difference, unit};
use crate::shape::check::saturate;

/// How deep two convex shapes are in each other: the shortest way out. What [`epa`] returns.
///
/// ```
/// use tangency::{query, shape::{Aabb, Sphere}};
///
/// let cube = Aabb::new([-1.0; 3], [1.0; 3])?;
/// let deep = query::epa(&cube, &Sphere::new([1.5, 0.0, 0.0], 1.0)?).expect("they overlap");
/// assert_eq!((deep.depth, deep.normal), (0.5, tangency::glam::Vec3::X));
/// assert_eq!((deep.point_a.x, deep.point_b.x), (1.0, 0.5));
/// # Ok::<(), tangency::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Penetration {
    /// The length of the shortest shift that parts the shapes, zero when they only touch.
    pub depth: f32,
    /// The direction of that shift for the second shape, a unit vector from the first to the second.
    pub normal: Vec3,
    /// The point of the first shape that lies deepest in the second.
    pub point_a: Vec3,
    /// The point of the second shape that lies deepest in the first: `point_a − normal · depth`.
    pub point_b: Vec3,
}

/// More points than hulls of a few hundred corners need. Reaching it returns a shift that parts the shapes, though perhaps
/// not the shortest.
const MAX_POINTS: usize = 512;

/// Where growing stops, in parts of the largest coordinate.
const PRECISION: f64 = 64.0 * f64::EPSILON;

/// How deep two convex shapes penetrate each other, along which normal, and where. `None` when they are apart.
///
/// The expanding polytope algorithm (van den Bergen 2001), on the cores; what rounds them off is added. Computed in `f64`,
/// then rounded; the depth is off by at most one part in 10⁷ of itself and 10⁻¹³ of the largest coordinate. It is never too
/// small to part the shapes by more than that. Where A ⊖ B is flat (flat hulls in one plane, points) the depth of the cores
/// is zero and the normal perpendicular to it.
///
/// ```
/// use tangency::glam::{Quat, vec3};
/// use tangency::{query, shape::Obb};
///
/// let a = Obb::new([0.0, 0.0, 0.0], [1.0, 1.0, 1.0], Quat::IDENTITY)?;
/// let b = Obb::new([1.5, 0.25, 0.0], [1.0, 1.0, 1.0], Quat::IDENTITY)?;
/// let found = query::epa(&a, &b).unwrap();
/// assert_eq!((found.depth, found.normal), (0.5, vec3(1.0, 0.0, 0.0)));
/// assert!(query::gjk(&a, &b.translate(found.normal * found.depth)?).unwrap().distance == 0.0);
/// # Ok::<(), tangency::Error>(())
/// ```
pub fn epa<A: Support + ?Sized, B: Support + ?Sized>(a: &A, b: &B) -> Option<Penetration> {
    penetration(&a, &b)
}

/// [`epa`], compiled once for all shapes.
pub(in crate::query) fn penetration(a: &dyn Support, b: &dyn Support) -> Option<Penetration> {
    if a.has_no_points() || b.has_no_points() {
        return None;
    }
    let found = gjk::cores(a, b);
    let (ra, rb) = (a.rounding(), b.rounding());
    let apart = found.nearest.length();
    if apart > ra + rb + found.slack {
        return None;
    }
    let Core { depth, normal, a, b } = match unit(-found.nearest) {
        // The cores are apart, and what rounds them off meets: the way out is away from each other.
        Some(normal) if apart > found.slack => Core { depth: -apart, normal, a: found.a, b: found.b },
        _ => core_depth(a, b, &found),
    };
    let depth = (depth + ra + rb).max(0.0);
    Some(Penetration {
        depth: depth.min(f64::from(f32::MAX)) as f32,
        normal: normal.as_vec3(),
        point_a: saturate(a + normal * ra),
        point_b: saturate(b - normal * rb),
    })
}

/// The depth of two cores in `f64`, negative when they are apart.
struct Core {
    depth: f64,
    normal: DVec3,
    a: DVec3,
    b: DVec3,
}

fn core_depth(a: &dyn Support, b: &dyn Support, found: &Cores) -> Core {
    let along = |direction: DVec3| difference(a, b, direction);
    let (mut polytope, scale) = match start(&along, a.largest_input().max(b.largest_input())) {
        Start::Solid(points, scale) => (Polytope::new(&points), scale),
        Start::Flat(normal) => {
            // A flat difference has the origin on it, so any way off its plane is out. Towards the other shape if that
            // is a direction at all.
            let normal = if normal.dot(b.center() - a.center()) < 0.0 { -normal } else { normal };
            return Core { depth: 0.0, normal, a: found.a, b: found.b };
        }
    };
    let precision = PRECISION * scale;
    // Any direction's extent is a way out; the best one tried is kept.
    let (mut depth, mut normal, mut last) = (f64::INFINITY, DVec3::X, 0);
    while let Some(index) = polytope.nearest_face() {
        let face = polytope.face(index);
        if !face.offset.is_finite() {
            break;
        }
        let point = along(face.normal);
        let reach = point.point.dot(face.normal);
        if reach < depth {
            (depth, normal, last) = (reach, face.normal, index);
        }
        if reach - face.offset <= precision || polytope.points.len() >= MAX_POINTS {
            break;
        }
        polytope.expand(index, point, precision / 4.0);
    }
    let (a, b) = witnesses(&polytope, last, normal * depth, precision);
    Core { depth, normal, a, b }
}

/// The points of both shapes whose difference is `target`, on the faces whose plane it lies on.
///
/// One side of A ⊖ B is often several triangles, and the nearest plane is not always that of the triangle with the foot.
fn witnesses(polytope: &Polytope, last: usize, target: DVec3, precision: f64) -> (DVec3, DVec3) {
    let normal = polytope.face(last).normal;
    let on_plane = |corners: [usize; 3]| {
        let away = |i: usize| (normal.dot(polytope.points[i].point - target)).abs();
        corners.into_iter().all(|i| away(i) <= 4.0 * precision)
    };
    let own = std::iter::once(polytope.face(last).corners);
    let corners = own.chain(polytope.faces().map(|(_, face)| face.corners).filter(|&c| on_plane(c)));
    let mut best = (f64::INFINITY, DVec3::ZERO, DVec3::ZERO);
    for triangle in corners {
        let points = triangle.map(|i| polytope.points[i]);
        let foot = nearest_to_origin(&points.map(|p| p.point - target));
        let away = foot.point.length_squared();
        if away < best.0 {
            let blend =
                |pick: fn(&Difference) -> DVec3| points.iter().zip(foot.weights).map(|(p, w)| pick(p) * w).sum();
            best = (away, blend(|p| p.a), blend(|p| p.b));
        }
    }
    (best.1, best.2)
}

enum Start {
    Solid(Box<[Difference; 4]>, f64),
    Flat(DVec3),
}

/// Four points of the difference that span a volume, or the normal of the plane that it is flat in; with the largest number that
/// occurs, which is no less than `largest`.
fn start(along: &impl Fn(DVec3) -> Difference, largest: f64) -> Start {
    let six = [DVec3::X, -DVec3::X, DVec3::Y, -DVec3::Y, DVec3::Z, -DVec3::Z].map(along);
    let scale = six.iter().fold(largest, |m: f64, p| m.max(p.a.length()).max(p.b.length()));
    let thin = PRECISION * scale;
    // The pair of opposite extremes farthest apart spans at least a third of the difference's width.
    let pairs = [(six[0], six[1]), (six[2], six[3]), (six[4], six[5])];
    let length = |(p, q): &(Difference, Difference)| p.point.distance(q.point);
    let (p, q) = pairs.into_iter().max_by(|x, y| length(x).total_cmp(&length(y))).unwrap_or((six[0], six[1]));
    let Some(line) = unit(q.point - p.point).filter(|_| length(&(p, q)) > thin) else {
        return Start::Flat(DVec3::Y);
    };
    let (u, v) = line.any_orthonormal_pair();
    let off_line = |r: &Difference| line.cross(r.point - p.point).length();
    let third = [u, -u, v, -v].map(along).into_iter().max_by(|x, y| off_line(x).total_cmp(&off_line(y)));
    let Some(r) = third.filter(|r| off_line(r) > thin) else {
        return Start::Flat(u);
    };
    let Some(normal) = triangle_normal(p.point, q.point, r.point) else {
        return Start::Flat(u);
    };
    let height = |s: &Difference| normal.dot(s.point - p.point).abs();
    let (up, down) = (along(normal), along(-normal));
    let s = if height(&up) >= height(&down) { up } else { down };
    if height(&s) > thin { Start::Solid(Box::new([p, q, r, s]), scale) } else { Start::Flat(normal) }
}
