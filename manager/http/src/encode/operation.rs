//! An operation, by itself and as the `last_operation` of a resource.

use super::Encode;
use super::base::plain;
use super::date::{or_zero, rfc3339};
use qm_lifecycle::Shown;
use qm_manager_api::{
    Operation as Shape, OperationErrors, OperationState, OperationStep, OperationType,
};
use qm_model::Time;
use qm_model::operation::{Family, Operation, State, Step, Story, Verb};

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
        deadline,
        attempts,
        due_at,
        family: Family { parent, root },
        story,
    } = operation;
    let goes_on = due_at.filter(|_| !state.is_terminal());
    let Story {
        steps,
        first_error,
        last_error,
        cleaning_since,
    } = story;
    Shape {
        base: plain(id, created_at, updated_at),
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
        parent_id: parent.map(Into::into),
        cascade_root_id: root.map(Into::into),
        reschedule: goes_on.is_some(),
        reschedule_timestamp: or_zero(goes_on),
        // What has nothing left to do cleans nothing.
        deletion_scheduled: or_zero(cleaning_since.filter(|_| due_at.is_some())),
        attempts: u64::try_from(attempts).ok().filter(|tried| *tried > 0),
        next_attempt_at: due_at.map(rfc3339),
        deadline: deadline.filter(|_| due_at.is_some()).map(rfc3339),
        steps: timeline(created_at, steps, ended(state, updated_at, &description)),
        first_error,
        last_error,
        // Sealed, and read apart for those who may.
        broker_error: None,
        description: (!description.is_empty()).then_some(description),
    }
}

/// From its acceptance to its end.
fn timeline(accepted: Time, steps: Vec<Step>, end: Option<OperationStep>) -> Vec<OperationStep> {
    let step = |Step { at, what }| OperationStep {
        at: rfc3339(at),
        description: what,
    };
    let first = OperationStep {
        at: rfc3339(accepted),
        description: "accepted".to_owned(),
    };
    let between = steps.into_iter().map(step);
    std::iter::once(first).chain(between).chain(end).collect()
}

fn ended(state: State, at: Time, description: &str) -> Option<OperationStep> {
    let how = match state {
        State::Pending | State::InProgress => return None,
        State::Succeeded => "succeeded",
        State::Failed => "failed",
    };
    let how = match description {
        "" => how.to_owned(),
        said => format!("{how}: {said}"),
    };
    Some(OperationStep {
        at: rfc3339(at),
        description: how,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use qm_model::Kind;
    use qm_model::id::{OperationId, PlatformId};
    use serde_json::{Value, json};

    fn operation(state: State) -> Operation {
        Operation {
            id: OperationId::stored("o1".to_owned()),
            verb: Verb::Create,
            state,
            resource_kind: Kind::Broker,
            resource_id: "b1".to_owned(),
            platform_id: PlatformId::manager(),
            correlation_id: "c1".to_owned(),
            description: String::new(),
            errors: None,
            created_at: Time(0),
            updated_at: Time(1),
            deadline: Some(Time(9)),
            attempts: 1,
            due_at: None,
            family: Family::default(),
            story: Story::default(),
        }
    }

    fn shown(operation: Operation) -> Value {
        serde_json::to_value(shape(operation)).unwrap()
    }

    #[test]
    fn defect_22_times_of_an_operation_are_rfc_3339_in_utc() {
        let mut failed = operation(State::Failed);
        failed.errors = Some(json!({"error": "ServiceBrokerErr", "description": "away"}));
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
            "attempts": 1,
            "steps": [
                {"at": "1970-01-01T00:00:00Z", "description": "accepted"},
                {"at": "1970-01-01T00:00:00.001Z", "description": "failed"},
            ],
        });
        assert_eq!(shown(failed), wanted);
    }

    #[test]
    fn what_goes_on_says_when_and_what_happened_so_far() {
        let mut polled = operation(State::InProgress);
        polled.due_at = Some(Time(5));
        polled.family.parent = Some(OperationId::stored("o2".to_owned()));
        polled.family.root = Some(OperationId::stored("o3".to_owned()));
        polled.story.steps = vec![Step {
            at: Time(1),
            what: "the broker works on it".to_owned(),
        }];
        polled.story.first_error = Some("503".to_owned());
        polled.story.last_error = Some("away".to_owned());
        let shown = shown(polled);
        let wanted = json!({
            "parent_id": "o2",
            "cascade_root_id": "o3",
            "reschedule": true,
            "reschedule_timestamp": "1970-01-01T00:00:00.005Z",
            "next_attempt_at": "1970-01-01T00:00:00.005Z",
            "deadline": "1970-01-01T00:00:00.009Z",
            "first_error": "503",
            "last_error": "away",
            "steps": [
                {"at": "1970-01-01T00:00:00Z", "description": "accepted"},
                {"at": "1970-01-01T00:00:00.001Z", "description": "the broker works on it"},
            ],
        });
        for (field, value) in wanted.as_object().unwrap() {
            assert_eq!(shown[field], *value, "{field}");
        }
    }

    #[test]
    fn cleaning_is_said_while_it_lasts() {
        let mut failed = operation(State::Failed);
        failed.story.cleaning_since = Some(Time(3));
        failed.due_at = Some(Time(5));
        let cleaning = shown(failed.clone());
        assert_eq!(cleaning["deletion_scheduled"], "1970-01-01T00:00:00.003Z");
        assert_eq!(cleaning["next_attempt_at"], "1970-01-01T00:00:00.005Z");
        assert_eq!(cleaning["reschedule"], false);
        failed.due_at = None;
        assert_eq!(shown(failed)["deletion_scheduled"], "0001-01-01T00:00:00Z");
    }

    #[test]
    fn a_cascade_says_what_failed() {
        let mut failed = operation(State::Failed);
        failed.description = "1 of 2 failed".to_owned();
        let errors = json!({"cascade_errors": [{"resource_type": "/v1/service_instances", "resource_id": "i1", "message": "no"}]});
        failed.errors = Some(errors.clone());
        let shown = shown(failed);
        assert_eq!(shown["errors"], errors);
        assert_eq!(shown["steps"][1]["description"], "failed: 1 of 2 failed");
    }
}
