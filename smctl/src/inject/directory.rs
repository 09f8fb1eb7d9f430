//! A servicebinding.io directory: one folder per service, one file per key.

use super::{Bound, known};
use crate::doc::Doc;
use std::fs::{DirBuilder, OpenOptions};
use std::io::{self, Write};
use std::path::Path;

/// Writes the directory below `root`, for its owner only.
pub(crate) fn write(root: &Path, services: &[Bound]) -> io::Result<()> {
    for bound in services {
        let folder = root.join(file_name(bound.name()));
        let mut builder = DirBuilder::new();
        #[cfg(unix)]
        std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
        builder.recursive(true).create(&folder)?;
        let kind = known::kind(bound);
        put(&folder, "type", kind)?;
        put(&folder, "provider", bound.offering.str("name"))?;
        for (key, value) in bound.credentials().entries() {
            // The two words of the specification win over credentials with their names.
            if key != "type" && key != "provider" && !value.is_null() {
                put(&folder, &file_name(key), &value.plain())?;
            }
        }
        if !matches!(bound.credentials(), Doc::Map(_) | Doc::Null) {
            put(&folder, "credentials", &bound.credentials().plain())?;
        }
        // Programs look for `username`; brokers also say `user`.
        let said = bound.credentials();
        if said.get("username").is_null() && !said.get("user").is_null() {
            put(&folder, "username", &said.get("user").plain())?;
        }
    }
    Ok(())
}

fn put(folder: &Path, name: &str, value: &str) -> io::Result<()> {
    let mut options = OpenOptions::new();
    options.write(true).create(true).truncate(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(folder.join(name))?.write_all(value.as_bytes())
}

/// A name that stays in its folder.
fn file_name(name: &str) -> String {
    let safe = name.replace(['/', '\\', '\0'], "-");
    if safe.trim_matches('.').is_empty() {
        "service".to_owned()
    } else {
        safe
    }
}
