//! Every kernel against its twin and every query against brute force, on every adapter of this machine (on devices with default limits and on
//! `SwiftShader` with `TANGENCY_TEST_LONG=1` only, and on OpenGL beside another interface otherwise only the kernels of pairs).
//!
//! Each adapter is tested in a process of its own: [`on_every_adapter`] starts the processes, which run [`one_adapter`],
//! [`one_adapter_at_fault`] and [`det::one_adapter`].

mod adapters;
mod adversarial;
mod answers;
mod buffers;
#[path = "../../tests/common/capsule_pairs.rs"]
mod capsule_pairs;
mod changes;
mod cold;
mod det;
mod det_kernel;
mod det_lint;
mod extremes;
#[path = "../../tests/common/half_space_pairs.rs"]
mod half_space_pairs;
mod half_spaces;
mod hulls;
mod layout;
mod ledger;
mod long;
mod parity;
mod poison;
mod queries;
mod rays;
mod regions;
mod resident;
mod room;
mod vectors;

use std::time::Instant;

use adapters::{AdapterTest, is_mutant, on_every_adapter, within_patience};
use answers::{assert_same, check_queries, planes};
pub(super) use parity::compare;

use super::{Gpu, stages};
use crate::parallel::Pool;
use crate::scenes::Scene;

/// Runs the tests below on every adapter of this machine.
#[test]
fn every_adapter() {
    on_every_adapter("gpu::tests::one_adapter");
}

/// Faults that are made on purpose, on every adapter that is not slow: a few of them after the tests above, on kernels that are compiled by then, and all in
/// a process of their own if there is time.
#[test]
fn every_adapter_at_fault() {
    if crate::is_long_test() {
        on_every_adapter("gpu::tests::one_adapter_at_fault");
    }
}

/// All tests on one adapter, in a process of its own.
#[test]
#[ignore = "started by every_adapter, once for each"]
fn one_adapter() {
    let Some(AdapterTest { mut gpu, index, portable, brief }) = AdapterTest::open() else { return };
    // Fewer cases: on slow drivers always, on others unless there is time.
    let few = brief || !crate::is_long_test();
    if is_mutant() && !brief {
        // So that kernels are not compiled once more for a test of its own. (Otherwise that comes with the faults, if there is time: these
        // kernels would be of no use to other programs.)
        gpu.device.alter = Some(poison::poison);
    }
    let pool = Pool::new(None).expect("threads");
    println!("adapter {:?}{}", gpu.adapter(), if portable { ", default limits" } else { "" });
    let mut step = steps();
    let hurried = brief && !crate::is_long_test();
    if hurried && !portable {
        // All kernels have been tested on another adapter: here those that need little time to be compiled.
        buffers::sorts(&gpu.device, brief);
        step("sorts");
        for scene in [Scene::Uniform, Scene::Mixed, Scene::Stacks] {
            room::golden(&gpu, &pool, scene, 2000);
        }
        step("named scenes against the CPU");
        return;
    }
    if is_mutant() {
        most_likely(&gpu, &pool);
        step("what is most likely to notice");
    } else {
        cold::no_kernel_takes_much_longer_than_others(&gpu);
        step("kernels");
    }
    within_patience("the first answer", || answers::whole_queries(&gpu, &pool, 1));
    answers::sets_in_turn(&gpu, &pool);
    step("first answers");
    rays::little_is_left_to_the_host(&gpu, &pool);
    rays::random_scenes(&gpu, &pool, if few { 2 } else { 20 });
    step("rays at random scenes");
    buffers::sorts(&gpu.device, brief);
    buffers::scans(&gpu.device);
    buffers::long_rows(&gpu.device);
    buffers::patches(&gpu.device);
    adversarial::adversarial_buffers(&gpu.device);
    step("buffers of all kinds");
    long::long_rows_and_twins(&gpu, &pool);
    let dispatched = answers::checked_scenes(&gpu, &pool, if few { 2 } else { 8 });
    step(&format!("{dispatched} dispatches beside their twins"));
    resident::beside_twins(&gpu, &pool);
    resident::lists_beside_twins(&gpu, &pool);
    resident::frames_make_nothing_new(&gpu, &pool);
    step("recorded queries");
    vectors::vectors(&gpu, &pool);
    step("vectors");
    let built = gpu.device.kernels_built();
    assert!(is_mutant() || built == stages::ALL.len(), "{built} kernels");
    if hurried {
        // The rest has run with all features of this adapter.
        answers::whole_queries(&gpu, &pool, 2);
        for scene in Scene::ALL {
            room::golden(&gpu, &pool, scene, 2000);
        }
        step("random and named scenes");
        return;
    }
    let dispatched = half_spaces::beside_twins(&gpu, &pool);
    step(&format!("half-spaces: {dispatched} dispatches beside their twins"));
    let dispatched = hulls::beside_twins(&gpu, &pool);
    step(&format!("hulls: {dispatched} dispatches beside their twins"));
    room::nothing_is_lost(&gpu, &pool);
    rays::nothing_is_lost(&gpu, &pool, few);
    step("frugal rays");
    room::long_searches(&gpu, &pool);
    room::worlds_are_together(&gpu, &pool);
    regions::region_queries_leave_no_trace(&gpu, &pool, if few { 4000 } else { 40_000 }, few);
    step("regions");
    answers::whole_queries(&gpu, &pool, if few { 4 } else { 20 });
    step("random scenes against brute force");
    for scene in Scene::ALL {
        // Enough bodies for several nodes on every level but the highest.
        room::golden(&gpu, &pool, scene, if few { 5000 } else { 40_000 });
    }
    step("named scenes against the CPU");
    long::long_rows(&gpu, &pool);
    extremes::extreme_numbers(&gpu, &pool);
    extremes::ends_of_the_domain(&gpu, &pool);
    step("long rows, extreme numbers");
    changes::only_changes_are_uploaded(&gpu, &pool);
    step("uploads of some");
    changes::poses_are_uploaded(&gpu, &pool);
    changes::a_hundredth_is_uploaded(&gpu, &pool);
    step("uploads of poses and of a hundredth");
    changes::exclusions_follow(&gpu, &pool);
    changes::many_places(&gpu, &pool, if few { 10_000 } else { 200_000 });
    if !few {
        changes::without_memory(index, &pool);
    }
    changes::sets_in_turn(&gpu, &pool);
    step("uploads to many places");
    changes::random_changes(&gpu, &pool, if few { 1 } else { 6 });
    step("uploads at random");
    assert!(is_mutant() || gpu.device.kernels_built() == built, "new sizes compile nothing");
    if few {
        at_fault(&mut gpu, index, &pool);
    }
}

/// The tests that most likely notice what is broken, by the name of its file: the first failure is enough, so these are before all others.
fn most_likely(gpu: &Gpu, pool: &Pool) {
    let file = std::env::var("TANGENCY_TEST_BROKEN").unwrap_or_default();
    let is_of = |parts: &[&str]| parts.iter().any(|part| file.contains(part));
    if is_of(&["hull", "polytope", "simplex", "aside"]) {
        hulls::beside_twins(gpu, pool);
    } else if is_of(&["half_space", "heights", "over_pairs"]) {
        half_spaces::beside_twins(gpu, pool);
    } else if is_of(&["ray", "cast", "hits"]) {
        rays::random_scenes(gpu, pool, 2);
    }
    answers::checked_scenes(gpu, pool, 1);
}

/// What is noticed when kernels and memory are not as they should be, on one adapter, in a process of its own.
#[test]
#[ignore = "started by every_adapter_at_fault, once for each"]
fn one_adapter_at_fault() {
    let Some(AdapterTest { mut gpu, index, portable, brief }) = AdapterTest::open() else { return };
    if brief {
        return;
    }
    let pool = Pool::new(None).expect("threads");
    println!("adapter {:?}{}", gpu.adapter(), if portable { ", default limits" } else { "" });
    at_fault(&mut gpu, index, &pool);
    let mut step = steps();
    poison::kernels_clear_what_they_count_with(index, &pool, 6);
    step("poisoned memory");
    ledger::kernels_at_fault(index, &pool);
    step("kernels at fault");
    // Again with the twin of the unstable sort, which gives another order at every call.
    drop(room::parts(index, &pool, None, &["sort_scatter_unstable".to_owned()]));
    step("growth from room for one, and parts, in another order");
}

fn at_fault(gpu: &mut Gpu, index: usize, pool: &Pool) {
    // (SwiftShader takes the longest, and what notices these faults is not the driver.)
    let (mut step, few) = (steps(), !crate::is_long_test() || gpu.adapter().0.contains("SwiftShader"));
    ledger::dispatches_cut_short(gpu, pool, few);
    resident::recorded_stages_cut_short(gpu, pool);
    step("dispatches cut short");
    answers::other_bits_are_noticed(gpu, pool, few);
    step("other bits");
    // (Kernels that are altered as those of this device are in the driver's cache.)
    let alter = gpu.device.alter;
    let gpu = room::parts(index, pool, alter, &[]);
    room::parts_of_contacts(&gpu, pool);
    room::parts_of_nearest(&gpu, pool);
    room::planes_without_room(&gpu, pool);
    step("growth from room for one, and parts");
}

/// Prints what has been done since the last call, and how long it took.
fn steps() -> impl FnMut(&str) {
    let mut last = Instant::now();
    move |name| {
        println!("  {name}: {:.1} s", last.elapsed().as_secs_f64());
        last = Instant::now();
    }
}
