//! `./.quartermaster`: everything that `up` keeps. Held by a lock while `up` runs, because two of
//! them would stop each other's server.

use std::fs::{self, DirBuilder, File};
use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};

pub(super) struct Home {
    folder: PathBuf,
    _lock: File,
}

impl Home {
    pub(super) fn open(folder: &Path) -> Result<Self> {
        // Others may pass through, as the server's user must; the files inside keep their secrets.
        DirBuilder::new()
            .recursive(true)
            .mode(0o755)
            .create(folder)
            .with_context(|| format!("cannot create {}", folder.display()))?;
        let lock = File::create(folder.join("lock"))?;
        match lock.try_lock() {
            Ok(()) => Ok(Self {
                folder: folder.to_owned(),
                _lock: lock,
            }),
            Err(fs::TryLockError::WouldBlock) => {
                bail!("another `cargo xtask up` runs in this tree; stop it first (Ctrl-C)")
            }
            Err(fs::TryLockError::Error(error)) => Err(error).context("cannot lock .quartermaster"),
        }
    }

    pub(super) fn folder(&self) -> &Path {
        &self.folder
    }

    pub(super) fn file(&self, name: &str) -> PathBuf {
        self.folder.join(name)
    }
}

#[cfg(test)]
mod tests {
    use super::Home;

    #[test]
    fn only_one_at_a_time() {
        let folder = tempfile::tempdir().unwrap();
        let first = Home::open(&folder.path().join("home")).unwrap();
        assert!(Home::open(&folder.path().join("home")).is_err());
        drop(first);
        Home::open(&folder.path().join("home")).unwrap();
    }
}
