//! Parallel loops, on all cores or, without the feature `rayon`, on one. Only this module depends on rayon.

mod kept;

use std::ops::Range;
#[cfg(feature = "rayon")]
use std::sync::OnceLock;
#[cfg(feature = "rayon")]
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
#[cfg(feature = "rayon")]
use std::time::Duration;

use kept::Kept;

#[cfg(feature = "rayon")]
use crate::clock::Stopwatch;

/// Pairs or bodies per task.
pub(crate) const CHUNK: usize = 4096;

/// Elements per task of [`Pool::collect`].
pub(crate) const COLLECT: usize = 4096;

/// What of the host an engine uses: its threads, how much of its memory for an answer, and memory that it keeps for the next query.
#[derive(Debug)]
pub struct Pool {
    #[cfg(feature = "rayon")]
    threads: Threads,
    /// The most bytes for an answer; absent for what there is.
    pub(crate) memory: Option<u64>,
    kept: Kept,
}

#[cfg(feature = "rayon")]
#[derive(Debug)]
enum Threads {
    /// Those that all engines share, one per core.
    Shared,
    Own(rayon::ThreadPool),
    /// None but the caller's: the operating system has refused others.
    Caller,
}

#[cfg(feature = "rayon")]
impl Threads {
    /// The shared threads. If the operating system refuses so many, as many as it grants.
    fn shared() -> Self {
        // Whether there are none: they can be asked for once.
        static REFUSED: OnceLock<bool> = OnceLock::new();
        let ask = || {
            // It fails too, without a cause, when they are there already.
            let refused = |error: rayon::ThreadPoolBuildError| std::error::Error::source(&error).is_some();
            rayon::ThreadPoolBuilder::new().build_global().is_err_and(refused)
        };
        if !REFUSED.get_or_init(ask) {
            return Self::Shared;
        }
        let mut threads = std::thread::available_parallelism().map_or(1, std::num::NonZero::get) / 2;
        while threads > 0 {
            if let Ok(pool) = rayon::ThreadPoolBuilder::new().num_threads(threads).build() {
                return Self::Own(pool);
            }
            threads /= 2;
        }
        Self::Caller
    }
}

/// What one task alone touches. (If it has panicked, so does the loop.)
fn hold<T>(one: &Mutex<T>) -> MutexGuard<'_, T> {
    one.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The results of tasks that have all ended.
fn taken<R>(results: Vec<Mutex<Option<R>>>) -> Vec<R> {
    results.into_iter().filter_map(|one| one.into_inner().unwrap_or_else(PoisonError::into_inner)).collect()
}

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
    /// A pool with `threads` threads of its own; if absent, with the process-wide ones, or as many as the operating system grants.
    pub(crate) fn new(threads: Option<usize>) -> Result<Self, String> {
        #[cfg(feature = "rayon")]
        {
            let build = |n| rayon::ThreadPoolBuilder::new().num_threads(n).build().map_err(|error| error.to_string());
            match threads {
                Some(threads) => {
                    Ok(Self { threads: Threads::Own(build(threads)?), memory: None, kept: Kept::default() })
                }
                None => Ok(Self::shared()),
            }
        }
        #[cfg(not(feature = "rayon"))]
        {
            let _ = threads;
            Ok(Self::shared())
        }
    }

    /// The process-wide threads, or as many as the operating system grants.
    pub(crate) fn shared() -> Self {
        Self {
            #[cfg(feature = "rayon")]
            threads: Threads::shared(),
            memory: None,
            kept: Kept::default(),
        }
    }

    /// The number of threads.
    pub(crate) fn threads(&self) -> usize {
        #[cfg(feature = "rayon")]
        {
            match &self.threads {
                Threads::Shared => rayon::current_num_threads(),
                Threads::Own(pool) => pool.current_num_threads(),
                Threads::Caller => 1,
            }
        }
        #[cfg(not(feature = "rayon"))]
        1
    }

    /// Starts `work` on one of the threads, without waiting for it.
    #[cfg(not(target_family = "wasm"))]
    #[cfg_attr(not(feature = "rayon"), expect(clippy::unused_self, reason = "there is no pool"))]
    pub(crate) fn spawn(&self, work: impl FnOnce() + Send + 'static) {
        #[cfg(feature = "rayon")]
        match &self.threads {
            Threads::Shared => rayon::spawn(work),
            Threads::Own(pool) => pool.spawn(work),
            Threads::Caller => crate::crew::spawn(work),
        }
        #[cfg(not(feature = "rayon"))]
        crate::crew::spawn(work);
    }

    #[cfg(feature = "rayon")]
    fn run<R: Send>(&self, work: impl FnOnce() -> R + Send) -> R {
        match &self.threads {
            Threads::Own(pool) => pool.install(work),
            Threads::Shared | Threads::Caller => work(),
        }
    }

    /// Does work of many loops on one of the threads, so that a loop does not begin and end with a thread that wakes up.
    #[cfg_attr(not(feature = "rayon"), expect(clippy::unused_self, reason = "there is no pool"))]
    pub(crate) fn inside<R: Send>(&self, work: impl FnOnce() -> R + Send) -> R {
        #[cfg(feature = "rayon")]
        if let Threads::Shared = self.threads {
            return rayon::scope(|_| work());
        }
        #[cfg(feature = "rayon")]
        return self.run(work);
        #[cfg(not(feature = "rayon"))]
        work()
    }

    /// Whether there are threads to share work with.
    #[cfg(feature = "rayon")]
    fn shares(&self) -> bool {
        !matches!(self.threads, Threads::Caller)
    }

    /// Calls `work` on every number below `count`, in parallel.
    ///
    /// It is compiled once, and not for every loop: the loops have thousands of steps in a task.
    #[cfg_attr(not(feature = "rayon"), expect(clippy::unused_self, reason = "there is no pool"))]
    fn share(&self, count: usize, work: &(dyn Fn(usize) + Sync)) {
        #[cfg(feature = "rayon")]
        {
            use rayon::prelude::*;
            if count > 1 && self.shares() {
                self.run(|| (0..count).into_par_iter().for_each(work));
                return;
            }
        }
        (0..count).for_each(work);
    }

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

    /// Calls `work` on chunks of `0..n` of this size. Returns the results in order.
    pub(crate) fn map_chunks<R: Send>(
        &self,
        n: usize,
        size: usize,
        work: impl Fn(Range<usize>) -> R + Send + Sync,
    ) -> Vec<R> {
        let pieces = n.div_ceil(size);
        let results: Vec<Mutex<Option<R>>> = (0..pieces).map(|_| Mutex::new(None)).collect();
        self.share(pieces, &|k| *hold(&results[k]) = Some(work(k * size..((k + 1) * size).min(n))));
        taken(results)
    }

    /// Calls `work` on chunks of `data`, each with the index of its first element.
    pub(crate) fn for_chunks_mut<T: Send>(
        &self,
        data: &mut [T],
        size: usize,
        work: impl Fn(usize, &mut [T]) + Send + Sync,
    ) {
        let pieces: Vec<_> = data.chunks_mut(size).map(Mutex::new).collect();
        self.share(pieces.len(), &|k| work(k * size, &mut hold(&pieces[k])));
    }

    /// Calls `work` on each piece, in parallel.
    pub(crate) fn for_each<T: Send>(&self, pieces: Vec<T>, work: impl Fn(T) + Send + Sync) {
        self.map_each(pieces, work);
    }

    /// Calls `work` on each piece, in parallel. Returns the results in order.
    pub(crate) fn map_each<T: Send, R: Send>(&self, pieces: Vec<T>, work: impl Fn(T) -> R + Send + Sync) -> Vec<R> {
        let count = pieces.len();
        let pieces: Vec<Mutex<Option<T>>> = pieces.into_iter().map(|piece| Mutex::new(Some(piece))).collect();
        let results: Vec<Mutex<Option<R>>> = (0..count).map(|_| Mutex::new(None)).collect();
        self.share(count, &|k| {
            let piece = hold(&pieces[k]).take();
            *hold(&results[k]) = piece.map(&work);
        });
        taken(results)
    }

    /// Collects `make(i)` for every `i` below `n`.
    pub(crate) fn collect<T: Send>(&self, n: usize, make: impl Fn(usize) -> T + Send + Sync) -> Vec<T> {
        self.collect_in(Vec::with_capacity(n), (n, COLLECT), make)
    }

    /// The same by tasks of at least so many, in memory that was [kept](Self::keep) if there is any.
    pub(crate) fn collect_by<T: Send + 'static>(
        &self,
        n: usize,
        least: usize,
        make: impl Fn(usize) -> T + Send + Sync,
    ) -> Vec<T> {
        self.collect_in(self.array(n), (n, least), make)
    }

    /// The same in an empty array. (The caller's thread has allocated it: allocators keep freed memory for the thread that freed it, and the
    /// next large array may be allocated by another thread.)
    #[cfg_attr(not(feature = "rayon"), expect(clippy::unused_self, reason = "there is no pool"))]
    fn collect_in<T: Send>(
        &self,
        mut made: Vec<T>,
        (n, least): (usize, usize),
        make: impl Fn(usize) -> T + Send + Sync,
    ) -> Vec<T> {
        #[cfg(feature = "rayon")]
        {
            use rayon::prelude::*;
            if n > least && self.shares() {
                self.run(|| (0..n).into_par_iter().with_min_len(least).map(make).collect_into_vec(&mut made));
                return made;
            }
        }
        #[cfg(not(feature = "rayon"))]
        let _ = least;
        made.extend((0..n).map(make));
        made
    }

    /// An empty array with room for so many elements, in memory of an array that was [kept](Self::keep) if there is one.
    fn array<T: Send + 'static>(&self, len: usize) -> Vec<T> {
        let mut array = self.kept.take(len);
        array.clear();
        array
    }

    /// So many numbers, which may be any, in memory that was kept if there is any.
    pub(crate) fn scratch<T: Clone + Default + Send + 'static>(&self, len: usize) -> Vec<T> {
        let mut array = self.kept.take(len);
        array.resize(len, T::default());
        array
    }

    /// Keeps the memory of an array that is needed no longer.
    pub(crate) fn keep<T: Send + 'static>(&self, array: Vec<T>) {
        self.kept.keep(array);
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
