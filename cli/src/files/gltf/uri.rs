//! Bytes that a URI has or leads to: `data:` with base64, or a file beside the one that names it.

use std::path::Path;

pub fn load(uri: &str, beside: &Path) -> Result<Vec<u8>, String> {
    if let Some(data) = uri.strip_prefix("data:") {
        let Some((_, text)) = data.split_once(";base64,") else { return Err("the data is not in base64".to_owned()) };
        return base64(text);
    }
    if uri.contains("://") {
        return Err(format!("{uri} is not a file beside this one; only such files are read"));
    }
    if beside.as_os_str() == "-" {
        return Err(format!("{uri} is a file beside this one, which standard input does not have"));
    }
    let path = beside.with_file_name("").join(unescaped(uri)?);
    std::fs::read(&path).map_err(|error| format!("cannot read {}: {error}", path.display()))
}

/// `%20` is a blank.
fn unescaped(uri: &str) -> Result<String, String> {
    let bytes = uri.as_bytes();
    let (mut out, mut at) = (Vec::with_capacity(bytes.len()), 0);
    while at < bytes.len() {
        let escaped = (bytes[at] == b'%')
            .then(|| uri.get(at + 1..at + 3).and_then(|two| u8::from_str_radix(two, 16).ok()))
            .flatten();
        out.push(escaped.unwrap_or(bytes[at]));
        at += if escaped.is_some() { 3 } else { 1 };
    }
    String::from_utf8(out).map_err(|_| format!("{uri} is no text"))
}

fn base64(text: &str) -> Result<Vec<u8>, String> {
    let (mut out, mut bits, mut count) = (Vec::with_capacity(text.len() / 4 * 3), 0_u32, 0);
    for byte in text.bytes().filter(|byte| !byte.is_ascii_whitespace() && *byte != b'=') {
        let value = match byte {
            b'A'..=b'Z' => byte - b'A',
            b'a'..=b'z' => byte - b'a' + 26,
            b'0'..=b'9' => byte - b'0' + 52,
            b'+' | b'-' => 62,
            b'/' | b'_' => 63,
            other => return Err(format!("{:?} is no digit of base64", char::from(other))),
        };
        bits = bits << 6 | u32::from(value);
        count += 6;
        if count >= 8 {
            count -= 8;
            out.push((bits >> count) as u8);
        }
    }
    Ok(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn data_is_decoded() {
        for (text, bytes) in [
            ("", &b""[..]),
            ("Zg==", b"f"),
            ("Zm8=", b"fo"),
            ("Zm9v", b"foo"),
            ("Zm9vYmE", b"fooba"),
            ("/+8=", &[255, 239]),
        ] {
            assert_eq!(load(&format!("data:application/octet-stream;base64,{text}"), Path::new("-")).unwrap(), bytes);
        }
        assert!(load("data:,plain", Path::new("-")).is_err() && base64("a*b").is_err());
        assert_eq!(unescaped("a%20b%zz%C3%A4.bin").unwrap(), "a b%zzä.bin");
        assert!(load("https://example.org/a.bin", Path::new("a.gltf")).is_err());
        assert!(load("a.bin", Path::new("-")).unwrap_err().contains("standard input"));
        assert!(
            load("no such.bin", Path::new("folder/a.gltf")).unwrap_err().contains("cannot read folder/no such.bin")
        );
    }
}
