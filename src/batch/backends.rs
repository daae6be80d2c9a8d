//! Who answers a query: the GPU, the CPU, or brute force.

#[cfg(all(feature = "gpu", not(target_family = "wasm")))]
use std::sync::Arc;

use super::query::Query;
use crate::Result;
#[cfg(all(feature = "gpu", not(target_family = "wasm")))]
use crate::crew::{self, Outcome};
#[cfg(feature = "gpu")]
use crate::gpu::{Ask, Floats, Guarded, Renewable, Running, What, guarded};
use crate::parallel::Pool;

/// A query of at least this size has so many loops on the CPU that one of the pool's threads does it; a smaller one would wait for that thread
/// to wake up.
const MANY: usize = 1 << 13;

/// What an engine runs queries on.
#[derive(Debug)]
pub(crate) struct Backends {
    pub(crate) pool: Pool,
    pub(crate) chosen: Backend,
    /// Whether the CPU answers what the GPU cannot: only if the GPU was chosen automatically.
    #[cfg(feature = "gpu")]
    pub(crate) falls_back: bool,
    /// Up to how many bodies or pairs the CPU answers instead of the GPU; 0 for none, not even an empty set.
    #[cfg(feature = "gpu")]
    pub(crate) cpu_up_to: usize,
    /// How long a query may take on the GPU before it is given up.
    #[cfg(all(feature = "gpu", not(target_family = "wasm")))]
    pub(crate) time_limit: Option<std::time::Duration>,
}

#[derive(Debug)]
pub(crate) enum Backend {
    Cpu,
    BruteForce,
    #[cfg(feature = "gpu")]
    Gpu(Box<Renewable>),
}

impl Backends {
    /// The GPU, if there is one.
    #[cfg(feature = "gpu")]
    pub(crate) fn gpu(&self) -> Option<&Renewable> {
        match &self.chosen {
            Backend::Gpu(gpu) => Some(gpu),
            _ => None,
        }
    }

    /// The GPU for a query of this size, unless it is left to the CPU.
    #[cfg(feature = "gpu")]
    fn gpu_for(&self, size: usize) -> Option<&Renewable> {
        let suits = |gpu: &&Renewable| {
            (self.cpu_up_to == 0 || size > self.cpu_up_to) && !(self.falls_back && gpu.is_hopeless())
        };
        self.gpu().filter(suits)
    }

    /// Whether a query of this size waits for a device.
    #[cfg(not(target_family = "wasm"))]
    #[cfg_attr(not(feature = "gpu"), expect(clippy::unused_self, reason = "there is no device"))]
    pub(super) fn waits_for_device(&self, size: usize) -> bool {
        #[cfg(feature = "gpu")]
        return self.gpu_for(size).is_some();
        #[cfg(not(feature = "gpu"))]
        {
            let _ = size;
            false
        }
    }

    /// Does what the first query would otherwise wait for. The threads of the CPU run already.
    #[cfg_attr(not(feature = "gpu"), expect(clippy::unused_async, reason = "the CPU has nothing to wait for"))]
    pub(crate) async fn warm_up(&self) -> Result<()> {
        #[cfg(feature = "gpu")]
        if let Some(renewable) = self.gpu() {
            let result = self.warm_up_gpu(renewable).await;
            // If the CPU will answer what the GPU cannot, there is no reason to fail now.
            if self.is_final(&result) {
                return result;
            }
        }
        Ok(())
    }

    #[cfg(feature = "gpu")]
    async fn warm_up_gpu(&self, renewable: &Renewable) -> Result<()> {
        let gpu = renewable.device().await?;
        let result = Guarded::new(async {
            gpu.warm_up().await?;
            // Other queries do not need equal bits.
            for floats in Floats::ALL {
                gpu.check_bits(&self.pool, floats, true).await.or_else(|error| match error {
                    crate::Error::UnequalBits { .. } => Ok(()),
                    error => Err(error),
                })?;
            }
            Ok(())
        });
        let result = result.await;
        renewable.note(&gpu, &result);
        result
    }

    /// Answers a query that has been checked.
    #[cfg_attr(not(feature = "gpu"), expect(clippy::unused_async, reason = "the CPU has nothing to wait for"))]
    pub(super) async fn answer<Q: Query>(&self, query: &Q, out: &mut Q::Output) -> Result<()> {
        #[cfg(feature = "gpu")]
        if let Some(gpu) = self.gpu_for(query.size()) {
            let result = self.on_gpu(gpu, query, out).await;
            if self.is_final(&result) {
                return result;
            }
        }
        self.on_host(query, out)
    }

    /// Answers a query on the GPU, or says why that cannot be.
    #[cfg(feature = "gpu")]
    async fn on_gpu<Q: Query>(&self, renewable: &Renewable, query: &Q, out: &mut Q::Output) -> Result<()> {
        let gpu = renewable.device().await?;
        let result = Guarded::new(query.on_gpu(gpu.context(&self.pool), out)).await;
        renewable.note(&gpu, &result);
        result
    }

    /// Records a query into the caller's encoder.
    #[cfg(feature = "gpu")]
    pub(super) fn record(&self, ask: &Ask<'_>, encoder: &mut wgpu::CommandEncoder) -> Result<Running> {
        let Some(renewable) = self.gpu() else {
            let reason = "the engine has none, and recorded queries run on nothing else".to_owned();
            return Err(crate::Error::BackendUnavailable { backend: "gpu", reason });
        };
        let gpu = pollster::block_on(renewable.device())?;
        let floats = match ask.what {
            What::Pairs { details: Some(details), .. } => Some(details.floats()),
            What::Rays(_) => Some(Floats::Rays),
            What::Sweeps(_) => Some(Floats::Sweeps),
            _ => None,
        };
        if let Some(floats) = floats {
            pollster::block_on(Guarded::new(gpu.check_bits(&self.pool, floats, ask.has_hulls())))?;
        }
        let recorded = guarded(|| gpu.record(&self.pool, ask, encoder)).and_then(|recorded| recorded);
        renewable.note(&gpu, &recorded.as_ref().map(|_| ()).map_err(Clone::clone));
        recorded
    }

    /// Answers a query without a GPU.
    fn on_host<Q: Query>(&self, query: &Q, out: &mut Q::Output) -> Result<()> {
        if matches!(self.chosen, Backend::BruteForce) {
            query.by_brute_force(out);
            Ok(())
        } else if query.size() < MANY {
            query.on_cpu(&self.pool, out)
        } else {
            self.pool.inside(|| query.on_cpu(&self.pool, out))
        }
    }

    /// Whether this is what the caller gets; if not, the CPU answers instead.
    #[cfg(feature = "gpu")]
    fn is_final(&self, result: &Result<()>) -> bool {
        use crate::Error::{BackendUnavailable, Device, DeviceMemory, Incomplete, UnequalBits};
        let of_gpu = matches!(
            result,
            Err(BackendUnavailable { .. }
                | Device { .. }
                | DeviceMemory { .. }
                | Incomplete { .. }
                | UnequalBits { .. })
        );
        !(self.falls_back && of_gpu)
    }
}

/// Drivers that hang.
#[cfg(all(feature = "gpu", not(target_family = "wasm")))]
impl Backends {
    /// [`warm_up`](Self::warm_up), in time if there is a limit.
    pub(crate) fn warm_up_in_time(self: &Arc<Self>) -> Result<()> {
        let (Some(limit), Some(renewable)) = (self.time_limit, self.gpu()) else {
            return pollster::block_on(self.warm_up());
        };
        let backends = Arc::clone(self);
        let job = move || pollster::block_on(backends.warm_up());
        let result = Outcome::of(job, crew::spawn).within(limit).unwrap_or_else(|| Err(renewable.give_up(limit)));
        if self.is_final(&result) { result } else { Ok(()) }
    }

    /// Whether a query of this size has to be answered in time.
    pub(super) fn is_timed(&self, size: usize) -> bool {
        self.time_limit.is_some() && self.gpu_for(size).is_some()
    }

    /// Answers a query that has been checked and that owns all it needs, on the GPU if that is done in time.
    ///
    /// The GPU answers on another thread. A call into the driver cannot be ended: a thread that hangs in one stays behind, with what it
    /// holds.
    pub(super) fn answer_in_time<Q>(self: &Arc<Self>, query: &Q, out: &mut Q::Output) -> Result<()>
    where
        Q: Query + Clone + Send + 'static,
    {
        if let (Some(limit), Some(renewable)) = (self.time_limit, self.gpu_for(query.size())) {
            let (backends, asked, mut answer) = (Arc::clone(self), query.clone(), std::mem::take(out));
            let job = move || {
                let Some(renewable) = backends.gpu() else { return (answer, Ok(())) };
                let result = pollster::block_on(backends.on_gpu(renewable, &asked, &mut answer));
                (answer, result)
            };
            let result = match Outcome::of(job, crew::spawn).within(limit) {
                Some((answer, result)) => {
                    *out = answer;
                    result
                }
                None => Err(renewable.give_up(limit)),
            };
            if self.is_final(&result) {
                return result;
            }
        }
        self.on_host(query, out)
    }
}

#[cfg(all(test, feature = "gpu"))]
mod tests {
    use super::*;
    use crate::Error;

    /// A GPU that was chosen automatically gives way to the CPU when it is short of memory, is lost or does not do its work; one that
    /// was asked for does not.
    #[test]
    fn the_cpu_answers_for_a_gpu_that_fails() {
        let backends = |falls_back| Backends {
            pool: Pool::new(Some(1)).expect("a thread"),
            chosen: Backend::Cpu,
            falls_back,
            cpu_up_to: 0,
            #[cfg(not(target_family = "wasm"))]
            time_limit: None,
        };
        let failures = [
            Error::Incomplete { stage: "pairs", found: 1, due: 2 },
            Error::DeviceMemory { what: "candidates", needed: 9, limit: 8 },
            Error::UnequalBits { adapter: "a GPU".to_owned() },
            Error::Device { reason: "lost".to_owned() },
            Error::BackendUnavailable { backend: "gpu", reason: "gone".to_owned() },
        ];
        for error in failures {
            assert!(!backends(true).is_final(&Err(error.clone())));
            assert!(backends(false).is_final(&Err(error)));
        }
        assert!(backends(true).is_final(&Ok(())));
        assert!(backends(true).is_final(&Err(Error::NoPoints)));
    }
}
