//! The lines of a text, one after the other, none of them endless.

use std::borrow::Cow;
use std::io::Read;
use std::ops::Range;
use std::path::{Path, PathBuf};

use crate::failure::{Failure, Result};

/// The most bytes of a line. A file without line ends is an error, not as much memory as it has bytes.
pub const LONGEST: usize = 1 << 20;

pub struct Lines<R> {
    from: R,
    path: PathBuf,
    /// What was read and not yet given out is in `start..end`.
    buffer: Vec<u8>,
    start: usize,
    end: usize,
    /// How many lines were given out.
    number: usize,
}

impl<R: Read> Lines<R> {
    pub fn new(from: R, path: &Path) -> Self {
        Self { from, path: path.to_owned(), buffer: vec![0; LONGEST + 1], start: 0, end: 0, number: 0 }
    }

    /// The next line with its number, without its end (`\n` or `\r\n`).
    pub fn next(&mut self) -> Result<Option<(usize, &str)>> {
        let Some(line) = self.advance()? else { return Ok(None) };
        match std::str::from_utf8(&self.buffer[line]) {
            Ok(line) => Ok(Some((self.number, line))),
            Err(_) => Err(Failure::line(&self.path, self.number, "this is not text (UTF-8)")),
        }
    }

    /// As [`next`](Self::next), for files that are older than UTF-8: what is not UTF-8 is replaced.
    pub fn next_lossy(&mut self) -> Result<Option<(usize, Cow<'_, str>)>> {
        let Some(line) = self.advance()? else { return Ok(None) };
        Ok(Some((self.number, String::from_utf8_lossy(&self.buffer[line]))))
    }

    /// Where in the buffer the next line is.
    fn advance(&mut self) -> Result<Option<Range<usize>>> {
        let mut searched = self.start;
        let (first, last) = loop {
            if let Some(at) = memchr::memchr(b'\n', &self.buffer[searched..self.end]) {
                let line = self.start..searched + at;
                self.start = line.end + 1;
                break (line.start, line.end);
            }
            if self.end - self.start > LONGEST {
                let reason = format!("the line is longer than {LONGEST} bytes; is this a text?");
                return Err(Failure::line(&self.path, self.number + 1, reason));
            }
            self.buffer.copy_within(self.start..self.end, 0);
            (self.start, self.end) = (0, self.end - self.start);
            searched = self.end;
            let read = loop {
                match self.from.read(&mut self.buffer[self.end..]) {
                    Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
                    Err(source) => return Err(Failure::Read { path: self.path.clone(), source }),
                    Ok(read) => break read,
                }
            };
            self.end += read;
            if read == 0 && self.start == self.end {
                return Ok(None);
            }
            if read == 0 {
                // The last line has no end.
                let line = self.start..self.end;
                self.start = self.end;
                break (line.start, line.end);
            }
        };
        self.number += 1;
        let last = if self.buffer[first..last].ends_with(b"\r") { last - 1 } else { last };
        Ok(Some(first..last))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Gives out a few bytes at a time.
    struct Slowly<'a>(&'a [u8]);

    impl Read for Slowly<'_> {
        fn read(&mut self, out: &mut [u8]) -> std::io::Result<usize> {
            let n = out.len().min(3).min(self.0.len());
            out[..n].copy_from_slice(&self.0[..n]);
            self.0 = &self.0[n..];
            Ok(n)
        }
    }

    fn all(from: impl Read) -> Result<Vec<(usize, String)>> {
        let (mut lines, mut all) = (Lines::new(from, Path::new("a file")), Vec::new());
        while let Some((number, line)) = lines.next()? {
            all.push((number, line.to_owned()));
        }
        Ok(all)
    }

    #[test]
    fn lines_are_those_of_the_text() {
        for text in
            ["", "one", "one\n", "one\ntwo", "\n\nthree\r\n\r\nfive äöü\nsix\r", "a line of more than three bytes\n"]
        {
            let expected: Vec<_> = (1..)
                .zip(text.split_inclusive('\n').map(|line| {
                    let line = line.strip_suffix('\n').unwrap_or(line);
                    line.strip_suffix('\r').unwrap_or(line).to_owned()
                }))
                .collect();
            assert_eq!(all(text.as_bytes()).unwrap(), expected, "{text:?}");
            assert_eq!(all(Slowly(text.as_bytes())).unwrap(), expected, "{text:?}");
        }
    }

    #[test]
    fn a_line_without_end_is_an_error() {
        let fits = format!("{}\nb", "a".repeat(LONGEST));
        assert_eq!(all(fits.as_bytes()).unwrap().len(), 2);
        let error = all(std::io::Cursor::new(b"first\n").chain(std::io::repeat(b'a'))).unwrap_err().to_string();
        assert_eq!(error, "a file, line 2: the line is longer than 1048576 bytes; is this a text?");
        assert!(all(&b"first\n\xff\n"[..]).unwrap_err().to_string().contains("line 2: this is not text"));
    }
}
