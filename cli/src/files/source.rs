//! Where the bytes of a file come from: a path, or `-` for standard input.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use indicatif::ProgressBar;

use crate::failure::{Failure, Result, shown};
use crate::progress;

/// Opens a file, whose bytes are counted by a bar.
pub fn open(path: &Path) -> Result<(Box<dyn Read>, ProgressBar)> {
    let what = format!("reading {}", shown(path));
    if path.as_os_str() == "-" {
        let bar = progress::bytes(None, what);
        return Ok((Box::new(bar.wrap_read(std::io::stdin().lock())), bar));
    }
    let fail = |source| Failure::Read { path: path.to_owned(), source };
    let file = File::open(path).map_err(fail)?;
    let size = file.metadata().map_err(fail)?;
    let bar = progress::bytes(size.is_file().then_some(size.len()), what);
    Ok((Box::new(bar.wrap_read(file)), bar))
}

/// All bytes of a file.
pub fn whole(path: &Path) -> Result<Vec<u8>> {
    let (mut from, bar) = open(path)?;
    let mut bytes = Vec::new();
    from.read_to_end(&mut bytes).map_err(|source| Failure::Read { path: path.to_owned(), source })?;
    bar.finish_and_clear();
    Ok(bytes)
}
