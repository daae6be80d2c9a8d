//! Progress on standard error for work that takes longer than a second: bars and spinners on a terminal, else a line now and
//! then.

use std::io::IsTerminal;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};

use crate::engines::Labelled;

/// A bar for `len` steps. indicatif hides it if standard error is not a terminal.
pub fn bar(len: u64, what: &'static str) -> ProgressBar {
    let bar = ProgressBar::new(len);
    if let Ok(style) = ProgressStyle::with_template("{msg} {wide_bar} {pos}/{len} {eta}") {
        bar.set_style(style);
    }
    bar.set_message(what);
    bar
}

/// A spinner for work of unknown length.
pub fn spinner(what: String) -> ProgressBar {
    let spinner = ProgressBar::new_spinner();
    spinner.set_message(what);
    spinner.enable_steady_tick(Duration::from_millis(120));
    spinner
}

/// Runs work of an engine, and shows its progress if it takes longer than a second, as the first query does, for which kernels
/// are compiled: in the spinner on a terminal, else as a line after 1, 2, 4, … seconds.
pub fn watched<R: Send>(spinner: &ProgressBar, labelled: &Labelled, work: impl FnOnce() -> R + Send) -> R {
    let (done, wait) = channel::<()>();
    let start = Instant::now();
    let name = labelled.name();
    let watch = move || {
        let mut next = Duration::from_secs(1);
        while wait.recv_timeout(next.saturating_sub(start.elapsed())) == Err(RecvTimeoutError::Timeout) {
            let kernels = match labelled.engine.kernels_compiled() {
                (_, 0) => String::new(),
                (compiled, all) => format!(", {compiled} of {all} kernels compiled"),
            };
            let line = format!("{name}: running for {} s{kernels}", start.elapsed().as_secs());
            if std::io::stderr().is_terminal() {
                spinner.set_message(line);
                next += Duration::from_secs(1);
            } else {
                eprintln!("{line}");
                next *= 2;
            }
        }
    };
    std::thread::scope(|scope| {
        scope.spawn(watch);
        let result = work();
        drop(done);
        result
    })
}
