//! Failures of commands, with a message for people and an exit code for scripts.

use std::path::{Path, PathBuf};

use serde_json::json;

/// What `--help` says about exit codes.
pub const EXIT_CODES: &str = "Exit codes:
  0    done; where answers were compared, they are identical
  1    an answer is wrong: backends differ, or a relation is not the expected one
  2    an error: the options make no sense, a file cannot be read or written, a device failed
  3    nothing was compared, because only one backend answered; or no GPU answered and --require-gpu was given
  4    there are hits, and --fail-on-hits was given
  141  standard output was closed before all was written, as by `| head`";

#[derive(Debug, thiserror::Error)]
pub enum Failure {
    #[error("cannot read {path}: {source}", path = shown(.path))]
    Read { path: PathBuf, source: std::io::Error },
    #[error("cannot write {path}: {source}", path = shown(.path))]
    Write { path: PathBuf, source: std::io::Error },
    #[error("cannot write to standard output: {0}")]
    Stdout(std::io::Error),
    /// Whoever read standard output has gone. It is no error, and nothing is said about it.
    #[error("standard output was closed")]
    Closed,
    /// What a file holds cannot be used.
    #[error("{path}{place}: {reason}", path = shown(.path))]
    Input { path: PathBuf, place: Place, reason: String },
    #[error("{0}")]
    Tangency(#[from] tangency::Error),
    /// A GPU was asked for, and there is no usable one.
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
    #[error("--fail-on-hits: there are {0} hits")]
    Hits(usize),
}

pub type Result<T, E = Failure> = std::result::Result<T, E>;

/// Where in a file something is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Place {
    Whole,
    /// Counted from 1.
    Line(usize),
    /// Counted from 0.
    Byte(usize),
}

impl std::fmt::Display for Place {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Whole => Ok(()),
            Self::Line(line) => write!(f, ", line {line}"),
            Self::Byte(byte) => write!(f, ", byte {byte}"),
        }
    }
}

/// A path as it is shown to people.
pub fn shown(path: &Path) -> String {
    if path.as_os_str() == "-" { "standard input".to_owned() } else { path.display().to_string() }
}

impl Failure {
    pub fn input(path: &Path, place: Place, reason: impl Into<String>) -> Self {
        Self::Input { path: path.to_owned(), place, reason: reason.into() }
    }

    pub fn line(path: &Path, line: usize, reason: impl Into<String>) -> Self {
        Self::input(path, Place::Line(line), reason)
    }

    pub fn byte(path: &Path, byte: usize, reason: impl Into<String>) -> Self {
        Self::input(path, Place::Byte(byte), reason)
    }

    pub fn whole(path: &Path, reason: impl Into<String>) -> Self {
        Self::input(path, Place::Whole, reason)
    }

    /// The exit code: [`EXIT_CODES`].
    pub fn code(&self) -> u8 {
        match self {
            Self::Wrong(_) => 1,
            Self::Unchecked(_) => 3,
            Self::Hits(_) => 4,
            // What a shell reports of a command that SIGPIPE has ended.
            Self::Closed => 141,
            _ => 2,
        }
    }

    /// One word for scripts.
    fn kind(&self) -> &'static str {
        match self {
            Self::Read { .. } => "read",
            Self::Write { .. } | Self::Stdout(_) | Self::Closed => "write",
            Self::Input { .. } => "input",
            Self::Tangency(_) => "engine",
            Self::NoGpu(_) => "no_gpu",
            Self::Usage(_) => "usage",
            Self::Wrong(_) => "wrong",
            Self::Unchecked(_) => "unchecked",
            Self::Hits(_) => "hits",
        }
    }

    /// The failure as `--json` prints it.
    pub fn json(&self) -> serde_json::Value {
        let mut error = json!({"kind": self.kind(), "code": self.code(), "message": self.to_string()});
        if let Self::Read { path, .. } | Self::Write { path, .. } | Self::Input { path, .. } = self {
            error["path"] = json!(path.display().to_string());
        }
        match self {
            Self::Input { place: Place::Line(line), .. } => error["line"] = json!(line),
            Self::Input { place: Place::Byte(byte), .. } => error["byte"] = json!(byte),
            _ => {}
        }
        json!({ "error": error })
    }
}
