//! How a query went.

use std::time::Duration;

/// How a query went: counts and times, for people who measure.
///
/// ```
/// # use tangency::{Bodies, Engine, shape::Sphere};
/// let mut bodies = Bodies::new();
/// bodies.extend([Sphere::new([0.0; 3], 1.0)?, Sphere::new([1.0, 0.0, 0.0], 1.0)?])?;
/// let hits = Engine::new()?.overlaps(&bodies).run()?;
/// assert!(hits.stats().candidates >= 1 && !hits.stats().stages.is_empty());
/// # Ok::<(), tangency::Error>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Stats {
    /// Pairs that the narrow phase looked at.
    pub candidates: u64,
    /// Pairs that the certified filter left to exact arithmetic. Another backend may leave others, and a GPU not always the same.
    pub undecided: u64,
    /// Bytes of bodies and exclusions that were sent to the device: only what changed since the last query of the set, if memory for
    /// it is still there. 0 on the CPU.
    pub uploaded: u64,
    /// The stages, in order, with the time each took.
    pub stages: Vec<(&'static str, Duration)>,
}

impl Stats {
    /// The time of all stages.
    ///
    /// ```
    /// # use std::time::Duration;
    /// # use tangency::{Bodies, Engine, Stats};
    /// assert_eq!(Stats::default().total(), Duration::ZERO);
    /// let stats = Engine::new()?.overlaps(&Bodies::new()).run()?.stats().clone();
    /// assert_eq!(stats.total(), stats.stages.iter().map(|(_, time)| *time).sum());
    /// # Ok::<(), tangency::Error>(())
    /// ```
    pub fn total(&self) -> Duration {
        self.stages.iter().map(|(_, time)| *time).sum()
    }
}
