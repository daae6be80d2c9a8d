//! Which engines a command runs, from the options that all commands share.

use clap::ValueEnum;
use tangency::{Adapter, BackendKind, Engine};

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
    fn build(&self, kind: BackendKind) -> tangency::Result<Engine> {
        let builder = Engine::builder().backend(kind);
        match self.threads {
            Some(threads) => builder.threads(usize::from(threads)),
            None => builder,
        }
        .build()
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
        self.check_adapter()?;
        let kind = match self.backend {
            Backend::Auto | Backend::All => BackendKind::Auto,
            Backend::Cpu => BackendKind::Cpu,
            Backend::Gpu => BackendKind::Gpu,
        };
        Ok(self.build(kind)?)
    }

    /// All engines that the options allow, and what there might have been beyond them.
    pub fn engines(&self) -> Result<(Vec<Labelled>, Vec<Missing>)> {
        self.check_adapter()?;
        let mut engines = Vec::new();
        let mut missing = Vec::new();
        if self.backend != Backend::Gpu {
            let engine = self.build(BackendKind::Cpu)?;
            engines.push(Labelled { label: "cpu".to_owned(), engine });
        }
        if self.backend != Backend::Cpu {
            match self.build(BackendKind::Gpu) {
                Ok(engine) => engines.push(Labelled { label: "gpu".to_owned(), engine }),
                Err(error) if self.backend == Backend::Gpu => return Err(error.into()),
                Err(error) => missing.push(Missing { what: "gpu".to_owned(), why: error.to_string() }),
            }
        }
        Ok((engines, missing))
    }

    fn check_adapter(&self) -> Result<()> {
        if self.adapter.is_some() {
            self.adapter(&tangency::adapters())?;
        }
        Ok(())
    }
}
