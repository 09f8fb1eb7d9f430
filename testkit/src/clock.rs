//! A clock of its own for a program under test, to be set while it runs. Tests of clock jumps start here.
//!
//! Debian's libfaketime is loaded into the program; it reads from a file, at every look at the clock, how far that
//! clock is from the machine's. The rule: only the date moves. Timers and time spans go on as they do on a machine
//! whose date is set: the monotonic clock is left alone, and so are the times of files.

use std::ffi::OsString;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

/// A clock that only its test sets. It shows the machine's time at first. Clones are the same clock.
#[derive(Debug, Clone)]
pub struct Clock {
    library: PathBuf,
    folder: Arc<Folder>,
}

/// Where its file is. Removed with the last clone.
#[derive(Debug)]
struct Folder(PathBuf);

impl Folder {
    fn new() -> io::Result<Self> {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let name = format!("qm-clock-{}-{number}", std::process::id());
        let path = std::env::temp_dir().join(name);
        fs::create_dir_all(&path)?;
        Ok(Self(path))
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

impl Clock {
    /// `None`, after one printed line, where there is no libfaketime. Fails where `CI` is set.
    pub fn new() -> Option<Self> {
        let Some(library) = library() else {
            crate::skip("no libfaketime (Debian: faketime) to set a program's clock with");
            return None;
        };
        sweep();
        let made = Folder::new().and_then(|folder| {
            let clock = Self {
                library,
                folder: Arc::new(folder),
            };
            clock.set(0).map(|()| clock)
        });
        match made {
            Ok(clock) => Some(clock),
            Err(error) => crate::fail(&error),
        }
    }

    /// Sets it so many seconds before (negative) or after the machine's clock. Programs see it at their next look.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn set(&self, seconds: i64) -> io::Result<()> {
        // Replaced, not written to: a program that looks meanwhile sees the one or the other.
        let next = self.folder.0.join("next");
        fs::write(&next, format!("{seconds:+}\n"))?;
        fs::rename(next, self.file())
    }

    /// What a program must find in its environment to go by this clock.
    pub fn environment(&self) -> Vec<(&'static str, OsString)> {
        vec![
            ("LD_PRELOAD", self.library.clone().into()),
            ("FAKETIME_TIMESTAMP_FILE", self.file().into()),
            ("FAKETIME_NO_CACHE", "1".into()),
            ("FAKETIME_DONT_FAKE_MONOTONIC", "1".into()),
            ("NO_FAKE_STAT", "1".into()),
            ("FAKETIME_DISABLE_SHM", "1".into()),
        ]
    }

    fn file(&self) -> PathBuf {
        self.folder.0.join("offset")
    }
}

/// Removes what the library of programs that were killed has left in shared memory: a later program with the same
/// number would stumble over it. (Newer versions leave nothing, as asked above.)
fn sweep() {
    for entry in fs::read_dir("/dev/shm").into_iter().flatten().flatten() {
        let name = entry.file_name();
        let name = name.to_string_lossy();
        let Some((_, number)) = name
            .split_once("faketime_shm_")
            .or_else(|| name.split_once("faketime_sem_"))
        else {
            continue;
        };
        let ended = number.parse::<u32>().is_ok() && !Path::new("/proc").join(number).exists();
        if ended {
            let _ = fs::remove_file(entry.path());
        }
    }
}

/// Where distributions put it: below the folder of the processor's libraries.
fn library() -> Option<PathBuf> {
    let below = |folder: &Path| {
        let library = folder.join("faketime/libfaketimeMT.so.1");
        library.is_file().then_some(library)
    };
    ["/usr/lib", "/usr/lib64", "/usr/local/lib"]
        .iter()
        .map(Path::new)
        .find_map(|folder| {
            let inner = fs::read_dir(folder).into_iter().flatten().flatten();
            below(folder).or_else(|| {
                inner
                    .map(|entry| entry.path())
                    .find_map(|path| below(&path))
            })
        })
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests stop at the first surprise")]

    use super::*;
    use std::process::Command;
    use std::time::{SystemTime, UNIX_EPOCH};

    /// The date as a program sees it, in seconds from the machine's.
    fn distance(clock: &Clock) -> i64 {
        let mut date = Command::new("date");
        let output = date.arg("+%s").envs(clock.environment()).output().unwrap();
        let seen: i64 = String::from_utf8(output.stdout)
            .unwrap()
            .trim()
            .parse()
            .unwrap();
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap();
        seen - i64::try_from(now.as_secs()).unwrap()
    }

    #[test]
    fn a_program_goes_by_its_own_clock() {
        let Some(clock) = Clock::new() else { return };
        // Far more than a slow machine needs to start `date`.
        for wanted in [0, 86_400, -86_400, 0] {
            clock.set(wanted).unwrap();
            let seen = distance(&clock);
            assert!((seen - wanted).abs() < 600, "{seen} instead of {wanted}");
        }
    }
}
