//! Whether there is room for what the manager writes.

use super::Report;
use crate::data::DataDir;
use crate::place::Place;
use std::path::Path;

const NAME: &str = "disk";
const MIB: u64 = 1024 * 1024;
/// A checkpoint of the write-ahead log needs room of its own.
const LOW: u64 = 1024 * MIB;
const EMPTY: u64 = 50 * MIB;

pub(super) fn look(data: &DataDir, place: &Place, report: &mut Report) {
    let file = match place {
        Place::Sqlite(file) => file.as_path(),
        Place::Memory | Place::Postgres => return,
    };
    // The first folder on the way that is there has the disk that counts.
    let mut folder = file.parent().unwrap_or(data.folder());
    while !folder.exists() {
        match folder.parent() {
            Some(parent) if !parent.as_os_str().is_empty() => folder = parent,
            _ => folder = Path::new("."),
        }
    }
    let free = match rustix::fs::statvfs(folder) {
        Ok(found) => found.f_bavail.saturating_mul(found.f_frsize),
        Err(error) => {
            return report.skipped(NAME, format!("the room on it is not known: {error}"));
        }
    };
    let what = format!("{} MiB are free below {}", free / MIB, folder.display());
    if free < EMPTY {
        report.problem(NAME, what, "make room; a full disk stops every change");
    } else if free < LOW {
        report.warning(NAME, what, "make room soon");
    } else {
        report.ok(NAME, what);
    }
}
