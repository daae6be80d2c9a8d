//! Loops over all cores, or over one without the feature `rayon`: the only place that knows.

use std::ops::Range;

/// Pairs or bodies that one task looks at.
#[cfg(feature = "gpu")]
pub(crate) const CHUNK: usize = 4096;

/// Elements that are made in one go.
#[cfg(feature = "rayon")]
const COLLECT: usize = 4096;

/// The threads that an engine works with.
#[derive(Debug)]
pub struct Pool {
    #[cfg(feature = "rayon")]
    pool: Option<rayon::ThreadPool>,
}

impl Pool {
    /// `threads` of its own, or the process-wide ones.
    pub(crate) fn new(threads: Option<usize>) -> Result<Self, String> {
        #[cfg(feature = "rayon")]
        {
            let build = |n| rayon::ThreadPoolBuilder::new().num_threads(n).build().map_err(|error| error.to_string());
            Ok(Self { pool: threads.map(build).transpose()? })
        }
        #[cfg(not(feature = "rayon"))]
        {
            let _ = threads;
            Ok(Self {})
        }
    }

    /// How many threads work at once.
    pub(crate) fn threads(&self) -> usize {
        #[cfg(feature = "rayon")]
        {
            self.pool.as_ref().map_or_else(rayon::current_num_threads, rayon::ThreadPool::current_num_threads)
        }
        #[cfg(not(feature = "rayon"))]
        1
    }

    /// Starts `work` on one of the threads, and does not wait for it.
    #[cfg(not(target_family = "wasm"))]
    #[cfg_attr(not(feature = "rayon"), expect(clippy::unused_self, reason = "there is no pool"))]
    pub(crate) fn spawn(&self, work: impl FnOnce() + Send + 'static) {
        #[cfg(feature = "rayon")]
        match &self.pool {
            Some(pool) => pool.spawn(work),
            None => rayon::spawn(work),
        }
        #[cfg(not(feature = "rayon"))]
        crate::crew::spawn(work);
    }

    #[cfg(feature = "rayon")]
    fn run<R: Send>(&self, work: impl FnOnce() -> R + Send) -> R {
        match &self.pool {
            Some(pool) => pool.install(work),
            None => work(),
        }
    }

    /// `work` on `0..n` cut into pieces of `size`; the results in order.
    pub(crate) fn map_chunks<R: Send>(
        &self,
        n: usize,
        size: usize,
        work: impl Fn(Range<usize>) -> R + Send + Sync,
    ) -> Vec<R> {
        let pieces = n.div_ceil(size);
        let piece = |k: usize| work(k * size..((k + 1) * size).min(n));
        #[cfg(feature = "rayon")]
        {
            use rayon::prelude::*;
            if pieces > 1 {
                return self.run(|| (0..pieces).into_par_iter().map(piece).collect());
            }
        }
        (0..pieces).map(piece).collect()
    }

    /// `work` on pieces of `data`, each with the index of its first element.
    pub(crate) fn for_chunks_mut<T: Send>(
        &self,
        data: &mut [T],
        size: usize,
        work: impl Fn(usize, &mut [T]) + Send + Sync,
    ) {
        #[cfg(feature = "rayon")]
        {
            use rayon::prelude::*;
            if data.len() > size {
                self.run(|| data.par_chunks_mut(size).enumerate().for_each(|(k, piece)| work(k * size, piece)));
                return;
            }
        }
        for (k, piece) in data.chunks_mut(size).enumerate() {
            work(k * size, piece);
        }
    }

    /// `work` on several disjoint pieces at once.
    pub(crate) fn for_each<T: Send>(&self, pieces: Vec<T>, work: impl Fn(T) + Send + Sync) {
        self.map_each(pieces, work);
    }

    /// `work` on several disjoint pieces at once; the results in order.
    pub(crate) fn map_each<T: Send, R: Send>(&self, pieces: Vec<T>, work: impl Fn(T) -> R + Send + Sync) -> Vec<R> {
        #[cfg(feature = "rayon")]
        {
            use rayon::prelude::*;
            if pieces.len() > 1 {
                return self.run(|| pieces.into_par_iter().map(work).collect());
            }
        }
        pieces.into_iter().map(work).collect()
    }

    /// `make(i)` for every `i` below `n`.
    pub(crate) fn collect<T: Send>(&self, n: usize, make: impl Fn(usize) -> T + Send + Sync) -> Vec<T> {
        #[cfg(feature = "rayon")]
        {
            use rayon::prelude::*;
            if n > COLLECT {
                // The caller's thread gets the memory: allocators keep what a thread has freed for that thread, and the next
                // large array may be asked for by another.
                let mut made = Vec::with_capacity(n);
                self.run(|| (0..n).into_par_iter().with_min_len(COLLECT).map(make).collect_into_vec(&mut made));
                return made;
            }
        }
        (0..n).map(make).collect()
    }
}
