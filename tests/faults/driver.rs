//! The layer: compiled, found by the Vulkan loader, and given orders through a file.

use std::fs::{File, OpenOptions};
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering};

/// How a driver fails.
#[derive(Clone, Copy, Debug)]
pub struct Fault {
    /// What the call returns: a negative `VkResult`, or [`HANG`].
    pub result: i32,
    pub lasting: u32,
}

/// Only the one call fails.
pub const ONCE: u32 = 0;
/// All later calls fail too, until a device is opened.
pub const LASTING: u32 = 1;
/// The call does not return.
pub const HANG: i32 = 1;

/// Layers that this process has built: each has a folder of its own.
static LAYERS: AtomicUsize = AtomicUsize::new(0);

const NAME: usize = 48;
const ORDER: usize = 24 + NAME;
const REPORT: usize = 16 + NAME;

/// The description of the software driver.
fn lavapipe() -> Option<PathBuf> {
    let drivers = std::fs::read_dir("/usr/share/vulkan/icd.d").ok()?;
    drivers.flatten().map(|entry| entry.path()).find(|path| path.to_string_lossy().contains("lvp_icd"))
}

/// The folder with the layer, its manifest and the file of orders.
pub struct Layer {
    folder: PathBuf,
}

impl Layer {
    /// Compiles the layer, if there is a Vulkan driver to put it before.
    pub fn build() -> Option<Self> {
        if lavapipe().is_none() {
            let required = std::env::var("TANGENCY_REQUIRE_GPU").is_ok_and(|value| value == "1");
            assert!(!required, "there is no software Vulkan driver");
            println!("NOT RUN: this machine has no software Vulkan driver");
            return None;
        }
        let number = LAYERS.fetch_add(1, Ordering::Relaxed);
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("faults-{}-{number}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("a folder");
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/faults/layer.c");
        let library = folder.join("libfaults.so");
        let compiled = Command::new("cc")
            .args([
                "-std=gnu11",
                "-O1",
                "-Wall",
                "-Wextra",
                "-Werror",
                "-Wno-cast-function-type",
                "-fvisibility=hidden",
            ])
            // The loader unloads it with the last instance; what it has counted must stay.
            .args(["-shared", "-fPIC", "-Wl,-z,nodelete", "-o"])
            .args([&library, &source])
            .arg("-lpthread")
            .status()
            .expect("a C compiler, which Rust links with");
        assert!(compiled.success(), "the layer does not compile");
        let manifest = format!(
            r#"{{"file_format_version": "1.2.0", "layer": {{"name": "VK_LAYER_TANGENCY_faults", "type": "GLOBAL",
            "library_path": "{}", "api_version": "1.3.0", "implementation_version": "1",
            "description": "Makes the driver fail on purpose"}}}}"#,
            library.display()
        );
        std::fs::write(folder.join("faults.json"), manifest).expect("the manifest");
        Some(Self { folder })
    }

    /// The variables under which a process sees the software driver through the layer. Each process has a file of orders.
    pub fn environment(&self, number: usize) -> Vec<(&'static str, PathBuf)> {
        let orders = self.folder.join(format!("orders-{number}"));
        std::fs::write(&orders, [0; ORDER + REPORT]).expect("a file of orders");
        let lavapipe = lavapipe().expect("a driver");
        vec![
            ("VK_LAYER_PATH", self.folder.clone()),
            ("VK_INSTANCE_LAYERS", "VK_LAYER_TANGENCY_faults".into()),
            ("VK_DRIVER_FILES", lavapipe.clone()),
            ("VK_ICD_FILENAMES", lavapipe),
            ("TANGENCY_FAULTS", orders),
            // A layer of Mesa's that asks adapters for their extensions, and crashes when one cannot answer.
            ("NODEVICE_SELECT", "1".into()),
        ]
    }
}

impl Drop for Layer {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}

/// The file through which a process orders faults, as the layer of that process reads it.
pub struct Orders {
    file: File,
    number: u64,
}

/// What has happened since the last order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Report {
    pub calls: u64,
    pub faults: u64,
    /// The function that failed first.
    pub function: String,
}

impl Orders {
    pub fn open() -> Self {
        let path = std::env::var_os("TANGENCY_FAULTS").expect("started by a test");
        let file = OpenOptions::new().read(true).write(true).open(path).expect("the file of orders");
        Self { file, number: 0 }
    }

    /// Lets a call fail: counted from 0, and only those of one function if it is named.
    pub fn order(&mut self, call: u64, Fault { result, lasting }: Fault, only: &str) {
        self.number += 1;
        let mut order = Vec::with_capacity(ORDER);
        order.extend(self.number.to_le_bytes());
        order.extend(call.to_le_bytes());
        order.extend(result.to_le_bytes());
        order.extend(lasting.to_le_bytes());
        order.extend(only.bytes().chain(std::iter::repeat(0)).take(NAME));
        self.file.write_all_at(&order, 0).expect("an order");
    }

    /// Lets nothing fail, and counts calls anew.
    pub fn none(&mut self) {
        self.order(u64::MAX, Fault { result: 0, lasting: ONCE }, "");
    }

    pub fn report(&self) -> Report {
        let mut bytes = [0; REPORT];
        self.file.read_exact_at(&mut bytes, ORDER as u64).expect("a report");
        let word = |at: usize| u64::from_le_bytes(bytes[at..at + 8].try_into().expect("eight bytes"));
        let name = &bytes[16..];
        let end = name.iter().position(|byte| *byte == 0).unwrap_or(NAME);
        Report { calls: word(0), faults: word(8), function: String::from_utf8_lossy(&name[..end]).into_owned() }
    }
}
