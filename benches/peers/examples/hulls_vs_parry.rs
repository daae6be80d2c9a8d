//! Verdicts of hulls that nearly touch, beside parry's: nanoseconds per pair on one thread, and how often the two differ.
//!
//! Hulls of 64 corners in random poses, with gaps within ±10⁻³ of their size. This library's verdict is exact; parry's
//! `intersection_test` is GJK in `f32`. Both are asked in turn, in one run, and the best of several rounds counts. Then hulls that touch in
//! a corner, which only integers can decide.
//!
//! ```text
//! cargo run --release -p tangency-peers --example hulls_vs_parry [CORNERS]
//! ```

use std::time::Instant;

use parry3d::math::Pose as ParryPose;
use parry3d::shape::ConvexPolyhedron;
use tangency::Relation;
use tangency::glam::{Quat, Vec3};
use tangency::query::intersect;
use tangency::shape::{ConvexHull, Pose};

const FORMS: usize = 32;
const PAIRS: usize = 4000;
const ROUNDS: usize = 15;

/// A small generator, so that the pairs are the same everywhere: `SplitMix64`.
struct Random(u64);

impl Random {
    /// From −1 to 1.
    fn signed(&mut self) -> f32 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((z ^ (z >> 31)) >> 40) as f32 / (1 << 23) as f32 - 1.0
    }

    /// Of length 1.
    fn direction(&mut self) -> Vec3 {
        loop {
            let v = Vec3::new(self.signed(), self.signed(), self.signed());
            if v.length() > 0.1 && v.length() < 1.0 {
                return v.normalize();
            }
        }
    }

    fn turn(&mut self) -> Quat {
        Quat::from_xyzw(self.signed(), self.signed(), self.signed(), self.signed()).normalize()
    }
}

/// A hull in both libraries.
struct Form {
    ours: ConvexHull,
    theirs: ConvexPolyhedron,
}

impl Form {
    /// An ellipsoid about 2 large.
    fn new(random: &mut Random, corners: usize) -> Self {
        let stretch = Vec3::new(1.0, 0.8 + 0.2 * random.signed(), 0.6 + 0.2 * random.signed());
        let points: Vec<Vec3> = (0..corners).map(|_| random.direction() * stretch).collect();
        let ours = ConvexHull::from_points(points.iter().copied()).expect("points");
        let theirs = ConvexPolyhedron::from_convex_hull(&points).expect("a hull");
        Self { ours, theirs }
    }
}

struct Pair {
    forms: [usize; 2],
    ours: [ConvexHull; 2],
    theirs: [ParryPose; 2],
    /// How far apart they are along the way on which they would touch; negative if they overlap.
    gap: f32,
}

impl Pair {
    fn new(random: &mut Random, forms: &[Form]) -> Self {
        let pick = |random: &mut Random| ((random.signed() * 0.5 + 0.5) * forms.len() as f32) as usize % forms.len();
        let chosen = [pick(random), pick(random)];
        let (turns, way) = ([random.turn(), random.turn()], random.direction());
        let first = forms[chosen[0]].ours.with_pose(Pose::new(Vec3::ZERO, turns[0]).expect("a pose"));
        let at = |far: f32| forms[chosen[1]].ours.with_pose(Pose::new(way * far, turns[1]).expect("a pose"));
        // Where they touch on this way.
        let (mut inside, mut outside) = (0.0_f32, 3.0_f32);
        for _ in 0..24 {
            let middle = f32::midpoint(inside, outside);
            *(if intersect(&first, &at(middle)).is_hit() { &mut inside } else { &mut outside }) = middle;
        }
        let gap = 2e-3 * random.signed();
        let second = at(outside + gap);
        let position = second.pose().position().to_vec3();
        let theirs = [ParryPose::from_parts(Vec3::ZERO, turns[0]), ParryPose::from_parts(position, turns[1])];
        Self { forms: chosen, ours: [first, second], theirs, gap }
    }

    fn ours(&self) -> bool {
        intersect(&self.ours[0], &self.ours[1]).is_hit()
    }

    fn theirs(&self, forms: &[Form]) -> bool {
        let [a, b] = self.forms.map(|form| &forms[form].theirs);
        parry3d::query::intersection_test(&self.theirs[0], a, &self.theirs[1], b).is_ok_and(|found| found.intersecting)
    }
}

/// A hull and its reflection in one of its corners, in one pose: they touch there.
fn touching(random: &mut Random, corners: usize) -> [ConvexHull; 2] {
    // Multiples of 2⁻¹², so that the reflection is exact.
    let rounded = |v: Vec3| (v * 4096.0).round() / 4096.0;
    let points: Vec<Vec3> = (0..corners).map(|_| rounded(random.direction())).collect();
    let pose = Pose::new(random.direction(), random.turn()).expect("a pose");
    let reflected = points.iter().map(|point| points[0] * 2.0 - *point);
    let hulls = [ConvexHull::from_points(points.iter().copied()), ConvexHull::from_points(reflected)];
    hulls.map(|hull| hull.expect("points").with_pose(pose))
}

/// The least time per pair, in nanoseconds, and the hits.
fn measure(best: &mut f64, pairs: &[Pair], ask: impl Fn(&Pair) -> bool) -> usize {
    let start = Instant::now();
    let hits = pairs.iter().filter(|pair| ask(pair)).count();
    *best = best.min(start.elapsed().as_nanos() as f64 / pairs.len() as f64);
    hits
}

fn main() {
    let corners = std::env::args().nth(1).and_then(|text| text.parse().ok()).unwrap_or(64);
    let mut random = Random(1);
    let forms: Vec<Form> = (0..FORMS).map(|_| Form::new(&mut random, corners)).collect();
    let pairs: Vec<Pair> = (0..PAIRS).map(|_| Pair::new(&mut random, &forms)).collect();
    let (mut ours, mut theirs, mut hits) = (f64::INFINITY, f64::INFINITY, [0; 2]);
    for _ in 0..ROUNDS {
        hits = [measure(&mut ours, &pairs, Pair::ours), measure(&mut theirs, &pairs, |pair| pair.theirs(&forms))];
    }
    println!("{PAIRS} pairs of hulls of {corners} corners, gaps within ±0.001 of their size, one thread");
    println!("exact verdict, tangency {ours:8.0} ns   {} hits", hits[0]);
    println!("GJK in f32, parry      {theirs:8.0} ns   {} hits", hits[1]);
    println!("parry takes {:.2} times as long", theirs / ours);
    let widest = |wrong: &dyn Fn(&&Pair) -> bool| {
        let gaps: Vec<f32> = pairs.iter().filter(wrong).map(|pair| pair.gap.abs()).collect();
        (gaps.len(), gaps.into_iter().fold(0.0, f32::max))
    };
    let (missed, deepest) = widest(&|pair| pair.ours() && !pair.theirs(&forms));
    let (invented, farthest) = widest(&|pair| !pair.ours() && pair.theirs(&forms));
    let touching: Vec<[ConvexHull; 2]> = (0..200).map(|_| touching(&mut random, corners)).collect();
    let start = Instant::now();
    let found = touching.iter().filter(|[a, b]| intersect(a, b) == Relation::Touching).count();
    let each = start.elapsed().as_nanos() as f64 / touching.len() as f64;
    println!("{found} of {} pairs that touch in a corner do, {each:.0} ns each", touching.len());
    println!(
        "parry calls {missed} hits separate (up to {deepest:.1e} deep) and {invented} separate pairs hits (up to {farthest:.1e} apart)"
    );
}
