//! Several queries in flight on one engine: while the device works for one, the host prepares or unpacks another.
//!
//! `cargo run --release --example in_flight [BODIES]`

use std::future::{Future, IntoFuture, poll_fn};
use std::pin::Pin;
use std::task::Poll;
use std::time::{Duration, Instant};

use tangency::scenes::Scene;
use tangency::{Bodies, Engine, Overlaps, Result};

/// Queries at the same time.
const AT_ONCE: usize = 4;
/// How often everything is measured.
const RUNS: usize = 9;

fn main() -> Result<()> {
    let bodies = std::env::args().nth(1).and_then(|count| count.parse().ok()).unwrap_or(100_000);
    let engine = Engine::new()?;
    let mut sets = (0..AT_ONCE as u64).map(|seed| Scene::Uniform.build(bodies, seed)).collect::<Result<Vec<_>>>()?;
    let mut times = [Vec::new(), Vec::new()];
    let mut expected = Vec::new();
    // The first round warms up.
    for _ in 0..=RUNS {
        renew(&mut sets)?;
        let start = Instant::now();
        expected = sets.iter().map(|set| engine.overlaps(set).run()).collect::<Result<Vec<_>>>()?;
        times[0].push(start.elapsed());
        renew(&mut sets)?;
        let start = Instant::now();
        let found = pollster::block_on(all(sets.iter().map(|set| engine.overlaps(set).into_future()).collect()))?;
        times[1].push(start.elapsed());
        assert!(found == expected, "the same answers");
    }
    let [one_by_one, at_once] = times.map(|times| median(times[1..].to_vec()));
    let hits: usize = expected.iter().map(Overlaps::len).sum();
    println!(
        "{} ({}), {AT_ONCE} sets of {bodies} bodies, {hits} hits",
        engine.info().backend.name(),
        engine.info().why
    );
    println!("one by one {one_by_one:.2?}, at once {at_once:.2?}");
    Ok(())
}

/// Replaces every body by an equal one, so that all of them have to be uploaded.
fn renew(sets: &mut [Bodies]) -> Result<()> {
    for set in sets {
        let shapes = (0..set.len() as u32).map(|i| set.shape(i)).collect::<Result<Vec<_>>>()?;
        set.set_shapes(0, shapes)?;
    }
    Ok(())
}

/// The results of all futures, in order; most programs take this from a library such as `futures`.
async fn all<T, F: Future<Output = Result<T>> + Unpin>(mut futures: Vec<F>) -> Result<Vec<T>> {
    let mut done: Vec<Option<Result<T>>> = futures.iter().map(|_| None).collect();
    poll_fn(|context| {
        for (future, done) in futures.iter_mut().zip(&mut done).filter(|(_, done)| done.is_none()) {
            if let Poll::Ready(result) = Pin::new(future).poll(context) {
                *done = Some(result);
            }
        }
        if done.iter().all(Option::is_some) { Poll::Ready(()) } else { Poll::Pending }
    })
    .await;
    done.into_iter().flatten().collect()
}

fn median(mut times: Vec<Duration>) -> Duration {
    times.sort_unstable();
    times[times.len() / 2]
}
