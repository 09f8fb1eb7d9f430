//! How binding a rule is. Every case and every rule line carries one.

use serde::Serialize;
use std::fmt;

/// The three words of RFC 2119 that the specification uses.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Level {
    /// A broker that breaks it is not conformant.
    Must,
    /// A broker that breaks it surprises platforms.
    Should,
    /// A choice; the suite only looks whether the choice is carried through.
    May,
}

impl Level {
    /// The word in capitals, as the specification writes it.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Must => "MUST",
            Self::Should => "SHOULD",
            Self::May => "MAY",
        }
    }
}

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}
