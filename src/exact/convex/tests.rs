//! The proofs of the search in `f64` against rational numbers, and against the integers that decide without it.

use glam::{DVec3, Quat, Vec3};
use num_rational::BigRational as Q;

use super::lowest::{Heights, Lowest};
use super::search::{Differences, search, volumes};
use super::{Core, integers};
use crate::Relation;
use crate::exact::Margin;
use crate::lanes::Width;
use crate::query::relation_within;
use crate::shape::kinds::BodyShape;
use crate::shape::{Aabb, Capsule, ConvexHull, Obb, Pose, Sphere, Triangle};

struct Dice(u64);

impl Dice {
    fn below(&mut self, n: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let x = (self.0 ^ self.0 >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let x = (x ^ x >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
        (x ^ x >> 31) % n
    }

    fn signed(&mut self) -> f32 {
        self.below(1 << 24) as f32 / (1 << 23) as f32 - 1.0
    }

    fn vector(&mut self) -> Vec3 {
        Vec3::new(self.signed(), self.signed(), self.signed())
    }

    /// Mostly about 1, at times of any size.
    fn size(&mut self) -> f32 {
        let exponents = [0, 0, 0, 0, -3, 5, 20, 60, 120, -20, -60, -120, -145];
        2.0_f32.powi(exponents[self.below(13) as usize])
    }

    /// Also with components of very different sizes.
    fn turn(&mut self) -> Quat {
        let q = [0; 4].map(|_| self.signed() * if self.below(4) == 0 { self.size() } else { 1.0 });
        Quat::from_array(if q == [0.0; 4] { [0.0, 0.0, 0.0, 1.0] } else { q })
    }

    fn hull(&mut self, at: Vec3, size: f32, corners: u64) -> ConvexHull {
        let flat = if self.below(4) == 0 { Vec3::new(1.0, 1.0, 1e-6) } else { Vec3::ONE };
        let local = (0..corners).map(|_| self.vector() * flat * size).collect::<Vec<_>>();
        let hull = ConvexHull::from_points(local).expect("points");
        hull.with_pose(Pose::new(at, self.turn()).expect("a pose"))
    }

    /// Two hulls that may meet, of any sizes.
    fn hulls(&mut self) -> [ConvexHull; 2] {
        let (a, b) = (self.size(), self.size());
        let (near, far) = (self.vector() * a.max(b), self.vector() * self.size().min(1e30));
        let (m, n) = (1 + self.below(20), 1 + self.below(20));
        [self.hull(far, a, m), self.hull(far + near, b, n)]
    }
}

fn rational(x: f64) -> Q {
    Q::from_float(x).expect("finite")
}

fn exact(v: DVec3) -> [Q; 3] {
    v.to_array().map(rational)
}

fn dot(a: &[Q; 3], b: &[Q; 3]) -> Q {
    &a[0] * &b[0] + &a[1] * &b[1] + &a[2] * &b[2]
}

fn cross(a: &[Q; 3], b: &[Q; 3]) -> [Q; 3] {
    let term = |i: usize, j: usize| &a[i] * &b[j] - &a[j] * &b[i];
    [term(1, 2), term(2, 0), term(0, 1)]
}

/// Where the corners are.
fn placed(core: &Core<'_>) -> Vec<[Q; 3]> {
    let [x, y, z, w] = core.pose.rotation_array().map(|c| rational(f64::from(c)));
    let n = &x * &x + &y * &y + &z * &z + &w * &w;
    let u = [x, y, z];
    let place = |i: usize| {
        let v = core.corner(i).map(|c| rational(f64::from(c)));
        let once = cross(&u, &v);
        let twice = cross(&u, &once);
        let p = core.position().map(|c| rational(f64::from(c)));
        [0, 1, 2].map(|k| &p[k] + &v[k] + (&w * &once[k] + &twice[k]) * rational(2.0) / &n)
    };
    (0..core.count()).map(place).collect()
}

fn magnitude(x: Q) -> Q {
    if x < rational(0.0) { -x } else { x }
}

/// An error in thousandths of its bound; an error without a bound fails.
fn thousandths(error: Q, bound: f64) -> u64 {
    let error = magnitude(error);
    if error == rational(0.0) {
        return 0;
    }
    let share = error * rational(1000.0) / rational(bound);
    share.ceil().to_integer().to_string().parse().unwrap_or(u64::MAX)
}

#[test]
fn errors_are_within_their_bounds() {
    let mut dice = Dice(1);
    let (mut of_points, mut of_heights, mut of_volumes) = (0, 0, 0);
    for _ in 0..250 {
        let hulls = dice.hulls();
        let [a, b] = [Core::from(&hulls[0]), Core::from(&hulls[1])];
        let (differences, [of_a, of_b]) = (Differences::new(&a, &b), [placed(&a), placed(&b)]);
        let difference = |i: usize, j: usize| [0, 1, 2].map(|k| &of_a[i][k] - &of_b[j][k]);
        let mut corners = || [dice.below(a.count() as u64) as usize, dice.below(b.count() as u64) as usize];
        let four = [corners(), corners(), corners(), corners()];
        let points = four.map(|pair| differences.point(pair));
        let truths = four.map(|[i, j]| difference(i, j));
        for (point, truth) in points.iter().zip(&truths) {
            for (x, y) in exact(*point).iter().zip(truth) {
                of_points = of_points.max(thousandths(x - y, differences.error()));
            }
        }
        let bound = differences.volume_bound(&points);
        for (found, [p, q, r, sign]) in
            volumes(&points).into_iter().zip([[1, 2, 3, 1], [2, 0, 3, 1], [0, 1, 3, 1], [0, 1, 2, -1]])
        {
            let (p, q, r) = (p as usize, q as usize, r as usize);
            let truth = dot(&cross(&truths[p], &truths[q]), &truths[r]) * rational(f64::from(sign));
            of_volumes = of_volumes.max(thousandths(rational(found) - truth, bound));
        }
        // Any direction, and one that is nearly that of a difference.
        let way = dice.vector().as_dvec3() * f64::from(dice.size());
        for direction in [way, points[0], points[0].cross(points[1])] {
            if direction == DVec3::ZERO {
                continue;
            }
            let (_, low, bound) = differences.lowest(direction);
            let d = exact(direction);
            let lowest_of = |corners: &[[Q; 3]], sign: f64| {
                corners.iter().map(|corner| dot(&d, corner) * rational(sign)).min().expect("corners")
            };
            let truth = lowest_of(&of_a, 1.0) + lowest_of(&of_b, -1.0);
            of_heights = of_heights.max(thousandths(rational(low + bound) - truth, bound));
        }
    }
    println!("error / bound: points {of_points}/1000, heights {of_heights}/1000, volumes {of_volumes}/1000");
    assert!(of_points < 900 && of_heights < 900 && of_volumes < 900);
    // Bounds that are far too wide would leave pairs to the integers for nothing.
    assert!(of_points > 50 && of_heights > 15);
}

/// Corners of nearly the same height, among which the lanes must not lose the lowest.
#[test]
fn lanes_keep_the_lowest_corner() {
    let mut dice = Dice(2);
    let mut seen = 0;
    for round in 0..4000 {
        let normal = dice.vector().as_dvec3().normalize();
        let scale = f64::from(dice.size());
        // On a plane across the normal, off by the rounding of their coordinates.
        let corner = |dice: &mut Dice| {
            let v = dice.vector().as_dvec3();
            let height = if round % 2 == 0 { 0.5 } else { 1e-3 };
            ((v - normal * v.dot(normal) + normal * height) * scale).as_vec3()
        };
        let points: Vec<Vec3> = (0..40).map(|_| corner(&mut dice)).collect();
        let hull = ConvexHull::from_points(points).expect("points");
        let core = Core::from(&hull);
        let height = |i: usize| DVec3::from(core.corner(i).map(f64::from)).dot(normal);
        let least = (0..core.count()).map(height).fold(f64::INFINITY, f64::min);
        let heights = Heights::new(&core);
        for width in Width::all().into_iter().chain([Width::ONE]) {
            for (found, computed) in width.run(Lowest([&heights, &heights], [normal, normal * 1e-3])) {
                assert_eq!(height(found), least, "{width:?}: {computed}");
            }
        }
        seen += core.count();
    }
    assert!(seen > 40_000, "{seen}");
}

/// From any start, without the search in `f64`.
fn by_integers(a: &Core<'_>, b: &Core<'_>, lengths: [f32; 5]) -> Relation {
    integers::relation(a, b, lengths, &[[a.count() - 1, 0]])
}

#[test]
fn integers_alone_say_the_same() {
    let mut dice = Dice(3);
    let (mut certain, mut all, mut relations) = (0, 0, [0; 3]);
    for round in 0..500 {
        let hulls = dice.hulls();
        let [a, b] = [Core::from(&hulls[0]), Core::from(&hulls[1])];
        let radius = dice.signed().abs() * dice.size().min(1e30);
        for lengths in [[0.0; 5], [radius, 0.0, 0.0, 0.0, 0.0], [0.0, radius, 1e-3 * radius, radius, 1e-20]] {
            let found = search(&a, &b, lengths);
            let expected = by_integers(&a, &b, lengths);
            if let Some(verdict) = found.verdict {
                assert_eq!(verdict, expected, "{round} {lengths:?}: {hulls:?}");
                certain += 1;
            }
            if !found.simplex().is_empty() {
                assert_eq!(integers::relation(&a, &b, lengths, found.simplex()), expected, "{round}: {hulls:?}");
            }
            relations[expected as usize] += 1;
            all += 1;
        }
    }
    println!("{certain} of {all} are certain in f64; separate, touching, overlapping: {relations:?}");
    assert!(certain * 5 > all * 4 && relations[0] > 100 && relations[2] > 100);
}

/// The sum of lengths is the distance, to all digits that three numbers can hold: the search must not see more than there is.
#[test]
fn lengths_next_to_the_distance() {
    let mut dice = Dice(4);
    let (mut open, mut all) = (0, 0);
    for _ in 0..300 {
        let (size, corners) = (dice.size(), 1 + dice.below(12));
        let (a, b) = (dice.hull(Vec3::ZERO, size, corners), dice.vector() * 4.0 * size);
        let ball = Sphere::new(b, 0.0).expect("a point");
        let (core, point) = (Core::from(&a), Core::from(&ball));
        // The distance as `f64` has it.
        let found = crate::query::gjk(&a, &ball).map_or(0.0, |gap| {
            let way = gap.point_b.as_dvec3() - gap.point_a.as_dvec3();
            way.length()
        });
        let (mut low, mut high) = (found * (1.0 - 1e-5), found * (1.0 + 1e-5));
        let lengths = |x: f64| {
            let first = x as f32;
            let second = (x - f64::from(first)).max(0.0) as f32;
            let third = (x - f64::from(first) - f64::from(second)).max(0.0) as f32;
            [first.min(x as f32), 0.0, second, third, 0.0]
        };
        for _ in 0..60 {
            let middle = f64::midpoint(low, high);
            let certain = search(&core, &point, lengths(middle)).verdict;
            let truth = by_integers(&core, &point, lengths(middle));
            all += 1;
            open += usize::from(certain.is_none());
            assert!(certain.is_none_or(|verdict| verdict == truth), "{a:?} {ball:?} {middle:?}: {certain:?} {truth:?}");
            *(if truth == Relation::Separate { &mut low } else { &mut high }) = middle;
        }
    }
    println!("{open} of {all} are left to integers");
    assert!(open * 20 > all && open * 2 < all);
}

/// Other kinds have the same cores as their hulls.
#[test]
fn cores_of_all_kinds() {
    let mut dice = Dice(5);
    for _ in 0..200 {
        let hull = dice.hull(Vec3::ZERO, 1.0, 12);
        let (at, half, turn) = (dice.vector(), dice.vector().abs(), dice.turn());
        let obb = Obb::new(at, half, turn).expect("a box");
        let corners = Obb::new(Vec3::ZERO, half, Quat::IDENTITY).expect("a box").corners();
        let as_hull = ConvexHull::from_points(corners).expect("points").with_pose(Pose::new(at, turn).expect("a pose"));
        let (capsule, triangle) =
            (Capsule::new(at, half, 0.0).expect("a capsule"), Triangle::new(at, half, Vec3::ONE).expect("a triangle"));
        let aabb = Aabb::new(at - half, at + half).expect("a box");
        for (core, points) in [
            (Core::from(&capsule), vec![at, half]),
            (Core::from(&triangle), vec![at, half, Vec3::ONE]),
            (Core::from(&aabb), aabb.corners().to_vec()),
        ] {
            let same = ConvexHull::from_points(points).expect("points");
            assert_eq!(
                by_integers(&core, &Core::from(&hull), [0.0; 5]),
                by_integers(&Core::from(&same), &Core::from(&hull), [0.0; 5])
            );
        }
        assert_eq!(
            by_integers(&Core::from(&obb), &Core::from(&hull), [0.0; 5]),
            by_integers(&Core::from(&as_hull), &Core::from(&hull), [0.0; 5])
        );
    }
}

/// Points that are exactly as far from a face as a margin that is tiny beside the hull: what rounding does to the distance is far more than what it
/// does to the margin.
#[test]
fn margins_that_are_tiny_beside_a_hull() {
    let mut dice = Dice(9);
    for _ in 0..400 {
        // A rotation about z by an angle whose cosine is 3/5.
        let turn = Quat::from_xyzw(0.0, 0.0, 1.0, 2.0);
        let side = (1 + dice.below(4000)) as f32;
        let cube = Aabb::new([-5.0 * side; 3], [5.0 * side; 3]).expect("a box");
        let hull = ConvexHull::from_points(cube.corners()).expect("a cube");
        let hull = hull.with_pose(Pose::new([0.0; 3], turn).expect("a pose"));
        let step = 0.5_f32.powi(dice.below(11) as i32);
        let beyond = side + step;
        assert!(f64::from(beyond) == f64::from(side) + f64::from(step) && 4.0 * beyond < (1 << 24) as f32 * step);
        let height = side * dice.signed() * 4.0;
        let point = Sphere::new([3.0 * beyond, 4.0 * beyond, height], 0.0).expect("a point");
        for (margin, expected) in [
            (5.0 * step, Relation::Touching),
            ((5.0 * step).next_down(), Relation::Separate),
            ((5.0 * step).next_up(), Relation::Overlapping),
        ] {
            let shapes = [BodyShape::from(hull.as_placed()), point.into()];
            let found = relation_within(&shapes[0], &shapes[1], Margin([margin, 0.0, 0.0]));
            assert_eq!(found, expected, "{side} {step} {height} {margin}");
        }
    }
}
