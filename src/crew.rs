//! Jobs that run in the background, with futures that are ready when a job is done.
//!
//! Queries that are awaited run here, so that they never block an executor: CPU queries on the engine's
//! [pool](crate::parallel::Pool), and GPU queries, which wait for the device, on threads that may block and are kept for the next
//! query.

use std::any::Any;
use std::collections::VecDeque;
use std::future::Future;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::pin::Pin;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, Waker};
use std::time::Duration;

use crate::clock::Stopwatch;

type Job = Box<dyn FnOnce() + Send>;

/// The time that an idle thread waits for the next job before it ends: an application that runs queries now and then keeps its
/// thread.
const IDLE: Duration = Duration::from_secs(10);

/// A pool of threads that may block. It grows to the largest number of jobs that ran at once, and idle threads end after
/// [`IDLE`].
#[derive(Default)]
struct Crew {
    queue: Mutex<Queue>,
    arrived: Condvar,
}

#[derive(Default)]
struct Queue {
    jobs: VecDeque<Job>,
    /// The number of threads that wait for a job.
    waiting: usize,
}

static CREW: std::sync::LazyLock<Crew> = std::sync::LazyLock::new(Crew::default);

impl Crew {
    fn lock(&self) -> MutexGuard<'_, Queue> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The loop of a thread: runs jobs until there has been none for [`IDLE`].
    fn work(&self) {
        let mut queue = self.lock();
        loop {
            while let Some(job) = queue.jobs.pop_front() {
                drop(queue);
                job();
                queue = self.lock();
            }
            queue.waiting += 1;
            let (guard, timeout) = self.arrived.wait_timeout(queue, IDLE).unwrap_or_else(PoisonError::into_inner);
            queue = guard;
            queue.waiting -= 1;
            if timeout.timed_out() && queue.jobs.is_empty() {
                return;
            }
        }
    }
}

/// Runs a job on a thread that may block. If no thread can be started, the job runs on the caller's.
pub(crate) fn spawn(job: impl FnOnce() + Send + 'static) {
    let mut queue = CREW.lock();
    queue.jobs.push_back(Box::new(job));
    if queue.waiting >= queue.jobs.len() {
        drop(queue);
        CREW.arrived.notify_one();
        return;
    }
    drop(queue);
    let started = std::thread::Builder::new().name("tangency".to_owned()).spawn(|| CREW.work());
    if started.is_err() {
        let job = CREW.lock().jobs.pop_front();
        if let Some(job) = job {
            job();
        }
    }
}

/// The result or the panic of a job, and the waker of the task that waits for it.
struct Slot<T> {
    outcome: Option<Result<T, Box<dyn Any + Send>>>,
    waker: Option<Waker>,
}

/// A future that is ready when a job is done. If it is dropped, the job still runs to its end.
pub(crate) struct Outcome<T> {
    slot: Arc<Mutex<Slot<T>>>,
}

impl<T: Send + 'static> Outcome<T> {
    /// Starts `job` by `spawn`.
    pub(crate) fn of(job: impl FnOnce() -> T + Send + 'static, spawn: impl FnOnce(Job)) -> Self {
        let slot = Arc::new(Mutex::new(Slot { outcome: None, waker: None }));
        let result = Arc::clone(&slot);
        spawn(Box::new(move || {
            let outcome = catch_unwind(AssertUnwindSafe(job));
            let waker = {
                let mut slot = result.lock().unwrap_or_else(PoisonError::into_inner);
                slot.outcome = Some(outcome);
                slot.waker.take()
            };
            drop(result);
            if let Some(waker) = waker {
                waker.wake();
            }
        }));
        Self { slot }
    }
}

/// Wakes a thread that is parked.
struct Unpark(std::thread::Thread);

impl std::task::Wake for Unpark {
    fn wake(self: Arc<Self>) {
        self.0.unpark();
    }
}

impl<T> Outcome<T> {
    /// Waits for the job on this thread. Returns nothing if it has not ended after so long.
    #[cfg_attr(not(feature = "gpu"), allow(dead_code, reason = "only a device is waited for"))]
    pub(crate) fn within(mut self, limit: Duration) -> Option<T> {
        let (start, waker) = (Stopwatch::start(), Waker::from(Arc::new(Unpark(std::thread::current()))));
        loop {
            if let Poll::Ready(value) = Pin::new(&mut self).poll(&mut Context::from_waker(&waker)) {
                return Some(value);
            }
            let left = limit.checked_sub(start.elapsed()).filter(|left| !left.is_zero())?;
            std::thread::park_timeout(left);
        }
    }
}

impl<T> Future for Outcome<T> {
    type Output = T;

    fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<T> {
        let mut slot = self.slot.lock().unwrap_or_else(PoisonError::into_inner);
        match slot.outcome.take() {
            Some(Ok(value)) => Poll::Ready(value),
            Some(Err(panic)) => {
                drop(slot);
                resume_unwind(panic)
            }
            None => {
                slot.waker = Some(context.waker().clone());
                Poll::Pending
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;

    #[test]
    fn jobs_run_beside_each_other_and_all_of_them() {
        // Each job waits for all others, so that they must run at once.
        let barrier = Arc::new(std::sync::Barrier::new(20));
        let outcomes: Vec<Outcome<usize>> = (0..20)
            .map(|k| {
                let barrier = Arc::clone(&barrier);
                Outcome::of(move || (barrier.wait(), k).1, spawn)
            })
            .collect();
        let sum: usize = outcomes.into_iter().map(pollster::block_on).sum();
        assert_eq!(sum, 190);
        // Again, on the threads that are idle now.
        let done = Arc::new(AtomicUsize::new(0));
        for _ in 0..500 {
            let done = Arc::clone(&done);
            pollster::block_on(Outcome::of(move || done.fetch_add(1, Ordering::SeqCst), spawn));
        }
        assert_eq!(done.load(Ordering::SeqCst), 500);
    }

    #[test]
    fn a_panic_reaches_whoever_waits() {
        let outcome: Outcome<()> = Outcome::of(|| panic!("on purpose"), spawn);
        let caught = catch_unwind(AssertUnwindSafe(|| pollster::block_on(outcome)));
        assert_eq!(caught.expect_err("a panic").downcast_ref(), Some(&"on purpose"));
        assert_eq!(pollster::block_on(Outcome::of(|| 7, spawn)), 7);
    }

    #[test]
    fn a_job_is_waited_for_so_long_and_no_longer() {
        let (sender, receiver) = std::sync::mpsc::channel::<()>();
        let quick = Outcome::of(|| 7, spawn);
        assert_eq!(quick.within(Duration::from_secs(60)), Some(7));
        let stuck = Outcome::of(move || receiver.recv(), spawn);
        assert_eq!(stuck.within(Duration::from_millis(20)), None);
        drop(sender);
    }

    #[test]
    fn a_dropped_outcome_lets_its_job_end() {
        let (sender, receiver) = std::sync::mpsc::channel();
        drop(Outcome::of(move || sender.send(1), spawn));
        assert_eq!(receiver.recv(), Ok(1));
    }
}
