//! A service binding. Its credentials are sealed in the store and read apart; [`opened`] puts them in.

use super::Encode;
use super::base::{base, object};
use super::operation::last;
use qm_lifecycle::Shown;
use qm_manager_api::{Binding as Shape, Secret};
use qm_model::binding::Binding;
use serde_json::Value;

/// A binding as somebody sees it who may see its credentials, or not.
pub(crate) fn opened((shown, credentials): (Shown<Binding>, Option<Secret<Value>>)) -> Shape {
    let mut shape = Binding::encode(shown);
    shape.credentials = credentials;
    shape
}

impl Encode for Binding {
    type Shape = Shape;

    fn encode(shown: Shown<Self>) -> Shape {
        let Shown {
            resource,
            last_operation,
        } = shown;
        let Self {
            id,
            name,
            instance_id,
            syslog_drain_url,
            route_service_url,
            volume_mounts,
            endpoints,
            context,
            bind_resource,
            meta,
        } = resource;
        Shape {
            base: base(id, meta),
            last_operation: last(last_operation),
            name,
            service_instance_id: instance_id.into(),
            syslog_drain_url: syslog_drain_url.map(Secret::new),
            route_service_url: route_service_url.map(Secret::new),
            volume_mounts: volume_mounts.map(Secret::new),
            endpoints,
            context: object(context),
            bind_resource: object(bind_resource),
            credentials: None,
            parameters: None,
        }
    }
}
