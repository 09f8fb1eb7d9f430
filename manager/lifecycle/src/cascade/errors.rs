//! What went wrong in a cascade, put together. Pure.
//!
//! The rule: an error is told once, by the node that failed by itself, and every node above repeats it unchanged.

use qm_model::Kind;
use qm_model::operation::Operation;
use serde_json::{Value, json};

/// No more are told one by one: whoever reads them has enough to do.
pub(super) const MOST: usize = 200;

/// The errors of a node, from the operations of its children that failed. `left` is how many of its children are left.
pub(super) fn gathered(kind: Kind, id: &str, failed: &[Operation], left: u64) -> (Value, String) {
    let mut told: Vec<Value> = Vec::new();
    let mut left_off = left.saturating_sub(failed.len() as u64);
    for child in failed {
        let below = child
            .errors
            .as_ref()
            .and_then(|errors| errors.get("cascade_errors")?.as_array().cloned());
        let more = match below {
            Some(below) if !below.is_empty() => {
                let off = child
                    .errors
                    .as_ref()
                    .and_then(|errors| errors.get("cascade_errors_left_off")?.as_u64());
                left_off += off.unwrap_or(0);
                below
            }
            _ => vec![one(kind, id, child)],
        };
        for error in more {
            if told.contains(&error) {
                continue;
            }
            if told.len() < MOST {
                told.push(error);
            } else {
                left_off += 1;
            }
        }
    }
    let description = format!(
        "{left} of what depends on this {kind} could not be removed, so it was left as it is; the first reason: {}. \
         Mend that and delete it again",
        told.first()
            .and_then(|first| first["message"].as_str())
            .unwrap_or("none was given")
            .trim_end_matches('.')
    );
    let mut errors = json!({
        "error": "CascadeFailed",
        "description": description,
        "cascade_errors": told,
    });
    if left_off > 0 {
        errors["cascade_errors_left_off"] = json!(left_off);
    }
    (errors, description)
}

fn one(kind: Kind, id: &str, child: &Operation) -> Value {
    let said = child
        .errors
        .as_ref()
        .and_then(|errors| errors.get("description")?.as_str());
    json!({
        "parent_type": kind.path(),
        "parent_id": id,
        "resource_type": child.resource_kind.path(),
        "resource_id": child.resource_id,
        "message": said.unwrap_or(&child.description),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use qm_model::Time;
    use qm_model::id::{OperationId, PlatformId};
    use qm_model::operation::{Family, State, Story, Verb};

    fn failed(kind: Kind, id: &str, errors: Option<Value>) -> Operation {
        Operation {
            id: OperationId::stored(format!("o-{id}")),
            verb: Verb::Delete,
            state: State::Failed,
            resource_kind: kind,
            resource_id: id.to_owned(),
            platform_id: PlatformId::manager(),
            correlation_id: String::new(),
            description: format!("{id} failed"),
            errors,
            created_at: Time(0),
            updated_at: Time(0),
            deadline: None,
            attempts: 0,
            due_at: None,
            family: Family::default(),
            story: Story::default(),
        }
    }

    #[test]
    fn errors_bubble_up_unchanged() {
        let said = json!({"error": "BrokerError", "description": "the broker said no"});
        let bindings = [
            failed(Kind::Binding, "b1", Some(said)),
            failed(Kind::Binding, "b2", None),
        ];
        let (instance, words) = gathered(Kind::Instance, "i1", &bindings, 2);
        let of = |id: &str, message: &str| {
            json!({
                "parent_type": "/v1/service_instances",
                "parent_id": "i1",
                "resource_type": "/v1/service_bindings",
                "resource_id": id,
                "message": message,
            })
        };
        let all = json!([of("b1", "the broker said no"), of("b2", "b2 failed")]);
        assert_eq!(instance["cascade_errors"], all);
        assert!(words.starts_with("2 of what depends on this instance"));
        assert!(words.contains("the first reason: the broker said no. Mend"));

        // Two nodes above share it.
        let below = failed(Kind::Instance, "i1", Some(instance));
        let (platform, _) = gathered(Kind::Platform, "p", &[below.clone(), below], 1);
        assert_eq!(platform["cascade_errors"], all);
        assert_eq!(platform["error"], "CascadeFailed");
        assert_eq!(platform.get("cascade_errors_left_off"), None);
    }

    #[test]
    fn thousands_are_not_told_one_by_one() {
        let many: Vec<Operation> = (0..MOST)
            .map(|n| failed(Kind::Instance, &format!("i{n}"), None))
            .collect();
        let (errors, _) = gathered(Kind::Platform, "p", &many, 9_000);
        assert_eq!(errors["cascade_errors"].as_array().unwrap().len(), MOST);
        assert_eq!(errors["cascade_errors_left_off"], 9_000 - MOST as u64);
        let above = failed(Kind::Platform, "p", Some(errors));
        let (errors, _) = gathered(Kind::Tenant, "t", &[above], 1);
        assert_eq!(errors["cascade_errors_left_off"], 9_000 - MOST as u64);
    }
}
