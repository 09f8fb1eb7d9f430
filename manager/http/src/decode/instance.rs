//! A service instance to be made, and a change of one.
//!
//! The rule: what clients in the field send without meaning it (`ready`, `usable`, `service_id`) is passed over by the
//! shape; what somebody could mean and would not get is refused by its name.

use super::label;
use crate::Failure;
use http::StatusCode;
use qm_lifecycle::instance::{InstanceChange, NewInstance, PlanChoice};
use qm_manager_api::error::word;
use qm_manager_api::{InstancePatch, NewInstance as NewShape, Patch};
use qm_model::id::PlatformId;
use serde_json::Value;

/// The model's form of an instance to be made.
pub(crate) fn new(shape: NewShape) -> Result<NewInstance, Failure> {
    let NewShape {
        id,
        name,
        service_plan_id,
        service_offering_name,
        service_plan_name,
        parameters,
        maintenance_info,
        platform_id,
        // The broker's word counts, and it says it in its answer.
        dashboard_url: _,
        shared,
        referenced_instance_id,
        labels,
    } = shape;
    if id.is_some() {
        return Err(Failure::bad_request(
            "id: cannot be chosen; the manager makes it up",
        ));
    }
    if shared.is_some() {
        return Err(Failure::bad_request(
            "shared: an instance is made first and shared then, with PATCH {\"shared\":true}",
        ));
    }
    if referenced_instance_id.is_some() {
        return Err(reference_in_parameters());
    }
    at_home(platform_id.as_deref())?;
    Ok(NewInstance {
        name,
        plan: plan(service_plan_id, service_offering_name, service_plan_name)?,
        parameters,
        maintenance_info: maintenance_info.map(Value::Object),
        labels: label::labels(labels)?,
    })
}

/// By id, or by the broker's names; an empty text is how some clients leave it out.
fn plan(
    id: Option<String>,
    offering: Option<String>,
    plan: Option<String>,
) -> Result<PlanChoice, Failure> {
    let said = |text: Option<String>| text.filter(|text| !text.is_empty());
    match (said(id), said(offering), said(plan)) {
        (Some(id), None, None) => Ok(PlanChoice::Id(id)),
        (None, Some(offering), Some(plan)) => Ok(PlanChoice::Names { offering, plan }),
        (None, None, None) => Err(Failure::bad_request(
            "service_plan_id: is required; or service_offering_name and service_plan_name",
        )),
        (Some(_), _, _) => Err(Failure::bad_request(
            "service_plan_id: excludes service_offering_name and service_plan_name; send the id or both names",
        )),
        (None, Some(_), None) => Err(Failure::bad_request(
            "service_plan_name: is required with service_offering_name",
        )),
        (None, None, Some(_)) => Err(Failure::bad_request(
            "service_offering_name: is required with service_plan_name",
        )),
    }
}

/// What a PATCH of an instance asks for.
#[derive(Debug)]
pub(crate) enum Wish {
    /// To let others refer to it, or to end that.
    Share(bool),
    /// To move it to the manager.
    Transfer(String),
    /// To change it.
    Change {
        /// What.
        change: InstanceChange,
        /// The caller believes that it is the manager's own already.
        at_home: bool,
    },
}

/// What is asked for. `null` leaves a field as it is, as with the old server.
pub(crate) fn change(patch: InstancePatch) -> Result<Wish, Failure> {
    let InstancePatch {
        id,
        name,
        service_plan_id,
        parameters,
        maintenance_info,
        platform_id,
        dashboard_url,
        shared,
        referenced_instance_id,
        labels,
    } = patch;
    if said(&id) {
        return Err(Failure::bad_request("id: never changes"));
    }
    if said(&referenced_instance_id) {
        return Err(reference_in_parameters());
    }
    let platform_id = platform_id.value().filter(|id| !id.is_empty());
    at_home(platform_id.as_deref())?;
    let changes = said(&name)
        || said(&service_plan_id)
        || said(&parameters)
        || said(&maintenance_info)
        || said(&dashboard_url)
        || !labels.is_empty();
    if let Some(shared) = shared.value() {
        if changes || platform_id.is_some() {
            return Err(Failure::bad_request(
                "shared: stands alone; change the rest with another request",
            ));
        }
        return Ok(Wish::Share(shared));
    }
    let change = InstanceChange {
        name: name.value(),
        plan: service_plan_id.value(),
        parameters: parameters.value(),
        maintenance_info: maintenance_info.value().map(Value::Object),
        labels: label::changes(labels)?,
    };
    Ok(match platform_id {
        Some(to) if !changes => Wish::Transfer(to),
        platform_id => Wish::Change {
            change,
            at_home: platform_id.is_some(),
        },
    })
}

fn said<T>(field: &Patch<T>) -> bool {
    matches!(field, Patch::Value(_))
}

/// Instances are made at the manager and moved to the manager only.
fn at_home(platform_id: Option<&str>) -> Result<(), Failure> {
    match platform_id {
        None | Some("") => Ok(()),
        Some(id) if id == PlatformId::manager().as_str() => Ok(()),
        Some(_) => Err(not_there()),
    }
}

fn not_there() -> Failure {
    Failure::new(
        StatusCode::BAD_REQUEST,
        word::INVALID_TRANSFER,
        "platform_id: can only be service-manager; leave it out. Instances of other platforms are made there",
    )
}

/// A change of an instance that is not the manager's own cannot be made along with its move.
pub(crate) fn moves_alone() -> Failure {
    Failure::new(
        StatusCode::BAD_REQUEST,
        word::INVALID_TRANSFER,
        "platform_id: stands alone for an instance of another platform; move it first and change it then",
    )
}

fn reference_in_parameters() -> Failure {
    Failure::bad_request(
        "referenced_instance_id: belongs into parameters, when an instance is made with a reference plan",
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{from_value, json};

    fn made(body: Value) -> Result<NewInstance, (u16, String)> {
        new(from_value(body).unwrap()).map_err(|failure| told(&failure))
    }

    fn changed(body: Value) -> Result<Wish, (u16, String)> {
        change(from_value(body).unwrap()).map_err(|failure| told(&failure))
    }

    fn told(failure: &Failure) -> (u16, String) {
        let field = failure.description.split(':').next().unwrap_or_default();
        (failure.status.as_u16(), format!("{} {field}", failure.word))
    }

    #[test]
    fn what_clients_in_the_field_send_is_taken() {
        let operator = json!({"name": "n", "service_plan_id": "p", "parameters": {"a": 1},
            "labels": {"_namespace": ["x"]}, "ready": false, "usable": false});
        let new = made(operator).unwrap();
        assert!(matches!(new.plan, PlanChoice::Id(id) if id == "p"));
        assert_eq!(new.parameters.unwrap().expose()["a"], 1);
        let smctl = json!({"name": "n", "service_id": "o", "service_plan_id": "p"});
        assert!(made(smctl).unwrap().parameters.is_none());
        let names = json!({"name": "n", "service_offering_name": "o", "service_plan_name": "p",
            "platform_id": "service-manager", "context": {"a": 1}});
        let PlanChoice::Names { offering, plan } = made(names).unwrap().plan else {
            panic!("two names were sent");
        };
        assert_eq!((offering.as_str(), plan.as_str()), ("o", "p"));
    }

    #[test]
    fn what_a_new_instance_cannot_have_is_named() {
        let cases = [
            (json!({"id": "x"}), "BadRequest id"),
            (json!({"shared": false}), "BadRequest shared"),
            (
                json!({"referenced_instance_id": "x"}),
                "BadRequest referenced_instance_id",
            ),
            (json!({"platform_id": "k8s"}), "InvalidTransfer platform_id"),
            (
                json!({"service_plan_id": null}),
                "BadRequest service_plan_id",
            ),
            (json!({"service_plan_id": ""}), "BadRequest service_plan_id"),
            (
                json!({"service_offering_name": "o"}),
                "BadRequest service_plan_id",
            ),
            (
                json!({"service_plan_name": "o"}),
                "BadRequest service_plan_id",
            ),
            (
                json!({"service_plan_id": null, "service_offering_name": "o"}),
                "BadRequest service_plan_name",
            ),
            (
                json!({"service_plan_id": null, "service_plan_name": "o"}),
                "BadRequest service_offering_name",
            ),
        ];
        for (more, wanted) in cases {
            let mut body = json!({"name": "n", "service_plan_id": "p"});
            for (field, value) in more.as_object().unwrap() {
                body[field] = value.clone();
            }
            assert_eq!(made(body).unwrap_err(), (400, wanted.to_owned()), "{more}");
        }
    }

    #[test]
    fn a_patch_shares_moves_or_changes() {
        assert!(matches!(
            changed(json!({"shared": true})),
            Ok(Wish::Share(true))
        ));
        assert!(matches!(
            changed(json!({"shared": false, "name": null})),
            Ok(Wish::Share(false))
        ));
        let moved = changed(json!({"platform_id": "service-manager"}));
        assert!(matches!(moved, Ok(Wish::Transfer(to)) if to == "service-manager"));
        let at_home = |body| match changed(body) {
            Ok(Wish::Change { at_home, .. }) => at_home,
            other => panic!("{other:?}"),
        };
        assert!(at_home(
            json!({"platform_id": "service-manager", "name": "n"})
        ));
        assert!(!at_home(
            json!({"name": "n", "service_plan_id": "p", "ready": false, "usable": false})
        ));
        assert!(!at_home(json!({})));
    }

    #[test]
    fn a_patch_that_means_two_things_is_refused() {
        let cases = [
            (json!({"shared": true, "name": "n"}), "BadRequest shared"),
            (
                json!({"shared": true, "labels": [{"op": "remove", "key": "a"}]}),
                "BadRequest shared",
            ),
            (
                json!({"shared": true, "platform_id": "service-manager"}),
                "BadRequest shared",
            ),
            (json!({"id": "x"}), "BadRequest id"),
            (
                json!({"referenced_instance_id": "x"}),
                "BadRequest referenced_instance_id",
            ),
            (json!({"platform_id": "k8s"}), "InvalidTransfer platform_id"),
        ];
        for (body, wanted) in cases {
            assert_eq!(
                changed(body.clone()).unwrap_err(),
                (400, wanted.to_owned()),
                "{body}"
            );
        }
    }
}
