//! What is wrong with a configuration: all of it at once, each with its key and where it was set.

use super::layer::Origin;
use std::fmt;

/// One thing to mend.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Problem {
    /// `section.key`, or the name of a variable.
    pub(crate) at: String,
    /// Where it was set; nowhere when it is about something missing.
    pub(crate) origin: Option<Origin>,
    /// What is wrong and what would be right. Never repeats a secret.
    pub(crate) what: String,
}

impl Problem {
    pub(crate) fn new(at: impl Into<String>, what: impl Into<String>) -> Self {
        Self {
            at: at.into(),
            origin: None,
            what: what.into(),
        }
    }

    pub(crate) fn from(mut self, origin: &Origin) -> Self {
        self.origin = Some(origin.clone());
        self
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.origin {
            Some(origin) => write!(f, "{} ({origin}): {}", self.at, self.what),
            None => write!(f, "{}: {}", self.at, self.what),
        }
    }
}

/// Everything that is wrong.
#[derive(Debug)]
pub(crate) struct Problems(pub(crate) Vec<Problem>);

impl fmt::Display for Problems {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the configuration cannot be used:")?;
        for problem in &self.0 {
            write!(f, "\n  {problem}")?;
        }
        Ok(())
    }
}

impl std::error::Error for Problems {}
