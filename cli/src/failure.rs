//! What can go wrong, in words for the terminal.

use std::path::{Path, PathBuf};

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
    #[error("{0}")]
    Usage(String),
    /// The command did its work, and the answer is bad.
    #[error("{0}")]
    Wrong(String),
}

pub type Result<T, E = Failure> = std::result::Result<T, E>;

impl Failure {
    pub fn line(path: &Path, line: usize, reason: impl Into<String>) -> Self {
        Self::Line { path: path.to_owned(), line, reason: reason.into() }
    }
}
