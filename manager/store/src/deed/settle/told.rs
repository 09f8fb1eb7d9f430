//! The event and the audit record of an outcome as cells, for the statement that stores many.

use crate::Error;
use crate::outbox::audience;
use qm_db::Value;
use qm_db::combine::Kind as Of;
use qm_model::Kind;
use qm_model::audit::Entry;
use qm_model::event::NewEvent;
use qm_model::id::BrokerId;

/// An event's cells.
pub(super) const EVENT: [(&str, Of); 8] = [
    ("id", Of::Text),
    ("resource_type", Of::Text),
    ("resource_id", Of::Text),
    ("change", Of::Text),
    ("audience", Of::Text),
    ("payload", Of::Text),
    ("correlation_id", Of::Text),
    ("broker_id", Of::Text),
];

/// An audit record's cells.
pub(super) const AUDIT: [(&str, Of); 11] = [
    ("at", Of::Int),
    ("actor_kind", Of::Text),
    ("actor_id", Of::Text),
    ("actor_name", Of::Text),
    ("action", Of::Text),
    ("resource_type", Of::Text),
    ("resource_id", Of::Text),
    ("remote", Of::Text),
    ("correlation_id", Of::Text),
    ("outcome", Of::Text),
    ("detail", Of::Text),
];

pub(super) fn event(event: Option<&NewEvent>) -> Result<Vec<Value>, Error> {
    let Some(event) = event else {
        return Ok(vec![Value::Null; EVENT.len()]);
    };
    let NewEvent {
        id,
        resource,
        resource_id,
        change,
        audience,
        payload,
        correlation_id,
        broker,
    } = event;
    Ok(vec![
        id.as_str().into(),
        resource.path().into(),
        resource_id.into(),
        change.word().into(),
        audience::write(audience)?.into(),
        payload.into(),
        correlation_id.into(),
        broker.as_ref().map(BrokerId::as_str).into(),
    ])
}

pub(super) fn audit(entry: Option<&Entry>) -> Vec<Value> {
    let Some(entry) = entry else {
        return vec![Value::Null; AUDIT.len()];
    };
    let Entry {
        at,
        actor_kind,
        actor_id,
        actor_name,
        action,
        kind,
        object_id,
        remote,
        correlation_id,
        outcome,
        detail,
    } = entry;
    vec![
        at.millis().into(),
        (*actor_kind).into(),
        actor_id.into(),
        actor_name.into(),
        (*action).into(),
        kind.map_or("", Kind::path).into(),
        object_id.into(),
        remote.into(),
        correlation_id.into(),
        outcome.word().into(),
        detail.into(),
    ]
}
