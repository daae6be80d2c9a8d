use std::sync::Arc;

use super::{Engine, Shared};
use crate::cpu::Pool;
use crate::{Error, Result};

/// What an [`Engine`] may run on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum BackendKind {
    /// The best there is.
    #[default]
    Auto,
    /// The CPU, all cores.
    Cpu,
    /// A GPU.
    Gpu,
    /// The reference: every pair by the exact relation, on one core. For small sets, and to check the others.
    BruteForce,
}

impl BackendKind {
    /// The name: `auto`, `cpu`, `gpu` or `brute-force`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Auto => "auto",
            Self::Cpu => "cpu",
            Self::Gpu => "gpu",
            Self::BruteForce => "brute-force",
        }
    }
}

/// What an engine runs on, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Info {
    /// The backend in use; never [`Auto`](BackendKind::Auto).
    pub backend: BackendKind,
    /// The name of the adapter, if it is a GPU.
    pub adapter: Option<String>,
    /// How many threads the CPU's part uses.
    pub threads: usize,
    /// Why this backend, and why not a better one.
    pub why: String,
}

/// Makes an [`Engine`].
///
/// ```
/// use tangency::{BackendKind, Engine};
///
/// let engine = Engine::builder().backend(BackendKind::Cpu).threads(2).build()?;
/// assert_eq!(engine.info().backend, BackendKind::Cpu);
/// # Ok::<(), tangency::Error>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Builder {
    backend: BackendKind,
    threads: Option<usize>,
}

impl Builder {
    /// What to run on; [`Auto`](BackendKind::Auto) if not said.
    #[must_use]
    pub fn backend(mut self, backend: BackendKind) -> Self {
        self.backend = backend;
        self
    }

    /// How many threads to use; one per core if not said. 0 counts as 1. Without the feature `rayon` there is always one.
    #[must_use]
    pub fn threads(mut self, threads: usize) -> Self {
        self.threads = Some(threads.max(1));
        self
    }

    /// Makes the engine.
    ///
    /// # Errors
    /// [`BackendUnavailable`](Error::BackendUnavailable) when a backend was asked for that cannot be had,
    /// [`Threads`](Error::Threads) when the operating system refuses threads.
    pub fn build(self) -> Result<Engine> {
        const NO_GPU: &str = "this version has no GPU backend yet";
        let (backend, why) = match self.backend {
            BackendKind::Auto => (BackendKind::Cpu, NO_GPU),
            BackendKind::Cpu => (BackendKind::Cpu, "asked for"),
            BackendKind::BruteForce => (BackendKind::BruteForce, "asked for"),
            BackendKind::Gpu => {
                return Err(Error::BackendUnavailable { backend: "gpu", reason: NO_GPU.to_owned() });
            }
        };
        let pool = Pool::new(self.threads)
            .map_err(|reason| Error::Threads { threads: self.threads.unwrap_or_default(), reason })?;
        let threads = if backend == BackendKind::BruteForce { 1 } else { pool.threads() };
        let info = Info { backend, adapter: None, threads, why: why.to_owned() };
        Ok(Engine { shared: Arc::new(Shared { pool, info }) })
    }
}
