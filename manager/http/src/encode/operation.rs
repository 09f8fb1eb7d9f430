//! An operation, by itself and as the `last_operation` of a resource.

use super::Encode;
use super::base::plain;
use super::date::or_zero;
use qm_lifecycle::Shown;
use qm_manager_api::{
    Operation as Shape, OperationErrors, OperationState, OperationType, Timestamp,
};
use qm_model::operation::{Operation, State, Verb};

impl Encode for Operation {
    type Shape = Shape;

    fn encode(shown: Shown<Self>) -> Shape {
        let Shown {
            resource,
            last_operation: _,
        } = shown;
        shape(resource)
    }
}

/// The `last_operation` of a resource.
pub(super) fn last(operation: Option<Operation>) -> Option<Box<Shape>> {
    operation.map(|operation| Box::new(shape(operation)))
}

pub(super) fn shape(operation: Operation) -> Shape {
    let Operation {
        id,
        verb,
        state,
        resource_kind,
        resource_id,
        platform_id,
        correlation_id,
        description,
        errors,
        created_at,
        updated_at,
        // How the work is driven is ours.
        deadline: _,
        attempts: _,
        due_at,
    } = operation;
    let goes_on = due_at.filter(|_| !state.is_terminal());
    Shape {
        base: plain(id, created_at, updated_at),
        description: (!description.is_empty()).then_some(description),
        kind: match verb {
            Verb::Create => OperationType::Create,
            Verb::Update => OperationType::Update,
            Verb::Delete => OperationType::Delete,
        },
        state: match state {
            State::Pending => OperationState::Pending,
            State::InProgress => OperationState::InProgress,
            State::Succeeded => OperationState::Succeeded,
            State::Failed => OperationState::Failed,
        },
        resource_id,
        transitive_resources: Vec::new(),
        resource_type: resource_kind.path().to_owned(),
        errors: errors.map(|errors| {
            // Written by deeds as `{"error","description"}`; whatever else it is, nobody is left without words.
            serde_json::from_value(errors)
                .unwrap_or_else(|_| OperationErrors::new("InternalError", "the error was not kept"))
        }),
        platform_id: platform_id.into(),
        correlation_id,
        parent_id: None,
        cascade_root_id: None,
        reschedule: goes_on.is_some(),
        reschedule_timestamp: or_zero(goes_on),
        deletion_scheduled: Timestamp::ZERO,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use qm_model::id::{OperationId, PlatformId};
    use qm_model::{Kind, Time};
    use serde_json::json;

    #[test]
    fn defect_22_times_of_an_operation_are_rfc_3339_in_utc() {
        let operation = Operation {
            id: OperationId::stored("o1".to_owned()),
            verb: Verb::Create,
            state: State::Failed,
            resource_kind: Kind::Broker,
            resource_id: "b1".to_owned(),
            platform_id: PlatformId::manager(),
            correlation_id: "c1".to_owned(),
            description: String::new(),
            errors: Some(json!({"error": "ServiceBrokerErr", "description": "away"})),
            created_at: Time(0),
            updated_at: Time(1),
            deadline: Some(Time(5)),
            attempts: 1,
            due_at: Some(Time(5)),
        };
        let wanted = json!({
            "id": "o1",
            "created_at": "1970-01-01T00:00:00Z",
            "updated_at": "1970-01-01T00:00:00.001Z",
            "ready": true,
            "type": "create",
            "state": "failed",
            "resource_id": "b1",
            "resource_type": "/v1/service_brokers",
            "errors": {"error": "ServiceBrokerErr", "description": "away"},
            "platform_id": "service-manager",
            "correlation_id": "c1",
            "reschedule": false,
            "reschedule_timestamp": "0001-01-01T00:00:00Z",
            "deletion_scheduled": "0001-01-01T00:00:00Z",
        });
        assert_eq!(serde_json::to_value(shape(operation)).unwrap(), wanted);
    }
}
