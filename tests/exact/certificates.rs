//! What two hulls are to each other, by proof: a plane between both, or a point inside both. A linear program in `f64` finds them; that they are
//! what they are said to be is checked in whole numbers, on the hulls' exact corners. Written without a look at `src`.

use num_bigint::BigInt;
use tangency::Relation;
use tangency::glam::{DMat4, DVec3, DVec4, Vec3};
use tangency::shape::ConvexHull;

type W = [BigInt; 3];

fn dot(a: &W, b: &W) -> BigInt {
    &a[0] * &b[0] + &a[1] * &b[1] + &a[2] * &b[2]
}

fn sub(a: &W, b: &W) -> W {
    [0, 1, 2].map(|k| &a[k] - &b[k])
}

fn cross(a: &W, b: &W) -> W {
    [&a[1] * &b[2] - &a[2] * &b[1], &a[2] * &b[0] - &a[0] * &b[2], &a[0] * &b[1] - &a[1] * &b[0]]
}

/// A number as a whole number times a power of two.
fn parts(x: f32) -> (i32, i32) {
    let (bits, exponent) = (x.to_bits(), (x.to_bits() >> 23 & 255) as i32);
    let size = (bits & 0x7f_ffff) as i32 | if exponent == 0 { 0 } else { 1 << 23 };
    (if x < 0.0 { -size } else { size }, exponent.max(1) - 150)
}

/// The largest power of two, 1 at most, of which all numbers are multiples.
fn unit<'a>(numbers: impl IntoIterator<Item = &'a f32>) -> i32 {
    numbers.into_iter().filter(|x| **x != 0.0).map(|x| parts(*x).1).fold(0, i32::min)
}

fn whole<const N: usize>(numbers: [f32; N], unit: i32) -> [BigInt; N] {
    numbers.map(|x| {
        let (size, power) = parts(x);
        if size == 0 { BigInt::from(0) } else { BigInt::from(size) << (power - unit) }
    })
}

/// The corners of two hulls in whole numbers, of which `one` stand for 1.
struct Corners {
    hulls: [Vec<W>; 2],
    one: BigInt,
}

impl Corners {
    fn new(hulls: [&ConvexHull; 2]) -> Self {
        let places = hulls.map(|hull| hull.pose().position().to_vec3().to_array());
        let locals = hulls.map(|hull| hull.local_vertices().iter().map(Vec3::to_array).collect::<Vec<_>>());
        let unit_of_all = unit(places.iter().flatten().chain(locals.iter().flatten().flatten()));
        let turns = hulls.map(|hull| {
            let turn = hull.pose().rotation().to_array();
            whole(turn, unit(&turn))
        });
        // A rotation divides by the square of its quaternion.
        let squares = turns.each_ref().map(|turn| turn.iter().map(|x| x * x).sum::<BigInt>());
        let placed = |k: usize| {
            let [x, y, z, w] = &turns[k];
            let u = [x.clone(), y.clone(), z.clone()];
            let place = whole(places[k], unit_of_all);
            let image = |local: &[f32; 3]| {
                let v = whole(*local, unit_of_all);
                let once = cross(&u, &v);
                let twice = cross(&u, &once);
                [0, 1, 2]
                    .map(|i| ((&place[i] + &v[i]) * &squares[k] + (w * &once[i] + &twice[i]) * 2) * &squares[1 - k])
            };
            locals[k].iter().map(image).collect()
        };
        Self { hulls: [placed(0), placed(1)], one: (&squares[0] * &squares[1]) << -unit_of_all }
    }

    /// Whether the first hull is below a plane across a direction, and the second one above it.
    fn are_parted(&self, way: DVec3) -> bool {
        let way = scaled(way);
        let highest = self.hulls[0].iter().map(|corner| dot(&way, corner)).max();
        highest < self.hulls[1].iter().map(|corner| dot(&way, corner)).min()
    }

    /// Whether a point is behind all faces of a hull.
    fn is_inside(&self, k: usize, hull: &ConvexHull, point: DVec3) -> bool {
        let point = scaled(point).map(|x| x * &self.one);
        hull.faces().iter().all(|face| {
            let [a, b, c] = face.map(|i| &self.hulls[k][i as usize]);
            let from = a.each_ref().map(|x| x << POWER);
            dot(&cross(&sub(b, a), &sub(c, a)), &sub(&point, &from)) < BigInt::from(0)
        })
    }
}

/// Points and directions are rounded to so many binary places.
const POWER: u32 = 60;

fn scaled(v: DVec3) -> W {
    v.to_array().map(|x| BigInt::from((x * 2.0_f64.powi(POWER as i32)) as i128))
}

/// All points at which a normal and an offset have this product, or a smaller one.
type Plane = (DVec3, f64);

fn planes(hull: &ConvexHull) -> Vec<Plane> {
    let (turn, place) = (hull.pose().rotation().as_dquat().normalize(), hull.pose().position().to_vec3().as_dvec3());
    let corners: Vec<DVec3> = hull.local_vertices().iter().map(|corner| turn * corner.as_dvec3() + place).collect();
    let through = |normal: DVec3, corner: DVec3| normal.try_normalize().map(|normal| (normal, normal.dot(corner)));
    let plane = |face: &[u32; 3]| {
        let [a, b, c] = face.map(|i| corners[i as usize]);
        through((b - a).cross(c - a), a)
    };
    let mut all: Vec<Plane> = hull.faces().iter().filter_map(plane).collect();
    if hull.dimension() == 2 {
        // Also across its plane through each edge.
        let (middle, normal) = (corners.iter().sum::<DVec3>() / corners.len() as f64, all[0].0);
        all.extend(hull.edges().iter().filter_map(|edge| {
            let [a, b] = edge.map(|i| corners[i as usize]);
            let across = (b - a).cross(normal);
            through(if across.dot(middle - a) > 0.0 { -across } else { across }, a)
        }));
    }
    all
}

/// The point that is least far above the highest of all planes, found by the simplex method: four planes are equally high there, and a sum of their normals
/// with weights is nothing. Also the part of that sum that the first planes have: where both hulls are apart, it is the normal of a plane between them.
fn deepest(planes: &[Plane], firsts: usize) -> Option<(DVec3, DVec3)> {
    // Planes around everything, with which it begins.
    let far = 1000.0 * planes.iter().fold(1.0, |far: f64, (_, offset)| far.max(offset.abs()));
    let around = [[1.0, 1.0, 1.0], [1.0, -1.0, -1.0], [-1.0, 1.0, -1.0], [-1.0, -1.0, 1.0]];
    let mut at = [None; 4];
    let mut four = around.map(|way| (DVec3::from(way).normalize(), far));
    for _ in 0..1000 {
        let matrix = DMat4::from_cols_array_2d(&four.map(|(normal, _)| normal.extend(1.0).to_array())).inverse();
        let found = matrix.transpose() * DVec4::from(four.map(|(_, offset)| offset));
        let (point, height) = (found.truncate(), -found.w);
        let heights = planes.iter().map(|(normal, offset)| normal.dot(point) - offset).enumerate();
        let (k, above) = heights.max_by(|x, y| x.1.total_cmp(&y.1))?;
        let weights = matrix * DVec4::W;
        // (Planes of one face may differ by what is rounded.)
        if above <= height + 1e-16 * far {
            let of_first = (0..4).filter(|i| at[*i].is_some_and(|k| k < firsts));
            return Some((point, of_first.map(|i| weights[i] * four[i].0).sum()));
        }
        let shares = matrix * planes[k].0.extend(1.0);
        let leaves = (0..4).filter(|i| shares[*i] > 1e-12);
        let i = leaves.min_by(|i, j| (weights[*i] / shares[*i]).total_cmp(&(weights[*j] / shares[*j])))?;
        (at[i], four[i]) = (Some(k), planes[k]);
    }
    None
}

/// The relation of two hulls, if a proof of it is found. (There is none where they touch, and where flat ones meet.)
pub fn proven(a: &ConvexHull, b: &ConvexHull) -> Option<Relation> {
    if a.dimension() < 2 || b.dimension() < 2 {
        return None;
    }
    let (mut all, others) = (planes(a), planes(b));
    let firsts = all.len();
    all.extend(others);
    let (point, way) = deepest(&all, firsts)?;
    let corners = Corners::new([a, b]);
    if way.try_normalize().is_some_and(|way| corners.are_parted(way)) {
        return Some(Relation::Separate);
    }
    let is_solid = a.dimension() == 3 && b.dimension() == 3;
    let is_shared = is_solid && corners.is_inside(0, a, point) && corners.is_inside(1, b, point);
    is_shared.then_some(Relation::Overlapping)
}
