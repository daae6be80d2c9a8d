//! The engines that a command runs, from the options that all commands share.

use clap::ValueEnum;
use indicatif::ProgressBar;
use tangency::{Adapter, BackendKind, Builder, Engine};

use crate::compare::BRUTE_FORCE;
use crate::failure::{Failure, Result};
use crate::{messages, progress};

#[derive(Clone, clap::Args)]
pub struct Choice {
    /// What to run on
    #[arg(long, value_enum, default_value_t = Backend::Auto)]
    pub backend: Backend,
    /// Which adapter answers: its index in `doctor`, or BACKEND:PART-OF-ITS-NAME (vulkan:llvmpipe)
    #[arg(long, value_name = "INDEX|BACKEND:NAME")]
    pub adapter: Option<String>,
    /// Exit with 3 unless a GPU answers (a program that acts as one counts); `--backend auto` is then `gpu`
    #[arg(long)]
    pub require_gpu: bool,
    /// How many CPU threads to use [default: one per core]
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..=Builder::MAX_THREADS as i64))]
    pub threads: Option<u16>,
    /// Whether a GPU measures each stage by its own clock: an option of the commands that print stages.
    #[arg(skip)]
    pub profile: bool,
    /// Print JSON instead of text
    #[arg(long)]
    pub json: bool,
}

#[derive(Clone, Copy, PartialEq, ValueEnum)]
pub enum Backend {
    /// The best there is
    Auto,
    /// The CPU
    Cpu,
    /// A GPU
    Gpu,
    /// Every one there is; all answers must be equal
    All,
}

/// The advice if there is no adapter at all.
const NO_ADAPTER: &str = if cfg!(target_os = "linux") {
    "no adapter was found; a GPU needs its vendor's driver, and Debian and Ubuntu have one in software: \
     apt-get install mesa-vulkan-drivers libvulkan1"
} else {
    "no adapter was found; install the driver of the GPU's vendor"
};

/// An engine with the label it gets in tables.
pub struct Labelled {
    pub label: String,
    pub engine: Engine,
    /// The adapter, if the engine is a GPU that was chosen from the list.
    pub adapter: Option<Adapter>,
}

impl Labelled {
    pub fn new(label: impl Into<String>, engine: Engine) -> Self {
        Self { label: label.into(), engine, adapter: None }
    }

    pub fn is_gpu(&self) -> bool {
        self.engine.info().backend == BackendKind::Gpu
    }

    /// Whether it is a software adapter.
    pub fn is_software(&self) -> bool {
        self.adapter.as_ref().is_some_and(|adapter| !adapter.hardware)
    }

    /// The adapter's name, or the number of threads.
    pub fn runs_on(&self) -> String {
        let info = self.engine.info();
        let threads = if info.threads == 1 { "1 thread".to_owned() } else { format!("{} threads", info.threads) };
        info.adapter.clone().unwrap_or(threads)
    }

    /// The name in a sentence: `gpu vulkan (NVIDIA H200)`.
    pub fn name(&self) -> String {
        format!("{} ({})", self.label, self.runs_on())
    }
}

/// The names of engines, for a sentence.
pub fn names(engines: &[Labelled]) -> String {
    engines.iter().map(Labelled::name).collect::<Vec<_>>().join(", ")
}

/// The number of different engines. Each adapter counts, but not the same backend with another number of threads.
pub fn different(engines: &[Labelled]) -> usize {
    let of = |kind| engines.iter().filter(|labelled| labelled.engine.info().backend == kind).count();
    of(BackendKind::Gpu) + of(BackendKind::Cpu).min(1) + of(BackendKind::BruteForce).min(1)
}

/// Prints, after all engines have given the same answer, which ones they are, or that there was only one.
pub fn compared(engines: &[Labelled]) -> Result<()> {
    if different(engines) < 2 {
        return Err(Failure::Unchecked(format!("nothing was compared: only {} answered", names(engines))));
    }
    messages::note(format_args!("identical: {}", names(engines)));
    Ok(())
}

/// An engine that did not run, and why.
pub struct Missing {
    pub what: String,
    pub why: String,
}

impl Choice {
    fn builder(&self, kind: BackendKind) -> Builder {
        let builder = Engine::builder().backend(kind).profile(self.profile);
        match self.threads {
            Some(threads) => builder.threads(usize::from(threads)),
            None => builder,
        }
    }

    /// The index of the adapter that the options name, if they do.
    fn find(&self, adapters: &[Adapter]) -> Result<Option<usize>> {
        let Some(wanted) = &self.adapter else { return Ok(None) };
        let found = match (wanted.parse::<usize>(), wanted.split_once(':')) {
            (Ok(index), _) => adapters.get(index),
            (_, Some((backend, part))) => {
                let part = part.to_lowercase();
                adapters
                    .iter()
                    .find(|a| a.backend.eq_ignore_ascii_case(backend) && a.name.to_lowercase().contains(&part))
            }
            _ => return Err(Failure::Usage(format!("--adapter {wanted}: give an index or BACKEND:PART-OF-ITS-NAME"))),
        };
        match found {
            Some(adapter) => Ok(Some(adapter.index)),
            None => Err(Failure::Usage(format!(
                "--adapter {wanted}: there is no such adapter; `tangency doctor` lists the {} there are",
                adapters.len()
            ))),
        }
    }

    /// The engine to answer with.
    pub fn engine(&self) -> Result<Engine> {
        self.check()?;
        let wanted = if self.adapter.is_some() { self.find(&tangency::adapters())? } else { None };
        let builder = self.builder(match self.backend {
            Backend::Cpu => BackendKind::Cpu,
            Backend::Auto | Backend::All if !self.require_gpu => BackendKind::Auto,
            _ => BackendKind::Gpu,
        });
        let builder = match wanted {
            Some(adapter) => builder.adapter(adapter),
            None => builder,
        };
        builder.build().map_err(|error| self.failure(error))
    }

    /// The engines to answer with, which must agree: all that the options allow with `--backend all`, else the one chosen.
    pub fn answering(&self) -> Result<Vec<Labelled>> {
        if self.backend == Backend::All {
            return Ok(self.engines()?.0);
        }
        let engine = self.engine()?;
        Ok(vec![Labelled::new(engine.info().backend.name(), engine)])
    }

    /// The answer of the chosen engine, or of all engines if these agree, and the engines that gave it. All engines are compared with
    /// brute force for few bodies, and with the first engine for more. `what` names that in which they differ.
    pub fn agreed<T: PartialEq + Send>(
        &self,
        bodies: usize,
        what: &str,
        spinner: &ProgressBar,
        ask: impl Fn(&Engine) -> tangency::Result<T> + Sync,
    ) -> Result<(Vec<Labelled>, T)> {
        let mut engines = self.answering()?;
        if self.backend == Backend::All && bodies <= BRUTE_FORCE {
            let engine = Engine::builder().backend(BackendKind::BruteForce).build()?;
            engines.insert(0, Labelled::new(BackendKind::BruteForce.name(), engine));
        }
        let answer = |labelled: &Labelled| progress::watched(spinner, labelled, || ask(&labelled.engine));
        let first = answer(&engines[0])?;
        let mut last = None;
        for labelled in &engines[1..] {
            let found = answer(labelled)?;
            if found != first {
                let (name, first) = (labelled.name(), engines[0].name());
                return Err(Failure::Wrong(format!("{name} found other {what} than {first}")));
            }
            last = Some(found);
        }
        // The statistics of the last engine are shown.
        Ok((engines, last.unwrap_or(first)))
    }

    /// The engines to be checked: those of [`answering`](Self::answering), except that a GPU that was chosen automatically answers
    /// everything, and leaves neither small queries nor what it fails at to the CPU.
    pub fn checked(&self) -> Result<(Vec<Labelled>, Vec<Missing>)> {
        if self.backend == Backend::All {
            return self.engines();
        }
        let mut engine = self.engine()?;
        if engine.info().cpu_up_to.is_some_and(|bodies| bodies > 0) {
            engine = Self { backend: Backend::Gpu, ..self.clone() }.engine()?;
        }
        Ok((vec![Labelled::new(engine.info().backend.name(), engine)], Vec::new()))
    }

    /// All engines that the options allow, and those that could not be opened.
    pub fn engines(&self) -> Result<(Vec<Labelled>, Vec<Missing>)> {
        self.check()?;
        let mut engines = Vec::new();
        let mut missing = Vec::new();
        if self.backend != Backend::Gpu {
            engines.push(Labelled::new("cpu", self.builder(BackendKind::Cpu).build()?));
        }
        if self.backend != Backend::Cpu {
            let adapters = tangency::adapters();
            let wanted = self.find(&adapters)?;
            if adapters.is_empty() {
                missing.push(Missing { what: "gpu".to_owned(), why: NO_ADAPTER.to_owned() });
            }
            for adapter in adapters.into_iter().filter(|adapter| wanted.is_none_or(|index| index == adapter.index)) {
                let label = format!("gpu {}", adapter.backend);
                match self.builder(BackendKind::Gpu).adapter(adapter.index).build() {
                    Ok(engine) => engines.push(Labelled { label, engine, adapter: Some(adapter) }),
                    Err(error) if wanted.is_some() => return Err(self.failure(error)),
                    Err(error) => {
                        missing.push(Missing { what: format!("{label} {}", adapter.name), why: error.to_string() });
                    }
                }
            }
        }
        if (self.require_gpu || self.backend == Backend::Gpu) && !engines.iter().any(Labelled::is_gpu) {
            let why: Vec<_> = missing.iter().map(|m| format!("{}: {}", m.what, m.why)).collect();
            return Err(self.no_gpu(&why.join("; ")));
        }
        Ok((engines, missing))
    }

    /// Checks that the options are consistent.
    fn check(&self) -> Result<()> {
        if self.require_gpu && self.backend == Backend::Cpu {
            return Err(Failure::Usage("--require-gpu does not go with --backend cpu".to_owned()));
        }
        if self.adapter.is_some() && self.backend == Backend::Cpu {
            return Err(Failure::Usage("--adapter does not go with --backend cpu".to_owned()));
        }
        Ok(())
    }

    /// The failure to report if an engine cannot be built.
    fn failure(&self, error: tangency::Error) -> Failure {
        match error {
            tangency::Error::BackendUnavailable { .. } if tangency::adapters().is_empty() => self.no_gpu(NO_ADAPTER),
            tangency::Error::BackendUnavailable { reason, .. } => self.no_gpu(&reason),
            other => other.into(),
        }
    }

    fn no_gpu(&self, why: &str) -> Failure {
        if self.require_gpu {
            Failure::Unchecked(format!("--require-gpu: no GPU can answer: {why}"))
        } else {
            Failure::NoGpu(why.to_owned())
        }
    }
}
