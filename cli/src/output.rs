//! Output: files that are written completely or not at all, and standard output that may be closed.

use std::fs::{self, File};
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

use crate::failure::{Failure, Result};
use crate::unfinished::Unfinished;

/// Where a result goes. It is opened before the work begins, so that a folder that cannot be written to is told at once.
pub enum Target {
    Stdout,
    /// A device or a pipe, which is written directly.
    Special {
        file: File,
        path: PathBuf,
    },
    File {
        file: Unfinished,
        path: PathBuf,
    },
}

impl Target {
    /// Standard output if there is no path, or `-` for one. None of the files that are read may be written.
    pub fn open(path: Option<&Path>, inputs: &[&Path]) -> Result<Self> {
        let Some(path) = path.filter(|path| path.as_os_str() != "-") else { return Ok(Self::Stdout) };
        if inputs.iter().any(|input| is_same(input, path)) {
            return Err(Failure::Usage(format!("cannot write {}: this is the file that is read", path.display())));
        }
        let fail = |source| Failure::Write { path: path.to_owned(), source };
        if fs::metadata(path).is_ok_and(|found| !found.is_file()) {
            let file = File::options().write(true).open(path).map_err(fail)?;
            return Ok(Self::Special { file, path: path.to_owned() });
        }
        Ok(Self::File { file: Unfinished::beside(path).map_err(fail)?, path: path.to_owned() })
    }

    /// The target of a page, if there is to be one.
    pub fn page(path: Option<&Path>, inputs: &[&Path]) -> Result<Option<Self>> {
        path.map(|path| Self::open(Some(path), inputs)).transpose()
    }

    pub fn is_stdout(&self) -> bool {
        matches!(self, Self::Stdout)
    }

    pub fn write(self, write: impl FnOnce(&mut dyn Write) -> std::io::Result<()>) -> Result<()> {
        match self {
            Self::Stdout => stdout(write),
            Self::Special { file, path } => through(&file, write).map_err(|source| Failure::Write { path, source }),
            Self::File { file, path } => {
                let written = through(file.file(), write).and_then(|()| file.finish());
                written.map_err(|source| Failure::Write { path, source })
            }
        }
    }
}

/// Whether two paths lead to one file.
fn is_same(a: &Path, b: &Path) -> bool {
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt;
        let of = |path: &Path| fs::metadata(path).ok().map(|found| (found.dev(), found.ino()));
        of(a).is_some() && of(a) == of(b) && fs::metadata(a).is_ok_and(|found| found.is_file())
    }
    #[cfg(not(unix))]
    {
        fs::canonicalize(a).is_ok_and(|a| fs::canonicalize(b).is_ok_and(|b| a == b))
    }
}

fn through(file: &File, write: impl FnOnce(&mut dyn Write) -> std::io::Result<()>) -> std::io::Result<()> {
    let mut writer = BufWriter::with_capacity(1 << 16, file);
    write(&mut writer)?;
    writer.flush()?;
    // A full disk may be reported only here. Devices that cannot be synchronised return an error, which is ignored.
    match file.sync_all() {
        Err(error) if error.kind() != std::io::ErrorKind::InvalidInput => Err(error),
        _ => Ok(()),
    }
}

/// Standard output, with an error instead of a panic when it cannot be written.
pub fn stdout(write: impl FnOnce(&mut dyn Write) -> std::io::Result<()>) -> Result<()> {
    let mut writer = BufWriter::with_capacity(1 << 16, std::io::stdout().lock());
    write(&mut writer).and_then(|()| writer.flush()).map_err(|error| {
        // Drops the buffered bytes, which cannot be written either.
        let _ = writer.into_parts();
        if error.kind() == std::io::ErrorKind::BrokenPipe { Failure::Closed } else { Failure::Stdout(error) }
    })
}

/// Whether a result was printed as JSON. Standard output then has its one value, and a failure is told on standard error only.
static PRINTED: AtomicBool = AtomicBool::new(false);

/// The JSON value of this run, on one line of standard output.
pub fn json(value: &serde_json::Value) -> Result<()> {
    PRINTED.store(true, Ordering::Relaxed);
    stdout(|out| writeln!(out, "{value}"))
}

/// The JSON value of a run that failed, unless a result was printed already.
pub fn json_failure(value: &serde_json::Value) {
    if !PRINTED.load(Ordering::Relaxed) {
        // The failure that is being told is the one that counts.
        let _ = json(value);
    }
}
