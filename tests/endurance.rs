//! Engines made and dropped by the thousand, and frames by the ten thousand: memory, threads and open files stay as they are.
//!
//! A few of each by default, many with `TANGENCY_TEST_LONG=1`, and all with `TANGENCY_TEST_ENDURANCE=all`.
#![cfg(target_os = "linux")]

#[path = "common/engines.rs"]
mod engines;
#[cfg(feature = "gpu")]
#[path = "common/host.rs"]
mod host;

use std::time::{Duration, Instant};

use engines::{builders, is_long};
use tangency::scenes::Scene;
#[cfg(feature = "gpu")]
use tangency::shape::Shape;
use tangency::shape::Sphere;
use tangency::{BackendKind, Contacts, Overlaps};
#[cfg(feature = "gpu")]
use tangency::{BodySource, RecordOptions};

/// What this process has of the system.
#[derive(Clone, Copy, Debug)]
struct Held {
    bytes: u64,
    threads: usize,
    files: usize,
    /// Parts of memory with code that was compiled here.
    code: usize,
}

impl Held {
    fn now() -> Self {
        let status = std::fs::read_to_string("/proc/self/status").unwrap();
        let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).unwrap();
        let kilobytes: u64 = line.trim().trim_end_matches("kB").trim().parse().unwrap();
        let count = |folder: &str| std::fs::read_dir(folder).unwrap().count();
        let maps = std::fs::read_to_string("/proc/self/maps").unwrap();
        // Address, rights, offset, device, inode, and no file.
        let is_code = |line: &&str| {
            let mut words = line.split_whitespace();
            words.nth(1).is_some_and(|rights| rights.contains('x')) && words.nth(3).is_none()
        };
        Self {
            bytes: 1024 * kilobytes,
            threads: count("/proc/self/task"),
            files: count("/proc/self/fd"),
            code: maps.lines().filter(is_code).count(),
        }
    }

    /// What it has once threads that were told to end have ended, down to a number of them: a pool that is dropped does not wait for its threads.
    fn settled(threads: usize) -> Self {
        let start = Instant::now();
        loop {
            let held = Self::now();
            if held.threads <= threads || start.elapsed() > Duration::from_secs(10) {
                return held;
            }
            std::thread::sleep(Duration::from_millis(10));
        }
    }
}

/// Does something many times. What the process holds after a tenth of them must be what it holds at the end.
fn repeat(what: &str, times: usize, mut work: impl FnMut(usize)) {
    let start = Instant::now();
    let mut early = Held::now();
    for k in 0..times {
        work(k);
        if k == times / 10 {
            early = Held::now();
        }
    }
    let end = Held::settled(early.threads + 1);
    let (kib, seconds) = (|bytes: u64| bytes >> 10, start.elapsed().as_secs_f64());
    println!(
        "{what}, {times} times in {seconds:.1} s: {} KiB, {} threads, {} files, {} kernels after a tenth; {} KiB, {} threads, {} files, {} kernels in the end",
        kib(early.bytes),
        early.threads,
        early.files,
        early.code,
        kib(end.bytes),
        end.threads,
        end.files,
        end.code
    );
    // A driver that compiles in a frame what it has compiled before keeps it all. (What is rare is compiled when it happens.)
    assert!(end.code <= early.code + 8, "{what}: {early:?}, then {end:?}");
    assert!(end.threads <= early.threads + 1 && end.files <= early.files + 2, "{what}: {early:?}, then {end:?}");
    // What allocators and drivers keep for later levels off; a leak of a kilobyte each time does not.
    let grown = end.bytes.saturating_sub(early.bytes);
    assert!(grown < (8 << 20) + 512 * times as u64, "{what}: {early:?}, then {end:?}");
}

fn is_all() -> bool {
    std::env::var("TANGENCY_TEST_ENDURANCE").is_ok_and(|value| value == "all")
}

/// How many frames there are.
fn frames() -> usize {
    match (is_all(), is_long()) {
        (true, _) => 10_000,
        (false, true) => 2000,
        (false, false) => 40,
    }
}

/// All of one backend, in a process of its own.
#[test]
#[ignore = "started by nothing_grows, once for each backend"]
fn one_backend() {
    let Ok(index) = std::env::var("TANGENCY_ENDURANCE_BACKEND") else { return };
    let (name, builder) = builders().swap_remove(index.parse().unwrap());
    let on_cpu = name == BackendKind::Cpu.name();
    let mut bodies = Scene::Granular.build(300, 1).unwrap();
    let builder = if on_cpu { builder.threads(2) } else { builder };
    let expected = builder.clone().build().unwrap().overlaps(&bodies).run().unwrap();
    let engines = if is_all() {
        1000
    } else if is_long() {
        250
    } else if on_cpu {
        100
    } else {
        6
    };
    repeat(&format!("{name}: engines"), engines, |_| {
        let engine = builder.clone().build().unwrap();
        // Half of the work of a query on a device is to compile its kernels.
        assert!(!on_cpu || engine.overlaps(&bodies).run().unwrap() == expected);
    });
    let engine = builder.build().unwrap();
    let (mut hits, mut contacts) = (Overlaps::new(), Contacts::new());
    let frames = frames();
    repeat(&format!("{name}: frames"), frames, |k| {
        let x = (k % 100) as f32 / 10.0;
        bodies.set_shape(k as u32 % 300, Sphere::new([x, 0.0, 0.0], 1.0).unwrap()).unwrap();
        engine.overlaps(&bodies).run_into(&mut hits).unwrap();
        engine.contacts(&bodies).run_into(&mut contacts).unwrap();
        assert!(*contacts.pairs() == hits);
        drop(engine.overlaps(&bodies));
    });
}

/// Frames of a moving scene whose bodies are written on the device, recorded one after the other on the first adapter, in a process of its own.
/// Every hundredth is compared with the CPU.
#[cfg(feature = "gpu")]
#[test]
#[ignore = "started by nothing_grows"]
fn recorded_frames() {
    let Some(device) = host::device() else { return };
    let (count, frames) = (2000, frames());
    let mut bodies = Scene::Granular.build(count, 1).unwrap();
    let balls: Vec<Sphere> = bodies
        .iter()
        .map(|body| match body.shape {
            Shape::Sphere(ball) => ball,
            _ => panic!("a ball"),
        })
        .collect();
    let start: Vec<[f32; 3]> = balls.iter().map(|ball| ball.center().to_array()).collect();
    let buffer = device.buffer(start.as_flattened());
    let sources = [BodySource::new(&buffer, 0..count as u32, 12).position_at(0)];
    let options = RecordOptions::new().sources(&sources);
    let known = bodies.clone();
    let (mut verified, mut pairs, mut again) = (0, 0, 0);
    repeat("recorded frames", frames, |k| {
        // Each body goes its own way, to and fro.
        let phase = (k % 200) as f32 / 200.0;
        let moved: Vec<[f32; 3]> = start
            .iter()
            .enumerate()
            .map(|(id, at)| std::array::from_fn(|axis| at[axis] + ((id * 7 + axis) % 11) as f32 * 0.02 * phase))
            .collect();
        device.queue.write_buffer(&buffer, 0, bytemuck::cast_slice(&moved));
        loop {
            let mut encoder = device.encoder();
            let mut recorded = device.engine.overlaps(&known).record_with(&options, &mut encoder).unwrap();
            device.submit(encoder);
            let ended = recorded.ended().unwrap();
            assert_eq!(ended.bad_body, None);
            if ended.needed.is_some() {
                again += 1;
                continue;
            }
            pairs += ended.results as usize;
            if k % 100 == 0 {
                for (id, at) in moved.iter().enumerate() {
                    bodies.set_shape(id as u32, Sphere::new(*at, balls[id].radius()).unwrap()).unwrap();
                }
                recorded.settle().unwrap();
                let expected = host::cpu().overlaps(&bodies).run().unwrap();
                assert!(device.pairs(&mut recorded) == host::listed(&expected), "frame {k}");
                verified += 1;
            }
            break;
        }
    });
    println!(
        "{count} bodies, {pairs} pairs in all, {verified} frames verified, {again} recorded again for want of room"
    );
    assert!(verified == frames.div_ceil(100) && pairs > frames && again < 20);
}

/// Runs an ignored test in a process of its own, and shows what it says.
fn in_a_process(test: &str, backend: usize) {
    let child = std::process::Command::new(std::env::current_exe().unwrap())
        .args(["--exact", test, "--ignored", "--nocapture"])
        .env("TANGENCY_ENDURANCE_BACKEND", backend.to_string())
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&child.stdout);
    println!("{said}");
    assert!(child.status.success(), "{test}, backend {backend}: {said}{}", String::from_utf8_lossy(&child.stderr));
}

#[test]
fn nothing_grows() {
    for (index, (name, _)) in builders().into_iter().enumerate() {
        // OpenGL in software is the same program as Vulkan in software.
        if name == BackendKind::BruteForce.name() || name.starts_with("gl:") {
            continue;
        }
        in_a_process("one_backend", index);
    }
    #[cfg(feature = "gpu")]
    in_a_process("recorded_frames", 0);
}
