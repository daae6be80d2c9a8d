use std::sync::Arc;

use super::Engine;
use crate::batch::{Backend, Backends};
#[cfg(not(target_family = "wasm"))]
use crate::crew::{self, Outcome};
use crate::parallel::Pool;
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
///     assert_eq!(engine.overlaps(&bodies).run()?.to_vec(), [[0, 1]]);
/// }
/// # Ok::<(), tangency::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum BackendKind {
    /// The best there is: a GPU if there is one in hardware, but the CPU for a few thousand bodies, which it has done before a GPU
    /// would have begun, and for what the GPU has no memory for.
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
    #[cfg(feature = "gpu")]
    request: crate::gpu::DeviceRequest,
    #[cfg(feature = "gpu")]
    profile: bool,
    #[cfg(feature = "gpu")]
    twins: Vec<String>,
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

    /// The most [threads](Self::threads) that an engine may be asked to start.
    ///
    /// Threads beyond one per core only cost: each reserves 2 MiB of address space for its stack and several of the mappings of which
    /// Linux grants a process 65,530 by default. Too many do not fail in a way that can be caught: threads that cannot map what they
    /// need end the process, or all of them keep it busy for minutes. 1024 is above the 768 hardware threads of servers with two
    /// sockets (2 × 192 cores, two threads each) and works even where it makes no sense: on two busy cores, a query of 20,000 bodies
    /// takes 2.5 s with 1024 threads, and 0.05 s with two. Without [`threads`](Self::threads) an engine uses the process-wide pool, one thread per core, whatever their number.
    ///
    /// ```
    /// # use tangency::{Builder, Engine, Error};
    /// let error = Engine::builder().threads(Builder::MAX_THREADS + 1).build().unwrap_err();
    /// assert_eq!(error, Error::TooManyThreads { threads: 1025, limit: 1024 });
    /// ```
    pub const MAX_THREADS: usize = 1024;

    /// How many threads to use, up to [`MAX_THREADS`](Self::MAX_THREADS); one per core if not said. 0 counts as 1. Without the
    /// feature `rayon` there is always one.
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
    /// [`TooManyThreads`](Error::TooManyThreads) when more than [`MAX_THREADS`](Self::MAX_THREADS) were asked for (none is started),
    /// [`Threads`](Error::Threads) when the operating system refuses threads.
    pub fn build(self) -> Result<Engine> {
        pollster::block_on(self.made())
    }

    /// Makes the engine without blocking: opening a device can take a second. In a browser this is the only way.
    ///
    /// ```
    /// # use tangency::{BackendKind, Engine};
    /// let engine = pollster::block_on(Engine::builder().backend(BackendKind::Cpu).build_async())?;
    /// assert_eq!(engine.info().backend, BackendKind::Cpu);
    /// # Ok::<(), tangency::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`build`](Self::build).
    pub async fn build_async(self) -> Result<Engine> {
        #[cfg(not(target_family = "wasm"))]
        return Outcome::of(move || self.build(), crew::spawn).await;
        #[cfg(target_family = "wasm")]
        self.made().await
    }

    async fn made(self) -> Result<Engine> {
        if let Some(threads) = self.threads.filter(|&threads| threads > Self::MAX_THREADS) {
            return Err(Error::TooManyThreads { threads, limit: Self::MAX_THREADS });
        }
        let pool = Pool::new(self.threads)
            .map_err(|reason| Error::Threads { threads: self.threads.unwrap_or_default(), reason })?;
        let threads = if self.backend == BackendKind::BruteForce { 1 } else { pool.threads() };
        let info = |backend, adapter, why: String| Info { backend, adapter, threads, why };
        let (chosen, info) = match self.backend {
            BackendKind::Cpu => (Backend::Cpu, info(BackendKind::Cpu, None, "asked for".to_owned())),
            BackendKind::BruteForce => {
                (Backend::BruteForce, info(BackendKind::BruteForce, None, "asked for".to_owned()))
            }
            BackendKind::Gpu | BackendKind::Auto => match self.gpu().await {
                Ok((backend, adapter, why)) => (backend, info(BackendKind::Gpu, Some(adapter), why)),
                Err(error) if self.backend == BackendKind::Gpu => return Err(error),
                Err(Error::BackendUnavailable { reason, .. }) => {
                    (Backend::Cpu, info(BackendKind::Cpu, None, format!("no GPU: {reason}")))
                }
                Err(error) => return Err(error),
            },
        };
        let backends = Backends {
            pool,
            chosen,
            #[cfg(feature = "gpu")]
            falls_back: self.backend == BackendKind::Auto,
        };
        Ok(Engine { backends: Arc::new(backends), info: Arc::new(info) })
    }

    #[cfg(not(feature = "gpu"))]
    #[expect(clippy::unused_async, reason = "with the feature, a device is waited for")]
    async fn gpu(&self) -> Result<(Backend, String, String)> {
        let reason = "the feature `gpu` is off".to_owned();
        Err(Error::BackendUnavailable { backend: "gpu", reason })
    }
}

/// What only a GPU needs to be told.
#[cfg(feature = "gpu")]
impl Builder {
    /// Which adapter, by its index in [`adapters`](crate::adapters). If not said: the first that is hardware and can compute; a
    /// program that acts as one only when [`Gpu`](BackendKind::Gpu) was asked for and there is nothing else.
    ///
    /// ```
    /// use tangency::{BackendKind, Engine};
    ///
    /// for adapter in tangency::adapters().into_iter().filter(|adapter| adapter.compute) {
    ///     let engine = Engine::builder().backend(BackendKind::Gpu).adapter(adapter.index).build()?;
    ///     assert_eq!(engine.info().adapter.as_ref(), Some(&adapter.name));
    /// }
    /// # Ok::<(), tangency::Error>(())
    /// ```
    #[must_use]
    pub fn adapter(mut self, index: usize) -> Self {
        self.request.adapter = Some(index);
        self
    }

    /// Use the caller's own device. It must have been made with the limits that its adapter grants, or with WebGPU's defaults.
    ///
    /// ```
    /// use tangency::{BackendKind, Engine, wgpu};
    ///
    /// let instance = wgpu::Instance::new(wgpu::InstanceDescriptor::new_without_display_handle());
    /// let adapters = pollster::block_on(instance.enumerate_adapters(wgpu::Backends::PRIMARY));
    /// if let Some(adapter) = adapters.first() {
    ///     let made = adapter.request_device(&wgpu::DeviceDescriptor::default());
    ///     let (device, queue) = pollster::block_on(made).expect("a device");
    ///     let engine = Engine::builder().device(device, queue).build()?;
    ///     assert_eq!(engine.info().backend, BackendKind::Gpu);
    /// }
    /// # Ok::<(), tangency::Error>(())
    /// ```
    #[must_use]
    pub fn device(mut self, device: wgpu::Device, queue: wgpu::Queue) -> Self {
        self.request.device = Some((device, queue));
        self
    }

    /// The most device memory to use, in bytes. What would need more is an error: [`DeviceMemory`](Error::DeviceMemory).
    ///
    /// ```
    /// use tangency::{BackendKind, Engine, Error, scenes::Scene};
    ///
    /// let bodies = Scene::Uniform.build(10_000, 1)?;
    /// if let Ok(engine) = Engine::builder().backend(BackendKind::Gpu).memory_budget(1000).build() {
    ///     assert!(matches!(engine.overlaps(&bodies).run(), Err(Error::DeviceMemory { limit: 0..=1000, .. })));
    /// }
    /// # Ok::<(), Error>(())
    /// ```
    #[must_use]
    pub fn memory_budget(mut self, bytes: u64) -> Self {
        self.request.memory = Some(bytes);
        self
    }

    /// Ask the device for nothing beyond WebGPU's default limits, as a browser would give them.
    ///
    /// ```
    /// use tangency::{BackendKind, Engine, scenes::Scene};
    ///
    /// let bodies = Scene::Mixed.build(600, 1)?;
    /// if let Ok(engine) = Engine::builder().backend(BackendKind::Gpu).portable(true).build() {
    ///     assert!(engine.verify(&bodies)?.is_ok());
    /// }
    /// # Ok::<(), tangency::Error>(())
    /// ```
    #[must_use]
    pub fn portable(mut self, portable: bool) -> Self {
        self.request.portable = portable;
        self
    }

    /// Measure each stage by the device's clock, where it has one: [`Stats::stages`](crate::Stats::stages). It costs some
    /// microseconds a stage.
    ///
    /// ```
    /// use tangency::{BackendKind, Engine, scenes::Scene};
    ///
    /// let bodies = Scene::Uniform.build(600, 1)?;
    /// if let Ok(engine) = Engine::builder().backend(BackendKind::Gpu).profile(true).build() {
    ///     assert!(!engine.overlaps(&bodies).run()?.stats().stages.is_empty());
    /// }
    /// # Ok::<(), tangency::Error>(())
    /// ```
    #[must_use]
    pub fn profile(mut self, profile: bool) -> Self {
        self.profile = profile;
        self
    }

    /// Run these stages by their serial twins on the CPU, to find the one at fault. Names are those of
    /// the kernels, as in `src/gpu/stages.rs`; an unknown one is an [error](Error::NoSuchStage).
    ///
    /// ```
    /// use tangency::{BackendKind, Engine, scenes::Scene};
    ///
    /// let bodies = Scene::Uniform.build(600, 1)?;
    /// if let Ok(engine) = Engine::builder().backend(BackendKind::Gpu).twins(["find_pairs", "gather"]).build() {
    ///     assert!(engine.verify(&bodies)?.is_ok());
    /// }
    /// # Ok::<(), tangency::Error>(())
    /// ```
    #[doc(hidden)]
    #[must_use]
    pub fn twins<S: Into<String>>(mut self, stages: impl IntoIterator<Item = S>) -> Self {
        self.twins = stages.into_iter().map(Into::into).collect();
        self
    }

    /// The GPU backend, its adapter's name, and why it was chosen.
    async fn gpu(&self) -> Result<(Backend, String, String)> {
        let said = self.request.adapter.is_some() || self.request.device.is_some();
        // A program that acts as a GPU is slower than this library's own CPU backend.
        let hardware = self.backend == BackendKind::Auto && !said;
        let request = crate::gpu::DeviceRequest { hardware, ..self.request.clone() };
        let gpu = crate::gpu::Gpu::new(request, self.profile, &self.twins).await?;
        let (adapter, why) = match gpu.adapter() {
            None => ("the caller's device".to_owned(), "given by the caller".to_owned()),
            Some(adapter) => {
                let kind = if adapter.hardware { "hardware" } else { "not hardware, but a program that acts as a GPU" };
                let chosen = if said { "asked for" } else { "the best adapter" };
                (adapter.name.clone(), format!("{chosen}: {}, {kind}", adapter.backend))
            }
        };
        Ok((Backend::Gpu(Box::new(gpu)), adapter, why))
    }
}
