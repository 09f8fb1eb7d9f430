//! Whether the data folder is there, can be written, and is closed to others.

use super::Report;
use crate::data::DataDir;
use rustix::fs::{Access, access};
use std::io::ErrorKind;
use std::os::unix::fs::PermissionsExt as _;

const NAME: &str = "data folder";

pub(super) fn look(data: &DataDir, report: &mut Report) {
    let folder = data.folder();
    let shown = folder.display();
    let found = match std::fs::metadata(folder) {
        Ok(found) if found.is_dir() => found,
        Ok(_) => {
            let what = format!("{shown} is no folder");
            return report.problem(NAME, what, "name another with --data");
        }
        Err(error) if error.kind() == ErrorKind::NotFound => {
            return report.ok(
                NAME,
                format!("{shown} is not there; the first start makes it"),
            );
        }
        Err(error) => {
            let what = format!("{shown} cannot be looked at: {error}");
            return report.problem(NAME, what, "give it to the user of the manager");
        }
    };
    if found.permissions().mode() & 0o022 != 0 {
        let what = format!("others may write into {shown}");
        report.problem(NAME, what, format!("chmod go-w {shown}"));
    }
    let mut wrong = false;
    // Asked and not tried: a look changes nothing.
    let needed = [
        (folder.to_owned(), Access::WRITE_OK | Access::EXEC_OK),
        (data.database(), Access::WRITE_OK | Access::READ_OK),
    ];
    for (path, way) in needed {
        let path = path.as_path();
        if path.exists()
            && let Err(error) = access(path, way)
        {
            wrong = true;
            let what = format!("{} cannot be written: {error}", path.display());
            report.problem(NAME, what, "give it to the user of the manager, writable");
        }
    }
    for file in [data.keys(), data.admin_password(), data.database()] {
        let Ok(found) = std::fs::metadata(&file) else {
            continue;
        };
        let mode = found.permissions().mode() & 0o777;
        if mode & 0o077 != 0 {
            wrong = true;
            let file = file.display();
            let what = format!("others may read {file} (mode {mode:o})");
            report.problem(NAME, what, format!("chmod 600 {file}"));
        }
    }
    if !wrong {
        report.ok(
            NAME,
            format!("{shown}, writable, its secrets readable by their owner alone"),
        );
    }
}
