//! Which plans can be shared, and the plan that the manager adds for those who refer to their instances.
//!
//! The rule: a plan is the generated one by its name. A broker cannot have that name in its catalog (`catalog::check`).

use crate::door::Refusal;
use qm_model::instance::Instance;
use qm_model::plan::{Plan, PlatformRule, REFERENCE_INSTANCE};
use serde_json::{Map, Value, json};
use std::collections::BTreeSet;

/// The key of a plan's metadata by which a broker lets its instances be shared.
pub const SUPPORTS: &str = "supportsInstanceSharing";

/// Whether instances of the plan can be shared.
pub fn is_shareable(plan: &Plan) -> bool {
    says_so(plan.metadata.as_ref())
}

fn says_so(metadata: Option<&Value>) -> bool {
    metadata.and_then(|metadata| metadata.get(SUPPORTS)) == Some(&Value::Bool(true))
}

/// Whether instances of the plan only refer to others.
pub fn is_reference(plan: &Plan) -> bool {
    plan.catalog_name == REFERENCE_INSTANCE
}

/// May this instance be shared, or no longer be?
///
/// # Errors
/// 400 when it only refers to another, or its plan does not support sharing.
pub fn may_share(instance: &Instance, plan: &Plan) -> Result<(), Refusal> {
    if instance.referenced_instance_id.is_some() {
        return Err(Refusal::invalid(
            "share-reference",
            "the instance only refers to another one; share that one",
        ));
    }
    if !is_shareable(plan) {
        let what = format!(
            "instances of the plan {:?} cannot be shared: its metadata does not say {SUPPORTS}",
            plan.name
        );
        return Err(Refusal::invalid("share-plan", &what));
    }
    Ok(())
}

/// May this instance change to that plan? Whether the caller sees the plan is not asked here.
///
/// # Errors
/// 400 when it is shared and the plan cannot be, and when either of the two only refers to others.
pub fn may_change_plan(instance: &Instance, to: &Plan) -> Result<(), Refusal> {
    if instance.plan_id == to.id {
        return Ok(());
    }
    if instance.referenced_instance_id.is_some() {
        return Err(Refusal::invalid(
            "reference-plan",
            "the instance only refers to another one, and its plan cannot be changed",
        ));
    }
    if is_reference(to) {
        let what = format!(
            "an instance cannot become a reference; create a new one with the plan {REFERENCE_INSTANCE}"
        );
        return Err(Refusal::invalid("reference-plan", &what));
    }
    if instance.shared == Some(true) && !is_shareable(to) {
        let what = format!(
            "the instance is shared, and instances of the plan {:?} cannot be; unshare it first",
            to.name
        );
        return Err(Refusal::invalid("shared-plan", &what));
    }
    Ok(())
}

/// The plan that is added to an offering, in the words of a catalog, if instances of any of its `plans` can be shared.
/// The catalog id is the manager's to choose, once.
pub fn generated(plans: &[Value], catalog_id: &str) -> Option<Value> {
    let shareable: Vec<_> = plans
        .iter()
        .map(|plan| plan.get("metadata"))
        .filter(|metadata| says_so(*metadata))
        .collect();
    if shareable.is_empty() {
        return None;
    }
    let mut plan = json!({
        "id": catalog_id,
        "name": REFERENCE_INSTANCE,
        "description": "Refers to a shared instance of this service, so that it can be bound here as well",
        "free": true,
        "bindable": true,
        "plan_updateable": false,
        "schemas": {"service_instance": {"create": {"parameters": parameters()}}},
    });
    let rules = shareable.into_iter().map(PlatformRule::of).collect();
    if let Some(metadata) = platforms(rules) {
        plan["metadata"] = metadata;
    }
    Some(plan)
}

/// Where the plan is offered: wherever one of the shareable plans is. Rules of different kinds cannot be said in one;
/// then the first counts, because a broker must not become known where none of its plans is meant to be.
fn platforms(rules: Vec<PlatformRule>) -> Option<Value> {
    let mut rules = rules.into_iter();
    let mut all = rules.next()?;
    for rule in rules {
        all = match (all, rule) {
            (PlatformRule::All, _) | (_, PlatformRule::All) => return None,
            (PlatformRule::Types(a), PlatformRule::Types(b)) => PlatformRule::Types(either(a, b)),
            (PlatformRule::Names(a), PlatformRule::Names(b)) => PlatformRule::Names(either(a, b)),
            (PlatformRule::Except(a), PlatformRule::Except(b)) => {
                let both: Vec<String> = a.into_iter().filter(|name| b.contains(name)).collect();
                if both.is_empty() {
                    return None;
                }
                PlatformRule::Except(both)
            }
            (first, _) => first,
        };
    }
    let (key, words) = match all {
        PlatformRule::All => return None,
        PlatformRule::Types(words) => ("supportedPlatforms", words),
        PlatformRule::Names(words) => ("supportedPlatformNames", words),
        PlatformRule::Except(words) => ("excludedPlatformNames", words),
    };
    let metadata = [(key.to_owned(), json!(words))];
    Some(Value::Object(metadata.into_iter().collect::<Map<_, _>>()))
}

fn either(a: Vec<String>, b: Vec<String>) -> Vec<String> {
    let all: BTreeSet<String> = a.into_iter().chain(b).collect();
    all.into_iter().collect()
}

/// The schema of what is asked for with the plan. Draft 4 is what every platform must know.
fn parameters() -> Value {
    let text =
        |description: &str| json!({"type": "string", "minLength": 1, "description": description});
    json!({
        "$schema": "http://json-schema.org/draft-04/schema#",
        "type": "object",
        "properties": {
            "referenced_instance_id": text(
                "The id of the shared instance, or * for the only one that can be referred to"
            ),
            "selectors": {
                "type": "object",
                "description": "What the shared instance is like, if its id is not known; all must hold, for one instance",
                "properties": {
                    "instance_name_selector": text("Its name"),
                    "plan_name_selector": text("The name of its plan"),
                    "instance_label_selector": {
                        "type": "array",
                        "minItems": 1,
                        "items": text("A label query, as in: environment eq 'dev'"),
                    },
                },
                "minProperties": 1,
                "additionalProperties": false,
            },
        },
        "oneOf": [{"required": ["referenced_instance_id"]}, {"required": ["selectors"]}],
        "additionalProperties": false,
    })
}
