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
    /// For programs.
    pub(crate) fn doc(&self) -> Doc {
        let action = match self.action {
            Action::Create => "create",
            Action::Update => "update",
            Action::Nothing => "nothing",
        };
        let lines = self.lines.iter().map(Into::into).collect();
        Doc::map()
            .with("kind", self.item.kind.noun)
            .with("name", self.item.name())
            .with_some("id", Some(&self.id).filter(|id| !id.is_empty()))
            .with("action", action)
            .with("changes", Doc::List(lines))
    }

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
