//! How much memory the CPU backend takes: at most 200 bytes a body and 16 a pair, with the bodies and the result.

use tangency::scenes::{SEED, Scene};
use tangency::{BackendKind, Engine, Overlaps};

/// The most memory that this process has had so far, where the system tells. What its allocator keeps for later counts too.
fn peak() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    Some(1024 * line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok()?)
}

/// The only test of this file: nothing else may take memory meanwhile.
#[test]
fn a_body_takes_200_bytes_and_a_pair_16() {
    let bodies = Scene::Uniform.build(1_000_000, SEED).unwrap();
    // Threads of its own, so that work moves between threads on any machine.
    let engine = Engine::builder().backend(BackendKind::Cpu).threads(2).build().unwrap();
    let mut out = Overlaps::new();
    let queries = ["first", "second, reusing the result", "new", "third, reusing the result", "another new"];
    // All of them with `./test.sh --long`.
    let long = std::env::var_os("TANGENCY_TEST_LONG").is_some_and(|value| value == "1");
    for query in &queries[..if long { queries.len() } else { 3 }] {
        if query.ends_with("new") {
            out = engine.overlaps(&bodies).run().unwrap();
        } else {
            engine.overlaps(&bodies).run_into(&mut out).unwrap();
        }
        let limit = 200 * bodies.len() as u64 + 16 * out.len() as u64;
        let Some(peak) = peak() else {
            println!("not tested: this system does not tell how much memory a process has had");
            return;
        };
        println!("{query}: {peak} bytes at most, of {limit}");
        assert!(peak <= limit, "{query}: {peak} bytes at most, of {limit}");
    }
}
