//! Files that are not complete yet, and that nobody sees before they are.
//!
//! On Linux such a file has no name where the file system allows it, so that nothing of it is left whatever ends the process.
//! Elsewhere it has a name that nobody can guess, and is removed when a signal ends the process.

use std::fs::{self, File};
use std::hash::{BuildHasher, Hasher, RandomState};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, Once, PoisonError};

pub struct Unfinished {
    file: File,
    /// Absent while the file has no name.
    name: Option<PathBuf>,
    target: PathBuf,
}

impl Unfinished {
    /// A file that will be `target`. A link is followed: what it leads to will be replaced.
    pub fn beside(target: &Path) -> io::Result<Self> {
        let target = fs::canonicalize(target).unwrap_or_else(|_| target.to_owned());
        if let Some(file) = nameless::create(folder(&target)) {
            return Ok(Self { file, name: None, target });
        }
        let name = guard(random_name(&target));
        // Fails if the name is taken, also by a link.
        let file = File::options().write(true).create_new(true).open(&name).inspect_err(|_| release(&name))?;
        Ok(Self { file, name: Some(name), target })
    }

    pub fn file(&self) -> &File {
        &self.file
    }

    /// Puts the file in the place of the target, whose mode and owner it takes over if there is one.
    pub fn finish(mut self) -> io::Result<()> {
        take_over(&self.file, &self.target)?;
        if self.name.is_none() {
            if nameless::link(&self.file, &self.target).is_ok() {
                return Ok(());
            }
            // There is a target, which only a rename replaces.
            let name = guard(random_name(&self.target));
            self.name = Some(name.clone());
            nameless::link(&self.file, &name)?;
        }
        if let Some(name) = &self.name {
            fs::rename(name, &self.target)?;
            release(name);
            self.name = None;
        }
        Ok(())
    }
}

impl Drop for Unfinished {
    fn drop(&mut self) {
        if let Some(name) = &self.name {
            // What made the file superfluous is reported; failing to remove it is not.
            let _ = fs::remove_file(name);
            release(name);
        }
    }
}

fn folder(target: &Path) -> &Path {
    target.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// `.NAME.RANDOM`, beside the target.
fn random_name(target: &Path) -> PathBuf {
    let mut name = std::ffi::OsString::from(".");
    name.push(target.file_name().unwrap_or_default());
    // The keys of every `RandomState` come from the operating system's random numbers.
    name.push(format!(".{:016x}", RandomState::new().build_hasher().finish()));
    target.with_file_name(name)
}

/// A name in the folder for temporary files that nobody can guess.
pub fn case_in_temp() -> PathBuf {
    let number = RandomState::new().build_hasher().finish();
    std::env::temp_dir().join(format!("tangency-case-{number:016x}.csv"))
}

#[cfg(unix)]
fn take_over(file: &File, target: &Path) -> io::Result<()> {
    use std::os::unix::fs::{MetadataExt, PermissionsExt, fchown};
    let Ok(found) = fs::metadata(target) else { return Ok(()) };
    // Only the superuser can give a file away.
    let _ = fchown(file, Some(found.uid()), Some(found.gid()));
    file.set_permissions(fs::Permissions::from_mode(found.mode() & 0o777))
}

#[cfg(not(unix))]
fn take_over(file: &File, target: &Path) -> io::Result<()> {
    fs::metadata(target).map_or(Ok(()), |found| file.set_permissions(found.permissions()))
}

#[cfg(target_os = "linux")]
mod nameless {
    use std::fs::File;
    use std::io;
    use std::os::fd::AsRawFd;
    use std::path::Path;

    use rustix::fs::{AtFlags, CWD, Mode, OFlags};

    /// A file without a name; absent where the file system has no such files, or they could not get a name later.
    pub fn create(folder: &Path) -> Option<File> {
        let flags = OFlags::TMPFILE | OFlags::WRONLY | OFlags::CLOEXEC;
        let file = File::from(rustix::fs::open(folder, flags, Mode::from_raw_mode(0o666)).ok()?);
        Path::new(&path(&file)).exists().then_some(file)
    }

    /// Gives the file a name, if nothing has it.
    pub fn link(file: &File, name: &Path) -> io::Result<()> {
        Ok(rustix::fs::linkat(CWD, path(file), CWD, name, AtFlags::SYMLINK_FOLLOW)?)
    }

    fn path(file: &File) -> String {
        format!("/proc/self/fd/{}", file.as_raw_fd())
    }
}

#[cfg(not(target_os = "linux"))]
mod nameless {
    use std::fs::File;
    use std::io;
    use std::path::Path;

    pub fn create(_: &Path) -> Option<File> {
        None
    }

    pub fn link(_: &File, _: &Path) -> io::Result<()> {
        Err(io::ErrorKind::Unsupported.into())
    }
}

/// Files with a name, which a signal must not leave behind.
static GUARDED: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

fn guard(name: PathBuf) -> PathBuf {
    static WATCH: Once = Once::new();
    WATCH.call_once(watch);
    GUARDED.lock().unwrap_or_else(PoisonError::into_inner).push(name.clone());
    name
}

fn release(name: &Path) {
    GUARDED.lock().unwrap_or_else(PoisonError::into_inner).retain(|other| other != name);
}

/// Removes what is guarded when a signal comes that ends the process, and then lets it end the process.
#[cfg(unix)]
fn watch() {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGQUIT, SIGTERM};
    let Ok(mut signals) = signal_hook::iterator::Signals::new([SIGHUP, SIGINT, SIGQUIT, SIGTERM]) else { return };
    std::thread::spawn(move || {
        for signal in signals.forever() {
            let guarded = GUARDED.lock().unwrap_or_else(PoisonError::into_inner);
            for name in guarded.iter() {
                let _ = fs::remove_file(name);
            }
            let _ = signal_hook::low_level::emulate_default_handler(signal);
        }
    });
}

#[cfg(not(unix))]
fn watch() {}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;

    /// A file with a name, as where there are no files without.
    fn named(target: &Path) -> Unfinished {
        let name = guard(random_name(target));
        let file = File::options().write(true).create_new(true).open(&name).unwrap();
        Unfinished { file, name: Some(name), target: target.to_owned() }
    }

    fn folder(name: &str) -> PathBuf {
        let folder = std::env::temp_dir().join(format!("tangency-{name}-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        folder
    }

    /// Both ways: with a name and, where there is such a thing, without.
    #[test]
    fn nothing_is_seen_before_the_end() {
        let folder = folder("unfinished");
        let target = folder.join("result");
        let seen = || fs::read_dir(&folder).unwrap().count();
        for (k, begin) in
            [&(|target: &Path| Unfinished::beside(target).unwrap()) as &dyn Fn(&Path) -> Unfinished, &named]
                .into_iter()
                .enumerate()
        {
            drop(begin(&target));
            assert_eq!(seen(), k, "what is not finished is gone");
            for text in ["first", "second"] {
                let unfinished = begin(&target);
                unfinished.file().write_all(text.as_bytes()).unwrap();
                assert_ne!(fs::read_to_string(&target).unwrap_or_default(), text);
                unfinished.finish().unwrap();
                assert_eq!((fs::read_to_string(&target).unwrap().as_str(), seen()), (text, 1));
            }
        }
        assert!(GUARDED.lock().unwrap().is_empty());
        fs::remove_dir_all(folder).unwrap();
    }

    /// Not a test: what the next one starts as a process of its own.
    #[test]
    #[ignore = "waits to be ended"]
    fn waits_to_be_ended() {
        let Some(target) = std::env::var_os("TANGENCY_TEST_UNFINISHED") else { return };
        let unfinished = named(Path::new(&target));
        unfinished.file().write_all(b"half").unwrap();
        std::thread::sleep(std::time::Duration::from_secs(60));
    }

    #[cfg(unix)]
    #[test]
    fn a_signal_removes_what_has_a_name() {
        use std::os::unix::process::ExitStatusExt;
        let folder = folder("signal");
        for (signal, number) in [("-INT", 2), ("-TERM", 15)] {
            let mut child = std::process::Command::new(std::env::current_exe().unwrap())
                .args(["--exact", "unfinished::tests::waits_to_be_ended", "--ignored"])
                .env("TANGENCY_TEST_UNFINISHED", folder.join("result"))
                .stdout(std::process::Stdio::null())
                .spawn()
                .unwrap();
            let written =
                || fs::read_dir(&folder).unwrap().flatten().any(|entry| entry.metadata().is_ok_and(|m| m.len() == 4));
            while !written() {
                assert!(child.try_wait().unwrap().is_none(), "it has ended");
                std::thread::sleep(std::time::Duration::from_millis(1));
            }
            std::process::Command::new("kill").args([signal, &child.id().to_string()]).status().unwrap();
            assert_eq!(child.wait().unwrap().signal(), Some(number));
            assert_eq!(fs::read_dir(&folder).unwrap().count(), 0, "{signal}");
        }
        fs::remove_dir_all(folder).unwrap();
    }
}
