//! Engines on every backend of this machine, and how to wait for them.
#![allow(dead_code, reason = "each test file uses its part")]

use std::future::{Future, poll_fn};
use std::pin::Pin;
use std::sync::LazyLock;
use std::sync::mpsc::channel;
use std::task::{Context, Poll, Waker};
use std::time::Duration;

use tangency::batch::Answer;
use tangency::shape::Plane;
use tangency::{BackendKind, Builder, Engine};

/// What may run, by name: the CPU, brute force, and every adapter that can compute. Without an adapter the others alone, which
/// `TANGENCY_REQUIRE_GPU=1` forbids. OpenGL beside another interface only if there is time: otherwise the library's own tests
/// (`src/gpu/tests.rs`) ask it for pairs.
pub fn builders() -> Vec<(String, Builder)> {
    let kinds = [BackendKind::Cpu, BackendKind::BruteForce];
    #[allow(unused_mut, reason = "without the feature `gpu` there are no adapters")]
    let mut all: Vec<_> = kinds.map(|kind| (kind.name().to_owned(), Engine::builder().backend(kind))).into();
    #[cfg(feature = "gpu")]
    let adapters: Vec<_> = tangency::adapters().into_iter().filter(|adapter| adapter.compute).collect();
    #[cfg(feature = "gpu")]
    let all_interfaces = is_long() || adapters.iter().all(|adapter| adapter.backend == "gl");
    #[cfg(feature = "gpu")]
    for adapter in adapters.into_iter().filter(|adapter| all_interfaces || adapter.backend != "gl") {
        let builder = Engine::builder().backend(BackendKind::Gpu).adapter(adapter.index);
        all.push((format!("{}:{}", adapter.backend, adapter.name), builder));
    }
    if all.len() == kinds.len() {
        assert_ne!(std::env::var("TANGENCY_REQUIRE_GPU").as_deref(), Ok("1"), "there is no adapter");
        println!("NOT RUN on a GPU: this machine has no adapter");
    }
    all
}

/// Whether there is time for many cases.
pub fn is_long() -> bool {
    std::env::var("TANGENCY_TEST_LONG").is_ok_and(|value| value == "1")
}

/// One engine each, for all tests: kernels are compiled once.
pub static ENGINES: LazyLock<Vec<(String, Engine)>> =
    LazyLock::new(|| builders().into_iter().map(|(name, builder)| (name, builder.build().unwrap())).collect());

/// Waits until work whose futures were dropped has come to its end: a driver that is at work while the process ends may crash.
pub fn let_dropped_work_end() {
    // The time that all threads of this process have worked, in hundredths of a second; absent where the system does not tell.
    let worked = || -> Option<u64> {
        let stat = std::fs::read_to_string("/proc/self/stat").ok()?;
        let fields: Vec<&str> = stat.rsplit_once(')')?.1.split_whitespace().collect();
        Some(fields.get(11)?.parse::<u64>().ok()? + fields.get(12)?.parse::<u64>().ok()?)
    };
    for _ in 0..100 {
        let before = worked();
        std::thread::sleep(Duration::from_millis(200));
        if before.is_none() || worked().zip(before).is_some_and(|(now, before)| now <= before + 1) {
            return;
        }
    }
}

pub fn brute() -> Engine {
    Engine::builder().backend(BackendKind::BruteForce).build().unwrap()
}

pub fn planes() -> [Plane; 2] {
    [Plane::new([1.0, 0.2, 0.0], 2.0).unwrap(), Plane::new([-0.3, -1.0, 0.5], 1.0).unwrap()]
}

/// Fails if `work` has not come to an end after a minute, instead of waiting for ever.
pub fn in_time(what: &str, work: impl FnOnce() + Send + 'static) {
    let (sender, receiver) = channel();
    let thread = std::thread::spawn(move || {
        work();
        let _ = sender.send(());
    });
    match receiver.recv_timeout(Duration::from_secs(60)) {
        Err(std::sync::mpsc::RecvTimeoutError::Timeout) => panic!("{what}: no end after a minute"),
        _ => thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)),
    }
}

/// Awaits all of these at once, on this thread; the results in order.
pub fn together<F: Future + Unpin>(mut all: Vec<F>) -> Vec<F::Output> {
    let mut done: Vec<Option<F::Output>> = all.iter().map(|_| None).collect();
    pollster::block_on(poll_fn(|context| {
        for (future, done) in all.iter_mut().zip(&mut done).filter(|(_, done)| done.is_none()) {
            if let Poll::Ready(value) = Pin::new(future).poll(context) {
                *done = Some(value);
            }
        }
        if done.iter().all(Option::is_some) { Poll::Ready(()) } else { Poll::Pending }
    }));
    done.into_iter().flatten().collect()
}

pub fn poll_once<T>(future: &mut Answer<'_, T>) -> Poll<tangency::Result<T>> {
    Pin::new(future).poll(&mut Context::from_waker(Waker::noop()))
}
