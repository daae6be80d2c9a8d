//! Starts a test process for each adapter, with a time limit: drivers may hang or crash, and a process chooses its driver once.

use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use super::super::Gpu;
use super::super::device::DeviceRequest;

/// The Vulkan driver file of `SwiftShader` in Debian's package of Chromium.
const SWIFTSHADER: &str = "/usr/lib/chromium/vk_swiftshader_icd.json";
const ADAPTER: &str = "TANGENCY_TEST_ADAPTER";
const PORTABLE: &str = "TANGENCY_TEST_PORTABLE";
const BRIEF: &str = "TANGENCY_TEST_BRIEF";
/// The time limit for compiling one kernel and running it for the first time; longer where so many tests run side by side that each has a part of a core.
fn patience() -> Duration {
    Duration::from_secs(if crate::is_long_test() || is_mutant() { 400 } else { 150 })
}

/// The exit status of a process whose adapter lacks what the library needs.
const UNABLE: i32 = 33;

/// One process: its name, the driver it uses, and the adapter's index there.
struct Case {
    name: String,
    driver: Option<&'static str>,
    index: usize,
    portable: bool,
    /// Whether tests run with fewer cases.
    brief: bool,
    limit: Duration,
}

fn cases() -> Vec<Case> {
    let mut cases = Vec::new();
    let adapters: Vec<_> = crate::adapters().into_iter().filter(|adapter| adapter.compute).collect();
    let all_older = adapters.iter().all(|adapter| adapter.backend == "gl");
    for adapter in adapters {
        let name = format!("{}:{}", adapter.backend, adapter.name);
        let older = adapter.backend == "gl" && !all_older;
        let case = |name: String, portable: bool| Case {
            name,
            driver: None,
            index: adapter.index,
            portable,
            brief: portable || older,
            limit: Duration::from_secs(if crate::is_long_test() { 2400 } else { 1200 }),
        };
        // (If there is no time, a device with these limits is used by the tests of the public interface only.)
        if !older && (crate::is_long_test() || std::env::var_os("TANGENCY_TEST_ONLY").is_some()) {
            cases.push(case(format!("{name}, default limits"), true));
        }
        cases.push(case(name, false));
    }
    if crate::is_long_test() && std::path::Path::new(SWIFTSHADER).exists() {
        cases.push(Case {
            name: "vulkan:SwiftShader".to_owned(),
            driver: Some(SWIFTSHADER),
            index: 0,
            portable: false,
            brief: true,
            limit: Duration::from_secs(if crate::is_long_test() { 2400 } else { 1200 }),
        });
    }
    if is_mutant() {
        // Most tests run with all features.
        cases.reverse();
    }
    cases
}

/// Whether the tests run on shaders that were broken on purpose (`tools/mutants.sh`): the first failure is enough, and times mean nothing.
pub(super) fn is_mutant() -> bool {
    std::env::var_os("TANGENCY_TEST_SHADERS").is_some()
}

/// Runs an ignored test once for each adapter, in a process of its own, which finds its parameters by [`AdapterTest::open`]. Two
/// processes run at a time: most software adapters use one thread.
pub(super) fn on_every_adapter(test: &str) {
    let required = std::env::var_os("TANGENCY_REQUIRE_GPU").is_some_and(|value| value == "1");
    let only = std::env::var("TANGENCY_TEST_ONLY").unwrap_or_default();
    let cases: Vec<Case> = cases().into_iter().filter(|case| case.name.contains(&only)).collect();
    assert!(!required || !cases.is_empty(), "TANGENCY_REQUIRE_GPU=1, and there is no adapter");
    let next = AtomicUsize::new(0);
    let work = || {
        let mut failed = Vec::new();
        while let Some(case) = cases.get(next.fetch_add(1, Ordering::Relaxed)) {
            let start = Instant::now();
            let (status, said) = run_case(test, case);
            let seconds = start.elapsed().as_secs();
            println!("{said}{test} on {}: {status} after {seconds} s", case.name);
            if status != "passed" {
                failed.push(case.name.clone());
                if is_mutant() {
                    break;
                }
            }
        }
        failed
    };
    let failed = std::thread::scope(|scope| {
        let other = (!is_mutant()).then(|| scope.spawn(work));
        let mut failed = work();
        failed.extend(other.into_iter().flat_map(|other| other.join().expect("it ends")));
        failed
    });
    assert!(failed.is_empty(), "adapters that failed: {failed:?}");
}

/// Runs this test in a process for one case. Returns its outcome, and its output.
fn run_case(test: &str, case: &Case) -> (String, String) {
    // The shader cache is empty, so that every kernel is compiled: a folder of this process, or one that `./test.sh` has just made, in which
    // other programs find the kernels then. (With mutants it is what the unbroken shaders have left.)
    let name = format!("{test} {}", case.name).replace(|c: char| !c.is_alphanumeric(), "-");
    let folder = std::env::temp_dir().join(format!("tangency-{}-{name}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let log = folder.join("log");
    let file = std::fs::File::create(&log).expect("a file");
    let mut command = Command::new(std::env::current_exe().expect("this program"));
    command.args(["--exact", test, "--ignored", "--nocapture"]);
    command.env(ADAPTER, case.index.to_string()).env(PORTABLE, if case.portable { "1" } else { "0" });
    // Every driver runs all tests, slow ones with fewer cases.
    command.env(BRIEF, if case.brief { "1" } else { "0" });
    let shared = std::env::var_os("TANGENCY_TEST_SHADER_CACHE")
        .filter(|_| is_mutant() || !case.portable && !crate::is_long_test());
    command.env("MESA_SHADER_CACHE_DIR", shared.unwrap_or_else(|| folder.join("cache").into()));
    if let Some(driver) = case.driver {
        command.env("VK_DRIVER_FILES", driver).env("VK_ICD_FILENAMES", driver);
    }
    command.stdout(file.try_clone().expect("the file")).stderr(file);
    let (mut child, start) = (command.spawn().expect("a process"), Instant::now());
    let status = loop {
        match child.try_wait().expect("its status") {
            Some(status) if status.success() => break "passed".to_owned(),
            Some(status) => break format!("failed ({status})"),
            None if start.elapsed() > case.limit => {
                child.kill().expect("it can be ended");
                child.wait().expect("it ends");
                break "not done".to_owned();
            }
            None => std::thread::sleep(Duration::from_millis(50)),
        }
    };
    let said = std::fs::read(&log).map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).unwrap_or_default();
    drop(std::fs::remove_dir_all(&folder));
    (status, said)
}

/// Ends this process if the work takes longer than [`patience`].
pub(super) fn within_patience<R>(what: &str, work: impl FnOnce() -> R) -> R {
    let (done, wait) = std::sync::mpsc::channel::<()>();
    let name = what.to_owned();
    let watch = std::thread::spawn(move || {
        if wait.recv_timeout(patience()) == Err(std::sync::mpsc::RecvTimeoutError::Timeout) {
            println!("  {name} is not ready after {} s", patience().as_secs());
            std::process::exit(UNABLE);
        }
    });
    let result = work();
    drop(done);
    watch.join().expect("the watch ends");
    result
}

/// The parameters of a process that tests one adapter.
pub(super) struct AdapterTest {
    pub(super) gpu: Gpu,
    /// The index of the adapter in [`adapters`](crate::adapters).
    pub(super) index: usize,
    /// Whether the device has only the default limits and no features.
    pub(super) portable: bool,
    pub(super) brief: bool,
}

impl AdapterTest {
    /// Opens the adapter; absent if this process was not started by [`on_every_adapter`].
    pub(super) fn open() -> Option<Self> {
        let index: usize = std::env::var(ADAPTER).ok()?.parse().expect("an index");
        let portable = std::env::var(PORTABLE).is_ok_and(|value| value == "1");
        let brief = std::env::var(BRIEF).is_ok_and(|value| value == "1");
        match pollster::block_on(Gpu::new(
            DeviceRequest { adapter: Some(index), portable, ..DeviceRequest::default() },
            false,
            &[],
        )) {
            Ok(gpu) => Some(Self { gpu, index, portable, brief }),
            Err(error) => {
                println!("  {error}");
                std::process::exit(UNABLE);
            }
        }
    }
}
