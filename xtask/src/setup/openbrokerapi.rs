//! A Python environment with openbrokerapi, kept in the cache folder. The tests that judge a broker
//! written by others get its interpreter in [`VARIABLE`]. Versions are fixed: the table of that
//! library's deviations in `docs/` is about these.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};

use crate::cache::Cache;
use crate::process;

pub(super) const VARIABLE: &str = "QM_OPENBROKERAPI_PYTHON";

const VERSION: &str = "4.7.3";
const PACKAGES: &[&str] = &["openbrokerapi==4.7.3", "waitress==3.0.2"];

/// The interpreter, installed when it is not there yet. Without a network there may be none: that is
/// said, and the tests skip.
pub(super) fn bring(cache: &Cache) -> Option<PathBuf> {
    if let Some(chosen) = std::env::var_os(VARIABLE).filter(|value| !value.is_empty()) {
        return Some(chosen.into());
    }
    let folder = cache.component(&format!("openbrokerapi-{VERSION}"));
    let python = folder.join("bin/python");
    if usable(&python) {
        return Some(python);
    }
    println!(
        "installing {} into {} (a broker nobody here wrote, for the conformance suite)",
        PACKAGES.join(" "),
        folder.display()
    );
    match install(&folder, &python) {
        Ok(()) => Some(python),
        Err(error) => {
            println!("no openbrokerapi: {error:#}");
            None
        }
    }
}

fn install(folder: &Path, python: &Path) -> Result<()> {
    // Half an environment from an interrupted run is made anew.
    process::text_of(
        Command::new("python3")
            .args(["-m", "venv", "--clear"])
            .arg(folder),
    )?;
    process::text_of(
        Command::new(python)
            .args(["-m", "pip", "install", "--quiet"])
            .args(PACKAGES),
    )?;
    usable(python)
        .then_some(())
        .context("the packages are installed but cannot be imported")
}

fn usable(python: &Path) -> bool {
    process::succeeds_quietly(Command::new(python).args(["-c", "import openbrokerapi, waitress"]))
}

#[cfg(test)]
mod tests {
    use super::usable;

    #[test]
    fn a_missing_interpreter_is_not_usable() {
        assert!(!usable(std::path::Path::new("/nowhere/bin/python")));
    }

    #[test]
    fn the_folder_is_named_after_the_version_inside() {
        assert!(super::PACKAGES[0].ends_with(super::VERSION));
    }
}
