//! What every resource shows.

use super::date::rfc3339;
use qm_manager_api::{Base, Labels, Object};
use qm_model::{Labels as ModelLabels, Meta, Time};
use serde_json::Value;

/// The common fields.
pub(super) fn base(id: impl Into<String>, meta: Meta) -> Base {
    let Meta {
        created_at,
        updated_at,
        ready,
        labels: held,
    } = meta;
    Base {
        id: id.into(),
        created_at: rfc3339(created_at),
        updated_at: rfc3339(updated_at),
        labels: labels(&held),
        ready,
    }
}

/// The common fields of what has no labels and is always ready.
pub(super) fn plain(id: impl Into<String>, created_at: Time, updated_at: Time) -> Base {
    Base {
        id: id.into(),
        created_at: rfc3339(created_at),
        updated_at: rfc3339(updated_at),
        labels: Labels::new(),
        ready: true,
    }
}

fn labels(labels: &ModelLabels) -> Labels {
    let pairs = labels.iter().map(|(key, values)| {
        let values = values.iter().cloned().collect();
        (key.to_owned(), values)
    });
    pairs.collect()
}

/// An object; anything else is nothing.
pub(super) fn object(value: Option<Value>) -> Option<Object> {
    match value {
        Some(Value::Object(object)) => Some(object),
        _ => None,
    }
}
