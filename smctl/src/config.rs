//! What smctl remembers between calls: `~/.sm/config.json`, as the old smctl wrote it, with more than one context.
//!
//! The rule: the settings of the current context stand at the top level, where the old smctl has them, so that both can
//! use one file; the others stand under `contexts`. The file is written whole or not at all, and only its owner reads it.

mod expiry;
mod place;
mod settings;

pub(crate) use expiry::Expiry;
pub(crate) use settings::Settings;

use crate::exit::Exit;
use crate::problem::Problem;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::io::Write;
use std::path::{Path, PathBuf};

/// The name of the only context of a file of the old smctl.
const DEFAULT: &str = "default";

/// The file.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(crate) struct Contents {
    #[serde(flatten)]
    pub(crate) current: Settings,
    /// The name of the current context.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    context: String,
    /// All the others.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub(crate) contexts: BTreeMap<String, Settings>,
}

/// The file and where it is.
#[derive(Debug)]
pub(crate) struct Config {
    path: PathBuf,
    pub(crate) contents: Option<Contents>,
}

impl Config {
    /// Reads the file; a missing one is no error.
    pub(crate) fn open(path: Option<&Path>) -> Result<Self, Problem> {
        let path = match path {
            Some(path) => path.to_owned(),
            None => place::default()?,
        };
        let contents = match std::fs::read(&path) {
            Ok(bytes) => Some(serde_json::from_slice(&bytes).map_err(|error| {
                Problem::new(Exit::Failed, format!("{} cannot be read", path.display()))
                    .why(error.to_string())
                    .hint("smctl login writes it anew")
            })?),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => None,
            Err(error) => {
                let what = format!("{} cannot be read", path.display());
                return Err(Problem::new(Exit::Failed, what).why(error.to_string()));
            }
        };
        Ok(Self { path, contents })
    }

    /// The settings in force: those of a context by name, or the current ones.
    pub(crate) fn settings(&self, context: Option<&str>) -> Result<Option<&Settings>, Problem> {
        let Some(contents) = &self.contents else {
            return Ok(None);
        };
        let Some(name) = context else {
            return Ok(Some(&contents.current));
        };
        if name == contents.name() {
            return Ok(Some(&contents.current));
        }
        match contents.contexts.get(name) {
            Some(settings) => Ok(Some(settings)),
            None => Err(no_context(name)),
        }
    }

    /// Puts settings under a context, and makes it the current one.
    pub(crate) fn log_in(
        &mut self,
        context: Option<&str>,
        settings: Settings,
    ) -> Result<(), Problem> {
        let contents = self.contents.get_or_insert_default();
        let name = context.map_or_else(|| contents.name().to_owned(), ToOwned::to_owned);
        if name != contents.name() {
            let old_name = contents.name().to_owned();
            let old = std::mem::take(&mut contents.current);
            if !old.url.is_empty() {
                contents.contexts.insert(old_name, old);
            }
            contents.contexts.remove(&name);
        }
        contents.context = if name == DEFAULT { String::new() } else { name };
        contents.current = settings;
        self.save()
    }

    /// Changes the settings of a context and writes the file.
    pub(crate) fn change(
        &mut self,
        context: Option<&str>,
        change: impl FnOnce(&mut Settings),
    ) -> Result<(), Problem> {
        let contents = self.contents.get_or_insert_default();
        let settings = match context {
            Some(name) if name != contents.name() => contents
                .contexts
                .get_mut(name)
                .ok_or_else(|| no_context(name))?,
            _ => &mut contents.current,
        };
        change(settings);
        self.save()
    }

    /// Makes another context the current one.
    pub(crate) fn switch(&mut self, name: &str) -> Result<(), Problem> {
        let contents = self.contents.get_or_insert_default();
        if name == contents.name() {
            return Ok(());
        }
        let wanted = contents
            .contexts
            .remove(name)
            .ok_or_else(|| no_context(name))?;
        let old_name = contents.name().to_owned();
        let old = std::mem::replace(&mut contents.current, wanted);
        if !old.url.is_empty() {
            contents.contexts.insert(old_name, old);
        }
        contents.context = if name == DEFAULT {
            String::new()
        } else {
            name.to_owned()
        };
        self.save()
    }

    /// Forgets a context that is not the current one.
    pub(crate) fn forget(&mut self, name: &str) -> Result<(), Problem> {
        let contents = self.contents.get_or_insert_default();
        if name == contents.name() {
            return Err(
                Problem::new(Exit::Conflict, format!("{name} is the current context"))
                    .hint("smctl context use another one first"),
            );
        }
        match contents.contexts.remove(name) {
            Some(_) => self.save(),
            None => Err(no_context(name)),
        }
    }

    fn save(&self) -> Result<(), Problem> {
        let failed = |error: &dyn std::fmt::Display| {
            Problem::new(
                Exit::Failed,
                format!("could not save config file {}", self.path.display()),
            )
            .why(error.to_string())
        };
        let folder = match self.path.parent() {
            Some(folder) if !folder.as_os_str().is_empty() => folder,
            _ => Path::new("."),
        };
        place::ensure(folder).map_err(|error| failed(&error))?;
        // Through a map: the keys stand in alphabetical order, as the old smctl has them.
        let value = serde_json::to_value(&self.contents).map_err(|error| failed(&error))?;
        let text = serde_json::to_string_pretty(&value).map_err(|error| failed(&error))?;
        // A temporary file is for its owner only from its first moment on.
        let mut file = tempfile::NamedTempFile::new_in(folder).map_err(|error| failed(&error))?;
        file.write_all(text.as_bytes())
            .and_then(|()| file.flush())
            .map_err(|error| failed(&error))?;
        file.persist(&self.path).map_err(|error| failed(&error))?;
        Ok(())
    }
}

impl Contents {
    /// The name of the current context.
    pub(crate) fn name(&self) -> &str {
        if self.context.is_empty() {
            DEFAULT
        } else {
            &self.context
        }
    }
}

fn no_context(name: &str) -> Problem {
    Problem::not_found(format!("there is no context {name}"))
        .why("no login was made under this name")
        .hint("smctl context list")
}
