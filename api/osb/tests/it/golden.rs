//! One full example of every message, as JSON. Every secret place holds [`CANARY`].
//!
//! Used by the tests on shape, on unknown fields and on secrets. An example has each field of its message
//! once; where two forms exclude each other there are two examples.

use quartermaster_osb::{
    Accepted, BindRequest, Binding, Catalog, ErrorBody, Instance, LastOperation, ProvisionRequest,
    ProvisionResponse, RotateRequest, UpdateRequest, UpdateResponse,
};
use serde::{Serialize, de::DeserializeOwned};
use serde_json::{Value, json};
use std::fmt::Debug;

pub(crate) const CANARY: &str = "hunter2";

/// A message, what it looks like, and what can be done with it.
pub(crate) struct Golden {
    pub(crate) name: &'static str,
    pub(crate) json: Value,
    /// Decodes and encodes again.
    pub(crate) again: fn(&Value) -> Result<Value, serde_json::Error>,
    /// Decodes and prints.
    pub(crate) shown: fn(&Value) -> String,
}

fn golden<T: DeserializeOwned + Serialize + Debug>(name: &'static str, json: Value) -> Golden {
    Golden {
        name,
        json,
        again: |json| serde_json::to_value(T::deserialize(json)?),
        shown: |json| {
            let message = T::deserialize(json).unwrap();
            format!("{message:?} {message:#?}")
        },
    }
}

pub(crate) fn all() -> Vec<Golden> {
    vec![
        golden::<Catalog>("catalog", catalog()),
        golden::<ProvisionRequest>("provision request", provision()),
        golden::<ProvisionResponse>(
            "provision response",
            json!({"dashboard_url": "http://d", "operation": "o", "metadata": instance_metadata()}),
        ),
        golden::<Accepted>(
            "accepted",
            json!({"operation": "o", "dashboard_url": "http://d", "metadata": instance_metadata()}),
        ),
        golden::<Instance>(
            "instance",
            json!({
                "service_id": "s", "plan_id": "p", "dashboard_url": "http://d",
                "parameters": {"password": CANARY},
                "maintenance_info": {"version": "1.0.0", "description": "d"},
                "metadata": instance_metadata()
            }),
        ),
        golden::<UpdateRequest>("update request", update()),
        golden::<UpdateResponse>(
            "update response",
            json!({"dashboard_url": "http://d", "metadata": instance_metadata()}),
        ),
        golden::<BindRequest>("bind request", bind()),
        golden::<RotateRequest>("rotate request", rotate()),
        golden::<RotateRequest>(
            "least rotate request",
            json!({"predecessor_binding_id": "b"}),
        ),
        golden::<Binding>("binding", binding()),
        golden::<LastOperation>(
            "last operation",
            json!({
                "state": "in progress", "description": "copying", "instance_usable": false,
                "update_repeatable": true
            }),
        ),
        golden::<LastOperation>("succeeded", json!({"state": "succeeded"})),
        golden::<LastOperation>("failed", json!({"state": "failed"})),
        golden::<ErrorBody>(
            "error",
            json!({
                "error": "AsyncRequired", "description": "send accepts_incomplete=true",
                "instance_usable": true, "update_repeatable": false
            }),
        ),
        golden::<ErrorBody>("error of the broker's own", json!({"error": "OutOfDisks"})),
    ]
}

fn instance_metadata() -> Value {
    json!({"labels": {"team": "blue"}, "attributes": {"size": 3.5, "zones": ["a", null]}})
}

fn catalog() -> Value {
    let schema = json!({"$schema": "http://json-schema.org/draft-07/schema#", "type": "object"});
    json!({"services": [{
        "name": "n", "id": "s", "description": "d", "bindable": true, "tags": ["t"],
        "requires": ["volume_mount"], "instances_retrievable": true, "bindings_retrievable": true,
        "allow_context_updates": true, "metadata": {"displayName": "N"},
        "dashboard_client": {"id": "c", "secret": CANARY, "redirect_uri": "http://r"},
        "plan_updateable": true,
        "plans": [{
            "id": "p", "name": "n", "description": "d", "metadata": {"bullets": ["b"]}, "free": false,
            "bindable": true, "binding_rotatable": true, "plan_updateable": false,
            "schemas": {
                "service_instance": {"create": {"parameters": schema}, "update": {"parameters": schema}},
                "service_binding": {"create": {"parameters": schema}}
            },
            "maximum_polling_duration": 60,
            "maintenance_info": {"version": "1.0.0", "description": "d"}
        }]
    }]})
}

pub(crate) fn provision() -> Value {
    json!({
        "service_id": "s", "plan_id": "p", "organization_guid": "o", "space_guid": "sp",
        "context": {"platform": "cloudfoundry", "organization_guid": "o"},
        "parameters": {"password": CANARY, "size": 1e300, "count": 18_446_744_073_709_551_615_u64},
        "maintenance_info": {"version": "1.0.0"}
    })
}

pub(crate) fn update() -> Value {
    json!({
        "service_id": "s", "plan_id": "p", "context": {"platform": "kubernetes"},
        "parameters": {"password": CANARY}, "maintenance_info": {"version": "1.0.0"},
        "previous_values": {
            "plan_id": "p0", "maintenance_info": {"version": "0.9.0"}, "service_id": "s",
            "organization_id": "o", "space_id": "sp"
        }
    })
}

pub(crate) fn bind() -> Value {
    json!({
        "service_id": "s", "plan_id": "p", "context": {"platform": "kubernetes"}, "app_guid": "a",
        "bind_resource": {
            "app_guid": "a", "route": "r.example", "space_guid": "sp", "credential_client_id": "c",
            "app_annotations": {"k": "v"}
        },
        "parameters": {"password": CANARY}
    })
}

pub(crate) fn rotate() -> Value {
    json!({"predecessor_binding_id": "b0", "service_id": "s", "plan_id": "p"})
}

fn binding() -> Value {
    json!({
        "metadata": {"expires_at": "2031-05-17T08:30:00.0Z", "renew_before": "2031-05-16T08:30:00.0Z"},
        "credentials": {"uri": format!("postgres://u:{CANARY}@h/d"), "password": CANARY},
        "syslog_drain_url": format!("https://logs.example?token={CANARY}"),
        "route_service_url": format!("https://u:{CANARY}@proxy.example"),
        "volume_mounts": [{
            "driver": "nfs", "container_dir": "/d", "mode": "r", "device_type": "shared",
            "device": {"volume_id": "v", "mount_config": {"password": CANARY}}
        }],
        "endpoints": [{"host": "h", "ports": ["443"], "protocol": "tcp"}],
        "parameters": {"password": CANARY}
    })
}
