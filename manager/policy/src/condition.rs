//! How an instance does, in a word and, when something is wrong, in a sentence that names the way out. The doors show
//! it with every instance.
//!
//! The rule: nothing is a dead end. Every state that is not `ready` and does not end by itself says what happened, what
//! is still possible and what can be done next; and only what the instance's owner can do is offered.

use qm_model::instance::Instance;
use qm_model::operation::{Operation, State, Verb};
use serde_json::Value;

/// How an instance does.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Condition {
    /// For programs.
    pub word: Word,
    /// For people: what happened, what blocks it, what to do next. Nothing when all is well.
    pub message: Option<String>,
}

/// How an instance does, for programs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Word {
    /// It is being made.
    Creating,
    /// It is there and nothing is being done to it.
    Ready,
    /// It is being changed.
    Updating,
    /// It is being removed.
    Deleting,
    /// It was not made.
    CreateFailed,
    /// It was not changed and can be used as it was.
    UpdateFailed,
    /// It was not removed and can be used.
    DeleteFailed,
    /// The broker says that it cannot be used.
    Unusable,
}

/// How an instance does after this operation, its last.
pub fn of(instance: &Instance, last: Option<&Operation>) -> Condition {
    let word = word(instance, last);
    let message = match last {
        Some(operation) if goes_on(operation) => going_on(word, operation),
        Some(operation) => ended(word, instance, operation),
        None => alone(word),
    };
    Condition { word, message }
}

fn word(instance: &Instance, last: Option<&Operation>) -> Word {
    let rest = match (instance.meta.ready, instance.usable) {
        (false, _) => Word::CreateFailed,
        (true, true) => Word::Ready,
        (true, false) => Word::Unusable,
    };
    let Some(operation) = last else { return rest };
    match (operation.verb, operation.state) {
        (Verb::Create, _) if cleans(operation) => Word::CreateFailed,
        (Verb::Create, State::Pending | State::InProgress) => Word::Creating,
        (Verb::Update, State::Pending | State::InProgress) => Word::Updating,
        (Verb::Delete, State::Pending | State::InProgress) => Word::Deleting,
        (Verb::Create, State::Failed) => Word::CreateFailed,
        (Verb::Update, State::Failed) if rest == Word::Ready => Word::UpdateFailed,
        (Verb::Delete, State::Failed) if rest == Word::Ready => Word::DeleteFailed,
        (Verb::Update | Verb::Delete, State::Failed) | (_, State::Succeeded) => rest,
    }
}

/// Whether something is still done by itself.
fn goes_on(operation: &Operation) -> bool {
    !operation.state.is_terminal() || cleans(operation)
}

/// Whether what it may have left behind is being deleted. It may have failed for clients already.
fn cleans(operation: &Operation) -> bool {
    operation.story.cleaning_since.is_some() && operation.due_at.is_some()
}

/// Nothing is known of what was done to it, or nothing went wrong.
fn alone(word: Word) -> Option<String> {
    match word {
        Word::Unusable => {
            Some("the broker says that it cannot be used; change it or delete it".to_owned())
        }
        Word::CreateFailed => Some("it was never finished; delete it".to_owned()),
        _ => None,
    }
}

fn going_on(word: Word, operation: &Operation) -> Option<String> {
    let why = cause(operation)?;
    Some(match word {
        Word::CreateFailed => format!(
            "creating it failed: {why}. What it may have left at the broker is being deleted; that goes on by itself"
        ),
        Word::DeleteFailed => format!(
            "deleting it failed: {why}. It is tried again by itself; delete it once more to try at once, or end that \
             and keep it with POST /v1/service_instances/{}/undelete",
            operation.resource_id
        ),
        _ => format!("not done yet: {why}. It is tried again by itself"),
    })
}

fn ended(word: Word, instance: &Instance, operation: &Operation) -> Option<String> {
    if operation.state == State::Succeeded {
        return alone(word);
    }
    let why = cause(operation).unwrap_or_else(|| "nobody knows why".to_owned());
    let own = instance.platform_id.is_manager();
    let id = instance.id.as_str();
    let (what, still) = match (operation.verb, word) {
        (Verb::Create, _) => ("creating it failed", "It cannot be used"),
        (Verb::Update, Word::UpdateFailed) => (
            "the last change failed",
            "It can be used with the values it had before",
        ),
        (Verb::Update, _) => (
            "the last change failed",
            "The broker says that it cannot be used now",
        ),
        (Verb::Delete, Word::DeleteFailed) => (
            "deleting it failed",
            "It can still be used, bound and changed",
        ),
        (Verb::Delete, Word::CreateFailed) => ("deleting it failed", "It was never finished"),
        (Verb::Delete, _) => ("deleting it failed", "It cannot be used any more"),
    };
    let next = match operation.verb {
        _ if !own => "What is done next is its platform's to say".to_owned(),
        // An id is never used twice, so what failed is not made under it once more.
        Verb::Create => "Delete it and create it anew".to_owned(),
        Verb::Update => format!(
            "Send other values, try again with POST /v1/service_instances/{id}/retry, or go back with POST \
             /v1/service_instances/{id}/rollback"
        ),
        Verb::Delete if word == Word::CreateFailed => format!(
            "Delete it again, or, if the broker is gone for good, forget it with DELETE \
             /v1/service_instances/{id}?cascade=true&force=true"
        ),
        Verb::Delete => format!(
            "Delete it again, keep it with POST /v1/service_instances/{id}/undelete, or, if the broker is gone for \
             good, forget it with DELETE /v1/service_instances/{id}?cascade=true&force=true"
        ),
    };
    Some(format!("{what}: {why}. {still}. {next}"))
}

/// Why it went wrong. What came first counts: what follows is often only that it was tried again.
fn cause(operation: &Operation) -> Option<String> {
    let story = &operation.story;
    let first = story.first_error.as_deref();
    let last = story.last_error.as_deref();
    let own = operation.errors.as_ref();
    let described = own.and_then(|errors| errors.get("description")?.as_str());
    let why = match (first.or(last), described) {
        (Some(first), _) => first.to_owned(),
        (None, Some(described)) => described.to_owned(),
        (None, None) => below(own?)?,
    };
    let last = last.filter(|last| *last != why);
    Some(match last {
        Some(last) => format!("{} (and last: {})", trimmed(&why), trimmed(last)),
        None => trimmed(&why).to_owned(),
    })
}

/// What failed of the things that had to go first.
fn below(errors: &Value) -> Option<String> {
    let failed = errors.get("cascade_errors")?.as_array()?;
    let first = failed.first()?.get("message")?.as_str()?;
    Some(match failed.len() {
        1 => format!("what depends on it could not be deleted: {first}"),
        many => format!(
            "{many} things that depend on it could not be deleted, the first because: {first}"
        ),
    })
}

/// A sentence goes on after it.
fn trimmed(text: &str) -> &str {
    text.trim_end_matches(['.', ' '])
}
