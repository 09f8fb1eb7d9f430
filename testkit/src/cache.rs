//! The folder kept between runs: `$QM_CACHE`, else `~/.cache/quartermaster`.

use std::path::PathBuf;

/// The cache folder; `None` when neither `QM_CACHE` nor `HOME` is set. It may not exist yet.
pub(crate) fn folder() -> Option<PathBuf> {
    let set = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty());
    set("QM_CACHE")
        .map(PathBuf::from)
        .or_else(|| set("HOME").map(|home| PathBuf::from(home).join(".cache/quartermaster")))
}
