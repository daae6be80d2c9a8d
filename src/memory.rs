//! Memory of the host for answers: an answer that it cannot hold is refused before it is exhausted.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::{Error, Result};

/// Pairs that are found before anybody asks how much memory there is: that takes some system calls.
const FEW: u64 = 1 << 20;
/// What is left to the rest of the system: one part in so many of what is available.
const REST: u64 = 8;

/// The most bytes that a process may still take, where the system tells: of the machine's memory, of a container's, and of the address
/// space that was granted.
pub(crate) fn available() -> Option<u64> {
    let read = |path: &str| std::fs::read_to_string(path).ok();
    let kilobytes = |text: &str, name: &str| -> Option<u64> {
        let line = text.lines().find_map(|line| line.strip_prefix(name))?;
        line.trim_start_matches(':').trim().trim_end_matches("kB").trim().parse::<u64>().ok()?.checked_mul(1024)
    };
    let machine = read("/proc/meminfo").and_then(|text| kilobytes(&text, "MemAvailable"));
    let container = || {
        let number = |name: &str| read(&format!("/sys/fs/cgroup/{name}"))?.trim().parse::<u64>().ok();
        Some(number("memory.max")?.saturating_sub(number("memory.current")?))
    };
    let addresses = || {
        let limits = read("/proc/self/limits")?;
        let line = limits.lines().find_map(|line| line.strip_prefix("Max address space"))?;
        let granted = line.split_whitespace().next()?.parse::<u64>().ok()?;
        Some(granted.saturating_sub(kilobytes(&read("/proc/self/status")?, "VmSize")?))
    };
    [machine, container(), addresses()].into_iter().flatten().min()
}

/// How many pairs an answer may have, and how many have been found.
#[derive(Debug)]
pub(crate) struct PairLimit {
    found: AtomicU64,
    /// Bytes that the host needs for a pair, at the most at any time.
    bytes: u64,
    /// The most pairs, once it is known.
    most: OnceLock<u64>,
}

impl PairLimit {
    /// As many as a budget of so many bytes has room for; without one, as there is memory for.
    pub(crate) fn of_memory(budget: Option<u64>, bytes: u64) -> Self {
        let most = budget.map_or_else(OnceLock::new, |budget| OnceLock::from(budget / bytes));
        Self { found: AtomicU64::new(0), bytes, most }
    }

    /// So many.
    pub(crate) fn of_pairs(most: u64) -> Self {
        Self { found: AtomicU64::new(0), bytes: 0, most: OnceLock::from(most) }
    }

    /// The most pairs, given that so many have been found.
    fn most(&self, found: u64) -> u64 {
        if self.most.get().is_none() && found <= FEW {
            return u64::MAX;
        }
        *self.most.get_or_init(|| match available() {
            // Half of what those that were found need is taken already.
            Some(left) => (left / REST * (REST - 1) + found * self.bytes / 2) / self.bytes,
            None => u64::MAX,
        })
    }

    /// Counts pairs that have been found. Returns whether there is room for more.
    pub(crate) fn add(&self, pairs: u64) -> bool {
        let found = self.found.fetch_add(pairs, Ordering::Relaxed) + pairs;
        found <= self.most(found)
    }

    /// Says how many pairs have been found.
    #[cfg(feature = "gpu")]
    pub(crate) fn set(&self, pairs: u64) {
        self.found.store(pairs, Ordering::Relaxed);
    }

    /// How many pairs have been found.
    pub(crate) fn found(&self) -> u64 {
        self.found.load(Ordering::Relaxed)
    }

    /// # Errors
    /// [`AnswerTooLarge`](Error::AnswerTooLarge) if more pairs have been found than there is room for.
    pub(crate) fn check(&self) -> Result<()> {
        let pairs = self.found();
        let most = self.most(pairs);
        if pairs <= most {
            return Ok(());
        }
        let (needed, limit) = (pairs.saturating_mul(self.bytes), most.saturating_mul(self.bytes));
        Err(Error::AnswerTooLarge { pairs, needed, limit })
    }
}

/// The pairs of one task, which are counted now and then.
pub(crate) struct Counting<'a> {
    limit: &'a PairLimit,
    counted: usize,
    full: bool,
}

impl<'a> Counting<'a> {
    pub(crate) fn new(limit: &'a PairLimit) -> Self {
        Self { limit, counted: 0, full: false }
    }

    /// Whether there was no room for more when pairs were last counted: those that the task finds now are of no use.
    pub(crate) fn is_full(&self) -> bool {
        self.full
    }

    /// Counts the pairs that the task has found so far.
    pub(crate) fn count(&mut self, found: usize) {
        self.full |= !self.limit.add((found - self.counted) as u64);
        self.counted = found;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_is_refused_with_pairs_and_bytes() {
        let limit = PairLimit::of_memory(Some(1600), 16);
        assert!(limit.add(100) && limit.check() == Ok(()));
        assert!(!limit.add(1));
        assert_eq!(limit.check(), Err(Error::AnswerTooLarge { pairs: 101, needed: 1616, limit: 1600 }));
        // Without a budget, nothing is looked up for a few pairs.
        let limit = PairLimit::of_memory(None, 16);
        assert!(limit.add(FEW) && limit.most.get().is_none());
        limit.add(1);
        assert!(limit.most.get().is_some());
    }

    #[test]
    fn a_task_stops_when_all_tasks_have_found_too_many() {
        let limit = PairLimit::of_pairs(10_000);
        let (mut one, mut found) = (Counting::new(&limit), 0);
        limit.add(5000);
        while !one.is_full() {
            found += 100;
            one.count(found);
        }
        assert_eq!((found, limit.found()), (5100, 10_100));
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn the_system_tells_how_much_memory_there_is() {
        let left = available().expect("Linux tells");
        assert!(left > 1 << 20 && left < 1 << 50, "{left} bytes");
    }
}
