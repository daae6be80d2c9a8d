//! 100,000 random fast and thin cases, compared with fine sampling in `f64`: a sweep must never miss a contact that a sample
//! finds. First one pair at a time, then all of them in one query, on the CPU and on the GPU if there is one.
//!
//! `cargo run --release --example tunnelling`

use tangency::glam::{DMat3, DQuat, DVec3, Quat, Vec3};
use tangency::query::{self, Impact, Motion};
use tangency::shape::{Obb, Sphere};
use tangency::{BackendKind, Bodies, Engine, Traits};

/// `SplitMix64`.
struct Random(u64);

impl Random {
    fn unit(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((z ^ (z >> 31)) >> 11) as f64 / (1u64 << 53) as f64
    }

    fn within(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.unit()
    }

    fn log(&mut self, low: f64, high: f64) -> f64 {
        self.within(low.ln(), high.ln()).exp()
    }

    fn vector(&mut self, reach: f64) -> DVec3 {
        DVec3::from_array([0; 3].map(|_| self.within(-reach, reach)))
    }

    fn direction(&mut self) -> DVec3 {
        self.vector(1.0).normalize()
    }

    fn rotation(&mut self) -> DQuat {
        DQuat::from_array([0; 4].map(|_| self.within(-1.0, 1.0))).normalize()
    }
}

/// A box or a ball, with its motion.
struct Mover {
    shape: Shape,
    motion: Motion,
}

enum Shape {
    Box(Obb),
    Ball(Sphere),
}

/// A box in `f64` at one time; a ball is a box without extents, with a radius.
struct Pose {
    center: DVec3,
    axes: [DVec3; 3],
    half: DVec3,
    radius: f64,
}

impl Mover {
    /// The pose at `time`, from the numbers that the sweep was given.
    fn at(&self, time: f64) -> Pose {
        let (center, axes, half, radius) = match &self.shape {
            Shape::Box(b) => (b.center().as_dvec3(), b.axes(), b.half_extents().as_dvec3(), 0.0),
            Shape::Ball(s) => (s.center().as_dvec3(), [DVec3::ZERO; 3], DVec3::ZERO, f64::from(s.radius())),
        };
        let turn = DMat3::from_quat(DQuat::from_scaled_axis(self.motion.rotation_vector().as_dvec3() * time));
        let center = center + self.motion.translation_vector().as_dvec3() * time;
        Pose { center, axes: axes.map(|a| turn * a), half, radius }
    }
}

/// The distance of two boxes, or of a ball and a box; negative if they overlap. For boxes, the largest gap over 15 axes.
fn apart(a: &Pose, b: &Pose) -> f64 {
    let offset = b.center - a.center;
    if a.radius > 0.0 {
        let local = DVec3::from_array(b.axes.map(|x| -offset.dot(x)));
        let outside = (local.abs() - b.half).max(DVec3::ZERO).length();
        return outside - a.radius;
    }
    let radius =
        |p: &Pose, l: DVec3| p.axes.iter().zip(p.half.to_array()).map(|(x, e)| e * x.dot(l).abs()).sum::<f64>();
    let gap = |l: DVec3| offset.dot(l).abs() - radius(a, l) - radius(b, l);
    let crosses = a.axes.iter().flat_map(|x| b.axes.iter().map(|y| x.cross(*y)));
    let edges = crosses.filter(|c| c.length() > 1e-9).map(DVec3::normalize);
    a.axes.into_iter().chain(b.axes).chain(edges).map(gap).fold(f64::NEG_INFINITY, f64::max)
}

/// Samples evenly, then ever finer around the times of least distance. Returns the earliest sample that overlaps, and the least
/// distance.
fn sampled(a: &Mover, b: &Mover, around: f64, window: f64) -> (Option<f64>, f64) {
    let mut earliest: Option<f64> = None;
    let mut least = f64::INFINITY;
    let mut look = |time: f64| {
        let time = time.clamp(0.0, 1.0);
        let gap = apart(&a.at(time), &b.at(time));
        least = least.min(gap);
        if gap <= 0.0 && earliest.is_none_or(|t| time < t) {
            earliest = Some(time);
        }
        (gap, time)
    };
    let mut scan = |from: f64, to: f64, n: usize| {
        (0..=n)
            .map(|i| look(from + (to - from) * i as f64 / n as f64))
            .min_by(|x, y| x.0.total_cmp(&y.0))
            .map_or(from, |x| x.1)
    };
    for (middle, mut width) in
        [(scan(0.0, 1.0, 500), 2.0 / 500.0), (scan(around - window, around + window, 500), window / 100.0)]
    {
        let mut middle = middle;
        for _ in 0..8 {
            middle = scan(middle - width, middle + width, 40);
            width /= 12.0;
        }
    }
    (earliest, least)
}

fn sweep(a: &Mover, b: &Mover) -> Option<Impact> {
    match (&a.shape, &b.shape) {
        (Shape::Box(x), Shape::Box(y)) => query::sweep(x, &a.motion, y, &b.motion),
        (Shape::Ball(x), Shape::Box(y)) => query::sweep(x, &a.motion, y, &b.motion),
        _ => unreachable!("the second is always a box"),
    }
}

/// The body whose pose at `time` is `center` and `rotation`.
fn mover(half: DVec3, radius: f64, center: DVec3, rotation: DQuat, way: DVec3, turn: DVec3, time: f64) -> Mover {
    let start = (center - way * time).as_vec3();
    let rotation: Quat = (DQuat::from_scaled_axis(-turn * time) * rotation).as_quat();
    let shape = if radius > 0.0 {
        Shape::Ball(Sphere::new(start, radius as f32).expect("valid numbers"))
    } else {
        Shape::Box(Obb::new(start, half.as_vec3(), rotation).expect("valid numbers"))
    };
    let turn: Vec3 = if radius > 0.0 { Vec3::ZERO } else { turn.as_vec3() };
    Mover { shape, motion: Motion::new(way.as_vec3(), turn).expect("valid numbers") }
}

const FAMILIES: [&str; 5] =
    ["bullet, wall", "needle, wall", "bullet, turning plate", "turning needle, wall", "plate, plate, turning"];

fn case(family: usize, random: &mut Random) -> (Mover, Mover, f64, f64) {
    let time = random.within(0.02, 0.98);
    let meet = random.vector(1.0);
    let wall = DVec3::new(random.within(0.3, 2.0), random.within(0.3, 2.0), random.log(1e-5, 1e-2));
    let needle = DVec3::new(random.within(0.1, 1.0), random.log(1e-4, 1e-2), random.log(1e-4, 1e-2));
    let rotation = random.rotation();
    // A point on the wall, and a speed that crosses it in a tiny part of the time.
    let on_wall = meet + rotation * (wall * DVec3::new(random.within(-1.1, 1.1), random.within(-1.1, 1.1), 0.0));
    let speed = random.log(1.0, 1e4);
    let way = random.direction() * speed;
    let radius = random.log(1e-3, 0.1);
    let turn = |random: &mut Random| random.direction() * random.log(0.1, 30.0);
    let (none, still) = (DVec3::ZERO, DVec3::ZERO);
    let (a, b) = match family {
        0 => (
            mover(none, radius, on_wall, rotation, way, none, time),
            mover(wall, 0.0, meet, rotation, still, none, time),
        ),
        1 => {
            let own = random.rotation();
            (mover(needle, 0.0, on_wall, own, way, none, time), mover(wall, 0.0, meet, rotation, still, none, time))
        }
        2 => {
            let spin = turn(random);
            (
                mover(none, radius, on_wall, rotation, way / 100.0, none, time),
                mover(wall, 0.0, meet, rotation, still, spin, time),
            )
        }
        3 => {
            let (own, spin) = (random.rotation(), turn(random));
            (
                mover(needle, 0.0, on_wall, own, way / 100.0, spin, time),
                mover(wall, 0.0, meet, rotation, still, none, time),
            )
        }
        _ => {
            let (own, spin, other) = (random.rotation(), turn(random), turn(random));
            let plate = DVec3::new(wall.y, wall.z, wall.x);
            (
                mover(plate, 0.0, on_wall, own, way / 100.0, spin, time),
                mover(wall, 0.0, meet, rotation, still, other, time),
            )
        }
    };
    (a, b, time, (4.0 / speed).min(0.1))
}

/// All cases as one set of bodies, each pair in a world of its own.
#[derive(Default)]
struct Batch {
    bodies: Bodies,
    motions: Vec<Motion>,
    /// The earliest sample that overlaps.
    sampled: Vec<Option<f64>>,
}

impl Batch {
    fn add(&mut self, a: &Mover, b: &Mover, sampled: Option<f64>) {
        let world = Traits::new().world(self.sampled.len() as u32);
        for mover in [a, b] {
            match &mover.shape {
                Shape::Box(shape) => self.bodies.push_with(*shape, world).expect("room"),
                Shape::Ball(shape) => self.bodies.push_with(*shape, world).expect("room"),
            };
            self.motions.push(mover.motion);
        }
        self.sampled.push(sampled);
    }

    /// Sweeps all pairs at once. Returns how many contacts are missed or reported late.
    fn run(&self, kind: BackendKind) -> usize {
        let Ok(engine) = Engine::builder().backend(kind).build() else { return 0 };
        let hits = engine.sweep(&self.bodies, &self.motions).run().expect("an answer");
        let (mut missed, mut late) = (0, 0);
        for (case, first) in self.sampled.iter().enumerate() {
            let hit = hits.get(2 * case as u32, 2 * case as u32 + 1);
            missed += usize::from(first.is_some() && hit.is_none());
            late += usize::from(first.zip(hit).is_some_and(|(first, hit)| hit.from() > first));
        }
        let (cases, cut) = (self.sampled.len(), hits.hits().iter().filter(|hit| hit.to() > hit.from()).count());
        println!(
            "{cases} cases at once on {}: {} reported, {missed} missed, {late} late, {cut} cut off, {} computed on the host",
            engine.info().adapter.unwrap_or_else(|| kind.name().to_owned()),
            hits.len(),
            hits.computed_on_host()
        );
        missed + late
    }
}

fn main() {
    let wanted = std::env::args().nth(1).and_then(|n| n.parse().ok()).unwrap_or(100_000usize);
    let mut random = Random(0x5EED);
    println!(
        "{:<24} {:>7} {:>9} {:>9} {:>7} {:>6} {:>12} {:>12} {:>8}",
        "family", "cases", "sampled", "reported", "missed", "late", "gap at hit", "widest pass", "cut off"
    );
    let (mut cases, mut lost, mut batch) = (0, 0, Batch::default());
    for (family, name) in FAMILIES.iter().enumerate() {
        let (mut seen, mut reported, mut missed, mut late, mut cut) = (0, 0, 0, 0, 0);
        // The largest gap at a reported time, and the largest in a case where no sample overlaps.
        let (mut widest, mut pass) = (0.0f64, 0.0f64);
        for _ in 0..wanted / FAMILIES.len() {
            let (a, b, around, window) = case(family, &mut random);
            let hit = sweep(&a, &b);
            let (first, least) = sampled(&a, &b, around, window);
            batch.add(&a, &b, first);
            seen += usize::from(first.is_some());
            reported += usize::from(hit.is_some());
            missed += usize::from(first.is_some() && hit.is_none());
            late += usize::from(first.zip(hit).is_some_and(|(first, hit)| hit.time > first));
            if let Some(hit) = hit {
                cut += usize::from(!hit.converged);
                if first.is_none() {
                    // The samples may have missed the contact: sample closely after the reported time.
                    let after = (0..2000).map(|i| (hit.time + 1e-4 * f64::from(i) / 2000.0).min(1.0));
                    pass = pass.max(after.map(|t| apart(&a.at(t), &b.at(t))).fold(least, f64::min));
                }
                if hit.converged {
                    widest = widest.max(apart(&a.at(hit.time), &b.at(hit.time)));
                }
            }
            cases += 1;
        }
        lost += missed + late;
        let per = wanted / FAMILIES.len();
        println!(
            "{name:<24} {per:>7} {seen:>9} {reported:>9} {missed:>7} {late:>6} {widest:>12.2e} {pass:>12.2e} {cut:>8}"
        );
    }
    println!("{cases} cases, {lost} contacts missed or reported late");
    for kind in [BackendKind::Cpu, BackendKind::Gpu] {
        lost += batch.run(kind);
    }
    assert_eq!(lost, 0, "something tunnelled");
}
