//! The list of all keys, read from the comments of `config.default.toml`.
//!
//! Printed as `docs/configuration.md`, and gives `quartermaster config` its order. The rule: the file is
//! the only place where a key is explained.

use super::environment::variable;
use super::layer::DEFAULTS;
use std::fmt::Write as _;

/// A section as the file has it.
#[derive(Debug, Default)]
pub(crate) struct Section {
    pub(crate) name: String,
    pub(crate) about: Vec<&'static str>,
    pub(crate) keys: Vec<Key>,
}

/// A key as the file has it.
#[derive(Debug)]
pub(crate) struct Key {
    pub(crate) name: &'static str,
    pub(crate) default: &'static str,
    pub(crate) about: Vec<&'static str>,
}

/// Opening words, then sections in the order of the file.
pub(crate) fn read() -> (Vec<&'static str>, Vec<Section>) {
    let mut opening = None;
    let mut sections: Vec<Section> = Vec::new();
    let mut about: Vec<&'static str> = Vec::new();
    for line in DEFAULTS.lines() {
        if let Some(comment) = line.strip_prefix('#') {
            about.push(comment.strip_prefix(' ').unwrap_or(comment));
        } else if let Some(name) = line.strip_prefix('[').and_then(|it| it.strip_suffix(']')) {
            sections.push(Section {
                name: name.to_owned(),
                about: std::mem::take(&mut about),
                keys: Vec::new(),
            });
        } else if let Some((name, default)) = line.split_once(" = ") {
            if let Some(section) = sections.last_mut() {
                section.keys.push(Key {
                    name,
                    default,
                    about: std::mem::take(&mut about),
                });
            }
        } else if opening.is_none() {
            opening = Some(std::mem::take(&mut about));
        }
    }
    (opening.unwrap_or_default(), sections)
}

/// `docs/configuration.md`.
pub(crate) fn markdown() -> String {
    let (opening, sections) = read();
    let mut page = String::from(
        "# Configuration\n\n\
         <!-- Written by `cargo xtask generate` from quartermaster/config.default.toml; change it there. -->\n\n",
    );
    // The first line speaks of the file, not of this page.
    let opening: Vec<_> = opening.into_iter().skip(2).collect();
    let _ = writeln!(
        page,
        "{}\n\n`quartermaster config` prints what is in force and where each value came from;\n\
         `quartermaster config --defaults` prints a file to start from.",
        opening.join("\n")
    );
    for Section { name, about, keys } in sections {
        let _ = write!(page, "\n## `[{name}]`\n\n{}\n", about.join("\n"));
        for key in keys {
            let Key {
                name: key,
                default,
                about,
            } = key;
            let _ = write!(
                page,
                "\n### `{key}`\n\n{}Default `{default}`. Variable `{}`.\n",
                match about.is_empty() {
                    true => String::new(),
                    false => about.join("\n") + "\n\n",
                },
                variable(&name, key)
            );
        }
    }
    page
}
