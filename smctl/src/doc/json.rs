//! JSON as text: compact, or indented for people.

use super::Doc;
use serde::Serialize;
use serde_json::ser::{PrettyFormatter, Serializer};

impl Doc {
    /// On one line.
    pub(crate) fn compact(&self) -> String {
        serde_json::to_string(self).unwrap_or_default()
    }

    /// Indented by two blanks, without an end of line.
    pub(crate) fn pretty(&self) -> String {
        self.indented("  ")
    }

    /// Indented by a text of your choice.
    pub(crate) fn indented(&self, indent: &str) -> String {
        let mut bytes = Vec::new();
        let formatter = PrettyFormatter::with_indent(indent.as_bytes());
        let mut serializer = Serializer::with_formatter(&mut bytes, formatter);
        match self.serialize(&mut serializer) {
            Ok(()) => String::from_utf8(bytes).unwrap_or_default(),
            Err(_) => String::new(),
        }
    }
}
