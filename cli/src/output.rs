//! Output: files that are written completely or not at all, and standard output that may be closed.

use std::fs::{self, File};
use std::io::{BufWriter, Write};
use std::path::Path;

use crate::failure::{Failure, Result};

/// Writes a file by way of a temporary one beside it, so that it is complete or absent; without a path, writes to standard
/// output. Devices and pipes are written directly.
pub fn write_to(path: Option<&Path>, write: impl FnOnce(&mut dyn Write) -> std::io::Result<()>) -> Result<()> {
    let Some(path) = path else { return stdout(write) };
    let fail = |source| Failure::Write { path: path.to_owned(), source };
    let special = fs::metadata(path).is_ok_and(|found| !found.is_file());
    if special {
        return through(File::options().write(true).open(path).map_err(fail)?, write).map_err(fail);
    }
    let mut name = path.file_name().map(std::ffi::OsStr::to_owned).unwrap_or_default();
    name.push(format!(".part-{}", std::process::id()));
    let part = path.with_file_name(name);
    let file = File::create(&part).map_err(fail)?;
    through(file, write).and_then(|()| fs::rename(&part, path)).map_err(|source| {
        // The first error is reported; failing to remove the temporary file is not.
        let _ = fs::remove_file(&part);
        fail(source)
    })
}

fn through(file: File, write: impl FnOnce(&mut dyn Write) -> std::io::Result<()>) -> std::io::Result<()> {
    let mut writer = BufWriter::new(file);
    write(&mut writer)?;
    writer.flush()?;
    let file = writer.into_inner().map_err(std::io::IntoInnerError::into_error)?;
    // A full disk may be reported only here. Devices that cannot be synchronised return an error, which is ignored.
    match file.sync_all() {
        Err(error) if error.kind() != std::io::ErrorKind::InvalidInput => Err(error),
        _ => Ok(()),
    }
}

/// Standard output, with an error instead of a panic when it is closed.
pub fn stdout(write: impl FnOnce(&mut dyn Write) -> std::io::Result<()>) -> Result<()> {
    let mut writer = BufWriter::new(std::io::stdout().lock());
    write(&mut writer).and_then(|()| writer.flush()).map_err(|error| {
        // Drops the buffered bytes, which cannot be written either.
        let _ = writer.into_parts();
        Failure::Stdout(error)
    })
}

/// A JSON value on one line of standard output.
pub fn json(value: &serde_json::Value) -> Result<()> {
    stdout(|out| writeln!(out, "{value}"))
}
