//! Deeds about offerings and plans, and what deeds about brokers share.

mod label;
pub(crate) mod merge;
mod reference_plan;
pub(crate) mod take;

pub use label::{label_offering, label_plan};

use crate::Lifecycle;
use qm_model::broker::Difference;
use qm_model::{Error, Labels};
use qm_policy::Scope;
use quartermaster_osb::problem::{Level, Problem};
use serde_json::Value;

/// Longest name in bytes.
const MAX_NAME_BYTES: usize = 255;

/// The rule about schemas of parameters. Brokers in the field leave `$schema` out and point elsewhere, and nothing
/// breaks by that before somebody sends parameters, so it does not keep a broker from being registered.
const SCHEMAS: &str = "B13";

/// Holds a catalog to the protocol's rules and the manager's. What does not keep it out is logged.
pub(crate) fn check(raw: &Value) -> Result<(), Error> {
    let problems = quartermaster_osb::catalog::problems_of(raw);
    let keeps_out = |problem: &&Problem| problem.level == Level::Must && problem.rule != SCHEMAS;
    let must: Vec<String> = problems
        .iter()
        .filter(keeps_out)
        .map(ToString::to_string)
        .collect();
    for problem in problems.iter().filter(|problem| !keeps_out(problem)) {
        tracing::info!(%problem, "a catalog is taken although it is not as it should be");
    }
    qm_policy::catalog::check(&must, raw)
}

/// Holds a name to the rule for names.
pub(crate) fn check_name(field: &str, name: &str) -> Result<(), Error> {
    if name.trim().is_empty() {
        return Err(Error::invalid(format!("{field} must not be empty")));
    }
    if name.len() > MAX_NAME_BYTES {
        return Err(Error::invalid(format!(
            "{field} must not be longer than {MAX_NAME_BYTES} bytes"
        )));
    }
    if name.chars().any(char::is_control) {
        return Err(Error::invalid(format!(
            "{field} must not contain control characters"
        )));
    }
    Ok(())
}

/// Labels that the operator protects cannot be set through the API.
pub(crate) fn check_protected<'a>(
    deeds: &Lifecycle,
    keys: impl IntoIterator<Item = &'a str>,
) -> Result<(), Error> {
    for key in keys {
        if deeds.settings.protected_labels.contains(key) {
            return Err(Error::invalid(format!(
                "the label {key:?} is protected: it cannot be set or removed"
            )));
        }
    }
    Ok(())
}

/// The labels of something that this caller makes: a tenant's own bears its label.
pub(crate) fn owned(scope: &Scope, mut labels: Labels) -> Result<Labels, Error> {
    if let Scope::Tenant { key, value } = scope {
        if labels
            .get(key)
            .is_some_and(|values| values.iter().any(|other| other != value))
        {
            return Err(Error::invalid(format!(
                "the label {key:?} is set by the manager"
            )));
        }
        labels.insert(key.clone(), value.clone())?;
    }
    Ok(labels)
}

/// A tenant may not give away what is its own, nor take others' by a label.
pub(crate) fn check_ownership(scope: &Scope, before: &Labels, after: &Labels) -> Result<(), Error> {
    if let Scope::Tenant { key, .. } = scope
        && before.get(key) != after.get(key)
    {
        return Err(Error::invalid(format!(
            "the label {key:?} is set by the manager"
        )));
    }
    Ok(())
}

/// A difference for people.
pub(crate) fn describe(difference: &Difference) -> String {
    let Difference {
        added,
        changed,
        removed,
    } = difference;
    let mut parts = Vec::new();
    for (word, names) in [("added", added), ("changed", changed), ("removed", removed)] {
        if !names.is_empty() {
            parts.push(format!("{word} {}", names.join(", ")));
        }
    }
    parts.join("; ")
}
