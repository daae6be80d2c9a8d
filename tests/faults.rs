//! Drivers that fail: at every call in the life of an engine a Vulkan layer (`tests/faults/layer.c`) lets the driver lose its device, or run
//! out of memory. A GPU that was chosen automatically gives way to the CPU, one that was asked for says what is wrong, and the next
//! call works.
//!
//! A few faults by default; with `TANGENCY_TEST_LONG=1` at every call in one of five ways; with `TANGENCY_TEST_FAULTS=all` in three of them, and in a
//! longer life too.
#![cfg(all(feature = "gpu", target_os = "linux", target_pointer_width = "64"))]

#[path = "faults/driver.rs"]
mod driver;
#[path = "faults/life.rs"]
mod life;
#[path = "faults/sweep.rs"]
mod sweep;

use driver::{Fault, LASTING, ONCE};
use sweep::{Case, Sweep};

/// What the driver returns, by name.
const KINDS: [(&str, Fault); 5] = [
    ("device lost, and all later calls fail", Fault { result: -4, lasting: LASTING }),
    ("device lost, reported once", Fault { result: -4, lasting: ONCE }),
    ("out of device memory", Fault { result: -2, lasting: ONCE }),
    ("out of host memory", Fault { result: -1, lasting: ONCE }),
    ("out of device memory, and all later calls fail", Fault { result: -2, lasting: LASTING }),
];

/// Calls that do not return: of which function, and which of its calls.
const HANGS: [(&str, u64); 8] = [
    ("vkWaitSemaphores", 1),
    ("vkQueueSubmit", 3),
    ("vkGetSemaphoreCounterValue", 0),
    ("vkCreateComputePipelines", 4),
    ("vkAllocateMemory", 0),
    ("vkCreateDevice", 0),
    ("vkCreateBuffer", 25),
    ("vkMapMemory", 0),
];

fn is_long() -> bool {
    std::env::var("TANGENCY_TEST_LONG").is_ok_and(|value| value == "1")
}

fn is_all() -> bool {
    std::env::var("TANGENCY_TEST_FAULTS").is_ok_and(|value| value == "all")
}

/// No panic, no abort, no hang and no wrong answer, whatever call of the driver fails, and however.
#[test]
fn every_call_of_the_driver_may_fail() {
    let Some(sweep) = Sweep::new(false) else { return };
    let calls = sweep.count_calls();
    println!("{calls} calls of the driver in the life of an engine");
    assert!(calls > 100, "{calls} calls: the layer sees too few");
    // In all ways by turns; by default a few calls.
    let step = if is_long() { 1 } else { calls / 24 };
    let ways = if is_all() { 3 } else { 1 };
    let mut cases = Vec::new();
    for (number, call) in (0_usize..).zip((0..calls).step_by(step as usize)) {
        for way in 0..ways {
            let kind = (number + 2 * way) % KINDS.len();
            cases.push(Case { call, kind, automatic: (number / KINDS.len() + way).is_multiple_of(2) });
        }
    }
    let found = sweep.run(&cases);
    print!("{found}");
    assert!(found.is_good(), "{found}");
    // How many calls there are differs by a few from time to time.
    assert!(found.faults() >= if is_long() { 300 } else { 20 }, "{found}");
    assert!(found.told() > found.faults() / 4, "too few failures are mentioned by info(): {found}");
}

/// The same in a longer life, with every query there is, each call once.
#[test]
fn every_call_of_every_query_may_fail() {
    if !is_all() {
        println!("NOT RUN: takes an hour; TANGENCY_TEST_FAULTS=all");
        return;
    }
    let Some(sweep) = Sweep::new(true) else { return };
    let case = |call: u64| Case { call, kind: call as usize % KINDS.len(), automatic: (call / 5).is_multiple_of(2) };
    let found = sweep.run(&(0..sweep.count_calls()).map(case).collect::<Vec<_>>());
    print!("{found}");
    assert!(found.is_good(), "{found}");
}

/// Calls of the driver that never return: with a time limit, others answer or there is an error, and the next call works.
#[test]
fn a_driver_may_hang() {
    let Some(sweep) = Sweep::new(false) else { return };
    let hangs = if is_long() { &HANGS[..] } else { &HANGS[..1] };
    let mut cases = Vec::new();
    for kind in 0..hangs.len() {
        let case = Case { call: 0, kind: KINDS.len() + 1 + kind, automatic: true };
        cases.extend([case, Case { automatic: false, ..case }]);
    }
    if !is_long() {
        cases.truncate(1);
    }
    let found = sweep.run(&cases);
    print!("{found}");
    assert!(found.is_good() && found.faults() == cases.len(), "{found}");
}

/// Runs the cases of one process. Started by the other tests.
#[test]
#[ignore = "started by every_call_of_the_driver_may_fail, with the layer"]
fn child() {
    life::run_cases();
}
