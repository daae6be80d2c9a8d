//! Injected faults, of kinds that drivers commit: each is noticed before an answer is returned.

use super::super::Gpu;
use super::super::device::DeviceRequest;
use super::super::runner::Fault;
use super::super::stages::{self, Stage};
use super::super::workspace::Workspace;
use super::queries::{
    brute_force, candidates, clearances, closest, contacts, near, near_by_brute_force, points_of, sides, sweeps,
    try_overlaps, verdicts,
};
use super::{assert_same, hulls, planes, rays};
use crate::parallel::Pool;
use crate::scenes::{SEED, Scene, random_rays};
use crate::shape::kinds::Kind;
use crate::shape::{Aabb, Obb, Shape, Sphere};
use crate::{Bodies, Error, Overlaps, Result, Traits};

/// Sets whose queries use all stages: several worlds, all kinds, disabled bodies, long rows, a giant that searches many clusters,
/// keys of several digits.
fn sets() -> [Bodies; 5] {
    let mut all = Scene::Mixed.build(700, SEED).expect("a scene");
    for k in 0..100_u16 {
        let x = f32::from(k) * 0.05;
        let traits = Traits::new().world(u32::from(k % 3));
        all.push_with(Sphere::new([x, 0.0, 0.0], 0.3).expect("a ball"), traits).expect("room");
        all.push_with(Aabb::new([x, 0.0, 0.0], [x + 0.1, 0.1, 0.1]).expect("a box"), traits).expect("room");
    }
    all.disable(3).expect("it exists");
    all.disable(650).expect("it exists");
    // A floor under boxes that stand on it, turned about the vertical.
    let mut stacks = Bodies::new();
    stacks.push(Aabb::new([-900.0, -1.0, -900.0], [900.0, 0.0, 900.0]).expect("a box")).expect("room");
    for k in 0..600_u16 {
        let at = [f32::from(k % 40) * 3.0, 1.0, f32::from(k / 40) * 3.0];
        let turn = glam::Quat::from_rotation_y(f32::from(k) * 0.1);
        stacks.push(Obb::new(at, [1.0; 3], turn).expect("a box")).expect("room");
    }
    let mut giant = Bodies::new();
    giant.push(Sphere::new([30.0; 3], 400.0).expect("a ball")).expect("room");
    // So close together, in a large space, that keys need several digits.
    let mut line = Bodies::new();
    for k in 0..500_u16 {
        line.push(Sphere::new([f32::from(k) * 0.9, 0.0, 0.0], 0.5).expect("a ball")).expect("room");
    }
    for k in 0..25_u8 {
        let at = f32::from(k) * 80.0 - 1000.0;
        line.push(Sphere::new([at, -at, at], 0.5).expect("a ball")).expect("room");
    }
    [all, stacks, giant, line, hulls::near_pairs_and_a_heap()]
}

/// How far apart the bodies of some pairs may be.
const MARGIN: f32 = 0.1;

/// All kinds of queries, one after the other, in one workspace. Returns their answers.
fn run_all_queries(gpu: &Gpu, pool: &Pool, workspace: &mut Workspace, sets: &mut [Bodies; 5]) -> Result<Vec<Overlaps>> {
    // Changes in many ranges, which are uploaded as patches.
    for k in 0..20 {
        let shape = Shape::from(sets[0].get(40 * k));
        sets[0].set_shape(40 * k as u32, shape).expect("it exists");
    }
    let [all, stacks, giant, line, _] = &*sets;
    let mut answers = Vec::new();
    for (searching, searched) in [(None, all), (None, stacks), (None, line), (Some(giant), all), (Some(all), giant)] {
        answers.push(try_overlaps(gpu, workspace, pool, (searching, searched))?);
    }
    for (searching, searched) in [(None, all), (Some(giant), all)] {
        answers.push(near(gpu, workspace, pool, (searching, searched), MARGIN)?);
    }
    for within in [None, Some(MARGIN)] {
        answers.push(contacts(gpu, workspace, pool, (None, all), (4, within))?.pairs().clone());
    }
    answers.push(clearances(gpu, workspace, pool, (None, line), MARGIN)?.pairs().clone());
    let [found, expected] = sweeps(gpu, workspace, pool, (None, line), 1)?;
    assert!(found == expected, "moving bodies");
    for count in [1, 2] {
        let [found, expected] = closest(gpu, workspace, pool, (&points_of(line), all), (count, f32::INFINITY))?;
        assert!(found == expected, "the nearest {count} bodies");
    }
    drop(candidates(gpu, workspace, pool, (None, all))?);
    let pairs: Vec<[u32; 2]> = (0..800).map(|k| [k, (k * 7 + 1) % 800]).collect();
    verdicts(gpu, workspace, pool, all, &pairs)?;
    sides(gpu, workspace, pool, all, &planes())?;
    rays::try_rays(gpu, pool, workspace, all, &random_rays(all, 300, 5))?;
    rays::try_picture(gpu, pool, workspace, stacks)?;
    Ok(answers)
}

/// Those of hulls, whose stages no others need.
fn run_queries_of_hulls(gpu: &Gpu, pool: &Pool, workspace: &mut Workspace, hulls: &Bodies) -> Result<Vec<Overlaps>> {
    let sets = (None, hulls);
    let answers = vec![
        try_overlaps(gpu, workspace, pool, sets)?,
        contacts(gpu, workspace, pool, sets, (4, None))?.pairs().clone(),
        clearances(gpu, workspace, pool, sets, MARGIN)?.pairs().clone(),
    ];
    // (Half-spaces have no size to move by.)
    let mut moving = Bodies::new();
    for id in (0..hulls.id_bound()).filter(|id| hulls.kind(*id) != Kind::Plane) {
        let shape = hulls.shape(id as u32).expect("a body");
        moving.push_with(shape, hulls.all_traits()[id]).expect("room");
    }
    let [found, expected] = sweeps(gpu, workspace, pool, (None, &moving), 1)?;
    assert!(found == expected, "moving hulls");
    rays::try_rays(gpu, pool, workspace, hulls, &random_rays(hulls, 200, 5))?;
    Ok(answers)
}

/// Queries that need a stage.
fn run_queries_of(
    stage: &Stage,
    (gpu, pool): (&Gpu, &Pool),
    workspace: &mut Workspace,
    sets: &mut [Bodies; 5],
) -> Result<Vec<Overlaps>> {
    if stage.name.contains("hull") {
        run_queries_of_hulls(gpu, pool, workspace, &sets[4])
    } else {
        run_all_queries(gpu, pool, workspace, sets)
    }
}

/// The answers to all queries, and to those of hulls.
fn expected(sets: &[Bodies; 5]) -> [Vec<Overlaps>; 2] {
    let [all, stacks, giant, line, hulls] = sets;
    let sets = [(None, all), (None, stacks), (None, line), (Some(giant), all), (Some(all), giant)];
    let mut expected = sets.map(brute_force).to_vec();
    expected.extend([(None, all), (Some(giant), all)].map(|sets| near_by_brute_force(sets, MARGIN)));
    expected.push(brute_force((None, all)));
    expected.push(near_by_brute_force((None, all), MARGIN));
    expected.push(near_by_brute_force((None, line), MARGIN));
    let meeting = brute_force((None, hulls));
    [expected, vec![meeting.clone(), meeting, near_by_brute_force((None, hulls), MARGIN)]]
}

/// A workspace with small capacities, whose searches are cut short after few iterations.
fn memory() -> Workspace {
    Workspace::new().frugal().limited(400, 1000)
}

/// If there are to be few cases, only one in so many stages is cut short.
const FEW: usize = 64;

/// Each stage in turn gets only half of its workgroups: always, which is an error, and once, which a retry repairs.
pub(super) fn dispatches_cut_short(gpu: &Gpu, pool: &Pool, few: bool) {
    let mut sets = sets();
    let [of_all, of_hulls] = expected(&sets);
    let (mut noticed, mut seen) = (0, Vec::new());
    let stages: Vec<&Stage> = of_queries().collect();
    for (number, stage) in stages.iter().enumerate() {
        for left in [usize::MAX, 1] {
            if few && number % FEW != 0 && stage.name != stages::FIND_PAIRS.name {
                continue;
            }
            let mut workspace = memory();
            if stage.name == "patch_records" {
                // The first upload needs no patches.
                run_all_queries(gpu, pool, &mut workspace, &mut sets).expect("no fault yet");
            }
            workspace.runner.fault = Some(Fault { stage: stage.name, left, happened: 0 });
            let result = run_queries_of(stage, (gpu, pool), &mut workspace, &mut sets);
            let happened = workspace.runner.fault.take().map_or(0, |fault| fault.happened);
            if happened > 0 && left > 1 {
                seen.push(stage.name);
            }
            match result {
                // A retry repaired it, or the workgroups that were left out had no work.
                Ok(found) => {
                    let what = format!("{} cut short {happened} times", stage.name);
                    let expected = if stage.name.contains("hull") { &of_hulls } else { &of_all };
                    found.iter().zip(expected).for_each(|(found, expected)| assert_same(found, expected, &what));
                    // (A retry needs no patches: it uploads whole sets.)
                    let mended = left == 1 || stage.name == "patch_records";
                    assert!(mended || happened == 0, "{}: nobody noticed", stage.name);
                }
                Err(Error::Incomplete { stage: named, .. }) => {
                    assert!(left > 1 && named == stage.name, "{}: noticed as {named}", stage.name);
                    noticed += 1;
                }
                Err(error) => panic!("{}: {error}", stage.name),
            }
        }
    }
    println!("    {} stages cut short, {noticed} for good: all noticed", seen.len());
    let tried = if few { stages.len().div_ceil(FEW) + 1 } else { stages.len() };
    let unused: Vec<_> = stages.iter().map(|stage| stage.name).filter(|name| !seen.contains(name)).collect();
    assert!(seen.len() + 1 >= tried && noticed + 1 >= seen.len(), "stages that no query used: {unused:?}");
}

/// The source of a kernel whose first workgroup returns at once.
fn returns_early(source: &str, stage: &Stage) -> String {
    let (at, id) = entry(source, stage);
    let mut faulty = source.to_owned();
    faulty.insert_str(at, &format!("\n    if {id}.x == 0u && {id}.y == 0u {{\n        return;\n    }}"));
    faulty
}

/// Where the body of a kernel begins, and the name of its workgroup id.
fn entry<'a>(source: &'a str, stage: &Stage) -> (usize, &'a str) {
    let start = source.find(&format!("fn {}(", stage.name)).expect("the kernel");
    let at = start + source[start..].find(") {").expect("its body") + 3;
    let builtin = "@builtin(workgroup_id) ";
    let id = start + source[start..].find(builtin).expect("its workgroup") + builtin.len();
    (at, &source[id..id + source[id..].find(':').expect("a type")])
}

/// An alteration of the source of a kernel.
type Sabotage<'a> = Box<dyn Fn(&str, &Stage) -> String + 'a>;

/// The stages that run in recorded queries only.
pub(super) fn recorded_stages() -> impl Iterator<Item = &'static Stage> {
    let names = [
        "import_bodies",
        "measure_grid",
        "summarize",
        "list_undecided",
        "count_undecided",
        "summarize_list",
        "mark_open_rays",
        "publish_hits",
    ];
    stages::ALL.iter().copied().filter(move |stage| names.contains(&stage.name))
}

/// The stages of queries whose answers the host gets.
fn of_queries() -> impl Iterator<Item = &'static Stage> {
    let is_recorded = |stage: &&Stage| recorded_stages().any(|other| std::ptr::eq(other, *stage));
    stages::ALL.iter().copied().filter(move |stage| !is_recorded(stage))
}

/// Faulty kernels: a workgroup returns early, or a cluster is searched twice in place of another.
pub(super) fn kernels_at_fault(index: usize, pool: &Pool) {
    let mut sets = sets();
    let mut gpu =
        pollster::block_on(Gpu::new(DeviceRequest { adapter: Some(index), ..DeviceRequest::default() }, false, &[]))
            .expect("a device");
    let warps = gpu.device.warps();
    let twice = |source: &str, _: &Stage| {
        let from = "let cluster = params.first_cluster + group_number(group, groups) * WARPS + warp_of(thread);";
        assert!(source.contains(from));
        // The second cluster is replaced by the first.
        let to = from.replace("let cluster", "let which").replace(
            ';',
            ";\n    let cluster = select(which, params.first_cluster, which == params.first_cluster + 1u);",
        );
        source.replace(from, &to)
    };
    let mut faults: Vec<(&'static Stage, Sabotage<'_>)> =
        of_queries().map(|stage| (stage, Box::new(returns_early) as Sabotage<'_>)).collect();
    faults.push((&stages::FIND_PAIRS, Box::new(twice)));
    faults.push((&stages::ALL_PAIRS, Box::new(twice)));
    let mut noticed = 0;
    for (stage, sabotage) in &faults {
        gpu.device.sabotage(stage, |source| sabotage(source, stage));
        let mut workspace = if stage.name == "all_pairs" { Workspace::new().limited(400, 1000) } else { memory() };
        let mut run = || run_queries_of(stage, (&gpu, pool), &mut workspace, &mut sets);
        let result = run().and_then(|_| run());
        gpu.device.repair(stage);
        match result {
            Err(Error::Incomplete { stage: named, .. }) => {
                assert_eq!(named, stage.name, "noticed as another");
                noticed += 1;
            }
            // A retry uploads whole sets, without patches.
            Ok(_) => assert_eq!(stage.name, "patch_records", "nobody noticed"),
            Err(error) => panic!("{}: {error}", stage.name),
        }
    }
    println!("    {noticed} kernels at fault, all noticed ({warps} clusters a workgroup)");
}
