//! The time of each stage. The only place that asks what time it is: in a browser that would panic.

use std::time::Duration;

/// Measures from when it was started; where there is no clock, always zero.
#[derive(Clone, Copy, Debug)]
#[cfg(feature = "gpu")]
pub(crate) struct Stopwatch {
    #[cfg(not(target_family = "wasm"))]
    start: std::time::Instant,
}

#[cfg(feature = "gpu")]
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

/// Measures laps; where there is no clock (in a browser without one), all laps are zero.
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

    /// Ends the stage `name`.
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

    pub(crate) fn laps(self) -> Vec<(&'static str, Duration)> {
        self.laps
    }
}
