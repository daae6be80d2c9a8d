//! Failures of commands, with a message for the terminal and an exit code for scripts.

use std::path::{Path, PathBuf};

/// What `--help` says about exit codes.
pub const EXIT_CODES: &str = "Exit codes:
  0  done; where answers were compared, they are identical
  1  failed, or an answer is wrong
  2  the options make no sense
  3  nothing was compared, because only one backend answered; or no GPU answered and --require-gpu was given";

#[derive(Debug, thiserror::Error)]
pub enum Failure {
    #[error("cannot read {path}: {source}", path = .path.display())]
    Read { path: PathBuf, source: std::io::Error },
    #[error("cannot write {path}: {source}", path = .path.display())]
    Write { path: PathBuf, source: std::io::Error },
    #[error("cannot write to standard output: {0}")]
    Stdout(std::io::Error),
    #[error("{path}, line {line}: {reason}", path = .path.display())]
    Line { path: PathBuf, line: usize, reason: String },
    #[error("{0}")]
    Tangency(#[from] tangency::Error),
    /// A GPU was required, and none can be used.
    #[error("no GPU can answer: {0}")]
    NoGpu(String),
    #[error("{0}")]
    Usage(String),
    /// The command ran, and found a wrong result.
    #[error("{0}")]
    Wrong(String),
    /// A check could not be made: there was nothing to compare with, or no GPU where one is required.
    #[error("{0}")]
    Unchecked(String),
}

pub type Result<T, E = Failure> = std::result::Result<T, E>;

impl Failure {
    pub fn line(path: &Path, line: usize, reason: impl Into<String>) -> Self {
        Self::Line { path: path.to_owned(), line, reason: reason.into() }
    }

    /// The exit code: [`EXIT_CODES`].
    pub fn code(&self) -> u8 {
        match self {
            Self::Usage(_) => 2,
            Self::Unchecked(_) => 3,
            _ => 1,
        }
    }
}
