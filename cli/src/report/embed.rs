//! Text and numbers inside HTML.

use serde_json::{Value, json};

/// Text as it stands between tags or in a quoted attribute.
pub fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            _ => out.push(c),
        }
    }
    out
}

/// JSON as it stands in a script element. Inside strings, where alone these characters occur, `\u003c` means the same as `<`, and
/// nothing is left that could end the element or begin a comment.
pub fn in_script(value: &Value) -> String {
    let text = value.to_string();
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '<' => out.push_str("\\u003c"),
            '>' => out.push_str("\\u003e"),
            '&' => out.push_str("\\u0026"),
            _ => out.push(c),
        }
    }
    out
}

/// An array of numbers as the viewer decodes it: `{"f32": BASE64}` of its bytes, the lowest first.
pub fn f32s(values: impl Iterator<Item = f32>) -> Value {
    json!({"f32": base64(&values.flat_map(f32::to_le_bytes).collect::<Vec<_>>())})
}

/// Likewise, of whole numbers.
pub fn u32s(values: impl Iterator<Item = u32>) -> Value {
    json!({"u32": base64(&values.flat_map(u32::to_le_bytes).collect::<Vec<_>>())})
}

/// Likewise, of bytes.
pub fn u8s(values: impl Iterator<Item = u8>) -> Value {
    json!({"u8": base64(&values.collect::<Vec<_>>())})
}

const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

fn base64(bytes: &[u8]) -> String {
    let mut out = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for chunk in bytes.chunks(3) {
        let byte = |k: usize| u32::from(chunk.get(k).copied().unwrap_or(0));
        let word = byte(0) << 16 | byte(1) << 8 | byte(2);
        for k in 0..4 {
            // Three bytes are four digits; a byte that is not there leaves a digit out.
            let digit = DIGITS[(word >> (18 - 6 * k)) as usize & 63];
            out.push(if k <= chunk.len() { digit as char } else { '=' });
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn base64_is_that_of_rfc_4648() {
        let all = ["", "Zg==", "Zm8=", "Zm9v", "Zm9vYg==", "Zm9vYmE=", "Zm9vYmFy"];
        for (length, expected) in all.iter().enumerate() {
            assert_eq!(base64(&b"foobar"[..length]), *expected);
        }
        assert_eq!(base64(&[0xfb, 0xff, 0xbf]), "+/+/");
    }

    #[test]
    fn text_cannot_become_markup() {
        assert_eq!(escaped("<a href=\"x\" b='y'>&"), "&lt;a href=&quot;x&quot; b=&#39;y&#39;&gt;&amp;");
        let hostile = json!({"name": "</script><!--<script>&\u{2028}\"\\"});
        let text = in_script(&hostile);
        assert!(!text.contains(['<', '>', '&']), "{text}");
        assert_eq!(serde_json::from_str::<Value>(&text).unwrap(), hostile);
    }
}
