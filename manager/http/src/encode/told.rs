//! The brokers' own words, put into the shapes that show an operation.
//!
//! The rule: only the fields that Go clients decode are sent, whatever else was kept; more would break them.

use qm_manager_api::{Binding, BrokerError, Instance, Operation, OperationState, Secret};
use serde_json::Value;
use std::collections::HashMap;

/// A shape that shows an operation, or is one.
pub(crate) trait Tells {
    /// The operation.
    fn operation(&mut self) -> Option<&mut Operation>;

    /// What it says itself about what went wrong.
    fn message(&mut self) -> Option<&mut String> {
        None
    }
}

impl Tells for Operation {
    fn operation(&mut self) -> Option<&mut Operation> {
        Some(self)
    }
}

impl Tells for Instance {
    fn operation(&mut self) -> Option<&mut Operation> {
        self.last_operation.as_deref_mut()
    }

    fn message(&mut self) -> Option<&mut String> {
        self.message.as_mut()
    }
}

impl Tells for Binding {
    fn operation(&mut self) -> Option<&mut Operation> {
        self.last_operation.as_deref_mut()
    }
}

/// The same with what the broker said about its operation.
pub(crate) fn tell<S: Tells>(mut shape: S, words: &mut HashMap<String, Secret<Value>>) -> S {
    let Some(operation) = shape.operation() else {
        return shape;
    };
    let Some(words) = words.remove(&operation.base.id) else {
        return shape;
    };
    if let Some(progress) = words.expose().get("Progress") {
        let goes_on = operation.state == OperationState::InProgress;
        if let (true, Some(progress)) = (goes_on, progress.as_str()) {
            told(operation.description.as_mut(), progress);
        }
        return shape;
    }
    let said = broker_error(words);
    operation.broker_error.clone_from(&said);
    let errors = operation.errors.as_mut();
    if let Some(description) = errors.and_then(|errors| errors.description.as_mut()) {
        *description = with_words(std::mem::take(description), said.as_ref());
    }
    // The BTP operator shows this one for bindings, and for what it finds again.
    let failed = operation.state == OperationState::Failed;
    if let Some(words) = description(said.as_ref()) {
        told(operation.description.as_mut().filter(|_| failed), words);
        told(shape.message(), words);
    }
    shape
}

fn told(text: Option<&mut String>, words: &str) {
    if let Some(text) = text {
        text.push_str(". The broker said: ");
        text.push_str(words);
    }
}

/// A description with what the broker said: most clients show nothing else.
pub(crate) fn with_words(description: String, said: Option<&Secret<BrokerError>>) -> String {
    match self::description(said) {
        Some(words) => format!("{description}: {words}"),
        None => description,
    }
}

fn description(said: Option<&Secret<BrokerError>>) -> Option<&str> {
    let words = said?.expose().description.as_deref()?;
    (!words.is_empty()).then_some(words)
}

/// A broker's words in the form of the wire; nothing when they are of none.
pub(crate) fn broker_error(said: Secret<Value>) -> Option<Secret<BrokerError>> {
    let words: Option<BrokerError> = serde_json::from_value(said.into_exposed()).ok();
    words.map(Secret::new)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn what_the_broker_said_is_said_where_people_look() {
        let instance = json!({"id": "i1", "created_at": "2024-05-01T10:00:00Z", "updated_at": "2024-05-01T10:00:00Z",
            "ready": false, "name": "n", "service_plan_id": "p", "platform_id": "service-manager", "usable": false,
            "message": "creating it failed",
            "last_operation": {"id": "o1", "created_at": "2024-05-01T10:00:00Z", "updated_at": "2024-05-01T10:00:00Z",
                "ready": true, "type": "create", "state": "failed", "resource_id": "i1", "description": "it failed",
                "resource_type": "/v1/service_instances", "platform_id": "service-manager", "correlation_id": "c",
                "errors": {"error": "BrokerError", "description": "it answered 400"}}});
        let shape = || serde_json::from_value::<Instance>(instance.clone()).unwrap();
        let said = json!({"StatusCode": 400, "Description": "no more"});
        let mut words = HashMap::from([("o1".to_owned(), Secret::new(said))]);
        let told = tell(shape(), &mut words);
        assert_eq!(
            told.message.as_deref(),
            Some("creating it failed. The broker said: no more")
        );
        let last = told.last_operation.unwrap();
        assert_eq!(
            last.description.as_deref(),
            Some("it failed. The broker said: no more")
        );
        assert_eq!(
            last.errors.unwrap().description.as_deref(),
            Some("it answered 400: no more")
        );
        assert_eq!(last.broker_error.unwrap().expose().status_code, 400);
        assert_eq!(tell(shape(), &mut HashMap::new()), shape());
    }

    #[test]
    fn what_the_broker_says_meanwhile_is_told_while_it_goes_on() {
        let operation = |state: &str| {
            let shape = json!({"id": "o1", "created_at": "2024-05-01T10:00:00Z", "ready": true,
                "updated_at": "2024-05-01T10:00:00Z", "type": "create", "state": state, "resource_id": "i1",
                "description": "the broker works on it", "resource_type": "/v1/service_instances",
                "platform_id": "service-manager", "correlation_id": "c"});
            let said = Secret::new(json!({"Progress": "half of it is there"}));
            let mut words = HashMap::from([("o1".to_owned(), said)]);
            tell(
                serde_json::from_value::<Operation>(shape).unwrap(),
                &mut words,
            )
        };
        let told = operation("in progress");
        let words = "the broker works on it. The broker said: half of it is there";
        assert_eq!(told.description.as_deref(), Some(words));
        assert_eq!(told.broker_error, None);
        let told = operation("succeeded");
        assert_eq!(told.description.as_deref(), Some("the broker works on it"));
    }

    #[test]
    fn only_what_clients_decode_is_sent() {
        let said = json!({"StatusCode": 422, "ErrorMessage": "AsyncRequired", "Description": null,
            "ResponseError": {"breaks": "Go clients"}, "more": 1});
        let words = broker_error(Secret::new(said)).unwrap();
        assert!(!format!("{words:?}").contains("AsyncRequired"));
        let wanted = json!({"StatusCode": 422, "ErrorMessage": "AsyncRequired"});
        assert_eq!(serde_json::to_value(words).unwrap(), wanted);
        assert!(broker_error(Secret::new(json!("odd"))).is_none());
    }
}
