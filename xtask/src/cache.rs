//! The folder outside the tree that keeps build output and downloads for every clone on this
//! machine (`QM_CACHE`). Opened with the workspace; [`Cache::claim`] is called before cargo builds.
//!
//! The rule that keeps it right: cargo names the crates of a workspace alike in every clone and
//! judges them fresh by file times, so a clone checked out *before* another clone's last build
//! would be given that clone's code. A marker names the tree that built last; when it names
//! another, our own crates are cleaned (dependencies stay). A file lock keeps two trees from
//! building at once: shared among commands of one tree, exclusive while the marker changes.

use std::fs::{self, File};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

pub(crate) struct Cache {
    /// Where downloads and built components live; absent when there is no home folder.
    folder: Option<PathBuf>,
    target: PathBuf,
    /// The target folder is shared by clones and therefore needs the marker.
    shared: bool,
}

/// Holds the build folder for one tree until dropped.
pub(crate) struct Claim {
    _lock: Option<File>,
}

impl Cache {
    pub(crate) fn from_env(root: &Path) -> Self {
        let set = |name| {
            std::env::var_os(name)
                .filter(|value| !value.is_empty())
                .map(PathBuf::from)
        };
        Self::choose(root, set("CARGO_TARGET_DIR"), set("QM_CACHE"), set("HOME"))
    }

    pub(crate) fn choose(
        root: &Path,
        own_target: Option<PathBuf>,
        cache: Option<PathBuf>,
        home: Option<PathBuf>,
    ) -> Self {
        let folder = cache.or_else(|| home.map(|home| home.join(".cache/quartermaster")));
        let folder = folder.map(|folder| root.join(folder));
        match (own_target, &folder) {
            (Some(target), _) => Self {
                target: root.join(target),
                folder,
                shared: false,
            },
            (None, Some(cache)) => Self {
                target: cache.join("target"),
                folder,
                shared: true,
            },
            (None, None) => Self {
                target: root.join("target"),
                folder,
                shared: false,
            },
        }
    }

    /// The build folder that child cargos use.
    pub(crate) fn target(&self) -> &Path {
        &self.target
    }

    /// A folder for a downloaded or built component.
    pub(crate) fn component(&self, name: &str) -> PathBuf {
        self.folder.as_ref().unwrap_or(&self.target).join(name)
    }

    /// Makes the build folder this tree's own for as long as the claim lives. `clean` is called when
    /// another tree built last; it must remove what was built from our own sources.
    pub(crate) fn claim(&self, root: &Path, clean: impl Fn() -> Result<()>) -> Result<Claim> {
        if !self.shared {
            return Ok(Claim { _lock: None });
        }
        fs::create_dir_all(&self.target)
            .with_context(|| format!("cannot create {}", self.target.display()))?;
        let marker = self.target.join(".built-by");
        let lock_path = self.target.join(".built-by.lock");
        let lock = File::create(&lock_path)
            .with_context(|| format!("cannot write {}", lock_path.display()))?;
        loop {
            wait_for(&lock, false)?;
            if built_by(&marker, root) {
                return Ok(Claim { _lock: Some(lock) });
            }
            // A lock cannot be raised in place; between the two another tree may come first, hence
            // the second look, and the loop.
            lock.unlock()?;
            wait_for(&lock, true)?;
            if !built_by(&marker, root) {
                clean()?;
                fs::write(&marker, root.as_os_str().as_encoded_bytes())
                    .with_context(|| format!("cannot write {}", marker.display()))?;
            }
            lock.unlock()?;
        }
    }
}

fn built_by(marker: &Path, root: &Path) -> bool {
    fs::read(marker).is_ok_and(|tree| tree == root.as_os_str().as_encoded_bytes())
}

fn wait_for(lock: &File, exclusive: bool) -> Result<()> {
    let tried = if exclusive {
        lock.try_lock()
    } else {
        lock.try_lock_shared()
    };
    match tried {
        Ok(()) => Ok(()),
        Err(fs::TryLockError::WouldBlock) => {
            eprintln!("waiting: another clone is building in the shared cache");
            let waited = if exclusive {
                lock.lock()
            } else {
                lock.lock_shared()
            };
            waited.context("cannot lock the build folder")
        }
        Err(fs::TryLockError::Error(error)) => Err(error).context("cannot lock the build folder"),
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;
    use std::path::{Path, PathBuf};

    use super::Cache;

    fn some(path: &str) -> Option<PathBuf> {
        Some(PathBuf::from(path))
    }

    #[test]
    fn the_target_folder_follows_the_environment() {
        let root = Path::new("/tree");
        let target = |own, cache, home| Cache::choose(root, own, cache, home).target;
        assert_eq!(
            target(some("/own"), some("/cache"), some("/home")),
            Path::new("/own")
        );
        assert_eq!(target(some("own"), None, None), Path::new("/tree/own"));
        assert_eq!(
            target(None, some("/cache"), some("/home")),
            Path::new("/cache/target")
        );
        assert_eq!(
            target(None, None, some("/home")),
            Path::new("/home/.cache/quartermaster/target")
        );
        assert_eq!(target(None, None, None), Path::new("/tree/target"));
    }

    #[test]
    fn only_a_change_of_tree_cleans() {
        let folder = tempfile::tempdir().unwrap();
        let cache = Cache::choose(
            Path::new("/one"),
            None,
            Some(folder.path().to_owned()),
            None,
        );
        let cleaned = Cell::new(0);
        let claim = |root: &str| {
            drop(cache.claim(Path::new(root), || {
                cleaned.set(cleaned.get() + 1);
                Ok(())
            }));
            cleaned.get()
        };
        assert_eq!(
            claim("/one"),
            1,
            "a folder nobody marked may hold anyone's code"
        );
        assert_eq!(claim("/one"), 1);
        assert_eq!(claim("/two"), 2);
        assert_eq!(claim("/two"), 2);
        assert_eq!(claim("/one"), 3);
    }

    #[test]
    fn a_failed_clean_leaves_the_folder_unclaimed() {
        let folder = tempfile::tempdir().unwrap();
        let cache = Cache::choose(
            Path::new("/one"),
            None,
            Some(folder.path().to_owned()),
            None,
        );
        assert!(
            cache
                .claim(Path::new("/one"), || anyhow::bail!("no"))
                .is_err()
        );
        let again = Cell::new(false);
        drop(cache.claim(Path::new("/one"), || {
            again.set(true);
            Ok(())
        }));
        assert!(
            again.get(),
            "the marker must not be written before the clean succeeded"
        );
    }

    #[test]
    fn commands_of_one_tree_share_the_claim() {
        let folder = tempfile::tempdir().unwrap();
        let cache = Cache::choose(
            Path::new("/one"),
            None,
            Some(folder.path().to_owned()),
            None,
        );
        let first = cache.claim(Path::new("/one"), || Ok(())).unwrap();
        // Would wait for ever if the lock were exclusive.
        let second = cache.claim(Path::new("/one"), || Ok(())).unwrap();
        drop((first, second));
    }

    #[test]
    fn a_folder_of_the_users_own_is_never_cleaned() {
        let cache = Cache::choose(Path::new("/one"), some("/own"), None, None);
        cache
            .claim(Path::new("/one"), || anyhow::bail!("cleaned"))
            .map(drop)
            .unwrap();
    }
}
