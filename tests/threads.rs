//! How many threads an engine may be asked for. In a file of its own: what went wrong here ended the process.

use tangency::scenes::{SEED, Scene};
use tangency::{BackendKind, Builder, Engine, Error};

/// The threads of this process, where the system tells.
fn running() -> Option<usize> {
    std::fs::read_dir("/proc/self/task").ok().map(Iterator::count)
}

// One test, so that no other one's threads are counted.
#[test]
fn too_many_threads_are_refused_before_any_is_started() {
    let before = running();
    for backend in [BackendKind::Cpu, BackendKind::BruteForce, BackendKind::Auto, BackendKind::Gpu] {
        for threads in [Builder::MAX_THREADS + 1, 65_000, 100_000, usize::MAX] {
            let error = Engine::builder().backend(backend).threads(threads).build().unwrap_err();
            assert_eq!(error, Error::TooManyThreads { threads, limit: Builder::MAX_THREADS }, "{backend:?}");
            let message = error.to_string();
            assert!(message.contains(&threads.to_string()) && message.contains("at most 1024"), "{message}");
        }
    }
    assert_eq!(running(), before);
    // As many as are allowed can be had, and give the same answer.
    let bodies = Scene::Uniform.build(20_000, SEED).unwrap();
    let engine = |threads| Engine::builder().backend(BackendKind::Cpu).threads(threads).build().unwrap();
    let many = engine(Builder::MAX_THREADS);
    if cfg!(feature = "rayon") {
        assert_eq!(many.info().threads, Builder::MAX_THREADS);
    }
    assert!(many.overlaps(&bodies).run().unwrap() == engine(1).overlaps(&bodies).run().unwrap());
}
