//! Parallel loops, on all cores or, without the feature `rayon`, on one. Only this module depends on rayon.

#[cfg(feature = "gpu")]
mod at_once;
mod kept;

use std::ops::Range;
#[cfg(feature = "rayon")]
use std::sync::OnceLock;
use std::sync::{Mutex, MutexGuard, PoisonError};

use kept::Kept;

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
    pub(crate) fn array<T: Send + 'static>(&self, len: usize) -> Vec<T> {
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
