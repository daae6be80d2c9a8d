//! Formatting and parsing of numbers.

use std::time::Duration;

/// `1234567` as `1,234,567`.
pub fn grouped(n: u64) -> String {
    let digits = n.to_string();
    let mut out = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// `1 record`, `2,000 records`.
pub fn counted(n: u64, one: &str, many: &str) -> String {
    format!("{} {}", grouped(n), if n == 1 { one } else { many })
}

/// Milliseconds with three significant digits.
pub fn milliseconds(time: Duration) -> String {
    three_digits(time.as_secs_f64() * 1e3)
}

/// A number of milliseconds with three significant digits.
pub fn three_digits(ms: f64) -> String {
    let digits = if ms >= 100.0 {
        0
    } else if ms >= 10.0 {
        1
    } else if ms >= 1.0 {
        2
    } else {
        3
    };
    format!("{ms:.digits$}")
}

/// A seed: decimal, or hexadecimal after `0x`.
pub fn seed(text: &str) -> Result<u64, String> {
    let parsed = match text.strip_prefix("0x").or_else(|| text.strip_prefix("0X")) {
        Some(hex) => u64::from_str_radix(hex, 16),
        None => text.parse(),
    };
    parsed.map_err(|error| format!("{error}; a seed is a number such as 24301 or 0x5EED"))
}

/// 1500, 10k or 2M.
pub fn count(text: &str) -> Result<u32, String> {
    let (digits, factor) = match text.strip_suffix(['k', 'K']) {
        Some(digits) => (digits, 1_000),
        None => text.strip_suffix(['m', 'M']).map_or((text, 1), |digits| (digits, 1_000_000)),
    };
    let number: Option<u32> = digits.parse::<u32>().ok().and_then(|number| number.checked_mul(factor));
    number.ok_or_else(|| "a number of bodies is a whole number, or one with k or M behind it".to_owned())
}
