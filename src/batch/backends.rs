//! Who answers a query: the GPU, the CPU, or brute force.

use super::query::Query;
use crate::Result;
use crate::parallel::Pool;

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
}

#[derive(Debug)]
pub(crate) enum Backend {
    Cpu,
    BruteForce,
    #[cfg(feature = "gpu")]
    Gpu(Box<crate::gpu::Gpu>),
}

impl Backends {
    /// The GPU, if there is one.
    #[cfg(feature = "gpu")]
    pub(crate) fn gpu(&self) -> Option<&crate::gpu::Gpu> {
        match &self.chosen {
            Backend::Gpu(gpu) => Some(gpu),
            _ => None,
        }
    }

    /// The GPU for a query of this size, unless it is left to the CPU.
    #[cfg(feature = "gpu")]
    fn gpu_for(&self, size: usize) -> Option<&crate::gpu::Gpu> {
        self.gpu().filter(|_| self.cpu_up_to == 0 || size > self.cpu_up_to)
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
        if let Some(gpu) = self.gpu() {
            let result = match gpu.warm_up().await {
                // Other queries do not need equal bits.
                Ok(()) => gpu.check_bits(&self.pool).await.or_else(|error| match error {
                    crate::Error::UnequalBits { .. } => Ok(()),
                    error => Err(error),
                }),
                error => error,
            };
            // If the CPU will answer what the GPU cannot, there is no reason to fail now.
            if self.is_final(&result) {
                return result;
            }
        }
        Ok(())
    }

    /// Answers a query that has been checked.
    #[cfg_attr(not(feature = "gpu"), expect(clippy::unused_async, reason = "the CPU has nothing to wait for"))]
    pub(super) async fn answer<Q: Query>(&self, query: &Q, out: &mut Q::Output) -> Result<()> {
        #[cfg(feature = "gpu")]
        if let Some(gpu) = self.gpu_for(query.size()) {
            let result = query.on_gpu(gpu.context(&self.pool), out).await;
            if self.is_final(&result) {
                return result;
            }
        }
        if matches!(self.chosen, Backend::BruteForce) {
            query.by_brute_force(out);
            Ok(())
        } else {
            query.on_cpu(&self.pool, out)
        }
    }

    /// Whether this is what the caller gets; if not, the CPU answers instead.
    #[cfg(feature = "gpu")]
    fn is_final(&self, result: &Result<()>) -> bool {
        use crate::Error::{DeviceMemory, Incomplete, UnequalBits};
        !(self.falls_back && matches!(result, Err(DeviceMemory { .. } | Incomplete { .. } | UnequalBits { .. })))
    }
}

#[cfg(all(test, feature = "gpu"))]
mod tests {
    use super::*;
    use crate::Error;

    /// A GPU that was chosen automatically gives way to the CPU when it is short of memory or does not do its work; one that was asked
    /// for does not.
    #[test]
    fn the_cpu_answers_for_a_gpu_that_fails() {
        let backends = |falls_back| Backends {
            pool: Pool::new(Some(1)).expect("a thread"),
            chosen: Backend::Cpu,
            falls_back,
            cpu_up_to: 0,
        };
        let failures = [
            Error::Incomplete { stage: "pairs", found: 1, due: 2 },
            Error::DeviceMemory { what: "candidates", needed: 9, limit: 8 },
            Error::UnequalBits { adapter: "a GPU".to_owned() },
        ];
        for error in failures {
            assert!(!backends(true).is_final(&Err(error.clone())));
            assert!(backends(false).is_final(&Err(error)));
        }
        assert!(backends(true).is_final(&Ok(())));
        assert!(backends(true).is_final(&Err(Error::Device { reason: "lost".to_owned() })));
    }
}
