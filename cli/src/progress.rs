//! Progress bars: on standard error, and only on a terminal.

use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};

/// A bar for `len` steps; indicatif hides it when standard error is no terminal.
pub fn bar(len: u64, what: &'static str) -> ProgressBar {
    let bar = ProgressBar::new(len);
    if let Ok(style) = ProgressStyle::with_template("{msg} {wide_bar} {pos}/{len} {eta}") {
        bar.set_style(style);
    }
    bar.set_message(what);
    bar
}

/// A spinner for work whose end is not known.
pub fn spinner(what: String) -> ProgressBar {
    let spinner = ProgressBar::new_spinner();
    spinner.set_message(what);
    spinner.enable_steady_tick(Duration::from_millis(120));
    spinner
}
