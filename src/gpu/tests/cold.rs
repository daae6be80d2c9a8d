//! The time that each kernel takes to compile and to run for the first time.

use std::time::{Duration, Instant};

use super::super::Gpu;
use super::super::stages::{self, Stage};
use super::super::warm_up::run_on_nothing;
use super::adapters::is_mutant;
use super::within_patience;

/// A kernel is an outlier if it takes longer than this many times the median plus `SLACK`: it alone would then determine the time of
/// the first answer. (Clearing workgroup memory by stores in one thread made one kernel take minutes.)
const OUTLIER: u32 = 10;
/// What a machine that is busy otherwise may add.
const SLACK: Duration = Duration::from_secs(10);

/// Compiles a kernel and runs it with an empty input: many drivers compile on the first run.
fn first_run(gpu: &Gpu, stage: &'static Stage) -> Duration {
    let start = Instant::now();
    pollster::block_on(run_on_nothing(&gpu.device, &[stage])).expect("a valid kernel");
    start.elapsed()
}

pub(super) fn no_kernel_takes_much_longer_than_others(gpu: &Gpu) {
    let mut times: Vec<(Duration, &str)> =
        stages::ALL.iter().map(|stage| (within_patience(stage.name, || first_run(gpu, stage)), stage.name)).collect();
    times.sort_unstable();
    let (median, slowest) = (times[times.len() / 2].0, times[times.len() - 1]);
    let total: Duration = times.iter().map(|(time, _)| *time).sum();
    println!("    first runs: {total:.1?} in all, median {median:.2?}, {} {:.2?}", slowest.1, slowest.0);
    assert!(is_mutant() || slowest.0 < OUTLIER * median + SLACK, "{} takes {:.1?} to compile", slowest.1, slowest.0);
}
