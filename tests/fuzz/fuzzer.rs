//! Which inputs to try, and what to do with one that fails.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

/// A small generator of random numbers, the same everywhere.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ z >> 31
    }

    fn below(&mut self, end: usize) -> usize {
        (self.next() % end.max(1) as u64) as usize
    }
}

/// Inputs are no longer than this.
const LONGEST: usize = 2048;
/// Changed inputs by default, for each target; more with `./test.sh --long`.
fn few() -> usize {
    if std::env::var_os("TANGENCY_TEST_LONG").is_some_and(|value| value == "1") { 40 } else { 10 }
}

/// The inputs of the corpus, by name.
fn corpus(folder: &str) -> Vec<Vec<u8>> {
    let mut paths: Vec<_> = std::fs::read_dir(folder).expect("a corpus").flatten().map(|entry| entry.path()).collect();
    paths.sort();
    assert!(!paths.is_empty(), "{folder} is empty");
    paths.into_iter().map(|path| std::fs::read(path).expect("an input")).collect()
}

/// Another input, made from one or two.
fn changed(random: &mut Random, inputs: &[Vec<u8>]) -> Vec<u8> {
    let mut bytes = inputs[random.below(inputs.len())].clone();
    for _ in 0..=random.below(6) {
        let at = random.below(bytes.len() + 1);
        match random.below(6) {
            0 if at < bytes.len() => bytes[at] = random.next() as u8,
            1 if at < bytes.len() => bytes[at] ^= 1 << random.below(8),
            2 => {
                let more: Vec<u8> = (0..=random.below(24)).map(|_| random.next() as u8).collect();
                bytes.splice(at..at, more);
            }
            3 => _ = bytes.drain(at..(at + random.below(24)).min(bytes.len())),
            // A piece of it once more, elsewhere.
            4 => {
                let piece = bytes[at..(at + random.below(64)).min(bytes.len())].to_vec();
                let to = random.below(bytes.len() + 1);
                bytes.splice(to..to, piece);
            }
            _ => {
                let other = &inputs[random.below(inputs.len())];
                bytes.truncate(at);
                bytes.extend(&other[random.below(other.len() + 1)..]);
            }
        }
    }
    bytes.truncate(LONGEST);
    bytes
}

/// Runs a target on the inputs in a folder and on what is made from it. Panics with the shortest input that fails.
pub fn fuzz(name: &str, folder: &str, target: fn(&[u8])) {
    let minutes: Option<f64> = std::env::var("TANGENCY_FUZZ_MINUTES").ok().map(|text| text.parse().expect("a number"));
    let seed: u64 = std::env::var("TANGENCY_FUZZ_SEED").map_or(1, |text| text.parse().expect("a number"));
    let (start, mut random, mut inputs) = (Instant::now(), Random(seed), corpus(folder));
    let fails = |input: &[u8]| catch_unwind(AssertUnwindSafe(|| target(input))).is_err();
    let mut runs = 0_u64;
    let mut run = |input: &[u8]| {
        runs += 1;
        if fails(input) {
            let input = shortened(input, fails);
            let words: Vec<String> = input.iter().map(|byte| format!("{byte:02x}")).collect();
            panic!("{name} fails after {runs} inputs with the {} bytes {}", input.len(), words.join(""));
        }
    };
    for input in &inputs {
        run(input);
    }
    let end = minutes.map(|minutes| Duration::from_secs_f64(60.0 * minutes));
    let (mut tried, few) = (0, few());
    while end.map_or(tried < few, |end| start.elapsed() < end) {
        let input = changed(&mut random, &inputs);
        run(&input);
        tried += 1;
        // Some of them become what others are made from.
        if random.below(16) == 0 && inputs.len() < 4096 {
            inputs.push(input);
        }
    }
    println!("{name}: {runs} inputs in {:.1} s, none fails", start.elapsed().as_secs_f64());
}

/// The input without pieces that are not needed for it to fail.
fn shortened(input: &[u8], fails: impl Fn(&[u8]) -> bool) -> Vec<u8> {
    let mut input = input.to_vec();
    let mut size = input.len() / 2;
    while size > 0 {
        let mut at = 0;
        while at < input.len() {
            let mut shorter = input.clone();
            shorter.drain(at..(at + size).min(input.len()));
            if fails(&shorter) { input = shorter } else { at += size }
        }
        size /= 2;
    }
    input
}
