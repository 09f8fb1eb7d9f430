//! `./.quartermaster/bin`: smctl under the names that people call it by, for their `PATH`.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

use super::home::Home;

/// `kubectl sm` finds the second one.
const NAMES: [&str; 2] = ["smctl", "kubectl-sm"];

pub(super) fn folder(home: &Home) -> PathBuf {
    home.file("bin")
}

/// Links to what was built last.
pub(super) fn link(home: &Home, smctl: &Path) -> Result<()> {
    let folder = folder(home);
    fs::create_dir_all(&folder).with_context(|| format!("cannot create {}", folder.display()))?;
    for name in NAMES {
        let link = folder.join(name);
        if fs::symlink_metadata(&link).is_ok() {
            fs::remove_file(&link)?;
        }
        symlink(smctl, &link).with_context(|| format!("cannot link {}", link.display()))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::{folder, link};
    use crate::up::home::Home;

    #[test]
    fn a_second_run_leads_to_what_it_built() {
        let place = tempfile::tempdir().unwrap();
        let home = Home::open(place.path()).unwrap();
        link(&home, std::path::Path::new("/old")).unwrap();
        link(&home, std::path::Path::new("/new")).unwrap();
        for name in ["smctl", "kubectl-sm"] {
            let target = std::fs::read_link(folder(&home).join(name)).unwrap();
            assert_eq!(target, std::path::Path::new("/new"));
        }
    }
}
