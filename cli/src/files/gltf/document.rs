//! The JSON of a glTF file, and the bytes of its buffers.

use std::path::Path;

use serde_json::Value;

use super::uri;
use crate::failure::{Failure, Result};

pub struct Document {
    pub json: Value,
    pub buffers: Vec<Vec<u8>>,
}

const JSON: u32 = 0x4e4f_534a;
const BIN: u32 = 0x004e_4942;

impl Document {
    pub fn parse(path: &Path, bytes: &[u8]) -> Result<Self> {
        let (text, binary) = if bytes.starts_with(b"glTF") { chunks(path, bytes)? } else { ((0, bytes), None) };
        let (at, text) = text;
        let json: Value = serde_json::from_slice(text).map_err(|error| match at {
            0 => Failure::line(path, error.line(), format!("this is no JSON: {error}")),
            _ => Failure::byte(path, at, format!("this is no JSON: {error}")),
        })?;
        let fail = |reason: String| Failure::whole(path, reason);
        match json["asset"]["version"].as_str() {
            Some(version) if version.starts_with("2.") => {}
            Some(version) => return Err(fail(format!("this is glTF {version}; 2.0 is read"))),
            None => return Err(fail("there is no asset.version; is this glTF 2.0?".to_owned())),
        }
        let mut document = Self { json, buffers: Vec::new() };
        for (k, buffer) in document.list("buffers").to_vec().iter().enumerate() {
            let bytes = match (buffer["uri"].as_str(), &binary) {
                (Some(uri), _) => uri::load(uri, path).map_err(|reason| fail(format!("buffer {k}: {reason}")))?,
                (None, Some(binary)) if k == 0 => binary.to_vec(),
                _ => return Err(fail(format!("buffer {k} has neither a uri nor the file's binary chunk"))),
            };
            let due = buffer["byteLength"].as_u64().unwrap_or(0) as usize;
            if bytes.len() < due {
                return Err(fail(format!("buffer {k} has {} bytes; byteLength is {due}", bytes.len())));
            }
            document.buffers.push(bytes);
        }
        Ok(document)
    }

    /// A list at the top level; empty if there is none.
    pub fn list(&self, name: &str) -> &[Value] {
        self.json[name].as_array().map_or(&[], Vec::as_slice)
    }

    /// An element of a list at the top level.
    pub fn at(&self, name: &str, index: &Value) -> Result<&Value, String> {
        let list = self.list(name);
        let found = index.as_u64().and_then(|index| list.get(index as usize));
        found.ok_or_else(|| format!("{name} has no element {index}; it has {}", list.len()))
    }
}

/// A chunk of a file, and where it begins.
type Chunk<'a> = (usize, &'a [u8]);

/// The text and the binary part of a `.glb`.
fn chunks<'a>(path: &Path, bytes: &'a [u8]) -> Result<(Chunk<'a>, Option<&'a [u8]>)> {
    let word = |at: usize| bytes.get(at..at + 4).and_then(|four| four.try_into().ok()).map(u32::from_le_bytes);
    let ends = |due: usize| Failure::byte(path, bytes.len(), format!("the file ends here; it should have {due} bytes"));
    let (Some(version), Some(length)) = (word(4), word(8)) else { return Err(ends(12)) };
    if version != 2 {
        return Err(Failure::byte(path, 4, format!("this is glTF {version}; 2 is read")));
    }
    if bytes.len() < length as usize {
        return Err(ends(length as usize));
    }
    let (mut at, mut text, mut binary) = (12, None, None);
    while at < length as usize {
        let (Some(size), Some(kind)) = (word(at), word(at + 4)) else { return Err(ends(at + 8)) };
        let end = at + 8 + size as usize;
        let chunk = bytes.get(at + 8..end).ok_or_else(|| ends(end))?;
        match kind {
            JSON if text.is_none() => text = Some((at + 8, chunk)),
            BIN if binary.is_none() => binary = Some(chunk),
            _ => {}
        }
        at = end;
    }
    Ok((text.ok_or_else(|| Failure::byte(path, 12, "there is no chunk with JSON"))?, binary))
}
