//! What the framework says about itself: log lines, counters, spans.
//!
//! The rule: ids, verbs, codes and durations are said; parameters, credentials and bodies never. A
//! cause that an author's error brings along is searched for the values of this call's secrets first.

use crate::broker::failure::Failure;
use crate::record::Record;
use crate::work::verb as work_verb;
use quartermaster_osb::{Object, Route, State};
use serde_json::Value;
use std::time::Duration;

/// Shorter texts are too common to be taken for a secret (`small`, `5432`).
const SHORTEST_SECRET: usize = 6;

/// One answered request.
pub(crate) fn answered(route: Option<&Route>, status: u16, took: Duration) {
    let verb = route.map_or("none", |route| route.verb.as_str());
    metrics::counter!("osb_requests_total", "verb" => verb, "status" => status.to_string())
        .increment(1);
    metrics::histogram!("osb_request_seconds", "verb" => verb).record(took.as_secs_f64());
    let instance = route
        .and_then(|route| route.instance.as_ref())
        .map(tracing::field::display);
    let binding = route
        .and_then(|route| route.binding.as_ref())
        .map(tracing::field::display);
    if status >= 500 {
        tracing::error!(
            verb,
            status,
            instance.id = instance,
            binding.id = binding,
            duration_ms = took.as_secs_f64() * 1e3,
            "answered"
        );
    } else {
        tracing::info!(
            verb,
            status,
            instance.id = instance,
            binding.id = binding,
            duration_ms = took.as_secs_f64() * 1e3,
            "answered"
        );
    }
}

/// An operation has ended.
pub(crate) fn ended(record: &Record, state: State) {
    let verb = verb_of(record);
    metrics::counter!("osb_operations_total", "verb" => verb, "state" => state.as_str())
        .increment(1);
    tracing::debug!(verb, state = state.as_str(), instance.id = %record.key.instance, binding.id = record.key.binding_text(), "operation ended");
}

/// An operation was taken up again.
pub(crate) fn resumed(record: &Record) {
    let verb = verb_of(record);
    metrics::counter!("osb_operations_resumed_total", "verb" => verb).increment(1);
    tracing::info!(verb, attempt = record.attempts, instance.id = %record.key.instance, binding.id = record.key.binding_text(), "operation taken up again");
}

/// An author's function failed. Logged here, once, with its causes, which go no further.
pub(crate) fn failure(verb: &'static str, record: &Record, failure: &mut Failure) {
    let cause = failure.cause.take().as_deref().map(chain);
    let secrets = secrets(record);
    let cause = cause.map(|cause| redact(cause, &secrets));
    tracing::error!(
        verb,
        status = failure.status.as_u16(),
        instance.id = %record.key.instance,
        binding.id = record.key.binding_text(),
        description = redact(failure.text().to_owned(), &secrets),
        cause,
        "the broker's function failed"
    );
}

/// The verb of the operation that a record is in, or was in last.
pub(crate) fn verb_of(record: &Record) -> &'static str {
    record.op.as_ref().map_or("none", |op| {
        work_verb(op.work, record.key.binding.is_some()).as_str()
    })
}

/// An error and its causes on one line.
pub(crate) fn chain(error: &(dyn std::error::Error + Send + Sync + 'static)) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        let next = error.to_string();
        // Some errors print their cause themselves.
        if !text.ends_with(&next) {
            text.push_str(": ");
            text.push_str(&next);
        }
        cause = error.source();
    }
    text
}

/// The secrets that an author's function was given: parameters, changes, and credentials made before.
fn secrets(record: &Record) -> Vec<&str> {
    let mut secrets = Vec::new();
    if let Some(spec) = &record.spec {
        object_leaves(spec.parameters.expose(), &mut secrets);
    }
    let intent = record.op.as_ref().and_then(|op| op.intent.as_ref());
    let change = intent.and_then(|intent| intent.change.as_ref());
    if let Some(parameters) = change.and_then(|change| change.parameters.as_ref()) {
        object_leaves(parameters.expose(), &mut secrets);
    }
    let credentials = record
        .made
        .binding
        .as_ref()
        .and_then(|binding| binding.credentials.as_ref());
    if let Some(credentials) = credentials {
        leaves(credentials.expose(), &mut secrets);
    }
    // One may be part of another: the longest first, or its rest would show.
    secrets.sort_by_key(|secret| std::cmp::Reverse(secret.len()));
    secrets
}

/// Replaces secrets by stars.
fn redact(mut text: String, secrets: &[&str]) -> String {
    for secret in secrets {
        text = text.replace(secret, "***");
    }
    text
}

fn leaves<'a>(value: &'a Value, into: &mut Vec<&'a str>) {
    match value {
        Value::String(text) if text.len() >= SHORTEST_SECRET => into.push(text),
        Value::Array(items) => items.iter().for_each(|item| leaves(item, into)),
        Value::Object(fields) => object_leaves(fields, into),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

fn object_leaves<'a>(fields: &'a Object, into: &mut Vec<&'a str>) {
    fields.values().for_each(|item| leaves(item, into));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn secrets_of_the_call_are_starred_in_causes() {
        let value: Value =
            serde_json::from_str(r#"{"a": {"b": ["canary-7f3"]}, "size": "small"}"#).unwrap();
        let mut found = Vec::new();
        leaves(&value, &mut found);
        let text = redact("cannot log in with canary-7f3 on small".to_owned(), &found);
        assert_eq!(text, "cannot log in with *** on small");
    }
}
