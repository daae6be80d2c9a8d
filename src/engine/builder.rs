use std::sync::Arc;

use super::{BackendKind, Engine, Info};
use crate::batch::{Backend, Backends};
#[cfg(not(target_family = "wasm"))]
use crate::crew::{self, Outcome};
#[cfg(feature = "gpu")]
use crate::gpu::Renewable;
use crate::parallel::Pool;
use crate::{Error, Result};

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
    cpu_up_to: Option<usize>,
    host_memory: Option<u64>,
    #[cfg(feature = "gpu")]
    request: crate::gpu::DeviceRequest,
    #[cfg(feature = "gpu")]
    profile: bool,
    #[cfg(feature = "gpu")]
    twins: Vec<String>,
    #[cfg(feature = "gpu")]
    time_limit: Option<std::time::Duration>,
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

    /// What [`cpu_up_to`](Self::cpu_up_to) is for a GPU that was chosen automatically: 4096.
    ///
    /// Every query on a GPU takes some time for uploads, a submission and a read-back, however few bodies there are, and the first
    /// one waits for its kernels to be compiled: the first answer of a process takes 560 ms on an NVIDIA H200. The CPU backend takes
    /// 0.8 µs for a body on one of the cores beside it, and 0.1 µs on 16 of them (`docs/performance.md`). So 4096 bodies take it
    /// from 0.4 to 3.3 ms: not long enough to wait for a GPU.
    ///
    /// ```
    /// # use tangency::{Builder, Engine};
    /// let left_to_the_cpu = Engine::new()?.info().cpu_up_to;
    /// assert!([None, Some(Builder::CPU_UP_TO)].contains(&left_to_the_cpu)); // without a GPU, and with one
    /// # Ok::<(), tangency::Error>(())
    /// ```
    pub const CPU_UP_TO: usize = 4096;

    /// Up to how many bodies or pairs the CPU answers instead of the GPU, whichever GPU it is; without one it has no effect.
    ///
    /// If not said, [`CPU_UP_TO`](Self::CPU_UP_TO) for a GPU that was chosen automatically, and 0 for one that was asked for, by
    /// [`backend`](Self::backend), an adapter or a device: that one answers everything. 0 is no body at all, not even an empty set.
    ///
    /// What is counted: the bodies, of two sets those of both, and points as bodies; of [`cast_rays`](Engine::cast_rays) the bodies or the
    /// rays, whichever are more; of [`relations`](Engine::relations) the pairs. The answer is the same
    /// either way. An engine that has been [warmed up](Engine::warm_up) may do better with a smaller number, and one that shares
    /// its GPU with others with a larger one.
    ///
    /// ```
    /// # use tangency::Engine;
    /// let engine = Engine::builder().cpu_up_to(500).build()?;
    /// let info = engine.info();
    /// assert_eq!(info.cpu_up_to, info.adapter.as_ref().map(|_| 500)); // none without a GPU
    /// # Ok::<(), tangency::Error>(())
    /// ```
    #[must_use]
    pub fn cpu_up_to(mut self, bodies: usize) -> Self {
        self.cpu_up_to = Some(bodies);
        self
    }

    /// The most memory of the host for an answer, in bytes, while it is found and sorted: 24 for a pair on the CPU and 16 if a GPU answers,
    /// 136 and 464 for a contact. What would need more is an error, [`AnswerTooLarge`](Error::AnswerTooLarge), whatever the backend; in
    /// [parts](crate::Request::for_each_part) it can be had all the same.
    ///
    /// If not said, the engine asks the system how much there is when an answer has more than a million pairs, and leaves an eighth of
    /// it to others. On Linux that is the least of what the machine has available, what its container may still take, and what is left
    /// of the address space; other systems are not asked.
    ///
    /// ```
    /// # use tangency::{BackendKind, Bodies, Engine, Error, shape::Sphere};
    /// let engine = Engine::builder().backend(BackendKind::Cpu).host_memory_budget(240_000).build()?;
    /// let mut bodies = Bodies::new();
    /// bodies.extend([Sphere::new([0.0; 3], 1.0)?; 1000])?; // each meets each
    /// let answer = engine.overlaps(&bodies).run();
    /// assert!(matches!(answer, Err(Error::AnswerTooLarge { pairs: 10_001.., limit: 240_000, .. })));
    /// # Ok::<(), Error>(())
    /// ```
    #[must_use]
    pub fn host_memory_budget(mut self, bytes: u64) -> Self {
        self.host_memory = Some(bytes);
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
    /// [`BackendUnavailable`](Error::BackendUnavailable) when a backend, an adapter or a device was asked for that cannot be had,
    /// [`Contradiction`](Error::Contradiction) when an adapter or a device was asked for together with the CPU, or both of them,
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
        #[cfg(feature = "gpu")]
        self.check()?;
        let mut pool = Pool::new(self.threads)
            .map_err(|reason| Error::Threads { threads: self.threads.unwrap_or_default(), reason })?;
        pool.memory = self.host_memory;
        let threads = pool.threads();
        let (chosen, info) = match self.backend {
            BackendKind::Cpu => (Backend::Cpu, Info::without_gpu(BackendKind::Cpu, threads, "asked for")),
            BackendKind::BruteForce => {
                (Backend::BruteForce, Info::without_gpu(BackendKind::BruteForce, 1, "asked for"))
            }
            BackendKind::Gpu | BackendKind::Auto => match self.gpu(threads).await {
                Ok(gpu) => gpu,
                Err(Error::BackendUnavailable { reason, .. }) if self.is_automatic() => {
                    (Backend::Cpu, Info::without_gpu(BackendKind::Cpu, threads, format!("no GPU: {reason}")))
                }
                Err(error) => return Err(error),
            },
        };
        let backends = Backends {
            pool,
            chosen,
            #[cfg(feature = "gpu")]
            falls_back: self.is_automatic(),
            #[cfg(feature = "gpu")]
            cpu_up_to: info.cpu_up_to.unwrap_or_default(),
            #[cfg(all(feature = "gpu", not(target_family = "wasm")))]
            time_limit: self.time_limit,
        };
        Ok(Engine { backends: Arc::new(backends), info: Arc::new(info) })
    }

    /// Whether the engine chooses what it runs on: neither a backend nor an adapter nor a device was asked for.
    fn is_automatic(&self) -> bool {
        #[cfg(feature = "gpu")]
        if self.request.adapter.is_some() || self.request.device.is_some() {
            return false;
        }
        self.backend == BackendKind::Auto
    }

    #[cfg(not(feature = "gpu"))]
    #[expect(clippy::unused_async, reason = "with the feature, a device is waited for")]
    async fn gpu(&self, _threads: usize) -> Result<(Backend, Info)> {
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
    /// The adapter that was asked for is the one that answers, whatever the [backend](Self::backend), and for sets of any size:
    /// the CPU does not take its place. If it cannot be used, [`build`](Self::build) says why, and what it cannot do is an error
    /// of the query. Together with [`Cpu`](BackendKind::Cpu) or [`BruteForce`](BackendKind::BruteForce) it is a
    /// [contradiction](Error::Contradiction).
    ///
    /// ```
    /// use tangency::{Engine, Error};
    ///
    /// for adapter in tangency::adapters().into_iter().filter(|adapter| adapter.compute) {
    ///     let engine = Engine::builder().adapter(adapter.index).build()?;
    ///     assert_eq!(engine.info().adapter.as_ref(), Some(&adapter.name));
    /// }
    /// let none = Engine::builder().adapter(999).build();
    /// assert!(matches!(none, Err(Error::BackendUnavailable { .. })));
    /// # Ok::<(), tangency::Error>(())
    /// ```
    #[must_use]
    pub fn adapter(mut self, index: usize) -> Self {
        self.request.adapter = Some(index);
        self
    }

    /// The features that kernels use on devices that have them: for [`device`](Self::device). Subgroups make queries faster, `f64`
    /// lets more pairs be settled on the device, and timestamps are for [`profile`](Self::profile).
    ///
    /// ```
    /// use tangency::{Builder, wgpu::Features};
    ///
    /// assert!(Builder::DEVICE_FEATURES.contains(Features::SUBGROUP | Features::SHADER_F64));
    /// ```
    pub const DEVICE_FEATURES: wgpu::Features = crate::gpu::FEATURES;

    /// Use the caller's own device. It must have been made with the limits that its adapter grants, or with WebGPU's defaults; of its
    /// features those of [`DEVICE_FEATURES`](Self::DEVICE_FEATURES) are used, as on a device of the engine's own.
    ///
    /// As with [`adapter`](Self::adapter), the CPU does not take its place. Both together are a
    /// [contradiction](Error::Contradiction).
    ///
    /// ```
    /// use tangency::{BackendKind, Builder, Engine, wgpu};
    ///
    /// let instance = wgpu::Instance::new(wgpu::InstanceDescriptor::new_without_display_handle());
    /// let adapters = pollster::block_on(instance.enumerate_adapters(wgpu::Backends::PRIMARY));
    /// if let Some(adapter) = adapters.first() {
    ///     let made = adapter.request_device(&wgpu::DeviceDescriptor {
    ///         required_features: adapter.features() & Builder::DEVICE_FEATURES,
    ///         required_limits: adapter.limits(),
    ///         ..Default::default()
    ///     });
    ///     let (device, queue) = pollster::block_on(made).expect("a device");
    ///     let engine = Engine::builder().device(device, queue).build()?;
    ///     assert_eq!(engine.info().backend, BackendKind::Gpu);
    ///     assert_eq!(engine.info().adapter, Some(adapter.get_info().name));
    /// }
    /// # Ok::<(), tangency::Error>(())
    /// ```
    #[must_use]
    pub fn device(mut self, device: wgpu::Device, queue: wgpu::Queue) -> Self {
        self.request.device = Some((device, queue));
        self
    }

    /// The most device memory to use, in bytes. What would need more is an error: [`DeviceMemory`](Error::DeviceMemory); of a GPU
    /// that was chosen automatically it is left to the CPU.
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

    /// How long a call may take on a GPU; if not said, as long as it takes.
    ///
    /// A driver that hangs never comes back from a call, and nobody can end it from outside. With a limit, the GPU's part of every call
    /// runs on a thread of its own. If the answer is not there in time, the thread is left behind, and the device with it: of a GPU that
    /// was chosen automatically the CPU answers instead, of one that was asked for there is an error,
    /// [`Device`](Error::Device), and the next call opens another device. The first query of a process compiles kernels, for a second
    /// or more on some drivers, which counts too. In a browser there is no limit.
    ///
    /// ```
    /// use std::time::Duration;
    /// use tangency::{Engine, scenes::Scene};
    ///
    /// let engine = Engine::builder().time_limit(Duration::from_secs(60)).build()?;
    /// assert!(engine.verify(&Scene::Mixed.build(600, 1)?)?.is_ok());
    /// # Ok::<(), tangency::Error>(())
    /// ```
    #[must_use]
    pub fn time_limit(mut self, limit: std::time::Duration) -> Self {
        self.time_limit = Some(limit);
        self
    }

    /// Use nothing of a device beyond WebGPU's default limits, as a browser would give them.
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

    /// Checks that the wishes do not exclude each other, and that all stages have names that are known.
    fn check(&self) -> Result<()> {
        if let Some(name) = self.twins.iter().find(|name| crate::gpu::stages::find(name).is_none()) {
            return Err(Error::NoSuchStage { name: name.clone() });
        }
        let contradiction = |one, other| Err(Error::Contradiction { one, other });
        let named = match (&self.request.adapter, &self.request.device) {
            (Some(_), Some(_)) => return contradiction("adapter(…)", "device(…)"),
            (Some(_), None) => "adapter(…)",
            (None, Some(_)) => "device(…)",
            (None, None) => return Ok(()),
        };
        match self.backend {
            BackendKind::Cpu => contradiction("backend(BackendKind::Cpu)", named),
            BackendKind::BruteForce => contradiction("backend(BackendKind::BruteForce)", named),
            BackendKind::Gpu | BackendKind::Auto => Ok(()),
        }
    }

    /// The GPU backend, and what there is to say about it.
    async fn gpu(&self, threads: usize) -> Result<(Backend, Info)> {
        // A program that acts as a GPU is slower than this library's own CPU backend.
        let request = crate::gpu::DeviceRequest { hardware: self.is_automatic(), ..self.request.clone() };
        let renewable = self.open(request).await?;
        let gpu = renewable.device().await?;
        let (name, interface, hardware) = gpu.adapter();
        let chosen = if self.request.device.is_some() {
            "given by the caller"
        } else if self.request.adapter.is_some() {
            "asked for"
        } else {
            "the best adapter"
        };
        let kind = if hardware { "hardware" } else { "not hardware, but a program that acts as a GPU" };
        let info = Info {
            backend: BackendKind::Gpu,
            adapter: Some(name.to_owned()),
            cpu_up_to: Some(self.threshold()),
            subgroups: gpu.device.abilities.subgroups,
            doubles: gpu.device.abilities.doubles,
            equal_bits: None,
            threads,
            why: format!("{chosen}: {interface}, {kind}"),
            failures: 0,
            last_failure: None,
        };
        Ok((Backend::Gpu(Box::new(renewable)), info))
    }

    /// Opens the device, in time if there is a limit.
    async fn open(&self, request: crate::gpu::DeviceRequest) -> Result<Renewable> {
        let (profile, twins) = (self.profile, self.twins.clone());
        #[cfg(not(target_family = "wasm"))]
        if let Some(limit) = self.time_limit {
            let job = move || pollster::block_on(Renewable::open(request, profile, twins));
            return Outcome::of(job, crew::spawn).within(limit).unwrap_or_else(|| {
                let reason = format!("the driver did not open a device within {limit:?}");
                Err(Error::BackendUnavailable { backend: "gpu", reason })
            });
        }
        Renewable::open(request, profile, twins).await
    }

    /// Up to how many bodies or pairs the CPU answers instead of a GPU.
    fn threshold(&self) -> usize {
        self.cpu_up_to.unwrap_or(if self.is_automatic() { Self::CPU_UP_TO } else { 0 })
    }
}

#[cfg(all(test, feature = "gpu"))]
mod tests {
    use super::*;

    /// Only a GPU that nobody asked for leaves anything to the CPU, unless that was asked for.
    #[test]
    fn the_cpu_answers_for_a_gpu_that_nobody_asked_for() {
        let auto = Engine::builder();
        assert!(auto.is_automatic() && auto.threshold() == Builder::CPU_UP_TO);
        for asked in [auto.clone().backend(BackendKind::Gpu), auto.clone().adapter(0)] {
            assert!(!asked.is_automatic() && asked.threshold() == 0);
            assert_eq!(asked.cpu_up_to(7).threshold(), 7);
        }
        assert!(auto.clone().cpu_up_to(7).is_automatic());
        assert_eq!((auto.clone().cpu_up_to(7).threshold(), auto.cpu_up_to(0).threshold()), (7, 0));
    }
}
