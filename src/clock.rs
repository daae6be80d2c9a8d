//! Times of stages. Only this module reads the system's clock, which panics in a browser.

use std::time::Duration;

/// Measures the time since it was started; always zero where there is no clock.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(not(feature = "gpu"), allow(dead_code, reason = "only a device is waited for"))]
pub(crate) struct Stopwatch {
    #[cfg(not(target_family = "wasm"))]
    start: std::time::Instant,
}

#[cfg_attr(not(feature = "gpu"), allow(dead_code, reason = "only a device is waited for"))]
impl Stopwatch {
    pub(crate) fn start() -> Self {
        Self {
            #[cfg(not(target_family = "wasm"))]
            start: std::time::Instant::now(),
        }
    }

    #[cfg_attr(target_family = "wasm", expect(clippy::unused_self, reason = "there is no clock"))]
    pub(crate) fn elapsed(self) -> Duration {
        #[cfg(not(target_family = "wasm"))]
        return self.start.elapsed();
        #[cfg(target_family = "wasm")]
        Duration::ZERO
    }
}

/// Measures the times of consecutive stages; all are zero where there is no clock, as in a browser.
pub(crate) struct Clock {
    #[cfg(not(target_family = "wasm"))]
    last: std::time::Instant,
    laps: Vec<(&'static str, Duration)>,
}

impl Clock {
    pub(crate) fn start() -> Self {
        Self {
            #[cfg(not(target_family = "wasm"))]
            last: std::time::Instant::now(),
            laps: Vec::new(),
        }
    }

    /// Ends the stage `name`, which began when the stage before it ended.
    pub(crate) fn lap(&mut self, name: &'static str) {
        #[cfg(not(target_family = "wasm"))]
        let elapsed = {
            let now = std::time::Instant::now();
            let elapsed = now - self.last;
            self.last = now;
            elapsed
        };
        #[cfg(target_family = "wasm")]
        let elapsed = Duration::ZERO;
        match self.laps.iter_mut().find(|(known, _)| *known == name) {
            Some((_, sum)) => *sum += elapsed,
            None => self.laps.push((name, elapsed)),
        }
    }

    /// The clock with its laps; what remains starts anew.
    #[cfg(feature = "gpu")]
    pub(crate) fn take(&mut self) -> Self {
        std::mem::replace(self, Self::start())
    }

    pub(crate) fn laps(self) -> Vec<(&'static str, Duration)> {
        self.laps
    }
}
