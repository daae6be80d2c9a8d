//! Benchmarks of queries whose bodies are already on the device and whose rows stay there.

use std::time::Duration;

use super::attempt::{self, Plan};
use super::narrow::Narrow;
use super::pair_search::PairSearch;
use super::phases::{Details, Moving};
use super::workspace::Workspace;
use super::{Context, Gpu};
use crate::clock::Stopwatch;
use crate::parallel::Pool;
use crate::{Bodies, Result};

/// Runs over which the times of stages are averaged.
const PROFILED_RUNS: usize = 10;

/// How far a measured query goes.
#[doc(hidden)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Until {
    Candidates,
    /// Sorted pairs.
    Pairs,
    /// Sorted pairs that are at most so far apart.
    Near {
        margin: f32,
    },
    /// Sorted pairs, and the contact of each.
    Contacts,
    /// Sorted pairs that are at most so far apart, and the contact of each.
    Approaches {
        margin: f32,
    },
    /// Sorted pairs that are at most so far apart, and the clearance of each.
    Clearances {
        distance: f32,
    },
    /// Sorted pairs of moving bodies, and when each meets.
    Sweeps,
}

impl Until {
    fn narrow(self) -> Narrow {
        match self {
            Self::Near { margin: distance } | Self::Approaches { margin: distance } | Self::Clearances { distance }
                if distance > 0.0 =>
            {
                Narrow::Near { distance, margins: false }
            }
            Self::Sweeps => Narrow::Moving,
            _ => Narrow::Filter,
        }
    }

    fn details(self) -> Option<Details> {
        match self {
            Self::Contacts => Some(Details::Contacts { most: 4 }),
            Self::Approaches { .. } => Some(Details::Approaches { most: 4 }),
            Self::Clearances { .. } => Some(Details::Clearances),
            Self::Sweeps => Some(Details::Sweeps),
            _ => None,
        }
    }
}

/// The times that [`Engine::measure`](crate::Engine::measure) measured.
#[doc(hidden)]
#[derive(Clone, Debug)]
pub struct Measured {
    /// The time of each run, from the submission of its commands until the status block is mapped on the host.
    pub times: Vec<Duration>,
    /// The time that the host took to record and encode the commands of each run.
    pub encoding: Vec<Duration>,
    /// The mean time of each stage by the device's clock; empty where it has no timestamps.
    pub stages: Vec<(&'static str, Duration)>,
}

/// What is measured.
pub(crate) struct Measures<'a> {
    pub bodies: &'a Bodies,
    pub until: Until,
    /// The bodies that move in these, if they are boxes for that.
    pub moving: Option<Moving<'a>>,
}

impl Gpu {
    /// Times a query whose bodies are on the device and whose rows stay there, then its stages in some more runs.
    pub(crate) fn measure(&self, pool: &Pool, measures: &Measures<'_>, runs: usize) -> Result<Measured> {
        let mut workspace = self.take(measures.bodies, None);
        let mut context = self.context(pool);
        workspace.runner.profile = false;
        let times = pollster::block_on(times(&mut workspace, &mut context, measures, runs));
        workspace.runner.profile = true;
        let stages = match &times {
            // The device is warm now.
            Ok(_) => pollster::block_on(self::times(&mut workspace, &mut context, measures, PROFILED_RUNS))
                .map(|_| workspace.runner.times.clone()),
            Err(_) => Ok(Vec::new()),
        };
        self.give_back(workspace, None, times.is_err() || stages.is_err());
        let stages = stages?.into_iter().map(|(name, time)| (name, time / PROFILED_RUNS as u32)).collect();
        let (encoding, times) = times?.into_iter().map(|[encoding, time]| (encoding, time)).unzip();
        Ok(Measured { times, encoding, stages })
    }
}

/// Times the search as far as is asked. The set is sorted again in each run. Returns for each run
/// the time to encode its commands, and the time from their submission until the status block is mapped.
async fn times(
    workspace: &mut Workspace,
    context: &mut Context<'_>,
    &Measures { bodies, until, moving }: &Measures<'_>,
    runs: usize,
) -> Result<Vec<[Duration; 2]>> {
    let mut times = Vec::new();
    if bodies.is_empty() {
        return Ok(times);
    }
    // One complete query first, so that all buffers have the capacity they need.
    let mut plan = PairSearch::new((None, bodies), until.narrow());
    if let Some(moving) = moving {
        plan = plan.with_moving(moving);
    }
    if let Some(details) = until.details() {
        plan = plan.with_details(details);
    }
    let hits = attempt::answer(&mut plan, workspace, context).await?.partners().len() as u32;
    workspace.runner.times.clear();
    let units = plan.prepare(workspace, context, 1).await?;
    for _ in 0..runs {
        workspace.memory.prepared = None;
        workspace.runner.encoding = Duration::ZERO;
        let start = Stopwatch::start();
        if matches!(until, Until::Pairs | Until::Near { .. }) {
            plan.leave_rows_on_device();
            attempt::run(&mut plan, workspace, context, &(0..units.count)).await?;
        } else {
            let Workspace { memory, runner, .. } = &mut *workspace;
            let search = plan.search();
            let mut recording = memory.begin();
            let own = (0, units.count as u32);
            if let Some(details) = until.details() {
                recording.clear(memory.rows.buffer(), 0..4 * (u64::from(search.rows) + 1));
                memory.prepare(&mut recording, &search);
                memory.search(&mut recording, &search, own);
                memory.find_details(&mut recording, &search, hits, details);
                memory.sign_for_frames(&mut recording);
            } else {
                memory.prepare(&mut recording, &search);
                memory.find_candidates(&mut recording, &search, own);
            }
            runner.run(&context.gpu.device, recording, &[memory.status_reading()]).await?;
        }
        let encoding = workspace.runner.encoding;
        times.push([encoding, start.elapsed().saturating_sub(encoding)]);
    }
    Ok(times)
}
