//! What lies between the labels of a resource before and after a change. The store writes it, platforms
//! are told it.

use super::{LabelChange, LabelOp, Labels};

/// Pairs of key and value that came and went; none is in both.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct LabelDifference {
    /// There after, not before.
    pub added: Labels,
    /// There before, not after.
    pub removed: Labels,
}

impl LabelDifference {
    /// Whether nothing changed.
    pub fn is_empty(&self) -> bool {
        self.added.is_empty() && self.removed.is_empty()
    }

    /// The same as changes that lead from before to after: removals first, in words old clients know.
    pub fn changes(&self) -> Vec<LabelChange> {
        let Self { added, removed } = self;
        let removals = changes(LabelOp::RemoveValues, removed);
        removals.chain(changes(LabelOp::AddValues, added)).collect()
    }
}

fn changes(op: LabelOp, labels: &Labels) -> impl Iterator<Item = LabelChange> {
    labels.iter().map(move |(key, values)| LabelChange {
        op,
        key: key.to_owned(),
        values: values.iter().cloned().collect(),
    })
}
