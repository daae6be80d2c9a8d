//! Fuzzing on stable Rust: bytes become sets, changes and requests, and every backend must agree with brute force, or refuse with an error.
//!
//! By default the inputs of `tests/fuzz/corpus` run, and a few changed ones of each. `TANGENCY_FUZZ_MINUTES=60` goes on for so long for
//! each target, with random changes and crossings of what is there. An input that fails is made as short as it can be, and printed.

#[path = "fuzz/bytes.rs"]
mod bytes;
#[path = "common/engines.rs"]
mod engines;
#[path = "fuzz/fuzzer.rs"]
mod fuzzer;
#[path = "fuzz/targets.rs"]
mod targets;

use fuzzer::fuzz;

/// Sets of bodies with any numbers, changed in any order, and every query about them.
#[test]
fn bodies() {
    fuzz("bodies", concat!(env!("CARGO_MANIFEST_DIR"), "/tests/fuzz/corpus/bodies"), targets::bodies);
}

/// Requests with any options and arguments, in every ending, on every backend.
#[test]
fn requests() {
    fuzz("requests", concat!(env!("CARGO_MANIFEST_DIR"), "/tests/fuzz/corpus/requests"), targets::requests);
}
