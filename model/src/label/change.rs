//! One change of a PATCH: `{"op","key","values"}`. A PATCH has a list of them, applied in order.
//!
//! The rule: a change is checked when it is made and again when it is applied, so that its fields can be
//! public; nothing wrong is ever applied or passed over in silence.

use super::{LabelError, LabelOp, Labels, check_key, check_value};
use serde::{Deserialize, Serialize};

/// A change of one key.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "Wire")]
pub struct LabelChange {
    /// What to do.
    pub op: LabelOp,
    /// To which key.
    pub key: String,
    /// With which values. `null` and nothing on the wire are no values.
    pub values: Vec<String>,
}

/// As clients send it; what is missing is named by us and not by the decoder.
#[derive(Deserialize)]
struct Wire {
    op: Option<String>,
    key: Option<String>,
    values: Option<Vec<String>>,
}

impl LabelChange {
    /// A change that can be applied.
    pub fn new(
        op: LabelOp,
        key: impl Into<String>,
        values: impl IntoIterator<Item = impl Into<String>>,
    ) -> Result<Self, LabelError> {
        let change = Self {
            op,
            key: key.into(),
            values: values.into_iter().map(Into::into).collect(),
        };
        change.check()?;
        Ok(change)
    }

    fn check(&self) -> Result<(), LabelError> {
        let Self { op, key, values } = self;
        check_key(key)?;
        for value in values {
            check_value(key, value)?;
        }
        if op.needs_values() && values.is_empty() {
            return Err(LabelError::ValuesMissing {
                op: *op,
                key: key.clone(),
            });
        }
        Ok(())
    }

    /// Leaves `labels` as they are if the change is refused.
    pub(super) fn apply(&self, labels: &mut Labels) -> Result<(), LabelError> {
        self.check()?;
        let Self { op, key, values } = self;
        match op {
            LabelOp::Add if values.is_empty() => add(labels, key, &[String::new()]),
            LabelOp::Add | LabelOp::AddValues => add(labels, key, values),
            LabelOp::Remove if values.is_empty() => drop(labels.0.remove(key)),
            LabelOp::Remove | LabelOp::RemoveValues => labels.remove(key, values),
            LabelOp::Replace => {
                labels.0.remove(key);
                add(labels, key, values);
            }
        }
        Ok(())
    }
}

/// Adds what was checked. No values make no key.
fn add(labels: &mut Labels, key: &str, values: &[String]) {
    if !values.is_empty() {
        let held = labels.0.entry(key.to_owned()).or_default();
        held.extend(values.iter().cloned());
    }
}

impl TryFrom<Wire> for LabelChange {
    type Error = LabelError;

    fn try_from(wire: Wire) -> Result<Self, LabelError> {
        let Wire { op, key, values } = wire;
        let op = op.filter(|op| !op.is_empty());
        let op = op.ok_or(LabelError::MissingOp)?.parse()?;
        Self::new(op, key.unwrap_or_default(), values.unwrap_or_default())
    }
}
