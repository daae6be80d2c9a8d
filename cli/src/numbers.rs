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

/// How many: 1500, 10k, 2M or 1G.
pub fn count<N: TryFrom<u64>>(text: &str) -> Result<N, String> {
    let factors = [(['k', 'K'], 1_000), (['m', 'M'], 1_000_000), (['g', 'G'], 1_000_000_000)];
    let suffixed = factors.iter().find_map(|(letters, factor)| Some((text.strip_suffix(*letters)?, *factor)));
    let (digits, factor) = suffixed.unwrap_or((text, 1));
    let number = digits.parse::<u64>().ok().and_then(|number| number.checked_mul(factor));
    let number =
        number.ok_or_else(|| "give a whole number, or one with k, M or G behind it, such as 10k".to_owned())?;
    N::try_from(number).map_err(|_| format!("{number} is too many"))
}

/// As [`count`], but not 0.
pub fn positive<N: TryFrom<u64>>(text: &str) -> Result<N, String> {
    match count::<u64>(text)? {
        0 => Err("at least 1 is needed".to_owned()),
        _ => count(text),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_have_suffixes() {
        for (text, number) in [("1500", 1500), ("10k", 10_000), ("3K", 3000), ("2M", 2_000_000), ("1G", 1_000_000_000)]
        {
            assert_eq!(count(text), Ok(number), "{text}");
        }
        for text in ["", "k", "1.5k", "-1", "10kk", "1T", "20000000000G"] {
            assert!(count::<u64>(text).is_err(), "{text}");
        }
        assert_eq!(count::<u16>("70k"), Err("70000 is too many".to_owned()));
        assert!(positive::<u16>("0").is_err() && positive::<u16>("0k").is_err());
        assert_eq!(positive::<u16>("60k"), Ok(60_000));
    }
}
