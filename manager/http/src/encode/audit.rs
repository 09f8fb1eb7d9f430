//! A record of the audit log.

use super::date::rfc3339;
use qm_manager_api::{Actor, AuditRecord, Outcome as OutcomeShape};
use qm_model::audit::{Outcome, Record};

pub(crate) fn record(record: Record) -> AuditRecord {
    let Record {
        seq,
        at,
        actor_kind,
        actor_id,
        actor_name,
        action,
        resource_type,
        object_id,
        remote,
        correlation_id,
        outcome,
        detail,
    } = record;
    AuditRecord {
        seq,
        at: rfc3339(at),
        actor: Actor {
            kind: actor_kind,
            name: actor_name,
            id: (!actor_id.is_empty()).then_some(actor_id),
        },
        action,
        resource_type,
        resource_id: object_id,
        remote,
        correlation_id,
        outcome: match outcome {
            Outcome::Succeeded => OutcomeShape::Succeeded,
            Outcome::Refused => OutcomeShape::Refused,
            Outcome::Failed => OutcomeShape::Failed,
        },
        status: None,
        detail,
    }
}
