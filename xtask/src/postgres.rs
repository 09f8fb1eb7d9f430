//! Where PostgreSQL's server programs are. Asked by set-up ("is it there?") and by `up`. Debian keeps
//! them off `PATH`, one folder per major version.

use std::path::{Path, PathBuf};

use crate::process;

const DEBIAN: &str = "/usr/lib/postgresql";

/// The folder that holds `initdb` and `pg_ctl`: of the given major version, or the newest.
pub(crate) fn programs(version: Option<&str>) -> Option<PathBuf> {
    let on_path = process::find("initdb").and_then(|file| file.parent().map(Path::to_path_buf));
    let debian = debian(Path::new(DEBIAN), version);
    match version {
        Some(_) => debian.or(on_path),
        // A person who put another one on the path meant it.
        None => on_path.filter(|folder| complete(folder)).or(debian),
    }
}

fn debian(base: &Path, version: Option<&str>) -> Option<PathBuf> {
    let mut found: Vec<(u32, PathBuf)> = std::fs::read_dir(base)
        .ok()?
        .flatten()
        .filter(|entry| version.is_none_or(|version| entry.file_name() == version))
        .filter_map(|entry| {
            Some((
                entry.file_name().to_str()?.parse().ok()?,
                entry.path().join("bin"),
            ))
        })
        .filter(|(_, folder)| complete(folder))
        .collect();
    found.sort();
    found.pop().map(|(_, folder)| folder)
}

/// The client package alone leaves a folder without a server.
fn complete(folder: &Path) -> bool {
    ["initdb", "pg_ctl", "postgres"]
        .iter()
        .all(|program| folder.join(program).is_file())
}

#[cfg(test)]
mod tests {
    use super::debian;

    #[test]
    fn the_newest_complete_version_is_chosen() {
        let base = tempfile::tempdir().unwrap();
        for (version, programs) in [
            ("9", &["initdb", "pg_ctl", "postgres"][..]),
            ("15", &["initdb", "pg_ctl", "postgres"]),
            ("17", &["psql"]),
        ] {
            let bin = base.path().join(version).join("bin");
            std::fs::create_dir_all(&bin).unwrap();
            for program in programs {
                std::fs::write(bin.join(program), "").unwrap();
            }
        }
        let chosen = |version| {
            debian(base.path(), version)
                .map(|bin| bin.parent().unwrap().file_name().unwrap().to_owned())
        };
        assert_eq!(chosen(None).unwrap(), "15");
        assert_eq!(chosen(Some("9")).unwrap(), "9");
        assert_eq!(chosen(Some("17")), None, "a client is not a server");
        assert_eq!(debian(&base.path().join("missing"), None), None);
    }
}
