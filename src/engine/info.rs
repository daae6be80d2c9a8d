//! What an engine may run on, and what it does run on.

/// What an [`Engine`](crate::Engine) may run on.
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
    /// The best there is: a GPU if there is one in hardware, but the CPU for [a few thousand bodies](crate::Info::cpu_up_to),
    /// which it has done before a GPU would have begun, and for what the GPU has no memory for. With an adapter or a device of
    /// the caller's choice this is [`Gpu`](Self::Gpu).
    #[default]
    Auto,
    /// The CPU, all cores.
    Cpu,
    /// A GPU, for sets of any size. What it cannot do is an error.
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
/// assert_eq!(info.cpu_up_to, None); // there is no GPU that the CPU could answer for
/// # Ok::<(), tangency::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Info {
    /// The backend in use; never [`Auto`](BackendKind::Auto).
    pub backend: BackendKind,
    /// The name of the adapter, if it is a GPU; also of a device that the caller has given.
    pub adapter: Option<String>,
    /// Up to how many bodies or pairs the CPU answers instead of the GPU, as [set](crate::Builder::cpu_up_to) or by default.
    /// `Some(0)` if the GPU answers everything, and `None` without a GPU.
    pub cpu_up_to: Option<usize>,
    /// Whether the GPU's kernels use its subgroups. They do where these have 32 threads, and the device has the features.
    pub subgroups: bool,
    /// Whether the GPU settles pairs in `f64`. It does where it has that, and has passed a test of its rounding.
    pub doubles: bool,
    /// Whether the GPU computes contacts, times and distances with the same bits as the CPU. That is checked before the first query for them, and `None`
    /// until then, and without a GPU. Where it does not, the CPU answers these queries, or they are an
    /// [error](crate::Error::UnequalBits) if the GPU was asked for.
    pub equal_bits: Option<bool>,
    /// How many threads the CPU's part uses.
    pub threads: usize,
    /// Why this backend, and why not a better one.
    pub why: String,
    /// How often the GPU has failed so far: its device was lost or had no memory, a kernel was refused, or the driver did not answer in
    /// time. Each time the CPU answered instead, or the call returned the error if the GPU was asked for. A device that is lost is opened
    /// anew by the next call; if three in a row are lost, a GPU that was chosen automatically is left alone.
    pub failures: u64,
    /// What the GPU failed at last.
    pub last_failure: Option<String>,
}

impl Info {
    /// An engine on the CPU, or by brute force.
    pub(super) fn without_gpu(backend: BackendKind, threads: usize, why: impl Into<String>) -> Self {
        let why = why.into();
        let (subgroups, doubles, equal_bits) = (false, false, None);
        Self {
            backend,
            adapter: None,
            cpu_up_to: None,
            subgroups,
            doubles,
            equal_bits,
            threads,
            why,
            failures: 0,
            last_failure: None,
        }
    }
}
