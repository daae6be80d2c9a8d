//! Every kernel against its twin and every query against brute force, on every adapter of this machine.
//!
//! An adapter is tested by a process of its own, with a time limit: drivers may hang or crash, and which of them is used is
//! decided when a process first asks. [`on_every_adapter`] starts these processes; [`one_adapter`] and [`det::one_adapter`] are what
//! runs in them.

mod changes;
mod cold;
mod det;
mod det_kernel;
mod det_lint;
mod layout;
mod ledger;
mod long;
mod parity;
mod poison;
mod regions;

use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

pub(super) use parity::compare;

use super::stages;
use super::workspace::{Narrow, Workspace};
use super::{Gpu, Wish};
use crate::cpu::{Pool, brute};
use crate::engine::{Clock, Options};
use crate::filter::domain;
use crate::scenes::{SEED, Scene as Named, random};
use crate::shape::{Aabb, Obb, Plane, Sphere};
use crate::{Bodies, Overlaps, Relation, Traits, query};

/// Where Debian's chromium has its software adapter.
const SWIFTSHADER: &str = "/usr/lib/chromium/vk_swiftshader_icd.json";
const ADAPTER: &str = "TANGENCY_TEST_ADAPTER";
const PORTABLE: &str = "TANGENCY_TEST_PORTABLE";
const BRIEF: &str = "TANGENCY_TEST_BRIEF";
/// How long one kernel may take to compile and run for the first time.
const PATIENCE: Duration = Duration::from_secs(60);
/// The exit status of a process that found an adapter unable.
const UNABLE: i32 = 33;

/// One process: a name, the driver it is pointed at, and the adapter's index there.
struct Case {
    name: String,
    driver: Option<&'static str>,
    index: usize,
    portable: bool,
    /// Whether it is asked everything less often.
    brief: bool,
    limit: Duration,
}

fn cases() -> Vec<Case> {
    let mut cases = Vec::new();
    for adapter in crate::adapters().into_iter().filter(|adapter| adapter.compute) {
        let name = format!("{}:{}", adapter.backend, adapter.name);
        let older = adapter.backend == "gl";
        let case = |name: String, portable: bool| Case {
            name,
            driver: None,
            index: adapter.index,
            portable,
            brief: portable || older,
            limit: Duration::from_secs(600),
        };
        if !older {
            cases.push(case(format!("{name}, default limits"), true));
        }
        cases.push(case(name, false));
    }
    if std::path::Path::new(SWIFTSHADER).exists() {
        cases.push(Case {
            name: "vulkan:SwiftShader".to_owned(),
            driver: Some(SWIFTSHADER),
            index: 0,
            portable: false,
            brief: true,
            limit: Duration::from_secs(600),
        });
    }
    cases
}

/// The kernels on all adapters there are.
#[test]
fn every_adapter() {
    on_every_adapter("gpu::tests::one_adapter");
}

/// Runs an ignored test once for each adapter, in a process of its own; what it is asked for is in [`AdapterTest`]. Two adapters at a
/// time: what an adapter does is mostly done by one thread.
fn on_every_adapter(test: &str) {
    let required = std::env::var_os("TANGENCY_REQUIRE_GPU").is_some_and(|value| value == "1");
    let only = std::env::var("TANGENCY_TEST_ONLY").unwrap_or_default();
    let cases: Vec<Case> = cases().into_iter().filter(|case| case.name.contains(&only)).collect();
    assert!(!required || !cases.is_empty(), "TANGENCY_REQUIRE_GPU=1, and there is no adapter");
    let next = AtomicUsize::new(0);
    let work = || {
        let mut failed = Vec::new();
        while let Some(case) = cases.get(next.fetch_add(1, Ordering::Relaxed)) {
            let start = Instant::now();
            let (status, said) = run_case(test, case);
            let seconds = start.elapsed().as_secs();
            println!("{said}{test} on {}: {status} after {seconds} s", case.name);
            if status != "passed" {
                failed.push(case.name.clone());
            }
        }
        failed
    };
    let failed = std::thread::scope(|scope| {
        let other = scope.spawn(work);
        let mut failed = work();
        failed.extend(other.join().expect("it ends"));
        failed
    });
    assert!(failed.is_empty(), "adapters that failed: {failed:?}");
}

/// Runs a process with this test for one case; what became of it, and what it said.
fn run_case(test: &str, case: &Case) -> (String, String) {
    // Kernels are compiled as on a machine that has never seen them.
    let name = format!("{test} {}", case.name).replace(|c: char| !c.is_alphanumeric(), "-");
    let folder = std::env::temp_dir().join(format!("tangency-{}-{name}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let log = folder.join("log");
    let file = std::fs::File::create(&log).expect("a file");
    let mut command = Command::new(std::env::current_exe().expect("this program"));
    command.args(["--exact", test, "--ignored", "--nocapture"]);
    command.env(ADAPTER, case.index.to_string()).env(PORTABLE, if case.portable { "1" } else { "0" });
    // Every driver is asked everything; the slow ones less often.
    command.env(BRIEF, if case.brief { "1" } else { "0" });
    command.env("MESA_SHADER_CACHE_DIR", folder.join("cache"));
    if let Some(driver) = case.driver {
        command.env("VK_DRIVER_FILES", driver).env("VK_ICD_FILENAMES", driver);
    }
    command.stdout(file.try_clone().expect("the file")).stderr(file);
    let (mut child, start) = (command.spawn().expect("a process"), Instant::now());
    let status = loop {
        match child.try_wait().expect("its status") {
            Some(status) if status.success() => break "passed".to_owned(),
            Some(status) => break format!("failed ({status})"),
            None if start.elapsed() > case.limit => {
                child.kill().expect("it can be ended");
                child.wait().expect("it ends");
                break "not done".to_owned();
            }
            None => std::thread::sleep(Duration::from_millis(50)),
        }
    };
    let said = std::fs::read(&log).map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).unwrap_or_default();
    drop(std::fs::remove_dir_all(&folder));
    (status, said)
}

/// Ends this process if the work takes longer than one kernel may.
fn within_patience<R>(what: &str, work: impl FnOnce() -> R) -> R {
    let (done, wait) = std::sync::mpsc::channel::<()>();
    let name = what.to_owned();
    let watch = std::thread::spawn(move || {
        if wait.recv_timeout(PATIENCE) == Err(std::sync::mpsc::RecvTimeoutError::Timeout) {
            println!("  {name} is not ready after {} s", PATIENCE.as_secs());
            std::process::exit(UNABLE);
        }
    });
    let result = work();
    drop(done);
    watch.join().expect("the watch ends");
    result
}

/// What a process that tests one adapter was asked for.
struct AdapterTest {
    gpu: Gpu,
    /// Of the adapter, among all.
    index: usize,
    /// Whether the device has only the default limits, and no features.
    portable: bool,
    brief: bool,
}

impl AdapterTest {
    /// Opens the adapter; absent if this process was not started by [`on_every_adapter`].
    fn open() -> Option<Self> {
        let index: usize = std::env::var(ADAPTER).ok()?.parse().expect("an index");
        let portable = std::env::var(PORTABLE).is_ok_and(|value| value == "1");
        let brief = std::env::var(BRIEF).is_ok_and(|value| value == "1");
        match Gpu::new(Wish { adapter: Some(index), portable, ..Wish::default() }, false, &[]) {
            Ok(gpu) => Some(Self { gpu, index, portable, brief }),
            Err(error) => {
                println!("  {error}");
                std::process::exit(UNABLE);
            }
        }
    }
}

/// What is run on one adapter, in a process of its own.
#[test]
#[ignore = "started by every_adapter, once for each"]
fn one_adapter() {
    let Some(AdapterTest { gpu, index, portable, brief }) = AdapterTest::open() else { return };
    let pool = Pool::new(None).expect("threads");
    println!(
        "adapter {:?}{}",
        gpu.adapter().map(|a| (&a.backend, &a.name)),
        if portable { ", default limits" } else { "" }
    );
    let mut last = Instant::now();
    let mut step = |name: &str| {
        println!("  {name}: {:.1} s", last.elapsed().as_secs_f64());
        last = Instant::now();
    };
    cold::no_kernel_takes_much_longer_than_others(&gpu);
    gpu.device.check().expect("all kernels are valid");
    step("kernels");
    within_patience("the first answer", || whole_queries(&gpu, &pool, 1));
    step("first answer");
    parity::sorts(&gpu.device, brief);
    parity::scans(&gpu.device);
    parity::long_rows(&gpu.device);
    parity::patches(&gpu.device);
    parity::adversarial_buffers(&gpu.device);
    step("buffers of all kinds");
    long::long_rows_and_twins(&gpu, &pool);
    let dispatched = checked_scenes(&gpu, &pool, if brief { 6 } else { 16 });
    step(&format!("{dispatched} dispatches beside their twins"));
    vectors(&gpu, &pool);
    step("vectors");
    let built = gpu.device.kernels_built();
    assert_eq!(built, stages::ALL.len());
    nothing_is_lost(&gpu, &pool);
    much_to_ask(&gpu, &pool);
    worlds_are_together(&gpu, &pool);
    regions::region_queries_leave_no_trace(&gpu, &pool, if brief { 4000 } else { 40_000 });
    step("regions");
    if !brief {
        ledger::dispatches_cut_short(&gpu, &pool);
        step("dispatches cut short");
        ledger::kernels_at_fault(index, &pool);
        step("kernels at fault");
        poison::kernels_clear_what_they_count_with(index, &pool);
        step("poisoned memory");
    }
    dropped_queries_leave_nothing(&gpu, &pool);
    if !brief {
        parts(index, &pool, &[]);
        // With an order that changes at every call, where it may.
        parts(index, &pool, &["sort_roughly".to_owned()]);
    }
    step("growth from room for one, and parts");
    whole_queries(&gpu, &pool, if brief { 10 } else { 60 });
    step("random scenes against brute force");
    for scene in Named::ALL {
        // Enough for several nodes on every level but the highest.
        golden(&gpu, &pool, scene, if brief { 4000 } else { 40_000 });
    }
    step("named scenes against the CPU");
    long::long_rows(&gpu, &pool);
    extreme_numbers(&gpu, &pool);
    ends_of_the_domain(&gpu, &pool);
    step("long rows, extreme numbers");
    changes::only_changes_are_uploaded(&gpu, &pool);
    changes::a_hundredth_is_uploaded(&gpu, &pool);
    changes::exclusions_follow(&gpu, &pool);
    changes::many_places(&gpu, &pool, if brief { 70_000 } else { 200_000 });
    changes::without_memory(index, &pool);
    changes::sets_in_turn(&gpu, &pool);
    changes::random_changes(&gpu, &pool, if brief { 3 } else { 6 });
    step("uploads");
    assert_eq!(gpu.device.kernels_built(), built, "new sizes compile nothing");
}

fn overlaps(
    gpu: &Gpu,
    scene: &mut Workspace,
    pool: &Pool,
    sets: (Option<&Bodies>, &Bodies),
    options: &Options,
) -> Overlaps {
    let mut out = Overlaps::new();
    let before = scene.runner.dispatched;
    pollster::block_on(gpu.overlaps_in(scene, pool, sets, options, &mut out, true)).expect("an answer");
    let rows = sets.0.unwrap_or(sets.1).len();
    assert!(scene.runner.dispatched > before || rows == 0 || sets.1.is_empty(), "nothing ran on the device");
    out
}

fn assert_same(found: &Overlaps, expected: &Overlaps, what: &str) {
    if found != expected || found.offsets() != expected.offsets() {
        let missing = expected.iter().find(|pair| !found.iter().any(|other| other == *pair));
        let surplus = found.iter().find(|pair| !expected.iter().any(|other| other == *pair));
        panic!("{what}: {} pairs, not {}; missing {missing:?}, surplus {surplus:?}", found.len(), expected.len());
    }
}

fn planes() -> [Plane; 3] {
    [([1.0, 0.2, 0.0], 2.0), ([-0.3, -1.0, 0.5], 1.0), ([0.0, 0.0, 1.0], 4.0)]
        .map(|(normal, offset)| Plane::new(normal, offset).expect("a plane"))
}

/// All queries on one scene against the reference.
fn check_queries(gpu: &Gpu, pool: &Pool, scene: &mut Workspace, seed: u64, most: usize) {
    let bodies = random(seed, most).expect("a scene");
    let options = Options::new().overlapping_only(seed.is_multiple_of(5));
    let mut expected = Overlaps::new();
    brute::overlaps(&bodies, &options, &mut expected);
    let found = overlaps(gpu, scene, pool, (None, &bodies), &options);
    assert_same(&found, &expected, &format!("seed {seed}, one set"));
    let asking = random(seed + 5000, most / 2).expect("a scene");
    brute::overlaps_between(&asking, &bodies, &options, &mut expected);
    let found = overlaps(gpu, scene, pool, (Some(&asking), &bodies), &options);
    assert_same(&found, &expected, &format!("seed {seed}, two sets"));
    // Again, with the searched set as it was prepared.
    let found = overlaps(gpu, scene, pool, (Some(&asking), &bodies), &options);
    assert_same(&found, &expected, &format!("seed {seed}, two sets again"));

    let mut clock = Clock::start();
    let query = scene.overlaps(&gpu.device, pool, (None, &bodies), Narrow::Accept, &mut clock, true);
    let candidates = pollster::block_on(query).expect("candidates");
    let (offsets, partners) = (candidates.offsets(), candidates.partners());
    let mut pairs: Vec<[u32; 2]> = (0..bodies.len())
        .flat_map(|a| {
            let row = offsets[a] as usize..offsets[a + 1] as usize;
            partners[row].iter().map(move |b| [a as u32, *b])
        })
        .collect();
    drop(candidates);
    assert!(pairs.is_sorted() && pairs.iter().all(|[a, b]| a < b));
    let all = brute_hits(&bodies);
    assert!(all.pairs.iter().all(|pair| pairs.binary_search(pair).is_ok()), "seed {seed}: a hit is no candidate");

    // Pairs in any order, of disabled bodies too, some of a body with itself.
    pairs.truncate(3000);
    pairs.reverse();
    let n = bodies.len() as u32;
    pairs.extend((0..200_u32).map(|k| [k.wrapping_mul(7919) % n, k.wrapping_mul(104_729) % n]));
    let verdicts = pollster::block_on(scene.test_pairs(&gpu.device, pool, &bodies, &pairs, true)).expect("verdicts");
    for (pair, verdict) in pairs.iter().zip(verdicts) {
        let exact = query::intersect(&bodies.get(pair[0] as usize), &bodies.get(pair[1] as usize));
        check_verdict(verdict, exact, &format!("seed {seed}, pair {pair:?}"));
    }
    let planes = planes();
    let sides = scene.cull(&gpu.device, pool, &bodies, bytemuck::cast_slice(&planes), true);
    for (i, side) in pollster::block_on(sides).expect("sides").into_iter().enumerate() {
        let enabled = bodies.enabled_flags()[i];
        let exact = planes.iter().map(|plane| query::side(&bodies.get(i), plane) as u32).max().unwrap_or(0);
        assert!(side == 3 && enabled || side == if enabled { exact } else { 2 }, "seed {seed}, body {i}: {side}");
    }
}

fn brute_hits(bodies: &Bodies) -> Overlaps {
    let mut out = Overlaps::new();
    brute::overlaps(bodies, &Options::new(), &mut out);
    out
}

/// A certain verdict is right.
fn check_verdict(verdict: u32, exact: Relation, what: &str) {
    let right = match verdict {
        0 => exact == Relation::Separate,
        1 => exact == Relation::Overlapping,
        2 => true,
        3 => exact == Relation::Touching,
        _ => false,
    };
    assert!(right, "{what}: verdict {verdict}, and it is {exact:?}");
}

fn whole_queries(gpu: &Gpu, pool: &Pool, scenes: u64) {
    let mut scene = Workspace::new();
    for seed in 0..scenes {
        check_queries(gpu, pool, &mut scene, 700 + seed, 1500);
    }
}

/// Small scenes, each dispatch beside its twin; how many there were.
fn checked_scenes(gpu: &Gpu, pool: &Pool, scenes: u64) -> u64 {
    let mut dispatched = 0;
    for seed in 0..scenes {
        // With a tree, and without.
        let mut scene = if seed % 4 == 3 { Workspace::new() } else { Workspace::new().frugal() };
        scene.runner.checked = true;
        check_queries(gpu, pool, &mut scene, 900 + seed, 400);
        dispatched += scene.runner.dispatched;
    }
    dispatched
}

/// All capacities start at one, and every pair comes back.
fn nothing_is_lost(gpu: &Gpu, pool: &Pool) {
    for (named, n) in [(Named::Mixed, 3000), (Named::Stacks, 3000), (Named::Uniform, 3000)] {
        let bodies = named.build(n, SEED).expect("a scene");
        let mut scene = Workspace::new().frugal();
        let found = overlaps(gpu, &mut scene, pool, (None, &bodies), &Options::new());
        assert_same(&found, &brute_hits(&bodies), named.name());
    }
    let mut bodies = Bodies::new();
    bodies.extend(vec![Sphere::new([1.0; 3], 1.0).expect("a ball"); 700]).expect("room");
    let mut scene = Workspace::new().frugal();
    let found = overlaps(gpu, &mut scene, pool, (None, &bodies), &Options::new());
    assert!(found.pairs().eq((0..700).flat_map(|a| (a + 1..700).map(move |b| (a, b)))));
}

/// A cluster with more to ask than one group of threads may do is asked by several. (Some drivers end loops silently after
/// 65,535 iterations.)
fn much_to_ask(gpu: &Gpu, pool: &Pool) {
    let mut bodies = Bodies::new();
    bodies.extend(vec![Sphere::new([1.0; 3], 1.0).expect("a ball"); 700]).expect("room");
    bodies.exclude(3, 500).expect("both exist");
    let mut scene = Workspace::new().lazy(1000, 3);
    let found = overlaps(gpu, &mut scene, pool, (None, &bodies), &Options::new());
    assert_same(&found, &brute_hits(&bodies), "much to ask");
    assert!(scene.room_for_unfinished() > 1, "no search was cut short");
    // One body that asks very many, and may ask one at a time.
    let mut giant = Bodies::new();
    giant.push(Sphere::new([30.0; 3], 40.0).expect("a ball")).expect("room");
    let many = Named::Uniform.build(20_000, SEED).expect("a scene");
    let mut scene = Workspace::new().lazy(300, 5);
    let found = overlaps(gpu, &mut scene, pool, (Some(&giant), &many), &Options::new());
    let mut expected = Overlaps::new();
    brute::overlaps_between(&giant, &many, &Options::new(), &mut expected);
    assert_same(&found, &expected, "a giant asks");
    assert_eq!(scene.room_for_unfinished(), 1, "the giant's search was not cut short");
    // What the giant has taught is of no account to other queries.
    let cpu = crate::Engine::builder().backend(crate::BackendKind::Cpu).build().expect("the CPU");
    let found = overlaps(gpu, &mut scene, pool, (None, &many), &Options::new());
    assert_same(&found, &cpu.overlaps(&many).expect("an answer"), "after a giant");
}

/// A query that is dropped half way gives its memory back.
fn dropped_queries_leave_nothing(gpu: &Gpu, pool: &Pool) {
    let before = gpu.device.left();
    let bodies = Named::Uniform.build(3000, SEED).expect("a scene");
    let mut out = Overlaps::new();
    let options = Options::new();
    let mut query = Box::pin(gpu.overlaps(pool, (None, &bodies), &options, &mut out, false));
    let mut context = std::task::Context::from_waker(std::task::Waker::noop());
    let ready = query.as_mut().poll(&mut context).is_ready();
    assert!(ready || gpu.device.left() < before, "it has not begun");
    drop(query);
    gpu.release_idle();
    assert_eq!(gpu.device.left(), before);
}

/// What does not fit into one buffer is done in parts: 3000 bodies at one spot, and a budget too small for their pairs. Some stages
/// may be run by their twins.
fn parts(index: usize, pool: &Pool, twins: &[String]) {
    let memory = Some(12 << 20);
    let gpu = Gpu::new(Wish { adapter: Some(index), memory, ..Wish::default() }, false, twins).expect("a device");
    let mut bodies = Bodies::new();
    bodies.extend(vec![Sphere::new([1.0; 3], 1.0).expect("a ball"); 1500]).expect("room");
    bodies.extend(vec![Aabb::new([0.0; 3], [1.0; 3]).expect("a box"); 300]).expect("room");
    let mut scene = gpu.fresh();
    let found = overlaps(&gpu, &mut scene, pool, (None, &bodies), &Options::new());
    assert!(found.pairs().eq((0..1800).flat_map(|a| (a + 1..1800).map(move |b| (a, b)))));
    let found = overlaps(&gpu, &mut scene, pool, (Some(&bodies), &bodies), &Options::new());
    assert!(found.pairs().eq((0..1800).flat_map(|a| (0..1800).map(move |b| (a, b)))));
}

/// A named scene against the CPU backend.
fn golden(gpu: &Gpu, pool: &Pool, named: Named, n: usize) {
    let bodies = named.build(n, SEED).expect("a scene");
    let cpu = crate::Engine::builder().backend(crate::BackendKind::Cpu).build().expect("the CPU");
    let expected = cpu.overlaps(&bodies).expect("an answer");
    let mut scene = Workspace::new();
    let found = overlaps(gpu, &mut scene, pool, (None, &bodies), &Options::new());
    assert_same(&found, &expected, named.name());
    // Boxes with common axes are settled on the device, however they touch.
    if named == Named::Stacks || named == Named::City {
        assert_eq!(found.stats().undecided, 0, "{}", named.name());
    }
    // The filters decide nearly all there is to decide.
    if named == Named::Uniform {
        let planes = planes();
        let sides = scene.cull(&gpu.device, pool, &bodies, bytemuck::cast_slice(&planes), true);
        let open = pollster::block_on(sides).expect("sides").into_iter().filter(|side| *side == 3).count();
        assert!(open * 100 < n, "{open} of {n} sides are left open");
    }
}

/// Coordinates far outside the filters' domain, and where subnormals are flushed.
fn extreme_numbers(gpu: &Gpu, pool: &Pool) {
    let mut scene = Workspace::new().frugal();
    for exponent in [-149, -140, -126, -120, -90, 0, 39, 41, 100, 119, 121, 124] {
        let unit = 2_f64.powi(exponent) as f32;
        let mut bodies = Bodies::new();
        for i in 0..60_u8 {
            let x = f32::from(i % 8) * 0.5 * unit;
            let at = [x, -x, unit * f32::from(i % 3)];
            let q = [0.0, unit, unit, if i % 2 == 0 { 0.0 } else { unit }];
            let turn = glam::Quat::from_array(if exponent.abs() > 110 { [0.0, 1.0, 1.0, f32::from(i % 2)] } else { q });
            bodies.push(Obb::new(at, [unit, unit / 4.0, 0.0], turn).expect("a box")).expect("room");
            bodies.push(Sphere::new(at, unit * f32::from(i % 2)).expect("a ball")).expect("room");
            bodies.push(Aabb::new(at, [at[0] + unit, at[1], at[2] + unit]).expect("a box")).expect("room");
        }
        bodies.push(Aabb::new([-f32::MAX; 3], [f32::MAX; 3]).expect("everything")).expect("room");
        bodies.push(Sphere::new([f32::MAX; 3], f32::MAX).expect("a ball")).expect("room");
        let found = overlaps(gpu, &mut scene, pool, (None, &bodies), &Options::new());
        assert_same(&found, &brute_hits(&bodies), &format!("2^{exponent}"));
    }
}

/// Bodies with one number at an end of the filters' domain, or the next one beyond: kernels tell them apart as their twins do.
fn ends_of_the_domain(gpu: &Gpu, pool: &Pool) {
    let mut bodies = Bodies::new();
    let ones = [1.0; 3];
    let mut ball = |at: [f32; 3], radius: f32| bodies.push(Sphere::new(at, radius).expect("a ball")).expect("room");
    let ends = [domain::LARGEST_LENGTH, domain::LARGEST_LENGTH.next_up()];
    let lengths =
        ends.into_iter().flat_map(|end| (0..3).map(move |k| [0, 1, 2].map(|j| if j == k { end } else { 1.0 })));
    for end in ends {
        ball(ones, end);
    }
    for v in lengths.clone() {
        ball(v, 1.0);
        ball(v.map(|x| -x), 1.0);
    }
    for v in lengths {
        bodies.push(Aabb::new([0.0; 3], v).expect("a box")).expect("room");
        bodies.push(Aabb::new(v.map(|x| -x), [0.0; 3]).expect("a box")).expect("room");
        bodies.push(Obb::new(v.map(|x| -x), ones, glam::Quat::IDENTITY).expect("a box")).expect("room");
        bodies.push(Obb::new(ones, v, glam::Quat::IDENTITY).expect("a box")).expect("room");
    }
    // One coordinate beyond where bounds are widened, and others that a device may flush: 2⁻¹⁴⁰ and up to the next one meet in one.
    for (k, end) in (0..3).flat_map(|k| [(k, 2_f32.powi(120)), (k, 2_f32.powi(121))]) {
        for bits in [1 << 9, (1 << 9) + 1] {
            let tiny = [f32::from_bits(bits), f32::from_bits(1 << 9), f32::from_bits(bits)];
            let with = |x: f32| [0, 1, 2].map(|j| if j == k { x } else { tiny[j] });
            bodies.push(Aabb::new(with(-end), with(1.0)).expect("a box")).expect("room");
            bodies.push(Aabb::new(with(-1.0), with(end)).expect("a box")).expect("room");
        }
    }
    let (largest, smallest) = (domain::LARGEST_TURN, domain::SMALLEST_TURN);
    for turn in [largest, largest.next_up(), smallest, smallest.next_down()] {
        for k in 0..4 {
            let q = [0, 1, 2, 3].map(|j| if j == k { -turn } else { turn / 2.0 });
            bodies.push(Obb::new(ones, ones, glam::Quat::from_array(q)).expect("a box")).expect("room");
        }
    }
    let mut scene = Workspace::new().frugal();
    scene.runner.checked = true;
    let found = overlaps(gpu, &mut scene, pool, (None, &bodies), &Options::new());
    assert_same(&found, &brute_hits(&bodies), "ends of the domain");
}

/// The public vectors: no certain verdict is wrong, and few random pairs are left undecided.
fn vectors(gpu: &Gpu, pool: &Pool) {
    let number = |hex: &str| f32::from_bits(u32::from_str_radix(hex, 16).expect("hex"));
    let mut scene = Workspace::new();
    for (file, kinds) in [
        ("obb_obb", [2, 2]),
        ("sphere_obb", [0, 2]),
        ("aabb_obb", [1, 2]),
        ("sphere_sphere", [0, 0]),
        ("sphere_aabb", [0, 1]),
    ] {
        // Where the tests run, which may be another machine than the one they were built on.
        let root = std::env::var("CARGO_MANIFEST_DIR").unwrap_or_else(|_| ".".to_owned());
        let path = format!("{root}/tests/data/{file}.csv");
        let text = std::fs::read_to_string(path).expect("the vectors");
        let (mut bodies, mut rows) = (Bodies::new(), Vec::new());
        for line in text.lines() {
            let fields: Vec<&str> = line.split(',').collect();
            let numbers: Vec<f32> = fields[1..fields.len() - 1].iter().map(|hex| number(hex)).collect();
            let mut rest = &numbers[..];
            for kind in kinds {
                let (here, after) = rest.split_at([4, 6, 10][kind]);
                rest = after;
                match kind {
                    0 => bodies.push(bytemuck::cast_slice::<f32, Sphere>(here)[0]),
                    1 => bodies.push(bytemuck::cast_slice::<f32, Aabb>(here)[0]),
                    _ => bodies.push(bytemuck::cast_slice::<f32, Obb>(here)[0]),
                }
                .expect("valid");
            }
            rows.push((fields[0].to_owned(), fields[fields.len() - 1].parse::<u32>().expect("a relation")));
        }
        let pairs: Vec<[u32; 2]> = (0..rows.len() as u32).map(|k| [2 * k, 2 * k + 1]).collect();
        let verdicts =
            pollster::block_on(scene.test_pairs(&gpu.device, pool, &bodies, &pairs, true)).expect("verdicts");
        let mut random = (0, 0);
        for ((family, relation), verdict) in rows.iter().zip(&verdicts) {
            let exact = [Relation::Separate, Relation::Touching, Relation::Overlapping][*relation as usize];
            check_verdict(*verdict, exact, &format!("{file}, {family}"));
            if family == "random" {
                random = (random.0 + u32::from(*verdict == 2), random.1 + 1);
            }
        }
        println!("    {file}: {} rows, 0 wrong; random: {} of {} undecided", rows.len(), random.0, random.1);
        // Half of that file's random family lies within a millionth of touching.
        let most = if file == "aabb_obb" { random.1 / 2 + 10 } else { random.1 / 1000 };
        assert!(random.0 <= most, "{file}: too many random pairs are left undecided");
        vectors_as_worlds(gpu, pool, &mut scene, &bodies, &rows, file);
    }
}

/// The same pairs, each in a world of its own, through the whole of a query: what the filters leave open is settled on the device
/// where that can be done, and on the host else.
fn vectors_as_worlds(
    gpu: &Gpu,
    pool: &Pool,
    scene: &mut Workspace,
    bodies: &Bodies,
    rows: &[(String, u32)],
    file: &str,
) {
    let mut apart = Bodies::new();
    for i in 0..bodies.len() {
        apart.push_with(bodies.get(i), Traits::new().world(i as u32 / 2)).expect("room");
    }
    let found = overlaps(gpu, scene, pool, (None, &apart), &Options::new());
    let expected = rows.iter().enumerate().filter(|(_, (_, relation))| *relation > 0).map(|(k, (_, relation))| {
        let exact = [Relation::Separate, Relation::Touching, Relation::Overlapping][*relation as usize];
        (2 * k as u32, 2 * k as u32 + 1, exact)
    });
    assert!(found.iter().eq(expected), "{file}: pairs in worlds of their own");
    let (open, touching) = (found.stats().undecided, rows.iter().filter(|(_, relation)| *relation == 1).count());
    println!("    {file}: {open} left to the host, of {touching} that touch");
}

/// Bodies of one world lie side by side in the order of the device.
fn worlds_are_together(gpu: &Gpu, pool: &Pool) {
    let bodies = Named::Worlds.build(6400, SEED).expect("a scene");
    let mut scene = Workspace::new().frugal();
    overlaps(gpu, &mut scene, pool, (None, &bodies), &Options::new());
    for (first, last) in scene.worlds_of_clusters(&gpu.device, 200) {
        assert!(last - first <= 1, "a cluster with the worlds {first} to {last}");
    }
}
