//! The machine that a record was made on, and the day.

use std::time::{SystemTime, UNIX_EPOCH};

use serde_json::{Value, json};

use crate::engines::Labelled;

/// The operating system and the processor's architecture: `Debian GNU/Linux 12 (bookworm), x86_64`.
pub fn system() -> String {
    let release = std::fs::read_to_string("/etc/os-release").unwrap_or_default();
    let name = release.lines().find_map(|line| line.strip_prefix("PRETTY_NAME="));
    let name = name.map_or(std::env::consts::OS, |name| name.trim_matches('"'));
    format!("{name}, {}", std::env::consts::ARCH)
}

/// The processor's name, as far as the system tells it.
fn processor() -> String {
    let told = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let name = told
        .lines()
        .find_map(|line| line.strip_prefix("model name")?.split_once(':'))
        .map(|(_, name)| name.trim().to_owned());
    name.or_else(|| std::env::var("PROCESSOR_IDENTIFIER").ok()).unwrap_or_else(|| std::env::consts::ARCH.to_owned())
}

/// What is kept of this machine in a record.
pub fn as_json(engines: &[Labelled]) -> Value {
    let adapters = engines.iter().filter_map(|labelled| labelled.adapter.as_ref());
    let adapter = |a: &tangency::Adapter| json!({"name": a.name, "backend": a.backend, "driver": a.driver, "hardware": a.hardware});
    json!({
        "system": system(),
        "processor": processor(),
        "threads": std::thread::available_parallelism().map_or(1, usize::from),
        "adapters": adapters.map(adapter).collect::<Vec<_>>(),
    })
}

/// The day in UTC: `2026-11-16`.
pub fn today() -> String {
    let seconds = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs());
    let (year, month, day) = date(seconds / 86_400);
    format!("{year}-{month:02}-{day:02}")
}

/// Year, month and day of a number of days after 1970-01-01. Years begin in March here, so that a leap day is the last of its year.
fn date(days: u64) -> (u64, u64, u64) {
    // Days since 0000-03-01, in eras of 400 years.
    let days = days + 719_468;
    let (era, day_of_era) = (days / 146_097, days % 146_097);
    let year = (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year + year / 4 - year / 100);
    // Months from March have 31, 30, 31, 30, 31 days, then again: 153 days in five months.
    let month = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * month + 2) / 5 + 1;
    let month = if month < 10 { month + 3 } else { month - 9 };
    (era * 400 + year + u64::from(month <= 2), month, day)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_have_their_dates() {
        for (days, expected) in [
            (0, (1970, 1, 1)),
            (11_016, (2000, 2, 29)),
            (11_017, (2000, 3, 1)),
            (20_513, (2026, 3, 1)),
            (20_773, (2026, 11, 16)),
            (47_540, (2100, 2, 28)),
            (47_541, (2100, 3, 1)),
        ] {
            assert_eq!(date(days), expected, "{days}");
        }
    }

    #[test]
    fn the_machine_has_a_name() {
        let machine = as_json(&[]);
        assert!(machine["threads"].as_u64().is_some_and(|threads| threads > 0), "{machine}");
        assert!(["system", "processor"].iter().all(|name| machine[name].as_str().is_some_and(|text| !text.is_empty())));
    }
}
