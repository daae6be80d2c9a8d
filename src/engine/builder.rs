use std::sync::Arc;

use super::{Engine, Shared};
use crate::cpu::Pool;
use crate::{Error, Result};

/// What an [`Engine`] may run on.
///
/// ```
/// use tangency::{BackendKind, Bodies, Engine, shape::Sphere};
///
/// let mut bodies = Bodies::new();
/// bodies.extend([Sphere::new([0.0; 3], 1.0)?, Sphere::new([1.0, 0.0, 0.0], 1.0)?])?;
/// for backend in [BackendKind::Cpu, BackendKind::BruteForce] {
///     let engine = Engine::builder().backend(backend).build()?;
///     assert_eq!(engine.overlaps(&bodies)?.as_slice(), [[0, 1]]);
/// }
/// # Ok::<(), tangency::Error>(())
/// ```
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
    ///
    /// ```
    /// # use tangency::BackendKind;
    /// assert_eq!((BackendKind::Auto.name(), BackendKind::BruteForce.name()), ("auto", "brute-force"));
    /// ```
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
///
/// ```
/// use tangency::{BackendKind, Engine};
///
/// let engine = Engine::builder().backend(BackendKind::BruteForce).build()?;
/// let info = engine.info();
/// assert_eq!((info.backend, &info.adapter, info.threads), (BackendKind::BruteForce, &None, 1));
/// # Ok::<(), tangency::Error>(())
/// ```
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
    ///
    /// ```
    /// # use tangency::{BackendKind, Engine};
    /// let engine = Engine::builder().backend(BackendKind::BruteForce).build()?;
    /// assert_eq!(engine.info().backend, BackendKind::BruteForce);
    /// assert_ne!(Engine::builder().build()?.info().backend, BackendKind::Auto);
    /// # Ok::<(), tangency::Error>(())
    /// ```
    #[must_use]
    pub fn backend(mut self, backend: BackendKind) -> Self {
        self.backend = backend;
        self
    }

    /// How many threads to use; one per core if not said. 0 counts as 1. Without the feature `rayon` there is always one.
    ///
    /// ```
    /// # use tangency::{BackendKind, Engine};
    /// let engine = Engine::builder().backend(BackendKind::Cpu).threads(0).build()?;
    /// assert_eq!(engine.info().threads, 1);
    /// # Ok::<(), tangency::Error>(())
    /// ```
    #[must_use]
    pub fn threads(mut self, threads: usize) -> Self {
        self.threads = Some(threads.max(1));
        self
    }

    /// Makes the engine.
    ///
    /// ```
    /// # use tangency::{BackendKind, Engine};
    /// let engine = Engine::builder().backend(BackendKind::Cpu).threads(1).build()?;
    /// assert_eq!((engine.info().backend, engine.info().threads), (BackendKind::Cpu, 1));
    /// # Ok::<(), tangency::Error>(())
    /// ```
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
