//! Which engines a command runs, from the options that all commands share.

use clap::ValueEnum;
use tangency::{Adapter, BackendKind, Builder, Engine};

use crate::failure::{Failure, Result};

#[derive(clap::Args)]
pub struct Choice {
    /// What to run on
    #[arg(long, global = true, value_enum, default_value_t = Backend::Auto)]
    pub backend: Backend,
    /// Which adapter the GPU backend uses: its index in `doctor`, or BACKEND:PART-OF-ITS-NAME (vulkan:llvmpipe)
    #[arg(long, global = true, value_name = "INDEX|BACKEND:NAME")]
    pub adapter: Option<String>,
    /// How many CPU threads to use [default: one per core]
    #[arg(long, global = true, value_parser = clap::value_parser!(u16).range(1..))]
    pub threads: Option<u16>,
    /// Measure each stage of a GPU by its own clock
    #[arg(long, global = true)]
    pub profile: bool,
    /// Print JSON instead of text
    #[arg(long, global = true)]
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

/// An engine with the label it gets in tables.
pub struct Labelled {
    pub label: String,
    pub engine: Engine,
}

/// Why something did not run.
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

    /// The adapter that was asked for, if one was.
    pub fn adapter(&self, adapters: &[Adapter]) -> Result<Option<usize>> {
        let Some(wanted) = &self.adapter else { return Ok(None) };
        let found = match (wanted.parse::<usize>(), wanted.split_once(':')) {
            (Ok(index), _) => adapters.get(index),
            (_, Some((backend, part))) => {
                let part = part.to_lowercase();
                adapters.iter().find(|a| a.backend == backend && a.name.to_lowercase().contains(&part))
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
        let kind = match self.backend {
            Backend::Auto | Backend::All => BackendKind::Auto,
            Backend::Cpu => BackendKind::Cpu,
            Backend::Gpu => BackendKind::Gpu,
        };
        Ok(match self.wanted()? {
            Some(adapter) if kind != BackendKind::Cpu => self.builder(BackendKind::Gpu).adapter(adapter).build()?,
            _ => self.builder(kind).build()?,
        })
    }

    /// All engines that the options allow, and what there might have been beyond them.
    pub fn engines(&self) -> Result<(Vec<Labelled>, Vec<Missing>)> {
        let wanted = self.wanted()?;
        let mut engines = Vec::new();
        let mut missing = Vec::new();
        if self.backend != Backend::Gpu {
            let engine = self.builder(BackendKind::Cpu).build()?;
            engines.push(Labelled { label: "cpu".to_owned(), engine });
        }
        if self.backend != Backend::Cpu {
            let adapters = tangency::adapters();
            if adapters.is_empty() {
                missing.push(Missing { what: "gpu".to_owned(), why: "no adapter was found".to_owned() });
            }
            for adapter in adapters.iter().filter(|adapter| wanted.is_none_or(|index| index == adapter.index)) {
                let label = format!("gpu {}", adapter.backend);
                match self.builder(BackendKind::Gpu).adapter(adapter.index).build() {
                    Ok(engine) => engines.push(Labelled { label, engine }),
                    Err(error) if wanted.is_some() => return Err(error.into()),
                    Err(error) => {
                        missing.push(Missing { what: format!("{label} {}", adapter.name), why: error.to_string() });
                    }
                }
            }
            if engines.is_empty() {
                return Err(self
                    .builder(BackendKind::Gpu)
                    .build()
                    .err()
                    .map_or_else(|| Failure::Usage("no adapter can be used".to_owned()), Failure::from));
            }
        }
        Ok((engines, missing))
    }

    /// The index of the adapter that was asked for, if one was.
    fn wanted(&self) -> Result<Option<usize>> {
        if self.adapter.is_some() { self.adapter(&tangency::adapters()) } else { Ok(None) }
    }
}
