//! The brokers' own words, put into the shapes that show an operation.
//!
//! The rule: only the fields that Go clients decode are sent, whatever else was kept; more would break them.

use qm_manager_api::{Binding, BrokerError, Instance, Operation, Secret};
use serde_json::Value;
use std::collections::HashMap;

/// A shape that shows an operation, or is one.
pub(crate) trait Tells {
    /// The operation.
    fn operation(&mut self) -> Option<&mut Operation>;
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
}

impl Tells for Binding {
    fn operation(&mut self) -> Option<&mut Operation> {
        self.last_operation.as_deref_mut()
    }
}

/// The same with what the broker said about its operation.
pub(crate) fn tell<S: Tells>(mut shape: S, words: &mut HashMap<String, Secret<Value>>) -> S {
    if let Some(operation) = shape.operation() {
        let said = words.remove(&operation.base.id);
        operation.broker_error = said.and_then(broker_error);
        let words = operation.broker_error.as_ref();
        let errors = operation.errors.as_mut();
        if let Some(description) = errors.and_then(|errors| errors.description.as_mut()) {
            *description = with_words(std::mem::take(description), words);
        }
    }
    shape
}

/// A description with what the broker said: most clients show nothing else.
pub(crate) fn with_words(description: String, said: Option<&Secret<BrokerError>>) -> String {
    match said.and_then(|said| said.expose().description.as_deref()) {
        Some(words) if !words.is_empty() => format!("{description}: {words}"),
        _ => description,
    }
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
