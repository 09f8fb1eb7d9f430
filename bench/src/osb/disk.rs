//! Where scratch data lies. The rule: on a real disk. In memory a flush costs nothing, and the figures would be
//! worth nothing.

use anyhow::{Context, Result, bail};
use std::path::Path;
use tempfile::TempDir;

/// A folder beside the benchmark itself: build folders are on disks.
pub(crate) fn folder() -> Result<TempDir> {
    let own = std::env::current_exe()?;
    let beside = own.parent().context("no folder above the benchmark")?;
    let folder = tempfile::tempdir_in(beside)?;
    check(folder.path())?;
    Ok(folder)
}

/// An error for a folder in memory.
pub(crate) fn check(folder: &Path) -> Result<()> {
    let kind = kind(folder)?;
    if ["tmpfs", "ramfs"].contains(&kind.as_str()) {
        bail!("{} is in memory ({kind})", folder.display());
    }
    Ok(())
}

/// The kind of file system a folder is on.
fn kind(folder: &Path) -> Result<String> {
    let folder = folder.canonicalize()?;
    let mounts = std::fs::read_to_string("/proc/self/mounts")?;
    let kinds = mounts.lines().filter_map(|line| {
        let mut words = line.split(' ').skip(1);
        let (place, kind) = (words.next()?, words.next()?);
        folder
            .starts_with(place)
            .then(|| (place.len(), kind.to_owned()))
    });
    let (_, kind) = kinds
        .max_by_key(|(length, _)| *length)
        .with_context(|| format!("no file system for {}", folder.display()))?;
    Ok(kind)
}
