//! A service binding to be made, and a change of one: its name and its labels, nothing else.

use super::label;
use crate::Failure;
use qm_lifecycle::binding::{BindingChange, NewBinding};
use qm_manager_api::{BindingPatch, NewBinding as NewShape, Patch};
use serde_json::Value;

/// The model's form of a binding to be made.
pub(crate) fn new(shape: NewShape) -> Result<NewBinding, Failure> {
    let NewShape {
        id,
        name,
        service_instance_id,
        parameters,
        bind_resource,
        labels,
    } = shape;
    if id.is_some() {
        return Err(Failure::bad_request(
            "id: cannot be chosen; the manager makes it up",
        ));
    }
    Ok(NewBinding {
        name,
        instance_id: service_instance_id,
        parameters,
        bind_resource: bind_resource.map(Value::Object),
        labels: label::labels(labels)?,
    })
}

/// The model's form of a change. `null` leaves a field as it is, as with the old server.
pub(crate) fn change(patch: BindingPatch) -> Result<BindingChange, Failure> {
    let BindingPatch {
        id,
        name,
        service_instance_id,
        parameters,
        bind_resource,
        labels,
    } = patch;
    if said(&id) {
        return Err(Failure::bad_request("id: never changes"));
    }
    let fixed = [
        ("service_instance_id", said(&service_instance_id)),
        ("parameters", said(&parameters)),
        ("bind_resource", said(&bind_resource)),
    ];
    if let Some((field, _)) = fixed.into_iter().find(|(_, said)| *said) {
        return Err(Failure::invalid_request(format!(
            "{field}: a binding keeps what it was made with; make another one. What can change is name and labels"
        )));
    }
    Ok(BindingChange {
        name: name.value(),
        labels: label::changes(labels)?,
    })
}

fn said<T>(field: &Patch<T>) -> bool {
    matches!(field, Patch::Value(_))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{from_value, json};

    #[test]
    fn an_id_is_not_the_callers_choice() {
        let body =
            json!({"name": "b", "service_instance_id": "i", "bind_resource": {"app_guid": "a"}});
        let made = new(from_value(body.clone()).unwrap()).unwrap();
        assert_eq!((made.name.as_str(), made.instance_id.as_str()), ("b", "i"));
        assert_eq!(made.bind_resource, Some(json!({"app_guid": "a"})));
        let mut with_id = body;
        with_id["id"] = json!("x");
        let refused = new(from_value(with_id).unwrap()).unwrap_err();
        assert_eq!((refused.status.as_u16(), refused.word), (400, "BadRequest"));
    }

    #[test]
    fn only_name_and_labels_change() {
        let rotated =
            json!({"name": "N-x", "labels": [{"op": "remove", "key": "_k8sname", "values": null}]});
        let changed = change(from_value(rotated).unwrap()).unwrap();
        assert_eq!(
            (changed.name.as_deref(), changed.labels.len()),
            (Some("N-x"), 1)
        );
        for (field, word) in [
            ("id", "BadRequest"),
            ("service_instance_id", "InvalidRequest"),
            ("parameters", "InvalidRequest"),
            ("bind_resource", "InvalidRequest"),
        ] {
            let body = json!({field: {"password": "hunter2"}});
            let refused = change(from_value(body).unwrap()).unwrap_err();
            assert_eq!(
                (refused.status.as_u16(), refused.word),
                (400, word),
                "{field}"
            );
            assert!(!refused.description.contains("hunter2"));
            let nothing = change(from_value(json!({field: null})).unwrap());
            assert!(nothing.is_ok(), "{field}");
        }
    }
}
