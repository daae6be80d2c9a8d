//! Progress on standard error, on a terminal only, of work that takes longer than a second: how far, how fast, how long it will take.

use std::io::Write;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};

use crate::engines::Labelled;
use crate::numbers;

/// Work that is done sooner shows nothing.
const PATIENCE: Duration = Duration::from_secs(1);
/// How often bars and spinners are drawn while no step ends.
const TICK: Duration = Duration::from_millis(120);

/// A bar for `len` steps, which are called `what`.
pub fn bar(len: u64, what: &'static str) -> ProgressBar {
    styled(ProgressBar::new(len), "{msg} {wide_bar} {human_pos}/{human_len}, {rate}, {eta} left", what)
}

/// A bar for so many bytes; without a number for bytes whose number is not known.
pub fn bytes(len: Option<u64>, what: String) -> ProgressBar {
    match len {
        Some(len) => {
            styled(ProgressBar::new(len), "{msg} {wide_bar} {bytes}/{total_bytes}, {bytes_per_sec}, {eta} left", what)
        }
        None => styled(ProgressBar::no_length(), "{spinner} {msg} {bytes}, {bytes_per_sec}, {elapsed}", what),
    }
}

/// A spinner for work of unknown length.
pub fn spinner(what: String) -> ProgressBar {
    styled(ProgressBar::no_length(), "{spinner} {msg} {elapsed}", what)
}

fn styled(bar: ProgressBar, template: &str, what: impl Into<std::borrow::Cow<'static, str>>) -> ProgressBar {
    bar.set_draw_target(ProgressDrawTarget::hidden());
    let rate = |state: &ProgressState, out: &mut dyn std::fmt::Write| {
        // Where nobody can be told, it does not matter.
        let _ = match state.per_sec() {
            slow if slow < 10.0 => write!(out, "{slow:.1}/s"),
            fast => write!(out, "{}/s", numbers::grouped(fast as u64)),
        };
    };
    if let Ok(style) = ProgressStyle::with_template(template) {
        bar.set_style(style.with_key("rate", rate));
    }
    bar.set_message(what);
    let later = bar.downgrade();
    std::thread::spawn(move || {
        std::thread::sleep(PATIENCE);
        if let Some(bar) = later.upgrade().filter(|bar| !bar.is_finished()) {
            // Hidden by itself if standard error is not a terminal.
            bar.set_draw_target(ProgressDrawTarget::stderr());
            // At once, and while a step takes long.
            bar.enable_steady_tick(TICK);
        }
    });
    bar
}

/// A writer that counts the lines that go through it.
pub struct CountedLines<'a> {
    pub out: &'a mut dyn Write,
    pub bar: &'a ProgressBar,
}

impl Write for CountedLines<'_> {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        let written = self.out.write(bytes)?;
        match memchr::memchr_iter(b'\n', &bytes[..written]).count() {
            0 => {}
            lines => self.bar.inc(lines as u64),
        }
        Ok(written)
    }

    fn flush(&mut self) -> std::io::Result<()> {
        self.out.flush()
    }
}

/// Runs work of an engine, and shows which one it is, and how many of its kernels are compiled: the first query waits for them.
pub fn watched<R: Send>(spinner: &ProgressBar, labelled: &Labelled, work: impl FnOnce() -> R + Send) -> R {
    let (done, wait) = channel::<()>();
    let name = labelled.name();
    let watch = move || {
        while wait.recv_timeout(PATIENCE) == Err(RecvTimeoutError::Timeout) {
            let kernels = match labelled.engine.kernels_compiled() {
                (_, 0) => String::new(),
                (compiled, all) => format!(", {compiled} of {all} kernels compiled"),
            };
            spinner.set_message(format!("{name}{kernels}"));
        }
    };
    std::thread::scope(|scope| {
        scope.spawn(watch);
        let result = work();
        drop(done);
        result
    })
}
