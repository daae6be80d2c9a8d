//! Scene files of any bytes: each is read, or refused with a reason.
//!
//! The first byte of an input is the format. As in the library's `tests/fuzz.rs`, the inputs of `cli/tests/fuzz` run by default and a few
//! changed ones of each; `TANGENCY_FUZZ_MINUTES=60` goes on for so long.

use clap::ValueEnum;

use super::{Format, Origin, Scene};

#[path = "../../../tests/fuzz/fuzzer.rs"]
mod fuzzer;

#[test]
fn files() {
    fuzzer::fuzz("files", concat!(env!("CARGO_MANIFEST_DIR"), "/tests/fuzz"), |input| {
        let Some((first, bytes)) = input.split_first() else { return };
        let formats = Format::value_variants();
        let format = formats[usize::from(*first) % formats.len()];
        let folder = std::env::temp_dir();
        let path = folder.join(format!("tangency-fuzz-{}.{format:?}", std::process::id()).to_lowercase());
        std::fs::write(&path, bytes).expect("a file");
        let mut scene = Scene::new(Origin::Auto, false, false).expect("a scene");
        let read = format.read(&path, &mut scene);
        let _ = std::fs::remove_file(&path);
        match read {
            Ok(()) => {
                assert!(scene.bodies.len() <= bytes.len(), "{} bodies of {} bytes", scene.bodies.len(), bytes.len());
            }
            Err(failure) => assert!(!failure.to_string().is_empty()),
        }
    });
}
