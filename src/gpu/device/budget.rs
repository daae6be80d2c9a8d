//! The memory budget of a device.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// How many bytes may be used at once, and how many are.
#[derive(Debug)]
pub(super) struct Budget {
    limit: u64,
    used: Arc<AtomicU64>,
}

/// Bytes that are in use until this is dropped.
#[derive(Debug)]
pub(crate) struct Share {
    bytes: u64,
    used: Arc<AtomicU64>,
    limited: bool,
}

impl Share {
    /// Whether it is of a budget that has a limit.
    pub(super) fn is_limited(&self) -> bool {
        self.limited
    }
}

impl Drop for Share {
    fn drop(&mut self) {
        self.used.fetch_sub(self.bytes, Ordering::AcqRel);
    }
}

impl Budget {
    pub(super) fn new(limit: u64) -> Self {
        Self { limit, used: Arc::default() }
    }

    /// Takes so many bytes, in one step with the check that they are there.
    ///
    /// # Errors
    /// How many bytes are left, if these are too few.
    pub(super) fn take(&self, bytes: u64) -> Result<Share, u64> {
        let fits = |used: u64| used.checked_add(bytes).filter(|used| *used <= self.limit);
        match self.used.fetch_update(Ordering::AcqRel, Ordering::Acquire, fits) {
            Ok(_) => Ok(Share { bytes, used: Arc::clone(&self.used), limited: self.is_limited() }),
            Err(used) => Err(self.limit.saturating_sub(used)),
        }
    }

    /// Whether there is a limit at all.
    pub(super) fn is_limited(&self) -> bool {
        self.limit < u64::MAX
    }

    /// The bytes that are not in use.
    pub(super) fn left(&self) -> u64 {
        self.limit.saturating_sub(self.used.load(Ordering::Acquire))
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicBool;

    use super::*;

    #[test]
    fn a_budget_is_kept_to_the_byte() {
        let budget = Budget::new(100);
        let first = budget.take(60).expect("room");
        assert_eq!((budget.left(), budget.take(41).map(drop)), (40, Err(40)));
        let second = budget.take(40).expect("room");
        assert_eq!(budget.take(1).map(drop), Err(0));
        drop(first);
        assert_eq!(budget.left(), 60);
        drop(second);
        assert_eq!((budget.left(), budget.is_limited()), (100, true));
        assert_eq!(budget.take(u64::MAX).map(drop), Err(100));
        assert!(!Budget::new(u64::MAX).is_limited());
    }

    /// Threads that take and give back never have more than the limit at the same time.
    #[test]
    fn eight_threads_share_a_budget() {
        let (budget, refused) = (Budget::new(1000), AtomicBool::new(false));
        let held = AtomicU64::new(0);
        std::thread::scope(|scope| {
            for thread in 0..8_u64 {
                let (budget, refused, held) = (&budget, &refused, &held);
                scope.spawn(move || {
                    for round in 0..20_000_u64 {
                        let bytes = 100 + (thread * 37 + round * 101) % 250;
                        match budget.take(bytes) {
                            Ok(share) => {
                                let now = held.fetch_add(bytes, Ordering::SeqCst) + bytes;
                                assert!(now <= 1000, "{now} bytes of 1000");
                                held.fetch_sub(bytes, Ordering::SeqCst);
                                drop(share);
                            }
                            Err(_) => refused.store(true, Ordering::Relaxed),
                        }
                    }
                });
            }
        });
        assert_eq!(budget.left(), 1000);
        println!("refused at times: {}", refused.into_inner());
    }
}
