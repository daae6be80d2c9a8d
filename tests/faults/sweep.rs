//! Many faults, in processes that may end in any way.

use std::collections::BTreeMap;
use std::fmt;
use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Duration;

use super::driver::Layer;
use super::{HANGS, KINDS};

/// A fault, and the engine that meets it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Case {
    /// The call of the driver that fails.
    pub call: u64,
    /// How, by its place in the list of kinds; beyond its end not at all, and then by its place in the list of hangs.
    pub kind: usize,
    /// Whether the GPU was chosen automatically.
    pub automatic: bool,
}

impl fmt::Display for Case {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}:{}", self.call, self.kind, u8::from(self.automatic))
    }
}

impl Case {
    pub fn read(text: &str) -> Self {
        let numbers: Vec<u64> = text.split(':').map(|number| number.parse().expect("a number")).collect();
        Self { call: numbers[0], kind: numbers[1] as usize, automatic: numbers[2] == 1 }
    }
}

/// How a driver fails, in words.
fn words(kind: usize) -> &'static str {
    match kind.checked_sub(KINDS.len() + 1) {
        None => KINDS.get(kind).map_or("no fault", |(words, _)| words),
        Some(hang) => HANGS.get(hang).map_or("", |_| "does not return"),
    }
}

/// How long one case may take before it counts as a hang: many times what it takes on a slow machine.
const PATIENCE: Duration = Duration::from_secs(90);
/// Cases of one process.
const BATCH: usize = 40;

pub struct Sweep {
    layer: Layer,
    /// Whether every query is asked, or a few.
    full: bool,
    processes: AtomicUsize,
}

/// What came of all cases.
#[derive(Default)]
pub struct Found {
    /// Of each kind and function: what the user saw, and how often.
    seen: BTreeMap<(usize, String, String), usize>,
    faults: usize,
    /// Faults that the engine mentions in its info, and those that had no consequences at all.
    told: usize,
    silent: usize,
    /// Panics that the library caught.
    caught: u64,
    bad: Vec<String>,
}

impl Found {
    pub fn is_good(&self) -> bool {
        self.bad.is_empty()
    }

    pub fn faults(&self) -> usize {
        self.faults
    }

    /// Faults that the engine mentions in its info.
    pub fn told(&self) -> usize {
        self.told
    }
}

impl fmt::Display for Found {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for ((kind, function, what), count) in &self.seen {
            writeln!(f, "{:48} {function:36} {count:4} × {what}", words(*kind))?;
        }
        let (faults, caught, silent, bad) = (self.faults, self.caught, self.silent, self.bad.len());
        writeln!(f, "{faults} faults: {bad} bad, {caught} panics of wgpu caught, {silent} without consequences")?;
        self.bad.iter().try_for_each(|bad| writeln!(f, "BAD: {bad}"))
    }
}

impl Sweep {
    pub fn new(full: bool) -> Option<Self> {
        Some(Self { layer: Layer::build()?, full, processes: AtomicUsize::new(0) })
    }

    /// How many calls of the driver there are in the life of an engine.
    pub fn count_calls(&self) -> u64 {
        let case = Case { call: u64::MAX, kind: KINDS.len(), automatic: false };
        let (lines, end) = self.process(&[case]);
        let end = end.unwrap_or_else(|text| panic!("without faults: {text}"));
        assert_eq!(end, 1);
        let fields: Vec<&str> = lines[0].split(';').collect();
        assert_eq!((fields[2], fields[4], fields[5], fields[6]), ("0", "0", "0", "right answers"), "{}", lines[0]);
        fields[1].parse().expect("a number")
    }

    /// Runs all cases, on two processes at once.
    pub fn run(&self, cases: &[Case]) -> Found {
        let (found, next) = (Mutex::new(Found::default()), AtomicUsize::new(0));
        // (After a call that never returns, a driver or its loader may hold what the next case needs: such a case has a process of its own.)
        let hangs = cases.iter().any(|case| case.kind > KINDS.len());
        let most = if hangs { 1 } else { BATCH.min(cases.len().div_ceil(2)) };
        let batches: Vec<&[Case]> = cases.chunks(most).collect();
        std::thread::scope(|scope| {
            for _ in 0..2 {
                scope.spawn(|| {
                    while let Some(mut batch) = batches.get(next.fetch_add(1, Ordering::Relaxed)).copied() {
                        while !batch.is_empty() {
                            let (lines, end) = self.process(batch);
                            let mut found = found.lock().expect("no panic");
                            for line in &lines {
                                found.note(line);
                            }
                            batch = match end {
                                Ok(done) => &batch[done..],
                                Err(text) => {
                                    let case = batch[lines.len()];
                                    let kind = words(case.kind);
                                    let engine = if case.automatic { "automatic" } else { "asked for" };
                                    found.bad.push(format!("call {}, {kind}, {engine}: {text}", case.call));
                                    println!("BAD: {}", found.bad[found.bad.len() - 1]);
                                    found.faults += 1;
                                    &batch[lines.len() + 1..]
                                }
                            };
                        }
                    }
                });
            }
        });
        found.into_inner().expect("no panic")
    }

    /// Runs cases in one process. Returns a line for each that has come to its end, and how many these are, or why it went no further.
    fn process(&self, cases: &[Case]) -> (Vec<String>, Result<usize, String>) {
        let number = self.processes.fetch_add(1, Ordering::Relaxed);
        let list: Vec<String> = cases.iter().map(Case::to_string).collect();
        let child = Command::new(std::env::current_exe().expect("this program"))
            .args(["--exact", "child", "--ignored", "--nocapture", "--test-threads=1"])
            .envs(self.layer.environment(number))
            .env("TANGENCY_FAULTS_CASES", list.join(","))
            .env("TANGENCY_FAULTS_FULL", u8::from(self.full).to_string())
            .env("RUST_BACKTRACE", "0")
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("a process");
        watch(child, cases.len())
    }
}

/// Collects the lines of a process until it ends, or nothing has come for too long.
fn watch(mut child: Child, cases: usize) -> (Vec<String>, Result<usize, String>) {
    let (sender, receiver) = channel();
    let (stdout, stderr) = (child.stdout.take().expect("a pipe"), child.stderr.take().expect("a pipe"));
    std::thread::spawn(move || {
        for line in BufReader::new(stdout).lines().map_while(Result::ok) {
            if sender.send(line).is_err() {
                break;
            }
        }
    });
    let errors = std::thread::spawn(move || {
        let lines: Vec<String> = BufReader::new(stderr).lines().map_while(Result::ok).collect();
        lines[lines.len().saturating_sub(12)..].join("\n    ")
    });
    let mut ended = Vec::new();
    let outcome = loop {
        match receiver.recv_timeout(PATIENCE) {
            Ok(line) => match line.strip_prefix("END ") {
                Some(end) => ended.push(end.to_owned()),
                None if line == "DONE" && ended.len() == cases => break Ok(cases),
                None => {}
            },
            Err(RecvTimeoutError::Timeout) => break Err("it hangs"),
            Err(RecvTimeoutError::Disconnected) => break Err("it died"),
        }
    };
    if outcome.is_err() {
        let _ = child.kill();
    }
    let status = child.wait().expect("a process");
    let text = errors.join().unwrap_or_default();
    let outcome = outcome.map_err(|what| format!("{what}: {status}\n    {text}"));
    // What goes wrong while the process ends counts too.
    let outcome = outcome.and_then(|done| {
        if status.success() {
            return Ok(done);
        }
        ended.pop();
        Err(format!("it died at its end: {status}\n    {text}"))
    });
    (ended, outcome)
}

impl Found {
    /// Notes the line of a case that has come to its end.
    fn note(&mut self, line: &str) {
        let fields: Vec<&str> = line.split(';').collect();
        let [case, _, faults, function, failures, caught, what] = fields[..] else { panic!("{line}") };
        let number = |text: &str| text.parse::<u64>().expect("a number");
        if number(faults) == 0 {
            return;
        }
        let case = Case::read(case);
        let engine = if case.automatic { "automatic: " } else { "asked for: " };
        let told = if number(failures) > 0 { ", info() tells" } else { "" };
        *self.seen.entry((case.kind, function.to_owned(), format!("{engine}{what}{told}"))).or_default() += 1;
        self.faults += 1;
        self.caught += number(caught);
        self.told += usize::from(number(failures) > 0);
        self.silent += usize::from(number(failures) == 0 && what == "right answers");
    }
}
