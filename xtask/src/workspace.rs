//! Where the tree is. Every command that runs cargo opens this first. The place is asked for at run
//! time, not compiled in: a build folder shared by two clones may hold the other clone's program.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

use crate::cache::Cache;

pub(crate) struct Workspace {
    pub(crate) root: PathBuf,
    pub(crate) cache: Cache,
}

impl Workspace {
    pub(crate) fn open() -> Result<Self> {
        let here = std::env::current_dir().context("the current folder cannot be read")?;
        let start = std::env::var_os("CARGO_MANIFEST_DIR").map_or(here, PathBuf::from);
        let root = find_root(&start)
            .with_context(|| format!("no workspace manifest at or above {}", start.display()))?;
        let cache = Cache::from_env(&root);
        Ok(Self { root, cache })
    }
}

fn find_root(start: &Path) -> Option<PathBuf> {
    start
        .ancestors()
        .find(|folder| is_root(folder))
        .map(Path::to_path_buf)
}

fn is_root(folder: &Path) -> bool {
    std::fs::read_to_string(folder.join("Cargo.toml"))
        .is_ok_and(|text| text.lines().any(|line| line.trim() == "[workspace]"))
}

#[cfg(test)]
mod tests {
    use super::find_root;

    #[test]
    fn the_root_is_the_nearest_manifest_with_a_workspace() {
        let folder = tempfile::tempdir().unwrap();
        let inner = folder.path().join("a/b");
        std::fs::create_dir_all(&inner).unwrap();
        std::fs::write(
            folder.path().join("Cargo.toml"),
            "[workspace]\nmembers = []\n",
        )
        .unwrap();
        std::fs::write(inner.join("Cargo.toml"), "[package]\nname = \"b\"\n").unwrap();
        assert_eq!(find_root(&inner).as_deref(), Some(folder.path()));
        assert_eq!(find_root(std::path::Path::new("/nowhere/at/all")), None);
    }
}
