//! Where the file is: `$SM_HOME/.sm/config.json`, else in the home folder.

use crate::exit::Exit;
use crate::problem::Problem;
use std::path::{Path, PathBuf};

pub(super) fn default() -> Result<PathBuf, Problem> {
    let set = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty());
    let home = match set("SM_HOME") {
        Some(home) => {
            let home = PathBuf::from(home);
            if !home.exists() {
                return Err(Problem::new(
                    Exit::Failed,
                    format!("error locating SM_HOME folder '{}'", home.display()),
                )
                .hint("create it, or unset SM_HOME"));
            }
            home
        }
        None => match std::env::home_dir() {
            Some(home) if !home.as_os_str().is_empty() => home,
            _ => {
                return Err(Problem::new(Exit::Failed, "there is no home folder")
                    .hint("set HOME, or say --config FILE"));
            }
        },
    };
    Ok(home.join(".sm").join("config.json"))
}

/// Makes the folder, for its owner only, unless it is there.
pub(super) fn ensure(folder: &Path) -> std::io::Result<()> {
    if folder.exists() {
        return Ok(());
    }
    let mut builder = std::fs::DirBuilder::new();
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.recursive(true).create(folder)
}
