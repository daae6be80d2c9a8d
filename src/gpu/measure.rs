//! How long queries take whose bodies are on the device and whose answer stays there.

use std::time::Duration;

use super::attempt::{self, Plan};
use super::pair_search::PairSearch;
use super::workspace::{Narrow, Workspace};
use super::{Context, Gpu};
use crate::clock::Stopwatch;
use crate::parallel::Pool;
use crate::{Bodies, Result};

/// How often stages are measured.
const PROFILED_RUNS: usize = 10;

/// What [`Engine::measure`](crate::Engine::measure) found.
#[doc(hidden)]
#[derive(Clone, Debug)]
pub struct Measured {
    /// The time of each run, from the submission of its commands to the status in the host's hands.
    pub times: Vec<Duration>,
    /// The time that it took to write its commands.
    pub encoding: Vec<Duration>,
    /// The mean time of each stage by the device's clock, where it has one.
    pub stages: Vec<(&'static str, Duration)>,
}

impl Gpu {
    /// Times of a query whose bodies are on the device and whose answer stays there, and of its stages in some more runs.
    pub(crate) fn measure(&self, pool: &Pool, bodies: &Bodies, rows: bool, runs: usize) -> Result<Measured> {
        let mut workspace = self.take(bodies, None);
        let mut context = self.context(pool);
        workspace.runner.profile = false;
        let times = pollster::block_on(times(&mut workspace, &mut context, bodies, rows, runs));
        workspace.runner.profile = true;
        let stages = match &times {
            // The device is warm; the stages are averaged over a few runs.
            Ok(_) => pollster::block_on(self::times(&mut workspace, &mut context, bodies, rows, PROFILED_RUNS))
                .map(|_| workspace.runner.times.clone()),
            Err(_) => Ok(Vec::new()),
        };
        self.give_back(workspace, None, times.is_err() || stages.is_err());
        let stages = stages?.into_iter().map(|(name, time)| (name, time / PROFILED_RUNS as u32)).collect();
        let (encoding, times) = times?.into_iter().map(|[encoding, time]| (encoding, time)).unzip();
        Ok(Measured { times, encoding, stages })
    }
}

/// How long the search takes, as far as the candidates or to the rows. The set is ordered anew each time. Of each run, the time that it
/// took to write the commands, and from their submission to the status in the host's hands.
async fn times(
    workspace: &mut Workspace,
    context: &mut Context<'_>,
    bodies: &Bodies,
    rows: bool,
    runs: usize,
) -> Result<Vec<[Duration; 2]>> {
    let mut times = Vec::new();
    if bodies.is_empty() {
        return Ok(times);
    }
    // Once with all that belongs to it, so that there is room.
    let mut plan = PairSearch::new((None, bodies), Narrow::Filter);
    attempt::answer(&mut plan, workspace, context).await?;
    workspace.runner.times.clear();
    let units = plan.prepare(workspace, context, 1).await?;
    for _ in 0..runs {
        workspace.memory.prepared = None;
        workspace.runner.encoding = Duration::ZERO;
        let start = Stopwatch::start();
        if rows {
            plan.leave_rows_on_device();
            attempt::run(&mut plan, workspace, context, &(0..units.count)).await?;
        } else {
            let Workspace { memory, runner, .. } = &mut *workspace;
            let (search, mut recording) = (plan.search(), memory.begin());
            memory.prepare(&mut recording, &search);
            memory.find_candidates(&mut recording, &search, (0, units.count));
            runner.run(&context.gpu.device, recording, &[memory.status_reading()]).await?;
        }
        let encoding = workspace.runner.encoding;
        times.push([encoding, start.elapsed().saturating_sub(encoding)]);
    }
    Ok(times)
}
