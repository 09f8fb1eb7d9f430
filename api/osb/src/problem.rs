//! A fault in a catalog or a binding, with the place and the rule it breaks.
//!
//! Validation collects all of them; nobody wants to mend a catalog one fault per attempt. The rule: a
//! message says what to change, and quotes names and ids at most.

use std::fmt;

/// How much a rule binds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Level {
    /// The protocol demands it.
    Must,
    /// The protocol recommends it.
    Should,
}

impl Level {
    /// As the protocol writes it.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Must => "MUST",
            Self::Should => "SHOULD",
        }
    }
}

/// One fault.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// Where, as in `$.services[0].plans[1].name`.
    pub path: String,
    /// Which rule: `B11` to `B15`, `B53` to `B57`, or `E1` and `E7` for the shape of the message itself.
    pub rule: &'static str,
    /// How much it binds.
    pub level: Level,
    /// What to change.
    pub message: String,
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            path,
            rule,
            level,
            message,
        } = self;
        write!(f, "{path}: {message} ({rule}, {})", level.as_str())
    }
}

/// Collects faults.
#[derive(Debug, Default)]
pub(crate) struct Report(Vec<Problem>);

impl Report {
    pub(crate) fn must(&mut self, path: &str, rule: &'static str, message: impl Into<String>) {
        self.add(path, rule, Level::Must, message.into());
    }

    pub(crate) fn should(&mut self, path: &str, rule: &'static str, message: impl Into<String>) {
        self.add(path, rule, Level::Should, message.into());
    }

    fn add(&mut self, path: &str, rule: &'static str, level: Level, message: String) {
        self.0.push(Problem {
            path: path.to_owned(),
            rule,
            level,
            message,
        });
    }

    pub(crate) fn finish(self) -> Vec<Problem> {
        self.0
    }
}

/// A path one step further down. Names that are no plain words are quoted.
pub(crate) fn step(path: &str, key: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '$';
    if !key.is_empty() && key.chars().all(plain) {
        format!("{path}.{key}")
    } else {
        format!("{path}[{key:?}]")
    }
}
