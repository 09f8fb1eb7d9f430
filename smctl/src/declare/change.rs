//! What has to be done for one item.

use super::Item;
use crate::doc::Doc;

/// What has to be done.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Action {
    Create,
    Update,
    Nothing,
}

/// What has to be done for one item, and why.
#[derive(Debug)]
pub(crate) struct Change {
    pub(crate) item: Item,
    pub(crate) action: Action,
    /// The id of what is there.
    pub(crate) id: String,
    /// What is sent.
    pub(crate) body: Doc,
    /// `field: before -> after`.
    pub(crate) lines: Vec<String>,
}

impl Change {
    /// For people.
    pub(crate) fn told(&self) -> String {
        let mark = match self.action {
            Action::Create => '+',
            Action::Update => '~',
            Action::Nothing => '=',
        };
        let mut told = format!("{mark} {}", self.item.title());
        for line in &self.lines {
            told.push_str("\n    ");
            told.push_str(line);
        }
        told
    }
}
