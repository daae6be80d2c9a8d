//! The nearest hits of rays, and the nearest bodies of points: this library beside parry on the CPU, and on a GPU.

use std::collections::BTreeMap;
use std::error::Error;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tangency::glam::Vec3;
use tangency::shape::{Obb, Ray};
use tangency::{BackendKind, Bodies, Closest, Engine, Index, NearestHits, Overlaps, Points};

use crate::parry::{self, Nearest, timed};
use crate::probes::Probes;
use crate::{median, row};

type Outcome<T> = Result<T, Box<dyn Error>>;

/// What was found, so that answers can be compared: how many have an answer, of how many that is 0, and the sum of times or distances.
#[derive(Clone, Copy, Default)]
pub struct Found {
    count: usize,
    at_zero: usize,
    sum: f64,
}

impl FromIterator<f32> for Found {
    fn from_iter<I: IntoIterator<Item = f32>>(values: I) -> Self {
        values.into_iter().fold(Self::default(), |all, value| Self {
            count: all.count + 1,
            at_zero: all.at_zero + usize::from(value == 0.0),
            sum: all.sum + f64::from(value),
        })
    }
}

/// Makes rows about one set of boxes.
pub struct Rows<'a> {
    pub system: &'a str,
    pub on: &'a str,
    pub bodies: usize,
}

impl Rows<'_> {
    pub fn row(&self, what: &str, ms: f64, found: Found) -> Value {
        let mut row = row(self.system, self.on, self.bodies, what, ms, found.count);
        row["at_zero"] = json!(found.at_zero);
        row["sum"] = json!(found.sum);
        row
    }

    /// A row of an answer that nobody has read.
    #[cfg(feature = "gpu")]
    pub fn row_unread(&self, what: &str, ms: f64) -> Value {
        let mut row = row(self.system, self.on, self.bodies, what, ms, 0);
        row["pairs"] = Value::Null;
        row
    }
}

/// An engine with an index of the boxes, and the memory for its answers.
struct Own {
    engine: Engine,
    index: Index,
    hits: NearestHits,
    closest: Closest,
    overlaps: Overlaps,
}

/// Names of stages, and how long each took.
type Stages = Vec<(&'static str, Duration)>;

impl Own {
    /// Makes an index, and asks it for one ray, so that it is there: that is what the time is of.
    fn new(engine: Engine, bodies: &Bodies) -> Outcome<(Duration, Self)> {
        let ray = [Ray::new([0.0; 3], [1.0; 3])?];
        let (time, index) = timed(|| -> tangency::Result<Index> {
            let index = engine.index(bodies)?;
            engine.cast_rays(&index, &ray).run()?;
            Ok(index)
        });
        let (hits, closest, overlaps) = (NearestHits::new(), Closest::new(), Overlaps::new());
        Ok((time, Self { index: index?, engine, hits, closest, overlaps }))
    }

    /// Lets a device work until right before a query: while it is idle it reduces its clocks.
    fn keep_at_work(&mut self) -> Outcome<()> {
        let start = Instant::now();
        while self.engine.info().backend == BackendKind::Gpu && start.elapsed() < AT_WORK {
            self.engine.overlaps(&self.index).run_into(&mut self.overlaps)?;
        }
        Ok(())
    }

    fn cast_rays(&mut self, rays: &[Ray]) -> Outcome<(Duration, Stages)> {
        self.keep_at_work()?;
        let (time, result) = timed(|| self.engine.cast_rays(&self.index, rays).run_into(&mut self.hits));
        result?;
        Ok((time, self.hits.stats().stages.clone()))
    }

    /// The points are new to the engine each time.
    fn closest(&mut self, points: &[Vec3]) -> Outcome<(Duration, Stages)> {
        let points = Points::of(points.iter().copied())?;
        self.keep_at_work()?;
        let (time, result) = timed(|| self.engine.closest(&self.index, &points).run_into(&mut self.closest));
        result?;
        Ok((time, self.closest.stats().stages.clone()))
    }

    fn found_by_rays(&self) -> Found {
        self.hits.iter().flatten().map(|hit| hit.time).collect()
    }

    fn found_by_points(&self) -> Found {
        self.closest.iter().map(|(_, near)| near.distance).collect()
    }
}

fn bodies_of(boxes: &[Obb]) -> Outcome<Bodies> {
    let mut bodies = Bodies::new();
    bodies.extend(boxes.iter().copied())?;
    Ok(bodies)
}

/// The medians of two systems that work in turn, after two runs that do not count.
fn in_turn(
    runs: usize,
    mut own: impl FnMut() -> Outcome<Duration>,
    mut theirs: impl FnMut() -> Duration,
) -> Outcome<[f64; 2]> {
    let mut times = [Vec::new(), Vec::new()];
    for run in 0..runs + 2 {
        let both = [own()?, theirs()];
        if run >= 2 {
            for (times, time) in times.iter_mut().zip(both) {
                times.push(time);
            }
        }
    }
    Ok(times.map(median))
}

/// Both libraries on the CPU, in turn.
pub fn on_cpu(boxes: &[Obb], probes: &Probes, threads: usize, runs: usize) -> Outcome<Vec<Value>> {
    let on = format!("{threads} threads");
    let rows_of = |system| Rows { system, on: &on, bodies: boxes.len() };
    let (ours, parrys) = (rows_of("tangency"), rows_of("parry 0.31"));
    let engine = Engine::builder().backend(BackendKind::Cpu).threads(threads).build()?;
    let (index_time, mut own) = Own::new(engine, &bodies_of(boxes)?)?;
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build()?;
    let peer = parry::Boxes::new(boxes);
    let (tree_time, tree) = timed(|| pool.install(|| parry::Tree::new(&peer)));
    let all = Found { count: boxes.len(), ..Found::default() };
    let mut rows = vec![
        ours.row("index, once", median(vec![index_time]), all),
        parrys.row("bounds and tree, once", median(vec![tree_time]), all),
    ];
    let mut answers: Vec<Nearest> = Vec::new();
    let found = |answers: &[Nearest]| answers.iter().flatten().map(|(_, value)| *value).collect::<Found>();
    for (what, rays) in probes.sets_of_rays() {
        let theirs = || timed(|| pool.install(|| tree.cast_rays(rays, &mut answers))).0;
        let [mine, their] = in_turn(runs, || Ok(own.cast_rays(rays)?.0), theirs)?;
        rows.push(ours.row(&what, mine, own.found_by_rays()));
        rows.push(parrys.row(&what, their, found(&answers)));
    }
    if let Some(points) = &probes.points {
        let theirs = || timed(|| pool.install(|| tree.closest(points, &mut answers))).0;
        let [mine, their] = in_turn(runs, || Ok(own.closest(points)?.0), theirs)?;
        let what = format!("{} points", points.len());
        rows.push(ours.row(&what, mine, own.found_by_points()));
        rows.push(parrys.row(&what, their, found(&answers)));
    }
    Ok(rows)
}

/// How long a device works before it counts, and before each query.
const WARM: Duration = Duration::from_secs(2);
const AT_WORK: Duration = Duration::from_millis(150);

/// The median time of a query on a warm device, and those of its stages.
fn medians(
    runs: usize,
    mut query: impl FnMut() -> Outcome<(Duration, Stages)>,
) -> Outcome<(f64, BTreeMap<&'static str, f64>)> {
    let (mut times, mut stages) = (Vec::new(), BTreeMap::<_, Vec<Duration>>::new());
    let start = Instant::now();
    while start.elapsed() < WARM {
        query()?;
    }
    for _ in 0..runs {
        let (time, laps) = query()?;
        times.push(time);
        for (name, time) in laps {
            stages.entry(name).or_default().push(time);
        }
    }
    Ok((median(times), stages.into_iter().map(|(name, times)| (name, median(times))).collect()))
}

/// This library on a GPU: from host to host, and the stages of that by the device's clock.
pub fn on_gpu(boxes: &[Obb], probes: &Probes, threads: usize, runs: usize) -> Outcome<Vec<Value>> {
    let engine = |profile: bool| {
        let builder = Engine::builder().backend(BackendKind::Gpu).threads(threads);
        #[cfg(feature = "gpu")]
        let builder = builder.profile(profile);
        let _ = profile;
        builder.build()
    };
    let bodies = bodies_of(boxes)?;
    // (The first index waits for kernels.)
    drop(Own::new(engine(false)?, &bodies)?);
    let (plain, profiled) = (engine(false)?, engine(true)?);
    plain.warm_up()?;
    let on = plain.info().adapter.clone().unwrap_or_default();
    let ours = Rows { system: "tangency", on: &on, bodies: boxes.len() };
    let ((index_time, mut plain), (_, mut profiled)) = (Own::new(plain, &bodies)?, Own::new(profiled, &bodies)?);
    let all = Found { count: boxes.len(), ..Found::default() };
    let mut rows = vec![ours.row("index, once, host to host", median(vec![index_time]), all)];
    let mut add = |what: &str, (ms, laps): (f64, BTreeMap<&str, f64>), staged: BTreeMap<&'static str, f64>, found| {
        // Stages of the device are what only the profiled query names, and they are all but waiting.
        let stages: Vec<_> =
            staged.into_iter().filter(|(name, _)| *name != "waiting" && !laps.contains_key(name)).collect();
        let resident = stages.iter().map(|(_, ms)| ms).sum();
        rows.push(ours.row(&format!("{what}, host to host"), ms, found));
        rows.push(ours.row(&format!("{what}, resident: all stages, by the device's clock"), resident, found));
        rows.extend(stages.iter().map(|(name, ms)| ours.row(&format!("of that: {name}"), *ms, found)));
    };
    for (what, rays) in probes.sets_of_rays() {
        let times = medians(runs, || plain.cast_rays(rays))?;
        let (_, staged) = medians(runs, || profiled.cast_rays(rays))?;
        add(&what, times, staged, plain.found_by_rays());
    }
    if let Some(points) = &probes.points {
        let times = medians(runs, || plain.closest(points))?;
        let (_, staged) = medians(runs, || profiled.closest(points))?;
        add(&format!("{} points", points.len()), times, staged, plain.found_by_points());
    }
    #[cfg(feature = "gpu")]
    rows.extend(crate::recorded::rays(&bodies, probes, runs, &ours)?);
    Ok(rows)
}
