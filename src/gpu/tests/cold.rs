//! The time that each kernel takes to compile and to run for the first time.

use std::time::{Duration, Instant};

use super::super::Gpu;
use super::super::stages::{self, Stage};
use super::super::warm_up::run_on_nothing;
use super::adapters::is_mutant;
use super::within_patience;

/// A kernel is an outlier if it takes longer than this many times the median plus what a kernel that is long may take besides: it alone would
/// then determine the time of the first answer. (Clearing workgroup memory by stores in one thread made one kernel take minutes.)
const OUTLIER: u32 = 10;
/// What a long kernel may take besides: a third of what all take, since machines compile more or less fast, and anywhere as much as this. (The longest, the
/// search for contacts of hulls, takes a fifth on a quiet machine, and more than a quarter beside other work.)
const SHARE: u32 = 3;
const SLACK: Duration = Duration::from_secs(10);

/// How long this process has computed so far, on all of its threads: what else a machine has to do does not count. (Elsewhere than on Linux,
/// how long it has run.)
fn computed(start: Instant) -> Duration {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    // After the name, which ends with the last parenthesis, the twelfth and the thirteenth field: hundredths of a second.
    let fields = stat.rsplit_once(')').map(|(_, rest)| rest.split_whitespace().skip(11).take(2));
    let ticks = fields.and_then(|fields| fields.map(|field| field.parse::<u64>().ok()).sum::<Option<u64>>());
    ticks.map_or_else(|| start.elapsed(), |ticks| Duration::from_millis(10 * ticks))
}

/// Compiles a kernel and runs it with an empty input: many drivers compile on the first run.
fn first_run(gpu: &Gpu, stage: &'static Stage, start: Instant) -> Duration {
    let before = computed(start);
    let ran = pollster::block_on(run_on_nothing(&gpu.device, &[stage]));
    ran.unwrap_or_else(|error| panic!("{} is no valid kernel: {error}", stage.name));
    computed(start).saturating_sub(before)
}

pub(super) fn no_kernel_takes_much_longer_than_others(gpu: &Gpu) {
    let start = Instant::now();
    let first_run = |stage: &'static Stage| within_patience(stage.name, || first_run(gpu, stage, start));
    let mut times: Vec<(Duration, &str)> = stages::ALL.iter().map(|stage| (first_run(stage), stage.name)).collect();
    times.sort_unstable();
    let (median, slowest) = (times[times.len() / 2].0, times[times.len() - 1]);
    let total: Duration = times.iter().map(|(time, _)| *time).sum();
    println!("    first runs: {total:.1?} in all, median {median:.2?}, {} {:.2?}", slowest.1, slowest.0);
    let limit = OUTLIER * median + SLACK.max(total / SHARE);
    assert!(is_mutant() || slowest.0 < limit, "{} takes {:.1?} to compile", slowest.1, slowest.0);
}
