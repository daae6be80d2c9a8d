//! The time of each stage.

use std::time::Duration;

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
