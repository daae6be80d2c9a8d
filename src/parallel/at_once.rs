//! Loops of a millisecond or less, which the caller's thread begins at once.

use std::sync::Mutex;
#[cfg(feature = "rayon")]
use std::sync::atomic::{AtomicUsize, Ordering};
#[cfg(feature = "rayon")]
use std::time::Duration;

#[cfg(feature = "rayon")]
use super::Threads;
use super::{Pool, hold, taken};
#[cfg(feature = "rayon")]
use crate::clock::Stopwatch;

/// Tasks for each thread that helps the caller's.
#[cfg(feature = "rayon")]
const TASKS_OF_A_HELPER: usize = 3;
/// Threads that a thread wakes up before it begins with its own tasks.
#[cfg(feature = "rayon")]
const WOKEN: usize = 4;
/// How long the caller's thread stays awake at the end, while others end their last tasks: about as long as waking up takes.
#[cfg(feature = "rayon")]
const AWAKE: Duration = Duration::from_micros(100);

/// A loop that several threads share, each of which takes the next number.
#[cfg(feature = "rayon")]
struct Shared<'a> {
    count: usize,
    work: &'a (dyn Fn(usize) + Sync),
    next: AtomicUsize,
    /// How many calls have ended.
    done: AtomicUsize,
}

#[cfg(feature = "rayon")]
impl Shared<'_> {
    /// The part of the caller's thread: it also waits for the others.
    fn lead<'s>(&'s self, scope: &rayon::Scope<'s>, helpers: usize) {
        self.help(scope, helpers);
        let start = Stopwatch::start();
        while self.done.load(Ordering::Acquire) < self.count && start.elapsed() < AWAKE {
            std::hint::spin_loop();
        }
    }

    /// Wakes up so many others, some of which wake up others in turn, and calls `work` until nothing is left.
    fn help<'s>(&'s self, scope: &rayon::Scope<'s>, others: usize) {
        let woken = others.min(WOKEN);
        for k in 0..woken {
            let below = (others - woken + k) / WOKEN;
            scope.spawn(move |scope| self.help(scope, below));
        }
        loop {
            let k = self.next.fetch_add(1, Ordering::Relaxed);
            if k >= self.count {
                return;
            }
            (self.work)(k);
            self.done.fetch_add(1, Ordering::Release);
        }
    }
}

impl Pool {
    /// Calls `work` on every number below `count`, in parallel: the caller's thread begins with the first ones at once, and others help as soon
    /// as they are awake. For loops of a millisecond or less, of which waking up threads one after the other, and the caller's at the end,
    /// would be a good part.
    #[cfg_attr(not(feature = "rayon"), expect(clippy::unused_self, reason = "there is no pool"))]
    pub(crate) fn share_at_once(&self, count: usize, work: &(dyn Fn(usize) + Sync)) {
        #[cfg(feature = "rayon")]
        if count > 1 && self.shares() {
            let shared = Shared { count, work, next: AtomicUsize::new(0), done: AtomicUsize::new(0) };
            let helpers = (self.threads() - 1).min(count.div_ceil(TASKS_OF_A_HELPER));
            match &self.threads {
                Threads::Own(pool) => pool.in_place_scope(|scope| shared.lead(scope, helpers)),
                Threads::Shared | Threads::Caller => rayon::in_place_scope(|scope| shared.lead(scope, helpers)),
            }
            return;
        }
        (0..count).for_each(work);
    }

    /// Calls `work` on each piece as [`share_at_once`](Self::share_at_once) does. Returns the results in order.
    pub(crate) fn map_at_once<T: Send, R: Send>(&self, pieces: Vec<T>, work: impl Fn(T) -> R + Send + Sync) -> Vec<R> {
        let count = pieces.len();
        let pieces: Vec<Mutex<Option<T>>> = pieces.into_iter().map(|piece| Mutex::new(Some(piece))).collect();
        let results: Vec<Mutex<Option<R>>> = (0..count).map(|_| Mutex::new(None)).collect();
        self.share_at_once(count, &|k| {
            let piece = hold(&pieces[k]).take();
            *hold(&results[k]) = piece.map(&work);
        });
        taken(results)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;

    #[test]
    fn every_number_is_met_once_by_any_number_of_threads() {
        for threads in [1, 2, 3, 7, 30] {
            let pool = Pool::new(Some(threads)).expect("a pool");
            for count in [0, 1, 2, 5, 100, 10_000] {
                let met: Vec<AtomicUsize> = (0..count).map(|_| AtomicUsize::new(0)).collect();
                pool.share_at_once(count, &|k| {
                    met[k].fetch_add(1, Ordering::Relaxed);
                });
                assert!(met.iter().all(|times| times.load(Ordering::Relaxed) == 1), "{threads} threads, {count}");
                assert!(
                    pool.map_at_once((0..count).collect(), |k: usize| 2 * k).into_iter().eq((0..count).map(|k| 2 * k))
                );
            }
        }
    }

    #[test]
    fn a_panic_in_one_task_is_one_of_the_loop() {
        let pool = Pool::new(Some(3)).expect("a pool");
        let loops = || pool.share_at_once(100, &|k| assert!(k != 77, "on purpose"));
        assert!(std::panic::catch_unwind(std::panic::AssertUnwindSafe(loops)).is_err());
        pool.share_at_once(100, &|_| {});
    }
}
