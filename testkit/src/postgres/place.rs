//! The directory of one scratch server, and the shell that cleans up after a dead owner.
//!
//! Everything of a server lies in one directory: data, log and socket. The rule: the directory's name is
//! in the server's command line, so the cleaner never signals a stranger that got the same process id.

use super::programs::{Programs, run};
use super::{Error, server::Options};
use crate::watchdog::Watchdog;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Mutex, PoisonError};

/// Ends the server whose directory is `$1`, then removes the directory. Twice, because a server that
/// was only just starting may write its process id after the first look.
const CLEAN: &str = r#"
dir=$1
ours() { case "$(tr '\0' ' ' <"/proc/$1/cmdline" 2>/dev/null || ps -o args= -p "$1")" in *"$dir"*) true ;; *) false ;; esac; }
for round in 1 2; do
  pid=$(head -n 1 "$dir/data/postmaster.pid" 2>/dev/null)
  if [ -n "$pid" ] && ours "$pid"; then
    kill -QUIT "$pid"
    n=0
    while [ -e "$dir/data/postmaster.pid" ] && kill -0 "$pid" 2>/dev/null && [ $n -lt 100 ]; do
      sleep 0.05
      n=$((n + 1))
    done
    if ours "$pid"; then kill -KILL "$pid"; fi
  fi
  rm -rf "$dir"
  [ $round = 1 ] && [ -n "$pid" ] && break
  sleep 0.5
done
"#;

/// The socket's path must stay below 108 bytes; this leaves room for our name and PostgreSQL's.
const LONGEST_PARENT: usize = 60;

/// A directory that vanishes with its owner.
#[derive(Debug)]
pub(super) struct Place {
    pub(super) dir: PathBuf,
    watchdog: Mutex<Option<Watchdog>>,
}

impl Place {
    /// Makes the directory and, before anything can be in it, the watchdog.
    pub(super) fn make(programs: &Programs, options: &Options) -> Result<Self, Error> {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let parent = parent(programs)?;
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let kind = if options.fsync { "qm-pgs" } else { "qm-pg" };
        let dir = parent.join(format!("{kind}-{}-{number}", std::process::id()));
        // A directory of that name belongs to a dead process with our id; its watchdog was killed too.
        if dir.exists() {
            std::fs::remove_dir_all(&dir)
                .map_err(Error::machine(format!("remove {}", dir.display())))?;
        }
        std::fs::create_dir(&dir).map_err(Error::machine(format!("make {}", dir.display())))?;
        let watchdog = Watchdog::start(CLEAN, &[dir.as_os_str()])
            .map_err(Error::machine("start the watchdog of the scratch server"))?;
        if let Some(user) = programs.user {
            run(Command::new("chown").arg(user).arg(&dir))?;
        }
        run(Command::new("chmod").arg("700").arg(&dir))?;
        Ok(Self {
            dir,
            watchdog: Mutex::new(Some(watchdog)),
        })
    }

    pub(super) fn data(&self) -> PathBuf {
        self.dir.join("data")
    }

    pub(super) fn log(&self) -> PathBuf {
        self.dir.join("log")
    }

    /// Ends the server if it runs and removes the directory, now.
    pub(super) fn remove(&self) {
        let watchdog = self
            .watchdog
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .take();
        if let Some(watchdog) = watchdog {
            watchdog.act();
        }
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        self.remove();
    }
}

/// The first temporary directory that the server's user can use and whose name is short enough.
fn parent(programs: &Programs) -> Result<PathBuf, Error> {
    let short = |path: &Path| path.as_os_str().len() <= LONGEST_PARENT;
    [
        std::env::temp_dir(),
        PathBuf::from("/tmp"),
        PathBuf::from("/var/tmp"),
    ]
    .into_iter()
    .find(|path| short(path) && programs.can_use(path))
    .ok_or_else(|| Error::Absent {
        reason: "no temporary directory with a short name that the server's user can write"
            .to_owned(),
    })
}
