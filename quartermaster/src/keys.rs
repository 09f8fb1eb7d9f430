//! The keys that seal secrets in the database: where they come from.
//!
//! Used by every command that opens the store. The rule: QM_KEYS comes first, then the file that the
//! configuration names, then the file in the data folder, which alone is made when it is missing. A key
//! that was named and is not there is never replaced by a new one: it could open nothing.

mod rotate;
mod watch;

pub(crate) use rotate::rotate;
pub(crate) use watch::watch;

use crate::cli::Place;
use crate::config::Config;
use crate::data::DataDir;
use anyhow::{Context, Result};
use qm_db::seal::{KeyRing, SealError};
use std::io::ErrorKind;
use std::path::PathBuf;
use std::process::ExitCode;

/// The variable that can hold the keys themselves.
pub(crate) const VARIABLE: &str = "QM_KEYS";

/// Where the keys are.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Source {
    /// In the environment.
    Variable,
    /// In a file that somebody named.
    Named(PathBuf),
    /// In the data folder.
    Own(PathBuf),
}

impl Source {
    pub(crate) fn of(config: &Config, data: &DataDir) -> Self {
        if std::env::var_os(VARIABLE).is_some_and(|text| !text.is_empty()) {
            return Self::Variable;
        }
        match &config.keys.file {
            Some(file) => Self::Named(file.clone()),
            None => Self::Own(data.keys()),
        }
    }

    /// The file, where the keys are in one.
    pub(crate) fn file(&self) -> Option<&PathBuf> {
        match self {
            Self::Variable => None,
            Self::Named(file) | Self::Own(file) => Some(file),
        }
    }

    /// Reads the keys. `create`: those in the data folder are made when they are missing.
    pub(crate) fn read(&self, create: bool) -> Result<KeyRing> {
        match self {
            Self::Variable => {
                let text = std::env::var(VARIABLE).context("QM_KEYS is not text")?;
                KeyRing::parse(&text)
                    .context("QM_KEYS holds no keys; it takes `id:key` entries parted by commas")
            }
            Self::Named(file) => KeyRing::from_file(file, false).with_context(|| {
                format!("the key file {} cannot be used (keys.file)", file.display())
            }),
            Self::Own(file) => KeyRing::from_file(file, create)
                .with_context(|| format!("the key file {} cannot be used", file.display())),
        }
    }

    /// Whether the keys would be made at the next start.
    pub(crate) fn is_missing(&self) -> bool {
        let Self::Own(file) = self else { return false };
        matches!(
            KeyRing::from_file(file, false),
            Err(SealError::File {
                kind: ErrorKind::NotFound,
                ..
            })
        )
    }
}

/// The ids, the one that seals first. The text of a ring is `id:key` lines.
pub(crate) fn ids(ring: &KeyRing) -> Vec<String> {
    ring.to_text()
        .lines()
        .filter_map(|line| line.split(':').next())
        .map(str::to_owned)
        .collect()
}

/// `quartermaster keys new`.
pub(crate) fn new() -> Result<ExitCode> {
    let ring = KeyRing::generate().context("the machine gives no randomness")?;
    print!("{}", *ring.to_text());
    Ok(ExitCode::SUCCESS)
}

/// `quartermaster keys show-ids`.
pub(crate) fn show_ids(place: &Place) -> Result<ExitCode> {
    let loaded = place.load(None)?;
    let ring = Source::of(&loaded.config, &place.data()).read(false)?;
    for (n, id) in ids(&ring).into_iter().enumerate() {
        println!("{id}  {}", if n == 0 { "seals and opens" } else { "opens" });
    }
    Ok(ExitCode::SUCCESS)
}
